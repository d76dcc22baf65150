"""The verifier: a cross-encoder over evidence and claim → supports, refutes, says nothing.

A folder of a verifier holds `verifier.json` and either a whole sequence-classification model
(transformers, safetensors) or a LoRA adapter (PEFT's files) of a base model, which is merged into
the base's weights at loading (Hu et al. 2021, equation 3), so reading costs no more than the base.
Probabilities are calibrated by vector scaling (Guo et al. 2017, section 4.2).
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.backends.cpu_features import multiplies_bf16
from uhhrag.errors import ModelError
from uhhrag.protocols import Entailment

SETTINGS = "verifier.json"
ADAPTER = "adapter_model.safetensors"
ADAPTER_SETTINGS = "adapter_config.json"
_HEAD = "modules_to_save."
_STEP = 16
"""Lengths are rounded up to a multiple of this many tokens: each new shape costs a compilation."""
_TOKENS = 2048
"""Tokens of one batch, padding included."""
_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


@dataclass(frozen=True, slots=True)
class VerifierSettings:
    """What `verifier.json` says. `base` names the model that the adapter belongs to and
    `base_fingerprint` is that of its files, "" for a whole model; the claim is the first text and
    the evidence the second, cut at `max_tokens` together. Log-probabilities times `scale` plus
    `bias`, in the order supports, refutes, neutral, give calibrated probabilities."""

    base: str
    base_fingerprint: str
    max_tokens: int
    scale: float
    bias: tuple[float, float, float]


def read_settings(folder: Path) -> VerifierSettings:
    """What a verifier's folder says of itself. Raises ModelError for a folder that holds none."""
    try:
        settings = json.loads((folder / SETTINGS).read_text(encoding="utf-8"))
        bias = tuple(float(b) for b in settings["bias"])
        scale, longest = float(settings["scale"]), int(settings["max_tokens"])
        if len(bias) != 3 or not all(map(math.isfinite, (scale, *bias))) or longest < 8:
            raise ValueError("scale, bias or max_tokens is out of range")
        return VerifierSettings(
            str(settings["base"]), str(settings["base_fingerprint"]), longest, scale, bias
        )
    except FileNotFoundError:
        raise ModelError(
            f"{folder}: no verifier here ({SETTINGS} is missing); make one with: uhhrag train "
            "verifier"
        ) from None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ModelError(f"{folder / SETTINGS}: is invalid: {error}") from error


def load(folder: Path, base: Path | None, device: str = "cpu") -> Entailment:
    """The verifier of `folder`; `base` is the folder of the base model, None for a whole model.

    A pair that is too long loses the end of its evidence. Raises ModelError where the folder
    holds no verifier or the base is not the one it was trained on."""
    settings = read_settings(folder)
    os.environ.update(_OFFLINE)
    import torch
    import transformers
    from safetensors import SafetensorError

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    source = base or folder
    try:
        tokenizer = transformers.AutoTokenizer.from_pretrained(source, local_files_only=True)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(
            source, num_labels=3, local_files_only=True, use_safetensors=True, dtype=torch.float32
        )
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
    bf16 = device == "cpu" and multiplies_bf16()
    if bf16:
        _linear_in_bf16(model)
    bias = torch.tensor(settings.bias)

    def read(pairs: Sequence[tuple[str, str]]) -> list[tuple[float, float, float]]:
        premises, claims = [p for p, _ in pairs], [c for _, c in pairs]
        token_ids = tokenizer(
            claims, premises, truncation="only_second", max_length=settings.max_tokens
        )["input_ids"]
        results: dict[int, tuple[float, float, float]] = {}
        for rows, length in _batches([len(ids) for ids in token_ids]):
            ids = torch.full((len(rows), length), tokenizer.pad_token_id)
            mask = torch.zeros((len(rows), length), dtype=torch.long)
            for place, row in enumerate(rows):
                ids[place, : len(token_ids[row])] = torch.tensor(token_ids[row])
                mask[place, : len(token_ids[row])] = 1
            with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=bf16):
                logits = model(input_ids=ids.to(device), attention_mask=mask.to(device)).logits
            shares = torch.log_softmax(logits.float().cpu(), dim=1)
            shares = torch.softmax(settings.scale * shares + bias, dim=1)
            for row, values in zip(rows, shares.tolist(), strict=True):
                results[row] = (values[0], values[1], values[2])
        return [results[row] for row in range(len(pairs))]

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        return read(pairs) if pairs else []

    return entailment


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
    import torch

    for module in model.modules():
        if isinstance(module, torch.nn.Linear):
            module.to(torch.bfloat16)


def merge_adapter(model: Any, folder: Path) -> None:
    """Add a LoRA adapter to the weights of its base: W + (alpha / r) · B · A for each adapted
    matrix; what the adapter saves whole (the classification head) replaces the base's.

    Raises ValueError for an adapter that does not fit the model."""
    import torch
    from safetensors.torch import load_file

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
