"""Pictures as documents: pixels of their pages, and their OCR text; runs in the reading process."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from uhhrag.documents.document import Document, Scanned, Unreadable
from uhhrag.documents.ocr import MOST_PIXELS, Recognised
from uhhrag.documents.segmentation import paragraphs, split_paragraphs

Pixels = npt.NDArray[np.uint8]
_SMALLEST = 100, 30
"""Pixels across and down; what is smaller is no page."""
_MOST_FRAMES = 2_000
_OPENED = ("PNG", "JPEG", "TIFF")


def read_picture(
    path: Path, recognised: Mapping[int, Recognised] | None = None
) -> tuple[Document, ...]:
    """The document of a picture's recognised pages, perhaps without lines. Raises Scanned if not
    recognised, Unreadable for no picture."""
    if not recognised:
        raise Scanned("is a picture", tuple(range(1, _frames(path) + 1)))
    lines, pages, starts = split_paragraphs(
        paragraphs([(line, n) for n, page in sorted(recognised.items()) for line in page.lines])
    )
    return (Document(lines, pages, starts=starts, ocr=page_confidences(pages, recognised)),)


def page_confidences(
    pages: Sequence[int], recognised: Mapping[int, Recognised]
) -> tuple[int | None, ...]:
    """OCR's confidence in the page of each line, None for a page of text."""
    sure = {number: page.sure for number, page in recognised.items()}
    return tuple(map(sure.get, pages)) if sure else ()


def _frames(path: Path) -> int:
    with _opened(path) as picture:
        frames = int(getattr(picture, "n_frames", 1))
        if picture.width < _SMALLEST[0] or picture.height < _SMALLEST[1]:
            return 0
    return min(frames, _MOST_FRAMES)


def _opened(path: Path) -> Any:
    """Pillow's picture, to be closed by the caller."""
    from PIL import Image

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
    """A page of a picture, from 1, upright: rows of pixels of one byte or three. Raises
    Unreadable."""
    from PIL import ImageOps

    with _opened(path) as picture:
        try:
            picture.seek(number - 1)
            turned = ImageOps.exif_transpose(picture)
            drawn = turned.convert("RGBA") if "A" in turned.getbands() else turned.convert("RGB")
            shrink = (MOST_PIXELS / (drawn.width * drawn.height)) ** 0.5
            if shrink < 1:
                drawn = drawn.resize((int(drawn.width * shrink), int(drawn.height * shrink)))
            pixels: npt.NDArray[np.floating] = np.asarray(drawn, dtype=np.float32)
        except Exception as error:
            raise Unreadable("is damaged") from error
    if pixels.shape[2] == 4:  # on white paper
        cover = pixels[:, :, 3:] / 255
        pixels = pixels[:, :, :3] * cover + 255 * (1 - cover)
    drawn_in = pixels @ np.array([0.299, 0.587, 0.114], dtype=np.float32) if grey else pixels
    return np.asarray(drawn_in.round(), dtype=np.uint8)
