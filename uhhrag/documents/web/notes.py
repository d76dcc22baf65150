"""Note marks on a web page, and what leads back from them."""

from __future__ import annotations

import re

from uhhrag.documents.segmentation import RUN_MARK
from uhhrag.documents.xml_trees import Element, local

NOTE = "footnote"  # a class
_HOLDERS = ("li", "p", "div", "dd", "td")
_NOTES = {"noteref", "doc-noteref", "annoref", "LegCommentaryLink"}
_NOTES |= {"footnote-ref", "footnote-anchor", "footnote-number"}
_BACK = {"backlink", "doc-backlink", "footnote-back", "reversefootnote"}
_PAGES = {"pagebreak", "doc-pagebreak"}
_MARK = re.compile(r"\s*(?:\[\w{1,4}\]|[*†‡]+|(\d{1,3}))\s*")
_ARROW = re.compile(r"\s*[↩↑⤴^]\ufe0e?\s*")


def is_mark(link: Element) -> bool:
    """By role or place."""
    return bool(_roles(link) & _NOTES) or is_note(link)


def is_aside(element: Element) -> bool:
    """Whether it leads back from a note, or numbers a printed page."""
    back = local(element) == "a" and _ARROW.fullmatch(element.text_content())
    return bool(back or _roles(element) & (_BACK | _PAGES))


def mark_notes(body: Element) -> None:
    """Puts marks in table cells before their notes, those with letters that are no references."""
    ids = {one.get("id"): one for one in body.xpath(".//*[@id]")}
    for link in body.iterfind(".//table//a[@href]"):
        text, note = link.text_content().strip(), ids.get(link.get("href")[1:])
        while note is not None and local(note) in ("a", "sup", "span"):
            note = note.getparent()
        raised = local(link.getparent()) == "sup" or (note is not None and is_mark(link))
        if not (text and raised) or note is None or local(note) not in _HOLDERS:
            continue
        if not (text.strip("[]").isdecimal() or NOTE in note.get("class", "")):
            note.set("class", f"{note.get('class', '')} {NOTE}")
        while len(note) and local(note[0]) in _HOLDERS and not (note.text or "").strip():
            note = note[0]
        if not next(filter(str.strip, note.itertext()), "").strip().startswith(text):
            mark = note.makeelement("sup")
            mark.text, mark.tail, note.text = text, note.text, None
            note.insert(0, mark)


def _roles(element: Element) -> set[str]:
    return {one for key in ("epub:type", "role", "class") for one in element.get(key, "").split()}


def is_note(link: Element) -> bool:
    """Behind a word, or before the note if linked from there, as numbers are."""
    before = link.getprevious()
    around = RUN_MARK.sub("", (link.getparent().text if before is None else before.tail) or "")
    place, mark = link.get("href", ""), _MARK.fullmatch(link.text_content())
    if not (mark and place.startswith("#")):
        return False
    own = link.get("id") or link.get("name") or place[1:]
    back = link.xpath("id($at)/@href", at=place[1:]) if mark[1] else [f"#{own}"]
    linked_from = own != place[1:] and f"#{own}" in back
    begins = linked_from and before is None and not around.strip()
    begins = begins and not re.fullmatch("h[1-6]|t[dh]", local(link.getparent()))
    behind = re.search(r"[^\W_]$|[.,:;!?%)\]\"”’»]$" if mark[1] else r"\S$", around)
    return begins or (bool(behind) and (linked_from or not mark[1]))
