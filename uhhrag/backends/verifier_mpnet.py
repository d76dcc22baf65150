"""A verifier's MPNet from safetensors and tokenizer.json alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import torch
from safetensors.torch import load_file
from tokenizers import Tokenizer

from uhhrag.backends.adapter import adapted
from uhhrag.backends.bert_files import file_tokenizer
from uhhrag.backends.mpnet import Mpnet

_PREFIX = "mpnet."


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
    weights = {_PREFIX + name.removeprefix(_PREFIX): value.float() for name, value in files.items()}
    for name in [name for name in weights if name.startswith(f"{_PREFIX}classifier.")]:
        weights[name.removeprefix(_PREFIX)] = weights.pop(name)
    if base is not None:
        weights.update(adapted(weights, folder))
    config = json.loads((source / "config.json").read_bytes())
    precision = torch.bfloat16 if in_bf16 else torch.float32
    own = {name.removeprefix(_PREFIX): value for name, value in weights.items()}
    model = Mpnet(own, config, precision)
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
