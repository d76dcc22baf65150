"""Two real processes on one index or one run: the second stops with one line, nothing is mixed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.doubles import bytes_of, load_words
from tests.small_run import results
from tests.standins import make_models

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data"
CLAIMS = 3
NONE, SLOW = 0.0, 0.03
"""Seconds a text or prompt takes."""


class Process:
    def __init__(self, seconds: float, *words: object) -> None:
        command = [sys.executable, "-m", "tests.standins", str(seconds), *map(str, words)]
        self.process = subprocess.Popen(
            command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def said(self, text: str) -> None:
        """Wait until it has printed a line that begins so."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith(text):
                return
        raise AssertionError(f"{text} was not said: {self.process.communicate()[1]}")

    def ended(self) -> tuple[int, str]:
        errors = self.process.communicate(timeout=120)[1]
        return self.process.returncode, errors


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """An index and a run that nobody disturbed, and the models' files."""
    load_words()
    folder = tmp_path_factory.mktemp("made")
    make_models(folder)
    assert Process(NONE, *index(folder, folder / "index")).ended()[0] == 0
    assert Process(NONE, *predict(folder, folder / "index", folder / "run")).ended()[0] == 0
    return folder


def index(models: Path, out: Path, *more: object) -> list[object]:
    options = ["--limit", CLAIMS, "--embedder", models / "stand-in", "--out", out]
    return ["index", SAMPLE, *options, *more]


def predict(models: Path, at: Path, out: Path, *more: object) -> list[object]:
    named = ["--embedder", models / "stand-in", "--llm", models / "stand-in.gguf"]
    return ["predict", "--index", at, "--out", out, *named, *more]


def without_replies(folder: Path) -> dict[str, bytes]:
    return {n: c for n, c in bytes_of(folder).items() if not n.startswith("replies")}


def test_a_second_index_on_the_same_folder_stops_with_one_line(made, tmp_path):
    first = Process(SLOW, *index(made, tmp_path / "index"))
    second = Process(NONE, *index(made, tmp_path / "index"))
    first.said("ready")
    while not list((tmp_path / "index").glob("claims/[0-9]")):
        assert first.process.poll() is None
    late = Process(NONE, *index(made, tmp_path / "index", "--overwrite"))
    ends = [first.ended(), second.ended(), late.ended()]
    stopped = (
        f"uhhrag: {tmp_path / 'index'}: another uhhrag is at work on it; wait until it ends, or "
        "choose another --out\n"
    )
    assert sorted(code for code, _ in ends) in ([0, 0, 4], [0, 4, 4])
    assert all(said == stopped for code, said in ends if code)
    assert bytes_of(tmp_path / "index") == without_replies(made / "index")


def test_a_second_predict_on_the_same_run_stops_with_one_line(made, tmp_path):
    words = predict(made, made / "index", tmp_path / "run", "--no-cache")
    first = Process(SLOW, *words)
    first.said("0. ")
    second = Process(NONE, *words, "--overwrite")
    assert second.ended() == (
        7,
        f"uhhrag: another process is working in {tmp_path / 'run'}; "
        "wait for it or give another --out\n",
    )
    assert first.ended()[0] == 0
    assert results(tmp_path / "run") == results(made / "run")


def test_two_runs_on_one_index_keep_replies_in_one_file_and_do_not_mix(made, tmp_path):
    at = tmp_path / "index"
    assert Process(NONE, *index(made, at)).ended()[0] == 0
    pair = [Process(0.003, *predict(made, at, tmp_path / name)) for name in ("a", "b")]
    assert [process.ended()[0] for process in pair] == [0, 0]
    for name in ("a", "b"):
        assert results(tmp_path / name) == results(made / "run")


def test_an_index_that_is_built_again_under_predict_changes_no_verdict(made, tmp_path):
    at, run = tmp_path / "index", tmp_path / "run"
    assert Process(NONE, *index(made, at)).ended()[0] == 0
    reading = Process(SLOW, *predict(made, at, run, "--no-cache"))
    reading.said("0. ")
    writing = Process(NONE, *index(made, at, "--overwrite"))
    assert writing.ended()[0] == 0
    assert reading.ended()[0] in (0, 8)
    assert Process(NONE, *predict(made, at, run, "--no-cache")).ended()[0] == 0
    assert results(run) == results(made / "run")


def test_an_index_replaced_by_one_of_other_settings_under_predict_is_refused_not_mixed(
    made, tmp_path
):
    at, run = tmp_path / "index", tmp_path / "run"
    assert Process(NONE, *index(made, at)).ended()[0] == 0
    reading = Process(SLOW, *predict(made, at, run, "--no-cache"))
    reading.said("0. ")
    writing = Process(NONE, *index(made, at, "--overwrite", "--pool", 5))
    assert writing.ended()[0] == 0
    assert reading.ended()[0] in (0, 8)
    known = results(made / "run")[0].splitlines()
    decided = [line for line in results(run)[0].splitlines() if b'"error"' not in line]
    assert decided
    assert set(decided) <= set(known)
