"""What benchmarks share: their options, commands, sides in turn, medians and peak memory."""

import multiprocessing
import platform
import statistics
import subprocess
import sys
import threading
import time
from argparse import ArgumentParser
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from scripts.benchmarks.memory import memory
from uhhrag.records import Page
from uhhrag.store.knowledge_store import Skipped, pages

Side = Callable[[], Any]
ROOT = Path(__file__).resolve().parents[2]


def machine() -> str:
    """The processor, its cores, Python."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    name = next((line.split(": ")[1] for line in lines if line.startswith("model name")), "?")
    cores = sum(line.startswith("processor") for line in lines)
    return f"{cores} cores of {name}, Python {platform.python_version()}, NumPy {np.__version__}"


def commit() -> str:
    asked = ["git", "describe", "--always", "--dirty", "--exclude=*"]
    found = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    return found.stdout.strip() or "no commit"


def begin() -> None:
    print(f"{machine()}; commit {commit()}")


def with_goal(about: str | None) -> ArgumentParser:
    """The options of a benchmark that fails where a goal is missed."""
    parser = ArgumentParser(description=(about or "").split("\n")[0])
    parser.add_argument("--force", action="store_true", help="no error where the goal is missed")
    return parser


def split_words() -> tuple[list[str], list[str]]:
    """The words of the command before `--`, and those after it."""
    given = sys.argv[1:]
    at = given.index("--") if "--" in given else len(given)
    return given[:at], given[at + 1 :]


def uhhrag(*words: object) -> str:
    """A command's standard output; the benchmark ends where it fails."""
    command = [sys.executable, "-m", "uhhrag", *map(str, words)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return done.stdout


def in_turn(
    sides: Mapping[str, Side], rounds: int, clock: Callable[[], float] = time.process_time
) -> dict[str, list[float]]:
    """Seconds of each side, every one once a round, the order turned round each time: CPU seconds
    of all threads unless another clock is given, since others may use the machine too."""
    times: dict[str, list[float]] = {name: [] for name in sides}
    for turn in range(rounds):
        for name in list(sides)[:: 1 if turn % 2 == 0 else -1]:
            begun = clock()
            sides[name]()
            times[name].append(clock() - begun)
    return times


def show(times: Mapping[str, Sequence[float]], floor: str) -> None:
    """Medians, and how many times that of `floor` each is."""
    low = statistics.median(times[floor])
    for name, seconds in times.items():
        middle = statistics.median(seconds)
        spread = f"{min(seconds):.2f} to {max(seconds):.2f}"
        print(f"{name:<28} median {middle:7.2f} s ({spread}), {middle / low:6.2f} times {floor}")


def ratio(times: Mapping[str, Sequence[float]], slow: str, fast: str) -> float:
    return statistics.median(times[slow]) / statistics.median(times[fast])


def peak_alone(side: Side) -> float:
    """By how many MiB memory grows at most: in a process of its own, which begins as this one is,
    so that no memory that another side has freed is used again."""
    ours, theirs = multiprocessing.Pipe()
    work = multiprocessing.get_context("fork").Process(target=lambda: theirs.send(peak_of(side)[1]))
    work.start()
    grown: float = ours.recv()
    work.join()
    return grown


def peak_of(side: Side) -> tuple[Any, float]:
    """What a side gives, and by how many MiB the memory of this process grew at most."""
    pause, seen, over = 0.005, [memory("VmRSS")], threading.Event()

    def watch() -> None:
        while not over.wait(pause):
            seen.append(memory("VmRSS"))

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        given = side()
    finally:
        over.set()
        watcher.join()
    return given, (max(seen) - seen[0]) / 2**20


def made_store(out: Path, lines: int, claims: int, averitec: Path) -> Path:
    """A folder with claims.json and knowledge_store/, by python -m scripts.make_store."""
    options = ["--lines", str(lines), "--claims", str(claims)]
    command = [sys.executable, "-m", "scripts.make_store", str(out), *options]
    command += ["--from", str(averitec)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=ROOT)
    return out


def claim_of(folder: Path, position: int = 0) -> str:
    found: str = orjson.loads((folder / "claims.json").read_bytes())[position]["claim"]
    return found


def pages_of(store: Path, claim_id: int) -> list[Page]:
    return [page for page in pages(store, claim_id) if not isinstance(page, Skipped)]


def growth(sizes: Sequence[int], seconds: Sequence[float]) -> float:
    """The exponent of a straight line through the logarithms: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(seconds), 1)[0])
