"""MiniCheck (Tang et al. 2024): document and claim are one text, with the end token between."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from uhhrag.backends.transformers_models import load_model
from uhhrag.backends.verifier_files import CONFIG, MINICHECK
from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment
from uhhrag.system.decode import json_object
from uhhrag.system.text_files import encodable

_T5 = "T5ForConditionalGeneration"
_TASK = "predict: "
_LENGTH = 2048
"""Tokens; T5's positions are relative."""
_ANSWERS = ("0", "1")
"""Not supported, supported; each by its first token, as "▁" and "▁1" of T5."""


def is_t5(folder: Path) -> bool:
    return _T5 in (_config(folder).get("architectures") or ())


def is_joined(folder: Path) -> bool:
    """Whether the hub's name of a classifier is MiniCheck's; its classes are 0 and 1."""
    return MINICHECK in str(_config(folder).get("_name_or_path")).lower()


def load(folder: Path) -> Entailment:
    """By one step of a T5; it never refutes. Raises ModelError."""
    tokenizer, model = load_model(folder, "AutoModelForSeq2SeqLM", "sequence-to-sequence")
    spelt = (tokenizer(word, add_special_tokens=False)["input_ids"] for word in _ANSWERS)
    answers = [first for first, *_ in filter(None, spelt)]
    if tokenizer.eos_token is None or len({*answers}) < len(_ANSWERS):
        raise ModelError(f"{folder}: its tokenizer does not tell 0 from 1 or has no end token")
    start = torch.tensor([[model.config.decoder_start_token_id or 0]])

    def probabilities(text: str, claim: str) -> tuple[float, float, float]:
        inputs = joined(tokenizer, _TASK + text, claim, _LENGTH)
        with torch.inference_mode():
            logits = model(**inputs, decoder_input_ids=start).logits[0, -1].float()
        no, yes = torch.softmax(logits[answers], dim=0).tolist()
        return yes, 0.0, no

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        return [probabilities(*pair) for pair in pairs]

    entailment([("one text", "another")])
    return entailment


def joined(tokenizer: Any, text: str, claim: str, longest: int) -> dict[str, torch.Tensor]:
    """The text is cut, not the claim, unless it alone is too long. The end token that either
    holds becomes a space, so that no document forges a claim."""
    end = tokenizer.eos_token
    text, claim = (encodable(part).replace(end, " ") for part in (text, claim))
    whole = tokenizer(f"{text}{end}{claim}")["input_ids"]
    after = tokenizer(f"{end}{claim}")["input_ids"]
    after = after[after.index(tokenizer.eos_token_id) :]
    before = whole[: min(len(whole), longest) - len(after)] if len(after) < longest else []
    ids = torch.tensor([[*before, *after][:longest]])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def _config(folder: Path) -> Mapping[str, Any]:
    """Empty if unreadable; the library then says why."""
    with suppress(OSError):
        return json_object((folder / CONFIG).read_bytes()) or {}
    return {}
