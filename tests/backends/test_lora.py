"""A LoRA adapter on top of a small real model."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.llama_prompts import LETTERS, VOTES
from uhhrag import models
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.errors import ModelError, UsageError
from uhhrag.wiring import llms
from uhhrag.wiring.machine import Machine

pytestmark = pytest.mark.model
adapter = pytest.importorskip("tests.backends.adapter", reason="needs the package gguf")


@pytest.fixture(scope="module")
def lora(gguf, tmp_path_factory):
    return adapter.write_adapter(tmp_path_factory.mktemp("lora") / "adapter.gguf", gguf)


def letters(model, **options):
    return llamacpp.load(model, threads=1, **options)(VOTES, LETTERS)


def test_an_adapter_changes_what_the_model_says(gguf, lora):
    plain = letters(gguf)
    adapted = letters(gguf, lora=lora)
    # More than the shapes of batches can do
    assert max(abs(a.logprobs[0] - p.logprobs[0]) for a, p in zip(adapted, plain, strict=True)) > 1
    assert letters(gguf, lora=lora) == adapted


@pytest.mark.parametrize("content", [b"", b"no adapter", b"GGUF" + bytes(200)])
def test_a_file_that_is_no_adapter_is_named(gguf, tmp_path, content):
    file = tmp_path / "adapter.gguf"
    file.write_bytes(content)
    with pytest.raises(ModelError, match=r"adapter\.gguf cannot be used as a LoRA adapter of"):
        letters(gguf, lora=file)


def test_a_model_is_no_adapter(gguf):
    with pytest.raises(ModelError, match=r"expect general\.type to be 'adapter', but got: model"):
        letters(gguf, lora=gguf)


def test_an_adapter_of_another_model_is_named(gguf, tmp_path):
    other = adapter.write_adapter(tmp_path / "other.gguf", gguf, wider=64)
    with pytest.raises(ModelError, match=r"other\.gguf cannot be used .*wrong base model"):
        letters(gguf, lora=other)


def test_an_adapter_cut_short_is_named(gguf, lora, tmp_path):
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(lora.read_bytes()[:-1000])
    with pytest.raises(ModelError, match=r"cut\.gguf cannot be used"):
        letters(gguf, lora=cut)


def test_the_adapters_hash_is_part_of_the_models(gguf, lora):
    machine = Machine(threads=1)
    _, plain = llms.load_llm("smollm2-135m", machine, None)
    llm, adapted = llms.load_llm("smollm2-135m", machine, None, lora)
    assert adapted == f"{plain}+{models.fingerprint(lora)}"
    assert llm(VOTES, LETTERS) == letters(gguf, lora=lora)


def test_an_adapter_that_is_not_there_is_named(gguf):
    with pytest.raises(UsageError, match=r"--lora nowhere\.gguf is not a file"):
        llms.load_llm("smollm2-135m", Machine(threads=1), None, Path("nowhere.gguf"))
