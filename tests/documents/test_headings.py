"""Sections: what is a heading, what is not, and that the readers of all formats agree."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docx
import pytest

from tests.support.packed_documents import odt_table, write_odt
from uhhrag.documents.blocks import Block, split_blocks
from uhhrag.documents.document import Document
from uhhrag.documents.headings import byline_in, sections_in, title_in, with_leads
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.office.numbering import Numbered, labels
from uhhrag.documents.office.odt import read_odt
from uhhrag.documents.office.rtf import read_rtf
from uhhrag.documents.pandoc.blocks import ITEM
from uhhrag.documents.plain.text import read_text_file
from uhhrag.documents.segmentation import in_order, paragraphs, split_sentences
from uhhrag.documents.web import markup
from uhhrag.documents.web.html import read_html
from uhhrag.documents.web.markup import read_markdown, read_org
from uhhrag.records import Page

pytestmark = pytest.mark.usefixtures("nltk_loaded")

BODY = "A ticket costs 48 crowns. It is sold on board."


def document(*paragraphs: str, **about: Any) -> Document:
    split = in_order(split_sentences([(text.strip(), 0)]) for text in paragraphs)
    return Document(split.lines, starts=split.starts, **about)


@pytest.mark.parametrize(
    ("line", "author", "day"),
    [
        ("Posted by Tom on 12/05/2024", "Tom", ""),
        ("Posted on May 12, 2024 by Tom Hale", "Tom Hale", "2024-05-12"),
        ("May 12, 2024 by Tom Hale", "Tom Hale", "2024-05-12"),
        ("By Tom Hale | 12 May 2024 | News", "Tom Hale", "2024-05-12"),
        ("Submitted by tom on Sun, 12/05/2024 - 10:15", "tom", ""),
        ("Written evidence submitted by Ann Lie on 12 May 2024", "Ann Lie", "2024-05-12"),
        ("Publié par Tom Hale le 12 mai 2024", "Tom Hale", "2024-05-12"),
        ("Posted by admin on 12 May 2024", "", "2024-05-12"),
        ("Published on 12 May 2024", "", ""),
        ("By Hand", "", ""),
        ("By May 2024", "", ""),
    ],
)
def test_a_byline_tells_author_and_day_and_heads_nothing(line, author, day):
    found = document("Who pays?", line, BODY)
    assert byline_in(found) == (author, day)
    assert sections_in(found) == ()


@pytest.mark.parametrize(
    "line", ["Minutes of 12 May 2024", "Written answers by party", "Budget 2024 by department"]
)
def test_what_is_like_a_byline_may_be_a_heading(line):
    found = document("Who pays?", line, BODY)
    assert byline_in(found) == ("", "")
    assert sections_in(found) == ((1, line),)


def names(found: Document) -> list[str]:
    """The names of sections, each after a look that its heading stands where it should."""
    sections = sections_in(found)
    assert all(name.endswith(found.lines[at]) for at, name in sections if name)
    return [name for _, name in sections]


@pytest.mark.parametrize(
    ("paragraphs", "expected"),
    [
        (("Fares of the line", "Adults", BODY, "Children", BODY), ["Adults", "Children"]),
        (("2.1 Adults", BODY), ["2.1 Adults"]),
        (("Fares", "Adults", BODY), ["Adults"]),
        (("Fares", "- Adults: 48 crowns", "- Dogs: nothing"), ["Fares"]),
        (("Fares", "Adults: 48 crowns", "Dogs: 2 crowns"), ["Fares"]),
        (("Fares", "Who; Crowns", "Who: Adults; Crowns: 48"), ["Fares"]),
        (("Adults", "Children", "Dogs", BODY), []),
        (("Captain: Anna Lund", "Mate: Tom Berg", BODY), []),
        (("Captain: Anna Lund", "Sailed: 6, 7 and 9 May", BODY), []),
        (("Clean: yes", "Safe: hardly", "Dear: no", "Adults", BODY), ["Adults"]),
        (("The bus is late.", BODY), []),
        (("and so on", BODY), []),
        (("2022", BODY), []),
        (("By Anna Lund", BODY), []),
        (("Adults", "48 crowns"), []),
        (("Adults",), []),
        ((BODY, "Adults"), []),
        ((), []),
    ],
)
def test_a_heading_stands_alone_above_sentences_or_items(paragraphs, expected):
    assert names(document(*paragraphs, title="Buses")) == expected


def test_the_title_names_no_section():
    found = document("Fares of the line", BODY)
    assert title_in(found) == "Fares of the line"
    assert names(found) == []
    assert names(document("Fares", BODY, title="Fares")) == []
    assert names(document("Fares", BODY, title="Buses")) == ["Fares"]


def test_a_title_may_be_what_somebody_said_but_not_a_whole_sentence():
    said = "“Nobody told us of the fares”"
    assert title_in(document(said, BODY)) == said
    assert title_in(document("“Nobody told us.”", BODY)) == ""


def test_a_table_and_a_document_whose_paragraphs_are_not_known_have_no_sections():
    assert names(document("Adults", BODY, unit="row")) == []
    assert names(Document(("Adults", "A ticket costs 48 crowns."))) == []


def test_a_heading_has_the_name_of_those_above_it_and_a_higher_one_ends_the_section():
    blocks = [
        *(Block("Buses", level=1), Block(BODY), Block("Fares", level=2), Block("Adults", level=3)),
        *(Block(BODY), Block("Dogs", level=3), Block(BODY), Block("Stops", level=2), Block(BODY)),
    ]
    split = split_blocks(blocks)
    assert split.sections == (
        *((0, "Buses"), (3, "Buses – Fares"), (4, "Buses – Fares – Adults")),
        *((7, "Buses – Fares – Dogs"), (10, "Buses – Stops")),
    )
    found = Document(split.lines, title="Buses", starts=split.starts, sections=split.sections)
    assert names(found) == ["Fares", "Fares – Adults", "Fares – Dogs", "Stops"]
    again = split_blocks([*blocks, Block("Buses", level=1), Block(BODY)])
    found = Document(again.lines, title="Buses", starts=again.starts, sections=again.sections)
    assert names(found)[-1] == ""


def test_a_paragraph_in_the_style_of_a_heading_names_no_section():
    split = split_blocks([Block("Fares", level=2), Block(BODY * 9, level=1), Block(BODY)])
    assert split.sections == ((0, "Fares"),)


def test_a_heading_within_a_table_of_a_web_page_is_a_cell(tmp_path):
    row = "<tr><td><h3>Adults</h3></td><td>48 crowns</td></tr><tr><td>Dogs</td><td>free</td></tr>"
    page = f"<main><h1>Fares</h1><p>{BODY}</p><table>{row}</table></main>"
    (tmp_path / "a.html").write_text(f"<html><body>{page}</body></html>")
    (found,) = read_html(tmp_path / "a.html")
    assert found.lines[-2:] == ("Adults: 48 crowns", "Dogs: free")


def test_headings_between_lines_as_a_pdf_has_them_stand_alone():
    lines = [
        "Harbours of the Sund coast",
        "The pilots' association describes harbours for skippers who have not been here before.",
        "Tarva",
        "The quay is 120 metres long. Fuel is sold every day from seven to nine. The port",
        "answers on channel 12.",
        "Lunde",
        "The quay is 300 metres long. Fuel is not sold. The harbour master of the port answers at",
        "Nine in the morning on channel 9 and at no other time of the day, and not on Sundays.",
    ]
    split = in_order(map(split_sentences, paragraphs([(line, 1) for line in lines])))
    found = Document(split.lines, starts=split.starts)
    assert title_in(found) == lines[0]
    assert names(found) == ["Tarva", "Lunde"]
    assert split.lines[-1].startswith("The harbour master of the port answers at Nine in")


def test_rows_that_follow_one_another_are_a_table_with_the_page_of_each():
    rows = [Block(page=2, cells=("Fare", "Crowns")), Block(page=2, cells=("Adults", "48"))]
    rows.append(Block(page=3, cells=("", "10")))
    split = split_blocks([Block("Fares", page=1), *rows, Block("Rows | are past.", page=3)])
    assert split.lines == (
        *("Fares", "Fare; Crowns", "Fare: Adults; Crowns: 48", "Crowns: 10"),
        "Rows | are past.",
    )
    assert split.pages == (1, 2, 2, 3, 3)
    assert split.starts == (0, 1, 2, 3, 4)


def markdown(file: Path) -> None:
    table = "| Fare | Crowns |\n|---|---|\n| Adults | 48 |\n| Dogs |  |"
    file.write_text(f"# Buses\n\n{BODY}\n\n## Fares\n\n{table}\n\n### Dogs\n\nDogs are free.\n")


def html(file: Path) -> None:
    table = "<tr><th>Fare<th>Crowns</tr><tr><td>Adults<td>48</tr><tr><td>Dogs<td></tr>"
    page = f"<h1>Buses</h1><p>{BODY}</p><h2>Fares</h2><table>{table}</table><h3>Dogs</h3>"
    file.write_text(f"<html><body><main>{page}<p>Dogs are free.</p></main></body></html>")


def word(file: Path) -> None:
    made = docx.Document()
    made.core_properties.title = "Buses"
    made.add_heading("Buses", 1)
    made.add_paragraph(BODY)
    made.add_heading("Fares", 2)
    table = made.add_table(rows=3, cols=2)
    for row, texts in enumerate((("Fare", "Crowns"), ("Adults", "48"), ("Dogs", ""))):
        for column, text in enumerate(texts):
            table.cell(row, column).text = text
    made.add_heading("Dogs", 3)
    made.add_paragraph("Dogs are free.")
    made.save(str(file))


def odt(file: Path) -> None:
    def heading(text: str, level: int) -> str:
        return f'<text:h text:outline-level="{level}">{text}</text:h>'

    table = odt_table(("Fare", "Crowns"), ("Adults", "48"), ("Dogs", ""))
    write_odt(
        file,
        f"{heading('Buses', 1)}<text:p>{BODY}</text:p>{heading('Fares', 2)}"
        f"{table}{heading('Dogs', 3)}<text:p>Dogs are free.</text:p>",
    )


@pytest.mark.parametrize(
    ("write", "read"),
    [(markdown, read_markdown), (html, read_html), (word, read_docx), (odt, read_odt)],
)
def test_formats_that_mark_headings_and_tables_agree(
    tmp_path, write: Callable[[Path], None], read: Callable[[Path], tuple[Document, ...]]
):
    write(tmp_path / "file")
    (found,) = read(tmp_path / "file")
    assert found.lines == (
        *("Buses", "A ticket costs 48 crowns.", "It is sold on board.", "Fares", "Fare; Crowns"),
        *("Fare: Adults; Crowns: 48", "Fare: Dogs", "Dogs", "Dogs are free."),
    )
    expected = {3: "Fares", 7: "Fares – Dogs"}
    if read is read_odt:  # whose file here has another title
        expected = {0: "Buses"} | {at: f"Buses – {name}" for at, name in expected.items()}
    sections = dict(sections_in(found))
    assert {at: name for at, name in sections.items() if name} == expected


def test_formats_that_mark_none_are_told_by_their_looks(tmp_path):
    (tmp_path / "a.txt").write_text(f"Fares of the line\n\nAdults\n\n{BODY}\n")
    rtf = rf"{{\rtf1 Fares of the line\par Adults\par {BODY}\par}}"
    (tmp_path / "a.rtf").write_text(rtf)
    (text,) = read_text_file(tmp_path / "a.txt")
    (rich,) = read_rtf(tmp_path / "a.rtf")
    assert isinstance(rich, Document)
    assert names(text) == names(rich) == ["Adults"]


def test_a_signature_is_no_heading_of_the_mail_quoted_below_it():
    own = document("He wrote back.", "Jonas", BODY)
    assert names(own) == ["Jonas"]
    quoted = ((2, "Mikkel Storr"), (3, "Mikkel Storr"))
    assert names(document("He wrote back.", "Jonas", BODY, quoted=quoted)) == []


def test_hard_lines_of_a_text_pasted_into_word_are_one_paragraph(tmp_path):
    text = (
        "Two carers and one nurse were on duty that night. The plan of the home asks for four, "
        "which had been met on one night in three. The manager had asked for leave to use agency "
        "workers and had been turned down by the head office, as it does every year. Fluids were "
        "recorded for only half of those who needed watching, and the fridge was too warm."
    )
    made = docx.Document()
    for line in ("Staffing", *textwrap.wrap(text, 48), "Food", "The kitchen was clean."):
        made.add_paragraph(line)
    made.save(str(tmp_path / "a.docx"))
    (found,) = read_docx(tmp_path / "a.docx")
    sentences = [f"{one.strip('.')}." for one in text.split(". ")]
    assert found.lines == ("Staffing", *sentences, "Food", "The kitchen was clean.")
    assert names(found) == ["Staffing", "Food"]


def test_a_list_of_long_items_in_word_stays_a_list(tmp_path):
    items = [f"more buses on line {n} by May, approx. 4 an hour" for n in range(20, 30)]
    made = docx.Document()
    for line in ("The council asks for", *items):
        made.add_paragraph(line)
    made.save(str(tmp_path / "a.docx"))
    (found,) = read_docx(tmp_path / "a.docx")
    assert found.lines == ("The council asks for", *items)


OWNED = (
    "The port has a crane.\n\nThe port does not own:\n\n- The ferry.\n- {}\n\nIt has two piers.\n"
)
LEAD = "The port does not own:"


def led_by(found: Document) -> dict[str, str]:
    page = Page("", found.lines, sections=with_leads(found, sections_in(found)))
    return {line: page.stands_under(at) for at, line in enumerate(found.lines)}


def word_list(file: Path) -> Document:
    document = docx.Document()
    for text, style in (("The port has a crane.", None), (LEAD, None), ("It has two piers.", None)):
        document.add_paragraph(text, style=style)
    for text in ("The ferry.", "The pier."):
        document.paragraphs[2].insert_paragraph_before(text, style="List Bullet")
    document.save(str(file))
    return read_docx(file)[0]


@pytest.mark.parametrize("ending", ["md", "txt", "html", "docx", "odt"])
def test_the_line_above_a_list_stands_above_its_items_and_nothing_else(tmp_path, ending):
    file = tmp_path / f"a.{ending}"
    items = "<text:list-item><text:p>The ferry.</text:p></text:list-item>"
    body = f"<text:p>The port has a crane.</text:p><text:p>{LEAD}</text:p>"
    body += f"<text:list>{items}</text:list><text:p>It has two piers.</text:p>"
    if ending == "docx":
        found = word_list(file)
    elif ending == "odt":
        (found,) = read_odt(write_odt(file, body))
    elif ending == "html":
        page = body.replace("text:list-item", "li").replace("text:list", "ul").replace("text:", "")
        file.write_text(f"<html><body><article>{page}</article></body></html>")
        found = next(iter(read_html(file)))
    else:
        file.write_text(OWNED.format("The pier."))
        found = next(iter({"md": read_markdown, "txt": read_text_file}[ending](file)))
    under = {line.lstrip("- "): lead for line, lead in led_by(found).items()}
    assert under["The ferry."] == LEAD
    assert {under[one] for one in ("The port has a crane.", LEAD, "It has two piers.")} == {""}


def test_a_line_above_a_list_within_a_list_or_a_table_is_read_with_those_above_it(tmp_path):
    file = tmp_path / "a.md"
    file.write_text(
        "# Port\n\n## Duties\n\nThe port has:\n\n- a crane\n- not for sale:\n    - a pier\n"
        "- a hall\n\n"
        "Costs in thousand crowns\n\n| Item | 2020 | 2021 |\n|---|---|---|\n"
        "| Roads | 5 | 6 |\n| Care | 7 | 8 |"
        "\n\nIt rained.\n"
    )
    (found,) = read_markdown(file)
    under = led_by(found)
    assert under["a crane"] == under["a hall"] == "Duties – The port has:"
    assert under["a pier"] == "Duties – The port has: – not for sale:"
    assert under["Item: Care; 2020: 7; 2021: 8"] == "Duties – Costs in thousand crowns"
    assert under["It rained."] == "Duties"


def test_short_lines_below_a_line_that_leads_them_are_under_it_up_to_a_sentence():
    found = document(
        "They voted against:",
        "Ola Berg",
        "Kari Lund",
        "They voted for:",
        "Per Dahl",
        "It rained.",
        "End",
    )
    assert led_by(found) == {
        **dict.fromkeys(("Ola Berg", "Kari Lund"), "They voted against:"),
        **dict.fromkeys(("They voted against:", "They voted for:", "It rained.", "End"), ""),
        "Per Dahl": "They voted for:",
    }


HISTORY = ("1856", "First lit, with an oil lamp", "May 1902–05:", "Raised", "1944", "Blown up")


def test_years_on_their_own_head_what_follows_them():
    assert led_by(document(*HISTORY)) == {
        **dict.fromkeys(HISTORY[::2], ""),
        **dict(zip(HISTORY[1::2], HISTORY[::2], strict=True)),
    }


@pytest.mark.parametrize("lines", [HISTORY[:4], ("2019", "2020", "2021", "It rained.")])
def test_two_years_or_a_column_of_them_head_nothing(lines):
    assert not {"1856", "2021"} & {*led_by(document(*lines)).values()}


def test_items_of_a_list_are_no_headings(tmp_path):
    file = tmp_path / "a.md"
    file.write_text("The list is long.\n\n1. Ola Berg\n2. Kari Lund\n\nIt rained on Monday.\n")
    (found,) = read_markdown(file)
    assert sections_in(found) == ()


def test_a_level_that_word_does_not_have_takes_no_memory():
    assert [*labels([Numbered("p", None, 10**8 - 2, None, False)])] == [("p", ITEM * 9)]


def test_a_caption_of_word_stands_above_the_table_that_follows_it(tmp_path):
    made = docx.Document()
    for caption in ("", "Table 1: Costs"):
        if caption:
            made.add_paragraph(caption, style="Caption")
        table = made.add_table(2, 2)
        for cell, text in zip(table._cells, ("Item", "2020", caption or "Rain", "5"), strict=True):
            cell.text = text
    made.save(str(tmp_path / "a.docx"))
    lines = read_docx(tmp_path / "a.docx")[0].lines
    assert lines.index("Table 1: Costs") == 2


def test_a_printed_mail_is_titled_by_its_subject_and_a_log_by_nothing():
    mail = document("From: Press Office", "Sent: 14 May 2024 09:12", "Subject: Pool costs", BODY)
    log = document("2024-05-14 09:12:33 Pump 3 started", "2024-05-14 09:13:20 Pump 3 stopped")
    assert (title_in(mail), title_in(log)) == ("Pool costs", "")


def test_boxes_of_mkdocs_and_states_of_org_are_told_from_their_text(tmp_path):
    (tmp_path / "a.md").write_text(
        '# Permits\n\n!!! note "Older rules"\n    The fee was 40 crowns.\n\n    It was paid '
        "in cash.\n\n??? warning\n    Dogs stay out.\n\nThe fee is 60 crowns.\n"
    )
    (found,) = read_markdown(tmp_path / "a.md")
    assert found.lines == (
        *("Permits", "Older rules:", "The fee was 40 crowns.", "It was paid in cash."),
        *("Dogs stay out.", "The fee is 60 crowns."),
    )
    (tmp_path / "a.org").write_text("* DONE Build it\nIt is old.\n* TODO Sell it\nIt is new.\n")
    (found,) = read_org(tmp_path / "a.org")
    assert found.lines == ("Done: Build it", "It is old.", "To do: Sell it", "It is new.")
    (tmp_path / "a.org").write_text("#+TODO: TODO WAITING | CANCELED\n* CANCELED A\n* WAITING B\n")
    (found,) = read_org(tmp_path / "a.org")
    assert found.lines == ("Canceled: A", "Waiting: B")
    (tmp_path / "b.md").write_text(
        "The bill was [paid in full]{.done} on <i class='todo'>May</i> 3."
    )
    (found,) = read_markdown(tmp_path / "b.md")
    assert found.lines == ("The bill was paid in full on May 3.",)
    assert not markup._BOX.search("!!! a" + " " * 10**5 + "?")  # in a moment


def test_who_wrote_an_article_heads_nothing_in_other_languages_too(tmp_path):
    (tmp_path / "a.txt").write_text("Ferry sold\n\nVon Ann Berg\n\nSie fuhr nie wieder.\n")
    (found,) = read_text_file(tmp_path / "a.txt")
    assert found.lines[1] == "Von Ann Berg"
    assert not sections_in(found)
