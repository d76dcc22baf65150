"""Pictures as documents; runs in the reading process."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from uhhrag.documents.document import Document, Scanned, Unreadable
from uhhrag.documents.ocr import MOST_PIXELS, Recognised
from uhhrag.documents.segmentation import in_order, paragraphs, split_sentences

Pixels = npt.NDArray[np.uint8]
_MIN_SIZE = 100, 30
"""Pixels across and down; less is no page."""
_MOST_FRAMES = 2_000
_KIND_OF_PAGE = 254
"""TIFF's NewSubfileType, whose first bit marks a smaller copy."""
_OPENED = ("PNG", "JPEG", "TIFF")


def read_picture(
    path: Path, recognised: Mapping[int, Recognised] | None = None
) -> tuple[Document, ...]:
    """Perhaps without lines. Raises Scanned if no page is recognised."""
    if not recognised:
        raise Scanned("is a picture", _pages(path))
    lines = [(line, n) for n, page in sorted(recognised.items()) for line in page.lines]
    found = in_order(map(split_sentences, paragraphs(lines)))
    return (replace(found, ocr=page_confidences(found.pages, recognised)),)


def page_confidences(
    pages: Sequence[int], recognised: Mapping[int, Recognised]
) -> tuple[int | None, ...]:
    """OCR's confidence by line, None on a page of text."""
    sure = {number: page.sure for number, page in recognised.items()}
    return tuple(map(sure.get, pages)) if sure else ()


def _pages(path: Path) -> tuple[int, ...]:
    """From 1, without smaller copies; none if too small."""
    with _opened(path) as picture:
        if picture.width < _MIN_SIZE[0] or picture.height < _MIN_SIZE[1]:
            return ()
        if picture.format != "TIFF":  # the second of a telephone's JPEG is a copy
            return (1,)
        if (frames := picture.n_frames) > _MOST_FRAMES:
            raise Unreadable(f"has {frames:,} pages; at most {_MOST_FRAMES:,} are read; split it")
        return tuple(n for n in range(1, frames + 1) if not _is_copy(picture, n))


def _is_copy(picture: Any, number: int) -> bool:
    picture.seek(number - 1)
    return bool(picture.tag_v2.get(_KIND_OF_PAGE, 0) & 1)


def _opened(path: Path) -> Any:
    """To be closed by the caller."""
    Image.MAX_IMAGE_PIXELS = 4 * MOST_PIXELS
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return Image.open(path, formats=_OPENED)
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
        raise Unreadable("has more pixels than a page; refused") from error
    except Exception as error:
        raise Unreadable("is not a picture, or is damaged") from error


def picture_page(path: Path, number: int, *, grey: bool = True) -> Pixels:
    """A page, from 1, upright: rows of pixels, one byte or three each."""
    with _opened(path) as picture:
        try:
            picture.seek(number - 1)
            drawn = ImageOps.exif_transpose(picture)
            if drawn.mode.startswith("I"):  # 16 bits, of which conversion would keep the low ones
                drawn = drawn.convert("I").point(lambda value: value / 256)
            if drawn.has_transparency_data:
                paper = Image.new("RGBA", drawn.size, "white")
                paper.alpha_composite(drawn.convert("RGBA"))
                drawn = paper
            drawn = drawn.convert("L" if grey else "RGB")
            shrink = (MOST_PIXELS / (drawn.width * drawn.height)) ** 0.5
            if shrink < 1:
                drawn = drawn.resize((int(drawn.width * shrink), int(drawn.height * shrink)))
            return np.array(drawn)
        except Exception as error:
            raise Unreadable("is damaged") from error
