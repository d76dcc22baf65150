"""Make the trained static vectors of an embedder: a vector for each token, learned so that the sum
of a text's tokens lies where the embedder puts the text.

The embedder embeds claims and pieces of evidence of labelled pairs (`nli/`; labels are not used).
Its vectors are turned to their main axes and cut to DIMENSION. The table begins as the embedder's
own word embeddings, mapped to these axes by least squares, and is trained by Adam on two losses:
the cosine of a text to its vector, and the cosines of the texts of a batch to each other.
Some minutes on two cores; `--memory FILE` keeps the embedder's vectors for another turn.

usage: python -m scripts.static_vectors NLI --out DIR [--embedder MODEL] [--memory FILE]
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import embedding_bag, normalize

from uhhrag.backends.static_vectors import TABLE, save, word_table
from uhhrag.defaults import EMBEDDER
from uhhrag.models import path
from uhhrag.wiring.embedders import load_embedder

TEXTS = {
    "fever": 58_000, "newprotocols": 54_000, "mnli": 37_000, "semiautonli": 29_000,
    "infotabs": 20_000, "snli": 12_000, "liar2": 9_999, "feverous": 9_999, "cadnli": 6_000,
    "factcheckbench": 9_999, "summedits": 9_999, "checkcovid": 9_999, "wice": 9_999,
}  # fmt: skip
"""Texts drawn of each set, at most: sets whose licence allows it."""
NOT_OURS = "news"
"""In the source of the pairs whose text may not be used (Gigaword)."""
LONGEST = 600
"""Characters of a text."""
DIMENSION, CHECKED = 192, 4000
"""Numbers of a vector, and texts that are kept apart for checking."""
BATCH, EPOCHS, RATE = 1024, 5, 3e-3
NEIGHBOURS = 20.0
"""The weight of the second loss."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("pairs", type=Path, help="the folder of nli/")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--embedder", default=EMBEDDER)
    parser.add_argument("--memory", type=Path, help="a file that keeps the embedder's vectors")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    texts = drawn(options.pairs, random.Random(options.seed))  # noqa: S311 - can be repeated
    embed, identity = load_embedder(options.embedder, memory=options.memory)
    table, tokens = word_table(path(options.embedder))
    print(f"{len(texts)} texts", flush=True)
    steps = [embed(texts[start : start + 4096]) for start in range(0, len(texts), 4096)]
    vectors = np.concatenate(steps)
    torch.manual_seed(options.seed)
    made = trained(torch.tensor(table), tokens(texts), torch.tensor(vectors))
    options.out.mkdir(parents=True, exist_ok=True)
    save(options.out / TABLE, made, identity.fingerprint)


def read_pairs(folder: Path) -> Iterator[dict[str, Any]]:
    """The rows of all sets of a folder, each with the name of its set."""
    for packed in sorted(folder.glob("*.jsonl.gz")):
        with gzip.open(packed, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                yield {**row, "set": packed.name.partition(".")[0]}


def drawn(pairs: Path, chance: random.Random) -> list[str]:
    """Distinct texts of both sides of the pairs, in an order by chance."""
    of_set: dict[str, dict[str, None]] = defaultdict(dict)
    for row in read_pairs(pairs):
        if row["set"] in TEXTS and NOT_OURS not in row["source"]:
            of_set[row["set"]].update({row[s][:LONGEST]: None for s in ("premise", "hypothesis")})
    taken = [
        text
        for name, texts in sorted(of_set.items())
        for text in chance.sample(list(texts), min(TEXTS[name], len(texts)))
    ]
    distinct = list(dict.fromkeys(taken))
    chance.shuffle(distinct)
    return distinct


def trained(
    words: torch.Tensor, tokens: Sequence[Sequence[int]], vectors: torch.Tensor
) -> NDArray[np.float32]:
    """The table of static vectors, shape (tokens, DIMENSION), from the table of `words`, and texts
    as token numbers with their `vectors`. The last CHECKED texts are not trained on."""
    count = len(tokens) - CHECKED
    axes = torch.linalg.svd(vectors[:count].T @ vectors[:count]).U[:, :DIMENSION]
    wanted = normalize(vectors @ axes, dim=1)
    own = normalize(_sums(words, tokens[:count]), dim=1)
    table = words @ torch.linalg.lstsq(own, wanted[:count]).solution
    table.requires_grad_()
    adam = torch.optim.Adam([table], lr=RATE)
    steps = EPOCHS * (count // BATCH)
    fall = torch.optim.lr_scheduler.LinearLR(adam, 1.0, 0.0, steps)
    print(f"before: {_agreement(table, tokens[count:], vectors[count:]):.3f}", flush=True)
    for epoch in range(EPOCHS):
        order = torch.randperm(count)
        for batch in order[: count - count % BATCH].split(BATCH):
            sums = normalize(_sums(table, [tokens[row] for row in batch.tolist()]), dim=1)
            real = vectors[batch]
            apart = (1 - (sums * wanted[batch]).sum(dim=1)).mean()
            neighbours = ((sums @ sums.T - real @ real.T) ** 2).mean()
            adam.zero_grad()
            (apart + NEIGHBOURS * neighbours).backward()
            adam.step()
            fall.step()
        agreement = _agreement(table, tokens[count:], vectors[count:])
        print(f"epoch {epoch + 1}: {agreement:.3f}", flush=True)
    return np.asarray(table.detach().numpy(), np.float32)


def _sums(table: torch.Tensor, tokens: Sequence[Sequence[int]]) -> torch.Tensor:
    """The sum of each text's rows of the table, shape (texts, dimension)."""
    ends = np.cumsum([len(ids) for ids in tokens])
    flat = torch.tensor([token for ids in tokens for token in ids])
    starts = torch.tensor([0, *ends[:-1]])
    return embedding_bag(flat, table, starts, mode="sum")


def _agreement(
    table: torch.Tensor, tokens: Sequence[Sequence[int]], vectors: torch.Tensor
) -> float:
    """The correlation of static and real cosines over all couples of texts."""
    with torch.no_grad():
        sums = normalize(_sums(table, tokens), dim=1)
        rows, columns = torch.triu_indices(len(tokens), len(tokens), 1)
        cosines = torch.stack(
            ((sums @ sums.T)[rows, columns], (vectors @ vectors.T)[rows, columns])
        )
    return float(torch.corrcoef(cosines)[0, 1])


if __name__ == "__main__":
    main()
