from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tokenizers import Tokenizer

Tokens = Callable[[Sequence[str]], list[list[int]]]
"""Texts → truncated token ids."""

_MODULES = (["Transformer", "Pooling"], ["Transformer", "Pooling", "Normalize"])


def is_plain_bert(folder: Path) -> bool:
    """With mean pooling; False if unreadable."""
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


def file_tokens(folder: Path, longest: int, *, special: bool = True) -> Tokens:
    """`special` adds opening and closing tokens."""
    tokenizer = file_tokenizer(folder)
    tokenizer.enable_truncation(longest)
    return lambda texts: [
        encoding.ids for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=special)
    ]


def file_tokenizer(folder: Path) -> Tokenizer:
    """Without padding. Raises ValueError if invalid."""
    from tokenizers import Tokenizer

    text = (folder / "tokenizer.json").read_text(encoding="utf-8")
    try:
        tokenizer = Tokenizer.from_str(text)
    except Exception as error:  # the library raises bare Exceptions
        raise ValueError(str(error)) from error
    tokenizer.no_padding()
    return tokenizer


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
