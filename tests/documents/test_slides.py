"""Slides: their text with the numbers of the slides; hidden ones are named and not read."""

from __future__ import annotations

import re
import subprocess
import zipfile
from pathlib import Path

import pytest

from tests.support.packed_documents import write_zip
from uhhrag.documents.document import Document
from uhhrag.documents.headings import sections_in, with_leads
from uhhrag.documents.office.slides import read_pptx
from uhhrag.documents.pandoc.program import command

pytestmark = pytest.mark.usefixtures("nltk_loaded")

DECK = (
    "# Fares\n\nThe toll is 30 crowns.\n\n# Draft\n\nThe toll is 90 crowns.\n\n# Berths\n\n"
    "| Berth | Depth |\n|---|---|\n| North | 7 m |\n"
)


def deck(folder: Path, hidden: str = "", text: str = DECK) -> Path:
    """A deck of three slides, made by pandoc; the slide of this file is hidden."""
    made = folder / "made.pptx"
    to_deck = [command()[0], "-f", "markdown", "-t", "pptx", "-o", str(made)]
    subprocess.run(to_deck, input=text.encode(), check=True)
    with zipfile.ZipFile(made) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    if hidden:
        shown = bytes(members[hidden])
        members[hidden] = shown.replace(b"<p:sld ", b'<p:sld show="0" ', 1)
    return write_zip(folder / "a.pptx", members)


def test_a_sentence_of_a_deck_knows_its_slide(tmp_path):
    (found,) = read_pptx(deck(tmp_path))
    assert isinstance(found, Document)
    assert dict(zip(found.lines, found.pages, strict=True)) == {
        "Fares": 1,
        "The toll is 30 crowns.": 1,
        "Draft": 2,
        "The toll is 90 crowns.": 2,
        "Berths": 3,
        "Berth; Depth": 3,
        "Berth: North; Depth: 7 m": 3,
    }
    assert found.unit == "slide"


def test_a_deck_that_nobody_named_is_titled_by_its_first_slide(tmp_path):
    (found,) = read_pptx(deck(tmp_path))
    assert isinstance(found, Document)
    assert found.title == "Fares"
    (found,) = read_pptx(deck(tmp_path, text=f"The toll rose.\n\n---\n\n{DECK}"))
    assert isinstance(found, Document)
    assert not found.title


_OFFICE = "http://schemas.openxmlformats.org"
_SPACES = (
    f'xmlns:p="{_OFFICE}/presentationml/2006/main" xmlns:a="{_OFFICE}/drawingml/2006/main" '
    f'xmlns:mc="{_OFFICE}/markup-compatibility/2006" xmlns:m="{_OFFICE}/officeDocument/2006/math" '
    'xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main"'
)


def test_formulas_are_read_and_charts_and_numbers_of_slides_are_no_text(tmp_path):
    with zipfile.ZipFile(deck(tmp_path)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    about = "<p:nv{0}Pr><p:cNvPr id='9' name='x'/><p:cNv{0}Pr/><p:nvPr/></p:nv{0}Pr>"
    up = (
        "<m:sSup><m:e><m:r><m:t>10</m:t></m:r></m:e><m:sup><m:r><m:t>6</m:t></m:r></m:sup></m:sSup>"
    )
    shapes = (
        f"<mc:AlternateContent {_SPACES}><mc:Choice Requires='a14'><p:sp>{about.format('Sp')}"
        "<p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>It has </a:t></a:r><a14:m><m:oMathPara>"
        f"<m:oMath>{up}</m:oMath></m:oMathPara></a14:m><a:r><a:t> cells.</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
        f"</mc:Choice><mc:Fallback><p:sp>{about.format('Sp')}<p:spPr/></p:sp></mc:Fallback>"
        f"</mc:AlternateContent><p:graphicFrame {_SPACES}>{about.format('GraphicFrame')}<p:xfrm/>"
        f"<a:graphic><a:graphicData uri='{_OFFICE}/drawingml/2006/chart'/></a:graphic>"
        "</p:graphicFrame>"
    )
    slide, relations = "ppt/slides/slide1.xml", "ppt/_rels/presentation.xml.rels"
    shown = bytes(members[slide]).replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
    members[slide] = shown.replace(b'type="title"', b'type="body"')
    members[relations] = bytes(members[relations]).replace(b'"slides/', b'"/ppt/slides/')
    found = next(read_pptx(write_zip(tmp_path / "b.pptx", members)))
    assert isinstance(found, Document)
    assert found.lines[:3] == ("Fares", "The toll is 30 crowns.", "It has 10^6 cells.")
    assert not [line for line in found.lines if "Graphic" in line or "Slide" in line]


def test_a_draft_beside_the_slide_is_not_read(tmp_path):
    with zipfile.ZipFile(deck(tmp_path)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    shape = (
        f"<p:sp {_SPACES}><p:nvSpPr><p:cNvPr id='9' name='x'/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>"
        "<p:spPr><a:xfrm><a:off x='{}' y='9'/><a:ext cx='400' cy='90'/></a:xfrm></p:spPr>"
        "<p:txBody><a:bodyPr/><a:p><a:r><a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    texts = ((-900, "It leaks."), (99_000_000, "It sank."), (-200, "It is sound."))
    shapes = "".join(shape.format(*text) for text in texts)
    slide = "ppt/slides/slide1.xml"
    shown = bytes(members[slide]).replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
    found = next(read_pptx(write_zip(tmp_path / "b.pptx", {**members, slide: shown})))
    assert isinstance(found, Document)
    assert found.lines[:4] == ("Fares", "The toll is 30 crowns.", "It is sound.", "Draft")


BOX = (
    f"<p:sp {_SPACES}><p:nvSpPr><p:cNvPr id='9' name='x'/><p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>"
    "<a:xfrm><a:off x='{}' y='{}'/><a:ext cx='900000' cy='300000'/></a:xfrm>{}</p:spPr><p:txBody>"
    "<a:bodyPr/><a:p><a:r><a:rPr{}<a:t>{}</a:t></a:r></a:p></p:txBody></p:sp>"
)


def boxes_read(folder: Path, *boxes: str) -> tuple[str, ...]:
    """What is read of these shapes on the first slide."""
    with zipfile.ZipFile(deck(folder)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    slide = "ppt/slides/slide1.xml"
    shown = bytes(members[slide]).replace(b"</p:spTree>", f"{''.join(boxes)}</p:spTree>".encode())
    found = next(read_pptx(write_zip(folder / "b.pptx", {**members, slide: shown})))
    assert isinstance(found, Document)
    return found.lines[2 : found.lines.index("Draft")]


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        (((1, 3, "Last."), (1, 1, "First."), (1, 2, "Then.")), ("First.", "Then.", "Last.")),
        (((2, 1, "35"), (1, 1, "Adults"), (2, 2, "12"), (1, 2, "Children")),
         ("Adults", "35", "Children", "12")),
        (((1, 1, "Left"), (1, 2, "below it"), (2, 1, "Right"), (2, 2, "below that")),
         ("Left", "below it", "Right", "below that")),
    ],
)  # fmt: skip
def test_shapes_are_read_from_the_top_and_the_left(tmp_path, drawn, read):
    made = [BOX.format(x * 1_000_000, y * 500_000, "", "/>", text) for x, y, text in drawn]
    assert boxes_read(tmp_path, *made) == read
    group = "<p:grpSp><p:nvGrpSpPr/><p:grpSpPr/>{}</p:grpSp>".format("".join(made))
    assert boxes_read(tmp_path, group.replace("<p:grpSp>", f"<p:grpSp {_SPACES}>")) == read


CLEAR, SHADE = "<a:alpha val='0'/>", "<a:lumMod val='5'/>"


def colour(name: str, kind: str = "srgbClr", more: str = "") -> str:
    return f"<a:solidFill><a:{kind} val='{name}'>{more}</a:{kind}></a:solidFill>"


@pytest.mark.parametrize(
    ("fill", "look", "seen"),
    [
        ("", f">{colour('FFFFFF')}</a:rPr>", False),
        ("", f">{colour('bg1', 'schemeClr')}</a:rPr>", False),
        ("", " sz='100'/>", False),
        ("", f">{colour('333333', more=CLEAR)}</a:rPr>", False),
        (colour("ffffff"), f">{colour('FFFFFF')}</a:rPr>", False),
        (colour("000080"), f">{colour('FFFFFF')}</a:rPr>", True),
        ("<a:gradFill/>", f">{colour('FFFFFF')}</a:rPr>", True),
        ("", f"><a:ln/>{colour('FFFFFF')}</a:rPr>", True),
        ("", f">{colour('tx1', 'schemeClr')}</a:rPr>", True),
        ("", f">{colour('FFFFFF', more=SHADE)}</a:rPr>", True),
        ("", " sz='800'/>", True),
    ],
)
def test_letters_that_nobody_sees_on_a_slide_are_no_text(tmp_path, fill, look, seen):
    box = BOX.format(1_000_000, 4_000_000, fill, look, "It sank.")
    assert boxes_read(tmp_path, box) == ("It sank.",) * seen


def test_white_letters_on_another_shape_or_on_dark_paper_are_read(tmp_path):
    white = BOX.format(1_000_000, 4_000_000, "", f">{colour('FFFFFF')}</a:rPr>", "It sank.")
    dark = BOX.format(900_000, 4_100_000, colour("000080"), "/>", "")
    assert boxes_read(tmp_path, dark, white) == ("It sank.",)
    assert not boxes_read(tmp_path, dark.replace("900000", "9000"), white)
    paper = f"<p:bg {_SPACES}><p:bgPr>{colour('000080')}<a:effectLst/></p:bgPr></p:bg><p:spTree>"
    with zipfile.ZipFile(deck(tmp_path)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    slide = "ppt/slides/slide1.xml"
    shown = bytes(members[slide]).replace(b"</p:spTree>", f"{white}</p:spTree>".encode())
    members[slide] = shown.replace(b"<p:spTree>", paper.encode())
    found = next(read_pptx(write_zip(tmp_path / "c.pptx", members)))
    assert isinstance(found, Document)
    assert "It sank." in found.lines


def test_a_hidden_slide_is_named_and_not_read(tmp_path):
    found, fault = read_pptx(deck(tmp_path, "ppt/slides/slide2.xml"))
    assert isinstance(found, Document)
    assert "The toll is 90 crowns." not in found.lines
    assert found.pages == (1, 1, 3, 3, 3)
    assert fault == "1 slide is hidden and not read: 2"


def test_charts_of_slides_are_lines_and_embedded_objects_are_said(tmp_path):
    with zipfile.ZipFile(deck(tmp_path)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    chart = f"{_OFFICE}/drawingml/2006/chart"
    office = f"{_OFFICE}/officeDocument/2006/relationships"
    about = "<p:nvGraphicFramePr><p:cNvPr id='9' name='x'/></p:nvGraphicFramePr>"
    frame = f"<p:graphicFrame {_SPACES}>{about}<a:graphic><a:graphicData>{{}}</a:graphicData>"
    frame += "</a:graphic></p:graphicFrame>"
    drawn = frame.format(f"<c:chart xmlns:c='{chart}' xmlns:r='{office}' r:id='c1'/>")
    items = "".join(
        f"<a:p><a:pPr><a:buFont typeface='Wingdings'/><a:buChar char='{sign}'/></a:pPr><a:r><a:t>"
        f"{text}</a:t></a:r></a:p>"
        for sign, text in (("\u00fb", "Swim alone."), ("\u00a7", "Dive."))
    )
    shapes = drawn + frame.format("<p:oleObj progId='Equation.3'/>")
    shapes += f"<p:sp {_SPACES}><p:txBody>{items}</p:txBody></p:sp>"
    slide, names = "ppt/slides/slide1.xml", "ppt/slides/_rels/slide1.xml.rels"
    members[slide] = bytes(members[slide]).replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
    more = b'<Relationship Id="c1" Type="x" Target="../charts/c.xml"/></Relationships>'
    members[names] = bytes(members[names]).replace(b"</Relationships>", more)
    point = "<c:pt idx='0'><c:v>{}</c:v></c:pt>".format
    for labels, shown in (
        ("", "412"),
        ("<c:numFmt formatCode='0.0' sourceLinked='0'/><c:showVal/>", "412.0"),
        ("<c:numFmt formatCode='0' sourceLinked='0'/><c:showVal val='0'/>", "412"),
        ("<c:showVal val='0'/><c:showPercent val='1'/>", "80%"),
    ):
        other = "<c:pt idx='1'><c:v>103</c:v></c:pt><c:pt idx='2'><c:v>#N/A</c:v></c:pt>"
        members["ppt/charts/c.xml"] = (
            f"<c:chartSpace xmlns:c='{chart}'><c:pieChart><c:ser><c:tx>{point('Births')}</c:tx>"
            f"<c:cat>{point('2019')}</c:cat><c:val>{point('412')}{other}</c:val></c:ser><c:dLbls>"
            f"{labels}</c:dLbls></c:pieChart></c:chartSpace>"
        )
        found, clause = read_pptx(write_zip(tmp_path / "b.pptx", members))
        assert isinstance(found, Document)
        assert found.lines[:3] == ("Fares", "The toll is 30 crowns.", f"2019; Births: {shown}")
        assert {"✗ Swim alone.", "Dive."} <= {*found.lines}
        assert clause == "1 embedded object is not read: Equation.3"


def test_a_cell_over_a_row_of_a_slide_is_one_and_letters_of_symbol_fonts_are_signs(tmp_path):
    with zipfile.ZipFile(deck(tmp_path)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    slide = "ppt/slides/slide3.xml"
    head, _, row = bytes(members[slide]).decode().rpartition("<a:tr ")
    wide = row.replace("<a:tc>", '<a:tc gridSpan="2">', 1).replace("<a:tc>", '<a:tc hMerge="1">')
    font = '<a:rPr><a:sym typeface="Wingdings"/></a:rPr><a:t>\u00fb'
    wide = re.sub(r"<a:rPr ?/><a:t>North", font, wide)
    members[slide] = f"{head}<a:tr {wide.replace('7 m', '')}"
    (found,) = read_pptx(write_zip(tmp_path / "b.pptx", members))
    assert isinstance(found, Document)
    assert found.lines[-2:] == ("Berth; Depth", "Berth: ✗")


def test_items_of_an_item_end_with_it_and_columns_compared_have_headings(tmp_path):
    text = "# Plan\n\n- We will not:\n    - Close the pool\n- Build a hall\n\n# Options\n\nBoth\n"
    with zipfile.ZipFile(deck(tmp_path, text=text)) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    shape = (
        f"<p:sp {_SPACES}><p:nvSpPr><p:nvPr>{{}}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{{}}"
        "</a:t></a:r></a:p></p:txBody></p:sp>"
    )
    head, rest = "<p:ph type='body' idx='1'/>", "<p:ph idx='2'/>"
    texts = ((head, "Bridge"), (rest, "It is cheap"), (head, "Tunnel"), (rest, "It is dear"))
    slide = "ppt/slides/slide2.xml"
    shapes = "".join(shape.format(*one) for one in texts)
    shown = bytes(members[slide]).replace(b"</p:spTree>", f"{shapes}</p:spTree>".encode())
    for name in [name for name in members if "slideLayouts/slideLayout" in name]:
        members[name] = re.sub(rb'type="obj"', b'type="twoTxTwoObj"', bytes(members[name]), count=1)
    led = shape.format("", "Not built:</a:t></a:r></a:p><a:p><a:r><a:t>A bridge")
    for more, heading in (("", "Options – Tunnel"), (led + shape.format("", "A hall"), "Options")):
        whole = shown.replace(b"</p:spTree>", f"{more}</p:spTree>".encode())
        (found,) = read_pptx(write_zip(tmp_path / "b.pptx", {**members, slide: whole}))
        assert isinstance(found, Document)
        sections, section = dict(with_leads(found, sections_in(found))), ""
        held = {line: (section := sections.get(n, section)) for n, line in enumerate(found.lines)}
        assert held["Close the pool"] == "We will not:"
        assert held["Build a hall"] == ""
        assert held["It is dear"] == heading
        assert not more or (held["A bridge"], held["A hall"]) == ("Options – Not built:", "Options")
