"""Embedder: a sentence-transformers model of a local folder.

On a processor a text's vector is the same to the bit for any number of threads and whatever else is
in the call: `one_thread` says how. A plain BERT is computed by `bert`, in float32 or in bfloat16,
whose vectors differ by a cosine of about .00001; any other model by the library itself.
"""

from __future__ import annotations

import os
from pathlib import Path

from uhhrag.backends import kernels, static_vectors
from uhhrag.backends.bert_files import is_plain_bert
from uhhrag.errors import ModelError
from uhhrag.protocols import Embedder

_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}


def fastest_numbers(folder: Path, device: str = "cpu") -> str:
    """The numbers with which this machine computes the model of `folder` fastest: one of `kernels`.
    FP32 for a GPU and for another model than a plain BERT."""
    return kernels.fastest() if device == "cpu" and is_plain_bert(folder) else kernels.FP32


def hold_to(numbers: str) -> None:
    """Prepare this process for an embedder that is loaded later: other models that are loaded
    before it must not choose its instructions. Raises ModelError where they are chosen."""
    os.environ.update(_OFFLINE)
    kernels.hold_to(numbers)


def load(
    folder: Path, device: str = "cpu", trust_remote_code: bool = False, numbers: str = kernels.FP32
) -> Embedder:
    """The model of `folder` (the layout sentence-transformers saves: modules.json, safetensors),
    computed in `numbers`, one of `kernels`.

    Nothing reaches for the network. Raises ModelError where the folder holds no such model, the
    device is missing, or bfloat16 is asked for and cannot be had."""
    in_bf16 = numbers != kernels.FP32
    if in_bf16:
        _require_bf16(folder, device)
    if not (folder / "modules.json").is_file():
        raise ModelError(
            f"{folder}: no sentence-transformers model here (modules.json is missing); "
            "give a folder that has it, or a name of: uhhrag models list"
        )
    _require_safetensors(folder)
    hold_to(numbers)
    from uhhrag.backends import embedding_model

    if device == "cpu" and is_plain_bert(folder):
        return embedding_model.load_bert(folder, in_bf16=in_bf16)
    return embedding_model.load_any(folder, device, trust_remote_code)


def load_words(folder: Path) -> Embedder | None:
    """Static vectors of the model's own table of words; None for another model than a plain BERT.
    No kernel has a part in them."""
    return static_vectors.of_words(folder) if is_plain_bert(folder) else None


def _require_bf16(folder: Path, device: str) -> None:
    if device != "cpu":
        raise ModelError(f"bfloat16 vectors are computed on the cpu, not on {device}; use fp32")
    if not is_plain_bert(folder):
        raise ModelError(f"{folder}: only a plain BERT can be computed in bfloat16; use fp32")


def _require_safetensors(folder: Path) -> None:
    """A .bin is a pickle, which is a program. Beside safetensors it is never opened."""
    for weights in sorted(folder.rglob("pytorch_model*.bin")):
        if not any(weights.parent.glob("*.safetensors")):
            raise ModelError(
                f"{weights} is a pickle, which could run anything and is never loaded; "
                "get the model as model.safetensors"
            )
