"""What the readers of DOCX, ODT and PPTX share."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import dropwhile, takewhile
from operator import itemgetter

from uhhrag.documents.blocks import document_of, without_hard_lines
from uhhrag.documents.document import Document, some
from uhhrag.documents.marks import symbol
from uhhrag.documents.pandoc.blocks import ITEM, PAGE_BREAK, blocks_of_pandoc
from uhhrag.documents.pandoc.program import read_by_pandoc
from uhhrag.documents.pandoc.tables import TAB
from uhhrag.documents.plain.printed_mail import printed_mail
from uhhrag.documents.plain.turns import with_speakers
from uhhrag.documents.segmentation import clean
from uhhrag.documents.xml_trees import Element, attribute, named

SIGNS = {0xF000 + code: symbol(code) for code in range(0x20, 0x100)}
_WRITTEN = {code: escape(sign) for code, sign in SIGNS.items()}
TRACKED = "with tracked changes"
_LONGEST_TITLE, _MARKS = 300, re.compile(f"[{PAGE_BREAK}{TAB}{ITEM}]")
OFF = {"0", "false", "off", "none"}


def handed_over(
    members: Mapping[str, bytes], form: str, about: Mapping[str, str], title: str, *, tracked: bool
) -> Document:
    """Pandoc's document of a zip's members, with fields `about` it, the title that it shows if
    they have none, and a note if `tracked`."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, _with_signs(content))
    blocks = blocks_of_pandoc(read_by_pandoc(packed.getvalue(), form)["blocks"], code=True)
    blocks = with_speakers(without_hard_lines(printed_mail(blocks)))
    about = {**about, "title": about.get("title") or title}
    return document_of(blocks, note=TRACKED if tracked else "", **about)


def _with_signs(content: bytes) -> bytes:
    """XML in UTF-8 with the signs of symbol fonts for their codes, U+F020 to U+F0FF."""
    coded = any(start in content for start in (b"\xef\x80", b"\xef\x81", b"\xef\x82", b"\xef\x83"))
    return content.decode("utf-8", "replace").translate(_WRITTEN).encode() if coded else content


def letters(holder: Element) -> str:
    return "".join(part.text or "" for part in named(holder, "t"))


def unread_objects(programs: Iterable[str]) -> Iterator[str]:
    """A clause on embedded objects, if any."""
    names = list(programs)
    if names:
        known = ", ".join(dict.fromkeys(filter(None, names)))[:100]
        yield f"{some(len(names), 'embedded object')} not read" + (f": {known}" if known else "")


def eq_fields(number: int) -> Iterator[str]:
    if number:
        yield f"{some(number, 'formula')} in a field EQ and not read"


def title_of(lines: Iterable[tuple[bool, str]]) -> str:
    """The first lines in a row, with whether they are set as title, that are."""
    titles = takewhile(itemgetter(0), dropwhile(lambda pair: not pair[0], lines))
    return clean(_MARKS.sub(" ", " ".join(text for _, text in titles)))[:_LONGEST_TITLE]


def set_below(box: Element, held: Iterable[Element]) -> None:
    """Put elements after the paragraph around a box."""
    above = next((one for one in box.iterancestors("{*}p")), None)
    if above is not None and above.getparent() is not None:
        for paragraph in reversed(list(held)):
            above.addnext(paragraph)


def inherited(name: str, based: Mapping[str, str], own: Mapping[str, bool]) -> bool:
    """What a style or its nearest base says, else False."""
    seen: set[str] = set()
    while name and name not in own and name not in seen:
        seen.add(name)
        name = based.get(name, "")
    return own.get(name, False)


def is_on(mark: Element) -> bool:
    return attribute(mark, "val", "1").lower() not in OFF


def value_at(element: Element | None, *path: str) -> str:
    """The `val` of the child at a path, or ""."""
    found = None if element is None else element.find("/".join(f"{{*}}{name}" for name in path))
    return "" if found is None else attribute(found, "val")
