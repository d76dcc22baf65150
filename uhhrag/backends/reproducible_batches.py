"""Vectors bit for bit the same for any number of threads and any company. Matrix libraries order
sums by rows and threads, so one thread computes a batch. Texts share one if in a trial copies had
the bits of the text alone, or of a full batch (AMX)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Barrier, Lock

import numpy as np
import torch
from numpy.typing import NDArray

from uhhrag.backends.self_tests import BatchShapes

Forward = Callable[[torch.Tensor], torch.Tensor]
"""Token ids (texts, length) → vectors."""

_BATCH = 256
"""Tokens; more leave the CPU's cache."""


class OneThreadEncoder:
    """Token lists → vectors (texts, dimension). Thread-safe; tries no batch unless `exact`."""

    def __init__(
        self,
        forward: Forward,
        dimension: int,
        *,
        parallel: bool = True,
        exact: bool = True,
        trial: Sequence[Sequence[int]] = (),
        batches: BatchShapes | None = None,
    ) -> None:
        self._forward, self._dimension, self._parallel = forward, dimension, parallel
        self._exact, self._trial = exact, trial
        self._batches = batches or BatchShapes()
        if not (exact and trial):
            self._batches.filled = False
        self._workers = SingleThreadPool()
        self._lock = Lock()

    def __call__(self, tokens: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        vectors = np.empty((len(tokens), self._dimension), np.float32)
        by_length: dict[int, list[int]] = {}
        for row, ids in enumerate(tokens):
            by_length.setdefault(len(ids), []).append(row)
        with self._lock:
            workers = self._workers(torch.get_num_threads() if self._parallel else 1)
            if self._batches.filled is None:
                sizes = [_texts_of(len(ids)) for ids in self._trial]
                self._batches.filled = not all(workers.map(self._bits_match, self._trial, sizes))
            self._try_batches(
                [(tokens[rows[0]], len(rows)) for rows in by_length.values()], workers
            )
            cut = [(rows, self._cuts(len(rows), n)) for n, rows in sorted(by_length.items())]
            batches = [rows[at : at + size] for rows, cuts in cut for at, size in cuts]
            texts = ([tokens[row] for row in batch] for batch in batches)
            for batch, encoded in zip(batches, workers.map(self._encode, texts), strict=True):
                vectors[batch] = encoded
        return vectors

    def _cuts(self, count: int, length: int) -> list[tuple[int, int]]:
        allowed = [
            n for n in _sizes(length) if self._batches.alike.get((length, n), not self._exact)
        ]
        if self._batches.filled:
            size = _texts_of(length) if _texts_of(length) in allowed else 1
            return [(start, min(size, count - start)) for start in range(0, count, size)]
        return _cuts(count, allowed)

    def _try_batches(
        self, texts: Sequence[tuple[Sequence[int], int]], workers: ThreadPoolExecutor
    ) -> None:
        if not self._exact:
            return
        known = len(self._batches.alike)
        trial = self._try_filled if self._batches.filled else self._try_plain
        list(workers.map(lambda text: trial(*text), texts))
        if len(self._batches.alike) > known:
            self._batches.remember()

    def _try_plain(self, ids: Sequence[int], count: int) -> None:
        for size in sorted({size for _, size in _cuts(count, _sizes(len(ids)))} - {1}):
            self._tried(ids, size, self._bits_match)

    def _try_filled(self, ids: Sequence[int], count: int) -> None:
        full = _texts_of(len(ids))
        rest = count % full
        if full > 1 and self._tried(ids, full, self._filled_bits_match) and rest:
            sizes = (size for size in _filled_sizes(len(ids)) if size >= rest)
            any(self._tried(ids, size, self._filled_bits_match) for size in sizes)

    def _tried(
        self, ids: Sequence[int], size: int, trial: Callable[[Sequence[int], int], bool]
    ) -> bool:
        """Once per length and size."""
        key = (len(ids), size)
        if key not in self._batches.alike:
            self._batches.alike[key] = trial(ids, size)
        return self._batches.alike[key]

    def _bits_match(self, ids: Sequence[int], count: int) -> bool:
        """Whether all copies have the bits of the text alone."""
        return bool((self._computed([ids] * count) == self._computed([ids])).all())

    def _filled_bits_match(self, ids: Sequence[int], count: int) -> bool:
        copies = self._computed([ids] * count)
        size = _texts_of(len(ids))
        full = copies[0] if count == size else self._computed([ids] * size)[0]
        mixed = self._computed(([ids, [*reversed(ids)]] * count)[:count])
        return bool((copies == full).all() and (mixed[::2] == full).all())

    def _encode(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        length, count = len(texts[0]), len(texts)
        sizes = _filled_sizes(length) if self._batches.filled else []
        alike = (n for n in sizes if n >= count and self._batches.alike.get((length, n)))
        missing = next(alike, count) - count
        return self._computed([*texts, *[texts[-1]] * missing])[:count]

    def _computed(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        with torch.inference_mode():
            return np.asarray(self._forward(torch.tensor(texts)).cpu().numpy(), np.float32)


def padded(
    texts: Sequence[Sequence[int]], length: int, pad: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """Ids and mask (0: padding), shape (texts, length)."""
    ids = torch.tensor([[*own, *[pad] * (length - len(own))] for own in texts])
    mask = torch.arange(length) < torch.tensor([[len(own)] for own in texts])
    return ids, mask.long()


@contextmanager
def lone_thread() -> Iterator[None]:
    """Shared products take ten times as long on a busy machine."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)


class SingleThreadPool:
    """Pools by size; each thread computes alone."""

    def __init__(self) -> None:
        self._pools: dict[int, ThreadPoolExecutor] = {}

    def __call__(self, count: int) -> ThreadPoolExecutor:
        if count not in self._pools:
            barrier = Barrier(count)

            def alone(_: int) -> None:
                torch.get_num_threads()  # a thread takes torch's number at the first look at it
                torch.set_num_threads(1)
                barrier.wait()

            threads = torch.get_num_threads()
            pool = ThreadPoolExecutor(count, "uhhrag-model")
            list(pool.map(alone, range(count)))
            torch.set_num_threads(threads)  # what threads that start later begin with
            self._pools[count] = pool
        return self._pools[count]


def _texts_of(length: int) -> int:
    """Texts of a full batch.

    >>> _texts_of(30), _texts_of(500)
    (8, 1)
    """
    return max(1, _BATCH // length)


def _sizes(length: int) -> list[int]:
    """Batch sizes: full, then halves down to two.

    >>> _sizes(30), _sizes(100), _sizes(500)
    ([8, 4, 2], [2], [])
    """
    full = _texts_of(length)
    return [full >> halved for halved in range(full.bit_length() - 1)]


def _filled_sizes(length: int) -> list[int]:
    """Smallest first.

    >>> _filled_sizes(30), _filled_sizes(500)
    ([1, 2, 4, 8], [1])
    """
    return [1, *reversed(_sizes(length))]


def _cuts(count: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """(start, size); the rest runs one by one.

    >>> _cuts(8, [3, 2]), _cuts(2, [])
    ([(0, 3), (3, 3), (6, 2)], [(0, 1), (1, 1)])
    """
    cuts, start = [], 0
    for size in (*sizes, 1):
        while count - start >= size:
            cuts.append((start, size))
            start += size
    return cuts
