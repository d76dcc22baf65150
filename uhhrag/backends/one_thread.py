"""Texts as tokens → vectors, so that a text's vector is the same to the bit for any number of
threads, and whatever else is in the call, on every processor.

The libraries that multiply matrices choose their kernel and the order of their sums by the number
of rows and of threads, each in its own way on each kind of processor. So the vector of a text is
that of the text alone, computed by one thread; several threads work on several texts at once, which
also spares them waiting for each other. Texts of one length run together only after a trial: copies
of one of them must come out in a batch, at every place, with the bits of that text alone.

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
                self._batches.filled = not all(workers.map(self._is_alike, self._trial))
            many = {
                length: rows
                for length, rows in by_length.items()
                if _texts_of(length) > 1
                and (self._batches.filled or len(rows) >= _texts_of(length))
            }
            self._try_batches({n: tokens[rows[0]] for n, rows in many.items()}, workers)
            batches = [
                rows[start : start + size]
                for length, rows in sorted(by_length.items())
                for start, size in self._cuts(len(rows), length)
            ]
            texts = ([tokens[row] for row in batch] for batch in batches)
            for batch, encoded in zip(batches, workers.map(self._encode, texts), strict=True):
                vectors[batch] = encoded
        return vectors

    def _size(self, length: int) -> int:
        """Texts of a length that run together."""
        return _texts_of(length) if self._batches.alike.get(length, not self._exact) else 1

    def _cuts(self, count: int, length: int) -> list[tuple[int, int]]:
        """Where the batches of so many texts of a length begin and how long they are."""
        size = self._size(length)
        if self._batches.filled:
            return [(start, min(size, count - start)) for start in range(0, count, size)]
        return _cuts(count, size)

    def _try_batches(self, one_of: dict[int, Sequence[int]], workers: ThreadPoolExecutor) -> None:
        """Find out of which lengths a batch may be made, by one text of each."""
        new = [length for length in one_of if self._exact and length not in self._batches.alike]
        if not new:
            return
        texts = [one_of[length] for length in new]
        trial = self._is_alike_filled if self._batches.filled else self._is_alike
        self._batches.alike.update(zip(new, workers.map(trial, texts), strict=True))
        self._batches.remember()

    def _is_alike(self, ids: Sequence[int]) -> bool:
        """Whether a text has the same bits at every place of a batch as alone."""
        together = self._encode([ids] * _texts_of(len(ids)))
        return bool((together == self._encode([ids])).all())

    def _is_alike_filled(self, ids: Sequence[int]) -> bool:
        """Whether a text has the same bits at every place of a batch and in other company."""
        count = _texts_of(len(ids))
        copies = self._computed([ids] * count)
        mixed = self._computed(([ids, [*reversed(ids)]] * count)[:count])
        return bool((copies == copies[0]).all() and (mixed[::2] == copies[0]).all())

    def _encode(self, texts: Sequence[Sequence[int]]) -> NDArray[np.float32]:
        length = len(texts[0])
        missing = (
            _texts_of(length) - len(texts)
            if self._batches.filled and self._batches.alike.get(length)
            else 0
        )
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


def _cuts(count: int, size: int) -> list[tuple[int, int]]:
    """Where full batches begin and how long they are; what is left over runs one by one.

    >>> _cuts(7, 3)
    [(0, 3), (3, 3), (6, 1)]
    """
    full = count - count % size
    return [(start, size) for start in range(0, full, size)] + [(n, 1) for n in range(full, count)]
