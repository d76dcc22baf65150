"""The encoder of a plain BERT with its matrices in bfloat16: the faster way of
`sentence_transformer`.

Processors that multiply this type themselves do so twice as fast as float32. Weights and what
meets them keep 8 bits of mantissa; the residual, layer norms and the mean stay float32. Texts of
exactly one length run together, so nothing is padded, masked or filled up. Measured: no bit of a
text's vector depends on the number of texts, their order or the number of threads.

The fastest products are private operators of torch. Where a torch lacks them, the library computes
in float32 unless bfloat16 is asked for by name, and then with torch's public operators.

Left out: every other architecture, other poolings than the mean, GPUs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Encode = Callable[[Sequence[Sequence[int]]], NDArray[np.float32]]
"""Tokens of texts → their unit vectors, in order."""

_BATCH = 256
"""tokens of one batch: what passes between two layers stays in the cache"""
_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])


def is_plain_bert(folder: Path) -> bool:
    """Whether the model of a folder is one that `encoder` computes. False where its files cannot
    be read: loading it says why."""
    try:
        config = json.loads((folder / "config.json").read_bytes())
        modules = json.loads((folder / "modules.json").read_bytes())
        kinds = [module["type"].split(".")[-1] for module in modules]
        if kinds not in _MODULES:
            return False
        pooling = json.loads((folder / modules[1]["path"] / "config.json").read_bytes())
        return _is_bert(config) and _is_mean(pooling)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return False


def _is_bert(config: dict[str, Any]) -> bool:
    positions = config.get("position_embedding_type", "absolute")
    known = (config["model_type"], config["hidden_act"], positions) == ("bert", "gelu", "absolute")
    odd = ("is_decoder", "quantization_config", "auto_map")
    return known and not any(config.get(name) for name in odd)


def _is_mean(pooling: dict[str, Any]) -> bool:
    if "pooling_mode" in pooling:
        return bool(pooling["pooling_mode"] == "mean")
    modes = {name for name, on in pooling.items() if name.startswith("pooling_mode_") and on}
    return modes == {"pooling_mode_mean_tokens"}


def encoder(model: Any) -> Encode:
    """The encoder of a loaded sentence-transformers model, for which `is_plain_bert` is true."""
    import torch

    forward = _forward(model[0].auto_model)

    def encode(tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        vectors = np.empty((len(tokens), model.get_embedding_dimension()), np.float32)
        by_length: dict[int, list[int]] = {}
        for row, ids in enumerate(tokens):
            by_length.setdefault(len(ids), []).append(row)
        for length, rows in sorted(by_length.items()):
            size = max(1, _BATCH // length)
            for start in range(0, len(rows), size):
                batch = rows[start : start + size]
                with torch.inference_mode():
                    encoded = forward(torch.tensor([tokens[row] for row in batch]))
                vectors[batch] = encoded.numpy()
        return vectors

    return encode


def _forward(bert: Any) -> Callable[[Any], Any]:
    """Token ids, shape (texts, length) → unit vectors."""
    import torch

    f = torch.nn.functional
    weights = {name: value.detach() for name, value in bert.state_dict().items()}
    embedded = {n.removeprefix("embeddings."): w for n, w in weights.items() if "embeddings." in n}
    words = embedded["word_embeddings.weight"]
    places = embedded["position_embeddings.weight"] + embedded["token_type_embeddings.weight"][0]
    layers = [_Layer(weights, f"encoder.layer.{n}.") for n in range(bert.config.num_hidden_layers)]
    heads, width, tiny = bert.config.num_attention_heads, words.shape[1], bert.config.layer_norm_eps

    def norm(x: Any, of: tuple[Any, Any]) -> Any:
        return f.layer_norm(x, (width,), *of, tiny)

    def attend(x: Any, layer: _Layer) -> Any:
        texts, length, _ = x.shape
        three = layer.query_key_value(x).view(texts, length, 3, heads, width // heads)
        weighted = f.scaled_dot_product_attention(*three.permute(2, 0, 3, 1, 4).unbind(0))
        return layer.attended(weighted.transpose(1, 2).reshape(texts, length, width))

    def forward(ids: Any) -> Any:
        first = (embedded["LayerNorm.weight"], embedded["LayerNorm.bias"])
        x = norm(words[ids] + places[: ids.shape[1]], first)
        for layer in layers:
            x = norm(x + attend(x.to(torch.bfloat16), layer), layer.attended_norm)
            x = norm(x + layer.outer(layer.inner(x.to(torch.bfloat16))), layer.outer_norm)
        return f.normalize(x.mean(1), dim=1)

    return forward


class _Layer:
    """The products of one layer, with matrices and biases in bfloat16, and its norms in float32."""

    def __init__(self, weights: dict[str, Any], place: str) -> None:
        import torch

        def pair(name: str) -> tuple[Any, Any]:
            return weights[f"{place}{name}.weight"], weights[f"{place}{name}.bias"]

        def half(*pairs: tuple[Any, Any], gelu: bool = False) -> Callable[[Any], Any]:
            parts = zip(*pairs, strict=True)
            return _product(*(torch.cat(part).to(torch.bfloat16) for part in parts), gelu=gelu)

        own = "attention.self."
        self.query_key_value = half(*(pair(own + name) for name in ("query", "key", "value")))
        self.attended = half(pair("attention.output.dense"))
        self.attended_norm = pair("attention.output.LayerNorm")
        self.inner = half(pair("intermediate.dense"), gelu=True)
        self.outer = half(pair("output.dense"))
        self.outer_norm = pair("output.LayerNorm")


def has_fused_products() -> bool:
    """Whether torch's private operators for bfloat16 are there and compute what its public ones do.

    They are no part of torch's interface: another release may lack them or give them other
    arguments, and other processors than x86 have none."""
    import torch

    f = torch.nn.functional
    matrix = torch.linspace(-1, 1, 16 * 32).view(16, 32).to(torch.bfloat16)
    bias, x = matrix[:, 0].clone(), matrix[:8].clone()
    try:
        if not torch.backends.mkldnn.is_available():
            return False
        if not torch.ops.mkldnn._is_mkldnn_bf16_supported():
            return False
        with torch.inference_mode():
            fused = _fused_product(matrix, bias, gelu=True)(x).float()
    except (AttributeError, RuntimeError, TypeError):
        return False
    public = f.gelu(f.linear(x, matrix, bias)).float()
    return bool(torch.allclose(fused, public, atol=0.1, rtol=0.02))


def _product(matrix: Any, bias: Any, *, gelu: bool) -> Callable[[Any], Any]:
    """x → x times the transposed matrix, plus the bias, then GELU where it is asked for. Shapes:
    matrix (outputs, inputs), bias (outputs,), x (texts, length, inputs); all are bfloat16."""
    from torch.nn import functional as f

    if has_fused_products():
        return _fused_product(matrix, bias, gelu=gelu)
    return lambda x: f.gelu(f.linear(x, matrix, bias)) if gelu else f.linear(x, matrix, bias)


def _fused_product(matrix: Any, bias: Any, *, gelu: bool) -> Callable[[Any], Any]:
    """What torch's own compiler makes of a linear layer: the matrix is laid out once for oneDNN,
    not at each call, and the GELU is computed before a result leaves the cache."""
    import torch

    operators = torch.ops.mkldnn
    packed = operators._reorder_linear_weight(matrix, _BATCH)
    after: tuple[str, list[float], str] = ("gelu", [], "none") if gelu else ("none", [], "")
    return lambda x: operators._linear_pointwise(x, packed, bias, *after)
