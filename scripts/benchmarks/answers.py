"""How long an answer of a submission should be, by what Q+A gives for it.

First AVeriTeC's training claims, each with ten answers that a published system retrieved; gold is
the annotators' questions and answers. The answers are cut to so many words, and each is joined with
the next one. Then, where a run is given, its own evidence with more of the page around each
sentence (`--answers window` is one on either side). Questions stay. Scores are the official
Hungarian METEOR; "over .25" is the share of claims whose Q+A is over .25, the bar of veracity.

usage: scripts/bench answers [--claims N] [--run RUN --gold CLAIMS] [--averitec DIR]
"""

import argparse
import json
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from scripts.benchmarks.sides import commit, machine
from scripts.reference import reference_data
from uhhrag import models
from uhhrag.evidence.context import window
from uhhrag.formats.gold import Gold, read_gold
from uhhrag.runs.trace_lines import TRACE, read_trace
from uhhrag.scores.averitec import LIMIT, gold_strings, utility
from uhhrag.scores.meteor import load_meteor_data

BAR = 0.25
WORDS = (8, 15, 25, 40)
Pairs = Sequence[tuple[str, str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--averitec", type=Path, default=reference_data(), help="reference data")
    parser.add_argument("--claims", type=int, default=300)
    parser.add_argument("--run", type=Path, help="a run folder")
    parser.add_argument("--gold", type=Path, help="the run's claims with questions and labels")
    given = parser.parse_args()
    load_meteor_data(models.path("nltk-data"))
    print(f"{machine()}, {commit()}\n")
    print("| answers | words | Q+A | over .25 |")
    print("|---|---:|---:|---:|")
    training(given.averitec, given.claims)
    if given.run and given.gold:
        of_run(given.run, given.gold)


def training(averitec: Path, count: int) -> None:
    """The training claims."""
    gold = json.loads((averitec / "train.json").read_text(encoding="utf-8"))
    by_text = {entry["claim"]: entry for entry in gold}
    every = json.loads((averitec / "train_retrieved.json").read_text(encoding="utf-8"))
    chosen = [entry for entry in every if entry["claim"] in by_text][:count]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "gold.json"
        file.write_text(json.dumps([by_text[entry["claim"]] for entry in chosen]), encoding="utf-8")
        annotated = read_gold(file)
    retrieved = [
        [(piece["question"], piece["answer"]) for piece in entry["evidence"][:LIMIT]]
        for entry in chosen
    ]
    for words in WORDS:
        row(f"the first {words} words", annotated, retrieved, partial(cut, words))
    row("whole", annotated, retrieved, list)
    row("each with the next", annotated, retrieved, with_next)


def cut(words: int, answers: Sequence[str]) -> list[str]:
    return [" ".join(answer.split()[:words]) for answer in answers]


def with_next(answers: Sequence[str]) -> list[str]:
    following = [*answers[1:], *answers[:1]]
    return [f"{one} {other}" for one, other in zip(answers, following, strict=True)]


def of_run(run: Path, claims: Path) -> None:
    """The evidence of a run, with as much of the page as its trace has."""
    gold = {entry.claim.id: entry for entry in read_gold(claims)}
    records = [record for record in read_trace(run / TRACE) if "error" not in record]
    annotated = [gold[record["claim_id"]] for record in records]
    for around in (0, 1, 2):
        found = [
            [(e["question"], window(e["answer"], e["context"], around)) for e in r["evidence"]]
            for r in records
        ]
        row(f"of {run.name}, {around} sentences on either side", annotated, found, list)


def row(
    name: str,
    gold: Sequence[Gold],
    found: Sequence[Pairs],
    change: Callable[[list[str]], list[str]],
) -> None:
    scores, words = [], []
    for entry, pairs in zip(gold, found, strict=True):
        answers = change([answer for _, answer in pairs])
        words += [len(answer.split()) for answer in answers]
        texts = [f"{question} {text}" for (question, _), text in zip(pairs, answers, strict=True)]
        scores.append(utility(gold_strings(entry), texts[:LIMIT]))
    over = np.mean(np.array(scores) > BAR)
    print(f"| {name} | {np.mean(words):.0f} | {np.mean(scores):.3f} | {over:.3f} |", flush=True)


if __name__ == "__main__":
    main()
