"""Kill `index` and `predict` again and again, run each anew, and hold what comes out to a run that
nobody disturbed: `scripts/torture`, whose table stands in docs/reliability.md.

Real processes, real SIGKILL. With stand-ins for the models a process is a fork of this one, so
that no kill is spent on imports; with real models it is the command itself.
"""

from __future__ import annotations

import argparse
import itertools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support.doubles import bytes_of
from tests.support.paths import ROOT
from tests.support.standins import import_all, make_models, put_in_place

SAMPLE = ROOT / "data"
TOUCHES = ("open", "os.rename", "os.remove", "os.mkdir", "os.rmdir")
Start = Callable[[Sequence[object], Path], int]
"""Begins `uhhrag WORDS` as a process that counts in a file what it asks; gives its id."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One kill and the run after it. `done` is the share of the claims that were finished at
    the kill, `repeated` how many claims were worked on twice, None where that is not counted."""

    done: float
    identical: bool
    repeated: float | None


@dataclass(frozen=True, slots=True)
class Task:
    """A command, the folder it writes (named by `--out`), what is asked of a model for a claim
    and how often, and what of the folder must not depend on kills."""

    name: str
    words: tuple[object, ...]
    claims: int
    asks: str
    calls: int

    def results(self, out: Path) -> dict[str, bytes]:
        """Every file but the kept replies, seconds and locks."""
        left_out = ("replies.sqlite", "timings.jsonl", ".lock")
        return {n: c for n, c in bytes_of(out).items() if not Path(n).name.startswith(left_out)}

    def done(self, out: Path) -> int:
        """Claims that are finished."""
        if self.name == "index":
            return len(list((out / "claims").glob("[0-9]*")))
        trace = out / "trace.jsonl"
        return trace.read_bytes().count(b"\n") if trace.exists() else 0


# Processes


def forked(seconds: float) -> Start:
    """Processes with stand-ins for the models, which take `seconds` a text or prompt."""

    def start(words: Sequence[object], asked: Path, before: Callable[[], None] = int) -> int:
        child = os.fork()
        if child:
            return child
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        put_in_place(seconds, asked)
        sys.argv = ["uhhrag", *map(str, words)]
        before()
        code = 1
        try:
            from uhhrag.cli import main

            main()
        except SystemExit as ended:
            code = int(ended.code or 0)
        finally:
            os._exit(code)

    return start


def real(words: Sequence[object], asked: Path) -> int:
    """The command itself, once it has loaded its models and begins its folder (or has ended): most
    of its time before that goes into imports, where there is nothing to lose."""
    command = [sys.executable, "-m", "uhhrag", *map(str, words)]
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet).pid
    out = Path(str(words[words.index("--out") + 1]))
    while not (out.exists() or os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT)):
        time.sleep(0.01)
    return child


def end_of(child: int) -> int:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# Kills


def undisturbed(task: Task, start: Start, folder: Path) -> tuple[dict[str, bytes], float]:
    """What a run that nobody disturbs leaves, and its seconds."""
    child = start([*task.words, "--out", folder / "out"], folder / "asked")
    begun = time.monotonic()
    if code := end_of(child):
        raise SystemExit(f"torture: the undisturbed {task.name} ended with {code}")
    return task.results(folder / "out"), time.monotonic() - begun


def at_random(
    task: Task, start: Start, folder: Path, kills: int, seed: int, counts: bool = True
) -> Iterator[Trial]:
    """Kill at moments spread over the whole time of an undisturbed run: one in each of as many
    equal parts of it, at random. Where the process had ended already, again and a little sooner."""
    (folder / "whole").mkdir(parents=True)
    expected, seconds = undisturbed(task, start, folder / "whole")
    chance = random.Random(seed)  # noqa: S311
    number = missed = 0
    while number < kills:
        here = folder / f"{number}.{missed}"
        here.mkdir()
        words = [*task.words, "--out", here / "out"]
        child = start(words, here / "asked")
        time.sleep(seconds * 0.95**missed * (number + chance.random()) / kills)
        os.kill(child, signal.SIGKILL)
        if end_of(child) != -signal.SIGKILL:
            missed += 1
            continue
        yield _after(task, start, here, expected, counts)
        number += 1


def at_every_touch(task: Task, folder: Path, step: int = 1) -> Iterator[Trial]:
    """Kill as the process touches a file below its folder (opens, renames, removes) for the
    first time, in the next trial for the second time (the step-th), and so on to its end."""
    (folder / "whole").mkdir(parents=True)
    start: Any = forked(0)
    expected, _ = undisturbed(task, start, folder / "whole")
    for moment in itertools.count(0, step):
        here = folder / str(moment)
        here.mkdir()
        words = [*task.words, "--out", here / "out"]
        child = start(words, here / "asked", lambda n=moment, out=here / "out": _die_at(n, out))
        if end_of(child) != -signal.SIGKILL:
            return
        yield _after(task, start, here, expected, True)


def _die_at(moment: int, folder: Path) -> None:
    touched = itertools.count()

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        touches = event in TOUCHES and str(folder) in str(arguments[0])
        if touches and next(touched) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _after(task: Task, start: Start, here: Path, expected: dict[str, bytes], counts: bool) -> Trial:
    done = task.done(here / "out") / task.claims
    code = end_of(start([*task.words, "--out", here / "out"], here / "asked"))
    identical = code == 0 and task.results(here / "out") == expected
    repeated = (_calls(here, task.asks) / task.calls - task.claims) if counts else None
    if identical:
        shutil.rmtree(here)
    return Trial(done, identical, repeated)


def _calls(here: Path, asks: str) -> int:
    """How often a model was asked for a claim: not the one text that tells the dimension."""
    asked = here / "asked"
    lines = asked.read_text().splitlines() if asked.exists() else []
    return sum(line.startswith(asks) and not line.endswith(" 1") for line in lines)


# The table


def tasks(folder: Path, claims: int) -> tuple[Task, Task]:
    """`index` of the sample and `predict` on its index, with stand-ins."""
    embedder, llm = make_models(folder / "models")
    limit = ("--limit", claims, "--embedder", embedder)
    index = Task("index", ("index", SAMPLE, *limit), claims, "embedded", 1)
    made = folder / "index"
    if end_of(forked(0)([*index.words, "--out", made], folder / "asked")):
        raise SystemExit("torture: the sample cannot be indexed")
    words = ("predict", "--index", made, *limit, "--llm", llm)
    return index, Task("predict", (*words, "--no-cache"), claims, "prompted", 2)


def real_tasks(folder: Path, claims: int) -> tuple[Task, Task]:
    """The tasks with MiniLM and SmolLM2; `predict` decides `claims`, `index` four times as many."""
    many = 4 * claims
    index = Task("index", ("index", SAMPLE, "--limit", many), many, "embedded", 1)
    made = folder / "index"
    if end_of(real([*index.words, "--out", made], folder)):
        raise SystemExit("torture: run `uhhrag models pull tests` first")
    words = ("predict", "--index", made, "--limit", claims, "--llm", "smollm2-135m", "--no-cache")
    return index, Task("predict", words, claims, "prompted", 2)


def row(name: str, how: str, trials: Sequence[Trial]) -> str:
    done = sorted(trial.done for trial in trials)
    spread = f"{done[0]:.0%} to {done[-1]:.0%}, median {done[len(done) // 2]:.0%}" if done else "–"
    same = sum(trial.identical for trial in trials)
    counted = [trial.repeated for trial in trials if trial.repeated is not None]
    repeated = f"{max(counted):g}" if counted else "not counted"
    return f"| {name} | {how} | {len(trials)} | {spread} | {same} of {len(trials)} | {repeated} |"


HEAD = (
    "| command | killed | kills | claims done at the kill | identical after a re-run | "
    "claims worked on twice, at most |\n|---|---|---|---|---|---|"
)


def main() -> None:
    options = argparse.ArgumentParser(prog="scripts/torture", description=__doc__)
    options.add_argument("--kills", type=int, default=50, help="of each command, at random moments")
    options.add_argument("--only", help="one command: index or predict")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--real", type=int, default=0, metavar="KILLS", help="with real models")
    given = options.parse_args()
    import_all()
    failed = 0
    sys.stdout.write(HEAD + "\n")
    with tempfile.TemporaryDirectory(prefix="torture") as scratch:
        folder = Path(scratch)
        for name, how, trials in _rows(folder, given.kills, given.real, given.seed):
            if given.only not in (None, name):
                continue
            found = list(trials)
            failed += sum(not t.identical or (t.repeated or 0) > 1 for t in found)
            sys.stdout.write(row(name, how, found) + "\n")
            sys.stdout.flush()
    sys.exit(f"torture: {failed} kills did harm" if failed else 0)


def _rows(
    folder: Path, kills: int, real_kills: int, seed: int
) -> Iterator[tuple[str, str, Iterator[Trial]]]:
    for task in tasks(folder, 12) if kills else ():
        trials = at_random(task, forked(0.002), folder / task.name, kills, seed)
        yield task.name, "at random", trials
    for task in tasks(folder / "small", 2) if kills else ():
        trials = at_every_touch(task, folder / "touch" / task.name)
        yield task.name, "at every touch of its files", trials
    for task in real_tasks(folder, 3) if real_kills else ():
        trials = at_random(task, real, folder / "real" / task.name, real_kills, seed, False)
        yield task.name, "at random, real models", trials


if __name__ == "__main__":
    main()
