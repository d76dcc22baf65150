"""The same input, models and seed give the same bytes, whatever the hash seed and the threads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.doubles import bytes_of
from tests.small_run import results
from tests.standins import make_models
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.run import read_header
from uhhrag.wiring import Machine, accelerators

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "data"


def ran(program: tuple[object, ...], hash_seed: int, threads: int, *words: object) -> None:
    """A command in a process with this seed of Python's hashes and so many threads."""
    given = {"PYTHONHASHSEED": str(hash_seed), "OMP_NUM_THREADS": str(threads)}
    subprocess.run(
        [sys.executable, *map(str, program), *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **given},
        capture_output=True,
        check=True,
    )


def made(folder: Path, program: tuple[object, ...], seed: int, threads: int, *named: object):
    """The bytes of an index of two claims and of a run on it."""
    embedder, llm = named
    index, run = folder / f"index-{seed}-{threads}", folder / f"run-{seed}-{threads}"
    limit = ("--limit", 2)
    ran(program, seed, threads, "index", SAMPLE, "--out", index, "--embedder", embedder, *limit)
    built = bytes_of(index)
    options = ("--index", index, "--out", run, "--llm", llm, "--threads", threads, "--top-n", 5)
    ran(program, seed, threads, "predict", *options, "--no-cache", *limit)
    return built, results(run), (run / "run.json").read_bytes()


def test_stand_ins_give_the_same_bytes_with_any_hash_seed(tmp_path):
    program = ("-m", "tests.standins", 0)
    one, other = (made(tmp_path, program, seed, 1, *make_models(tmp_path)) for seed in (1, 2))
    assert one == other


@pytest.mark.model
def test_real_models_give_the_same_bytes_with_any_hash_seed_and_number_of_threads(tmp_path):
    try:
        models.path("minilm"), models.path("smollm2-135m")
    except ModelError as error:
        pytest.skip(str(error))
    program, names = ("-m", "uhhrag"), ("minilm", "smollm2-135m")
    expected = made(tmp_path, program, 0, 1, *names)
    assert made(tmp_path, program, 1, 2, *names) == expected
    assert made(tmp_path, program, 2, 1, *names) == expected


def test_a_run_says_on_what_its_arithmetic_was_done(tmp_path):
    made(tmp_path, ("-m", "tests.standins", 0), 0, 1, *make_models(tmp_path))
    header = read_header(tmp_path / "run-0-1")
    assert "llama-cpp-python " in header["signature"]
    assert "torch " in header["signature"]
    assert header["processor"]
    assert accelerators(Machine()) == {}
    assert accelerators(Machine(gpu_layers=9, device="cuda")) == {
        "llm-on": "gpu (9 layers)",
        "embedder-on": "cuda",
    }
