"""The user's own sequence-to-sequence and classification models.

No code of the folder is run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers

from uhhrag.errors import ModelError, first_line
from uhhrag.protocols import Classifier, Writer

_BEAMS, _WRITTEN, _READ = 5, 64, 512
"""Papelo's beams and target length (appendix A), Chen et al.'s input length (A.4)."""


def load_writer(folder: Path) -> Writer:
    """A folder's sequence-to-sequence model; long texts are truncated. Raises ModelError."""
    tokenizer, model = load_model(folder, "AutoModelForSeq2SeqLM", "sequence-to-sequence")

    def write(texts: Sequence[str], /) -> list[str]:
        written = []
        for text in texts:  # one by one, so that no text's result depends on another's padding
            inputs = tokenizer(text, truncation=True, max_length=_READ, return_tensors="pt")
            with torch.inference_mode():
                made = model.generate(
                    input_ids=inputs["input_ids"],
                    attention_mask=inputs["attention_mask"],
                    num_beams=_BEAMS,
                    do_sample=False,
                    max_new_tokens=_WRITTEN,
                )
            written.append(tokenizer.decode(made[0], skip_special_tokens=True).strip())
        return written

    return write


def load_classifier(folder: Path) -> Classifier:
    """A folder's sequence classifier; long texts are truncated. Raises ModelError."""
    tokenizer, model = load_model(
        folder, "AutoModelForSequenceClassification", "sequence classification"
    )
    names = [str(model.config.id2label[i]) for i in range(model.config.num_labels)]

    def classify(texts: Sequence[str], /) -> list[dict[str, float]]:
        results = []
        for text in texts:
            inputs = tokenizer(text, truncation=True, max_length=_READ, return_tensors="pt")
            with torch.inference_mode():
                shares = torch.softmax(model(**inputs).logits[0].float(), dim=0)
            results.append(dict(zip(names, map(float, shares), strict=True)))
        return results

    return classify


def load_model(folder: Path, kind: str, what: str) -> tuple[Any, Any]:
    """Tokenizer and model of an Auto class; `what` names it in a ModelError."""
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a folder; give that of your {what} model")
    transformers.utils.logging.disable_progress_bar()
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        model = getattr(transformers, kind).from_pretrained(
            folder, local_files_only=True, use_safetensors=True
        )
    except (OSError, ValueError, KeyError, TypeError, RuntimeError) as error:
        reason = first_line(error)
        raise ModelError(f"{folder}: no {what} model can be loaded: {reason}") from error
    return tokenizer, model.eval()
