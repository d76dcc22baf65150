"""`uhhrag check` on a real corpus: SciFact's 5,183 abstracts and its claims of the dev set.

    python -m scripts.scifact DATA retrieval [--elsewhere CLAIMS]
        Are the documents with the rationales found, and how similar are they? CLAIMS (AVeriTeC's
        format) are about other things: how similar is the nearest sentence to them?
    python -m scripts.scifact DATA labels [--size 80] [--seed 0] [-- OPTIONS OF CHECK]
        How often is the label right, beside always the commonest one?
    python -m scripts.scifact DATA examples --out FILE
        Training claims that the verifier was not trained on, with the evidence of a check: what
        `uhhrag train verdict --field documents` is fitted to.

DATA holds corpus.jsonl and claims_dev.jsonl. What is made of them is kept in --work: stopped and
run again, both go on where they stood. A claim without evidence counts as Not Enough Evidence.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from uhhrag.protocols import Embedder
from uhhrag.records import Hit, Page

Json = dict[str, Any]

LABELS = {"SUPPORT": "Supported", "CONTRADICT": "Refuted"}
NOT_ENOUGH = "Not Enough Evidence"
DEPTHS = (1, 3, 5, 10, 20, 100)
THRESHOLDS = (0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6)


def main() -> None:
    options, of_check = _options()
    gold = [json.loads(line) for line in (options.data / "claims_dev.jsonl").open()]
    store = ingest(options.data, options.work)
    if options.what == "retrieval":
        found = retrieval(gold, store, options.work, options.pool, options.elsewhere)
        print(json.dumps(found, indent=1))
        return
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
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("what", choices=["retrieval", "labels", "examples"])
    parser.add_argument("--work", type=Path, default=Path("scifact.work"))
    parser.add_argument("--size", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--pool", type=int, default=10_000)
    parser.add_argument("--elsewhere", type=Path)
    parser.add_argument("--out", type=Path, default=Path("examples.json"))
    return parser.parse_args(given[:at]), given[at + 1 :]


def ingest(data: Path, work: Path) -> Path:
    """The corpus alone as a store: the folder holds the claims as well."""
    folder, store = work / "documents", work / "scifact.jsonl"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "corpus.jsonl"
    if not file.exists():
        file.write_bytes((data / "corpus.jsonl").read_bytes())
    subprocess.run([sys.executable, "-m", "uhhrag", "ingest", folder, "--out", store], check=True)
    return store


def gold_documents(claim: Json) -> set[str]:
    """The addresses of the documents with a rationale."""
    return {f"file:corpus.jsonl#{doc}" for doc in claim["evidence"]}


def retrieval(gold: list[Json], store: Path, work: Path, pool: int, elsewhere: Path | None) -> Json:
    """Recall of the rationale documents among the first ones, ranked by their best sentence, and
    how similar the nearest sentence is to claims that the corpus decides, that it does not decide,
    and that are about other things."""
    from uhhrag.formats.gold import read_claims
    from uhhrag.indexing import claim_index
    from uhhrag.indexing.document_index import index_of, open_document_index, pool_of
    from uhhrag.records import Claim
    from uhhrag.system.terminal import progress
    from uhhrag.wiring import embedders, nltk_data, pipeline
    from uhhrag.workflows.documents import AT_ONCE, embed_ahead

    nltk_data.load_nltk_data()
    documents = open_document_index(store)
    embed, identity = embedders.load_embedder("minilm", memory=work / pipeline.VECTORS)
    others = [claim.text for claim in read_claims(elsewhere)] if elsewhere else []
    asked = [Claim(i, text) for i, text in enumerate([c["claim"] for c in gold] + others)]
    pools = [pool_of(documents, claim, pool) for claim in asked]
    texts = list(Json.fromkeys(hit.passage.text for hits in pools for hit in hits))
    for _ in progress(embed_ahead(texts, embed), len(texts), "sentences", by=AT_ONCE):
        pass
    found: dict[str, float] = {}
    nearest: dict[str, list[float]] = {"decided": [], "rationale": [], "undecided": [], "other": []}
    for claim, hits in zip(asked, pools, strict=True):
        search = claim_index.search_in(index_of(documents, claim, hits, embed), embed)
        best = search(claim.text, 1)[0].score
        record = gold[claim.id] if claim.id < len(gold) else None
        if record is None or not record["evidence"]:
            nearest["undecided" if record else "other"].append(best)
            continue
        nearest["decided"].append(best)
        nearest["rationale"].append(_nearest_rationale(record, documents.pages, embed, claim.text))
        recalls = _recall(gold_documents(record), search(claim.text, 1000), hits)
        found = {name: found.get(name, 0.0) + recall for name, recall in recalls.items()}
    return {
        "claims with rationales": len(nearest["decided"]),
        "pool": pool,
        "embedder": str(identity),
        "recall": {name: round(n / len(nearest["decided"]), 4) for name, n in found.items()},
        "similarity to the claim of": {
            "the nearest sentence, claims with rationales": _quantiles(nearest["decided"]),
            "the nearest rationale sentence": _quantiles(nearest["rationale"]),
            "the nearest sentence, claims without": _quantiles(nearest["undecided"]),
            "the nearest sentence, claims on other things": _quantiles(nearest["other"]),
        },
        "claims whose nearest sentence is kept by --nearest": {
            f"{least:.2f}": {kind: _share(values, least) for kind, values in nearest.items()}
            for least in THRESHOLDS
        },
    }


def _recall(wanted: set[str], hits: Sequence[Hit], pool: Sequence[Hit]) -> dict[str, float]:
    """The share of the documents wanted that are among the first ones, that have one of the ten
    nearest sentences, and that have a sentence in the pool."""
    ranked = list(documents(hits))
    seen = {f"documents@{depth}": set(ranked[:depth]) for depth in DEPTHS}
    seen["the ten sentences of a check"] = set(documents(hits[:10]))
    seen["pool"] = set(documents(pool))
    return {name: len(wanted & some) / len(wanted) for name, some in seen.items()}


def _share(values: list[float], least: float) -> float | None:
    kept = sum(value >= least for value in values)
    return round(kept / len(values), 4) if values else None


def _nearest_rationale(
    claim: Json, pages: Mapping[str, Sequence[Page]], embed: Embedder, text: str
) -> float:
    """The best cosine of the claim and one of its rationale sentences."""
    rationales = {
        page.lines[at]
        for doc, parts in claim["evidence"].items()
        for page in pages[f"file:corpus.jsonl#{doc}"]
        for part in parts
        for at in part["sentences"]
    }
    vectors = embed([text, *sorted(rationales)])
    return max(map(float, vectors[1:] @ vectors[0]))


def _quantiles(values: list[float]) -> Json:
    """The minimum, the 1st, 5th, 50th, 95th and 99th percentile, and the maximum of the values."""
    import numpy as np

    points = (0, 1, 5, 50, 95, 99, 100)
    found = np.percentile(values, points).round(3).tolist() if values else []
    return {"claims": len(values), **dict(zip(map(str, points), found, strict=False))}


def documents(hits: Sequence[Hit]) -> Iterator[str]:
    """The documents of sentences, each once, best first."""
    return iter(Json.fromkeys(url for hit in hits for url in hit.passage.urls))


def check(claims: list[Json], store: Path, work: Path, options: list[str]) -> list[Json]:
    """The answers of `uhhrag check --json`, in the order of the claims."""
    file = work / "claims.jsonl"
    file.write_text("".join(json.dumps({"claim": claim["claim"]}) + "\n" for claim in claims))
    command = [sys.executable, "-m", "uhhrag", "check", "--docs", str(store)]
    command += ["--claims", str(file), "--json", "--work", str(work), *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


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


def _example(claim: Json, label: str, evidence: Sequence[Json]) -> Json:
    pieces = [
        {
            "question": e["question"],
            "answer": e["sentence"],
            "title": e["sources"][0]["title"],
            "context": e["context"],
        }
        for e in evidence[:10]
    ]
    return {"claim": claim["claim"], "label": label, "evidence": pieces}


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
