"""How often the verdicts are right, by the commands that a user runs.

    python -m scripts.benchmarks.verdicts [PART …] [--news FOLDER] [--science FOLDER]
        [--pairs FILE …] [--own FOLDER …] [--work FOLDER] [-- OPTIONS OF PREDICT AND CHECK]

The parts; without any, all of which the data are at hand:
    sample     the twelve claims of data/: `predict` as it comes, and --rule learned
    news       AVeriTeC claims with stores (a file *.json beside knowledge_store/): the same
    science    SciFact's claims_dev.jsonl against its corpus.jsonl, by `check`
    undecided  40 claims about which six documents say nothing, by `check`
    decided    32 claims that one sentence of these documents decides, by `check`
    sections   60 claims on five others, by sentences below headings, lists and tables, by `check`;
               and on the same documents as PDFs (needs fpdf2)
    pairs      `train score` on each file of --pairs
    own        each folder of --own, with docs/ and claims.jsonl: a claim, its label and, if it has
               a side, the deciding sentences as `evidence`, " || " between them

Every accuracy stands beside that of the label that is commonest in the gold file. Questions come
from the template: they change neither the sentences nor a verifier's votes. What is made is kept in
--work; a run that was stopped goes on.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

from scripts import scifact
from scripts.benchmarks.set_as_pdf import set_as_pdf
from scripts.benchmarks.sides import ROOT, commit, machine, split_words, uhhrag
from scripts.reference import reference_data
from uhhrag.scores.bootstrap import Bootstrap

Json = dict[str, Any]
Rates = dict[str, NDArray[np.float64]]
Labelled = tuple[str, str, str]
"""The kind of a claim, its gold label, its text."""
OSTVIK = Path(__file__).parent / "ostvik"
"""Six short documents, five more with headings, and claims that they decide or leave open."""
NOT_ENOUGH = scifact.NOT_ENOUGH
SIDES = ("Supported", "Refuted")
TEMPLATE = ("--questions", "template")
VERDICTS = {"predict as it comes": (), "--rule learned": ("--rule", "learned")}


def main() -> None:
    options, given = _options()
    options.work.mkdir(parents=True, exist_ok=True)
    results: Json = {"machine": machine(), "commit": commit(), "options": given}
    for name in options.parts or list(PARTS):
        begun = time.monotonic()
        result = PARTS[name](options, given)
        if result is None:
            print(f"{name}: the data are not at hand", file=sys.stderr)
            continue
        results[name] = result
        print(f"\n{name} ({time.monotonic() - begun:.0f} s)")
        _show(result)
    (options.work / "verdicts.json").write_text(json.dumps(results, indent=1) + "\n")
    print(f"\n{results['machine']}\n{options.work / 'verdicts.json'}")


def _options() -> tuple[argparse.Namespace, list[str]]:
    given, of_commands = split_words()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("parts", nargs="*", metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--news", type=Path, default=reference_data())
    parser.add_argument("--claims", default="dev60.json", help="claims file in the folder of news")
    parser.add_argument("--science", type=Path, default=reference_data().parent / "scifact")
    parser.add_argument("--pairs", type=Path, nargs="*", default=[])
    parser.add_argument("--own", type=Path, nargs="*", default=[])
    parser.add_argument("--work", type=Path, default=ROOT / "verdicts.work")
    options = parser.parse_args(given)
    if unknown := [part for part in options.parts if part not in PARTS]:
        parser.error(f"there is no part {unknown[0]}; there are: {', '.join(PARTS)}")
    return options, of_commands


def sample(options: argparse.Namespace, given: Sequence[str]) -> Json:
    """The sample in data/."""
    return _predicted(ROOT / "data", "claims.json", options.work / "sample", given)


def news(options: argparse.Namespace, given: Sequence[str]) -> Json | None:
    """AVeriTeC claims with their stores."""
    if not (options.news / options.claims).exists():
        return None
    scores = _predicted(options.news, options.claims, options.work / "news", given)
    gold = json.loads((options.news / options.claims).read_text())
    training = json.loads((options.news / "train.json").read_text())
    return {**scores, "the claim's words alone": claim_only(training, gold)}


def claim_only(training: Sequence[Json], gold: Sequence[Json]) -> Json:
    """What a claim's words tell without evidence: words and pairs of words, labels of equal
    weight, fitted on the training claims."""
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True)
    rows = words.fit_transform([claim["claim"] for claim in training])
    fitted = LogisticRegression(class_weight="balanced", max_iter=1000)
    fitted.fit(rows, [claim["label"] for claim in training])
    labels = fitted.predict(words.transform([claim["claim"] for claim in gold]))
    pairs = [(claim["label"], str(label)) for claim, label in zip(gold, labels, strict=True)]
    return measures(pairs)


def _predicted(data: Path, claims: str, work: Path, given: Sequence[str]) -> Json:
    """Accuracy, F1 and AVeriTeC score of both verdicts on the same index."""
    index, gold = work / "index", data / claims
    uhhrag("index", data, "--claims", gold, "--out", index)
    scores: Json = {}
    for number, (name, options) in enumerate(VERDICTS.items()):
        run = work / f"run{number}"
        begun = time.monotonic()
        uhhrag("predict", "--index", index, "--out", run, *TEMPLATE, *options, *given)
        seconds = time.monotonic() - begun
        report = json.loads(uhhrag("evaluate", run, "--gold", gold, "--json"))
        confusion = report["confusion"]
        pairs = [(g, p) for g, row in confusion.items() for p, n in row.items() for _ in range(n)]
        confidence = report.get("confidence", {}).get("expected_calibration_error")
        scores[name] = {
            **measures(pairs),
            "veracity@.25": report["veracity@0.25"],
            "calibration error": confidence,
            "seconds": seconds,
        }
    return scores


def science(options: argparse.Namespace, given: Sequence[str]) -> Json | None:
    """SciFact's dev claims against its corpus."""
    if not (options.science / "claims_dev.jsonl").exists():
        return None
    work = options.work / "science"
    gold = [json.loads(line) for line in (options.science / "claims_dev.jsonl").open()]
    store = scifact.ingest(options.science, work)
    answers = scifact.check(gold, store, work, list(given))
    pairs = [(scifact.gold_label(c), a["label"]) for c, a in zip(gold, answers, strict=True)]
    unclear = {"unclear": sum(answer["status"] == "unclear" for answer in answers)}
    return {"check as it comes": {**measures(pairs), **_sides(pairs), **unclear}}


def undecided(options: argparse.Namespace, given: Sequence[str]) -> Json:
    """Claims about which the documents say nothing."""
    kinds = json.loads((OSTVIK / "undecided.json").read_text(encoding="utf-8"))
    claims = [(kind, NOT_ENOUGH, claim) for kind, group in kinds.items() for claim in group]
    return _checked(claims, OSTVIK / "documents", options.work / "undecided", given)


def decided(options: argparse.Namespace, given: Sequence[str]) -> Json:
    """Claims that a single sentence of the documents decides."""
    claims = _labelled(OSTVIK / "decided.json")
    return _checked(claims, OSTVIK / "documents", options.work / "decided", given)


def sections(options: argparse.Namespace, given: Sequence[str]) -> Json:
    """Claims that need the heading above a sentence, an item of a list or a row of a table, with
    the documents as they are and as PDFs."""
    claims = _labelled(OSTVIK / "sections.json")
    work, documents = options.work / "sections", OSTVIK / "sections"
    pdfs = set_as_pdf(documents, options.work / "sections-pdf")
    as_pdfs = _checked(claims, pdfs, options.work / "sections-of-pdf", given)
    return _checked(claims, documents, work, given) | {"of PDFs": as_pdfs["check as it comes"]}


def _labelled(file: Path) -> list[Labelled]:
    kinds = json.loads(file.read_text(encoding="utf-8"))
    return [
        (kind, label, claim)
        for kind, labels in kinds.items()
        for label, group in labels.items()
        for claim in group
    ]


def _checked(claims: Sequence[Labelled], documents: Path, work: Path, given: Sequence[str]) -> Json:
    """Claims against documents."""
    work.mkdir(parents=True, exist_ok=True)
    texts = [{"claim": text} for _, _, text in claims]
    answers = scifact.check(texts, documents, work, list(given))
    pairs = [(gold, a["label"]) for (_, gold, _), a in zip(claims, answers, strict=True)]
    kinds = [kind for kind, _, _ in claims]
    right = Counter(kind for kind, (gold, label) in zip(kinds, pairs, strict=True) if gold == label)
    return {"check as it comes": {**measures(pairs), "right by kind": dict(right)}}


def own(options: argparse.Namespace, given: Sequence[str]) -> Json | None:
    """Claims about a person's own documents; what the check read of the deciding sentences, and
    the verifier alone with all of them handed over."""
    scores: Json = {}
    for folder in options.own:
        lines = (folder / "claims.jsonl").read_text(encoding="utf-8").splitlines()
        claims = [json.loads(line) for line in lines]
        work = options.work / "own" / folder.resolve().name
        work.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        answers = scifact.check(claims, folder / "docs", work, list(given))
        seconds = (time.monotonic() - begun) / len(claims)
        pairs = [(c["label"], a["label"]) for c, a in zip(claims, answers, strict=True)]
        sided = [one for one in zip(claims, answers, strict=True) if one[0]["label"] in SIDES]
        scores[folder.name] = {
            **measures(pairs),
            **_sides(pairs),
            "deciding read": sum(_read_all(*one) for one in sided) / max(1, len(sided)),
            "handed over, right": _handed_over([claim for claim, _ in sided], work),
            "seconds a claim": seconds,
        }
    return scores or None


def _read_all(claim: Json, answer: Json) -> bool:
    """Whether each deciding sentence was read: a piece has four of five of its words."""
    pieces = [_words(f"{one['text']} {one['context']}") for one in answer["evidence"]]
    deciding = [_words(part) for part in claim["evidence"].split("||")]
    return all(any(len(d & read) >= 0.8 * len(d) for read in pieces) for d in deciding)


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def _handed_over(claims: Sequence[Json], work: Path) -> float:
    """The share that `train score --passages` has right, their deciding sentences as evidence."""
    names = {"Supported": "supports", "Refuted": "refutes"}
    rows = [
        {
            "premise": claim["evidence"].replace(" || ", " "),
            "hypothesis": claim["claim"],
            "label": names[claim["label"]],
        }
        for claim in claims
    ]
    file = work / "deciding.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    found = json.loads(uhhrag("train", "score", "--pairs", file, "--passages", "--json"))
    return float(found["all"]["accuracy"])


def labelled_pairs(options: argparse.Namespace, _: Sequence[str]) -> Json | None:
    """The verifier alone on labelled pairs."""
    if not options.pairs:
        return None
    scores: Json = {}
    for file in options.pairs:
        table = json.loads(uhhrag("train", "score", "--pairs", file, "--json"))
        rows = {"all": table["all"], **table["by_source"]}
        scores |= {f"{file.name} {source}": row for source, row in rows.items()}
    return scores


Part = Callable[[argparse.Namespace, Sequence[str]], Json | None]
PARTS: dict[str, Part] = {
    "sample": sample,
    "news": news,
    "science": science,
    "undecided": undecided,
    "decided": decided,
    "sections": sections,
    "pairs": labelled_pairs,
    "own": own,
}


def measures(pairs: Sequence[tuple[str, str]]) -> Json:
    """Accuracy of (gold, predicted) labels, beside the commonest gold label's; F1 of each label
    and their mean over the labels that the gold file has. 95 % intervals are of resampled claims;
    that over the commonest label is of the difference, claim by claim.

    >>> measures([("a", "a"), ("a", "b"), ("b", "b")])["macro-F1"]
    0.6666666666666666
    """
    gold, predicted = Counter(g for g, _ in pairs), Counter(p for _, p in pairs)
    commonest, most = gold.most_common(1)[0]
    bootstrap = Bootstrap()
    once = np.ones((1, len(pairs)), dtype=np.int64)
    (rates, f1), (drawn, _) = (
        _rates(pairs, commonest, times) for times in (once, bootstrap.draw(len(pairs)))
    )
    return {
        "claims": len(pairs),
        "commonest": most / len(pairs),
        **{name: float(values[0]) for name, values in rates.items()},
        **{f"{name}, 95 %": list(bootstrap.interval(values)) for name, values in drawn.items()},
        "F1": {label: float(values[0]) for label, values in f1.items()},
        "given": dict(predicted),
        **{f"wrongly {side}": sum(p == side != g for g, p in pairs) for side in SIDES},
    }


def _rates(
    pairs: Sequence[tuple[str, str]], commonest: str, times: NDArray[np.int64]
) -> tuple[Rates, Rates]:
    """Accuracy, its lead over the commonest label and macro-F1; and F1 by label. One number for
    each row of `times`, of shape (resamples, claims), which says how often a claim was drawn."""
    gold, predicted = (np.array(column) for column in zip(*pairs, strict=True))
    accuracy = times @ (gold == predicted) / len(pairs)
    f1: Rates = {}
    for label in sorted(set(gold.tolist())):
        is_gold, is_predicted = gold == label, predicted == label
        both, either = times @ (is_gold & is_predicted), times @ (is_gold * 1 + is_predicted)
        f1[label] = 2 * both / np.maximum(1, either)
    lead = accuracy - times @ (gold == commonest) / len(pairs)
    macro = np.mean(list(f1.values()), axis=0)
    return {"accuracy": accuracy, "over commonest": lead, "macro-F1": macro}, f1


def _sides(pairs: Sequence[tuple[str, str]]) -> Json:
    """Where gold takes no side, the share called Not Enough Evidence; elsewhere the share that
    gets a side, and the share of these sides that are right."""
    without = [p for g, p in pairs if g == NOT_ENOUGH]
    decided = [(g, p) for g, p in pairs if g != NOT_ENOUGH]
    sided = [(g, p) for g, p in decided if p != NOT_ENOUGH]
    return {
        "undecided called so": without.count(NOT_ENOUGH) / len(without),
        "decided with a side": len(sided) / len(decided),
        "sides right": sum(g == p for g, p in sided) / max(1, len(sided)),
    }


def _show(result: Mapping[str, Json]) -> None:
    for name, scores in result.items():
        print(f"  {name}")
        for key, value in scores.items():
            text = f"{value:.3f}" if isinstance(value, float) else value
            if isinstance(value, list):
                text = f"[{value[0]:.3f}, {value[1]:.3f}]"
            if isinstance(value, dict):
                text = ", ".join(
                    f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}" for k, v in value.items()
                )
            print(f"    {key:<22}{text}")


if __name__ == "__main__":
    main()
