"""How well sentences that claim something checkable are told from others: precision, recall and F1.

    scripts/bench spotting [--llm NAME_OR_GGUF]

The sentences are the project's own, in the style of news, with labels by their author:
tests/data/labelled. The rules were chosen on the part `choosing`, and so is the threshold of
the language model where one is named; the part `reported` was written after the rules were fixed.
A claim of AVeriTeC or SciFact should be spotted whatever its wording: of these, recall alone.
"""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from scripts.benchmarks.sides import ROOT, commit, machine
from scripts.reference import reference_data
from uhhrag.records import PickOne, Prompt
from uhhrag.text.claim_spotting import why_not_a_claim

LABELLED = ROOT / "tests" / "data" / "labelled"
HEAD = """Decide whether a sentence from a newspaper states a fact that documents could show to be \
true or false. Opinions, wishes, predictions, questions and figures of speech do not.

Sentence: The council approved the budget on Monday.
Checkable: yes

Sentence: It is high time somebody listened.
Checkable: no

Sentence: Whales are mammals.
Checkable: yes

Sentence: The winter promises to be a cold one.
Checkable: no

"""
ANSWERS = (" yes", " no")


class Labelled(NamedTuple):
    """A sentence, whether it is a claim, and whether rules may be chosen by it."""

    text: str
    claim: bool
    choosing: bool


def labelled() -> list[Labelled]:
    """The sentences, in the order of their file."""
    lines = (LABELLED / "spotting.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    return [Labelled(r["sentence"], r["claim"], r["part"] == "choosing") for r in rows]


def scores(gold: Sequence[bool], spotted: Sequence[bool]) -> tuple[float, float, float]:
    """Precision, recall and F1 of the sentences that are spotted.

    >>> scores([True, True, False], [True, False, False])
    (1.0, 0.5, 0.6666666666666666)
    """
    right = sum(a and b for a, b in zip(gold, spotted, strict=True))
    precision, recall = right / max(sum(spotted), 1), right / max(sum(gold), 1)
    return precision, recall, 2 * precision * recall / max(precision + recall, 1e-9)


def interval(gold: Sequence[bool], spotted: Sequence[bool]) -> tuple[float, float]:
    """The 95 % interval of F1, by 1,000 resamples of the sentences."""
    draw = np.random.default_rng(0).integers(0, len(gold), (1000, len(gold)))
    drawn = [scores([gold[i] for i in row], [spotted[i] for i in row])[2] for row in draw]
    low, high = np.quantile(drawn, (0.025, 0.975))
    return float(low), float(high)


def by_rules(texts: Sequence[str]) -> list[bool]:
    return [why_not_a_claim(text) is None for text in texts]


def by_model(name: str) -> Callable[[Sequence[str]], list[float]]:
    """What gives for each text how much likelier the model's yes is than its no."""
    from uhhrag import models
    from uhhrag.backends.llamacpp import model as llamacpp

    llm = llamacpp.load(models.path(name), threads=os.cpu_count() or 1)

    def sure(texts: Sequence[str]) -> list[float]:
        prompts = [Prompt("spot", HEAD, f"Sentence: {text}\nCheckable:") for text in texts]
        replies = llm(prompts, PickOne(ANSWERS))
        return [reply.logprobs[0] - reply.logprobs[1] for reply in replies]

    return sure


def threshold(gold: Sequence[bool], sure: Sequence[float]) -> float:
    """Where F1 is highest."""
    ordered = sorted(set(sure))
    between = [(low + high) / 2 for low, high in pairwise(ordered)]
    return max([ordered[0] - 1, *between], key=lambda t: scores(gold, [s > t for s in sure])[2])


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--llm", default="", help="a model's name or a .gguf file")
    given = parser.parse_args()
    rows = labelled()
    texts = [row.text for row in rows]
    sides = {"every sentence": [True] * len(rows), "rules": by_rules(texts)}
    if given.llm:
        sure = by_model(given.llm)(texts)
        chosen = [i for i, row in enumerate(rows) if row.choosing]
        least = threshold([rows[i].claim for i in chosen], [sure[i] for i in chosen])
        sides[given.llm] = [one > least for one in sure]
        both = zip(sides["rules"], sides[given.llm], strict=True)
        sides[f"rules and {given.llm}"] = [a and b for a, b in both]
    for part in ("choosing", "reported"):
        which = [i for i, row in enumerate(rows) if row.choosing == (part == "choosing")]
        gold = [rows[i].claim for i in which]
        print(f"\n{part}: {len(which)} sentences, {sum(gold)} of them claims")
        print(f"{'':28} precision  recall     F1  95 %")
        for name, spotted in sides.items():
            one = [spotted[i] for i in which]
            figures = "  ".join(f"{score:7.2f}" for score in scores(gold, one))
            low, high = interval(gold, one)
            print(f"{name:28} {figures}  {low:.2f} to {high:.2f}")
    real()
    print(f"\n{machine()}, commit {commit()}")


def real() -> None:
    """Of real claims, the share that the rules spot."""
    folder = reference_data()
    if not (folder / "train.json").exists():
        return
    claims = [row["claim"] for row in json.loads((folder / "train.json").read_bytes())]
    lines = (folder.parent / "scifact" / "claims_train.jsonl").read_text().splitlines()
    science = [json.loads(line)["claim"] for line in lines]
    for name, texts in (("AVeriTeC's training", claims), ("SciFact's training", science)):
        spotted = sum(by_rules(texts))
        print(f"{name} claims spotted by the rules: {spotted} of {len(texts)}")


if __name__ == "__main__":
    main()
