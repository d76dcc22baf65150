from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

from tests.support.model_files import model_path
from uhhrag.backends import bert, bert_files, embedding_model, kernel_probe, sentence_transformer
from uhhrag.errors import ModelError, UsageError
from uhhrag.indexing.choices import Precision
from uhhrag.system import machine_cache
from uhhrag.wiring import embedders

pytestmark = pytest.mark.model

TEXTS = [
    "Rain.",
    "It rained all night, and in the morning the street was a river.",
    "Es regnete, und die Straße war ein Fluss: 雨が降った。",
    "The word again " * 400,
    " ".join(f"word{i}" for i in range(70)),
    *(f"Sentence number {i} says that {i} times {i} is {i * i}." for i in range(25)),
]


@pytest.fixture(scope="module")
def folder():
    return model_path("minilm")


@pytest.fixture(scope="module", params=[Precision.FP32, Precision.BF16])
def precision(request):
    return request.param


@pytest.fixture(scope="module")
def embed(folder, precision):
    return sentence_transformer.load(folder, numbers=str(precision))


def test_vectors_are_those_of_sentence_transformers(embed, folder, precision):
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    expected = theirs.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    found = embed(TEXTS)
    assert np.abs(found - expected).max() < (1e-6 if precision is Precision.FP32 else 5e-3)
    assert (found * expected).sum(1).min() > 0.9999


def test_the_two_precisions_have_vectors_of_their_own(folder, embed, precision):
    other = sentence_transformer.load(
        folder, numbers="fp32" if precision is Precision.BF16 else "bf16"
    )
    assert (embed(TEXTS[:1]) != other(TEXTS[:1])).any()


def test_rows_are_of_unit_length_float32_and_in_order(embed):
    rows = embed(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.argmax(rows @ embed([TEXTS[1]])[0]) == 1


def test_a_text_given_twice_has_the_same_vector_twice(embed):
    rows = embed(["a", "b", "a"])
    assert (rows[0] == rows[2]).all()
    assert (rows[0] != rows[1]).any()


def test_no_texts_give_no_rows(embed):
    assert embed([]).shape == (0, 384)


def test_broken_and_hostile_text_is_embedded_too(embed):
    rows = embed(["\ud800", "\x00", "\u202e\x1b[31m", "", "x" * 450_000, "[SEP] [CLS] [PAD]"])
    assert np.isfinite(rows).all()


def test_the_hub_is_switched_off(embed):
    assert os.environ["HF_HUB_OFFLINE"] == os.environ["TRANSFORMERS_OFFLINE"] == "1"


def test_a_folder_without_a_model_is_refused(tmp_path):
    with pytest.raises(ModelError, match=r"modules\.json is missing"):
        sentence_transformer.load(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_model_cut_short_is_refused_on_one_line(folder, tmp_path, name):
    copy = shutil.copytree(folder, tmp_path / "model")
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError) as caught:
        sentence_transformer.load(copy)
    assert "\n" not in str(caught.value)


def test_a_pickled_model_is_never_loaded(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "model")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(ModelError):
        sentence_transformer.load(copy)


def test_a_missing_gpu_is_said_on_one_line(folder, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelError, match="no usable GPU"):
        sentence_transformer.load(folder, "cuda")


def test_an_unknown_device_is_an_option_that_makes_no_sense(folder):
    with pytest.raises(UsageError, match="--device tpu is unknown; give cpu or cuda"):
        sentence_transformer.load(folder, "tpu")


def test_bfloat16_on_a_gpu_is_refused_on_one_line(folder):
    with pytest.raises(ModelError, match="on the cpu, not on cuda; leave --device out"):
        sentence_transformer.load(folder, "cuda", numbers="bf16")


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("config.json", '"bert"', '"xlm-roberta"'),
        ("config.json", '"gelu"', '"relu"'),
        ("config.json", "{", '{"position_embedding_type": "relative_key",'),
        ("modules.json", "models.Pooling", "models.LSTM"),
        ("1_Pooling/config.json", '_cls_token": false', '_cls_token": true'),
        ("1_Pooling/config.json", "{", '{"pooling_mode": "max",'),
        ("config.json", "{", "["),
    ],
)
def test_only_a_plain_bert_is_computed_in_bfloat16(folder, tmp_path, file, old, new):
    copy = tmp_path / "model"
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.safetensors", "vocab.txt"))
    assert bert_files.is_plain_bert(copy)
    text = (copy / file).read_text().replace('"position_embedding_type": "absolute",', "")
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1))
    assert not bert_files.is_plain_bert(copy)
    with pytest.raises(ModelError, match=r"only a plain BERT .* use fp32"):
        sentence_transformer.load(copy, numbers="bf16")


def test_a_processor_without_bf16_products_comes_to_much_the_same(folder, monkeypatch):
    texts = ["Rain.", "It is not known who first ate a tomato, nor what they thought of it."]
    quick = sentence_transformer.load(folder, numbers="bf16")(texts)
    import torch

    monkeypatch.setattr(torch.backends.mkldnn, "is_available", lambda: False)
    assert np.allclose(sentence_transformer.load(folder, numbers="bf16")(texts), quick, atol=3e-3)


class _Operators:
    """torch's private operators, one of them missing or of another form."""

    def __init__(self, real: object, name: str, found: object) -> None:
        self._real, self._name, self._found = real, name, found

    def __getattr__(self, name: str) -> object:
        if name != self._name:
            return getattr(self._real, name)
        if self._found is None:
            raise AttributeError(name)
        return self._found


@pytest.mark.parametrize(
    "name", ["_is_mkldnn_bf16_supported", "_reorder_linear_weight", "_linear_pointwise"]
)
@pytest.mark.parametrize("found", [None, lambda: True], ids=["missing", "other arguments"])
def test_a_torch_without_an_operator_computes_in_fp32_or_as_it_can(
    folder, monkeypatch, name, found
):
    import torch

    if name == "_is_mkldnn_bf16_supported" and found:
        found = lambda: False  # noqa: E731
    expected = sentence_transformer.load(folder)(TEXTS[:2])
    monkeypatch.setattr(torch.ops, "mkldnn", _Operators(torch.ops.mkldnn, name, found))
    assert kernel_probe.seconds_of("bf16") is None
    assert np.allclose(sentence_transformer.load(folder)(TEXTS[:2]), expected, atol=1e-6)
    by_name = sentence_transformer.load(folder, numbers="bf16")(TEXTS[:2])
    assert np.allclose(by_name, expected, atol=1e-2)


@pytest.mark.parametrize(("capability", "fused"), [("AVX2", False), ("AVX512", True)])
def test_float32_is_multiplied_by_the_faster_of_two_libraries(
    folder, monkeypatch, capability, fused
):
    import torch

    expected = sentence_transformer.load(folder)(TEXTS)
    monkeypatch.setattr(torch.backends.cpu, "get_cpu_capability", lambda: capability)
    there = bert.has_fused_products(torch.float32)
    assert bert.takes_fused_products(torch.float32) is (fused and there)
    assert np.allclose(sentence_transformer.load(folder)(TEXTS), expected, atol=1e-6)


def test_an_embedder_is_loaded_in_the_precision_asked_for_or_the_faster_one(folder):
    faster = Precision(sentence_transformer.fastest_numbers(folder))
    _, identity = embedders.load_embedder("minilm")
    assert identity.precision is faster
    asked, as_asked = embedders.load_embedder("minilm", precision=Precision.FP32)
    assert as_asked == replace(identity, precision=Precision.FP32)
    assert (asked(TEXTS[:3]) == sentence_transformer.load(folder)(TEXTS[:3])).all()


_AGAIN = """
import sys
from pathlib import Path
from uhhrag.backends import sentence_transformer
vectors = sentence_transformer.load(Path(sys.argv[1]))(["Rain.", "x " * 900, "\\u96e8"])
loaded = ["sentence_transformers" in sys.modules, "transformers" in sys.modules]
print(*loaded, vectors.tobytes().hex())
"""


@pytest.mark.slow
def test_a_model_that_was_loaded_before_is_loaded_without_the_library(folder, tmp_path):
    def loaded():
        given = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
        command = [sys.executable, "-c", _AGAIN, str(folder)]
        run = subprocess.run(command, env=given, capture_output=True, check=True)
        return run.stdout.split()

    first, second = loaded(), loaded()
    assert first[:2] == [b"True", b"True"]
    assert second[:2] == [b"False", b"False"]
    assert first[2] == second[2]


@pytest.mark.parametrize("differs", ["file_tokens", "_weights"])
def test_files_that_say_less_than_the_library_are_not_read_without_it(
    folder, tmp_path, monkeypatch, differs
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    other = {
        "file_tokens": lambda *_: lambda texts: [[101, 102]] * len(texts),
        "_weights": lambda *_: {},
    }
    with monkeypatch.context() as patched:
        patched.setattr(embedding_model, differs, other[differs])
        sentence_transformer.load(folder)
    assert machine_cache.recall("embedders") == {}
    sentence_transformer.load(folder)
    assert list(machine_cache.recall("embedders").values()) == [256]
