"""`uhhrag check` on a real corpus: SciFact's 5,183 abstracts and its claims of the dev set.

    python -m scripts.scifact DATA labels [--size 80] [--seed 0] [-- OPTIONS OF CHECK]
        How often is the label right, beside always the commonest one?
    python -m scripts.scifact DATA examples --out FILE
        Training claims that the verifier was not trained on, with the evidence of a check: what
        `uhhrag train verdict --field documents` is fitted to.
    python -m scripts.scifact DATA passages --out FILE
        The other training claims beside the abstracts that they cite, as `scripts.own_windows`
        reads them.

DATA holds corpus.jsonl and claims_dev.jsonl. What is made of them is kept in --work: stopped and
run again, both go on where they stood. A claim without evidence counts as Not Enough Evidence.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from scripts.benchmarks.sides import split_words, uhhrag

Json = dict[str, Any]

LABELS = {"SUPPORT": "Supported", "CONTRADICT": "Refuted"}
SIDES = {"SUPPORT": "supports", "CONTRADICT": "refutes"}
NOT_ENOUGH = "Not Enough Evidence"


def main() -> None:
    options, of_check = _options()
    if options.what == "passages":
        rows = passages(options.data)
        options.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return
    gold = [json.loads(line) for line in (options.data / "claims_dev.jsonl").open()]
    store = ingest(options.data, options.work)
    if options.what == "examples":
        rows = examples(options.data, store, options.work, of_check)
        options.out.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
        print(f"{len(rows)} examples: {dict(Counter(row['label'] for row in rows))}")
        return
    sample = sorted(random.Random(options.seed).sample(range(len(gold)), options.size))  # noqa: S311
    chosen = [gold[i] for i in sample]
    answers = check(chosen, store, options.work, of_check)
    print(json.dumps(labels(chosen, answers), indent=1))


def _options() -> tuple[argparse.Namespace, list[str]]:
    given, of_check = split_words()
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("what", choices=["labels", "examples", "passages"])
    parser.add_argument("--work", type=Path, default=Path("scifact.work"))
    parser.add_argument("--size", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, default=Path("examples.json"))
    return parser.parse_args(given), of_check


def ingest(data: Path, work: Path) -> Path:
    """An archive of the abstracts alone: DATA holds the claims as well."""
    folder, archive = work / "documents", work / "archive"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "corpus.jsonl"
    if not file.exists():
        file.write_bytes((data / "corpus.jsonl").read_bytes())
    uhhrag("ingest", folder, "--out", archive)
    return archive


def gold_documents(claim: Json) -> set[str]:
    """The addresses of the documents with a rationale."""
    return {f"file:corpus.jsonl#{doc}" for doc in claim["evidence"]}


def check(claims: list[Json], store: Path, work: Path, options: list[str]) -> list[Json]:
    """The answers of `uhhrag check --json`, in the order of the claims."""
    file = work / "claims.jsonl"
    file.write_text("".join(json.dumps({"claim": claim["claim"]}) + "\n" for claim in claims))
    words = ("--docs", store, "--claims", file, "--json", "--work", work, *options)
    return [json.loads(line) for line in uhhrag("check", *words).splitlines()]


def left_for_fit(claim: Json) -> bool:
    """Whether a SciFact claim is left out of the verifier's training, for fitting the verdict."""
    return int(claim["id"]) % 4 == 3


def examples(data: Path, store: Path, work: Path, options: list[str]) -> list[Json]:
    """Training claims that `left_for_fit` names, with the ten nearest sentences. A quarter
    of those that the corpus decides come once more with ten sentences of other documents, which
    leave them undecided: else nearly every claim of the fit would find its document."""
    lines = (data / "claims_train.jsonl").read_text(encoding="utf-8").splitlines()
    claims = [claim for claim in map(json.loads, lines) if left_for_fit(claim)]
    answers = check(claims, store, work, ["--top-n", "30", *options])
    rows = []
    for claim, answer in zip(claims, answers, strict=True):
        gold, evidence = gold_documents(claim), answer["evidence"]
        rows.append(_example(claim, gold_label(claim), evidence))
        if gold and claim["id"] % 16 == 3:
            others = [e for e in evidence if not gold & {s["url"] for s in e["sources"]}]
            rows.append(_example(claim, NOT_ENOUGH, others))
    return rows


def passages(data: Path) -> list[Json]:
    """The cited abstracts with the claims that `left_for_fit` does not name. A claim that an
    abstract decides twice has its first rationale there."""
    of_document: dict[int, list[Json]] = {}
    claims = map(json.loads, (data / "claims_train.jsonl").open(encoding="utf-8"))
    for claim in (claim for claim in claims if not left_for_fit(claim)):
        for number in claim["cited_doc_ids"]:
            said = claim["evidence"].get(str(number), [])
            label = SIDES[said[0]["label"]] if said else "neutral"
            row = {"claim": claim["claim"], "label": label}
            row["evidence"] = said[0]["sentences"] if said else []
            of_document.setdefault(number, []).append(row)
    documents = map(json.loads, (data / "corpus.jsonl").open(encoding="utf-8"))
    return [
        {
            "title": document["title"].rstrip("."),
            "section": "",
            "sentences": document["abstract"],
            "claims": of_document[document["doc_id"]],
        }
        for document in documents
        if document["doc_id"] in of_document
    ]


def _example(claim: Json, label: str, evidence: Sequence[Json]) -> Json:
    pieces = [
        {
            "question": e["question"],
            "answer": e["sentence"],
            "title": e["sources"][0]["title"],
            "context": e["context"],
            "at": e.get("at", 0),
        }
        for e in evidence[:10]
    ]
    group = f"scifact-{claim['id']}"
    return {"claim": claim["claim"], "label": label, "group": group, "evidence": pieces}


def gold_label(claim: Json) -> str:
    said = {LABELS[part["label"]] for parts in claim["evidence"].values() for part in parts}
    return said.pop() if len(said) == 1 else NOT_ENOUGH


def labels(claims: list[Json], answers: list[Json]) -> Json:
    """Accuracy beside that of the commonest label, the label mixes, and whether the evidence that
    was kept comes from the documents with the rationales."""
    pairs = [(gold_label(c), a["label"]) for c, a in zip(claims, answers, strict=True)]
    mix, given = Counter(g for g, _ in pairs), Counter(p for _, p in pairs)
    sided = [(g, p) for g, p in pairs if g != NOT_ENOUGH]
    kept = [
        len(gold_documents(claim) & _documents_of(answer)) / len(gold_documents(claim))
        for claim, answer in zip(claims, answers, strict=True)
        if claim["evidence"]
    ]
    return {
        "claims": len(pairs),
        "accuracy": round(sum(g == p for g, p in pairs) / len(pairs), 4),
        "its 95 % interval": _wilson(sum(g == p for g, p in pairs), len(pairs)),
        "always the commonest label": round(max(mix.values()) / len(pairs), 4),
        "accuracy where gold takes a side": round(sum(g == p for g, p in sided) / len(sided), 4),
        "commonest side": round(max(Counter(g for g, _ in sided).values()) / len(sided), 4),
        "gold": dict(mix),
        "given": dict(given),
        "confusion": {f"{g} as {p}": n for (g, p), n in sorted(Counter(pairs).items())},
        "rationale documents among the evidence": round(sum(kept) / len(kept), 4),
        "signature": answers[0]["signature"],
    }


def _wilson(right: int, total: int) -> list[float]:
    """The 95 % interval of a share, by Wilson's score."""
    z = 1.959964
    middle = (right + z * z / 2) / (total + z * z)
    reach = z / (total + z * z) * (right * (total - right) / total + z * z / 4) ** 0.5
    return [round(middle - reach, 4), round(middle + reach, 4)]


def _documents_of(answer: Json) -> set[str]:
    return {source["url"] for piece in answer["evidence"] for source in piece["sources"]}


if __name__ == "__main__":
    main()
