"""Static vectors: by a model's own word embeddings, and by a trained table."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest
from safetensors.numpy import load_file

from tests.support.model_files import model_path
from uhhrag.backends import static_vectors
from uhhrag.indexing.candidates import STATIC
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.wiring import embedders

pytestmark = pytest.mark.model
SENTENCES = [
    "The mayor opened a new bridge across the river.",
    "A bridge was opened in the town by its mayor.",
    "The vaccine lowers the risk of severe disease.",
    "People who were vaccinated were seldom in hospital.",
    "The price of bread rose by a tenth last year.",
    "Inflation made food more expensive.",
    "The goldfish is a fish that is kept in ponds.",
    "Cats like to sleep in the sun.",
]
TEXTS = ["Rain.", "The street was a river.", "Die Straße war ein Fluss: 雨が降った。", "\ud800", ""]


@pytest.fixture(scope="module")
def folder():
    return model_path("minilm")


@pytest.fixture(scope="module")
def static(folder):
    return static_vectors.of_words(folder)


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
    assert static_vectors.of_words(other) is None
    config = json.loads((other / "config.json").read_text())
    (other / "config.json").write_text(json.dumps({**config, "model_type": "mpnet"}))
    assert static_vectors.of_words(other) is None


def test_static_vectors_are_of_the_embedder_that_is_used(folder, monkeypatch):
    _, identity = embedders.load_embedder("minilm", precision=Precision.FP32)
    with monkeypatch.context() as patch:
        patch.setattr(embedders, "trained_table", lambda _: None)
        own = embedders.load_static("minilm", identity)
    assert own.fingerprint == STATIC
    assert own.model(["Rain."]).shape == (1, 384)
    other = EmbedderId("x", 384, "0" * 64, Precision.FP32)
    assert embedders.load_static("minilm", other) is None
    assert not embedders.trained_table(other)
    assert embedders.load_static("no such model", identity) is None


def test_the_default_embedder_trained_table_vectors_that_lie_near_its_own(monkeypatch):
    embed, identity = embedders.load_embedder("minilm", precision=Precision.FP32)
    trained = embedders.load_static("minilm", identity)
    assert embedders.trained_table(identity)
    monkeypatch.setattr(embedders, "trained_table", lambda _: None)
    own = embedders.load_static("minilm", identity)
    assert re.fullmatch(rf"{STATIC} [0-9a-f]{{8}}", trained.fingerprint)
    wanted = cosines(embed(SENTENCES))
    agreement = {s: np.corrcoef(wanted, cosines(s.model(SENTENCES)))[0, 1] for s in (trained, own)}
    assert agreement[trained] > max(0.8, agreement[own])


def cosines(rows):
    """Of each two texts."""
    return (rows @ rows.T)[np.triu_indices(len(rows), 1)]


def test_a_table_is_read_as_it_was_written(folder, tmp_path):
    table, _ = static_vectors.word_table(folder)
    file = tmp_path / static_vectors.TABLE
    static_vectors.save(file, table, "a" * 64)
    assert static_vectors.model_of(file) == "a" * 64
    assert file.stat().st_size < table.size * 1.1
    rows = static_vectors.of_table(file, folder)(TEXTS)
    np.testing.assert_allclose(rows, static_vectors.of_words(folder)(TEXTS), atol=0.01)
    assert static_vectors.of_table(file, tmp_path) is None
    file.write_bytes(b"no table")
    assert static_vectors.of_table(file, folder) is None
    assert static_vectors.model_of(file) == ""
    assert static_vectors.model_of(tmp_path / "absent") == ""
