"""A verifier in torch: the adapter merged into its base, in bfloat16 where that is faster."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors import SafetensorError
from safetensors.torch import load_file

from uhhrag.backends.cpu_features import multiplies_bf16
from uhhrag.backends.verifier_files import ADAPTER, ADAPTER_SETTINGS, VerifierSettings
from uhhrag.errors import ModelError

_HEAD = "modules_to_save."
_STEP = 16
"""Lengths are rounded up to a multiple of this many tokens: each new shape costs a compilation."""
_ROOM = 32
"""Tokens that a long claim leaves to its evidence."""
_TOKENS = 2048
"""Tokens of one batch, padding included."""


def load(folder: Path, base: Path | None, settings: VerifierSettings, device: str) -> VerifierModel:
    """The verifier of a folder on a device; `base` is the folder of the base model, None for a
    whole model. Raises ModelError where it cannot be loaded."""
    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    try:
        tokenizer, model = _open(base or folder)
        if base is not None:
            merge_adapter(model, folder)
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RuntimeError,
        SafetensorError,
    ) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"{folder}: the verifier cannot be loaded: {reason}") from error
    model.eval().to(device)
    return VerifierModel(tokenizer, model, settings, device)


def _open(source: Path) -> tuple[Any, Any]:
    """Tokenizer and model of a folder, in float32."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(
        source, num_labels=3, local_files_only=True, use_safetensors=True, dtype=torch.float32
    )
    return tokenizer, model


class VerifierModel:
    """A loaded verifier: pairs of evidence and claim → the probabilities of supports, refutes and
    neutral, a row per pair in the order of the pairs."""

    def __init__(self, tokenizer: Any, model: Any, settings: VerifierSettings, device: str) -> None:
        self._tokenizer, self._model, self._device = tokenizer, model, device
        self._max_tokens, self._scale = settings.max_tokens, settings.scale
        self._bias = torch.tensor(settings.bias)
        self._bf16 = device == "cpu" and multiplies_bf16()
        if self._bf16:
            _linear_in_bf16(model)

    def __call__(self, pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        if not pairs:
            return []
        premises, claims = [p for p, _ in pairs], [self._shortened(c) for _, c in pairs]
        tokens = self._tokenizer(
            claims, premises, truncation="only_second", max_length=self._max_tokens
        )["input_ids"]
        results: dict[int, tuple[float, float, float]] = {}
        for rows, length in _batches([len(ids) for ids in tokens]):
            shares = self._probabilities([tokens[row] for row in rows], length)
            for row, values in zip(rows, shares, strict=True):
                results[row] = (values[0], values[1], values[2])
        return [results[row] for row in range(len(pairs))]

    def _shortened(self, claim: str) -> str:
        """A claim without its end where it would leave evidence no room: fewer than _ROOM tokens,
        or half of all."""
        limit = max(self._max_tokens - _ROOM, self._max_tokens // 2)
        if len(claim) < limit - 2:  # no token is shorter than a character
            return claim
        read = self._tokenizer(
            claim, truncation=True, max_length=limit, return_offsets_mapping=True
        )["offset_mapping"]
        return claim[: max(end for _, end in read)]

    def _probabilities(self, tokens: Sequence[Sequence[int]], length: int) -> list[list[float]]:
        """Calibrated probabilities of texts as tokens, padded to a length; a row per text."""
        ids = torch.full((len(tokens), length), self._tokenizer.pad_token_id)
        mask = torch.zeros((len(tokens), length), dtype=torch.long)
        for place, own in enumerate(tokens):
            ids[place, : len(own)] = torch.tensor(own)
            mask[place, : len(own)] = 1
        device = self._device
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self._bf16):
            logits = self._model(input_ids=ids.to(device), attention_mask=mask.to(device)).logits
        shares = torch.log_softmax(logits.float().cpu(), dim=1)
        rows: list[list[float]] = torch.softmax(self._scale * shares + self._bias, dim=1).tolist()
        return rows


def _batches(lengths: Sequence[int]) -> list[tuple[list[int], int]]:
    """Rows of about the same length together, shortest first, with the length they are padded to.

    >>> _batches([5, 40, 7])
    [([0, 2], 16), ([1], 48)]
    """
    batches: list[tuple[list[int], int]] = []
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        padded = -(-lengths[row] // _STEP) * _STEP
        if batches and batches[-1][1] == padded and (len(batches[-1][0]) + 1) * padded <= _TOKENS:
            batches[-1][0].append(row)
        else:
            batches.append(([row], padded))
    return batches


def _linear_in_bf16(model: Any) -> None:
    """Hold the matrices in bfloat16, so that autocast need not convert them at every call."""
    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.to(torch.bfloat16)


def merge_adapter(model: Any, folder: Path) -> None:
    """Add a LoRA adapter to the weights of its base: W + (alpha / r) · B · A for each adapted
    matrix; what the adapter saves whole (the classification head) replaces the base's.

    Raises ValueError for an adapter that does not fit the model."""
    settings: Mapping[str, Any] = json.loads((folder / ADAPTER_SETTINGS).read_text("utf-8"))
    factor = float(settings["lora_alpha"]) / int(settings["r"])
    tensors = {_name(key): value.float() for key, value in load_file(folder / ADAPTER).items()}
    weights = dict(model.named_parameters())
    with torch.no_grad():
        for key, value in tensors.items():
            if key.endswith(".lora_A.weight"):
                stem = key.removesuffix(".lora_A.weight")
                weights[f"{stem}.weight"] += factor * (tensors[f"{stem}.lora_B.weight"] @ value)
            elif not key.endswith(".lora_B.weight"):
                weights[key].copy_(value)


def _name(key: str) -> str:
    """A parameter's name in the base model, without what PEFT puts around it.

    >>> _name("base_model.model.classifier.modules_to_save.dense.weight")
    'classifier.dense.weight'
    """
    return key.removeprefix("base_model.model.").replace(_HEAD, "")
