"""Where sentences end: ours, and NLTK's Punkt and nupunkt as they come, on texts with sentences
marked (tests/documents/sentences: a sentence a line, a blank line between paragraphs). They are our
own words, of news, laws, minutes, papers and speech, and have far more abbreviations than others.

    scripts/bench sentences [--show]     --show prints what ours has wrong
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

MARKED = Path(__file__).resolve().parents[2] / "tests" / "documents" / "sentences"
Splitter = Callable[[str], Iterable[str]]


class Measured(NamedTuple):
    """Ends of sentences within paragraphs: how many are marked, the share of those found that are
    right and of those marked that were found."""

    marked: int
    precision: float
    recall: float


def paragraphs() -> Iterator[list[str]]:
    """The sentences of each paragraph."""
    for file in sorted(MARKED.glob("*.txt")):
        yield from (block.split("\n") for block in file.read_text().strip().split("\n\n"))


def _ends(parts: Iterable[str]) -> set[int]:
    """The letters up to the end of each part but the last."""
    ends, at = set[int](), 0
    for part in parts:
        at += len("".join(part.split()))
        ends.add(at)
    return ends - {at}


def measured(split: Splitter, *, show: bool = False) -> Measured:
    """How well a splitter finds the ends that are marked."""
    right = found = marked = 0
    for paragraph in paragraphs():
        given, ours = _ends(paragraph), _ends(split(" ".join(paragraph)))
        right, found, marked = right + len(given & ours), found + len(ours), marked + len(given)
        letters = "".join("".join(paragraph).split())
        for at in sorted(given ^ ours) if show else ():
            what = "missed" if at in given else "added"
            print(f"  {what}: {letters[max(0, at - 30) : at]} | {letters[at : at + 20]}")
    return Measured(marked, right / found, right / marked)


def _splitters() -> Iterator[tuple[str, Splitter]]:
    from nupunkt import sent_tokenize

    from uhhrag.text import nltk_tokenizer
    from uhhrag.text.sentences import sentences
    from uhhrag.wiring.nltk_data import load_nltk_data

    load_nltk_data()
    yield "ours", sentences
    yield "nltk Punkt", nltk_tokenizer.sentences
    yield "nupunkt", sent_tokenize


def main() -> None:
    for name, split in _splitters():
        list(split("It rained. It poured."))  # loads its data
        start = time.perf_counter()
        found = measured(split)
        rate = found.marked / (time.perf_counter() - start)
        print(
            f"{name:<12} precision {found.precision:.3f}  recall {found.recall:.3f}  "
            f"{rate:,.0f} ends/s  (of {found.marked} marked)"
        )
    if "--show" in sys.argv:
        from uhhrag.text.sentences import sentences

        measured(sentences, show=True)


if __name__ == "__main__":
    main()
