"""Time our bfloat16 kernel against what libraries offer for the same model, on the same sentences.

The sides are the library's float32 (`SentenceTransformer.encode`), the same under
`torch.autocast` to bfloat16, the same compiled by `torch.compile` under autocast, and OpenVINO,
where it is installed, with its default precision for the processor. All take turns in one process.
Each side embeds all sentences once before the clock runs, since shapes are compiled at first use.
Cosines are to the library's float32 vectors.

usage: scripts/bench embed_libraries [--sentences N] [--rounds N] [--claims N]
"""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from scripts.benchmarks.embed import library
from scripts.benchmarks.pools import Rows, parser, read_pools
from scripts.benchmarks.sides import commit, in_turn, machine, show
from uhhrag import models
from uhhrag.backends import sentence_transformer
from uhhrag.protocols import Embedder


def autocast(folder: Path, compiled: bool) -> Embedder:
    """The library's encoder under autocast to bfloat16."""
    import torch
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    if compiled:
        model[0].auto_model = torch.compile(model[0].auto_model, dynamic=True)

    def embed(texts: Sequence[str], /) -> Rows:
        with torch.autocast("cpu", torch.bfloat16):
            vectors = model.encode(list(texts), show_progress_bar=False, convert_to_tensor=True)
        found: Rows = vectors.float().numpy()
        return found

    return embed


def openvino(folder: Path) -> Embedder | None:
    """The model in OpenVINO, batches of 32 sorted by length; None where it is not installed."""
    try:
        import openvino
    except ImportError:
        return None
    import torch
    from transformers import AutoModel, AutoTokenizer

    tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    plain = AutoModel.from_pretrained(folder, local_files_only=True).eval()
    sample = dict(tokenizer(["one text"], return_tensors="pt"))
    model = openvino.compile_model(openvino.convert_model(plain, example_input=sample), "CPU")
    names = [port.any_name for port in model.inputs]

    def embed(texts: Sequence[str], /) -> Rows:
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        rows: dict[int, Any] = {}
        for start in range(0, len(order), 32):
            some = order[start : start + 32]
            given = tokenizer(
                [texts[i] for i in some], padding=True, truncation=True, max_length=256,
                return_tensors="np",
            )  # fmt: skip
            hidden = next(iter(model({name: given[name] for name in names}).values()))
            mask = given["attention_mask"][:, :, None]
            mean = (hidden * mask).sum(axis=1) / mask.sum(axis=1)
            rows.update(zip(some, mean / np.linalg.norm(mean, axis=1, keepdims=True), strict=True))
        found: Rows = np.array([rows[i] for i in range(len(texts))], np.float32)
        return found

    with torch.inference_mode():
        return embed


def main() -> None:
    options = parser(__doc__)
    options.add_argument("--sentences", type=int, default=1000)
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    folder = models.path(given.embedder)
    pools = read_pools(given.averitec, given.claims)
    drawn = np.random.default_rng(0).choice(len(pools.texts), given.sentences, replace=False)
    some = [pools.texts[row] for row in drawn]
    print(f"{machine()}; commit {commit()}")
    sides: dict[str, Embedder | None] = {
        "library": library(folder),
        "ours": sentence_transformer.load(folder, in_bf16=True),
        "autocast": autocast(folder, compiled=False),
        "compile": autocast(folder, compiled=True),
        "openvino": openvino(folder),
    }
    there = {name: side for name, side in sides.items() if side}
    exact = np.asarray(there["library"](some))
    for name, side in there.items():
        cosines = (np.asarray(side(some)) * exact).sum(axis=1)
        print(f"{name:<10}cosine to float32: mean {cosines.mean():.6f}, least {cosines.min():.6f}")
    show(in_turn({name: partial(side, some) for name, side in there.items()}, given.rounds), "ours")


if __name__ == "__main__":
    main()
