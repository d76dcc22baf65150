"""Pages as HTML, for programs that set it: browsers, WeasyPrint, office programs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from html import escape

from scripts.benchmarks.labelled.label import Made, Said, all_said, prose, said, table

STYLE = (
    "body{font:11pt 'Liberation Serif',serif;text-align:justify;hyphens:auto}"
    "@page{size:A4;margin:22mm}p{margin:0 0 7pt}table{border-collapse:collapse}"
    "td,th{padding:2pt 8pt;text-align:left;vertical-align:top}.n{text-align:right}"
)
SHIPS = ("Ship", "Built", "Route", "Cars")
FLEET = (
    ("Skarv", "2019", "Ostvik to Marholm and the outer islands", "60"),
    ("Tarva", "2011", "Lunde to Varnby", "35"),
    ("Terne of the northern fleet", "1998", "Varnby to the islands in summer only", "12"),
    ("Lom", "2003", "Reserve", "46"),
)


def _p(paragraphs: Iterable[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in paragraphs)


def _grid(names: Sequence[str], rows: Iterable[Sequence[str]], width: str = "auto") -> str:
    head = "".join(f"<th>{name}</th>" for name in names)
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows
    )
    return (
        f"<table style='width:{width}'><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def plain() -> Made:
    one, two = prose(3), prose(3, 3)
    source = f"<h1>Harbours of the coast</h1>{_p(one)}<h2>Lunde and Varnby</h2>{_p(two)}"
    label = (*said("Harbours of the coast"), *all_said(one), *said("Lunde and Varnby"))
    return Made(source, (*label, *all_said(two)))


def indented() -> Made:
    texts = prose(6)
    return Made(_p(texts), all_said(texts), "p{margin:0;text-indent:14pt}")


def ragged() -> Made:
    texts = prose(5, 2)
    return Made(_p(texts), all_said(texts), "body{text-align:left;width:88mm}")


def columns() -> Made:
    texts = prose(8)
    style = "div{column-count:2;column-gap:8mm}p{margin:0;text-indent:12pt}h2{font-size:12pt}"
    source = f"<div><h2>Results</h2>{_p(texts[:5])}<h2>Discussion</h2>{_p(texts[5:])}</div>"
    label = (*said("Results"), *all_said(texts[:5]), *said("Discussion"), *all_said(texts[5:]))
    return Made(source, label, style)


def paper() -> Made:
    """Two columns below a title and an abstract of full width."""
    abstract, body, end = prose(3), prose(8, 3), prose(2, 4)
    style = "div{column-count:2;column-gap:8mm;margin-bottom:5mm}p{margin:0 0 3pt}"
    source = f"<h1 style='text-align:center'>Mercury in the mud</h1>{_p(abstract)}<div>{_p(body)}"
    label = (*said("Mercury in the mud"), *all_said(abstract), *all_said(body), *all_said(end))
    return Made(f"{source}</div>{_p(end)}", label, style)


def newspaper() -> Made:
    one, two = prose(4), prose(4, 4)
    style = (
        "div{column-count:3;column-gap:6mm}body{font-size:9.5pt}p{margin:0}h1{font-size:26pt}"
        "b{font-size:38pt;float:left;line-height:.8;padding-right:3pt}"
    )
    first, *rest = map(_p, ([text] for text in one))
    begun = f"<p><b>{first[3]}</b>{first[4:]}{''.join(rest)}"
    source = f"<h1>Ferry late again</h1><div>{begun}</div><hr><h2>Roads</h2><div>{_p(two)}</div>"
    label = (*said("Ferry late again"), *all_said(one), *said("Roads"), *all_said(two))
    return Made(source, label, style)


def sidebar() -> Made:
    body, side = prose(5), prose(2, 5)
    style = "main{width:110mm}aside{position:absolute;left:120mm;top:22mm;width:46mm;font-size:9pt}"
    source = f"<h1>Report</h1><main>{_p(body)}</main><aside><h3>In brief</h3>{_p(side)}</aside>"
    label = (*said("Report"), *all_said(body), *said("In brief"), *all_said(side))
    return Made(source, label, style)


def wrapped() -> Made:
    texts, style = (
        prose(5),
        "figure{float:right;width:60mm;height:45mm;background:#ddd;margin:0 0 5mm 5mm}",
    )
    return Made(f"<figure></figure>{_p(texts)}", all_said(texts), style)


def cells() -> Made:
    before, after = prose(1), prose(1, 1)
    source = _p(before) + _grid(SHIPS, FLEET, "120mm") + "<br>" + _p(after)
    return Made(source, (*all_said(before), *table(SHIPS, FLEET), *all_said(after)))


def statistics() -> Made:
    heads = ("Offence", "Male – All", "Male – Under 18", "Female – All", "Female – Under 18")
    rows = (
        ("Robbery", "102,112", "9,870", "14,003", "1,204"),
        ("Murder and manslaughter", "8,957", "601", "1,042", "55"),
        ("Arson", "6,110", "1,944", "1,410", "302"),
    )
    top = "<tr><th rowspan=2>Offence<th colspan=2>Male<th colspan=2>Female</tr><tr>"
    top += "<th>All<th>Under 18" * 2 + "</tr>"
    body = "".join(
        f"<tr><td>{row[0]}{''.join(f'<td class=n>{cell}' for cell in row[1:])}</tr>" for row in rows
    )
    style = "th{text-align:center;vertical-align:bottom}"
    name = Said("; ".join(heads), "Male Female Offence All Under 18 All Under 18")
    label = (*said("Table 4. Persons arrested"), name, *list(table(heads, rows))[1:])
    return Made(f"<h2>Table 4. Persons arrested</h2><table>{top}{body}</table>", label, style)


def long_table() -> Made:
    rows = [(f"{1960 + at}", f"{at * 37 % 911}", f"{at * 53 % 89}.{at % 10}") for at in range(75)]
    names = ("Year", "Ships", "Share")
    return Made(
        _grid(names, rows, "100mm"), tuple(table(names, rows)), "thead{display:table-header-group}"
    )


def slides() -> Made:
    slides = [(f"What happened in 202{at}", prose(1, at)[0].split(". ")[:2]) for at in range(3)]
    style = "@page{size:254mm 143mm;margin:15mm}section{break-after:page;text-align:left}"
    style += "h1{font-size:30pt}li{font-size:18pt;margin:4mm}"
    items = ("".join(f"<li>{escape(item)}" for item in items) for _, items in slides)
    heads = (name for name, _ in slides)
    source = "".join(
        f"<section><h1>{a}</h1><ul>{b}</ul></section>" for a, b in zip(heads, items, strict=True)
    )
    label = [said(name, *(f"• {item}" for item in items)) for name, items in slides]
    return Made(source, tuple(one for each in label for one in each), style)


def footnotes() -> Made:
    texts, notes = prose(4), ("Report of the auditor, 2019.", "Letter of the county, 4 June 2021.")
    marked = [escape(text) for text in texts]
    marked[0], marked[2] = f"{marked[0]}<sup>1</sup>", f"{marked[2]}<sup>2</sup>"
    feet = "".join(f"<p class=f><sup>{n}</sup> {note}</p>" for n, note in enumerate(notes, 1))
    source = f"{''.join(f'<p>{text}</p>' for text in marked)}<hr style='width:30%'>{feet}"
    return Made(
        source, (*all_said(texts), *said(*notes)), ".f{font-size:8.5pt;margin:0}sup{font-size:7pt}"
    )


def headed() -> Made:
    """Running heads and feet on three pages."""
    texts = prose(21)
    style = "@page{@top-left{content:'Annual report of Ostvik'}"
    style += "@bottom-center{content:counter(page)}}"
    return Made(_p(texts), all_said(texts), style)


def lists() -> Made:
    items = ("The quay of Marholm is to be repaired before the winter, at a cost of no more than "
             "four million crowns, which the county will repay over six years.",
             "Lamps are to be put up", "the ferry keeps its timetable")  # fmt: skip
    inner, steps = ("the northern span", "the southern span"), ("Find the money", "Begin the work")
    sub = "".join(f"<li>{item}" for item in inner)
    source = f"<p>The council decided:</p><ul>{''.join(f'<li>{item}' for item in items)}"
    source += f"<li>Bridge<ul>{sub}</ul></ul><ol>{''.join(f'<li>{step}' for step in steps)}</ol>"
    marked = [f"• {item}" for item in (*items, "Bridge", *inner)]
    numbered = [f"{at}. {step}" for at, step in enumerate(steps, 1)]
    return Made(source, said("The council decided:", *marked, *numbered), "body{text-align:left}")


def letter() -> Made:
    head = ("County of Lunde", "Harbour Road 4", "1234 Ostvik")
    texts = prose(3, 2)
    source = f"<p style='margin-left:100mm'>{'<br>'.join(head)}</p><p>3 May 2019</p>"
    source += f"<p><b>The wells of nineteen farms</b></p><p>Dear Ms. Ek,</p>{_p(texts)}"
    source += "<p>Yours sincerely,</p><p>Ada Lind<br>Head of the department</p>"
    ends = ("Yours sincerely,", "Ada Lind", "Head of the department")
    start = said(*head, "3 May 2019", "The wells of nineteen farms", "Dear Ms. Ek,")
    return Made(source, (*start, *all_said(texts), *said(*ends)))


def invoice() -> Made:
    names = ("Item", "Quantity", "Price", "Amount")
    rows = (
        ("Lamp for the quay", "12", "1,150.00", "13,800.00"),
        ("Cable", "40", "25.50", "1,020.00"),
        ("Total", "", "", "14,820.00"),
    )
    pairs = (("Invoice no.", "2019-114"), ("Date", "3 May 2019"), ("Due", "2 June 2019"))
    keys = "".join(f"<tr><td>{a}<td>{b}</tr>" for a, b in pairs)
    source = f"<h1>Invoice</h1><table>{keys}</table><br>{_grid(names, rows, '160mm')}"
    label = [Said(f"{a}: {b}", f"{a} {b}") for a, b in pairs]
    return Made(
        source,
        (*said("Invoice"), *label, *table(names, rows)),
        "td:nth-child(n+2){text-align:right}",
    )


def marks() -> Made:
    source = (
        "<p>The sample held 4 × 10<sup>6</sup> cells in 12 m<sup>2</sup> of mud.<sup>3</sup> "
        "CO<sub>2</sub> rose by 3 per cent. The fare is <s>25</s> 35 crowns. The <span style="
        "'font-variant:small-caps'>harbour board</span> met on the 4<sup>th</sup> of May.</p>"
    )
    texts = ("The sample held 4 × 10^6 cells in 12 m^2 of mud.", "CO2 rose by 3 per cent.",
             "The fare is 35 crowns.", "The harbour board met on the 4th of May.")  # fmt: skip
    return Made(source, said(*texts))


def stamped() -> Made:
    texts = prose(5)
    stamp = "Preprint 1903.0127, not reviewed"
    style = (
        "aside{position:absolute;left:-14mm;top:60mm;white-space:nowrap;writing-mode:vertical-rl}"
    )
    style += "body{position:relative}"
    return Made(f"{_p(texts)}<aside>{stamp}</aside>", (*all_said(texts), *said(stamp)), style)


def minutes() -> Made:
    present = ("Mayor Ingrid Solheim", "Councillor Peder Moe", "Clerk Ada Lind")
    items = [
        (f"{at}. {name}", prose(1, at)[0])
        for at, name in enumerate(("Budget", "Ferry", "Wells"), 1)
    ]
    source = f"<h1>Minutes of 14 March 2022</h1><p>Present:<br>{'<br>'.join(present)}</p>"
    source += "".join(f"<p><b>{name}</b></p>{_p([text])}" for name, text in items)
    label = [(*said(name), *all_said([text])) for name, text in items]
    start = said("Minutes of 14 March 2022", "Present:", *present)
    return Made(source, (*start, *(one for each in label for one in each)))


FLOWING: dict[str, Callable[[], Made]] = {
    make.__name__: make
    for make in (
        *(plain, indented, ragged, columns, paper, newspaper, sidebar, wrapped, cells, statistics),
        *(long_table, slides, footnotes, headed, lists, letter, invoice, marks, stamped, minutes),
    )
}
