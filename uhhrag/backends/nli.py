"""Entailment: a sequence-classification model trained on NLI, from a local folder (transformers,
safetensors). Its labels must be named entailment, neutral and contradiction."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment

_ORDER = ("entailment", "contradiction", "neutral")


def load(folder: Path) -> Entailment:
    """The model of `folder`; premises that are too long lose their end.

    Raises ModelError where the folder holds no such model."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    try:
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = AutoModelForSequenceClassification.from_pretrained(
            folder, local_files_only=True, use_safetensors=True
        ).eval()
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"{folder}: no NLI model can be loaded: {reason}") from error
    place = {str(name).lower(): i for i, name in model.config.id2label.items()}
    if missing := [name for name in _ORDER if name not in place]:
        raise ModelError(f"{folder}: no NLI model: it has no label {missing[0]}")

    def probabilities(premise: str, hypothesis: str) -> tuple[float, float, float]:
        given = tokenizer(premise, hypothesis, truncation="only_first", return_tensors="pt")
        with torch.inference_mode():
            shares = torch.softmax(model(**given).logits[0].float(), dim=0)
        entailed, contradicted, neither = (float(shares[place[name]]) for name in _ORDER)
        return entailed, contradicted, neither

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        return [probabilities(premise, hypothesis) for premise, hypothesis in pairs]

    return entailment
