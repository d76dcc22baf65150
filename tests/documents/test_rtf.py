"""RTF as its programs write it."""

from __future__ import annotations

import pytest

from tests.support.packed_documents import odt_table, write_odt
from uhhrag.documents.office.odt import read_odt
from uhhrag.documents.office.rtf import read_rtf

pytestmark = pytest.mark.usefixtures("nltk_loaded")
FONTS = r"{\fonttbl{\f0\fswiss Arial;}{\f1\fmodern Courier New;}}"
ROW = r"\trowd\cellx2000\cellx4000 \pard\intbl\f1 "


def document(file, text):
    file.write_text(r"{\rtf1\ansi" + FONTS + text + "}")
    found, *_ = read_rtf(file)
    return found


def test_cells_in_letters_of_one_width_are_those_of_the_table(tmp_path):
    rows = rf"{ROW}Town\cell Fare\cell\row {ROW}Lunde\cell 35\cell\row \pard It is open.\par"
    found = document(tmp_path / "a.rtf", rows)
    assert found.lines == ("Town; Fare", "Town: Lunde; Fare: 35", "It is open.")


def test_a_title_in_two_encodings_is_that_in_unicode(tmp_path):
    info = (
        r"{\info{\upr{\title ????}{\*\ud{\title \u1055?\u1086?\u1088?\u1090?}}}"
        r"{\author Axel D{\uc1\u246 ?rfler}}{\author Axel D{\uc1\u246 ?rfler}}}It is open.\par"
    )
    found = document(tmp_path / "a.rtf", info)
    assert (found.title, found.author, found.lines) == ("Порт", "Axel Dörfler", ("It is open.",))


@pytest.mark.parametrize(
    ("code", "shown"),
    [
        (r"FORMCHECKBOX }{{\*\formfield{\fftype1\ffres1\ffdefres0}}", "It is sold: ☒"),
        (r"FORMCHECKBOX }{{\*\formfield{\fftype1\ffres0\ffdefres1}}", "It is sold: ☐"),
        (r"FORMCHECKBOX }{{\*\formfield{\fftype1\ffres25\ffdefres1}}", "It is sold: ☒"),
        (
            r"FORMDROPDOWN }{{\*\formfield{\fftype2\ffres1{\*\ffl Yes}{\*\ffl N\'f3}}}",
            "It is sold: Nó",
        ),
        (r"FORMCHECKBOX }{", "It is sold:"),
    ],
)
def test_boxes_and_choices_of_forms_are_as_filled_in(tmp_path, code, shown):
    field = rf"{{\field{{\*\fldinst {{ {code}}}}}{{\fldrslt }}}}"
    assert document(tmp_path / "a.rtf", rf"It is sold: {field}\par").lines == (shown,)


@pytest.mark.parametrize(
    ("above", "within", "level"),
    [
        (r"\pard\ls1", r"\ilvl1 ", 2),
        (r"\pard\ilvl1\ls1", "", 2),
        (r"\pard", r"\ls1\ilvl0 ", 1),
        ("", r"\pard\ls1\ilvl1 ", 2),
    ],
)
def test_items_are_known_by_their_labels_and_levels(tmp_path, above, within, level):
    label = r"{\listtext\pard\plain \'b7\tab}"
    first, second = rf"{above}{{}}{label}{within}The pool\par", rf"{label}The park\par"
    found = document(
        tmp_path / "a.rtf", rf"\pard We sell:\par {first}{second}\pard A hall is built\par"
    )
    assert found.lines == ("We sell:", "The pool", "The park", "A hall is built")
    assert found.items == ((1, level), (2, level))


OUTER = (("Firm", "Ships"), ("Lunde", "Its ships:"), ("Berg", "None."))
INNER = (("Ship", "Berths"), ("Ternen", "40"), ("Lom", "12"))
SHOWN = (
    *("Firm | Ships", "Lunde", "Its ships:", "Ship; Berths", "Ship: Ternen; Berths: 40"),
    *("Ship: Lom; Berths: 12", "Berg | None."),
)


def test_rows_of_a_table_in_a_cell_of_rtf_are_its_own(tmp_path):
    ends = r"{\*\nesttableprops\trowd\cellx900\cellx1900\nestrow}{\nonesttables\par}"
    line = r"\pard\intbl\itap2 "
    inner = "".join(rf"{line}{a}\nestcell{line}{{\b {b}}}\nestcell{ends}" for a, b in INNER)
    cells = [(a, rf"{b}\par {inner}" if b.endswith(":") else b) for a, b in OUTER]
    row = r"\trowd\cellx2000\cellx4000 \pard\intbl "
    rows = "".join(rf"{row}{a}\cell \pard\intbl {b}\pard\intbl\cell\row " for a, b in cells)
    assert document(tmp_path / "a.rtf", rows).lines == SHOWN


def test_rows_of_a_table_in_a_cell_of_an_odt_are_its_own(tmp_path):
    table = odt_table(*OUTER).replace(
        "Its ships:</text:p>", f"Its ships:</text:p>{odt_table(*INNER)}"
    )
    found, *_ = read_odt(write_odt(tmp_path / "a.odt", table))
    assert found.lines == SHOWN


def test_edges_of_rows_that_pandoc_takes_for_none_are_no_text(tmp_path):
    note = r"{\footnote \trowd\cellx2000\cellx4000\intbl x\cell y\cell\row}"
    text = rf"Before.\par{note}{ROW}k\cell l\cell\row\pard End.\par\trowd\cellx1000\row Tail.\par"
    assert not any("000" in line for line in document(tmp_path / "a.rtf", text).lines)


def test_an_empty_paragraph_parts_the_tables_of_an_rtf_but_not_rows_that_all_have_one(tmp_path):
    wide, narrow = r"\trowd\cellx1000\cellx2000\cellx4000 ", r"\trowd\cellx2000\cellx4000 "

    def row(edges, *cells):
        return edges + r"\pard\intbl " + "".join(rf"{one}\cell " for one in cells) + r"\row\pard "

    above = row(wide, "Town", "Fare", "Year") + row(wide, "Ost", "5", "2019")
    below = row(narrow, "Mayor", "Lie") + row(narrow, "Clerk", "Bo")
    found = document(tmp_path / "a.rtf", rf"{above}\par {below}It is so.\par")
    assert found.lines[2:] == ("Mayor: Lie", "Clerk: Bo", "It is so.")
    apart = above.replace(r"\row\pard ", r"\row\pard\par ") + row(wide, "Vik", "6", "2018")
    assert document(tmp_path / "a.rtf", apart).lines[1:] == (
        *("Town: Ost; Fare: 5; Year: 2019", "Town: Vik; Fare: 6; Year: 2018"),
    )


def test_text_that_was_moved_is_read_where_it_is_and_old_boxes_are_read(tmp_path):
    moved = (
        r"{\mvf It was sold.\par}It is shut.{\*\do\dobxpage{\dptxbxtext\pard In a box.\par}}\par "
    )
    found = document(tmp_path / "a.rtf", moved + r"{\mvt It was sold.}\par")
    assert found.lines == ("It is shut.", "In a box.", "It was sold.")
    assert found.note == "with tracked changes"


def test_a_row_without_cells_before_other_paragraphs_is_no_table(tmp_path):
    stray = r"\trowd\cellx2000\cellx4000\intbl\nowidctlpar\pard\plain It is shut.\par "
    rows = "".join(rf"{ROW}{one}\cell {other}\cell\row " for one, other in (("a", "b"), ("c", "d")))
    found = document(tmp_path / "a.rtf", rf"{stray}\pard It was sold.\par {rows}\pard End.\par")
    assert found.lines == ("It is shut.", "It was sold.", "a: b", "c: d", "End.")
    items = r"\ls1\ilvl0{\listtext\pard\plain \'95}No dogs\par {\listtext\pard\plain \'95}No cats"
    one, other = (rf"{ROW}{cell}\cell {cell}\cell\row " for cell in ("Rules", items))
    found = document(tmp_path / "a.rtf", f"{one}{other}")
    assert found.lines[1:] == ("No dogs, No cats; No dogs, No cats",)


def test_a_table_in_a_cell_has_its_own_rows_and_columns(tmp_path):
    end = r"{\*\nesttableprops\trowd\cellx4000\cellx8000\nestrow}{\nonesttables\par}"
    rows = (
        rf"\pard\intbl\itap2 {{\b Berth\nestcell Depth\nestcell}}{end}"
        rf"\pard\intbl\itap2 North\nestcell 7 metres\nestcell{end}"
    )
    outer = rf"\trowd\cellx9000\pard\intbl The pier is open.\par {rows}\pard\intbl\cell\row"
    found = document(tmp_path / "a.rtf", rf"{outer}\pard It ends.\par")
    told = ("The pier is open.", "Berth; Depth", "Berth: North; Depth: 7 metres", "It ends.")
    assert found.lines == told


def test_a_space_in_a_look_of_its_own_is_a_space(tmp_path):
    assert document(tmp_path / "a.rtf", r"Fee:{\i  }5 kr.\par").lines == ("Fee: 5 kr.",)


def test_bold_cells_of_a_table_in_a_cell_stay_cells(tmp_path):
    end = r"{\*\nesttableprops\trowd\cellx4000\cellx8000\nestrow}{\nonesttables\par}"
    rows = "".join(
        rf"\pard\intbl\itap2 {{\b {one}\nestcell}}{other}\nestcell{end}"
        for one, other in (("Berth", "Depth"), ("North", "7 metres"))
    )
    found = document(tmp_path / "a.rtf", rf"\trowd\cellx9000{rows}\pard\intbl\cell\row")
    assert found.lines == ("Berth; Depth", "Berth: North; Depth: 7 metres")
