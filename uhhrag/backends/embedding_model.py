"""Later loads of a plain BERT skip the slow library, if its files gave the same."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors.torch import load_file

from uhhrag.backends.bert import Bert, takes_fused_products
from uhhrag.backends.bert_files import Tokens, file_tokens
from uhhrag.backends.libraries import FAULTS, faults_as
from uhhrag.backends.reproducible_batches import OneThreadEncoder, lone_thread
from uhhrag.backends.self_tests import BatchShapes, key_of
from uhhrag.backends.transformers_models import quiet_library, require_device
from uhhrag.errors import ModelError
from uhhrag.protocols import Embedder
from uhhrag.system.machine_cache import recall, remember
from uhhrag.system.text_files import encodable

_TRIED = "embedders"
_TRIAL = (
    "Rain.",
    "It is not known WHO first ate a tomato, nor what they thought of it.",
    "Ünïcode: 雨が降った，2020年10月31日 — «naïve» ﬁne [SEP] \x00\ufffd\u200b",
    "A sentence that is longer than any model reads. " * 120,
    "",
)
_SHORT = (_TRIAL[0], _TRIAL[1], _TRIAL[1] * 3)
_WITH = ("sentence-transformers", "transformers", "tokenizers", "torch")


def load_bert(folder: Path, *, in_bf16: bool) -> Embedder:
    """Raises ModelError if the model cannot be loaded or prepares texts beyond tokenizing."""
    precision = torch.bfloat16 if in_bf16 else torch.float32
    key = key_of([folder], _WITH)
    longest = recall(_TRIED).get(key) if key else None
    if isinstance(longest, int):
        with suppress(*FAULTS):
            with lone_thread():
                bert = Bert(_weights(folder), _config(folder), precision)
            kernel = f"{precision}{'' if takes_fused_products(precision) else ' unfused'}"
            return _embed_by(bert, file_tokens(folder, longest), BatchShapes.recalled(key, kernel))
    model = _library_model(folder, "cpu", trust_remote_code=False)
    weights = {name: value.detach() for name, value in model[0].auto_model.state_dict().items()}
    bert = Bert(weights, _config(folder), precision)
    tokens = _library_tokens(model)
    embed = _embed_by(bert, tokens, BatchShapes())
    _require_the_librarys_vectors(model, embed, folder, 1e-2 if in_bf16 else 1e-3)
    if key and _files_hold(folder, weights, tokens, _longest(model)):
        remember(_TRIED, {key: _longest(model)})
    return embed


def load_any(folder: Path, device: str, trust_remote_code: bool) -> Embedder:
    model = _library_model(folder, device, trust_remote_code)

    def forward(ids: torch.Tensor) -> torch.Tensor:
        here = ids.to(model.device)
        features = {"input_ids": here, "attention_mask": torch.ones_like(here)}
        return torch.nn.functional.normalize(model(features)["sentence_embedding"], dim=1)

    encoder = OneThreadEncoder(
        forward,
        model.get_embedding_dimension(),
        # A model's own code may keep state between calls.
        parallel=device == "cpu" and not trust_remote_code,
        exact=device == "cpu",
    )
    embed = _embedder(_library_tokens(model), encoder)
    _require_the_librarys_vectors(model, embed, folder, 1e-3)
    return embed


def _embed_by(bert: Bert, tokens: Tokens, batches: BatchShapes) -> Embedder:
    encoder = OneThreadEncoder(bert, bert.dimension, trial=tokens(_SHORT), batches=batches)
    return _embedder(tokens, encoder)


def _embedder(tokens: Tokens, encoder: OneThreadEncoder) -> Embedder:
    def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
        distinct = list(dict.fromkeys(texts))
        vectors = encoder(tokens([*map(encodable, distinct)]) if distinct else [])
        row_of = {text: row for row, text in enumerate(distinct)}
        return vectors[[row_of[text] for text in texts]]

    return embed


def _require_the_librarys_vectors(
    model: Any, embed: Embedder, folder: Path, tolerance: float
) -> None:
    """Refuses models that prepare texts: prompts, lower case, left padding."""
    texts = _TRIAL[:2]
    theirs = model.encode(texts, normalize_embeddings=True, show_progress_bar=False)
    if not np.allclose(embed(texts), theirs, atol=tolerance):
        raise ModelError(f"{folder}: this embedder prepares texts in a way that is not supported")


def _library_model(folder: Path, device: str, trust_remote_code: bool) -> Any:
    quiet_library()
    from sentence_transformers import SentenceTransformer

    require_device(device)
    with faults_as(f"{folder}: the embedder cannot be loaded", MemoryError):
        model = SentenceTransformer(
            str(folder),
            device=device,
            local_files_only=True,
            trust_remote_code=trust_remote_code,
            model_kwargs={"use_safetensors": True},
        )
    return model.float().eval()


def _library_tokens(model: Any) -> Tokens:
    def tokens(texts: Sequence[str]) -> list[list[int]]:
        ids = model.tokenizer(list(texts), truncation=True, max_length=_longest(model))
        return list(ids["input_ids"])

    return tokens


def _longest(model: Any) -> int:
    """In tokens."""
    return int(model.max_seq_length or model.tokenizer.model_max_length)


def _weights(folder: Path) -> dict[str, torch.Tensor]:
    weights = load_file(folder / "model.safetensors")
    return {name.removeprefix("bert."): value.float() for name, value in weights.items()}


def _config(folder: Path) -> Mapping[str, Any]:
    return dict(json.loads((folder / "config.json").read_bytes()))


def _files_hold(
    folder: Path, weights: Mapping[str, torch.Tensor], tokens: Tokens, longest: int
) -> bool:
    try:
        own, own_tokens = _weights(folder), file_tokens(folder, longest)
    except FAULTS:
        return False
    same = all(name in own and torch.equal(own[name], weights[name]) for name in weights)
    return same and own_tokens(_TRIAL) == tokens(_TRIAL)
