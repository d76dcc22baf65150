"""Texts as tokens → vectors, so that a text's vector is the same to the bit for any number of
threads, and whatever else is in the call, on every processor.

The libraries that multiply matrices choose their kernel and the order of their sums by the number
of rows and of threads, each in its own way on each kind of processor. So the vector of a text is
that of the text alone, computed by one thread; several threads work on several texts at once, which
also spares them waiting for each other. Texts of one length run together only after a trial: copies
of one of them must come out in a batch of that size, at every place, with the bits of that text
alone. What does not fill a batch runs in batches of half its size, a quarter and so on.

Some kernels (those for Intel's AMX) give a text other bits in a batch than alone; trial texts tell.
There a batch of a length always has the same number of rows, filled up with copies, after another
trial: a text must have the same bits at every place and in other company. Else it runs alone.
What trials showed can be remembered for later processes (`trials`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Lock

import numpy as np
import torch
from numpy.typing import NDArray

from uhhrag.backends.trials import Batches

Forward = Callable[[torch.Tensor], torch.Tensor]
"""Token ids of texts of one length, shape (texts, length) → a vector for each, in float32."""

_BATCH = 256
"""Tokens of one batch: larger ones leave the cache and are slower on a processor."""


class OneThreadEncoder:
    """Tokens of texts → their vectors in order, shape (texts, dimension). Any thread may call it,
    one at a time. Without `parallel` one thread does all the work. Without `exact` texts of one
    length run together untried, as on a GPU, which makes no promise. `trial` are tokens of texts,
    the same ones for a model each time, that tell whether batches are filled up; without any they
    are not. `batches` is what earlier trials showed."""

    def __init__(
        self,
        forward: Forward,
        dimension: int,
        *,
        parallel: bool = True,
        exact: bool = True,
        trial: Sequence[Sequence[int]] = (),
        batches: Batches | None = None,
    ) -> None:
        self._forward, self._dimension, self._parallel = forward, dimension, parallel
        self._exact, self._trial = exact, trial
        self._batches = batches or Batches()
        if not (exact and trial):
            self._batches.filled = False
        self._workers = LoneThreads()
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
                self._batches.filled = not all(workers.map(self._is_alike, self._trial, sizes))
            self._try_batches(
                [(tokens[rows[0]], len(rows)) for rows in by_length.values()], workers
            )
            batches = [
                rows[start : start + size]
                for length, rows in sorted(by_length.items())
                for start, size in self._cuts(len(rows), length)
            ]
            texts = ([tokens[row] for row in batch] for batch in batches)
            for batch, encoded in zip(batches, workers.map(self._encode, texts), strict=True):
                vectors[batch] = encoded
        return vectors

    def _cuts(self, count: int, length: int) -> list[tuple[int, int]]:
        """Where the batches of so many texts of a length begin and how long they are."""
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
        """Find out which batches may be made, by one text of each length and how many there are."""
        new = [
            (ids, size)
            for ids, count in texts
            for size in self._wanted(len(ids), count)
            if self._exact and (len(ids), size) not in self._batches.alike
        ]
        if not new:
            return
        trial = self._is_alike_filled if self._batches.filled else self._is_alike
        same = workers.map(trial, [ids for ids, _ in new], [size for _, size in new])
        keys = [(len(ids), size) for ids, size in new]
        self._batches.alike.update(zip(keys, same, strict=True))
        self._batches.remember()

    def _wanted(self, length: int, count: int) -> list[int]:
        """The sizes of batches that so many texts of a length would make."""
        if self._batches.filled:
            return _sizes(length)[:1]
        return sorted({size for _, size in _cuts(count, _sizes(length))} - {1})

    def _is_alike(self, ids: Sequence[int], count: int) -> bool:
        """Whether a text has the same bits at every place of a batch of so many as alone."""
        return bool((self._computed([ids] * count) == self._computed([ids])).all())

    def _is_alike_filled(self, ids: Sequence[int], count: int) -> bool:
        """Whether a text has the same bits at every place of a batch and in other company."""
        copies = self._computed([ids] * count)
        mixed = self._computed(([ids, [*reversed(ids)]] * count)[:count])
        return bool((copies == copies[0]).all() and (mixed[::2] == copies[0]).all())

    def _encode(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        full = _texts_of(len(texts[0]))
        filled = self._batches.filled and self._batches.alike.get((len(texts[0]), full))
        missing = full - len(texts) if filled else 0
        return self._computed([*texts, *[texts[-1]] * missing])[: len(texts)]

    def _computed(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        with torch.inference_mode():
            return np.asarray(self._forward(torch.tensor(texts)).cpu().numpy(), np.float32)


class LoneThreads:
    """Pools of threads each of which is alone in its products, by their number."""

    def __init__(self) -> None:
        self._pools: dict[int, ThreadPoolExecutor] = {}

    def __call__(self, count: int) -> ThreadPoolExecutor:
        """So many threads; the same ones at each call."""
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
    """Texts of a length that fill a batch.

    >>> _texts_of(30), _texts_of(500)
    (8, 1)
    """
    return max(1, _BATCH // length)


def _sizes(length: int) -> list[int]:
    """The batches of a length that are tried, by their texts: a full one, and halves down to two.

    >>> _sizes(30), _sizes(100), _sizes(500)
    ([8, 4, 2], [2], [])
    """
    sizes = []
    size = _texts_of(length)
    while size > 1:
        sizes.append(size)
        size //= 2
    return sizes


def _cuts(count: int, sizes: Sequence[int]) -> list[tuple[int, int]]:
    """Where batches of these sizes, the largest first, begin and how long they are; what is left
    over runs one by one.

    >>> _cuts(8, [3, 2]), _cuts(2, [])
    ([(0, 3), (3, 3), (6, 2)], [(0, 1), (1, 1)])
    """
    cuts, start = [], 0
    for size in (*sizes, 1):
        while count - start >= size:
            cuts.append((start, size))
            start += size
    return cuts
