"""A verifier's classifier by transformers, the reference for `mpnet`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError

from uhhrag.backends.adapter import adapted
from uhhrag.errors import ModelError, first_line


def load(folder: Path, base: Path | None, device: str, *, in_bf16: bool) -> LibraryClassifier:
    """A folder's classifier; `base` is None for a whole model. Raises ModelError."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        tokenizer, model = _open(base or folder)
        if base is not None:
            weights = dict(model.named_parameters())
            with torch.no_grad():
                for name, value in adapted(weights, folder).items():
                    weights[name].copy_(value)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RuntimeError,
        SafetensorError,
    ) as error:
        reason = first_line(error)
        raise ModelError(f"{folder}: the verifier cannot be loaded: {reason}") from error
    return LibraryClassifier(tokenizer, model.eval().to(device), device, in_bf16=in_bf16)


def _open(source: Path) -> tuple[Any, Any]:
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        source, num_labels=3, local_files_only=True, use_safetensors=True, dtype=torch.float32
    )
    return tokenizer, model


class LibraryClassifier:
    """A transformers model as `PairClassifier`."""

    def __init__(self, tokenizer: Any, model: Any, device: str, *, in_bf16: bool) -> None:
        self._tokenizer, self._model, self._device = tokenizer, model, device
        self.pad = int(tokenizer.pad_token_id)
        self._bf16 = in_bf16
        if in_bf16:
            _linear_in_bf16(model)

    def tokens(self, pairs: Sequence[tuple[str, str]], longest: int) -> Sequence[Sequence[int]]:
        first, second = [a for a, _ in pairs], [b for _, b in pairs]
        tokens = self._tokenizer(first, second, truncation="only_second", max_length=longest)
        return list(tokens["input_ids"])

    def end(self, text: str, longest: int) -> int:
        offsets = self._tokenizer(
            text, truncation=True, max_length=longest, return_offsets_mapping=True
        )["offset_mapping"]
        return max(int(end) for _, end in offsets)

    def logits(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        here = {"input_ids": ids.to(self._device), "attention_mask": mask.to(self._device)}
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self._bf16):
            scores: torch.Tensor = self._model(**here).logits
        return scores.float().cpu()


def _linear_in_bf16(model: Any) -> None:
    """Store matrices in bfloat16, so that autocast need not convert them at each call."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.to(torch.bfloat16)
