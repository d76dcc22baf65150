"""Two real processes on one index or one run: the second stops with one line, nothing is mixed.

The first is held at a gate in the middle of its work until the second has ended.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.doubles import bytes_of
from tests.support.paths import ROOT, SAMPLE
from tests.support.small_run import results
from tests.support.standins import Commands

pytestmark = pytest.mark.slow

CALLS_OF_FIRST_CLAIM = {"index": 2, "predict": 5}
"""How often the models are asked until a claim is done, the first text of an embedder included."""


class Process:
    """A command with stand-ins for the models, held after its first claim."""

    def __init__(self, gate: Path, *words: object) -> None:
        calls = CALLS_OF_FIRST_CLAIM[str(words[0])]
        self.gate = gate
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.support.standins", "0", *map(str, words)],
            cwd=ROOT,
            env={**os.environ, "UHHRAG_GATE": f"{calls} {gate}"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def wait_for(self, file: Path) -> None:
        """Until a file is there that is not empty."""
        while not (file.exists() and (file.is_dir() or file.stat().st_size)):
            assert self.process.poll() is None, self.process.communicate()[1]
            time.sleep(0.02)

    def let_go(self) -> tuple[int, str]:
        """Its exit code and errors."""
        self.gate.touch()
        errors = self.process.communicate(timeout=120)[1]
        return self.process.returncode, errors


@pytest.fixture
def start(tmp_path) -> Iterator[object]:
    begun: list[Process] = []

    def process(*words: object) -> Process:
        begun.append(Process(tmp_path / f"gate{len(begun)}", *words))
        return begun[-1]

    yield process
    for one in begun:
        one.process.kill()


@pytest.fixture
def uhhrag(made, tmp_path):
    shutil.copytree(made.index, tmp_path / "index", ignore=shutil.ignore_patterns("replies*"))
    return Commands(tmp_path, made.folder / "models")


def without_replies(folder: Path) -> dict[str, bytes]:
    return {n: c for n, c in bytes_of(folder).items() if not n.startswith("replies")}


def reading(uhhrag: Commands, start) -> Process:
    """A run that has decided its first claim."""
    process = start("predict", *uhhrag.to_predict, "--no-cache")
    process.wait_for(uhhrag.run / "timings.jsonl")
    return process


def test_a_second_index_on_the_same_folder_stops_with_one_line(uhhrag, made, start, capsys):
    shutil.rmtree(uhhrag.index)
    first = start("index", SAMPLE, *uhhrag.to_index)
    first.wait_for(uhhrag.index / "claims" / "0")
    capsys.readouterr()
    for more in ((), ("--overwrite",), ("--repair",)):
        assert uhhrag.build(*more) == 4
        assert capsys.readouterr().err == (
            f"uhhrag: {uhhrag.index}: another uhhrag is at work on it; wait until it ends, or "
            "choose another --out\n"
        )
    assert uhhrag.verify(uhhrag.index) == 4
    assert "verify it when that has ended" in capsys.readouterr().err
    assert first.let_go()[0] == 0
    assert bytes_of(uhhrag.index) == without_replies(made.index)


def test_a_second_predict_on_the_same_run_stops_with_one_line(uhhrag, made, start, capsys):
    first = reading(uhhrag, start)
    capsys.readouterr()
    for more in ((), ("--overwrite",), ("--repair",)):
        assert uhhrag.predict(*more) == 7
        assert capsys.readouterr().err == (
            f"uhhrag: another process is working in {uhhrag.run}; "
            "wait for it or give another --out\n"
        )
    assert first.let_go()[0] == 0
    assert results(uhhrag.run) == results(made.run)


@pytest.mark.heavy
def test_two_runs_on_one_index_share_its_replies_and_do_not_mix(uhhrag, made, start):
    words = [word for word in uhhrag.to_predict if word != uhhrag.run]
    words.remove("--out")
    pair = [start("predict", *words, "--out", uhhrag.folder / name) for name in "ab"]
    for process, name in zip(pair, "ab", strict=True):
        process.wait_for(uhhrag.folder / name / "timings.jsonl")
    assert [process.let_go()[0] for process in pair] == [0, 0]
    assert results(uhhrag.folder / "a") == results(uhhrag.folder / "b") == results(made.run)


def test_an_index_that_is_built_again_under_predict_changes_no_verdict(uhhrag, made, start):
    first = reading(uhhrag, start)
    assert uhhrag.build("--overwrite") == 0
    assert first.let_go()[0] == 0
    assert results(uhhrag.run) == results(made.run)


@pytest.mark.heavy
def test_an_index_replaced_by_one_of_other_settings_under_predict_is_refused_not_mixed(
    uhhrag, made, start
):
    first = reading(uhhrag, start)
    assert uhhrag.build("--overwrite", "--pool", 5) == 0
    assert first.let_go()[0] == 8
    decided = [line for line in results(uhhrag.run)[0].splitlines() if b'"error"' not in line]
    # The second claim's files had been read, and checked, before the index was replaced.
    assert decided == results(made.run)[0].splitlines()[:2]
    assert uhhrag.predict() == 7
