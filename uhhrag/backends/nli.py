"""Entailment: a sequence-classification model trained on NLI, from a local folder (transformers,
safetensors). Its labels must be named entailment, neutral and contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch

from uhhrag.backends.transformers_models import load_model
from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment

_ORDER = ("entailment", "contradiction", "neutral")
_LENGTH = 512
"""Tokens read where neither model nor tokenizer says how many they can."""


def load(folder: Path) -> Entailment:
    """The model of `folder`; of premise and hypothesis that are too long together, the longer loses
    its end.

    Raises ModelError where the folder holds no such model."""
    tokenizer, model = load_model(folder, "AutoModelForSequenceClassification", "NLI")
    place = {str(name).lower(): i for i, name in model.config.id2label.items()}
    if missing := [name for name in _ORDER if name not in place]:
        raise ModelError(
            f"{folder}: its classes have no {missing[0]}; name them in id2label of config.json: "
            f"{', '.join(_ORDER)}"
        )
    # RoBERTa's positions begin at 2.
    positions = (getattr(model.config, "max_position_embeddings", None) or _LENGTH + 2) - 2
    longest = min(tokenizer.model_max_length, positions)

    def probabilities(premise: str, hypothesis: str) -> tuple[float, float, float]:
        inputs = tokenizer(
            premise, hypothesis, truncation=True, max_length=longest, return_tensors="pt"
        )
        with torch.inference_mode():
            shares = torch.softmax(model(**inputs).logits[0].float(), dim=0)
        entailed, contradicted, neither = (float(shares[place[name]]) for name in _ORDER)
        return entailed, contradicted, neither

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        return [probabilities(premise, hypothesis) for premise, hypothesis in pairs]

    return entailment
