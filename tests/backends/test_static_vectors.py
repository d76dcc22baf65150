"""Static vectors: the mean of a text's word embeddings, by the files of a model alone."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.support.model_files import model_path
from uhhrag.backends import sentence_transformer
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.wiring import embedders

pytestmark = pytest.mark.model
TEXTS = ["Rain.", "The street was a river.", "Die Straße war ein Fluss: 雨が降った。", "\ud800", ""]


@pytest.fixture(scope="module")
def folder():
    return model_path("minilm")


@pytest.fixture(scope="module")
def static(folder):
    return sentence_transformer.load_words(folder)


def test_a_static_vector_is_the_mean_of_the_words_of_a_text(static, folder):
    from transformers import AutoTokenizer

    weights = load_file(folder / "model.safetensors")
    table = next(w for name, w in weights.items() if name.endswith("word_embeddings.weight"))
    tokenizer = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    for text, row in zip(TEXTS[:3], static(TEXTS), strict=False):
        mean = table[tokenizer(text, add_special_tokens=False)["input_ids"]].mean(axis=0)
        np.testing.assert_allclose(row, mean / np.linalg.norm(mean), atol=1e-6)


def test_a_text_has_one_static_vector_whatever_the_others(static):
    rows = static(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert not rows[-1].any()
    for text, row in zip(TEXTS, rows, strict=True):
        np.testing.assert_array_equal(static([text])[0], row)
    assert static([]).shape == (0, 384)


def test_a_model_of_another_kind_has_none(folder, tmp_path):
    other = shutil.copytree(folder, tmp_path / "other")
    (other / "tokenizer.json").write_text("{")
    assert sentence_transformer.load_words(other) is None
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "model_type": "mpnet"}))
    assert sentence_transformer.load_words(other) is None


def test_static_vectors_are_of_the_embedder_that_is_used(folder):
    _, identity = embedders.load_embedder("minilm", precision=Precision.FP32)
    assert embedders.load_words("minilm", identity)
    assert embedders.load_words("minilm", EmbedderId("x", 384, "0" * 64, Precision.FP32)) is None
    assert embedders.load_words("no such model", identity) is None
