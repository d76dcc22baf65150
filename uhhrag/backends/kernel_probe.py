"""Prints a kernel's seconds or `null`: one thread, a random BERT of MiniLM's shape."""

from __future__ import annotations

import sys
import time

import torch

from uhhrag.backends.bert import Bert, has_fused_products
from uhhrag.backends.kernels import FP32

_LAYERS, _WIDTH, _HEADS = 2, 384, 12
_TEXTS, _LENGTH = 8, 32
_ROUNDS = 12


def seconds_of(kernel: str) -> float | None:
    """None if torch lacks the kernel."""
    precision = torch.float32 if kernel == FP32 else torch.bfloat16
    if precision is torch.bfloat16 and not has_fused_products(precision):
        return None
    torch.set_num_threads(1)
    torch.manual_seed(0)
    config = {"num_attention_heads": _HEADS, "num_hidden_layers": _LAYERS}
    bert = Bert(_weights(), config, precision)
    ids = torch.randint(0, 100, (_TEXTS, _LENGTH))
    times = []
    with torch.inference_mode():
        for _ in range(_ROUNDS):
            begun = time.thread_time()
            bert(ids)
            times.append(time.thread_time() - begun)
    return min(times)


def _weights() -> dict[str, torch.Tensor]:
    weights = {}

    def linear(name: str, outputs: int, inputs: int) -> None:
        weights[f"{name}.weight"] = torch.randn(outputs, inputs) / inputs**0.5
        weights[f"{name}.bias"] = torch.zeros(outputs)

    def norm(name: str) -> None:
        weights[f"{name}.weight"], weights[f"{name}.bias"] = torch.ones(_WIDTH), torch.zeros(_WIDTH)

    for table, rows in (("word", 100), ("token_type", 2), ("position", 512)):
        weights[f"embeddings.{table}_embeddings.weight"] = torch.randn(rows, _WIDTH)
    norm("embeddings.LayerNorm")
    for layer in range(_LAYERS):
        place = f"encoder.layer.{layer}."
        for name in ("self.query", "self.key", "self.value", "output.dense"):
            linear(f"{place}attention.{name}", _WIDTH, _WIDTH)
        linear(f"{place}intermediate.dense", 4 * _WIDTH, _WIDTH)
        linear(f"{place}output.dense", _WIDTH, 4 * _WIDTH)
        norm(f"{place}attention.output.LayerNorm")
        norm(f"{place}output.LayerNorm")
    return weights


if __name__ == "__main__":
    result = seconds_of(sys.argv[1])
    sys.stdout.write("null" if result is None else str(result))
