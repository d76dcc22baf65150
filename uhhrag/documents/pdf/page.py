"""A page as a picture, a sentence marked; runs in the reading process.

The search ignores white space, hyphens and, in rows, column names.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from uhhrag.documents.document import Unreadable
from uhhrag.documents.pdf.places import FILLER, placed_text
from uhhrag.documents.pdf.reader import open_pdf
from uhhrag.documents.scans import Pixels, picture_page

_WIDTH = 1200
"""Pixels."""
_TALLEST = 4800
_SHARES = np.array([0.45, 0.9, 1.0])
"""What a mark leaves of blue, green and red: yellow."""
_LETTER = re.compile(rf"[^\s\u00ad\u0002\ufffe{FILLER}-]")


def render_picture(path: Path, number: int, sentence: str) -> bytes:
    """Page `number` of a picture, from 1, as PNG. Raises Unreadable."""
    return png(picture_page(path, number, grey=False))


def render_page(path: Path, number: int, sentence: str) -> bytes:
    """Page `number`, from 1, as PNG, the sentence marked if found. Raises Unreadable, also without
    such a page."""
    with open_pdf(path) as pdf:
        try:
            if not 0 < number <= len(pdf):
                raise Unreadable(f"has no page {number}")
            page = pdf[number - 1]
            width, height = page.get_size()
            scale = min(_WIDTH / max(width, 1), _TALLEST / max(height, 1))
            drawn = page.render(scale=scale, draw_annots=False)
            picture = drawn.to_numpy()[:, :, :3].copy()
            place = drawn.get_posconv(page).to_bitmap  # of a page that may be turned or cropped
            for left, low, right, high in rectangles(page.get_textpage(), sentence):
                _mark(picture, place(left, low), place(right, high))
        except RuntimeError as error:  # as PDFium's own error is
            raise Unreadable("is damaged") from error
    return png(picture[:, :, ::-1])


def rectangles(text_page: Any, sentence: str) -> list[tuple[float, float, float, float]]:
    """Left, bottom, right, top of each line, in points of the page's own system."""
    letters = list(_LETTER.finditer(placed_text(text_page)))
    text = "".join(letter[0] for letter in letters)
    for wanted in _as_written(sentence):
        bare = "".join(_LETTER.findall(wanted))
        if bare and (at := text.find(bare)) >= 0:
            first, last = letters[at].start(), letters[at + len(bare) - 1].start()
            lines = text_page.count_rects(first, last - first + 1)
            return [text_page.get_rect(line) for line in range(lines)]
    return []


def _as_written(sentence: str) -> Iterator[str]:
    yield sentence
    yield sentence.replace(": ", " ")  # names and values that are no columns
    if "; " in sentence:
        cells = (part.partition(": ") for part in sentence.split("; "))
        yield " ".join(value or name for name, _, value in cells)


def _mark(picture: Pixels, *corners: tuple[int, int]) -> None:
    columns, rows = (
        slice(max(0, min(ends) - 2), max(0, max(ends) + 3)) for ends in zip(*corners, strict=True)
    )
    picture[rows, columns] = (picture[rows, columns] * _SHARES).astype(np.uint8)


def png(pixels: Pixels) -> bytes:
    packed = io.BytesIO()
    Image.fromarray(pixels).save(packed, "PNG")
    return packed.getvalue()
