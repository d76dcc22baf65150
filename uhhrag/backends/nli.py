"""Entailment by a local classifier; with two classes it never refutes. MiniCheck (Tang et al. 2024)
reads document and claim as one text, the end token between."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import torch

from uhhrag.backends.libraries import faults_as
from uhhrag.backends.transformers_models import load_model
from uhhrag.backends.verifier_files import CONFIG, MINICHECK
from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment
from uhhrag.system.decode import json_object
from uhhrag.system.text_files import encodable

_NAMES = (
    ("entailment", "entailed", "entails", "support", "supports", "supported"),
    ("contradiction", "contradicted", "contradicts", "refute", "refutes", "refuted"),
    ("neutral", "not enough info", "nei", "unknown", "not mentioned"),
)
"""Classes that support, refute, say nothing."""
_NOT = ("not entailment", "not entailed", "not support", "not supported", "unsupported")
"""The negative one of two classes."""
_MINICHECK = (1, None, 0)
"""The places of its two classes, which have no names."""
_LENGTH, _T5_LENGTH = 512, 2048
"""Tokens read if no limit is known; T5's positions are relative."""
_T5, _TASK = "T5ForConditionalGeneration", "predict: "
_ANSWERS = ("0", "1")
"""Not supported, supported; each by its first token, as "▁" and "▁1" of T5."""


def load(folder: Path) -> Entailment:
    """The longer text is truncated. Raises ModelError."""
    config = _config(folder)
    if _T5 in (config.get("architectures") or ()):
        return _by_t5(folder)
    tokenizer, model = load_model(folder, "AutoModelForSequenceClassification", "NLI")
    named = MINICHECK in str(config.get("_name_or_path")).lower()
    one_text = named and model.config.num_labels == 2
    places = _MINICHECK if one_text else _class_indices(folder, model.config.id2label)
    # RoBERTa's positions begin at 2. XLNet has -1, for no limit.
    positions = (getattr(model.config, "max_position_embeddings", None) or 0) - 2
    longest = min(tokenizer.model_max_length, positions if positions > 0 else _LENGTH)
    one_type = getattr(model.config, "type_vocab_size", 2) == 1

    def probabilities(text: str, claim: str) -> tuple[float, float, float]:
        if one_text:
            inputs = joined(tokenizer, text, claim, longest)
        else:
            both, how = map(encodable, (text, claim)), {"truncation": True, "max_length": longest}
            inputs = tokenizer(*both, return_tensors="pt", **how)
        if one_type:
            inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            shares = torch.softmax(model(**inputs).logits[0].float(), dim=0)
        entailed, contradicted, neither = (
            0.0 if place is None else float(shares[place]) for place in places
        )
        return entailed, contradicted, neither

    with faults_as(f"{folder}: its model cannot read its tokenizer's", IndexError):
        probabilities("one text", "another")
    return lambda pairs: [probabilities(*pair) for pair in pairs]


def _by_t5(folder: Path) -> Entailment:
    """By one step; it never refutes. Raises ModelError."""
    tokenizer, model = load_model(folder, "AutoModelForSeq2SeqLM", "sequence-to-sequence")
    spelt = (tokenizer(word, add_special_tokens=False)["input_ids"] for word in _ANSWERS)
    answers = [first for first, *_ in filter(None, spelt)]
    if tokenizer.eos_token is None or len({*answers}) < len(_ANSWERS):
        raise ModelError(f"{folder}: its tokenizer does not tell 0 from 1 or has no end token")
    start = torch.tensor([[model.config.decoder_start_token_id or 0]])

    def probabilities(text: str, claim: str) -> tuple[float, float, float]:
        inputs = joined(tokenizer, _TASK + text, claim, _T5_LENGTH)
        with torch.inference_mode():
            logits = model(**inputs, decoder_input_ids=start).logits[0, -1].float()
        no, yes = torch.softmax(logits[answers], dim=0).tolist()
        return yes, 0.0, no

    probabilities("one text", "another")
    return lambda pairs: [probabilities(*pair) for pair in pairs]


def joined(tokenizer: Any, text: str, claim: str, longest: int) -> dict[str, torch.Tensor]:
    """The text is cut; the claim only if too long alone. An end token in either becomes a space: no
    document forges a claim."""
    end = tokenizer.eos_token
    text, claim = (encodable(part).replace(end, " ") for part in (text, claim))
    whole = tokenizer(f"{text}{end}{claim}")["input_ids"]
    after = tokenizer(f"{end}{claim}")["input_ids"]
    after = after[after.index(tokenizer.eos_token_id) :]
    before = whole[: min(len(whole), longest) - len(after)] if len(after) < longest else []
    ids = torch.tensor([[*before, *after][:longest]])
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def _config(folder: Path) -> Mapping[str, Any]:
    """Empty if unreadable; the library says why."""
    with suppress(OSError):
        return json_object((folder / CONFIG).read_bytes()) or {}
    return {}


def _class_indices(
    folder: Path, id2label: Mapping[int, str]
) -> tuple[int | None, int | None, int | None]:
    """Classes that support, refute, say nothing. Raises ModelError if unclear.

    >>> _class_indices(Path(), {0: "CONTRADICTION", 1: "neutral", 2: "Entailment"})
    (2, 0, 1)
    >>> _class_indices(Path(), {0: "NOT_SUPPORTED", 1: "SUPPORTED"})
    (1, None, 0)
    """
    named = {re.sub(r"[\W_]+", " ", str(name)).lower(): int(i) for i, name in id2label.items()}
    two = len(named) == 2
    wanted = (_NAMES[0], (), _NOT) if two else _NAMES
    found = [next((named[name] for name in names if name in named), None) for names in wanted]
    supports, refutes, neither = found
    missing = supports is None or neither is None or (refutes is None and not two)
    if missing or len(id2label) > len(_NAMES):
        raise ModelError(
            f"{folder}: its classes are {', '.join(map(str, id2label.values()))}; name them in "
            "id2label of config.json: entailment, contradiction and neutral, or supported and "
            "not supported"
        )
    return supports, refutes, neither
