"""Spreads items over Ray actors, in order. TRIES ends an item, an UhhragError all."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from uhhrag.errors import RunError, UhhragError, UsageError, first_line, reason_of
from uhhrag.system.ray_cluster import Cluster, ClusterAddress, WorkerResources, connected, ray

T = TypeVar("T")
R = TypeVar("R")

TRIES = 3
"""Per item."""
_STARTS = 6
"""Failed starts until a worker is given up; a finished item resets them."""
_MAX_PENDING = 4
"""Items per worker waiting for an earlier one."""
_POLL_SECONDS = 5.0
"""Seconds without news before living machines are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RayWork(Generic[T, R]):
    prepare: Callable[[int, int], Callable[[T], R | None]]
    """A worker's number and cores → its work, which gives None if files are missing."""
    send: Callable[[T], T]
    """Adds the files, on the driver."""
    give_up: Callable[[T, str], R]
    """Item and reason → its result."""


def spread_on_ray(
    address: ClusterAddress, needs: WorkerResources, work: RayWork[T, R], items: Iterable[T]
) -> Generator[R, None, None]:
    """In order. Raises as `connected`, a worker's UhhragError, and RunError without workers."""
    left = iter(items)
    first = list(islice(left, 1))
    if not first:
        return
    with connected(address, needs) as cluster:
        crew = _WorkerPool(cluster, work)
        try:
            yield from crew.results(chain(first, left))
        finally:
            crew.dismiss()


class _Worker:
    def __init__(self, prepare: Callable[[int, int], Any], number: int, cores: int) -> None:
        self._fault: UhhragError | None = None
        try:
            self._work = prepare(number, cores)
        except UhhragError as error:
            self._fault = type(error)(f"on {ray.util.get_node_ip_address()}: {error}")

    def fault(self) -> UhhragError | None:
        """Why it cannot work; any answer shows it is alive."""
        return self._fault

    def work(self, item: Any) -> tuple[bool | UhhragError | str, Any]:
        """Whether done, or what was raised; and the large result, apart."""
        try:
            result = self._work(item)
        except UhhragError as error:
            return error, None
        except Exception as error:  # noqa: BLE001 - one item's failure must not end the others
            return reason_of(error), None
        return result is not None, result


@dataclass(slots=True, eq=False)
class _Job(Generic[T]):
    item: T
    begun: int = 0
    sent: bool = False
    stored: Any = None
    reason: str = ""


@dataclass(slots=True, eq=False)
class _Slot(Generic[T]):
    number: int
    actor: Any = None
    job: _Job[T] | None = None
    result: Any = None
    failed_starts: int = 0


@dataclass(slots=True)
class _WorkerPool(Generic[T, R]):
    cluster: Cluster
    work: RayWork[T, R]
    slots: list[_Slot[T]] = field(default_factory=list)
    idle: deque[_Slot[T]] = field(default_factory=deque)
    running: dict[Any, _Slot[T]] = field(default_factory=dict)
    """By the reference waited for."""
    window: deque[_Job[T]] = field(default_factory=deque)
    """In order, from the first without a given result."""
    again: deque[_Job[T]] = field(default_factory=deque)
    reason: str = ""

    def results(self, items: Iterator[T]) -> Iterator[R]:
        for number in range(self.cluster.workers):
            self._start(_Slot(number))
        more = True
        while more or self.window:
            while self.idle and (job := self._next(items if more else iter(()))):
                self._begin(self.idle.popleft(), job)
            more = more and not (self.idle and len(self.window) < self._room)
            first = self.window[0] if self.window else None
            if first and (first.stored is not None or first.reason):
                yield from self._given(first)
            elif more or self.window:
                self._await()

    @property
    def _room(self) -> int:
        return _MAX_PENDING * self.cluster.workers

    def _next(self, items: Iterator[T]) -> _Job[T] | None:
        """Also None if too many wait."""
        if self.again:
            return self.again.popleft()
        if len(self.window) < self._room:
            for item in islice(items, 1):
                self.window.append(_Job(item))
                return self.window[-1]
        return None

    def _given(self, job: _Job[T]) -> Iterator[R]:
        """Nothing if the result was lost with its machine."""
        if job.reason:
            self.window.popleft()
            yield self.work.give_up(job.item, job.reason)
            return
        try:
            result = ray.get(job.stored)
        except ray.exceptions.RayError as error:
            job.stored = None
            self._failed(job, first_line(error))
            return
        self.window.popleft()
        job.stored = None
        yield result

    def _begin(self, slot: _Slot[T], job: _Job[T]) -> None:
        item = job.item
        if job.sent:
            try:
                item = self.work.send(item)
            except UhhragError as error:
                job.reason = str(error)
                self.idle.append(slot)
                return
        job.begun += 1
        over, slot.result = slot.actor.work.options(num_returns=2).remote(item)
        slot.job = job
        self.running[over] = slot

    def _start(self, slot: _Slot[T]) -> None:
        made = ray.remote(_Worker).options(
            num_cpus=self.cluster.cores,
            num_gpus=int(self.cluster.gpu),
            max_restarts=0,
            max_task_retries=0,
            scheduling_strategy="SPREAD",
        )
        try:
            slot.actor = made.remote(self.work.prepare, slot.number, self.cluster.cores)
        except (TypeError, ValueError, AttributeError) as error:
            raise UsageError(f"a model cannot be sent to workers: {first_line(error)}") from error
        self.running[slot.actor.fault.remote()] = slot
        self.slots.append(slot)

    def _await(self) -> None:
        if not self.running:
            raise RunError(f"no worker can be started: {self.reason}")
        ready, _ = ray.wait(list(self.running), num_returns=1, timeout=_POLL_SECONDS)
        if not ready:
            busy = self.idle or any(slot.job for slot in self.running.values())
            if not busy and not self.cluster.has_room():
                raise RunError(
                    "no machine of the cluster is left that could hold a worker; what is done is "
                    "kept; run the same command again"
                )
            return
        slot = self.running.pop(ready[0])
        job, slot.job = slot.job, None
        try:
            news = ray.get(ready[0])
        except ray.exceptions.RayError as error:
            self._lost(slot, job, error)
            return
        if job:
            self._worked(slot, job, news)
        elif news:
            raise news
        else:
            slot.failed_starts = 0
            self.idle.append(slot)

    def _worked(self, slot: _Slot[T], job: _Job[T], news: bool | UhhragError | str) -> None:
        if isinstance(news, UhhragError):
            raise news  # the program's own fault, which ends it all
        if isinstance(news, str):
            self._failed(job, news)
        elif news:
            job.stored = slot.result
            for one in self.slots:
                one.failed_starts = 0
        else:  # its files are not on that machine
            job.begun -= 1
            job.sent = True
            self.again.appendleft(job)
        slot.result = None
        self.idle.append(slot)

    def _lost(self, slot: _Slot[T], job: _Job[T] | None, error: Exception) -> None:
        """Replace a dead worker; also asks idle ones, perhaps of the same machine."""
        self.slots.remove(slot)
        self._kill(slot)
        if job:
            self._failed(job, first_line(error))
        slot.failed_starts += 0 if job else 1
        self.reason = first_line(error)
        if slot.failed_starts < _STARTS:
            slot.number += 1  # of several servers it takes the next
            self._start(slot)
        while self.idle:
            other = self.idle.popleft()
            self.running[other.actor.fault.remote()] = other

    def _failed(self, job: _Job[T], reason: str) -> None:
        if job.begun < TRIES:
            self.again.append(job)
        else:
            job.reason = f"given up after {TRIES} workers: {reason}"

    def dismiss(self) -> None:
        for slot in self.slots:
            self._kill(slot)

    @staticmethod
    def _kill(slot: _Slot[T]) -> None:
        if ray.is_initialized():
            ray.kill(slot.actor)
