"""The pairs that the shipped verifier was trained on, drawn from sets of labelled pairs.

    python -m scripts.mixture PAIRS SCIFACT --out pairs.jsonl [--seed 11]

PAIRS is a folder of files NAME.jsonl.gz in the form of `uhhrag train --help`, with `split` where a
set has official ones; SCIFACT holds corpus.jsonl and claims_train.jsonl. `TAKEN` says how many
pairs of each set are drawn. Three kinds of pairs are made from those:

- evidence among sentences on the same thing, the deciding one marked, as a passage is read;
- a claim with evidence of other claims that shares its words and says nothing about it, among it
  evidence about somebody or something else;
- a claim with a heading or the end of a sentence, which say nothing.

Groups with a pair in a development or test split are left out wherever they occur. So is every
fourth SciFact claim (`left_for_fit`): the learned verdict is fitted on these.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rank_bm25 import BM25Okapi

Json = dict[str, Any]
NEUTRAL = "neutral"

TAKEN: dict[str, tuple[int, float]] = {
    # source: (pairs drawn at most, times each is seen)
    "healthver-multivers": (9_999, 2),
    "healthver-multivers-neutral": (9_999, 4),
    "checkcovid": (9_999, 3),
    "climatefever": (9_999, 1),
    "covidfact": (400, 1),
    "factcheckbench": (1_200, 1),
    "fever-train": (11_000, 1),
    "fever-train-nei": (5_000, 1),
    "sufficientfacts-hover-cut": (9_999, 1),
    "sufficientfacts-vitaminc": (9_999, 1),
    "sufficientfacts-vitaminc-cut": (9_999, 2),
    "newprotocols-base": (2_000, 1),
    "newprotocols-contrast": (1_500, 1),
    "newprotocols-edit_premise": (2_500, 1),
    "newprotocols-edit_other": (2_500, 1),
    "mnli-llmsknow-train": (3_000, 1),
    "lingnli-lots": (2_500, 1),
    "lingnli-litl": (2_500, 1),
    "cadnli-revised": (600, 1),
    "infotabs": (1_000, 1),
    "semiauto-sim_wiki": (3_000, 1),
    "semiauto-translate_wiki": (2_000, 1),
    "politihop": (600, 1),
    "liar2": (600, 1),
    "wice": (9_999, 1),
    "wice-notsupported": (9_999, 1),
    "wice-partial": (9_999, 1),
}
LONGEST = 85
"""Words of claim and evidence; longer pairs cost most and are left out."""
KEPT_BACK = ("dev", "test", "evaluation")
WHOLE = ("sufficientfacts", "politihop", "liar2", "wice")
"""Sets of which all official splits may be trained on: no page reports a score on them."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("scifact", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    chance = random.Random(options.seed)  # noqa: S311 - a draw that can be repeated
    rows = list(read_pairs(options.pairs))
    drawn = drawn_from(rows, TAKEN, chance)
    mixture = [
        *drawn,
        *_foreign([r for r in drawn if r["source"].startswith("healthver")], 2_000, chance),
        *_foreign([r for r in drawn if r["source"] == "climatefever"], 300, chance),
        *_foreign([r for r in drawn if r["source"] in ("liar2", "politihop")], 500, chance),
        *_of_others([r for r in drawn if r["source"] == "fever-train"], 3_000, chance),
        *_fragments(drawn, 700, chance),
        *_scifact(options.scifact, chance),
    ]
    write_shuffled(mixture, options.out, chance)


def read_pairs(folder: Path) -> Iterator[Json]:
    """The rows of all sets of a folder, each with the name of its set."""
    for path in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                yield {**row, "set": path.name.partition(".")[0]}


def drawn_from(
    rows: Sequence[Json], taken: Mapping[str, tuple[int, float]], chance: random.Random
) -> list[Json]:
    """Pairs of each source as `taken` says, a third of FEVER's among other sentences."""
    held = {r["group"] for r in rows if r["split"] in KEPT_BACK and r["set"] not in WHOLE}
    by_source: dict[str, list[Json]] = defaultdict(list)
    same_thing: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        words = len(row["premise"].split()) + len(row["hypothesis"].split())
        if row["source"] not in taken or row["group"] in held or words > LONGEST:
            continue
        by_source[row["source"]].append(row)
        if row["set"] == "fever":
            same_thing[row["group"]].append(row["premise"])
    drawn = []
    for source, (most, times) in taken.items():
        rows = by_source[source]
        rows = chance.sample(rows, min(most, len(rows)))
        for row in rows * int(times) + rows[: round(len(rows) * (times % 1))]:
            premise = row["premise"]
            if row["set"] == "fever" and chance.random() < 0.33:
                premise = _among(row, same_thing[row["group"]], chance)
            drawn.append(pair(premise, row["hypothesis"], row["label"], source, row["group"]))
    return drawn


def _among(row: Json, others: Sequence[str], chance: random.Random) -> str:
    """The premise before or after one or two others of its group, marked in half of the cases. For
    a claim that nothing decides, the others are those that share most words with it."""
    others = sorted({text for text in others if text != row["premise"]})
    if not others:
        return str(row["premise"])
    if row["label"] == NEUTRAL:
        words = _words(row["hypothesis"])
        others = sorted(others, key=lambda text: -len(words & _words(text)))[:3]
    added = chance.sample(others, min(len(others), chance.choice((1, 1, 2))))
    marked = f"» {row['premise']} «" if chance.random() < 0.5 else row["premise"]
    parts = [*added, marked]
    chance.shuffle(parts)
    return " ".join(parts)


def _foreign(rows: Sequence[Json], count: int, chance: random.Random) -> list[Json]:
    """Claims with evidence of other claims that shares their words, but is not the nearest: the
    nearest often decides them."""
    premises = sorted({row["premise"] for row in rows})
    own: dict[str, set[str]] = defaultdict(set)
    for row in rows:
        own[row["hypothesis"]].add(row["premise"])
    ranked = _ranking(premises)
    made = []
    for claim in chance.choices(sorted(own), k=count):
        rank = chance.randrange(25, 90)
        premise = premises[ranked(claim)[min(rank, len(premises) - 1)]]
        if premise not in own[claim]:
            made.append(pair(premise, claim, NEUTRAL, "mined", claim))
    return made


def _of_others(rows: Sequence[Json], count: int, chance: random.Random) -> list[Json]:
    """Claims with evidence that shares their words and is about somebody or something else: none of
    the claim's names occurs in it."""
    premises = sorted({row["premise"] for row in rows if _names(row["premise"])})
    ranked = _ranking(premises)
    made = []
    for row in chance.choices([row for row in rows if _names(row["hypothesis"])], k=count):
        best = [premises[place] for place in ranked(row["hypothesis"])[:40]]
        names = _names(row["hypothesis"])
        if others := [text for text in best if not names & _words(text)][:5]:
            text = chance.choice(others)
            made.append(pair(text, row["hypothesis"], NEUTRAL, "mined", row["group"]))
    return made


def _fragments(rows: Sequence[Json], count: int, chance: random.Random) -> list[Json]:
    """Claims with the first or last words of their evidence, which assert nothing."""
    made = []
    for row in chance.choices(rows, k=count):
        words = row["premise"].split()
        if len(words) > 12:
            few = chance.randrange(2, 5)
            part = words[:few] if chance.random() < 0.5 else words[-few:]
            made.append(
                pair(" ".join(part), row["hypothesis"], NEUTRAL, "mined", row["hypothesis"])
            )
    return made


def left_for_fit(claim: Json) -> bool:
    """Whether a SciFact claim is kept for fitting the learned verdict."""
    return int(claim["id"]) % 4 == 3


def _scifact(folder: Path, chance: random.Random) -> list[Json]:
    """Rationales; other sentences of cited abstracts, and of abstracts that share the claim's
    words. Two thirds are read after the title of the abstract, as `check` reads a document."""
    documents = [json.loads(line) for line in (folder / "corpus.jsonl").open(encoding="utf-8")]
    ranked = _ranking([" ".join([d["title"], *d["abstract"]]) for d in documents])
    by_id = {str(document["doc_id"]): document for document in documents}
    made = []
    for claim in map(json.loads, (folder / "claims_train.jsonl").open(encoding="utf-8")):
        if left_for_fit(claim):
            continue
        cited = {str(number) for number in claim["cited_doc_ids"]} | set(claim["evidence"])
        near = [documents[place] for place in ranked(claim["claim"])[:12]]
        near = [d for d in near if str(d["doc_id"]) not in cited]
        silent = [by_id[n] for n in sorted(cited - set(claim["evidence"])) if n in by_id]
        pieces = [
            *_rationales(claim, by_id),
            *((d, _nearest(claim, d), NEUTRAL) for d in (*silent, *chance.sample(near, 3))),
        ]
        for document, sentence, label in pieces:
            title = document["title"].rstrip(".")
            text = f"{title}. » {sentence} «" if chance.random() < 0.67 else sentence
            made.append(pair(text, claim["claim"], label, "scifact", f"scifact-{claim['id']}"))
    return made


def _rationales(claim: Json, by_id: dict[str, Json]) -> Iterator[tuple[Json, str, str]]:
    """Document, text and label of each rationale, twice, and of the sentence of its document that
    shares the fewest words with the claim."""
    words = _words(claim["claim"])
    for number, rationales in claim["evidence"].items():
        document, used = by_id[number], set()
        for rationale in rationales:
            label = "supports" if rationale["label"] == "SUPPORT" else "refutes"
            used |= set(rationale["sentences"])
            text = " ".join(document["abstract"][place] for place in rationale["sentences"])
            yield from [(document, text, label)] * 2
        rest = [s for place, s in enumerate(document["abstract"]) if place not in used]
        if len(rest) > 1:
            yield document, min(rest, key=lambda s: len(words & _words(s))), NEUTRAL


def _nearest(claim: Json, document: Json) -> str:
    """The sentence of a document that shares most words with a claim."""
    words = _words(claim["claim"])
    return str(max(document["abstract"], key=lambda s: len(words & _words(s))))


def _words(text: str) -> set[str]:
    return {word for word in re.findall(r"\w+", text.lower()) if len(word) > 3}


def _ranking(texts: Sequence[str]) -> Callable[[str], list[int]]:
    """A claim → the places of all texts, those that share its words first (BM25)."""
    engine = BM25Okapi([sorted(_words(text)) for text in texts])

    def ranked(claim: str) -> list[int]:
        places: list[int] = engine.get_scores(sorted(_words(claim))).argsort()[::-1].tolist()
        return places

    return ranked


def _names(text: str) -> set[str]:
    """The words of a text that begin with a capital, in lower case."""
    return {word.lower() for word in re.findall(r"\b[A-Z]\w{3,}", text)}


def pair(premise: str, hypothesis: str, label: str, source: str, group: str) -> Json:
    """A row of `uhhrag train --pairs`."""
    return {
        "premise": premise,
        "hypothesis": hypothesis,
        "label": label,
        "source": source,
        "group": group,
    }


def write_shuffled(mixture: list[Json], out: Path, chance: random.Random) -> None:
    """Write pairs to a file in an order by chance, and say how many they are."""
    chance.shuffle(mixture)
    with out.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row, ensure_ascii=False) + "\n" for row in mixture)
    print(f"{len(mixture)} pairs")


if __name__ == "__main__":
    main()
