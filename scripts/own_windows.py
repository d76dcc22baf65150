"""Claims about passages as pairs to train a verifier on: what a search brings, as it is read.

    python -m scripts.own_windows PASSAGES --without 05 10 14 --out windows.jsonl
    python -m scripts.own_windows PASSAGES --only 05 10 14 --examples --out examples.json

PASSAGES is a folder of files NAME.jsonl, a passage a line: `title`, `section`, `sentences` and
`claims`, each with `claim`, `label` and `evidence`, the numbers of the sentences that decide. The
passages of a file are searched like a folder of documents, by static vectors, which find almost the
same in a fraction of the time. A window that holds all deciding
sentences has the claim's label, one that holds none says nothing, others are left out. Of each
claim there is the best window, and with --neighbours more that say nothing.

With --examples, the claims come with all that a check reads for them, as `uhhrag train verdict`
takes them.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from uhhrag.evidence.windows import MAX_CHARS, ReadWindow, window_text, windows
from uhhrag.indexing.fused_search import fused_search, views_of
from uhhrag.protocols import Embedder
from uhhrag.records import Page, Passage, Place
from uhhrag.wiring.embedders import load_embedder, load_static

Json = dict[str, Any]
FOUND = 10
"""Sentences that a search gives."""
LABELS = {"supports": "Supported", "refutes": "Refuted", "neutral": "Not Enough Evidence"}


class Folder:
    """Passages as a folder of documents, searched by the four rankings."""

    def __init__(self, passages: Sequence[Json], embed: Embedder) -> None:
        self.pages = [_page(passage) for passage in passages]
        places = [Place(d, n) for d, page in enumerate(self.pages) for n in range(len(page.lines))]
        found = [Passage(self.pages[p.document].lines[p.line], ("",), (p,)) for p in places]
        texts = [passage.text for passage in found]
        views = views_of(found, texts, self.pages.__getitem__, embed, embed)
        self._search = fused_search(found, views, embed, embed)

    def windows(self, claim: str, longest: int) -> list[ReadWindow]:
        """What is read for a claim, best first."""
        places = [hit.passage.places[0] for hit in self._search(claim, FOUND)]
        return windows(places, self.pages.__getitem__, longest=longest)


def _page(passage: Json) -> Page:
    sections = ((-1, passage["section"]),) if passage["section"] else ()
    return Page("", tuple(passage["sentences"]), title=passage["title"], sections=sections)


def examples_of(file: Path, embed: Embedder) -> Iterator[Json]:
    """The claims of one file, each with the windows that a check reads."""
    passages = rows_in(file)
    folder = Folder(passages, embed)
    for document, passage in enumerate(passages):
        for claim in passage["claims"]:
            read = [
                (w, folder.pages[w.document]) for w in folder.windows(claim["claim"], MAX_CHARS)
            ]
            yield {
                "claim": claim["claim"],
                "label": LABELS[claim["label"]],
                "group": f"{file.stem}-{document}",
                "evidence": [
                    {
                        "question": "",
                        "answer": " ".join(page.lines[n] for n in window.lines),
                        "sentence": page.lines[window.found[0]],
                        "beside": [page.lines[n] for n in window.found[1:]],
                        "title": page.title,
                        "section": page.heading(window.found[0])[1],
                        "read": window_text(window, page),
                    }
                    for window, page in read
                ],
            }


def rows_in(file: Path) -> list[Json]:
    """Of JSON lines."""
    return [json.loads(line) for line in file.read_text("utf-8").splitlines()]


def label_of(window: ReadWindow, document: int, claim: Json) -> str | None:
    """What a window says of a claim of a document; None where it holds some of what decides."""
    deciding = set(claim["evidence"])
    held = deciding & set(window.lines) if window.document == document else set()
    if claim["label"] == "neutral" or not held:
        return "neutral"
    return str(claim["label"]) if held == deciding else None


def pairs_of(
    file: Path, embed: Embedder, neighbours: float, longest: int, chance: random.Random
) -> Iterator[Json]:
    """The pairs of one file."""
    passages = rows_in(file)
    folder = Folder(passages, embed)
    for document, passage in enumerate(passages):
        for claim in passage["claims"]:
            read = folder.windows(claim["claim"], longest)
            labels = [label_of(window, document, claim) for window in read]
            if claim["label"] == "neutral":
                chosen = [0]
            else:
                chosen = [n for n, label in enumerate(labels) if label == claim["label"]][:1]
            others = [n for n, label in enumerate(labels) if label == "neutral" and n not in chosen]
            if others and chance.random() < neighbours:
                chosen.append(chance.choice(others[:4]))
            for number in chosen:
                window = read[number]
                yield {
                    "premise": window_text(window, folder.pages[window.document]),
                    "hypothesis": claim["claim"],
                    "label": labels[number],
                    "source": "owndocs" if number not in others else "owndocs-neighbours",
                    "group": f"{file.stem}-{document}",
                }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("passages", type=Path)
    parser.add_argument("--only", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--neighbours", type=float, default=0.4)
    parser.add_argument("--longest", type=int, default=MAX_CHARS)
    parser.add_argument("--examples", action="store_true")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - a draw that can be repeated
    static = load_static("minilm", load_embedder("minilm")[1])
    if static is None:
        raise SystemExit("minilm is needed; run: uhhrag models pull minilm")
    files = [f for f in sorted(options.passages.glob("*.jsonl")) if f.stem not in options.without]
    files = [f for f in files if not options.only or f.stem in options.only]
    if options.examples:
        claims = [claim for file in files for claim in examples_of(file, static.model)]
        options.out.write_text(json.dumps(claims, indent=1, ensure_ascii=False), encoding="utf-8")
        return
    pairs = [
        p
        for file in files
        for p in pairs_of(file, static.model, options.neighbours, options.longest, chance)
    ]
    chance.shuffle(pairs)
    lines = (json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs)
    options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
