"""What marked texts say of themselves, and how their items and boxes are named."""

from __future__ import annotations

import pytest

from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.web.markup import read_mediawiki

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def read(file, content) -> Document:
    file.write_text(content)
    (document,) = imported(FORMATS[kind_of(file)].reader)(file)
    assert isinstance(document, Document)
    return document


@pytest.mark.parametrize(
    ("name", "text", "about", "read_as"),
    [
        (
            "a.tex",
            "\\title{Quay}\\author{Ines Calder \\and Ole Berg}\\subtitle{Of the board}"
            "\\date{June 2022}\n\\begin{document}\\maketitle It is open.\\end{document}",
            ("Quay", "Ines Calder, Ole Berg", "2022-06"),
            ("Of the board", "It is open."),
        ),
        (
            "a.rst",
            "Quay\n====\n\n:Author: Ines Calder\n:Date: 3 June 2022\n:Fare: 35 crowns\n\n"
            "It is open.\n",
            ("Quay", "Ines Calder", "2022-06-03"),
            ("Fare: 35 crowns", "It is open."),
        ),
        (
            "a.rst",
            "Quay\n====\n\nIts toll\n--------\n\nIt is open.\n\nIts depth\n---------\n\n5 m.\n",
            ("Quay", "", ""),
            ("Its toll", "It is open.", "Its depth", "5 m."),
        ),
        (
            "a.md",
            "---\ntitle: Quay\nauthor:\n  - name: I. Calder\n  - 'Ole Berg'\ndate: June 2022\n---\n"
            "It is open.\n",
            ("Quay", "I. Calder, Ole Berg", "2022-06"),
            ("It is open.",),
        ),
        (
            "a.md",
            '---\nauthors: ["Ines Calder"]\ntags:\n- ports\n---\nIt is open.\n',
            ("", "Ines Calder", ""),
            ("It is open.",),
        ),
        (
            "a.md",
            "% Quay\n% Ines Calder\n% June 2022\n\n<b>It is open.</b>\n",
            ("Quay", "Ines Calder", "2022-06"),
            ("It is open.",),
        ),
        (
            "a.dbk",
            "<article><para>It <phrase revisionflag='deleted'>was sold</phrase><phrase "
            "revisionflag='added'>is open</phrase>.</para></article>",
            ("", "", ""),
            ("It is open.",),
        ),
        (
            "a.dbk",
            "<article><info><title>Quay</title><author><personname><firstname>Ines</firstname>"
            "<surname>Calder</surname></personname></author></info><para>It is open.</para>"
            "</article>",
            ("Quay", "Ines Calder", ""),
            ("It is open.",),
        ),
    ],
)
def test_title_author_and_date_are_those_that_it_states(tmp_path, name, text, about, read_as):
    document = read(tmp_path / name, text)
    assert (document.title, document.author, document.date) == about
    assert document.lines == read_as


@pytest.mark.parametrize(
    ("name", "text", "read_as"),
    [
        (
            "a.html",
            "<ol type=a start=2><li>It is shut.<li>It is open.</ol><ol type=I start=4><li>Sold."
            "</ol><ol start=3><li>Built.</ol><ol type=A><li>Left.</ol>",
            ("b. It is shut.", "c. It is open.", "IV. Sold.", "3. Built.", "Left."),
        ),
        ("a.rst", "iv) Sold.\nv) Built.\n", ("iv) Sold.", "v) Built.")),
        (
            "a.rst",
            ".. note:: It is shut.\n\n.. admonition:: In May\n\n   It is open.\n",
            ("It is shut.", "In May", "It is open."),
        ),
    ],
)
def test_items_have_the_marks_that_are_shown(tmp_path, name, text, read_as):
    assert read(tmp_path / name, text).lines == read_as


SPANS = (
    '{| class="wikitable"\n! rowspan="2" | Town\n! colspan=2 | Fare\n|-\n! 2018 !! 2019\n|-\n'
    '| rowspan=2 | Ost || 30 || 35\n|-\n| 31 || 36\n|-\n! colspan="3" | Outer towns\n|-\n'
    "| Vik || 40 || {{increase}} 45\n|}\n"
)
ITEMS = (
    r"\begin{itemize}\item[(a)] It is open. \item[$\bullet$] It sails. \item[\textbf{Fee}] Low."
    r"\end{itemize}\begin{description}\item[Owner] The county.\end{description}"
)


@pytest.mark.parametrize(
    ("name", "text", "read_as"),
    [
        *(
            (
                "a.wiki",
                f"{SPANS}{more}",
                (
                    "Town; Fare – 2018; Fare – 2019",
                    "Town: Ost; Fare – 2018: 30; Fare – 2019: 35",
                    "Town: Ost; Fare – 2018: 31; Fare – 2019: 36",
                    "Outer towns",
                    "Town: Vik; Fare – 2018: 40; Fare – 2019: 45",
                    *said,
                ),
            )
            for more, said in (("", ()), ("<u>It is open.</u>", ("It is open.",)))
        ),
        (
            "a.md",
            "It is open. %% It fell. %%\n\nSee [[Os|the town]] and [[Vik]], not [[1]](b).\n",
            ("It is open.", "See the town and Vik, not [1]."),
        ),
        ("a.wiki", "<gallery>\nFile:A b.jpg|The quay\n</gallery>\n", ("The quay",)),
        (
            "a.tex",
            ITEMS,
            ("(a) It is open.", "It sails.", "Fee Low.", "Owner: The county."),
        ),
        ("a.tex", r"It is open. \textcolor{white}{It was sold.}", ("It is open.",)),
        (
            "a.tex",
            r"It is open. \colorbox{black}{\textcolor{white}{It sails.}}",
            ("It is open.", "It sails."),
        ),
    ],
)
def test_cells_and_items_are_those_that_are_shown(tmp_path, name, text, read_as):
    assert read(tmp_path / name, text).lines == read_as


def test_the_caption_of_a_picture_in_wikitext_is_read(tmp_path):
    pictures = "[[File:a.jpg|thumb|200px|The [[quay|old quay]] in 1911]] [[Image:b.png|thumb]]"
    (tmp_path / "a.wiki").write_text(f"It is open. {pictures} It is new.")
    found = next(one for one in read_mediawiki(tmp_path / "a.wiki") if isinstance(one, Document))
    assert found.lines == ("It is open.", "The old quay in 1911", "It is new.")
