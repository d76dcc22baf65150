"""Files of kinds that readers of documents get wrong, with what a person reads in them."""

from __future__ import annotations

import datetime as dt
import gzip
import subprocess
import time
import zipfile
from email.message import EmailMessage
from pathlib import Path

import pytest
from docx import Document as WordFile
from fpdf import FPDF
from openpyxl import Workbook
from openpyxl.cell.rich_text import CellRichText, TextBlock
from openpyxl.cell.text import InlineFont
from openpyxl.styles import Font

from tests.support.packed_documents import write_epub, write_odt, write_zip
from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.headings import sections_in
from uhhrag.documents.pandoc.program import command
from uhhrag.documents.sheets.cell_format import shown
from uhhrag.documents.web.article import shown_runs
from uhhrag.documents.web.marks import marked_runs
from uhhrag.documents.web.tree import html_tree

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def read(file: Path, content: str | bytes | None = None) -> list[Document | str]:
    if content is not None:
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return [*imported(FORMATS[kind_of(file)].reader)(file)]


def lines(file: Path, content: str | bytes | None = None) -> tuple[str, ...]:
    found = [one for one in read(file, content) if isinstance(one, Document)]
    return tuple(line for one in found for line in one.lines)


BODY = "".join(
    f"<p>The harbour lies at the mouth of the river and has been used since {year}, they say.</p>"
    for year in range(1800, 1804)
)


@pytest.mark.parametrize(
    ("html", "read_as"),
    [
        (
            "<p>On <time>3 May 2019</time> it was <data>not</data> sold.</p>",
            ["On 3 May 2019 it was not sold."],
        ),
        ("<p>He said <q>It is not sold.</q></p>", ["He said “It is not sold.”"]),
        (
            "<blockquote>It is not sold.<footer>Ines Calder, mayor</footer></blockquote>",
            ["It is not sold.", "Ines Calder, mayor"],
        ),
        (
            "<p>About <math><mfrac><mn>1</mn><mn>2</mn></mfrac></math> of them.</p>",
            ["About 1/2 of them."],
        ),
        ("<p>The un&shy;lawful n&#8203;ot &amp;pound;5.</p>", ["The unlawful not £5."]),
        (
            "<p><label><input type=checkbox checked> Dogs</label> "
            "<label><input type=checkbox> Cats</label></p>",
            ["☒ Dogs"],
        ),
        (
            "<dl><dt>Fare</dt><dd>35 crowns.</dd><dt>Is it open?</dt><dd>It is.</dd></dl>",
            ["Fare: 35 crowns.", "Is it open?", "It is."],
        ),
        ("<pre>The toll was 5\nin 1999.</pre>", ["The toll was 5 in 1999."]),
        ("<p>Berth 5<br>Quay Road</p>", ["Berth 5", "Quay Road"]),
        (
            "<h3><button>Was it sold?</button></h3><p>No, it was never sold.</p>",
            ["Was it sold?", "No, it was never sold."],
        ),
        (
            "<footer><p>He never said so, says the paper.</p></footer>",
            ["He never said so, says the paper."],
        ),
        ("<p>It goes on<iframe>no</iframe><audio>no</audio>.</p>", ["It goes on."]),
        ("<p>It was <span aria-hidden=true>not</span> sold.</p>", ["It was not sold."]),
        (
            "<ol><li>It is shut.</li><li value=9>It is open.</li></ol>"
            "<ol reversed><li>Ost.</li><li>Vik.</li></ol>",
            ["1. It is shut.", "9. It is open.", "2. Ost.", "1. Vik."],
        ),
        (
            "<p>State: <select><option>Open<option selected>Shut</select> <input value='5 kr'> "
            "<textarea>It is closed.</textarea></p>",
            ["State: Shut 5 kr It is closed."],
        ),
        ("<p>State: <select><option>Open<option>Shut</select> now.</p>", ["State: Open now."]),
        *(
            (f"<p style='{style}'>It is shut.</p><p>It is open now.</p>", ["It is open now."])
            for style in (
                *("color:white", "color: #FFF", "color:transparent", "color:rgb(255, 255,255)"),
                *("height:0;overflow:hidden", "overflow:hidden; width:0px", "font:0/0 a"),
                *("clip:rect(0,0,0,0)", "clip-path: inset(50%)", "transform:scale(0)"),
            )
        ),
        (
            "<style>.d{background-color:navy}.w{color:#ffffff}.s{max-height:0;overflow:hidden}"
            "</style><p class=w>Shut.</p><div class=d><p class=w>It is open now.</p></div>"
            "<p><font color=white>Shut.</font></p><p class=s>Shut.</p><table bgcolor=#000080><tr>"
            "<td><font color=#fff>It is not sold.</font></table>",
            ["It is open now.", "It is not sold."],
        ),
        (
            "<link rel=stylesheet href=lost.css><p style='color:#fff'>It is open now.</p>"
            "<div style='font:0/0 a'><p style='font-size:9pt'>It is not sold.</p></div>",
            ["It is open now.", "It is not sold."],
        ),
        (
            "<table><tr><th>Town</th><th>Pool</th></tr><tr><td>Ost</td><td><img src=a alt=No></td>"
            "</tr><tr><td>Vik</td><td><img src=b alt='✅'> 5</td></tr></table>",
            ["Town; Pool", "Town: Ost; Pool: No", "Town: Vik; Pool: ✅ 5"],
        ),
        (
            "<table><tr><th rowspan=2>Route</th><th colspan=2>Fare</th></tr><tr><th>2018</th>"
            "<th>2019</th></tr><tr><td>Lunde | Ost</td><td>30</td><td>35</td></tr></table>",
            [
                "Route; Fare – 2018; Fare – 2019",
                "Route: Lunde | Ost; Fare – 2018: 30; Fare – 2019: 35",
            ],
        ),
        (
            "<table><tr><td>Town</td><td>Fee</td></tr><tr><td rowspan=2>Lunde</td><td>-1</td></tr>"
            "<tr><td>-2</td></tr></table>",
            ["Town; Fee", "Town: Lunde; Fee: -1", "Town: Lunde; Fee: -2"],
        ),
        (
            "<style>.a > .b, div.c p {display:none}</style><div class=a><p class=b>It is shut.</p>"
            "</div><div class=c><p>It is shut.</p></div><p style='left:-9999px'>Shut.</p>"
            "<p>It is open now.</p>",
            ["It is open now."],
        ),
        (
            "<style>.tabs>.pane{display:none}.tabs>.active{display:block}.fade{opacity:0}"
            ".fade.show{opacity:1}</style><div class=tabs><p class=pane>Shut.</p><p class='pane "
            "active'>It is open now.</p></div><p class=fade>Shut.</p><p class='fade show'>It is "
            "not sold.</p>",
            ["It is open now.", "It is not sold."],
        ),
        (
            "<style>.hide{display:none}#own{display:block}p.low{display:none}</style>"
            "<p class=hide style='color:red'>Shut.</p><p class=hide style='display:block'>It is "
            "open now.</p><p class=low>Shut.</p><p class=low id=own>It is not sold.</p>",
            ["It is open now.", "It is not sold."],
        ),
        (
            '<style>@charset "utf-8";.low{display:none!important}@media (min-width:9px){'
            ".md\\:block{display:block!important}}@media print{.paper{display:block}}</style>"
            "<p class='low md:block'>It is open now.</p>"
            "<p class='low paper'>Shut.</p>",
            ["It is open now."],
        ),
        (
            "<style>.a>.b{display:none}.off{visibility:hidden}.off .on{visibility:visible}</style>"
            "<div class=a><p class=b>Shut.</p><div><p class=b>It is open now.</p></div></div>"
            "<div class=off><p class=on>It is not sold.</p></div><p class=off>Shut.</p>",
            ["It is open now.", "It is not sold."],
        ),
        (
            "<style>@layer base, u;@layer u{.low{display:none}@supports (display:grid){"
            ".off{display:none}@media print{p{display:none}}}@keyframes x{from{top:0}}}"
            "@supports not (display:grid){.on{display:none}}.b{display:none}</style>"
            "<p class=low>Shut.</p><p class=off>Shut.</p><p class=b>Shut.</p>"
            "<p class=on>It is not sold.</p>",
            ["It is not sold."],
        ),
        (
            '<script type=\'application/ld+json\'>{"a": "It is sold."}</script>'
            "<p>It is not sold, they say.</p>",
            ["It is not sold, they say."],
        ),
        (
            "<style>.tip{opacity:0;transform:translate(9px);pointer-events:none}</style><p "
            "style='opacity:0;transform:translateY(20px)'>The toll is 5.</p><p class=tip>Shut.</p>",
            ["The toll is 5."],
        ),
        ("<p {{ng}}='a' {b>It is not sold, they say.</p>", ["It is not sold, they say."]),
        ("<div hidden=until-found><p>The toll is 5 crowns.</p></div>", ["The toll is 5 crowns."]),
        (
            "<div><template shadowrootmode=open><p>It is not sold, they say.</p></template></div>",
            ["It is not sold, they say."],
        ),
        (
            "<p>Some <span style='display:none'><math><msup><mn>10</mn><mn>6</mn></msup></math>"
            "</span><img alt=x aria-hidden=true> of them.</p>",
            ["Some 10^6 of them."],
        ),
        (
            "<style>.up{vertical-align:super}</style><p>Some 10<span style='font-size:.6em;"
            "vertical-align: super'>6</span> of CO<font style='vertical-align:sub'>2</font> in "
            "2019<sup><span class=up>4</span></sup>, 10<span class=up>3</span> of them.</p>",
            ["Some 10^6 of CO2 in 2019, 10^3 of them."],
        ),
        (
            "<details><summary>Is it open?</summary>Yes, now.</details>",
            ["Is it open?", "Yes, now."],
        ),
        (
            "<dl><dd>It is not sold, they say.</dd></dl><h2>Fares <span class=mw-editsection>[<a "
            "href=x>edit</a>]</span></h2><p>It is not sold, says the town.</p>",
            ["It is not sold, they say.", "Fares", "It is not sold, says the town."],
        ),
        (
            "<dl><p>It is not sold, they say.</p><dt>Fare</dt><dd>35 crowns.</dd></dl>",
            ["It is not sold, they say.", "Fare", "35 crowns."],
        ),
        (
            "<h2><div>Fares</div><a href=x>In May<br>And June</a></h2><p>It is not sold, they say."
            "</p>",
            ["Fares In May And June", "It is not sold, they say."],
        ),
        (
            "<div><span class=a>Ships</span><span class=b>14</span></div><div><span>Depth</span>"
            "<span>7.2 m</span></div><p><b class=k>Claim</b><i>It is sold.</i></p><p><span>un"
            "</span><span>sold at 3</span><span>5.</span></p><style>.l{display:block}</style>"
            "<p><span class=l>Opened in 1801</span><span class=l>Closed in 1987</span></p>",
            [
                *("Ships 14", "Depth 7.2 m", "Claim: It is sold.", "unsold at 35."),
                *("Opened in 1801", "Closed in 1987"),
            ],
        ),
        (
            "<table><tr><th>Route</th><th>Fare<br>(crowns)</th></tr><tr><td>Lunde<br>via Ost</td>"
            "<td>5</td></tr><tr><td>Holm</td><td><p>7</p><p>(9 in May)</p></td></tr></table>",
            [
                "Route; Fare (crowns)",
                *(
                    "Route: Lunde via Ost; Fare (crowns): 5",
                    "Route: Holm; Fare (crowns): 7 (9 in May)",
                ),
            ],
        ),
        (
            "<div role=table><div role=row><span role=columnheader>Year</span><span "
            "role=columnheader>Ships</span></div><div role=row><span role=cell>2019</span><span "
            "role=cell>14</span></div></div>",
            ["Year; Ships", "Year: 2019; Ships: 14"],
        ),
        (
            "<h3><button aria-expanded=false aria-controls=a>Is it open?</button></h3><div id=a "
            "hidden><p>It is open now.</p></div><h3><button data-bs-toggle=collapse>Is it deep?"
            "</button></h3><div aria-hidden=true style='display:none'><p>It is not.</p></div>",
            ["Is it open?", "It is open now.", "Is it deep?", "It is not."],
        ),
        (
            "<table><tr><td>Lunde<table><tr><td>Fee<td>5</table></td></tr></table>",
            ["Lunde", "Fee | 5"],
        ),
        (
            "<p>It had 52<a class=footnote-anchor href='https://a.example/#n-1'>1</a> boats.</p>"
            "<p><a class=footnote-number href='https://a.example/#n'>1</a> Counted.</p>",
            ["It had 52 boats.", "Counted."],
        ),
        (
            "<ol start=5><li>The toll is raised.</li><li>It was sold. <a href=#a>↩</a></li></ol>",
            ["5. The toll is raised.", "6. It was sold."],
        ),
        (
            "<p>He said “it was sold to the county.”<a href=#n1>[1]</a> Nobody else has said so.<a "
            "href=#n2><b>[2]</b></a> See <a href=#l>[3]</a>.</p>",
            ["He said “it was sold to the county.”", "Nobody else has said so.", "See [3]."],
        ),
        (
            "<p>Our rating: <img alt='Mostly False'> <img alt='Rated false'></p><p>Safety "
            "<span role=img aria-label="
            "'3 out of 5 stars'></span><img alt='A ship'></p>",
            ["Our rating: Mostly False Rated false", "Safety 3 out of 5 stars"],
        ),
        (
            "<p>The quay<span role=tooltip>A place for ships</span> was sold.</p>",
            ["The quay was sold."],
        ),
        (
            "<aside><p>Length: 240 metres</p><p><a href=/>Boats: 5 articles</a></p></aside>"
            "<p>The quay was not sold to anybody in that year.</p>",
            ["Length: 240 metres", "The quay was not sold to anybody in that year."],
        ),
        (
            "<div><span>13.40</span><p>The ferry did not sail from Lunde on that day.</p></div>",
            ["13.40", "The ferry did not sail from Lunde on that day."],
        ),
        (
            "<style>.n::before{content:'not '}.c:after{content:' \\20AC';display:block}.o::before{"
            "content:'»'}.i::before{content:'home';font-family:Icons}.u::before{content:url('a.png')"
            "counter(x)}.h::after{content:'Shut.';opacity:0}.a::before{content:attr(data-a)': '}"
            "@media print{.n::after{content:'never'}}</style><p class=o>It was <b class=n></b>sold "
            "for <b class=c>5</b>, <i class=i></i>they say.<span class='u h'> So it is.</span></p>"
            "<p class=a data-a=False>The ferry sank.</p>",
            [
                *("It was not sold for 5 €, they say.", "So it is."),
                "False: The ferry sank.",
            ],
        ),
        *(
            (
                "<table><tr><td colspan=4>Form</td></tr>"
                f"<tr>{name}Name{end}<td>Berg</td>{name}Born{end}<td>1961</td></tr><tr>"
                f"{name}Decided{end}<td>Refused</td>{name}On{end}<td>3 May</td></tr></table>",
                ["Form", "Name: Berg", "Born: 1961", "Decided: Refused", "On: 3 May"],
            )
            for name, end in (("<th>", "</th>"), ("<td>", "</td>"), ("<td><b>", "</b></td>"))
        ),
        (
            "<table><tr><td>Town</td><td>Mayor</td><td>Party</td><td>Since</td></tr><tr><td>Lunde"
            "</td><td>Berg</td><td>Liberal</td><td>2019</td></tr></table>",
            [
                "Town; Mayor; Party; Since",
                "Town: Lunde; Mayor: Berg; Party: Liberal; Since: 2019",
            ],
        ),
        (
            "<style>.v{position:absolute;left:-999px}</style><p>It costs <span class=v>5 per cent"
            "</span><span aria-hidden=true>5%</span> of it, say <a href=x>they<span "
            "aria-hidden=true>↗</span><span class=v>opens anew</span></a> in the town.</p>",
            ["It costs 5 per cent of it, say they in the town."],
        ),
        (
            "<p style='margin-left:141.75pt;text-indent:-141.75pt'>It is open now.</p><div><span "
            "class=cap>T</span><span class=text>he toll is 5.</span></div><div><span "
            "class=n>5</span><span class=unit>km to Vik.</span></div>",
            ["It is open now.", "The toll is 5.", "5 km to Vik."],
        ),
        (
            "<style>.pane{display:none}.on{display:block}input:checked~p{display:block}</style>"
            "<ul><li><a data-toggle=tab href='#a'>Fee</a><li><a data-toggle=tab href='#b'>Depth</a>"
            "</ul><div class='pane on' id=a><p>It is open.</p></div><div class=pane id=b><p>It is "
            "deep.</p></div><div><input type=checkbox id=c><label for=c>Was it sold to him?</label>"
            "<p class=pane>It is not sold.</p></div>",
            [
                *("Fee", "It is open.", "Depth", "It is deep."),
                *("☐ Was it sold to him?", "It is not sold."),
            ],
        ),
        (
            "<div><div><div>41,000</div><div>boats in 2019</div></div><div><h3>€2.4m</h3><p>paid"
            "</p></div><div><div>2018</div><div>140</div></div></div><div><p>12 %</p><p>It is open "
            "now.</p></div><div><div>1</div><div>Fill it in</div></div><div><div>14</div><div>May"
            "</div></div><div><h3>Fees</h3><p>14.05.2024</p></div>",
            [
                *("boats in 2019: 41,000", "paid: €2.4m", "2018: 140", "12 %", "It is open now."),
                *("1", "Fill it in", "14", "May", "Fees", "14.05.2024"),
            ],
        ),
        (
            "<table><tr><th></th><th>Rate</th></tr><tr><td>$<td>10.5</tr><tr><td>€<td>11.4</tr>"
            "</table>",
            ["Rate", "$; Rate: 10.5", "€; Rate: 11.4"],
        ),
        (
            "<table><tr><td>Rating<td>True</tr><tr><td>Checked<td>3 May</tr><tr><td>By<td>Ann Lie"
            "</tr></table>",
            ["Rating: True", "Checked: 3 May", "By: Ann Lie"],
        ),
        (
            "<table><tr><td><td><td colspan=2>2023<td><td><td colspan=2>2022<td></tr><tr><td>Sales"
            "<td><td>$<td>1,234<td><td><td>$<td>1,100<td></tr><tr><td>Loss<td><td><td>(12<td>)"
            "<td><td><td>(9<td>)</tr></table>",
            ["2023; 2022", "Sales; 2023: $1,234; 2022: $1,100", "Loss; 2023: (12); 2022: (9)"],
        ),
        (
            "<table><tr><th colspan=2>People (2019)</tr><tr><th>• Total<td>41,000</tr><tr><th>Area"
            "<td>340 km<sup>2</sup></tr><tr><th>• Land<td>300</tr></table>",
            ["People (2019)", "People (2019) – Total: 41,000", "Area: 340 km^2", "Land: 300"],
        ),
        (
            "<div><button aria-expanded=false aria-controls=a>Is it open?</button><button "
            "aria-expanded=false>Menu</button><div id=a hidden><p>It is open now.</p></div></div>",
            ["Is it open?", "It is open now."],
        ),
        (
            "<table><tr><th><th>All<th colspan=2>Age<tr><th><th><th>0-17<th>18+<tr><td>Yes<td>52%"
            "<td>50%<td>54%<tr><td>No<td>48%<td>50%<td>46%</table>",
            [
                "All; Age – 0-17; Age – 18+",
                "Yes; All: 52%; Age – 0-17: 50%; Age – 18+: 54%",
                "No; All: 48%; Age – 0-17: 50%; Age – 18+: 46%",
            ],
        ),
        (
            "<table><tr><th>Team<th colspan=2>Matches<tr><td>Vik<td>2-1<td>0-3</table>",
            ["Team; Matches", "Team: Vik; Matches: 2-1; 0-3"],
        ),
        (
            "<h3><button>Is it free?</button></h3><div style='display:none'>It is free.</div>"
            "<div role=tabpanel hidden><p>It was sold.</p></div><div hidden>It was not.</div>",
            ["Is it free?", "It is free.", "It was sold."],
        ),
        (
            "<style>.c,.off{display:none}.in{opacity:0;transition:opacity 1s}"
            ".tip{position:absolute;opacity:0;transition:opacity 1s}</style><p class=tip>A tip.</p>"
            "<button onclick=\"tab(event, '#t')\" class=tab>In 2023</button><div id=t class=c><p>"
            "It is 5.</p></div><button class=accordion>Groups</button><div class=off>They are free."
            "</div><p class=in>It is not sold.</p><button onclick='buy()'>Buy</button>"
            "<p>It is open.</p>",
            ["In 2023", "It is 5.", "Groups", "They are free.", "It is not sold.", "It is open."],
        ),
        (
            "<dl><dt>Wi-Fi<dd><i title=No></i><dt>Owners<dd>Berg</dd><dd>Lie</dl><div><p>−4 %</p>"
            "<p>against 2022</p></div><p>So it is.</p>",
            ["Wi-Fi: No", "Owners: Berg", "Owners: Lie", "against 2022: −4 %", "So it is."],
        ),
        (
            "<dl><div><dt>Opened<dd>1974</dd><dd><a href=x>Change</a></div><div><dt>Owner<dd>Berg"
            "</div></dl><p>It is open.</p><section class=footnotes><ol><li>It was not sold.<a "
            "href=#a>↩</a></ol></section>",
            ["Opened: 1974", "Opened: Change", "Owner: Berg", "It is open.", "It was not sold."],
        ),
        (
            "<p>It has 120<a id=a href=#b>1</a> cars<sup>: 45–7</sup>.</p><p><a id=b href=#a>1</a>"
            "In 2019 it had <a href=#c>3</a>.</p>",
            ["It has 120 cars.", "In 2019 it had 3."],
        ),
        (
            "<p><span class=n>(a)</span><span class=t>a boat <a class=LegCommentaryLink href=#c>F1"
            "</a>is free <img alt='Rating: Mixture'></span></p><table><tr><td>(b)<td>It is not "
            "sold.</table><p>It is open.",
            ["(a) a boat is free Rating: Mixture", "(b) It is not sold.", "It is open."],
        ),
        (
            "<div class=infobar><h3>Facts</h3><p>It is not sold.</p></div><figure><blockquote><p>"
            "It is lost.</p></blockquote></figure><p>So it is said.</p><div>So it is not.</div>",
            ["Facts", "It is not sold.", "It is lost.", "So it is said.", "So it is not."],
        ),
    ],
)
def test_an_article_keeps_every_word_that_is_seen(tmp_path, html, read_as):
    page = f"<html><body><article><h1>Harbour</h1>{BODY}{html}</article></body></html>"
    assert list(lines(tmp_path / "a.html", page)[5:]) == read_as


def test_a_page_within_one_form_keeps_its_headings_and_lists(tmp_path):
    listed = "<h2>Fees</h2><ul><li>Small boats: 35 crowns</li></ul>"
    page = f"<form id=aspnetForm><h1>Harbour</h1>{BODY}{listed}{BODY}</form>"
    found = lines(tmp_path / "a.html", f"<html><body>{page}</body></html>")
    at = found.index("Fees")
    assert found[at + 1] == "Small boats: 35 crowns"


def test_boxes_and_tables_within_an_article_belong_to_it_and_linked_teasers_do_not(tmp_path):
    boxes = (
        "<div class=rating><p>Our rating: it is false.</p></div><div class=wrap><table><tr><th>Town"
        "</th><th>Seats</th></tr><tr><td><a href=x>Lunde</a></td><td>4</td></tr></table></div>"
        "<div><a href=y><h3>Storm</h3><p>The ferry sank in the storm.</p></a></div>"
        "<p><b>Read also:</b> <a href=z>Storm sank ferry</a></p>"
        "<p><a href=z>See how it works: the ferry carries 40 cars and runs each hour.</a></p>"
    )
    page = f"<article><h1>Harbour</h1>{BODY}{boxes}{BODY}</article>"
    found = lines(tmp_path / "a.html", f"<html><body>{page}</body></html>")
    assert "Our rating: it is false." in found
    assert "Town: Lunde; Seats: 4" in found
    assert any("See how it works" in line for line in found)
    assert not any("sank" in line or "Storm" in line for line in found)


def test_a_newsletters_box_and_a_linked_title_within_an_article_are_left_out(tmp_path):
    said = (
        "The bridge was closed for repairs in May and opened again in the first week of June.",
        "About forty people came to the opening, and the mayor cut the ribbon in front of them.",
        "The work had cost more than was planned, and the county paid the rest in the autumn.",
    )
    first, second, third = (f"<p>{one}</p>" for one in said)
    box = "<div class=newsletter><p>Sign up here.</p><p>You can stop it at any time.</p></div>"
    linked = "<div class=x><h3><a href=y>Storm sinks ferry off the coast of Vik</a></h3></div>"
    page = f"{first}{box}{second}{linked}<div class=part>{third}</div>"
    page = f"<main><article><h1>Bridge</h1><div class=text>{page}</div></article></main>"
    assert lines(tmp_path / "a.html", f"<html><body>{page}</body></html>") == ("Bridge", *said)


def test_who_speaks_is_named_above_each_speech_and_the_author_is_not(tmp_path):
    speech = "<div class=speaker><a href=x><p>{}</p><p>(Vik)</p></a></div><p>It was {}.</p>"
    page = f"<main><h1>Ferry</h1>{{}}{BODY}</main>"
    both = speech.format("Ines Calder", "not sold in May") + speech.format("Per Lie", "sold in May")
    found = lines(tmp_path / "a.html", page.format(both))
    assert found[:7] == (
        *("Ferry", "Ines Calder", "(Vik)", "It was not sold in May.", "Per Lie", "(Vik)"),
        "It was sold in May.",
    )
    one = "<div class=author><a href=x>Ines Calder</a></div>"
    assert lines(tmp_path / "a.html", page.format(one))[1].startswith("The harbour")


def test_a_line_between_title_and_text_is_read_though_its_class_is_a_boxs(tmp_path):
    page = f"<main><h1>Ferry</h1><div class=meta>17 May 2022 | Press office</div>{BODY}</main>"
    assert "17 May 2022 | Press office" in lines(tmp_path / "a.html", page)


def test_comments_of_readers_are_not_the_articles(tmp_path):
    for how in ("class=fb-comments", "aria-label=Comments", "id=commentlist"):
        page = f"<main><h1>Ferry</h1>{BODY}<div {how}><p>It sank, my aunt says to me.</p></div>"
        assert not any("aunt" in line for line in lines(tmp_path / "a.html", page))


def test_posts_of_a_forum_are_read_in_the_elements_that_they_stand_in(tmp_path):
    posts = "".join(
        f"<div class=post><h3><a href=#{n}>Re: Ferry</a></h3><p class=author>on 3 May 2019 by user "
        f"{n}</p><div class=content>The ferry did not sail on day {n} of May.</div></div>"
        for n in range(9)
    )
    found = lines(tmp_path / "a.html", f"<body><h2>Ferry</h2>{posts}</body>")
    assert "The ferry did not sail on day 8 of May." in found


@pytest.mark.parametrize(("kind", "author"), [("QAPage", ""), ("WebPage", "Ann Lie")])
def test_answers_are_not_the_askers_words(tmp_path, kind, author):
    about = f'<meta name=author content="Ann Lie"><script>{{"@type": "{kind}"}}</script>'
    page = f"<html><head>{about}</head><body><main><h1>Is it open?</h1>{BODY}</main></body></html>"
    (found,) = read(tmp_path / "a.html", page)
    assert isinstance(found, Document)
    assert found.author == author


def test_sentences_beside_blocks_and_long_ones_alone_in_a_div_are_read(tmp_path):
    long = "The ferry of Lunde did not sail in May, for there was ice on the fjord; it lay at Vik"
    items = (f"<li><div><div>{long} for {n} days.</div></div></li>" for n in range(3))
    loose = "<div><div><b>Box</b></div>It was sold to the county in May.<p>So it is.</p></div>"
    page = f"<body><h1>Ferry</h1>{BODY}<ol>{''.join(items)}</ol>{loose}{BODY}</body>"
    found = lines(tmp_path / "a.html", page)
    assert {f"{long} for {n} days." for n in range(3)} < {*found}
    assert "It was sold to the county in May." in found


def test_a_loose_sentence_below_an_article_is_that_of_a_notice(tmp_path):
    notice = "The Lunde Times needs the help of its readers, who may give it a crown a day."
    box = f"<div class=x><div class=help>{notice}<div>Give</div></div></div>"
    found = lines(tmp_path / "a.html", f"<body><h1>Ferry</h1>{BODY}{box}</body>")
    assert found[-1].endswith("since 1803, they say.")


def test_what_stands_beside_a_loose_sentence_is_read_too(tmp_path):
    long = "The trip to Vik is one that all who come to Lunde make, but it costs more than it did."
    box = f"<div class=box><div class=about>{long} So it is.</div><div>Trip 10 min</div></div>"
    found = lines(tmp_path / "a.html", f"<body><h1>Ferry</h1>{BODY}{box}{BODY}</body>")
    assert {long, "So it is.", "Trip 10 min"} < {*found}


def test_many_comments_take_time_in_proportion():
    said = "<div><b>Bo</b><div>It is so.</div></div>" * 5_000
    runs = marked_runs(html_tree(f"<h1>Ferry</h1>{BODY}<div id=comments>{said}</div>").find("body"))
    begun = time.process_time()
    assert sum(run.is_comment for run in runs) == 10_000
    assert time.process_time() - begun < 2


def test_the_lead_of_an_article_is_read_though_a_line_above_its_title_was_taken():
    lead = "<div>The ferry of Lunde was late.</div>"
    body = f"<p>Log in</p><div><h1>Ferry</h1><div>{lead}<h2>Old</h2>{BODY}</div></div>"
    runs = marked_runs(html_tree(f"<body>{body}</body>").find("body"))
    assert shown_runs(runs, {0, 1, *range(3, len(runs))}, set()) == {*range(len(runs))}


def test_a_page_of_one_author_has_no_names_of_speakers(tmp_path):
    share = "".join(f"<div>{one}</div>{BODY}" for one in ("Share it", "Print"))
    page = f"<body class='home single-author'><div>Menu</div><h1>Ferry</h1>{share}</body>"
    assert "Menu" not in lines(tmp_path / "a.html", page)


def test_a_step_and_its_text_are_no_name_and_value(tmp_path):
    boxes = (
        "<div><div class=number>1</div><h2 class=label>Come on board</h2></div>"
        "<div><h2 class=key-point>A long trip</h2><p class=data>It takes a day.</p></div>"
    )
    found = lines(tmp_path / "a.html", f"<main><h1>Ferry</h1>{BODY}{boxes}{BODY}</main>")
    assert {"Come on board", "A long trip", "It takes a day."} < {*found}


def test_classes_tell_a_name_from_its_value(tmp_path):
    boxes = "".join(
        f"<div><div class=fact__label>{name}</div><div class=fact__value>{value}</div></div>"
        for name, value in (("Built", "1974"), ("Owner", "Ost"))
    )
    found = lines(tmp_path / "a.html", f"<main><h1>Ferry</h1>{BODY}{boxes}{BODY}</main>")
    assert {"Built: 1974", "Owner: Ost"} < {*found}


def test_a_page_that_a_program_exported_is_read_whole(tmp_path):
    said = "<p>The ferry of Lunde was not sold to anybody in that year.</p>"
    page = (
        "<meta name=Generator content='LibreOffice 7.4 (Linux)'>"
        f"<body><header><h1>Ferry</h1></header>{said}<h2 id=a>Fares</h2><table><tr><th>Ticket"
        "<th>Price<tr><td>Adult<td>40<tr><td>Child<td>20</table><ul><li>Dogs ride free</ul></body>"
    )
    assert lines(tmp_path / "a.html", page) == (
        *("Ferry", "The ferry of Lunde was not sold to anybody in that year.", "Fares"),
        *("Ticket; Price", "Ticket: Adult; Price: 40", "Ticket: Child; Price: 20"),
        "Dogs ride free",
    )


def test_a_menu_without_links_is_no_text(tmp_path):
    menu = "<header><div class=logo>Lives</div><ul class=menu><li>Places<li>Donate</ul></header>"
    page = f"<title>Ferry</title><body>{menu}<main><h1>Ferry</h1>{BODY}</main></body>"
    assert "Donate" not in lines(tmp_path / "a.html", page)


def test_notes_of_a_page_saved_by_word_are_read_and_comments_of_google_are_not(tmp_path):
    note = "<div id=ftn1><p><a href='#_ftnref1' name='_ftn1'>[1]</a> It was not sold.</p></div>"
    comment = "<div><p><a href='#cmnt_ref1' id=cmnt1>[a]</a>Was it sold?</p><p>It was.</p></div>"
    page = f"<body><div>{BODY}</div><div>{note}</div>{comment}</body>"
    assert lines(tmp_path / "a.html", page)[4:] == ("It was not sold.",)


def test_key_points_belong_to_a_live_blog(tmp_path):
    points = "<h2>Key points</h2><ul><li>No ferry runs today</li><li>Two ships sank off Vik</li>"
    entries = "".join(f"<article><time>{n}.40</time>{BODY}</article>" for n in (21, 20))
    page = f"<main><h1>Storm</h1><p>The storm is over.</p><div>{points}</ul></div>{entries}</main>"
    found = lines(tmp_path / "a.html", f"<html><body>{page}</body></html>")
    assert {"Key points", "No ferry runs today", "Two ships sank off Vik"} < {*found}


def test_the_time_of_a_template_is_not_that_of_a_word_file(tmp_path):
    report = WordFile()
    report.add_paragraph("The pool does not leak.")
    report.core_properties.author = "Kari Moe"
    report.save(tmp_path / "a.docx")
    (found,) = read(tmp_path / "a.docx")
    assert (found.author, found.date) == ("Kari Moe", "")


def test_a_program_is_no_author(tmp_path):
    pdf = FPDF()
    pdf.set_author("(anonymous)")
    pdf.add_page()
    pdf.set_font("helvetica")
    pdf.multi_cell(0, text="The pool does not leak.")
    pdf.output(f"{tmp_path / 'a.pdf'}")
    (found,) = read(tmp_path / "a.pdf")
    assert (found.lines, found.author) == (("The pool does not leak.",), "")


def test_each_post_of_a_blog_stands_below_its_own_linked_title(tmp_path):
    posts = "".join(
        f"<div class=post><h2><a href=/x>{name}</a></h2><div class=entry><p>The {name} of Lunde "
        "was closed for repairs in May and opened again in June of that year.</p></div></div>"
        for name in ("Bridge", "Ferry")
    )
    page = f"<html><body><div id=main>{posts}</div></body></html>"
    (found,) = read(tmp_path / "a.html", page)
    assert [name for _, name in found.sections][-1] == "Ferry"


def test_an_article_behind_an_open_dialog_is_read(tmp_path):
    hidden = "<style>body{visibility:hidden}</style><body style='opacity:0'>"  # until scripts run
    page = f"{hidden}<div aria-hidden=true><main><h1>Harbour</h1>{BODY}</main></div><p>Cookies?</p>"
    assert lines(tmp_path / "a.html", page)[1].startswith("The harbour lies at the mouth")


def test_the_encoding_that_an_xhtml_page_declares_first_is_its_own(tmp_path):
    page = f"<?xml version='1.0' encoding='iso-8859-2'?><html><body>{BODY}<p>Łódź did not pay.</p>"
    assert lines(tmp_path / "a.xhtml", page.encode("iso-8859-2"))[-1] == "Łódź did not pay."


def test_a_list_between_paragraphs_and_a_lead_beside_the_title_belong_to_an_article(tmp_path):
    head = "<header><h1>Not sold</h1><p>The county denied that it had sold the bridge.</p></header>"
    listed = (
        "<p>These points were made by the council in May of that year.</p>"
        "<ul><li>It was not sold.</li></ul>"
    )
    page = f"<html><body>{head}<main>{BODY}{listed}{BODY}</main></body></html>"
    found = lines(tmp_path / "a.html", page)
    assert "The county denied that it had sold the bridge." in found
    assert "It was not sold." in found


def test_a_list_at_the_end_of_a_page_belongs_to_it_and_lists_of_links_do_not(tmp_path):
    own = "<ul><li>The county does not own:<ul><li>a ferry</li></ul></li><li>It owns one.</li></ul>"
    links = (
        "<ul><li><a href=x>The bridge of Lunde is sold</a></li><li><a href=y>Ferry</a></li></ul>"
    )
    page = f"<html><body><div><div>{BODY}{{}}</div></div></body></html>"
    ends = [lines(tmp_path / "a.html", page.format(one))[-3:] for one in (own, links)]
    assert ends[0] == ("The county does not own:", "a ferry", "It owns one.")
    assert not {"The bridge of Lunde is sold", "Ferry"} & {*ends[1]}


def test_terms_with_meanings_below_an_article_belong_to_it_and_a_boxs_do_not(tmp_path):
    asked = "<details><summary>Is it open?</summary><p>It is.</p></details>"
    terms = (
        "<dl><dt>Fee</dt><dd>5 crowns</dd></dl><dl class=related><dt>Ferry</dt><dd>Sold</dd></dl>"
    )
    found = lines(tmp_path / "a.html", f"<h1>Bridge</h1>{BODY}{asked}{terms}")
    assert found[-3:] == ("Is it open?", "It is.", "Fee: 5 crowns")


def test_the_claim_and_the_rating_above_a_fact_check_belong_to_it(tmp_path):
    box = (
        "<div class=social><h2>Claim:</h2><p>The bridge was sold in May.</p></div><div>"
        "<h2>Rating:</h2>False<div><a href=x>About ratings</a></div></div>"
    )
    page = f"<main><article><h1>Sold?</h1>{box}<div class=article-content>{BODY}</div></article>"
    (found,) = read(tmp_path / "a.html", f"<html><body>{page}</main></body></html>")
    assert found.lines[:5] == (
        *("Sold?", "Claim:", "The bridge was sold in May.", "Rating:", "False"),
    )


def test_times_and_headings_of_a_live_blog_are_read(tmp_path):
    posts = "".join(
        f"<article><header><time>{hour}:40</time><h2>Storm in {town}</h2></header><p>The ferry to "
        f"{town} has not sailed since noon, the company says.</p></article>"
        for hour, town in ((12, "Lunde"), (11, "Holm"))
    )
    page = f"<html><body><main><h1>Storm</h1>{posts}</main></body></html>"
    found = lines(tmp_path / "a.html", page)
    assert [one for one in found if len(one) < 20][-4:] == [
        *("12:40", "Storm in Lunde", "11:40", "Storm in Holm"),
    ]


def test_an_article_that_only_programs_are_given_is_read_and_said(tmp_path):
    body = "The bridge was not sold.\\n&lt;p&gt;It costs &quot;5&quot; crowns.&lt;/p&gt;"
    data = f'{{"@type": "NewsArticle", "headline": "Bridge", "articleBody": "{body}"}}'
    head = f"<head><title>Bridge</title><script type='application/ld+json'>{data}</script></head>"
    (found,) = read(tmp_path / "a.html", f"<html>{head}<body><p>Loading</p></body></html>")
    assert found.lines == ("The bridge was not sold.", 'It costs "5" crowns.')
    assert found.note == "from the data of the page, which shows less"


@pytest.mark.slow
def test_a_page_of_very_many_paragraphs_is_read_whole(tmp_path):
    many = "".join(f"<p>The pier was not built in {year}.</p>" for year in range(20_001))
    found = lines(tmp_path / "a.html", f"<nav><p>Home is here.</p></nav><main>{many}</main>")
    assert len(found) == 20_001
    assert found[-1] == "The pier was not built in 20000."


def test_the_day_on_which_a_page_says_it_was_published_is_its_date(tmp_path):
    head = (
        "<meta property='article:modified_time' content='2021-01-02'><script type="
        '\'application/ld+json\'>{"datePublished": "2020-05-04T10:00:00Z"}</script>'
    )
    (found,) = read(tmp_path / "a.html", f"<html><head>{head}</head><body>{BODY}</body></html>")
    assert found.date == "2020-05-04"


@pytest.mark.parametrize(
    ("raw", "read_as"),
    [
        ("The fee isn’t £5.".encode("utf-16-le"), "The fee isn’t £5."),
        ("The fee isn’t £5.".encode("utf-16-be"), "The fee isn’t £5."),
        ("The fee isn’t £5 – it’s free.".encode("mac_roman"), "The fee isn’t £5 – it’s free."),
        ("The fee isnâ€™t Â£5 in the cafÃ©.", "The fee isn’t £5 in the café."),
        ("It is n\u200bot \ufb01nal: 12\u2011inch, \u200e10 %.", "It is not final: 12-inch, 10 %."),
        (
            "The plan for 2018-\n2019 and the anti-\nEuropean law.",
            "The plan for 2018-2019 and the anti-European law.",
        ),
        ("Table 4. Births by county", "Table 4. Births by county"),
        ("2019. It was not built.", "2019. It was not built."),
        ("It is \U000e0069\U000e0074so\u2062.", "It is so."),
        ("The fee is 5 \u20ac in the café.".encode("iso8859-15"), "The fee is 5 € in the café."),
        (
            "The report on the old bridge at Lunde, which is long, was written by\nJ. Lie and was "
            "not printed in that year.",
            "The report on the old bridge at Lunde, which is long, was written by J. Lie and was "
            "not printed in that year.",
        ),
    ],
)
def test_a_text_is_read_in_the_letters_that_people_see(tmp_path, raw, read_as):
    assert lines(tmp_path / "a.txt", raw) == (read_as,)


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("It was not sold\n\n- 2 -\n\f\nto the town.\n", ("It was not sold to the town.",)),
        ("It met.\n\nPage 1 of 2\n\nIt left.\n", ("It met.", "It left.")),
        (
            "Name\tAge\tTown\nAda\t41\tLunde\nBo\t\tOst\n",
            ("Name; Age; Town", "Name: Ada; Age: 41; Town: Lunde", "Name: Bo; Town: Ost"),
        ),
        ("Ada\t\t41\nBo\t\t52\nCy\t\t12\n", ("Ada: 41", "Bo: 52", "Cy: 12")),
        (
            "It goes at 6:15,\n7:15 and at\n8:15 or so.\n",
            ("It goes at 6:15, 7:15 and at 8:15 or so.",),
        ),
        (
            "9:00 We open\n9:15 The pool\n10:00 Coffee\n",
            ("9:00 We open", "9:15 The pool", "10:00 Coffee"),
        ),
        (
            "FARES\n\nThe fare did\n12\n\fFARES\n\nnot rise.\n13\n\f\nDogs are free.",
            ("FARES", "The fare did not rise.", "Dogs are free."),
        ),
        (
            "Lunde was long.\nTotal 12\n\fVarnby was short.\nTotal 14\n\fOst was shut.\nTotal 19\n",
            (
                "Lunde was long.",
                "Total 12",
                "Varnby was short.",
                "Total 14",
                "Ost was shut.",
                "Total 19",
            ),
        ),
        (
            " 1  Q.  Was it sold?\n 2  A.  It was not sold to\n 3  anybody in 2019.\n",
            ("Q. Was it sold?", "A. It was not sold to anybody in 2019."),
        ),
        (
            "1  MR. LIE:\n2  Q.  Was it sold?\n3  A.  It was\n4  sold to Lunde.\n5  Q.  When?\n",
            ("MR. LIE:", "Q. Was it sold?", "A. It was sold to Lunde.", "Q. When?"),
        ),
        (
            "Q: Who pays?\nA: Lunde pays a fee of\n   11 crowns.\n",
            ("Q: Who pays?", "A: Lunde pays a fee of 11 crowns."),
        ),
        (
            "MINUTES\n=======\nIt was sold.\n____\nIt is shut.\n",
            ("MINUTES", "It was sold.", "It is shut."),
        ),
        (
            "The end came in\n1987.\n\nIt is\n(a) shut.\n",
            ("The end came in 1987.", "It is", "(a) shut."),
        ),
        (
            "  1. It is shut.\n  2. Children under\n     12 travel free.\n",
            ("1. It is shut.", "2. Children under 12 travel free."),
        ),
        (
            "1.1   The fee is due on the\n      first of May.\n\nSeen:   He saw a\n        boat.\n",
            ("1.1 The fee is due on the first of May.", "Seen: He saw a boat."),
        ),
    ],
)
def test_pages_and_items_of_a_text_part_no_sentence(tmp_path, text, read_as):
    assert lines(tmp_path / "a.txt", text) == read_as


def test_items_after_a_gap_are_no_table(tmp_path):
    items = "•\tDogs are free.\n•\tCats pay 3 crowns.\n•\tBirds are shut out.\n"
    assert lines(tmp_path / "a.txt", items) == tuple(items.replace("\t", " ").splitlines())


def test_a_table_of_a_plain_text_is_a_table(tmp_path):
    table = "Town      Fee   Change\nLunde       5      -3\nVarnby      7      +2\n"
    text = f"Fares\n\n{table}\nEnd of it.\n"
    assert lines(tmp_path / "a.txt", text) == (
        *("Fares", "Town; Fee; Change", "Town: Lunde; Fee: 5; Change: -3"),
        *("Town: Varnby; Fee: 7; Change: +2", "End of it."),
    )


def test_names_of_groups_part_no_table_of_a_plain_text(tmp_path):
    table = (
        "Town       1961    2021\nNorth\nLunde       512     498\nSouth\nVarnby      770     802\n"
    )
    assert lines(tmp_path / "a.txt", f"People\n\n{table}\nEnd of it.\n") == (
        *("People", "Town; 1961; 2021", "North", "Town: Lunde; 1961: 512; 2021: 498"),
        *("South", "Town: Varnby; 1961: 770; 2021: 802", "End of it."),
    )


def test_blank_lines_part_no_table_of_a_plain_text_and_other_names_do(tmp_path):
    table = (
        "Mode      Trips\n\nCar         412\n\nBus         123\n\nShip      Tons\nSkarv       50\n"
    )
    assert lines(tmp_path / "a.txt", f"Trips\n\n{table}") == (
        *("Trips", "Mode; Trips", "Mode: Car; Trips: 412", "Mode: Bus; Trips: 123"),
        "Ship Tons Skarv 50",
    )


def test_bars_beside_dots_and_below_a_blank_corner_part_the_cells_of_a_plain_text(tmp_path):
    table = (
        "            | Mar. | Feb. | Mar.\n    Kind    | 2023 | 2024 | 2024\n"
        f"{'_' * 12}|______|______|______\n"
        "In work.....|  412 |  498 |  501\nRetired.....|   77 |   80 |   79\n"
    )
    assert lines(tmp_path / "a.txt", table)[-2:] == (
        "Kind: In work; Mar. 2023: 412; Feb. 2024: 498; Mar. 2024: 501",
        "Kind: Retired; Mar. 2023: 77; Feb. 2024: 80; Mar. 2024: 79",
    )


@pytest.mark.parametrize("dots", [".........", " . . . . . "])
def test_dots_between_a_name_and_its_value_part_them_in_a_plain_text(tmp_path, dots):
    text = f"Costs\n\nRoads {dots}  -7 million\nSchools {dots} 18 million\nCare {dots} 12 million\n"
    read = ("Roads: -7 million", "Schools: 18 million", "Care: 12 million")
    assert lines(tmp_path / "a.txt", text)[1:] == read


@pytest.mark.parametrize("rule", ["", "              ------    ----\n"])
def test_names_above_the_figures_of_a_plain_text_leave_the_corner_blank(tmp_path, rule):
    rows = "Admissions    £2,400    £198\nShop            £713      £0\n"
    text = f"Results\n\n{' ' * 16}2022    2021\n{rule}{rows}\n   A TITLE\nElk     2\nRoe     44\n"
    assert lines(tmp_path / "a.txt", text)[1:] == (
        *("2022; 2021", "Admissions; 2022: £2,400; 2021: £198", "Shop; 2022: £713; 2021: £0"),
        *("A TITLE", "Elk 2", "Roe 44"),
    )
    accounts = (
        f"Shops\n\n{' ' * 15}2022    2021\n{' ' * 17}£m      £m\nShop           7.3     0.1\n"
    )
    found = lines(tmp_path / "a.txt", f"{accounts}Café           4.4     1.2\n")
    assert found[3] == "Shop; 2022 (£m): 7.3; 2021 (£m): 0.1"


@pytest.mark.parametrize(
    ("name", "text", "read_as"),
    [
        (
            "a.md",
            "2019. It was built.\n2021. It was not sold.\n",
            ("2019. It was built.", "2021. It was not sold."),
        ),
        ("a.md", "It has 2*3*4 cells.", ("It has 2*3*4 cells.",)),
        ("a.md", "Some 10^6-10^7, ~5-~10 or 2^10^.", ("Some 10^6-10^7, ~5-~10 or 2^10.",)),
        ("a.md", "It is ==not== H~2~O, a==b.", ("It is not H2O, a==b.",)),
        (
            "a.md",
            "It costs $5 (in US$) and $6. It has $10^{6}$ of $\\frac{1}{2}$ and `$x`.",
            ("It costs $5 (in US$) and $6.", "It has 10^6 of 1/2 and $x."),
        ),
        (
            "a.md",
            "It opened in May\n15. It closed in June\n30. The house is of\nc. 1850 or so.",
            ("It opened in May 15.", "It closed in June 30.", "The house is of c. 1850 or so."),
        ),
        ("a.md", "The rules:\n1. Pay 5.\n2. Go.", ("The rules:", "Pay 5.", "Go.")),
        ("a.md", "---\n\nThe council met.\n\n---\n\nIt left.\n", ("The council met.", "It left.")),
        ("a.md", "> [!NOTE]\n> It is not sold.\n> It is so.\n", ("It is not sold.", "It is so.")),
        ("a.md", '+++\n# Page\ntitle = "Fees"\n+++\n\nIt left.\n', ("It left.",)),
        (
            "a.md",
            "1. Pay.\n2. Go.\n\nThen:\n\n3. Sit.\n5. Eat.",
            ("Pay.", "Go.", "Then:", "3. Sit.", "5. Eat."),
        ),
        *(
            (
                name,
                "17. mai 1814 ble loven vedtatt.\n\n7. juni 1905 ble den endret.\n",
                ("17. mai 1814 ble loven vedtatt.", "7. juni 1905 ble den endret."),
            )
            for name in ("a.md", "a.rst", "a.org")
        ),
        *(
            (
                name,
                "1. One.\r\n\r\n   It opened in May\r\n   15. It did.\r\n2. Two.\r\n",
                ("One.", "It opened in May 15.", "It did.", "Two."),
            )
            for name in ("a.md", "a.rst", "a.org")
        ),
        (
            "a.md",
            "Fares in 2024:\n| Town | Fee |\n|---|--:|\n| Lunde | 5 |\n| Varnby | 7 |\n",
            ("Fares in 2024:", "Town; Fee", "Town: Lunde; Fee: 5", "Town: Varnby; Fee: 7"),
        ),
        ("a.rtf", r"{\rtf1\ansi\ansicpg1252 It did \b\v0 not rain.\par}", ("It did not rain.",)),
        (
            "a.rtf",
            r"{\rtf1 \trowd\cellx2000\cellx4000 Town\cell Fee\cell\row \trowd\cellx2000\cellx4000 "
            r"\pard\plain Lunde\cell\pard 5\cell\row\pard It is \u64978?shut.\par}",
            ("Town; Fee", "Town: Lunde; Fee: 5", "It is shut."),
        ),
        ("a.rtf", r"{\rtf1 \trowd\cellx2000 Town\cell \pard It left.}", ("Town: It left.",)),
        (
            "a.csv",
            "Men,,,Women,\nTown,Fee,,Town,Fee\nOst,5,,Ost,6\n",
            (
                "Men; Women",
                "Town; Fee; Town; Fee",
                "Men Town: Ost; Men Fee: 5; Women Town: Ost; Women Fee: 6",
            ),
        ),
        (
            "a.txt",
            "Present: Berg, Lie\nAbsent: Moe, Dahl, Vik\n",
            ("Present: Berg, Lie", "Absent: Moe, Dahl, Vik"),
        ),
        (
            "a.rtf",
            r"{\rtf1{\fonttbl{\f0 A;}{\f3\fcharset2 Symbol;}}"
            r"Depth {\f3 \'b3} 5 m, \u-3917? 6.\par}",
            ("Depth ≥ 5 m, ≥ 6.",),
        ),
        (
            "a.rtf",
            r"{\rtf1 Text.{\shp{\*\shpinst{\shptxt Not safe.\par}}{\shprslt Not safe.}}\par}",
            ("Text.", "Not safe."),
        ),
        (
            "a.srt",
            "1\n00:00:01,000 --> 00:00:02,000\nIt cost (not really) 5.\n(LAUGHS)\n",
            ("It cost (not really) 5.",),
        ),
        ("a.jsonl", '{"text": "<p>It is <b>not</b> 5 &amp; 6.</p>"}', ("It is not 5 & 6.",)),
        ("a.wiki", "It is open.\n\n[[Category:Harbours]]\n", ("It is open.",)),
        (
            "a.csv",
            "Source: office\n\nTown;2018\nLunde;1 200\n\nShip;Crew\nSkarv;5\n",
            (
                "Source: office",
                "Town; 2018",
                "Town: Lunde; 2018: 1 200",
                "Ship; Crew",
                "Ship: Skarv; Crew: 5",
            ),
        ),
        ("a.rst", "T. Ek said so.\n", ("T. Ek said so.",)),
    ],
)
def test_other_texts_are_read_as_they_are_shown(tmp_path, name, text, read_as):
    assert lines(tmp_path / name, text) == read_as


@pytest.mark.parametrize(
    ("name", "text", "about"),
    [
        (
            "a.org",
            "#+TITLE: Fees\n#+DATE: <2018-05-04 Fri>\nIt rose.\n",
            ("Fees", "", "2018-05-04"),
        ),
        ("a.wiki", "It rose.\n== History ==\nIt fell.\n", ("", "", "")),
        ("a.md", "It rose.\n\n## History\n\nIt fell.\n", ("", "", "")),
        ("a.md", "## Fees\n\nIt rose.\n", ("Fees", "", "")),
        (
            "a.jsonl",
            '{"headline": "Fees", "byline": "By Ann Lie", "pubDate": "Fri, 04 May 2018",'
            ' "body": "It rose."}',
            ("Fees", "Ann Lie", "2018-05-04"),
        ),
    ],
)
def test_what_a_text_says_of_itself_is_its_title_author_and_date(tmp_path, name, text, about):
    (document,) = read(tmp_path / name, text)
    assert isinstance(document, Document)
    assert (document.title, document.author, document.date) == about


HEAD = "From: Press <p@b.example>\nDate: Tue, 14 May 2024 10:00:00 +0200\nSubject: Fee\n"


def parts(kind: str, *bodies: str) -> str:
    return (
        f"{HEAD}Content-Type: multipart/{kind}; boundary=b\n\n--b\n"
        + "\n--b\n".join(bodies)
        + "\n--b--\n"
    )


def test_attachments_are_documents_of_the_day_of_the_mail_and_say_whose_they_are(tmp_path):
    named = 'Content-Disposition: attachment; filename="{}"\n\n{}'
    mail = parts(
        "mixed",
        "\nSee the list.",
        named.format("list.csv", "Town,Fee\nLunde,5"),
        named.format("x.bin", "z"),
    )
    text, table, fault = read(tmp_path / "a.eml", mail)
    assert text.lines[1:] == ("See the list.",)
    assert table.lines == ("Town; Fee", "Town: Lunde; Fee: 5")
    assert (table.date, table.key) == ("2024-05-14", "list.csv")
    assert table.note == "attachment list.csv of the mail “Fee” by Press"
    assert fault == "1 attachment is not read, or not all of it: x.bin is of no kind that is read"


@pytest.mark.parametrize(
    ("mail", "read_as"),
    [
        (
            parts(
                "alternative",
                "\nPlease view this mail in HTML.",
                "Content-Type: text/html\n\n<p>It is <b>not</b> due in 2019, they said.</p>",
            ),
            "It is not due in 2019, they said.",
        ),
        (
            f"{HEAD}Content-Type: text/plain; format=flowed; delsp=yes\n\n"
            "They did not ap \nprove it.\n",
            "They did not approve it.",
        ),
        (
            f"{HEAD}Content-Type: text/plain; charset=iso-2022-jp\n\n"
            + "橋は閉鎖。".encode("iso-2022-jp").decode("ascii"),
            "橋は閉鎖。",
        ),
    ],
)
def test_the_body_of_a_mail_is_what_its_program_shows(tmp_path, mail, read_as):
    assert lines(tmp_path / "a.eml", mail)[1:] == (read_as,)


def test_an_enclosed_mail_is_the_words_of_its_sender(tmp_path):
    sent = "Date: Mon, 13 May 2024 16:40:00 +0200"
    inner = f"From: A Reader <a@b.example>\n{sent}\nSubject: Bridge\n\nThe bridge is shut."
    mail = parts("mixed", "\nNo, it is open.", f"Content-Type: message/rfc822\n\n{inner}")
    (found,) = read(tmp_path / "a.eml", mail)
    assert found.lines[1::2] == ("No, it is open.", "The bridge is shut.")
    assert {whose for _, whose in found.quoted} == {"A Reader, 13 May 2024"}


def test_what_is_attached_to_an_enclosed_mail_is_its_senders_and_of_its_day(tmp_path):
    inner, outer = EmailMessage(), EmailMessage()
    for mail, sender, day in ((inner, "a@b.example", 13), (outer, "press@b.example", 14)):
        mail["From"], mail["Subject"] = sender, "Bridge"
        mail["Date"] = f"{day} May 2024 16:40:00 +0200"
        mail.set_content("Look.")
    inner.add_attachment(b"It is shut.", maintype="text", subtype="plain", filename="a.txt")
    outer.add_attachment(inner)
    _, found = read(tmp_path / "a.eml", bytes(outer))
    said = "attachment a.txt of the mail “Bridge” by a@b.example"
    assert (found.lines, found.date, found.note) == (("It is shut.",), "2024-05-13", said)


def test_marks_of_notes_of_a_book_are_no_figures(tmp_path):
    page = (
        "<html xmlns:epub='x'><body><p>It had 52<a epub:type='noteref' href='#n'>1</a> boats.</p>"
        "<p id='n' hidden='hidden'>Counted. <a role='doc-backlink' href='#a'>3</a></p>"
        "<p hidden='hidden'>Not seen.</p></body></html>"
    )
    assert lines(write_epub(tmp_path / "a.epub", {"a.xhtml": page})) == (
        "It had 52 boats.",
        "Counted.",
    )


def test_a_workbook_is_read_as_it_is_set(tmp_path):
    book = Workbook()
    sheet = book.active
    for row in (
        ["Town", "People", "Fee", "Time"],
        ["Lunde", 0, 9, 0.0001],
        ["Ost", "=1+2", 5, 0.25],
    ):
        sheet.append(row)
    raised = InlineFont(vertAlign="superscript")
    sheet["B2"] = CellRichText(
        "1,200", TextBlock(raised, "3"), TextBlock(InlineFont(strike=True), "9")
    )
    sheet["C2"].font, sheet["C3"].number_format = Font(strike=True), ";;;"
    sheet["D2"].number_format = "mm:ss.0"
    for row in ([], ["Ship", "Crew"], ["Skarv", 5]):
        sheet.append(row)
    book.save(tmp_path / "a.xlsx")
    found, fault = read(tmp_path / "a.xlsx")
    assert found.lines == (
        "Town; People; Fee; Time",
        "Town: Lunde; People: 1,200; Time: 00:08.6",
        "Town: Ost; Time: 0.25",
        "Ship; Crew",
        "Ship: Skarv; Crew: 5",
    )
    assert fault == "1 cell has a formula that no program has computed; open the file and save it"


def test_notes_of_two_cells_above_a_table_name_no_columns(tmp_path):
    book = Workbook()
    rows = (
        ["Table 4. Births, 2021"],
        ["Updated", dt.date(2021, 5, 4)],
        [],
        ["County", "Men", "Women"],
        ["Lunde", 4.1, 5.2],
    )
    for row in rows:
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    found = lines(tmp_path / "a.xlsx")
    assert (found[0], found[-1]) == ("Table 4. Births, 2021", "County: Lunde; Men: 4.1; Women: 5.2")


_OFFICE = "http://schemas.openxmlformats.org"
_SPACES = (
    f'xmlns:w="{_OFFICE}/wordprocessingml/2006/main" '
    f'xmlns:r="{_OFFICE}/officeDocument/2006/relationships"'
    f' xmlns:d="{_OFFICE}/drawingml/2006/diagram" xmlns:a="{_OFFICE}/drawingml/2006/main"'
)
_DIAGRAM = (
    f"<d:dataModel {_SPACES}><d:pt><d:t><a:p><a:r><a:t>Must not sell.</a:t></a:r></a:p></d:t>"
    "</d:pt></d:dataModel>"
)


def relations(*parts: tuple[str, str, str]) -> str:
    each = "".join(
        f'<Relationship Id="{name}" Type="{_OFFICE}/officeDocument/2006/relationships/{kind}" '
        f'Target="{target}"/>'
        for name, kind, target in parts
    )
    return f'<Relationships xmlns="{_OFFICE}/package/2006/relationships">{each}</Relationships>'


def word(path: Path, body: str) -> Path:
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types"/>',
        "_rels/.rels": relations(("m", "officeDocument", "word/document.xml")),
        "word/document.xml": f"<w:document {_SPACES}><w:body>{body}</w:body></w:document>",
        "word/_rels/document.xml.rels": relations(("d1", "diagramData", "diagrams/data1.xml")),
        "word/diagrams/data1.xml": _DIAGRAM,
    }
    return write_zip(path, members)


def run(text: str) -> str:
    return f"<w:r><w:t xml:space='preserve'>{text}</w:t></w:r>"


def field(kind: str, inner: str = "") -> str:
    return f"<w:r><w:fldChar w:fldCharType='{kind}'>{inner}</w:fldChar></w:r>"


_CODE = "<w:r><w:instrText>IF</w:instrText></w:r>"
_BOX = "<w:ffData><w:checkBox><w:checked/></w:checkBox></w:ffData>"


def cell(text: str, look: str = "") -> str:
    return f"<w:tc><w:tcPr>{look}</w:tcPr><w:p>{run(text)}</w:p></w:tc>"


def test_the_main_part_of_a_word_file_may_have_any_name(tmp_path):
    others = ("a", "customXml", "docs/document.xml"), ("m", "officeDocument", "word/text.xml")
    text = f"<w:document {_SPACES}><w:body><w:p>{run('It left.')}</w:p></w:body></w:document>"
    members = {
        "[Content_Types].xml": f'<Types xmlns="{_OFFICE}/package/2006/content-types"/>',
        "_rels/.rels": relations(*others),
        "docs/document.xml": "<a/>",
        "word/text.xml": text,
    }
    assert lines(write_zip(tmp_path / "a.docx", members)) == ("It left.",)


@pytest.mark.parametrize(
    ("body", "read_as"),
    [
        (
            "<w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
            + run("It did no")
            + f"</w:p><w:p>{run('t rain.')}</w:p>",
            ["It did not rain."],
        ),
        (
            f"<w:p>{run('It is ')}{field('begin')}{_CODE}{field('begin')}{_CODE}{field('separate')}"
            f"{run('inner ')}{field('end')}{field('separate')}{run('shown.')}{field('end')}</w:p>",
            ["It is shown."],
        ),
        (
            f"<w:p>{run('The ')}<w:r><w:ruby><w:rt>{run('kan')}</w:rt><w:rubyBase>{run('漢')}"
            f"</w:rubyBase></w:ruby></w:r>{run(' town.')}</w:p>",
            ["The 漢 town."],
        ),
        (
            f"<w:p>{run('It had 10')}<w:r><w:rPr><w:position w:val='8'/></w:rPr><w:t>6</w:t></w:r>"
            f"{run(' cells.')}</w:p>",
            ["It had 10^6 cells."],
        ),
        (f"<w:p>{field('begin', _BOX)}{_CODE}{field('end')}{run(' Paid')}</w:p>", ["☒ Paid"]),
        (
            f"<w:p>{run('The chart.')}<w:r><w:drawing><d:relIds r:dm='d1'/></w:drawing></w:r>"
            "</w:p>",
            ["The chart.", "Must not sell."],
        ),
        (
            "<w:tbl><w:tr>"
            + cell("Route", "<w:vMerge w:val='restart'/>")
            + cell("Fare", "<w:gridSpan w:val='2'/>")
            + "</w:tr><w:tr>"
            + cell("", "<w:vMerge/>")
            + cell("2018")
            + cell("2019")
            + "</w:tr><w:tr>"
            + cell("Lunde")
            + cell("30")
            + cell("35")
            + "</w:tr></w:tbl>",
            ["Route; Fare – 2018; Fare – 2019", "Route: Lunde; Fare – 2018: 30; Fare – 2019: 35"],
        ),
        (
            f"<w:tbl><w:tr>{cell('Question')}{cell('Answer')}</w:tr>"
            f"<w:tr>{cell('Sold?')}{cell('Never')}</w:tr></w:tbl>",
            ["Question: Answer", "Sold? Never"],
        ),
        (
            f"<w:tbl><w:tr><w:trPr><w:tblHeader w:val='0'/></w:trPr>{cell('Ost')}{cell('shut')}"
            f"</w:tr><w:tr>{cell('Vik')}{cell('open')}</w:tr>"
            f"<w:tr>{cell('Lunde')}{cell('shut')}</w:tr></w:tbl>",
            ["Ost: shut", "Vik: open", "Lunde: shut"],
        ),
        (
            f"<w:tbl><w:tr>{cell('3 May 2024')}{cell('Meeting')}</w:tr>"
            f"<w:tr>{cell('4 May 2024')}{cell('Vote on 5 items')}</w:tr></w:tbl>",
            ["3 May 2024; Meeting", "4 May 2024; Vote on 5 items"],
        ),
        (
            "<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val='Table of Contents'/>"
            f"</w:docPartObj></w:sdtPr><w:sdtContent><w:p>{run('Number of members 12')}</w:p>"
            f"</w:sdtContent></w:sdt><w:p>{run('It is open.')}</w:p>",
            ["It is open."],
        ),
    ],
)
def test_a_word_file_is_read_as_word_shows_it(tmp_path, body, read_as):
    assert list(lines(word(tmp_path / "a.docx", body))) == read_as


@pytest.mark.parametrize(
    ("name", "text", "read_as"),
    [
        (
            "a.csv",
            ";2018;2019\nBirths;5;6\n",
            ("2018; 2019", "Births; 2018: 5; 2019: 6"),
        ),
        (
            "a.csv",
            "Town;2018;2019*\nLunde;5;6\n",
            ("Town; 2018; 2019*", "Town: Lunde; 2018: 5; 2019*: 6"),
        ),
        (
            "a.html",
            "<table><tr><th>Mayor<td>I. Lie<tr><th>Posts<td>12</table>",
            ("Mayor: I. Lie", "Posts: 12"),
        ),
    ],
)
def test_years_above_a_blank_corner_and_names_beside_values_are_names(
    tmp_path, name, text, read_as
):
    assert lines(tmp_path / name, text)[-len(read_as) :] == read_as


@pytest.mark.parametrize(
    ("serial", "day"), [(1, "1 January 1900"), (59, "28 February 1900"), (61, "1 March 1900")]
)
def test_days_before_march_1900_are_those_that_a_spreadsheet_shows(serial, day):
    assert shown(serial, "d mmm yyyy") == day


def test_a_part_of_a_word_file_in_another_format_is_said(tmp_path):
    found = read(word(tmp_path / "a.docx", f"<w:p>{run('It rained.')}</w:p><w:altChunk r:id='x'/>"))
    assert found[1:] == ["1 part is in another format and not read; save it anew by Word"]
    code = "<w:r><w:instrText> EQ \\f(1,2)</w:instrText></w:r>"
    body = f"<w:p>{run('About ')}{field('begin')}{code}{field('end')}{run(' of them.')}</w:p>"
    assert read(word(tmp_path / "a.docx", body))[1:] == ["1 formula is in a field EQ and not read"]


def test_fields_text_boxes_and_repeated_cells_of_an_odt_are_text(tmp_path):
    one, two = (
        "<table:table-cell><text:p>{}</text:p></table:table-cell>",
        "table:number-columns-repeated='2'",
    )
    body = (
        "<text:p>Signed <text:date>3 May</text:date> for <text:user-defined>12</text:user-defined> "
        "crowns, <text:conditional-text>not</text:conditional-text> more.<draw:frame "
        "xmlns:draw='urn:oasis:names:tc:opendocument:xmlns:drawing:1.0'><draw:text-box><text:p>It "
        "is not safe.</text:p></draw:text-box></draw:frame></text:p><table:table><table:table-row>"
        + "".join(map(one.format, ("Route", "2018", "2019")))
        + f"</table:table-row><table:table-row>{one.format('Lunde')}<table:table-cell {two}>"
        "<text:p>"
        "30</text:p></table:table-cell></table:table-row></table:table>"
    )
    assert lines(write_odt(tmp_path / "a.odt", body)) == (
        "Signed 3 May for 12 crowns, not more.",
        "It is not safe.",
        "Route; 2018; 2019",
        "Route: Lunde; 2018: 30; 2019: 30",
    )


def test_slides_are_read_with_groups_diagrams_and_letters_as_they_are_set(tmp_path):
    made = tmp_path / "made.pptx"
    subprocess.run(
        [command()[0], "-f", "markdown", "-t", "pptx", "-o", str(made)],
        input=b"# Fares\n",
        check=True,
    )
    with zipfile.ZipFile(made) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    spaces = f'xmlns:p="{_OFFICE}/presentationml/2006/main" {_SPACES}'
    about = "<p:nv{0}Pr><p:cNvPr id='{1}' name='x'{2}/><p:cNv{0}Pr/><p:nvPr/></p:nv{0}Pr>"

    def box(number: int, runs: str, hidden: str = "") -> str:
        text = f"<p:txBody><a:bodyPr/><a:p>{runs}</a:p></p:txBody>"
        return f"<p:sp {spaces}>{about.format('Sp', number, hidden)}<p:spPr/>{text}</p:sp>"

    def run_of(text: str, look: str = "") -> str:
        return f"<a:r><a:rPr {look}/><a:t>{text}</a:t></a:r>"

    set_so = (
        run_of("It is ")
        + run_of("not ", 'strike="sngStrike"')
        + run_of("10")
        + run_of("6", 'baseline="30000"')
    )
    shapes = box(90, set_so) + box(91, run_of("Hidden."), " hidden='1'")
    grouped = f"{about.format('GrpSp', 92, '')}<p:grpSpPr/>{box(93, run_of('Grouped.'))}"
    shapes += f"<p:grpSp {spaces}>{grouped}</p:grpSp>"
    shapes += (
        f"<p:graphicFrame {spaces}>{about.format('GraphicFrame', 94, '')}<p:xfrm/><a:graphic>"
        f"<a:graphicData uri='{_OFFICE}/drawingml/2006/diagram'><d:relIds r:dm='d1'/>"
        "</a:graphicData></a:graphic></p:graphicFrame>"
    )
    slide, names = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
    members[slide] = bytes(members[slide]).replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
    more = b'<Relationship Id="d1" Type="x" Target="../diagrams/data1.xml"/></Relationships>'
    members[names] = bytes(members[names]).replace(b"</Relationships>", more)
    members["ppt/diagrams/data1.xml"] = _DIAGRAM
    found = lines(write_zip(tmp_path / "a.pptx", members))
    assert found == ("Fares", "It is 10^6", "Grouped.", "Must not sell.")


RAISED = (
    ("It had 1,200", "3"),
    (" boats, 10", "6"),
    (" cells, 52", "1,2"),
    (" cars, 40 m", "2"),
    (" and 10", "-3"),
    (" bar for $11", "99"),
    (" in 2019", "4"),
    (" on the 4", "th"),
    (" of May.", ""),
)


def test_raised_figures_of_a_pdf_are_notes_exponents_and_cents(tmp_path):
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=9)
    for text, mark in RAISED:
        pdf.write(6, text)
        pdf.char_vpos = "SUP"
        pdf.write(6, mark)
        pdf.char_vpos = "LINE"
    assert lines(tmp_path / "a.pdf", bytes(pdf.output())) == (
        "It had 1,200 boats, 10^6 cells, 52 cars, 40 m^2 and 10^-3 bar for $11.99 in 2019 on the "
        "4th of May.",
    )


def test_heads_that_differ_on_left_and_right_pages_are_left_out(tmp_path):
    pdf = FPDF()
    for number, animal in enumerate(("cod", "eels", "crabs", "seals"), start=1):
        pdf.add_page()
        pdf.set_font("helvetica", size=11)
        head = f"Annual report {number}" if number % 2 else f"{number} Ostvik county"
        for line in (
            head,
            f"The {animal} were not counted in that year.",
            f"{number * 3} {number} 5",
        ):
            pdf.cell(0, 6, line, new_x="LMARGIN", new_y="NEXT")
    found = lines(tmp_path / "a.pdf", bytes(pdf.output()))
    assert not [line for line in found if "Annual" in line or "Ostvik" in line]
    assert sum("not counted" in line for line in found) == 4
    assert "3 1 5" in found[0] or "3 1 5" in found


def test_a_page_of_an_archive_that_cannot_be_unpacked_is_named(tmp_path):
    page = gzip.compress(b"x")
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: zstd\r\n\r\n" + page
    plain = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\nIt did not rain."
    records = b"".join(
        b"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://a.example/%d\r\nContent-"
        b"Type: "
        b"application/http\r\nContent-Length: %d\r\n\r\n%b\r\n\r\n" % (number, len(record), record)
        for number, record in enumerate((http, plain))
    )
    found = read(tmp_path / "a.warc", records)
    assert found[0] == "https://a.example/0: is packed by zstd; not read"
    assert found[1].lines == ("It did not rain.",)


def test_a_sentence_that_leads_a_list_stands_below_its_heading(tmp_path):
    text = (
        "Council of Lunde\n\nRoads\n\nAll are old.\n\nFinance\n\nIt is to pay at once:\n\n- Rent\n"
    )
    (document,) = read(tmp_path / "a.txt", text)
    assert sections_in(document) == ((1, "Roads"), (3, "Finance"))


def test_lines_with_boxes_dashes_or_days_stand_alone(tmp_path):
    notes = "called the town\n- bridge: 4m\n- opens in May\n\n[ ] ring Ava Berg\n[x] pay the rent\n"
    text = f"{notes}\nMon 9:00 - 17:00\nTue 9:00 - 17:00\nWed closed\n"
    (document,) = read(tmp_path / "a.txt", text)
    assert document.lines == tuple(filter(None, text.split("\n")))


def test_subsections_are_no_times_of_a_programme(tmp_path):
    names = ["6.10 Scope", "6.20 Cost", "6.30 Time"]
    text = "".join(f"\n\n{name}\nIt is not what was agreed with all towns." for name in names)
    (document,) = read(tmp_path / "a.txt", f"Report on Lunde{text}")
    assert [name for _, name in sections_in(document)] == names


def test_rows_of_a_programme_stand_below_their_day(tmp_path):
    text = "Fair of Lunde\n\nFriday 4 June\n18.30 Mill\nChoir of Varnby\n20.15 Old Church\n"
    (document,) = read(tmp_path / "a.txt", f"{text}Saturday 5 June\n9:00 Harbour: boat race\n")
    rows = ("18.30 Mill Choir of Varnby", "20.15 Old Church")
    assert document.lines[1:4] == ("Friday 4 June", *rows)
    assert document.lines[4:] == ("Saturday 5 June", "9:00 Harbour: boat race")
    assert sections_in(document) == ((1, "Friday 4 June"), (4, "Saturday 5 June"))


def test_names_with_values_below_one_another_in_markdown_stand_alone(tmp_path):
    text = "The vote:\n\n**For**: A. Berg\nAgainst (2): K. Moe,\nO. Lund\n\nNote: it\nrained.\n"
    (document,) = read(tmp_path / "a.md", text)
    read_as = ("For: A. Berg", "Against (2): K. Moe, O. Lund", "Note: it rained.")
    assert document.lines[1:] == read_as


def test_a_heading_and_a_quotation_of_markdown_need_no_empty_line_before(tmp_path):
    text = "The council met.\n## Fares\nA reader says:\n> The pool leaks.\n"
    (document,) = read(tmp_path / "a.md", text)
    assert document.lines[1:] == ("Fares", "A reader says:", "The pool leaks.")
    assert (document.sections, document.quoted) == (((1, "Fares"),), ((3, ""),))


@pytest.mark.parametrize(
    ("name", "text", "read_as", "clause"),
    [
        (
            "a.tex",
            r"It did \fbox{not} blow, \added{not} sing, \makebox[2em][c]{not} rain, \raisebox{1pt}"
            r"{not} hail. It emits \ce{CO2} for \EUR{450}. It is \replaced{not}{so}. \noindent 19 "
            r"ships. PM$_{2.5}$ and H$_2$O. It has \foo{7} and $\boxed{5}$.",
            [
                *("It did not blow, not sing, not rain, not hail.", "It emits CO2 for 450 €."),
                *("It is not.", "19 ships.", "PM2.5 and H2O.", "It has and 5."),
            ],
            [r"has text in \foo that is not read"],
        ),
        (
            "a.tex",
            r"\begin{document}\resizebox{\textwidth}{!}{\begin{tabular}{lr} Town & Fee\\ "
            r"Lunde & \fbox{5}\\ Vik & 6\end{tabular}} \begin{frame}{Title} It "
            r"\scalebox{.8}{rained} \mine x.\end{frame}\end{document}",
            ["Town; Fee", "Town: Lunde; Fee: 5", "Town: Vik; Fee: 6", "Title It rained x."],
            [r"has text in \mine that is not read"],
        ),
        (
            "a.tex",
            r"\begin{tabular}{l S[table-format=2.1] *{2}{D{.}{.}{-1}}} Town & Fee & Men & All\\ "
            r"Lunde & 5 & 6 & 7\\ Vik & 6 & 8 & 9\end{tabular} \begin{equation} E = mc^2 "
            r"\end{equation} It is $-5\,^{\circ}\mathrm{C}$. \input{more}",
            [
                *("Town; Fee; Men; All", "Town: Lunde; Fee: 5; Men: 6; All: 7"),
                *("Town: Vik; Fee: 6; Men: 8; All: 9", "E = mc^2 It is -5 °C."),
            ],
            [r"has text in \input that is not read"],
        ),
        (
            "a.tex",
            r"\date{\today}\begin{document}\begin{tabular}{lrr}\toprule & \multicolumn{2}{c}{Ships}"
            r"\\ \cmidrule(lr){2-3} Port & 2022 & 2023\\ \midrule \multicolumn{3}{@{}l}{North}\\ "
            r"Vik & 5 & 6\\ \addlinespace Ost & 7 & 8\\ \bottomrule\end{tabular} On \today{} it "
            r"\mbox{rained}.\begin{thebibliography}{9}\bibitem{a} Berg.\end{thebibliography}"
            r"\end{document}",
            [
                *("Port; Ships – 2022; Ships – 2023", "North"),
                "Port: Vik; Ships – 2022: 5; Ships – 2023: 6",
                "Port: Ost; Ships – 2022: 7; Ships – 2023: 8",
                *("On it rained.", "Berg."),
            ],
            [],
        ),
        (
            "a.tex",
            r"\title{Cod\thanks{Paid by Ost.}}\begin{document}\maketitle It cost 19\footnotemark[2]"
            r" crowns\footnotetext[2]{Of 2015.} here. \begin{tabular}{lr} Year & Tons\tnote{1}\\ "
            r"2018 & 12\tablefootnote{Not final.}\\ 2019 & 14$^{a}$\\ \end{tabular}"
            r" $^{a}$ In 10$^{6}$ m$^2$, by Lie$^{1,2}$ on the 3$^{\mathrm{rd}}$. \end{document}",
            [
                *("Paid by Ost.", "It cost 19 crowns here.", "Of 2015."),
                *("Year; Tons", "Year: 2018; Tons: 12", "Year: 2019; Tons: 14", "Not final."),
                "In 10^6 m^2, by Lie on the 3rd.",
            ],
            [],
        ),
        (
            "a.md",
            "| Year | Ships | |\n|---|---|---|\n| | Sail | Steam |\n| 1900 | 40 | 45 |\n"
            "| 1910 | 20 | 22 |",
            [
                *("Year; Ships", "Sail; Steam", "Year: 1900; Ships Sail: 40; Ships Steam: 45"),
                "Year: 1910; Ships Sail: 20; Ships Steam: 22",
            ],
            [],
        ),
        (
            "a.md",
            "$^{a}$ In 10$^{6}$ m$^2$ of CO$_2$, by Lie$^{1,2}$ on 3$^{\\mathrm{rd}}$, for US$ 5.",
            ["In 10^6 m^2 of CO2, by Lie on 3rd, for US$ 5."],
            [],
        ),
        (
            "a.rst",
            "It rained.\n\n.. include:: more.rst\n",
            ["It rained."],
            ["has text in .. include:: that is not read"],
        ),
        (
            "a.wiki",
            "It is {{convert|5|km|mi}} long, has {{formatnum:5379475}} people and {{val|5}} "
            "{{nowrap|long {{em|piers}}}}.{{citation needed|date=2019}}\n\n"
            "{{Infobox town|mayor=Lind}}",
            ["It is 5 km long, has 5379475 people and 5 long piers."],
            ["has text in {{Infobox town}} that is not read"],
        ),
    ],
)
def test_commands_and_templates_show_their_text_or_are_named(tmp_path, name, text, read_as, clause):
    document, *clauses = read(tmp_path / name, text)
    assert isinstance(document, Document)
    assert (list(document.lines), clauses, document.date) == (read_as, clause, "")


@pytest.mark.parametrize("first", ["Mayor: Ingrid Solheim", "Approved: No"])
def test_names_beside_values_of_several_kinds_are_no_columns(tmp_path, first):
    pairs = [first.split(": "), ["Population", "12,000"], ["Fee", "35 crowns"], ["Built", "1850"]]
    rows = "".join(f"<tr><td>{name}<td>{value}" for name, value in pairs)
    body = "".join(f"<w:tr>{cell(name)}{cell(value)}</w:tr>" for name, value in pairs)
    table = "\n".join(f'{name},"{value}"' for name, value in pairs)
    shown = (first, "Population: 12,000", "Fee: 35 crowns", "Built: 1850")
    assert lines(word(tmp_path / "a.docx", f"<w:tbl>{body}</w:tbl>")) == shown
    assert lines(tmp_path / "a.html", f"<p>It is a town.<table>{rows}</table>")[-4:] == shown
    assert lines(tmp_path / "a.csv", table) == tuple(line.replace(":", ";") for line in shown)


@pytest.mark.parametrize("value", ["2019", "Amount"])
def test_a_year_and_a_measure_head_a_column_whatever_its_units(tmp_path, value):
    table = (("Budget", value), ("Roads", "7 million"), ("Schools", "400,000"))
    rows = "".join(f"<tr><td>{name}<td>{shown}" for name, shown in table)
    body = "".join(f"<w:tr>{cell(name)}{cell(shown)}</w:tr>" for name, shown in table)
    text = "".join(f"{name}    {shown}\n" for name, shown in table)
    shown = tuple(f"Budget: {name}; {value}: {figure}" for name, figure in table[1:])
    assert lines(word(tmp_path / "a.docx", f"<w:tbl>{body}</w:tbl>"))[1:] == shown
    assert lines(tmp_path / "a.html", f"<p>It is a town.<table>{rows}</table>")[-2:] == shown
    assert lines(tmp_path / "a.csv", "".join(f'{a},"{b}"\n' for a, b in table))[1:] == shown
    assert lines(tmp_path / "a.txt", text)[1:] == shown


def test_a_row_that_is_marked_heads_two_columns(tmp_path):
    table = (("Berth", "Ship"), ("Quay 1", "Skarv"), ("Quay 2", "not used"))
    shown = ("Berth; Ship", "Berth: Quay 1; Ship: Skarv", "Berth: Quay 2; Ship: not used")
    rows = "".join(f"<tr><td>{name}<td>{value}" for name, value in table)
    bold = rows.replace("Berth", "<b>Berth</b>").replace("Ship", "<strong>Ship</strong>", 1)
    body = "".join(f"<w:tr>{cell(name)}{cell(value)}</w:tr>" for name, value in table)
    head = body.replace("<w:tr>", "<w:tr><w:trPr><w:tblHeader/></w:trPr>", 1)
    assert lines(word(tmp_path / "a.docx", f"<w:tbl>{head}</w:tbl>")) == shown
    assert lines(word(tmp_path / "a.docx", f"<w:tbl>{body}</w:tbl>"))[0] == "Berth: Ship"
    assert lines(tmp_path / "a.html", f"<p>It is a town.<table>{bold}</table>")[-3:] == shown


def test_deleted_and_wide_cells_of_a_word_table_are_read_as_shown(tmp_path):
    head, old = "<w:trPr><w:tblHeader/></w:trPr>", cell("20", "<w:cellDel/>")
    wide = cell("Fares 2019", '<w:gridSpan w:val="2"/>')
    rows = f"<w:tr>{head}{wide}</w:tr><w:tr>{cell('Ost')}{cell('30')}{old}</w:tr>"
    rows += f"<w:tr>{cell('Vik')}{cell('not sold')}{old}</w:tr>"
    (document,) = read(word(tmp_path / "a.docx", f"<w:tbl>{rows}</w:tbl>"))
    assert document.lines == ("Fares 2019", "Ost; 30", "Vik; not sold")
    assert document.note == "with tracked changes"


def test_a_name_in_the_middle_of_its_rows_of_a_pdf_is_in_all(tmp_path):
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    with pdf.table(width=150) as table:
        for cells in (
            "Region Town Ships",
            "North Ost 14",
            "Vik 12",
            "Ask 3",
            "South Moe 7",
            "By 9",
        ):
            row = table.row()
            for text in cells.split():
                row.cell(text, rowspan={"North": 3, "South": 2}.get(text, 1))
    pdf.output(str(tmp_path / "a.pdf"))
    assert lines(tmp_path / "a.pdf")[1:] == (
        *("Region: North; Town: Ost; Ships: 14", "Region: North; Town: Vik; Ships: 12"),
        *("Region: North; Town: Ask; Ships: 3", "Region: South; Town: Moe; Ships: 7"),
        "Region: South; Town: By; Ships: 9",
    )


def test_capitals_and_signs_of_an_odt_are_read_as_shown(tmp_path):
    space = "urn:oasis:names:tc:opendocument:xmlns"
    styles = (
        f'<o:document-styles xmlns:o="{space}:office:1.0" xmlns:s="{space}:style:1.0" xmlns:f="'
        f'{space}:xsl-fo-compatible:1.0"><o:styles><s:style s:name="C" s:family="text"><s:text-'
        'properties f:text-transform="uppercase"/></s:style><s:style s:name="W" s:family="text">'
        '<s:text-properties s:font-name="Wingdings"/></s:style></o:styles></o:document-styles>'
    )
    body = '<text:p>It is <text:span text:style-name="C">not</text:span> sold: '
    body += '<text:span text:style-name="W">\u00fb</text:span> ü.</text:p>'
    assert lines(write_odt(tmp_path / "a.odt", body, {"styles.xml": styles})) == (
        "It is NOT sold: ✗ ü.",
    )


@pytest.mark.parametrize(
    ("part", "read_as"),
    [
        (
            '<text:section text:display="condition" text:is-hidden="true"><text:p>Gone.</text:p>'
            "</text:section><text:p>It is.</text:p>",
            ("It is.",),
        ),
        (
            '<text:p>At <text:variable-set text:display="none">9</text:variable-set>5.</text:p>',
            ("At 5.",),
        ),
        (
            "<text:p>Name: <text:placeholder>&lt;name&gt;</text:placeholder> Berg</text:p>",
            ("Name: Berg",),
        ),
        (
            "<text:p>The <text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan"
            "</text:ruby-text></text:ruby> town.</text:p>",
            ("The 漢 town.",),
        ),
    ],
)
def test_what_an_odt_hides_or_asks_for_is_no_text_and_what_has_ruby_is(tmp_path, part, read_as):
    assert lines(write_odt(tmp_path / "a.odt", part)) == read_as


def test_a_group_of_rows_is_a_section_in_a_table_of_any_text(tmp_path):
    rows = "<tr><th>Town<th>2019<th>2020<tr><th colspan=3>Men<tr><td>Vik<td>1<td>2"
    rows += "<tr><th colspan=3>Women<tr><td>Vik<td>3<td>4"
    html = f"<h1>Births</h1><p>They are counted.<table>{rows}</table><p>It is so every year."
    (page,) = read(tmp_path / "a.html", html)
    assert page.sections == (
        *((0, "Births"), (3, "Births – Men"), (5, "Births – Women"), (7, "Births")),
    )
    (page,) = read(tmp_path / "b.html", html.replace("<tr><th colspan=3>Men", ""))
    assert page.sections == ((0, "Births"), (4, "Births – Women"), (6, "Births"))


def test_a_first_cell_stands_for_those_that_are_blank_below_it(tmp_path):
    table = "Sex,Town,2019\nMen,Lunde,10\n,Sund,3\nWomen,Lunde,12\n,Sund,5\n,Total,30\n"
    assert lines(tmp_path / "a.csv", table)[1:] == (
        *("Sex: Men; Town: Lunde; 2019: 10", "Sex: Men; Town: Sund; 2019: 3"),
        *("Sex: Women; Town: Lunde; 2019: 12", "Sex: Women; Town: Sund; 2019: 5"),
        "Town: Total; 2019: 30",
    )
    unnamed = lines(
        tmp_path / "a.csv", "Town,,Ships\nVik,North,5\n,South,6\nOst,North,7\n,South,8\n"
    )
    assert unnamed[2] == "Town: Vik; South; Ships: 6"
    table = "Name,Party,Votes\nOla,Left,10\n,Left,9\nKari,Labour,3\nLiv,Left,1\n"
    assert lines(tmp_path / "a.csv", table)[2] == "Party: Left; Votes: 9"


_CSS = (
    ".old {text-decoration: line-through} .no {display: none}\n.up {font-size: 0.58em; "
    "position: relative; top: -0.33em; vertical-align: baseline}"
)
_STYLED = (
    '<html><head><link rel="stylesheet" href="{}"/></head><body><p>The fee is <span class="old">25'
    '</span> 35 crowns for 10<span class="up">6</span> riders.</p><p class="no">It was sold.</p>'
    "</body></html>"
)


def test_style_sheets_of_a_book_and_of_a_saved_page_hide_strike_and_raise(tmp_path):
    book = write_epub(
        tmp_path / "a.epub", {"a.xhtml": _STYLED.format("a%20b.css")}, {"OEBPS/a b.css": _CSS}
    )
    (tmp_path / "My page_files").mkdir()
    (tmp_path / "My page_files" / "a.css").write_text(_CSS)
    page = _STYLED.format("./My%20page_files/a.css")
    shown = ("The fee is 35 crowns for 10^6 riders.",)
    assert lines(book) == lines(tmp_path / "My page.html", page) == shown


def test_signs_of_symbol_fonts_and_formats_of_texts_are_read_as_shown(tmp_path):
    book = Workbook()
    for row in (["Town", "Open", "Change", "Fee"], ["Lunde", "\u00fb", "5", "30"]):
        book.active.append(row)
    book.active["B2"].font = Font(name="Wingdings")
    book.active["C2"].number_format, book.active["D2"].number_format = '"minus "@', ";;;"
    book.save(tmp_path / "a.xlsx")
    assert lines(tmp_path / "a.xlsx")[-1] == "Town: Lunde; Open: ✗; Change: minus 5"


def test_bars_and_rules_part_the_cells_of_a_plain_text(tmp_path):
    read_as = ("Town; Fee; Old", "Town: Vik; Fee: 5; Old: 4", "Town: Ost; Fee: 7; Old: 6")
    for text in (
        "Town      Fee    Old\n--------------------\nVik        5      4\nOst        7      6\n",
        " Town | Fee | Old\n------+-----+----\n Vik  |  5  |  4\n Ost  |  7  |  6\n",
        "Town   Fee   Old\nVik  5  4\nOst    7   6\n",
    ):
        assert lines(tmp_path / "a.txt", text) == read_as
    rule = "+------+-----+-----+\n"
    rows = "| Town | Fee | Old |\n" + rule + "| Vik  | 5   |     |\n| Ost  | 7   | 6   |\n"
    assert lines(tmp_path / "a.txt", rule + rows + rule) == (
        *("Town; Fee; Old", "Town: Vik; Fee: 5", "Town: Ost; Fee: 7; Old: 6"),
    )


def test_bars_in_lines_below_each_other_part_the_cells_of_a_plain_text(tmp_path):
    text = "Fares.\n\nTown | Fare\nLunde | 35\nVik | 40\n\nHome | News\n\nIt is 5 | 6.\n"
    table = ("Town; Fare", "Town: Lunde; Fare: 35", "Town: Vik; Fare: 40")
    shown = ("Fares.", *table, "Home | News", "It is 5 | 6.")
    assert lines(tmp_path / "a.txt", text) == shown


def test_a_rule_is_no_row_of_a_table(tmp_path):
    text = "Town | Fare\n---- | ----:\nLunde | 35\nVik | -\n"
    table = ("Town; Fare", "Town: Lunde; Fare: 35", "Town: Vik; Fare: -")
    assert lines(tmp_path / "a.csv", text) == table


def test_a_mark_beside_a_note_within_raised_letters_is_no_part_of_a_year(tmp_path):
    text = r"In 2019\textsuperscript{1,\footnote{Of May.}} it fell."
    assert lines(tmp_path / "a.tex", text)[0] == "In 2019 it fell."


def test_words_of_a_heading_that_bear_classes_are_no_state(tmp_path):
    text = "# [Bridge]{.done .big} opened\n\nIt is long.\n"
    assert "Bridge opened" in {one.title for one in read(tmp_path / "a.md", text)}


def test_a_mark_that_a_page_does_not_raise_stands_before_the_note_of_its_table(tmp_path):
    rows = "".join(f"<tr><td>{a}</td><td>{b}</td></tr>" for a, b in (("Low Lane", 4), ("Hill", 5)))
    mark = '<a href="#n" role="doc-noteref">1</a>'
    page = (
        "<article><h1>Streets of the town</h1><p>The town has more streets than it had in 1990.</p>"
        f"<table><tr><th>Street</th><th>Cost</th></tr><tr><td>Gull Lane {mark}</td><td>3</td></tr>"
        f"{rows}</table><p>More of it is said here.</p><p id='n'>Closed in May.</p></article>"
    )
    assert "Gull Lane: Closed in May." in lines(tmp_path / "a.html", page)
