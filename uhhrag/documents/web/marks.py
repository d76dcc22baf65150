"""Numbers a page's text runs by marks that the extractor keeps."""

from __future__ import annotations

from uhhrag.documents.segmentation import RUN_MARK, clean
from uhhrag.documents.web.article import PageRun
from uhhrag.documents.web.nodes import is_block
from uhhrag.documents.xml_trees import Element, ends_of, local

_FIRST = 0xE0100


def marked_runs(body: Element) -> list[PageRun]:
    """Writes the marks into `body`."""
    found: list[tuple[tuple[int, int], Element, bool, PageRun]] = []
    ends = ends_of(body)
    titled = frozenset(one for h1 in body.iter("h1") for one in (h1, *h1.iterancestors()))
    for at, block in enumerate(body.iter()):
        if not is_block(block):
            continue
        place, texts, linked, within = block, [block.text or ""], 0, True
        for child in [*block, None]:
            if child is not None and not is_block(child):
                texts += ["".join(child.itertext()), child.tail or ""]
                linked += sum(len(link.text_content()) for link in child.iter("a"))
                continue
            if (text := "".join(texts)).strip():
                key = (at, 0) if within else ends[place]
                found.append((key, place, within, PageRun(block, clean(text), linked, titled)))
            if child is not None:
                place, texts, linked, within = child, [child.tail or ""], 0, False
    found.sort(key=lambda one: one[0])
    for number, (_, place, within, _) in enumerate(found):
        digits = (number // 240**2, number // 240 % 240, number % 240)
        mark = "".join(chr(_FIRST + digit) for digit in digits) + " "
        if within:
            place.text = mark + (place.text or "").lstrip("\n" if local(place) == "pre" else None)
        else:
            place.tail = mark + (place.tail or "").lstrip()
    return [run for *_, run in found]


def marks_in(*texts: str) -> set[int]:
    return {
        sum((ord(c) - _FIRST) * 240**n for n, c in enumerate(reversed(mark.strip())))
        for text in texts
        for mark in RUN_MARK.findall(text)
    }


def unmarked(text: str) -> str:
    return clean(RUN_MARK.sub("", text))
