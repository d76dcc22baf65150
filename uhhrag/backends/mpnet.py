"""MPNet: a BERT with a shared bias for distances (Song et al. 2020, section 2.3)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer
from torch.nn import functional as f

from uhhrag.backends.adapter import adapted
from uhhrag.backends.bert import Product, plain_product
from uhhrag.backends.bert_files import file_tokenizer

_PREFIX = "mpnet."
_BUCKETS = 32
_FARTHEST = 128
"""All beyond share a bucket."""


class Mpnet:
    """Ids and mask (0: padding), shape (texts, length) → logits (texts, classes)."""

    def __init__(
        self, weights: Mapping[str, Any], config: Mapping[str, Any], precision: torch.dtype
    ) -> None:
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = weights["embeddings.position_embeddings.weight"]
        self._distances = weights["encoder.relative_attention_bias.weight"]
        self._pad, self._precision = int(config["pad_token_id"]), precision
        self._heads = int(config["num_attention_heads"])
        self._tiny = float(config["layer_norm_eps"])
        self._norm = _pair(weights, "embeddings.LayerNorm")
        layers = range(int(config["num_hidden_layers"]))
        self._layers = [_Layer(weights, f"encoder.layer.{n}.", precision) for n in layers]
        self._dense = _in(precision, weights, "classifier.dense")
        self._classes = _in(precision, weights, "classifier.out_proj")

    def __call__(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        real = (ids != self._pad).long()
        x = self._words[ids] + self._places[real.cumsum(1) * real + self._pad]
        x = self._normed(x, self._norm)
        hidden = (1.0 - mask[:, None, None, :].float()) * torch.finfo(torch.float32).min
        bias = self._distances[buckets(ids.shape[1])].permute(2, 0, 1)[None]
        for layer in self._layers:
            x = self._normed(self._attended(x, layer, bias, hidden) + x, layer.attended_norm)
            inner = f.gelu(layer.inner(x.to(self._precision)))
            x = self._normed(layer.outer(inner) + x, layer.outer_norm)
        first = torch.tanh(self._dense(x[:, 0].to(self._precision)))
        return self._classes(first).float()

    def _normed(self, x: torch.Tensor, of: tuple[Any, Any]) -> torch.Tensor:
        return f.layer_norm(x, x.shape[-1:], *of, self._tiny)

    def _attended(
        self, x: torch.Tensor, layer: _Layer, bias: torch.Tensor, hidden: torch.Tensor
    ) -> torch.Tensor:
        texts, length, width = x.shape
        given, shape = x.to(self._precision), (texts, length, self._heads, width // self._heads)
        query, key, value = (
            product(given).view(shape).transpose(1, 2) for product in layer.query_key_value
        )
        scores = torch.matmul(query, key.transpose(-1, -2)) / math.sqrt(shape[-1])
        scores += bias  # in place, so in bfloat16 where the products are
        shares = f.softmax((scores + hidden).float(), dim=-1).to(self._precision)
        joined = torch.matmul(shares, value).transpose(1, 2).reshape(texts, length, width)
        return layer.attended(joined)


class _Layer:
    def __init__(self, weights: Mapping[str, Any], place: str, precision: torch.dtype) -> None:
        def product(name: str) -> Product:
            return _in(precision, weights, place + name)

        self.query_key_value = [product(f"attention.attn.{name}") for name in "qkv"]
        self.attended = product("attention.attn.o")
        self.attended_norm = _pair(weights, f"{place}attention.LayerNorm")
        self.inner = product("intermediate.dense")
        self.outer = product("output.dense")
        self.outer_norm = _pair(weights, f"{place}output.LayerNorm")


def buckets(length: int) -> torch.Tensor:
    """Shape (length, length); half for tokens ahead, far ones by logarithm (Raffel et al. 2020,
    section 2.1).

    >>> buckets(3).tolist()
    [[0, 17, 18], [1, 0, 17], [2, 1, 0]]
    """
    places = torch.arange(length)
    back = places[:, None] - places[None, :]
    far, side, near = back.abs(), _BUCKETS // 2, _BUCKETS // 4
    # Distance 0 is near; 1 in its place keeps the logarithm finite.
    steps = torch.log(far.clamp(min=1).float() / near) / math.log(_FARTHEST / near) * (side - near)
    logarithmic = (near + steps.to(torch.long)).clamp(max=side - 1)
    return torch.where(far < near, far, logarithmic) + side * (back < 0)


def _pair(weights: Mapping[str, Any], name: str) -> tuple[Any, Any]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _in(precision: torch.dtype, weights: Mapping[str, Any], name: str) -> Product:
    matrix, bias = _pair(weights, name)
    return plain_product(matrix.to(precision), bias.to(precision))


def is_mpnet(folder: Path) -> bool:
    """False if unreadable."""
    try:
        config = json.loads((folder / "config.json").read_bytes())
        known = (config["model_type"], config["hidden_act"]) == ("mpnet", "gelu")
        return known and (folder / "tokenizer.json").is_file()
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return False


def load(folder: Path, base: Path | None, *, in_bf16: bool) -> MpnetClassifier:
    """Raises `FAULTS`."""
    source = base or folder
    files = load_file(source / "model.safetensors")
    weights = {name.removeprefix(_PREFIX): value.float() for name, value in files.items()}
    if base is not None:
        weights.update(adapted(weights, folder, _PREFIX))
    config = json.loads((source / "config.json").read_bytes())
    precision = torch.bfloat16 if in_bf16 else torch.float32
    model = Mpnet(weights, config, precision)
    return MpnetClassifier(file_tokenizer(source), model, int(config["pad_token_id"]))


class MpnetClassifier:
    def __init__(self, tokenizer: Tokenizer, model: Mpnet, pad: int) -> None:
        self._tokenizer, self.logits, self.pad = tokenizer, model, pad

    def tokens(self, pairs: Sequence[tuple[str, str]], longest: int) -> Sequence[Sequence[int]]:
        """The second text is cut."""
        self._tokenizer.enable_truncation(longest, strategy="only_second")
        return [encoding.ids for encoding in self._tokenizer.encode_batch(list(pairs))]

    def end(self, text: str, longest: int) -> int:
        """Characters of the first `longest` tokens."""
        self._tokenizer.enable_truncation(longest)
        return max(int(end) for _, end in self._tokenizer.encode(text).offsets)
