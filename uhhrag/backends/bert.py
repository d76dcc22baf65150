"""The encoder of a plain BERT on a processor, in float32 or with its matrices in bfloat16: the
faster way of `sentence_transformer`.

Processors that multiply bfloat16 themselves do so about twice as fast as float32. Weights and what
meets them then keep 8 bits of mantissa; attention, the residual, layer norms and the mean stay
float32. Texts of exactly one length run together, so nothing is padded or masked.

The fastest products are private operators of torch, by oneDNN, and in float32 without AVX-512 its
public ones, by MKL. Where a torch lacks the private ones, the public ones are used, and bfloat16
only where it is asked for by name.

Left out: every other architecture, other poolings than the mean, GPUs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch.nn import functional as f

Product = Callable[[Any], Any]
"""The vectors of texts, shape (texts, length, inputs) → those of shape (texts, length, outputs)."""
_ROWS = 256
"""Rows of a product for which oneDNN lays a matrix out; any other number works too."""


class Bert:
    """Token ids of texts of one length, shape (texts, length) → unit vectors in float32.

    `weights` are those of a BERT by the names of transformers, `config` has its number of heads and
    the epsilon of its norms; `precision` is torch.float32 or torch.bfloat16."""

    def __init__(
        self, weights: Mapping[str, Any], config: Mapping[str, Any], precision: torch.dtype
    ) -> None:
        own = {name.removeprefix("embeddings."): w for name, w in weights.items()}
        self._words = own["word_embeddings.weight"]
        types = own["token_type_embeddings.weight"]
        self._places = own["position_embeddings.weight"] + types[0]
        self._norm = (own["LayerNorm.weight"], own["LayerNorm.bias"])
        self._heads, self._width = int(config["num_attention_heads"]), self._words.shape[1]
        self._tiny = float(config.get("layer_norm_eps", 1e-12))
        layers = range(int(config["num_hidden_layers"]))
        self._layers = [_Layer(weights, f"encoder.layer.{n}.", precision) for n in layers]
        self._precision = precision

    @property
    def dimension(self) -> int:
        """Numbers of a vector."""
        return int(self._width)

    def __call__(self, ids: torch.Tensor) -> torch.Tensor:
        x = self._normed(self._words[ids] + self._places[: ids.shape[1]], self._norm)
        for layer in self._layers:
            attended = self._attended(x.to(self._precision), layer)
            x = self._normed(x + attended, layer.attended_norm)
            x = self._normed(x + layer.outer(layer.inner(x.to(self._precision))), layer.outer_norm)
        return f.normalize(x.mean(1), dim=1)

    def _normed(self, x: torch.Tensor, of: tuple[Any, Any]) -> torch.Tensor:
        return f.layer_norm(x, (self._width,), *of, self._tiny)

    def _attended(self, x: torch.Tensor, layer: _Layer) -> torch.Tensor:
        texts, length, width = x.shape
        three = layer.query_key_value(x).float()
        heads = three.view(texts, length, 3, self._heads, width // self._heads)
        weighted = f.scaled_dot_product_attention(*heads.permute(2, 0, 3, 1, 4).unbind(0))
        joined = weighted.transpose(1, 2).reshape(texts, length, width)
        return layer.attended(joined.to(self._precision))


class _Layer:
    """The products of one layer, with matrices and biases in one precision, and its norms in
    float32."""

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
    """Whether torch's private operators for a precision are there and compute what its public ones
    do.

    They are no part of torch's interface: another release may lack them or give them other
    arguments, and other processors than x86 have none."""
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
    """x → x times the transposed matrix, plus the bias: in bfloat16 with the matrix laid out once,
    which gives the same bits, in float32 torch's own."""
    if matrix.dtype is torch.bfloat16:
        return _product(matrix, bias, gelu=False)
    return lambda x: f.linear(x, matrix, bias)


def takes_fused_products(precision: torch.dtype) -> bool:
    """Whether matrices of a precision are multiplied by torch's private operators: where they are
    there and faster. In float32 without AVX-512 they take 1.2 times as long as the public ones,
    with a GELU 1.6 times (AMD EPYC with AVX2)."""
    in_avx512 = "AVX512" in torch.backends.cpu.get_cpu_capability()
    return (in_avx512 or precision is torch.bfloat16) and has_fused_products(precision)


def _product(matrix: Any, bias: Any, *, gelu: bool) -> Product:
    """x → x times the transposed matrix, plus the bias, then GELU where it is asked for. Shapes:
    matrix (outputs, inputs), bias (outputs,), x (texts, length, inputs)."""
    if takes_fused_products(matrix.dtype):
        return _fused_product(matrix, bias, gelu=gelu)
    return lambda x: f.gelu(f.linear(x, matrix, bias)) if gelu else f.linear(x, matrix, bias)


def _fused_product(matrix: Any, bias: Any, *, gelu: bool) -> Product:
    """What torch's own compiler makes of a linear layer: the matrix is laid out once for oneDNN,
    not at each call, and the GELU is computed before a result leaves the cache."""
    operators = torch.ops.mkldnn
    packed = operators._reorder_linear_weight(matrix.contiguous(), _ROWS)
    after: tuple[str, list[float], str] = ("gelu", [], "none") if gelu else ("none", [], "")
    return lambda x: operators._linear_pointwise(x, packed, bias, *after)
