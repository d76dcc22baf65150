"""The reference for `mpnet`, by transformers."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from uhhrag.backends.adapter import adapted
from uhhrag.backends.libraries import faults_as
from uhhrag.backends.transformers_models import open_model, require_device, require_weights


def load(folder: Path, base: Path | None, device: str, *, in_bf16: bool) -> LibraryClassifier:
    """Raises ModelError."""
    require_device(device)
    with faults_as(f"{folder}: the verifier cannot be loaded"):
        tokenizer, model, missing = open_model(
            base or folder, "AutoModelForSequenceClassification", num_labels=3, dtype=torch.float32
        )
        if base is not None:
            weights = dict(model.named_parameters())
            with torch.no_grad():
                for name, value in adapted(weights, folder).items():
                    weights[name].copy_(value)
                    missing.discard(name)
        require_weights(missing)
        return LibraryClassifier(tokenizer, model.eval().to(device), device, in_bf16=in_bf16)


class LibraryClassifier:
    def __init__(self, tokenizer: Any, model: Any, device: str, *, in_bf16: bool) -> None:
        self._tokenizer, self._model, self._device = tokenizer, model, device
        if tokenizer.pad_token_id is None:
            raise ValueError("its tokenizer has no padding token")
        self.pad = int(tokenizer.pad_token_id)
        self._bf16 = in_bf16
        if in_bf16:  # stored so, or autocast would convert the matrices at each call
            for module in model.modules():
                if isinstance(module, torch.nn.Linear):
                    module.to(torch.bfloat16)

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
