"""Slides: their text with the numbers of the slides; hidden ones are named and not read."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

from tests.support.doubles import load_nltk_data
from tests.support.packed_documents import write_zip
from uhhrag.documents.document import Document
from uhhrag.documents.pandoc import command
from uhhrag.documents.slides import read_pptx

DECK = (
    "# Fares\n\nThe toll is 30 crowns.\n\n# Draft\n\nThe toll is 90 crowns.\n\n# Berths\n\n"
    "| Berth | Depth |\n|---|---|\n| North | 7 m |\n"
)


def deck(folder: Path, hidden: str = "") -> Path:
    """A deck of three slides, made by pandoc; the slide of this file is hidden."""
    made = folder / "made.pptx"
    to_deck = [command()[0], "-f", "markdown", "-t", "pptx", "-o", str(made)]
    subprocess.run(to_deck, input=DECK.encode(), check=True)
    with zipfile.ZipFile(made) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    if hidden:
        shown = bytes(members[hidden])
        members[hidden] = shown.replace(b"<p:sld ", b'<p:sld show="0" ', 1)
    return write_zip(folder / "a.pptx", members)


def test_a_sentence_of_a_deck_knows_its_slide(tmp_path):
    load_nltk_data()
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


def test_a_hidden_slide_is_named_and_not_read(tmp_path):
    load_nltk_data()
    found, fault = read_pptx(deck(tmp_path, "ppt/slides/slide2.xml"))
    assert isinstance(found, Document)
    assert "The toll is 90 crowns." not in found.lines
    assert found.pages == (1, 1, 3, 3, 3)
    assert fault == "1 slide is hidden and not read: 2"
