"""A BERT with mean pooling on a CPU; bfloat16 is for matrix products only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn import functional as f

Product = Callable[[Any], Any]
"""(texts, length, inputs) → (texts, length, outputs)."""
_ROWS = 256
"""Rows for oneDNN's layout; others work."""


class Bert:
    """Token ids (texts, length) → float32 unit vectors. `weights` have transformers' names."""

    def __init__(
        self, weights: Mapping[str, Any], config: Mapping[str, Any], precision: torch.dtype
    ) -> None:
        own = {name.removeprefix("embeddings."): w for name, w in weights.items()}
        self._words = own["word_embeddings.weight"]
        types = own["token_type_embeddings.weight"]
        self._places = own["position_embeddings.weight"] + types[0]
        self._norm = (own["LayerNorm.weight"], own["LayerNorm.bias"])
        self._heads, self.dimension = int(config["num_attention_heads"]), self._words.shape[1]
        self._tiny = float(config.get("layer_norm_eps", 1e-12))
        layers = range(int(config["num_hidden_layers"]))
        self._layers = [_Layer(weights, f"encoder.layer.{n}.", precision) for n in layers]
        self._precision = precision

    def __call__(self, ids: torch.Tensor) -> torch.Tensor:
        x = self._normed(self._words[ids] + self._places[: ids.shape[1]], self._norm)
        for layer in self._layers:
            attended = self._attended(x.to(self._precision), layer)
            x = self._normed(x + attended, layer.attended_norm)
            x = self._normed(x + layer.outer(layer.inner(x.to(self._precision))), layer.outer_norm)
        return f.normalize(x.mean(1), dim=1)

    def _normed(self, x: torch.Tensor, of: tuple[Any, Any]) -> torch.Tensor:
        return f.layer_norm(x, (self.dimension,), *of, self._tiny)

    def _attended(self, x: torch.Tensor, layer: _Layer) -> torch.Tensor:
        texts, length, width = x.shape
        three = layer.query_key_value(x).float()
        heads = three.view(texts, length, 3, self._heads, width // self._heads)
        weighted = f.scaled_dot_product_attention(*heads.permute(2, 0, 3, 1, 4).unbind(0))
        joined = weighted.transpose(1, 2).reshape(texts, length, width)
        return layer.attended(joined.to(self._precision))


class _Layer:
    def __init__(self, weights: Mapping[str, Any], place: str, precision: torch.dtype) -> None:
        def pair(name: str) -> tuple[Any, Any]:
            return weights[f"{place}{name}.weight"], weights[f"{place}{name}.bias"]

        def product(*pairs: tuple[Any, Any], gelu: bool = False) -> Product:
            matrix, bias = (torch.cat(part).to(precision) for part in zip(*pairs, strict=True))
            return _product(matrix, bias, gelu=gelu)

        own = "attention.self."
        self.query_key_value = product(*(pair(own + name) for name in ("query", "key", "value")))
        self.attended = product(pair("attention.output.dense"))
        self.attended_norm = pair("attention.output.LayerNorm")
        self.inner = product(pair("intermediate.dense"), gelu=True)
        self.outer = product(pair("output.dense"))
        self.outer_norm = pair("output.LayerNorm")


def has_fused_products(precision: torch.dtype) -> bool:
    """Whether torch's private operators exist and agree with the public ones."""
    matrix = torch.linspace(-1, 1, 16 * 32).view(16, 32).to(precision)
    bias, x = matrix[:, 0].clone(), matrix[:8].clone()
    try:
        if not torch.backends.mkldnn.is_available():
            return False
        if precision is torch.bfloat16 and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
            return False
        with torch.inference_mode():
            fused = _fused_product(matrix, bias, gelu=True)(x).float()
    except (AttributeError, RuntimeError, TypeError):
        return False
    public = f.gelu(f.linear(x, matrix, bias)).float()
    return bool(torch.allclose(fused, public, atol=0.1, rtol=0.02))


def plain_product(matrix: Any, bias: Any) -> Product:
    if matrix.dtype is torch.bfloat16:
        return _product(matrix, bias, gelu=False)
    return lambda x: f.linear(x, matrix, bias)


def takes_fused_products(precision: torch.dtype) -> bool:
    """In float32 without AVX-512 they take 1.2 times as long, with GELU 1.6 times (EPYC)."""
    in_avx512 = "AVX512" in torch.backends.cpu.get_cpu_capability()
    return (in_avx512 or precision is torch.bfloat16) and has_fused_products(precision)


def _product(matrix: Any, bias: Any, *, gelu: bool) -> Product:
    if takes_fused_products(matrix.dtype):
        return _fused_product(matrix, bias, gelu=gelu)
    return lambda x: f.gelu(f.linear(x, matrix, bias)) if gelu else f.linear(x, matrix, bias)


def _fused_product(matrix: Any, bias: Any, *, gelu: bool) -> Product:
    """As torch's compiler does it."""
    operators = torch.ops.mkldnn
    packed = operators._reorder_linear_weight(matrix.contiguous(), _ROWS)
    after: tuple[str, list[float], str] = ("gelu", [], "none") if gelu else ("none", [], "")
    return lambda x: operators._linear_pointwise(x, packed, bias, *after)
