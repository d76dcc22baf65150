"""Text of a web page that no paragraph holds, which the extractor drops."""

from __future__ import annotations

import re
from collections.abc import Sequence
from copy import deepcopy

from uhhrag.documents.html_article import PageRun
from uhhrag.documents.html_nodes import is_block
from uhhrag.documents.xml_trees import Element, local

_HOLDERS = ("div", "td", "blockquote", "section", "article", "main", "dd", "center")
_SENTENCES = re.compile(r"\s*(?:\S+\s+){4,}\S*[.!?…][\"”’)\]]*\s*\Z")

_LONG = 100
"""Characters of a `div` that is a paragraph."""
_PROGRAM = re.compile(
    r"\b(?:pandoc|Microsoft Word|(?:Libre|Open)Office|Asciidoctor|TeX4ht)\b", re.IGNORECASE
)


def loose_runs(runs: Sequence[PageRun], main: set[int]) -> set[int]:
    """Positions of sentences that no paragraph holds, between those of `main` or in boxes like
    those there: others are of teasers and notices."""
    held = ((at, run) for at, run in enumerate(runs) if local(run.block) in _HOLDERS)
    loose = {at for at, run in held if run.is_sentence and run.may_belong} - main
    within = {at for at in loose if min(main) < at < max(main)}
    kinds = {_kind(runs[at]) for at in within | main}
    return {at for at in loose if at in within or _kind(runs[at]) in kinds}


def _kind(run: PageRun) -> tuple[tuple[str, str], ...]:
    return tuple((local(one), one.get("class", "")) for one in run.around[:3])


def is_export(root: Element) -> bool:
    """Whether a page says that a program made it of a document: it has no menus."""
    said = (one for one in root.iter("meta") if one.get("name", "").lower() == "generator")
    return any(_PROGRAM.search(one.get("content", "")) for one in said)


def with_paragraphs(root: Element) -> Element:
    """A copy in which sentences beside blocks, and long ones alone in a `div`, are paragraphs."""
    copied = deepcopy(root)
    for holder in list(copied.iter(*_HOLDERS)):
        if any(map(is_block, holder)):
            _part(holder)
        elif holder.tag == "div" and len(text := holder.text_content()) >= _LONG:
            holder.tag = "p" if _SENTENCES.match(text) else "div"
    return copied


def _part(holder: Element) -> None:
    above, text, pieces = None, holder.text or "", list[Element]()
    for child in [*holder, None]:
        if child is not None and not is_block(child):
            pieces.append(child)
            continue
        if _SENTENCES.match(
            text
            + "".join(letters for one in pieces for letters in (*one.itertext(), one.tail or ""))
        ):
            paragraph = holder.makeelement("p")
            paragraph.text = text
            if above is None:
                holder.text = None
                holder.insert(0, paragraph)
            else:
                above.tail = None
                above.addnext(paragraph)
            paragraph.extend(pieces)
        above, text, pieces = child, "" if child is None else child.tail or "", []
