"""The same input, models and seed give the same bytes, whatever the hash seed and the threads."""

from __future__ import annotations

import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.doubles import bytes_of, fake_embed
from tests.support.model_files import require_models
from tests.support.paths import ROOT, SAMPLE
from tests.support.small_run import results
from uhhrag.approaches import APPROACHES
from uhhrag.backends import reply_cache
from uhhrag.evidence.steps import constant_question
from uhhrag.indexing.choices import Precision
from uhhrag.pipeline import decide
from uhhrag.rules.rules import RULES
from uhhrag.runs.run_folder import read_header
from uhhrag.wiring import embedders, llms, run_header
from uhhrag.wiring.machine import Machine


def ran(hash_seed: int, threads: int, *words: object) -> None:
    """A command in a process with this seed of Python's hashes and so many threads."""
    given = {"PYTHONHASHSEED": str(hash_seed), "OMP_NUM_THREADS": str(threads)}
    subprocess.run(
        [sys.executable, "-m", "uhhrag", *map(str, words)],
        cwd=ROOT,
        env={**os.environ, **given},
        capture_output=True,
        check=True,
    )


def bytes_with(folder: Path, llm: str, seed: int, threads: int) -> tuple[object, ...]:
    """An index of two claims and a run on it."""
    index, run = folder / f"index-{seed}-{threads}", folder / f"run-{seed}-{threads}"
    claims = ("--claim", 3, "--claim", 5)
    model = ("--llm", llm, "--threads", threads, "--no-cache")
    ran(seed, threads, "index", SAMPLE, "--out", index, *claims)
    built = bytes_of(index)
    ran(seed, threads, "predict", "--index", index, "--out", run, "--top-n", 10, *model, *claims)
    return built, results(run), (run / "run.json").read_bytes()


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.timeout(1800)  # two threads on a machine that does other things wait for each other
@pytest.mark.parametrize("llm", ["smollm2-135m", "qwen2.5-coder-1.5b"])
def test_real_models_give_the_same_bytes_with_any_hash_seed_and_number_of_threads(tmp_path, llm):
    require_models("minilm", llm)
    expected = bytes_with(tmp_path, llm, 0, 1)
    assert bytes_with(tmp_path, llm, 1, 2) == expected


def test_a_memory_does_not_serve_what_another_device_computed(tmp_path, monkeypatch):
    monkeypatch.setattr(llms, "_load", lambda *_: None)
    monkeypatch.setattr(reply_cache, "with_reply_cache", lambda llm, made_by, file: made_by)
    machines = (Machine(), Machine(gpu_layers=9), Machine(gpu_layers=20, threads=3))
    monkeypatch.setattr(llms, "_verified", lambda name: (Path(name), "f"))
    machines = (*machines, Machine(threads=1))
    *made, last = (llms.load_llm("m.gguf", one, tmp_path / "r")[0].ready for one in machines)
    assert len(set(made)) == 3
    assert last == made[0]
    kept = []
    monkeypatch.setattr(embedders.sentence_transformer, "load", lambda *_: fake_embed)
    monkeypatch.setattr(embedders.models, "verify", lambda _: {})
    monkeypatch.setattr(
        embedders.vector_cache, "cached", lambda embed, by, file: kept.append(by) or embed
    )
    for device in ("cpu", "cuda"):
        embedders.load_embedder(str(tmp_path), device, tmp_path / "v", Precision.FP32)
    assert len(set(kept)) == 2


def test_a_signature_covers_all_code_that_decides_once_and_whatever_its_line_ends(tmp_path):
    for file, content in {
        "voters/own.py": b"CAST = 3\n",
        "evidence/steps.py": b"ASK = 1\r\nFIND = 2\r\n",
        "evidence/notes.txt": b"nothing",
        "archive/search.py": b"RANK = 0\n",
        "views/shown.py": b"SHOW = 0\n",
        "voters/of/mine.py": b"HOLD = 4\n",
    }.items():
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_bytes(content)
    assert run_header._deciding(tmp_path) == "RANK = 0\nASK = 1\nFIND = 2\nHOLD = 4\nCAST = 3\n"
    ours = run_header._deciding(Path(run_header.__file__).parents[1])
    parts = (constant_question, decide, APPROACHES["pursuit"].run, RULES["all"].decide)
    assert [ours.count(inspect.getsource(part)) for part in parts] == [1, 1, 1, 1]


def test_a_run_says_on_what_its_arithmetic_was_done(made):
    header = read_header(made.run)
    assert "llama-cpp-python " in header["signature"]
    for package in ("torch", "transformers", "onnxruntime"):
        assert f"{package} " in header["signature"]
    assert header["processor"]
    assert Machine().accelerators == {}
    assert Machine(gpu_layers=9, device="cuda").accelerators == {
        "llm-on": "gpu (9 layers)",
        "embedder-on": "cuda",
    }
