"""How far each judge of Ev2R agrees with people, beside measures that compare words alone.

Coverage: Pearson and Spearman correlation with human ratings, in brackets the 95 % interval of
Pearson's by resampling items. The published scores of GPT judges are shown on the items that have
them, with the verifier on the same items. Perturbation tests: the share of changed gold evidence
whose recall moves as it must, more than MARGIN down or less than MARGIN either way.

usage: scripts/bench ev2r [--ratings FILE] [--checklist FILE] [--claims N] [--verifier DIR]
                          [--llm MODEL [--llm-items N]] [--fit]

--claims N takes the perturbation tests of N claims (default 100; 0 for none). --llm adds a language
model as judge, which can take hours; with --llm-items N it judges the first N items of each set,
and the verifier is shown on the same. --fit writes the weights of the verifier's judge fitted to
these ratings into the package; without it the shipped ones are measured.
"""

import argparse
import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import nnls
from scipy.stats import pearsonr, spearmanr

from scripts.benchmarks import overlap
from scripts.benchmarks.ratings import SETS, Perturbed, Rated, read_checklist, read_ratings
from scripts.benchmarks.sides import commit, machine
from scripts.reference import reference_data
from uhhrag.protocols import Entailment
from uhhrag.scores import verifier_judge
from uhhrag.scores.choices import JudgeKind
from uhhrag.scores.ev2r import Case
from uhhrag.scores.meteor import load_meteor_data
from uhhrag.scores.verifier_judge import Measured, Weights, measure_all, support
from uhhrag.text.nltk_tokenizer import sentences
from uhhrag.wiring import nltk_data, verifiers
from uhhrag.workflows.judged import load_judge
from uhhrag.workflows.judging import Judging

MARGIN, FOLDS, RESAMPLES = 0.1, 10, 2000
VERIFIER, FITTED = "judge: verifier", "judge: verifier, weights cross-validated"
PUBLISHED = {
    "refatomic_recall/gpt-4o-2024-05-13": "published: GPT-4o recall",
    "refatomic_recall/gpt-3.5-turbo-1106": "published: GPT-3.5 recall",
    "proxy_nli_deberta": "published: NLI on the verdict",
    "meteor": "published: METEOR",
    "rouge": "published: ROUGE",
}
Values = NDArray[np.float64]


def features(facts: Sequence[Measured]) -> tuple[float, float]:
    """The means over the statements of what the weights weigh, times the factor of each."""
    if not facts:
        return 0.0, 0.0
    return (
        float(np.mean([fact.entailment * fact.factor for fact in facts])),
        float(np.mean([fact.words * fact.factor for fact in facts])),
    )


def recall(facts: Sequence[Measured], weights: Weights) -> float:
    return float(np.mean([support(fact, weights) for fact in facts])) if facts else 0.0


def facts_of(cases: Sequence[Case], entailment: Entailment) -> list[list[Measured]]:
    """What is known of gold's statements of each case, with how long it took."""
    begun = time.monotonic()
    facts = measure_all([(c.gold.pairs, c.predicted.pairs) for c in cases], entailment, sentences)
    taken = time.monotonic() - begun
    print(f"{sum(map(len, facts))} statements of {len(cases)} cases in {taken:.0f} s\n", flush=True)
    return facts


def fitted(rows: Values, coverage: Values) -> tuple[float, float]:
    """The weights, none below 0, that come nearest to the coverage (least squares)."""
    entailment, words = nnls(rows, coverage)[0]
    return float(entailment), float(words)


def cross_validated(items: Sequence[Rated], facts: Sequence[Sequence[Measured]]) -> Values:
    """The recall of each item by weights fitted on other claims' items."""
    rows = np.array([features(one) for one in facts])
    coverage = np.array([item.coverage for item in items])
    claims = sorted({item.case.claim.text for item in items})
    fold = {claim: number % FOLDS for number, claim in enumerate(claims)}
    folds = np.array([fold[item.case.claim.text] for item in items])
    values = np.zeros(len(items))
    for number in range(FOLDS):
        weights = Weights(*fitted(rows[folds != number], coverage[folds != number]))
        for place in np.flatnonzero(folds == number).tolist():
            values[place] = recall(facts[place], weights)
    return values


def columns(
    items: Sequence[Rated], facts: Sequence[Sequence[Measured]], weights: Weights
) -> dict[str, Values]:
    """The value of every measure for each item, NaN where it has none."""
    words = [overlap.overlap(item.gold, item.predicted) for item in items]
    rows = np.array([features(one) for one in facts])
    table: dict[str, Values] = {
        VERIFIER: np.array([recall(one, weights) for one in facts]),
        FITTED: cross_validated(items, facts),
        "its entailment alone": rows[:, 0],
        "its share of words alone": rows[:, 1],
        **{name: np.array([one[name] for one in words]) for name in words[0]},
    }
    for key, name in PUBLISHED.items():
        values = np.array([item.published.get(key, np.nan) for item in items], dtype=np.float64)
        if not np.isnan(values).all():
            table[name] = values
            if "gpt" in key:
                same = np.where(np.isnan(values), np.nan, table[VERIFIER])
                table[f"{VERIFIER}, items of {name.split()[1]}"] = same
    return table


def agreement(values: Values, coverage: Values) -> str:
    """Pearson, its interval, Spearman, and how many items have the measure."""
    has = ~np.isnan(values)
    x, y = values[has], coverage[has]
    if len(x) < 3 or np.ptp(x) == 0:
        return "–"
    draws = np.random.default_rng(0).integers(len(x), size=(RESAMPLES, len(x)))
    drawn = [pearsonr(x[d], y[d])[0] for d in draws if np.ptp(x[d]) and np.ptp(y[d])]
    low, high = np.percentile(drawn, [2.5, 97.5])
    return f"{pearsonr(x, y)[0]:.2f} [{low:.2f}, {high:.2f}] / {spearmanr(x, y)[0]:.2f} ({len(x)})"


def gap(first: Values, second: Values, coverage: Values) -> str:
    """How much more Pearson's correlation of the first is, on the same items."""
    draws = np.random.default_rng(0).integers(len(coverage), size=(RESAMPLES, len(coverage)))
    drawn = [
        pearsonr(first[d], coverage[d])[0] - pearsonr(second[d], coverage[d])[0] for d in draws
    ]
    low, high = np.percentile(drawn, [2.5, 97.5])
    whole = pearsonr(first, coverage)[0] - pearsonr(second, coverage)[0]
    return f"{whole:+.2f} [{low:+.2f}, {high:+.2f}]"


def show_agreement(items: Sequence[Rated], table: Mapping[str, Values]) -> None:
    coverage = np.array([item.coverage for item in items])
    part = np.array([item.part for item in items])
    print("| measure | " + " | ".join(f"set {one}" for one in SETS) + " |\n|---|---|---|")
    for name, values in table.items():
        cells = [agreement(values[part == one], coverage[part == one]) for one in SETS]
        print(f"| {name} | {' | '.join(cells)} |")
    print("\nPearson [95 % interval] / Spearman (items)")
    for other in ("Hungarian METEOR", "METEOR", "BLEU", "ROUGE-L"):
        gaps = [
            gap(table[FITTED][part == one], table[other][part == one], coverage[part == one])
            for one in SETS
        ]
        print(f"cross-validated minus {other}: {', '.join(gaps)}")
    recalls = table[VERIFIER]
    print(f"mean recall {recalls.mean():.2f}, mean coverage {coverage.mean():.2f}\n", flush=True)


def show_checklist(
    tests: Sequence[Perturbed], facts: Sequence[Sequence[Measured]], weights: Weights
) -> None:
    """For each test the mean recall of each measure, and how often it moves as it must from what
    the unchanged evidence has."""
    sides = {
        "verifier": [recall(one, weights) for one in facts],
        "Hungarian METEOR": [
            overlap.hungarian(t.case.gold.pairs, t.case.predicted.pairs) for t in tests
        ],
        "ROUGE-L": [
            overlap.rouge_l(
                overlap.joined(t.case.gold.pairs), overlap.joined(t.case.predicted.pairs)
            )
            for t in tests
        ],
    }
    bases = {
        (name, t.case.gold): values[place]
        for name, values in sides.items()
        for place, t in enumerate(tests)
        if t.test == "unchanged"
    }
    print(f"| test | must | cases | {' | '.join(f'{name}: passed, mean' for name in sides)} |")
    print("|---|---|---:|" + "---|" * len(sides))
    for test in dict.fromkeys(t.test for t in tests):
        places = [place for place, t in enumerate(tests) if t.test == test]
        must = "fall" if tests[places[0]].falls else "stay"
        cells = []
        for name, values in sides.items():
            moved = [values[p] - bases[name, tests[p].case.gold] for p in places]
            passed = [m < -MARGIN if must == "fall" else abs(m) <= MARGIN for m in moved]
            cells.append(f"{np.mean(passed):.0%}, {np.mean([values[p] for p in places]):.2f}")
        print(f"| {test} | {must} | {len(places)} | {' | '.join(cells)} |")


def with_llm(items: Sequence[Rated], llm: str, most: int | None) -> Values:
    """The Q+A recall that a language model gives the first `most` items of each set, NaN for the
    others and where its reply is unreadable."""
    judge = load_judge(Judging(kind=JudgeKind.LLM, llm=llm)).judge
    recalls = np.full(len(items), np.nan)
    judged = unreadable = 0
    begun = time.monotonic()
    for part in SETS:
        for place in [at for at, item in enumerate(items) if item.part == part][:most]:
            one = judge([items[place].case])[0].qa_recall
            judged += 1
            unreadable += one.unreadable
            recalls[place] = np.nan if one.unreadable else one.share
    taken = time.monotonic() - begun
    print(f"{llm}: {judged} items in {taken:.0f} s, unreadable replies: {unreadable}\n", flush=True)
    return recalls


def write_weights(
    items: Sequence[Rated], facts: Sequence[Sequence[Measured]], source: str
) -> Weights:
    rows = np.array([features(one) for one in facts])
    entailment, words = fitted(rows, np.array([item.coverage for item in items]))
    weights = Weights(round(entailment, 3), round(words, 3), source)
    file = Path(verifier_judge.__file__).with_name("ev2r_weights.json")
    file.write_text(json.dumps(asdict(weights), indent=2) + "\n", encoding="utf-8")
    print(f"weights fitted: {asdict(weights)}\n")
    return weights


def options() -> argparse.Namespace:
    shared = reference_data().parent / "ev2r"
    parser = argparse.ArgumentParser(prog="scripts/bench ev2r", description=__doc__.splitlines()[0])
    parser.add_argument("--ratings", type=Path, default=shared / "ratings_dev.jsonl")
    parser.add_argument("--checklist", type=Path, default=shared / "checklist_dev.jsonl")
    parser.add_argument("--claims", type=int, default=100)
    parser.add_argument("--verifier", type=Path, default=verifiers.SHIPPED)
    parser.add_argument("--llm")
    parser.add_argument("--llm-items", type=int)
    parser.add_argument("--fit", action="store_true")
    return parser.parse_args()


def main() -> None:
    given = options()
    load_meteor_data(nltk_data.folder())
    loaded = verifiers.load_verifier(given.verifier)
    items = read_ratings(given.ratings)
    print(f"{machine()}, {commit()}; verifier {loaded.fingerprint[:8]}; {given.ratings.name}\n")
    facts = facts_of([item.case for item in items], loaded.entailment)
    source = f"{len(items)} items of {given.ratings.name} with verifier {loaded.fingerprint[:8]}"
    weights = write_weights(items, facts, source) if given.fit else verifier_judge.shipped_weights()
    table = columns(items, facts, weights)
    if given.llm:
        values = with_llm(items, given.llm, given.llm_items)
        table[f"judge: llm {given.llm}"] = values
        same = np.where(np.isnan(values), np.nan, table[FITTED])
        table[f"{FITTED}, the same items"] = same
    show_agreement(items, table)
    if given.claims:
        tests = read_checklist(given.checklist, given.claims)
        show_checklist(tests, facts_of([t.case for t in tests], loaded.entailment), weights)


if __name__ == "__main__":
    main()
