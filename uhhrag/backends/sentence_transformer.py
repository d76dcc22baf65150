"""A sentence-transformers model; in bfloat16 cosines differ by about .00001."""

from __future__ import annotations

from pathlib import Path

from uhhrag.backends import kernels
from uhhrag.backends.bert_files import is_plain_bert
from uhhrag.errors import ModelError
from uhhrag.protocols import Embedder


def fastest_numbers(folder: Path, device: str = "cpu") -> str:
    """FP32 for anything but a plain BERT on a CPU."""
    return kernels.fastest() if device == "cpu" and is_plain_bert(folder) else kernels.FP32


def hold_to(numbers: str) -> None:
    """Call before other models choose instructions. Raises ModelError if too late."""
    kernels.go_offline()
    kernels.hold_to(numbers)


def load(
    folder: Path, device: str = "cpu", trust_remote_code: bool = False, numbers: str = kernels.FP32
) -> Embedder:
    """Raises ModelError for a missing model, device or bfloat16."""
    in_bf16, plain = numbers != kernels.FP32, device == "cpu" and is_plain_bert(folder)
    if in_bf16 and not plain:
        if device != "cpu":
            raise ModelError(
                f"bfloat16 vectors are computed on the cpu, not on {device}; leave --device "
                "out, or index with --precision fp32"
            )
        raise ModelError(f"{folder}: only a plain BERT can be computed in bfloat16; use fp32")
    if not (folder / "modules.json").is_file():
        raise ModelError(
            f"{folder}: no sentence-transformers model here (modules.json is missing); "
            "give a folder that has it, or a name of: uhhrag models list"
        )
    _require_safetensors(folder)
    hold_to(numbers)
    from uhhrag.backends import embedding_model

    if plain:
        return embedding_model.load_bert(folder, in_bf16=in_bf16)
    return embedding_model.load_any(folder, device, trust_remote_code)


def _require_safetensors(folder: Path) -> None:
    """Refuse pickles, which can run code."""
    for weights in sorted(folder.rglob("pytorch_model*.bin")):
        if not any(weights.parent.glob("*.safetensors")):
            raise ModelError(
                f"{weights} is a pickle, which could run anything and is never loaded; "
                "get the model as model.safetensors"
            )
