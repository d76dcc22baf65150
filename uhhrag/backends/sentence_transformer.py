"""Embedder: a sentence-transformers model of a local folder.

A text's vector is the same to the bit whatever else is in the call. Batching usually breaks
that, since sums are ordered by the shape of the batch; here the shape follows from the text's
own length alone: padded to a multiple of 8 tokens, in batches of a fixed number of rows for
that length, the last one filled up. Measured: no bit differs between orders, mates and places.

A plain BERT can be computed in bfloat16 instead, by `bert_bf16`, with the same promise: its vectors
differ from those in float32 by a cosine of about .00001.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from uhhrag.backends import bert_bf16
from uhhrag.backends.cpu_features import multiplies_bf16
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
_STEP = 8
"""tokens; lengths are rounded up to a multiple"""
_BATCH = 256
"""tokens of one batch: larger ones leave the cache and are slower on a CPU"""


def gains_by_bf16(folder: Path, device: str = "cpu") -> bool:
    """Whether this machine computes the model of `folder` faster in bfloat16. False for a GPU, a
    processor without instructions for it, another model than a plain BERT, and a torch without
    the operators that make it faster."""
    if device != "cpu" or not multiplies_bf16() or not bert_bf16.is_plain_bert(folder):
        return False
    _set_environment()
    return bert_bf16.has_fused_products()


def load(
    folder: Path, device: str = "cpu", trust_remote_code: bool = False, in_bf16: bool = False
) -> Embedder:
    """The model of `folder` (the layout sentence-transformers saves: modules.json, safetensors).

    Nothing reaches for the network. Raises ModelError where the folder holds no such model, the
    device is missing, or bfloat16 is asked for and cannot be had."""
    if in_bf16:
        _require_bf16(folder, device)
    model = _model(folder, device, trust_remote_code)
    encode = bert_bf16.encoder(model) if in_bf16 else _encoder(model)

    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        distinct = list(dict.fromkeys(texts))
        vectors = encode(_tokens(model, distinct))
        row_of = {text: row for row, text in enumerate(distinct)}
        return vectors[[row_of[text] for text in texts]]

    _require_the_librarys_vectors(model, embed, folder, 1e-2 if in_bf16 else 1e-3)
    return embed


def _require_bf16(folder: Path, device: str) -> None:
    if device != "cpu":
        raise ModelError(f"bfloat16 vectors are computed on the cpu, not on {device}; use fp32")
    if not bert_bf16.is_plain_bert(folder):
        raise ModelError(f"{folder}: only a plain BERT can be computed in bfloat16; use fp32")


def _require_the_librarys_vectors(
    model: Any, embed: Embedder, folder: Path, tolerance: float
) -> None:
    """Models that do more with a text than their tokeniser says (a prompt before it, lower case,
    padding on the left) would come out wrong here: better to refuse them."""
    texts = ["Rain.", "It is not known WHO first ate a tomato, nor what they thought of it."]
    theirs = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    if not np.allclose(embed(texts), theirs, atol=tolerance):
        raise ModelError(f"{folder}: this embedder prepares texts in a way that is not supported")


def _model(folder: Path, device: str, trust_remote_code: bool) -> Any:
    _set_environment()
    if not (folder / "modules.json").is_file():
        raise ModelError(
            f"{folder}: no sentence-transformers model here (modules.json is missing); "
            "give a folder that has it, or a name of: uhhrag models list"
        )
    _require_safetensors(folder)
    import torch
    import transformers
    from safetensors import SafetensorError
    from sentence_transformers import SentenceTransformer

    transformers.logging.set_verbosity_error()
    transformers.logging.disable_progress_bar()
    if device.startswith("cuda") and not torch.cuda.is_available():
        raise ModelError(f"device {device} was asked for but this machine has no usable GPU")
    try:
        model = SentenceTransformer(
            str(folder),
            device=device,
            local_files_only=True,
            trust_remote_code=trust_remote_code,
            model_kwargs={"use_safetensors": True},
        )
    except (
        OSError,
        ValueError,
        KeyError,
        TypeError,
        RuntimeError,
        MemoryError,
        SafetensorError,
    ) as error:
        reason = (str(error).strip() or type(error).__name__).splitlines()[0]
        raise ModelError(f"{folder}: the embedder cannot be loaded: {reason}") from error
    return model.float().eval()


def _set_environment() -> None:
    """What the libraries read when they are loaded: call it before torch is imported."""
    os.environ.update(_OFFLINE)
    # Without this oneDNN multiplies bfloat16 by AMX where there is some: other bits than on other
    # processors, and on some virtual machines an illegal instruction.
    os.environ.setdefault("ONEDNN_MAX_CPU_ISA", "AVX512_CORE_BF16")


def _require_safetensors(folder: Path) -> None:
    """A .bin is a pickle, which is a program. Beside safetensors it is never opened."""
    for weights in sorted(folder.rglob("pytorch_model*.bin")):
        if not any(weights.parent.glob("*.safetensors")):
            raise ModelError(
                f"{weights} is a pickle, which could run anything and is never loaded; "
                "get the model as model.safetensors"
            )


def _tokens(model: Any, texts: Sequence[str]) -> list[list[int]]:
    if not texts:
        return []
    encodable = [text.encode("utf-8", "replace").decode() for text in texts]
    ids = model.tokenizer(encodable, truncation=True, max_length=_longest(model))["input_ids"]
    return list(ids)


def _longest(model: Any) -> int:
    """Tokens of a text that count; what follows is cut off."""
    return int(model.max_seq_length or model.tokenizer.model_max_length)


def _encoder(model: Any) -> bert_bf16.Encode:
    """The library's own computation, in float32."""

    def encode(tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        vectors = np.empty((len(tokens), model.get_embedding_dimension()), np.float32)
        for rows, batch_vectors in _batches(model, tokens):
            vectors[rows] = batch_vectors
        return vectors

    return encode


def _batches(
    model: Any, tokens: Sequence[Sequence[int]]
) -> Iterator[tuple[list[int], NDArray[np.float32]]]:
    """Rows of `tokens` with their unit vectors, shortest first."""
    longest = _longest(model)
    groups: dict[int, list[int]] = {}
    for row, ids in enumerate(tokens):
        groups.setdefault(min(-(-len(ids) // _STEP) * _STEP, longest), []).append(row)
    for length, rows in sorted(groups.items()):
        size = max(1, _BATCH // length)
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            filled = batch + batch[-1:] * (size - len(batch))
            yield batch, _vectors(model, [tokens[row] for row in filled], length)[: len(batch)]


def _vectors(model: Any, tokens: Sequence[Sequence[int]], length: int) -> NDArray[np.float32]:
    import torch

    padded = model.tokenizer.pad(
        {"input_ids": list(tokens)}, padding="max_length", max_length=length, return_tensors="pt"
    )
    with torch.inference_mode():
        vectors = model(dict(padded.to(model.device)))["sentence_embedding"]
        unit = torch.nn.functional.normalize(vectors, dim=1)
    return np.asarray(unit.cpu().numpy(), dtype=np.float32)
