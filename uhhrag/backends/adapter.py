"""A LoRA adapter (Hu et al. 2021), as PEFT writes it, and the weights that it makes of a base's."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import torch
from safetensors.torch import load_file

from uhhrag.backends.verifier_files import ADAPTER, ADAPTER_SETTINGS


def adapted(weights: Mapping[str, torch.Tensor], folder: Path) -> dict[str, torch.Tensor]:
    """The weights of a base that the adapter of a folder changes, by their names: W + (alpha / r) ·
    B · A for each adapted matrix (equation 3), and what the adapter saves whole, the classification
    head. Raises KeyError or ValueError for an adapter that does not fit the model."""
    settings = json.loads((folder / ADAPTER_SETTINGS).read_text("utf-8"))
    factor = float(settings["lora_alpha"]) / int(settings["r"])
    tensors = {_name(key): value.float() for key, value in load_file(folder / ADAPTER).items()}
    merged = {}
    for key, value in tensors.items():
        if key.endswith(".lora_A.weight"):
            stem = key.removesuffix(".lora_A.weight")
            product = tensors[f"{stem}.lora_B.weight"] @ value
            merged[f"{stem}.weight"] = weights[f"{stem}.weight"] + factor * product
        elif not key.endswith(".lora_B.weight"):
            merged[key] = value
    return merged


def _name(key: str) -> str:
    """A parameter's name in the base model, without what PEFT puts around it.

    >>> _name("base_model.model.classifier.modules_to_save.dense.weight")
    'classifier.dense.weight'
    """
    return key.removeprefix("base_model.model.").replace("modules_to_save.", "")
