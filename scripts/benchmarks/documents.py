"""What is read of pages whose text is known, by ours and by other libraries.

    scripts/bench documents FOLDER [--show] [KIND …]

The pages are made once in FOLDER, by the programs that are installed (`labelled/programs.py`).
Errors are of letters, as a share of the page's; order is the share of sentences that directly
follow the one before them; whole is the share of sentences that are read as they stand, and
strange that of sentences read which the page does not have. --show prints what ours has wrong.
"""

from __future__ import annotations

import json
import sys
import time
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import numpy as np

from scripts.benchmarks.labelled.label import Said
from scripts.benchmarks.labelled.programs import labelled
from scripts.benchmarks.labelled.readers import Reader, readers

_ALIKE = str.maketrans(
    {"“": '"', "”": '"', "’": "'", "‘": "'", "–": "-", "‐": "-", "−": "-", "◦": "•", "‣": "•"}
)
_FAR = 12
"""Letters between two sentences that follow one another."""


class Measured(NamedTuple):
    """Of one page, or means of many."""

    errors: float
    order: float
    whole: float
    strange: float


def letters(text: str) -> str:
    """Without white space, equal signs alike."""
    return "".join(unicodedata.normalize("NFKC", text).translate(_ALIKE).split())


def changes(one: str, other: str) -> int:
    """The least letters to insert, remove or replace.

    >>> changes("harbour", "habrour"), changes("", "sea")
    (2, 3)
    """
    a, b = (np.frombuffer(text.encode("utf-32-le"), np.uint32) for text in (one, other))
    steps = np.arange(len(b) + 1)
    row = steps.copy()
    for at, letter in enumerate(a, 1):
        new = np.empty_like(row)
        new[0] = at
        new[1:] = np.minimum(row[1:] + 1, row[:-1] + (b != letter))
        row = np.minimum.accumulate(new - steps) + steps
    return int(row[-1])


def measured(read: Sequence[str], label: Sequence[str]) -> Measured:
    """How well the sentences of a page are read."""
    text, wanted = letters("".join(read)), [letters(one) for one in label]
    places, at = [], 0
    for one in wanted:  # the same words may stand elsewhere too
        place = text.find(one, at)
        places.append(place if place >= 0 else text.find(one))
        at = max(0, places[-1])
    following = [
        a >= 0 and 0 <= b - a - len(one) <= _FAR
        for one, (a, b) in zip(wanted, pairwise(places), strict=False)
    ]
    got, given = Counter(map(letters, read)), Counter(wanted)
    whole = sum((got & given).values())
    return Measured(
        changes(text, "".join(wanted)) / len("".join(wanted)),
        mean(following) if following else 1.0,
        whole / len(wanted),
        1 - whole / max(1, got.total()),
    )


def _pages(folder: Path) -> Iterator[tuple[str, str, Path, tuple[Said, ...]]]:
    for program, kind, make, said in labelled():
        path = folder / f"{program}-{kind}.pdf"
        if not path.exists():
            make(path)
            path.with_suffix(".json").write_text(json.dumps(said, indent=1))
        yield program, kind, path, said


def _of_reader(
    name: str, read: Reader, pages: Sequence[tuple[str, str, Path, tuple[Said, ...]]]
) -> None:
    by_program, seconds, failed = defaultdict[str, list[Measured]](list), 0.0, 0
    for program, kind, path, said in pages:
        label = [one.read if name == "ours" else one.plain for one in said]
        begun = time.process_time()
        try:
            lines = read(path)
        except Exception:  # noqa: BLE001 - what another library cannot read counts as empty
            lines, failed = [], failed + 1
        seconds += time.process_time() - begun
        found = measured(lines, label)
        by_program[program].append(found)
        if "--show" in sys.argv and name == "ours":
            _show(f"{program}-{kind}", lines, label, found)
    every = [one for ones in by_program.values() for one in ones]
    rows = [(name, every), *sorted(by_program.items())] if name == "ours" else [(name, every)]
    for row, found_of in rows:
        error, order, whole, strange = (mean(values) for values in zip(*found_of, strict=True))
        print(
            f"{row:<14} {len(found_of):>4} files  errors {error:.3f}  order {order:.3f}  "
            f"whole {whole:.3f}  strange {strange:.3f}"
        )
    print(f"{'':<14} {seconds / len(pages):.3f} s a file; {failed} not read")


def _show(name: str, lines: Sequence[str], label: Sequence[str], found: Measured) -> None:
    if found.whole < 1 or found.strange > 0 or found.order < 1:
        print(
            f"--- {name}: errors {found.errors:.3f} order {found.order:.2f} whole {found.whole:.2f}"
        )
        got, given = ({letters(one): one for one in ones} for ones in (lines, label))
        for sign, these, those in (("-", given, got), ("+", got, given)):
            for one in [text for key, text in these.items() if key not in those][:8]:
                print(f"  {sign} {one[:150]}")


def main() -> None:
    folder, *kinds = [given for given in sys.argv[1:] if not given.startswith("--")]
    Path(folder).mkdir(parents=True, exist_ok=True)
    pages = [page for page in _pages(Path(folder).resolve()) if not kinds or page[1] in kinds]
    print(f"{len(pages)} files of {len({page[0] for page in pages})} programs")
    for name, read in readers():
        if name == "ours" or "--show" not in sys.argv:
            _of_reader(name, read, pages)


if __name__ == "__main__":
    main()
