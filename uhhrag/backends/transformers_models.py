"""The user's own models; no code of their folders runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch

from uhhrag.backends.kernels import go_offline
from uhhrag.backends.libraries import faults_as
from uhhrag.errors import ModelError, UsageError
from uhhrag.protocols import Classifier, Writer
from uhhrag.system.text_files import encodable

_BEAMS, _WRITTEN, _READ = 5, 64, 512
"""Papelo's beams and target length (appendix A), Chen et al.'s input length (A.4)."""


def load_writer(folder: Path) -> Writer:
    """Truncates long texts."""
    tokenizer, model = load_model(folder, "AutoModelForSeq2SeqLM", "sequence-to-sequence")

    def write(texts: Sequence[str], /) -> list[str]:
        written = []
        for text in texts:  # one by one, so that no text's result depends on another's padding
            inputs = _read(tokenizer, text)
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
    """Truncates long texts."""
    tokenizer, model = load_model(
        folder, "AutoModelForSequenceClassification", "sequence classification"
    )
    names = [str(model.config.id2label[i]) for i in range(model.config.num_labels)]

    def classify(texts: Sequence[str], /) -> list[dict[str, float]]:
        with torch.inference_mode():
            rows = [model(**_read(tokenizer, text)).logits[0].float() for text in texts]
        return [dict(zip(names, torch.softmax(row, dim=0).tolist(), strict=True)) for row in rows]

    return classify


def load_model(folder: Path, kind: str, what: str) -> tuple[Any, Any]:
    """Raises ModelError, in which `what` names the model."""
    if not folder.is_dir():
        raise ModelError(f"{folder} is not a folder; give that of your {what} model")
    with faults_as(f"{folder}: no {what} model can be loaded"):
        tokenizer, model, missing = open_model(folder, kind)
        require_weights(missing)
    return tokenizer, model.eval()


def open_model(source: Path, kind: str, **options: Any) -> tuple[Any, Any, set[str]]:
    """Tokenizer, model (Auto class `kind`) and its missing weights. Raises `FAULTS`."""
    transformers = quiet_library()
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
    model, loaded = getattr(transformers, kind).from_pretrained(
        source, local_files_only=True, use_safetensors=True, output_loading_info=True, **options
    )
    return tokenizer, model, set(loaded["missing_keys"])


def quiet_library() -> Any:
    """transformers, offline and silent."""
    go_offline()
    import transformers

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    return transformers


def require_weights(missing: Iterable[str]) -> None:
    """Raises ValueError for missing weights: the library makes them random."""
    if name := min(missing, default=""):
        raise ValueError(f"its files have no weights {name}")


def require_device(device: str) -> None:
    """Raises UsageError for an unknown one, ModelError for an absent GPU."""
    if device.partition(":")[0] not in ("cpu", "cuda"):
        raise UsageError(f"--device {device} is unknown; give cpu or cuda")
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError(
            f"device {device} was asked for but this machine has no usable GPU; give cpu"
        )


def _read(tokenizer: Any, text: str) -> Any:
    return tokenizer(encodable(text), truncation=True, max_length=_READ, return_tensors="pt")
