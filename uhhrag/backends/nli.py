"""Entailment by a local classifier; with two classes it never refutes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import torch

from uhhrag.backends import minicheck
from uhhrag.backends.libraries import faults_as
from uhhrag.backends.transformers_models import load_model
from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment
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
_LENGTH = 512
"""Tokens read if no limit is known."""


def load(folder: Path) -> Entailment:
    """The longer text is truncated. Raises ModelError."""
    if minicheck.is_t5(folder):
        return minicheck.load(folder)
    tokenizer, model = load_model(folder, "AutoModelForSequenceClassification", "NLI")
    joined = minicheck.is_joined(folder) and model.config.num_labels == 2
    places = _MINICHECK if joined else _places(folder, model.config.id2label)
    # RoBERTa's positions begin at 2. XLNet has -1, for no limit.
    positions = (getattr(model.config, "max_position_embeddings", None) or 0) - 2
    longest = min(tokenizer.model_max_length, positions if positions > 0 else _LENGTH)
    one_type = getattr(model.config, "type_vocab_size", 2) == 1

    def probabilities(text: str, claim: str) -> tuple[float, float, float]:
        if joined:
            inputs = minicheck.joined(tokenizer, text, claim, longest)
        else:
            inputs = tokenizer(
                *map(encodable, (text, claim)),
                truncation=True,
                max_length=longest,
                return_tensors="pt",
            )
        if one_type:
            inputs.pop("token_type_ids", None)
        with torch.inference_mode():
            shares = torch.softmax(model(**inputs).logits[0].float(), dim=0)
        entailed, contradicted, neither = (
            0.0 if place is None else float(shares[place]) for place in places
        )
        return entailed, contradicted, neither

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        return [probabilities(*pair) for pair in pairs]

    with faults_as(f"{folder}: its model cannot read its tokenizer's", IndexError):
        entailment([("one text", "another")])
    return entailment


def _places(folder: Path, id2label: Mapping[int, str]) -> tuple[int | None, int | None, int | None]:
    """Classes that support, refute, say nothing. Raises ModelError if unclear.

    >>> _places(Path(), {0: "CONTRADICTION", 1: "neutral", 2: "Entailment"})
    (2, 0, 1)
    >>> _places(Path(), {0: "NOT_SUPPORTED", 1: "SUPPORTED"})
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
