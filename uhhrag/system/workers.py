"""Spreads work over threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import islice
from typing import TypeVar

T = TypeVar("T")
W = TypeVar("W")
R = TypeVar("R")


def spread(work: Callable[[T, W], R], items: Iterable[T], workers: Sequence[W]) -> Iterator[R]:
    """Results as they are done; one worker runs in this thread, in order. Items begin as results
    are taken. An exception ends all.

    >>> list(spread(lambda item, worker: item * worker, [1, 2, 3], [10]))
    [10, 20, 30]
    """
    if len(workers) == 1:
        for item in items:
            yield work(item, workers[0])
        return
    left = iter(items)
    with ThreadPoolExecutor(len(workers)) as pool:
        running = {
            pool.submit(work, item, worker): worker
            for worker, item in zip(workers, islice(left, len(workers)), strict=False)
        }
        while running:
            done = next(iter(wait(running, return_when=FIRST_COMPLETED).done))
            worker = running.pop(done)
            yield done.result()
            for item in islice(left, 1):
                running[pool.submit(work, item, worker)] = worker
