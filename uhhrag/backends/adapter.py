"""Merges a LoRA adapter (Hu et al. 2021; PEFT's files) into its base."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file

from uhhrag.backends.reproducible_batches import SingleThreadPool
from uhhrag.backends.verifier_files import ADAPTER, ADAPTER_SETTINGS

_A, _B = ".lora_A.weight", ".lora_B.weight"
_OTHERWISE = ("use_rslora", "use_dora", "rank_pattern", "alpha_pattern", "fan_in_fan_out")
"""Settings with which PEFT merges by another equation."""


def adapted(
    weights: Mapping[str, torch.Tensor], folder: Path, prefix: str = ""
) -> dict[str, torch.Tensor]:
    """W + (alpha / r) · B · A (equation 3), and the head; `weights` have names without `prefix`."""
    settings = json.loads((folder / ADAPTER_SETTINGS).read_text("utf-8"))
    if odd := next((name for name in _OTHERWISE if settings.get(name)), ""):
        raise ValueError(f"its adapter has {odd}, which is not merged here; train it without")
    factor = float(settings["lora_alpha"]) / int(settings["r"])
    files = load_file(folder / ADAPTER)
    tensors = {_name(key).removeprefix(prefix): value.float() for key, value in files.items()}

    def merged(stem: str) -> torch.Tensor:
        a, b = tensors[f"{stem}{_A}"], tensors[f"{stem}{_B}"]
        return torch.addmm(weights[f"{stem}.weight"], b, a, alpha=factor)

    stems = [key.removesuffix(_A) for key in tensors if key.endswith(_A)]
    whole = {key: value for key, value in tensors.items() if not key.endswith((_A, _B))}
    # One thread per matrix: most time goes into writing hundreds of megabytes.
    with SingleThreadPool()(torch.get_num_threads()) as threads:
        matrices = zip(stems, threads.map(merged, stems), strict=True)
        return {f"{stem}.weight": matrix for stem, matrix in matrices} | whole


def _name(key: str) -> str:
    """
    >>> _name("base_model.model.classifier.modules_to_save.dense.weight")
    'classifier.dense.weight'
    """
    return key.removeprefix("base_model.model.").replace("modules_to_save.", "")
