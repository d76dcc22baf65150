"""Short pairs and windows in one file, to train a verifier that reads both.

    python -m scripts.long_mixture PAIRS PASSAGES --windows windows.jsonl \\
        --without 05 10 14 --held-out short.jsonl --out pairs.jsonl

PAIRS is a folder of sets NAME.jsonl.gz, whose training splits are drawn from, and of some the
development split; PASSAGES and the windows are those of `scripts.own_windows`. The deciding
sentences of a claim stand in the file as well, alone.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections.abc import Container, Iterator, Sequence
from pathlib import Path
from typing import Any

from scripts.own_windows import rows_in
from uhhrag.text.pronouns import lead
from uhhrag.voters.stances import in_context

Json = dict[str, Any]
LABELS = ("supports", "refutes", "neutral")
DRAWN = {
    "fever-train": ("fever", 6500),
    "fever-train-nei": ("fever", 2600),
    "fever-nli": ("fever", 2200),
    "fever-dev": ("fever", 2200),
    "healthver-multivers": ("healthver", 3000),
    "healthver-multivers-neutral": ("healthver", 1300),
    "healthver": ("healthver", 1300),
    "checkcovid": ("checkcovid", 1000),
    "lingnli-base": ("lingnli", 1000),
    "cadnli-revised": ("cadnli", 600),
    "infotabs": ("infotabs", 900),
    "tabfact": ("tabfact", 200),
    "lingnli-lots": ("lingnli", 1600),
    "lingnli-litl": ("lingnli", 1300),
    "mnli-llmsknow-train": ("mnli", 1000),
    "mnli-dev-matched": ("mnli", 1200),
    "newprotocols-base": ("newprotocols", 700),
    "newprotocols-contrast": ("newprotocols", 500),
    "newprotocols-edit_premise": ("newprotocols", 400),
    "newprotocols-edit_other": ("newprotocols", 400),
    "newprotocols-paragraph": ("newprotocols", 600),
    "semiauto-translate_wiki": ("semiautonli", 200),
    "sufficientfacts-fever": ("sufficientfacts", 400),
    "sufficientfacts-fever-cut": ("sufficientfacts", 400),
    "sufficientfacts-vitaminc": ("sufficientfacts", 200),
    "sufficientfacts-vitaminc-cut": ("sufficientfacts", 300),
    "sufficientfacts-hover-cut": ("sufficientfacts", 200),
    "climatefever": ("climatefever", 300),
    "feverous-dev": ("feverous", 400),
}
"""Of each source the set that it is in and how many pairs are drawn, as many of each label; some
come more than once. Of sources without a training split, as FEVEROUS and TabFact, any is taken."""

OTHERS, TITLED = 0.25, 0.5
"""Chances of a sentence that does not decide, and of title and heading before sentences that can do
without."""


def drawn(
    folder: Path, chance: random.Random, share: float = 1.0, left_out: Container[str] = ()
) -> Iterator[Json]:
    """The short pairs; a share of `DRAWN`, none of the groups `left_out`."""
    for source, (name, number) in DRAWN.items():
        with gzip.open(folder / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
            rows = [row for row in map(json.loads, file) if row["source"] == source]
        rows = [row for row in rows if row["group"] not in left_out]
        rows = [row for row in rows if row["split"] == "train"] or rows
        by_label = {label: [row for row in rows if row["label"] == label] for label in LABELS}
        present = [label for label in LABELS if by_label[label]]
        for label in present:
            size = int(number * share) // len(present)
            times = -(-size // len(by_label[label]))
            yield from chance.sample(by_label[label] * times, size)


def evidence_alone(
    passages: Sequence[Json], chance: random.Random, share: float = 1.0
) -> Iterator[Json]:
    """Each claim with its deciding sentences alone, one that nothing decides with any one, some
    after title and heading. Some decided ones come with a sentence that does not decide too."""
    for number, passage in enumerate(passages):
        for claim in passage["claims"]:
            if chance.random() >= share:
                continue
            deciding = sorted(claim["evidence"]) if claim["label"] != "neutral" else []
            others = [n for n in range(len(passage["sentences"])) if n not in claim["evidence"]]
            chosen = deciding or claim["evidence"] or [chance.choice(others)]
            read = [(chosen, claim["label"])]
            if deciding and others and chance.random() < OTHERS:
                read.append(([chance.choice(others)], "neutral"))
            titled = _needs_heading(claim) or chance.random() < TITLED
            before = lead((passage["title"], passage["section"]), "") if titled else ""
            for lines, label in read:
                sentences = " ".join(passage["sentences"][n] for n in lines)
                yield {
                    "premise": in_context(sentences, before),
                    "hypothesis": claim["claim"],
                    "label": label,
                    "source": "owndocs-alone",
                    "group": f"{passage['file']}-{number}",
                }


def _needs_heading(claim: Json) -> bool:
    return any(word in claim.get("why", "").lower() for word in ("title", "section", "heading"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("passages", type=Path)
    parser.add_argument("--windows", type=Path, required=True)
    parser.add_argument("--without", nargs="*", default=[], metavar="NAME")
    parser.add_argument("--alone", type=float, default=1.0, help="Share of claims read alone.")
    parser.add_argument("--short", type=float, default=1.0, help="Share of the short pairs.")
    parser.add_argument("--held-out", nargs="*", type=Path, default=[], metavar="PAIRS")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - a draw that can be repeated
    own = rows_in(options.windows)
    for file in sorted(options.passages.glob("*.jsonl")):
        if file.stem not in options.without:
            passages = [passage | {"file": file.stem} for passage in rows_in(file)]
            own += evidence_alone(passages, chance, options.alone)
    left_out = {pair["group"] for file in options.held_out for pair in rows_in(file)}
    short = list(drawn(options.pairs, chance, options.short, left_out))
    pairs = [*own, *short]
    chance.shuffle(pairs)
    lines = [json.dumps(pair, ensure_ascii=False) + "\n" for pair in pairs]
    options.out.write_text("".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
