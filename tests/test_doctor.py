"""What the doctor says of a machine, with the machine's facts given."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from uhhrag import doctor
from uhhrag.cli import app
from uhhrag.doctor import Found, Machine
from uhhrag.models import MODELS
from uhhrag.models.local import State

LAPTOP = Machine("Linux x86_64", 8, 16 * 10**9, 9 * 10**9, 50 * 10**9, ("AVX2",), "none found")
NEEDS = {"profile default": ("minilm", "qwen2.5-coder-1.5b", "nltk-data")}


def found(**states: State) -> list[Found]:
    return [Found(m, states.get(m.name.replace("-", "_"), State.MISSING)) for m in MODELS.values()]


@pytest.mark.parametrize(
    ("memory", "name"),
    [
        (4 * 10**9, "qwen2.5-coder-1.5b"),
        (16 * 10**9, "qwen3-14b"),
        (64 * 10**9, "mixtral-8x7b"),
        (10**9, "qwen2.5-coder-1.5b"),
        (None, "qwen2.5-coder-1.5b"),
    ],
)
def test_the_largest_model_that_fits_is_recommended(memory, name):
    assert doctor.recommended(replace(LAPTOP, memory=memory)).name == name


def test_what_is_missing_comes_with_the_command_that_brings_it():
    told = "\n".join(doctor.as_text(LAPTOP, found(minilm=State.PRESENT), NEEDS))
    assert (
        "no; run:\n                        uhhrag models pull qwen2.5-coder-1.5b nltk-data" in told
    )
    assert "language model for this memory: qwen3-14b" in told


def test_a_damaged_model_is_missing_and_says_how_to_mend_it():
    states = found(minilm=State.DAMAGED)
    assert "minilm" in doctor.missing(states, NEEDS["profile default"])
    assert "uhhrag models pull --again minilm" in "\n".join(doctor.as_text(LAPTOP, states, NEEDS))


def test_every_line_fits_a_terminal():
    states = [Found(model, State.DAMAGED, "x" * 200) for model in MODELS.values()]
    assert max(map(len, doctor.as_text(LAPTOP, states, NEEDS))) <= 80


def test_facts_come_from_the_system_and_are_unknown_where_it_says_nothing(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal:  16000 kB\nMemAvailable:  8000 kB\n")
    (tmp_path / "cpuinfo").write_text("flags\t: sse avx2 avx512f\n")
    card = tmp_path / "driver/nvidia/gpus/0"
    card.mkdir(parents=True)
    (card / "information").write_text("Model: \t Some Card\n")
    machine = doctor.look(tmp_path)
    assert (machine.memory, machine.free) == (16000 * 1024, 8000 * 1024)
    assert machine.sets == ("AVX2", "AVX-512")
    assert "Some Card" in machine.gpu
    assert doctor.look(Path(tmp_path / "nothing")).sets == ()


def test_a_model_whose_bytes_changed_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    model = MODELS["reranker"]
    folder = tmp_path / "models" / "reranker"
    folder.mkdir(parents=True)
    for file in model.files:
        (folder / file.path).write_bytes(b"\0" * (file.size or 0))
    by_name = {each.model.name: each for each in doctor.models_here()}
    assert by_name["reranker"].state is State.DAMAGED
    assert by_name["minilm"].state is State.MISSING
    sizes_only = {each.model.name: each for each in doctor.models_here(verify=False)}
    assert sizes_only["reranker"].state is State.PRESENT


def test_the_command_prints_one_object_for_scripts(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["missing"]["profile tests"] == ["minilm", "smollm2-135m", "nltk-data"]
    assert told["machine"]["cores"] >= 1
