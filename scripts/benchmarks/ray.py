"""What workers on a Ray cluster cost and give, on this machine.

With work that is a wait, so that any number of workers has room: how near 1, 2, 4 and 8 workers
come to their share of the time, what a claim costs beside its work, and the driver's memory as
results go through it. With --real N the plain commands against two workers, on N claims of the
reference data with MiniLM and SmolLM2: claims per second in the middle, without loading.

Fails where 8 workers are less than .9 efficient or a claim costs more than 20 ms.

usage: scripts/bench ray [--wait SECONDS] [--items N] [--real N]
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import uhhrag
from scripts.benchmarks.sides import commit, machine
from scripts.reference import reference_data
from uhhrag.system.ray_cluster import WorkerResources, read_cluster_address
from uhhrag.system.ray_workers import RayWork, spread_on_ray

WORKERS = (1, 2, 4, 8)
EFFICIENCY, OVERHEAD = 0.9, 0.020
MB = 2**20


class Wait:
    """Work that takes so many seconds and gives so many bytes."""

    def __init__(self, seconds: float, size: int = 100) -> None:
        self.seconds, self.size = seconds, size

    def __call__(self, number: int, cores: int) -> Callable[[int], bytes]:
        def do(item: int) -> bytes:
            time.sleep(self.seconds)
            return bytes(self.size)

        return do


def results(work: Wait, workers: int, items: int) -> Iterator[bytes]:
    spread: RayWork[int, bytes] = RayWork(
        prepare=work, send=lambda item: item, give_up=lambda item, reason: sys.exit(reason)
    )
    return spread_on_ray(read_cluster_address(workers), WorkerResources(1), spread, range(items))


def seconds_per_item(work: Wait, workers: int, items: int) -> tuple[float, float]:
    """In the middle of the items, where every worker is at work: seconds per item; and the seconds
    until the first result."""
    begun = time.perf_counter()
    stamps = [time.perf_counter() for _ in results(work, workers, items)]
    edge = items // 5
    first, last = stamps[edge], stamps[-edge]
    return (last - first) / (items - 2 * edge), stamps[0] - begun


def efficiency(wait: float) -> list[str]:
    faults = []
    print(f"| workers | seconds per item of {wait:g} s | efficiency | first result after |")
    print("|---|---|---|---|")
    for workers in WORKERS:
        each, start = seconds_per_item(Wait(wait), workers, 40 * workers)
        share = wait / workers / each
        print(f"| {workers} | {each:.4f} | {share:.3f} | {start:.1f} s |", flush=True)
        if workers == WORKERS[-1] and share < EFFICIENCY:
            faults.append(f"{workers} workers are {share:.2f} efficient, not {EFFICIENCY}")
    return faults


def overhead() -> list[str]:
    faults = []
    for size, items in ((100, 1000), (MB, 400), (30 * MB, 40)):
        each, _ = seconds_per_item(Wait(0, size), 1, items)
        print(f"{each * 1000:.1f} ms for a claim whose result has {size:,} bytes", flush=True)
        if size == MB and each > OVERHEAD:
            faults.append(f"a claim costs {each * 1000:.0f} ms, not {OVERHEAD * 1000:.0f}")
    return faults


def memory(items: int) -> None:
    wanted = {items // 10, items // 2, items - 1}
    for number, _ in enumerate(results(Wait(0, 100_000), 2, items)):
        if number in wanted:
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            print(f"driver after {number + 1:,} results of 100 kB: {peak:.0f} MB at most")


def real(claims: int) -> None:
    """Claims per second, plain and on two workers."""
    dev = reference_data()
    with tempfile.TemporaryDirectory() as scratch:
        for name, ray in (("plain", None), ("two workers", 2)):
            out = Path(scratch) / name
            stamps: list[float] = []
            tell = lambda *_, stamps=stamps: stamps.append(time.perf_counter())  # noqa: E731
            uhhrag.index(
                dev,
                out / "index",
                claims=dev / "dev60.json",
                store=dev / "knowledge_store",
                limit=claims,
                ray=ray,
                progress=tell,
            )
            print(f"index, {name}: {rate(stamps):.3f} claims a second", flush=True)
            stamps.clear()
            uhhrag.predict(
                out / "index", out / "run", llm="smollm2-135m", cache=False, ray=ray, progress=tell
            )
            print(f"predict, {name}: {rate(stamps):.3f} claims a second", flush=True)


def rate(stamps: list[float]) -> float:
    """Claims a second, from the fifth to the last but fourth: as workers start and end."""
    middle = stamps[4:-4]
    return (len(middle) - 1) / (middle[-1] - middle[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--wait", type=float, default=0.5)
    parser.add_argument("--items", type=int, default=10_000, help="for the driver's memory")
    parser.add_argument("--real", type=int, default=0, metavar="CLAIMS")
    given = parser.parse_args()
    print(f"{machine()}, {commit()}")
    if given.real:
        real(given.real)
        return
    memory(given.items)  # first: it is a peak, and large results come after
    faults = [*overhead(), *efficiency(given.wait)]
    sys.exit("; ".join(faults) or None)


if __name__ == "__main__":
    main()
