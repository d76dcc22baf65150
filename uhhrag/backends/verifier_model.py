"""A verifier, by `mpnet` (loads faster) once it and the library agreed on its files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import torch

from uhhrag.backends import mpnet
from uhhrag.backends.adapter import adapted
from uhhrag.backends.libraries import FAULTS, faults_as
from uhhrag.backends.reproducible_batches import SingleThreadPool, padded
from uhhrag.backends.self_tests import key_of
from uhhrag.backends.transformers_models import open_model, require_device, require_weights
from uhhrag.backends.verifier_files import VerifierSettings
from uhhrag.system.machine_cache import recall, remember
from uhhrag.system.text_files import encodable

_STEP = 16
"""Lengths are rounded up, as each shape is compiled."""
_ROOM = 32
"""Tokens that a claim leaves to evidence, or half of all."""
_TOKENS = 512
"""Tokens of a padded batch."""
_TRIED = "verifiers"
_WITH = ("transformers", "tokenizers", "torch")
_TRIAL = (
    ("It closed in 2018.", "The bridge closed in 2018."),
    (
        "Ünïcode: 雨が降った，2020年10月31日 — «naïve» ﬁne </s> <pad> [SEP] \x00\ufffd\u200b",
        "WHO knows?",
    ),
    ("The evidence is longer than any model reads. " * 120, "The bridge was closed."),
    ("", "A claim without end, which leaves its evidence no room. " * 120),
)


def load(
    folder: Path, base: Path | None, settings: VerifierSettings, device: str, *, in_bf16: bool
) -> VerifierModel:
    """`base` is None for a whole model."""

    def by_the_library() -> VerifierModel:
        return VerifierModel(load_by_library(folder, base, device, in_bf16=in_bf16), settings)

    if device != "cpu" or not mpnet.is_mpnet(base or folder):
        return by_the_library()
    key = key_of([folder, base] if base else [folder], _WITH)
    key = f"{key} bf16" if key and in_bf16 else key
    alike = recall(_TRIED).get(key) if key else None
    if alike is not False:
        with suppress(*FAULTS):
            own = VerifierModel(mpnet.load(folder, base, in_bf16=in_bf16), settings)
            if alike is True:
                return own
            theirs = by_the_library()
            alike = own.reads_as(theirs)
            if key:
                remember(_TRIED, {key: alike})
            return own if alike else theirs
    return by_the_library()


def load_by_library(
    folder: Path, base: Path | None, device: str, *, in_bf16: bool
) -> LibraryClassifier:
    """The reference for `mpnet`. Raises ModelError."""
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
        return pair_tokens(self._tokenizer, pairs, longest)

    def end(self, text: str, longest: int) -> int:
        return end_of(self._tokenizer, text, longest)

    def logits(self, ids: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        here = {"input_ids": ids.to(self._device), "attention_mask": mask.to(self._device)}
        with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16, enabled=self._bf16):
            scores: torch.Tensor = self._model(**here).logits
        return scores.float().cpu()


class VerifierModel:
    """Probabilities: supports, refutes, neutral. Thread-safe; one thread per batch."""

    def __init__(
        self, classifier: LibraryClassifier | mpnet.MpnetClassifier, settings: VerifierSettings
    ) -> None:
        self._classifier = classifier
        self._max_tokens, self._scale = settings.max_tokens, settings.scale
        self._bias = torch.tensor(settings.bias)
        self._workers, self._lock = SingleThreadPool(), Lock()

    def __call__(self, pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        tokens = self._tokens(pairs)
        # The longest first, so that no thread is left with one at the end.
        batches = _batches([len(ids) for ids in tokens])[::-1]
        texts = ([tokens[row] for row in rows] for rows, _ in batches)
        lengths = (length for _, length in batches)
        with self._lock:
            workers = self._workers(torch.get_num_threads())
            shares = chain.from_iterable(workers.map(self._probabilities, texts, lengths))
            order = chain.from_iterable(rows for rows, _ in batches)
            of_row = {row: (a, b, c) for row, (a, b, c) in zip(order, shares, strict=True)}
        return [of_row[row] for row in range(len(pairs))]

    def reads_as(self, other: VerifierModel) -> bool:
        """Whether a trial gives the same."""
        same = self._tokens(_TRIAL) == other._tokens(_TRIAL)
        return same and bool(np.allclose(self(_TRIAL), other(_TRIAL), atol=1e-5))

    def _tokens(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Sequence[int]]:
        turned = turned_pairs(pairs, self._max_tokens, self._classifier.end)
        return self._classifier.tokens(turned, self._max_tokens) if turned else []

    def _probabilities(self, tokens: Sequence[Sequence[int]], length: int) -> list[list[float]]:
        ids_and_mask = padded(tokens, length, self._classifier.pad)
        with torch.inference_mode():
            shares = torch.log_softmax(self._classifier.logits(*ids_and_mask), dim=1)
        rows: list[list[float]] = torch.softmax(self._scale * shares + self._bias, dim=1).tolist()
        return rows


def turned_pairs(
    pairs: Sequence[tuple[str, str]], longest: int, end: Callable[[str, int], int]
) -> list[tuple[str, str]]:
    """Claim and evidence of evidence and claim; a claim that would leave evidence no room is cut at
    `end`."""
    limit = max(longest - _ROOM, longest // 2)

    def shortened(claim: str) -> str:
        if len(claim.encode()) < limit - 2:  # no token is shorter than a byte
            return claim
        return claim[: end(claim, limit)]

    return [(shortened(encodable(claim)), encodable(premise)) for premise, claim in pairs]


def pair_tokens(
    tokenizer: Any, pairs: Sequence[tuple[str, str]], longest: int
) -> list[Sequence[int]]:
    """Of pairs by `turned_pairs`."""
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    tokens = tokenizer(first, second, truncation="only_second", max_length=longest)
    return list(tokens["input_ids"])


def end_of(tokenizer: Any, text: str, longest: int) -> int:
    """Characters of the first `longest` tokens."""
    tokens = tokenizer(text, truncation=True, max_length=longest, return_offsets_mapping=True)
    return max(int(end) for _, end in tokens["offset_mapping"])


def _batches(lengths: Sequence[int]) -> list[tuple[list[int], int]]:
    """Rows, shortest first, and padded length.

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
