"""What the doctor says of a machine, with the machine's facts given."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from uhhrag import doctor
from uhhrag.backends import kernels
from uhhrag.cli import app
from uhhrag.doctor import MachineFacts, ModelCheck
from uhhrag.models import MODELS
from uhhrag.models.local import ModelState
from uhhrag.system.hardware import KernelChoice

LAPTOP = MachineFacts("Linux x86_64", 8, 16 * 10**9, 9 * 10**9, 50 * 10**9, ("AVX2",), "none found")
NUMBERS = KernelChoice("bf16-amx", {"fp32": 0.03, "bf16": 0.05, "bf16-amx": 0.01})
NEEDS = {"profile default": ("minilm", "mpnet", "qwen2.5-coder-1.5b", "nltk-data")}


def found(**states: ModelState) -> list[ModelCheck]:
    return [
        ModelCheck(m, states.get(m.name.replace("-", "_"), ModelState.MISSING))
        for m in MODELS.values()
    ]


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
    assert doctor.recommended(replace(LAPTOP, memory_bytes=memory)).name == name


def test_what_is_missing_comes_with_the_command_that_brings_it():
    told = "\n".join(doctor.as_text(LAPTOP, found(minilm=ModelState.PRESENT), NEEDS, NUMBERS))
    assert (
        "no; run:\n                        uhhrag models pull mpnet qwen2.5-coder-1.5b nltk-data"
        in told
    )
    assert "language model for this memory: qwen3-14b" in told


def test_a_damaged_model_is_missing_and_says_how_to_mend_it():
    states = found(minilm=ModelState.DAMAGED)
    assert "minilm" in doctor.missing(states, NEEDS["profile default"])


def test_what_is_wrong_with_models_is_said_once_and_never_sent_to_a_pull_that_does_not_help():
    fault = "a.bin is missing; run: uhhrag models pull minilm --again"
    states = found(mpnet=ModelState.PRESENT, nltk_data=ModelState.PRESENT)
    states[0] = ModelCheck(MODELS["minilm"], ModelState.DAMAGED, fault)
    lines = doctor.as_text(LAPTOP, states, {**NEEDS, "few": ("minilm", "mpnet")}, NUMBERS)
    assert f"  minilm: {fault}" in lines
    assert "  few                   no, as said above" in lines
    assert "                        uhhrag models pull qwen2.5-coder-1.5b" in lines
    lost = [ModelCheck(model, ModelState.LOST, "the disk is away") for model in MODELS.values()]
    lines = doctor.as_text(LAPTOP, lost, NEEDS, NUMBERS)
    assert "  minilm, gte-base-en-v1.5, gte-base, …: the disk is away" in lines
    assert "pull" not in "".join(lines)


def test_the_folders_are_named_with_the_room_of_their_disks(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    (tmp_path / "models").symlink_to("/nonexistent/m")
    machine = replace(LAPTOP, places=doctor.look(tmp_path, tmp_path).places)
    assert list(machine.places) == ["models", "cache", "collections"]
    assert doctor.look(tmp_path, tmp_path).disk_free_bytes is None
    lines = doctor.as_text(machine, found(), NEEDS, NUMBERS)
    told = " ".join(" ".join(lines).split())
    assert f"models {tmp_path}/models: is a link to /nonexistent/m, which is not there;" in told
    assert re.search(
        rf"cache {tmp_path}/cache \([\d.]+ [MG]B free\) collections {tmp_path}/c", told
    )
    told = doctor.as_json(machine, found(), NEEDS, NUMBERS)["machine"]
    assert told["places"] == machine.places


def test_every_line_fits_a_terminal():
    states = [ModelCheck(model, ModelState.DAMAGED, "x " * 100) for model in MODELS.values()]
    assert max(map(len, doctor.as_text(LAPTOP, states, NEEDS, NUMBERS))) <= 80


def test_facts_come_from_the_system_and_are_unknown_where_it_says_nothing(tmp_path):
    (tmp_path / "meminfo").write_text("MemTotal:  16000 kB\nMemAvailable:  8000 kB\n")
    (tmp_path / "cpuinfo").write_text("flags\t: sse avx2 avx512f\n")
    card = tmp_path / "driver/nvidia/gpus/0"
    card.mkdir(parents=True)
    (card / "information").write_text("Model: \t Some Card\n")
    machine = doctor.look(tmp_path, tmp_path)
    assert (machine.memory_bytes, machine.free_bytes) == (16000 * 1024, 8000 * 1024)
    assert machine.instruction_sets == ("AVX2", "AVX-512")
    assert "Some Card" in machine.gpu
    assert doctor.look(Path(tmp_path / "nothing")).instruction_sets == ()


def test_a_model_whose_bytes_changed_is_damaged(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    model = MODELS["reranker"]
    folder = tmp_path / "models" / "reranker"
    folder.mkdir(parents=True)
    for file in model.files:
        (folder / file.path).write_bytes(b"\0" * (file.size or 0))
    by_name = {each.model.name: each for each in doctor.models_here()}
    assert by_name["reranker"].state is ModelState.DAMAGED
    assert by_name["minilm"].state is ModelState.MISSING
    sizes_only = {each.model.name: each for each in doctor.models_here(verify=False)}
    assert sizes_only["reranker"].state is ModelState.PRESENT


def test_what_was_not_read_is_not_called_right():
    present = ModelCheck(MODELS["minilm"], ModelState.PRESENT, verified=False)
    told = "\n".join(doctor.as_text(LAPTOP, [present], NEEDS, NUMBERS))
    assert "hashes were not checked" in told
    assert "hashes are right" not in told


def test_each_recipe_names_every_model_it_runs_with():
    needs = doctor.needed()
    assert needs["recipe uhh"] == ("gte-base-en-v1.5", "mixtral-8x7b", "nltk-data")
    assert needs["recipe fzi-wim"] == ("minilm", "qwen2.5-coder-1.5b", "reranker", "nltk-data")
    assert needs["recipe papelo"] == ("minilm", "qwen2.5-coder-1.5b", "nltk-data")
    assert {"recipe chen", "profile default"} <= needs.keys()


def test_a_model_that_does_not_fit_is_said_with_one_that_does():
    needs = {"recipe uhh": ("mixtral-8x7b",)}
    told = "\n".join(doctor.as_text(LAPTOP, found(), needs, NUMBERS))
    assert "mixtral-8x7b: needs 30.9 GB of memory;" in told
    assert "give --llm qwen3-14b instead" in told
    roomy = replace(LAPTOP, memory_bytes=64 * 10**9)
    assert "instead" not in "\n".join(doctor.as_text(roomy, found(), needs, NUMBERS))


def test_a_machine_too_small_for_any_model_is_told_so():
    told = "\n".join(
        doctor.as_text(replace(LAPTOP, memory_bytes=2 * 10**9), found(), NEEDS, NUMBERS)
    )
    assert "it needs 3.6 GB of memory" in told
    assert "instead" not in told


def test_a_command_is_never_broken_inside_a_name():
    """A shell would read the halves as two names."""
    told = doctor.as_text(LAPTOP, found(), {"all": tuple(MODELS)}, NUMBERS)
    words = " ".join(line.removesuffix("\\") for line in told).split()
    at = words.index("pull")
    assert words[at + 1 : at + 1 + len(MODELS)] == list(MODELS)


@pytest.mark.parametrize(
    ("limit", "memory", "free"),
    [
        ("8000000", 8_000_000, 5_000_000),
        ("max", 16_384_000, 8_192_000),
        ("9" * 18, 16_384_000, 8_192_000),
    ],
)
def test_the_memory_of_a_container_counts_where_it_is_less(tmp_path, limit, memory, free):
    (tmp_path / "meminfo").write_text("MemTotal:  16000 kB\nMemAvailable:  8000 kB\n")
    (tmp_path / "memory.max").write_text(limit)
    (tmp_path / "memory.current").write_text("3000000")
    machine = doctor.look(tmp_path, tmp_path)
    assert (machine.memory_bytes, machine.free_bytes) == (memory, free)


@pytest.fixture
def probed(monkeypatch) -> None:
    """No kernel is tried, which takes a process that loads torch."""
    monkeypatch.setattr(kernels, "probed", lambda kernel: 1.0)


@pytest.mark.usefixtures("probed")
@pytest.mark.parametrize("home", ["~nobody-of-this-name/x", "no/such/folder", __file__])
def test_a_home_that_cannot_be_is_no_reason_to_fail(home, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)  # where what the doctor remembers is written
    monkeypatch.setenv("UHHRAG_HOME", home)
    result = CliRunner().invoke(app, ["doctor"])
    assert (result.exit_code, result.exception) == (0, None)
    assert "uhhrag models pull minilm qwen2.5-coder-1.5b nltk-data" in result.stdout


@pytest.mark.usefixtures("probed")
def test_the_command_prints_one_object_for_scripts(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    result = CliRunner().invoke(app, ["doctor", "--json"])
    assert result.exit_code == 0
    told = json.loads(result.stdout)
    assert told["missing"]["profile tests"] == ["minilm", "mpnet", "smollm2-135m", "nltk-data"]
    assert told["machine"]["cores"] >= 1


def test_the_numbers_that_embed_fastest_are_named_with_their_gain():
    lines = doctor.as_text(LAPTOP, found(), NEEDS, NUMBERS)
    assert "embedder   fastest in bf16-amx (speed 3.0 times fp32, 5.0 times bf16)" in lines
    lines = doctor.as_text(LAPTOP, found(), NEEDS, KernelChoice("fp32", {}))
    assert "embedder   fastest in fp32" in lines
    told = doctor.as_json(LAPTOP, found(), NEEDS, NUMBERS)
    assert told["embedder"] == {"fastest": "bf16-amx", "seconds": NUMBERS.seconds}


def test_tesseract_is_named_with_its_languages_or_as_missing():
    there = replace(LAPTOP, tesseract="5.3.0 (eng, osd)")
    lines = doctor.as_text(there, found(), NEEDS, NUMBERS)
    assert "Tesseract  5.3.0 (eng, osd)" in lines
    missing = doctor.as_text(LAPTOP, found(), NEEDS, NUMBERS)
    assert "Tesseract  not here; scans are not read without it" in missing
    for machine, said in ((there, "5.3.0 (eng, osd)"), (LAPTOP, None)):
        assert doctor.as_json(machine, found(), NEEDS, NUMBERS)["machine"]["tesseract"] == said
