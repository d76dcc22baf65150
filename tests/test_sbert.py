from __future__ import annotations

import os
import random
import shutil

import numpy as np
import pytest

from uhhrag import models
from uhhrag.backends import sbert
from uhhrag.errors import ModelError

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
    try:
        return models.path("minilm")
    except ModelError as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def embed(folder):
    return sbert.load(folder)


def test_vectors_are_those_of_sentence_transformers(embed, folder):
    from sentence_transformers import SentenceTransformer

    theirs = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    expected = theirs.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    assert np.abs(embed(TEXTS) - expected).max() < 1e-6


def test_rows_are_of_unit_length_float32_and_in_order(embed):
    rows = embed(TEXTS)
    assert rows.shape == (len(TEXTS), 384)
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    assert np.argmax(rows @ embed([TEXTS[1]])[0]) == 1


def test_a_vector_does_not_depend_on_the_other_texts_to_the_last_bit(embed):
    together = embed(TEXTS)
    shuffled = random.Random(1).sample(range(len(TEXTS)), len(TEXTS))  # noqa: S311
    assert (embed([TEXTS[i] for i in shuffled]) == together[shuffled]).all()
    for row in (0, 1, 3, 4, 10, 29):
        assert (embed([TEXTS[row]])[0] == together[row]).all()


def test_a_vector_does_not_depend_on_the_number_of_threads(embed):
    import torch

    before = torch.get_num_threads()
    one, two = [], []
    for threads, rows in ((1, one), (2, two)):
        torch.set_num_threads(threads)
        rows.append(embed(TEXTS))
    torch.set_num_threads(before)
    assert (one[0] == two[0]).all()


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
        sbert.load(tmp_path)


@pytest.mark.parametrize("name", ["model.safetensors", "config.json", "tokenizer.json"])
def test_a_model_cut_short_is_refused_on_one_line(folder, tmp_path, name):
    copy = shutil.copytree(folder, tmp_path / "model")
    content = (copy / name).read_bytes()
    (copy / name).write_bytes(content[: len(content) // 2])
    with pytest.raises(ModelError) as caught:
        sbert.load(copy)
    assert "\n" not in str(caught.value)


def test_a_pickled_model_is_never_loaded(folder, tmp_path):
    copy = shutil.copytree(folder, tmp_path / "model")
    (copy / "model.safetensors").rename(copy / "pytorch_model.bin")
    with pytest.raises(ModelError):
        sbert.load(copy)


def test_a_missing_gpu_is_said_on_one_line(folder, monkeypatch):
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    with pytest.raises(ModelError, match="no usable GPU"):
        sbert.load(folder, "cuda")
