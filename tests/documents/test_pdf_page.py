"""A page of a PDF as a picture: the sentence is found over line ends, and marked."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from scripts.benchmarks.set_as_pdf import set_html
from tests.support.documents import write_pdf
from uhhrag.documents.document import Unreadable
from uhhrag.documents.pdf.page import png, rectangles, render_page

SENTENCE = "The harbour of Varnby was dredged in the spring of the year."


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "x.pdf"
    write_pdf(
        path, [["Nothing."], ["The harbour of Varnby was dred-", "ged in the spring of the year."]]
    )
    return path


def test_a_sentence_over_two_lines_is_found_on_both(file):
    import pypdfium2

    with pypdfium2.PdfDocument(file) as pdf:
        text = pdf[1].get_textpage()
        found = rectangles(text, SENTENCE)
        assert len(found) == 2
        assert all(left < right and low < high for left, low, right, high in found)
        assert found[0][1] > found[1][1]  # the first line is above the second
        assert rectangles(text, "Not there.") == rectangles(text, "") == []


def test_a_row_of_a_table_is_found_by_its_cells(tmp_path):
    import pypdfium2

    rows = "<tr><td>Ship</td><td>Built</td></tr><tr><td>Skarv</td><td>2019</td></tr>"
    file = set_html(tmp_path / "x.pdf", f"<p>Skarv is a bird.</p><table>{rows}</table>")
    with pypdfium2.PdfDocument(file) as pdf:
        text = pdf[0].get_textpage()
        bird, row = (
            rectangles(text, "Skarv is a bird."),
            rectangles(text, "Ship: Skarv; Built: 2019"),
        )
        assert len(bird) == 1
        assert len(row) == 2
        assert max(top for *_, top in row) < bird[0][1]
        assert rectangles(text, "Skarv: 2019") == row
        assert rectangles(text, "Ship: Skarv; Built: 2020") == []


def test_the_mark_colours_the_page_and_nothing_else_does(file):
    marked, plain = render_page(file, 2, SENTENCE), render_page(file, 2, "")
    assert marked.startswith(b"\x89PNG")
    assert marked != plain


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_the_mark_lies_on_the_sentence_of_a_page_that_is_turned_and_cropped(tmp_path, turn):
    import pypdfium2

    file, shown = write_pdf(tmp_path / "x.pdf", [[SENTENCE]]), tmp_path / "y.pdf"
    with pypdfium2.PdfDocument(file) as pdf:
        pdf[0].set_rotation(turn)
        pdf[0].set_cropbox(15, 500, 500, 830)
        pdf.save(shown)
    marked, plain = (
        np.asarray(Image.open(io.BytesIO(render_page(shown, 1, sentence)))).astype(int)
        for sentence in (SENTENCE, "")
    )
    changed, letters = (marked != plain).any(axis=2), plain.sum(axis=2) < 300
    assert 0 < changed.mean() < 0.1
    for axis in (0, 1):
        (text,), (mark,) = np.nonzero(letters.any(axis=axis)), np.nonzero(changed.any(axis=axis))
        assert mark[0] <= text[0]
        assert text[-1] <= mark[-1]


def test_the_picture_is_png_of_the_given_rows():
    pixels = np.arange(2 * 3 * 3, dtype=np.uint8).reshape(2, 3, 3)
    assert (np.asarray(Image.open(io.BytesIO(png(pixels)))) == pixels).all()


def test_what_is_no_pdf_and_a_page_that_is_not_there_are_refused(file, tmp_path):
    with pytest.raises(Unreadable, match="no page 3"):
        render_page(file, 3, "x")
    (tmp_path / "y.pdf").write_text("no")
    with pytest.raises(Unreadable, match="not a PDF"):
        render_page(tmp_path / "y.pdf", 1, "x")
