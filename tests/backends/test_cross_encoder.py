"""The reranker around its model: what it gives an ONNX session, which is a double here."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import ClassVar

import numpy as np
import pytest
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from uhhrag.backends import cross_encoder
from uhhrag.errors import ModelError


class Session:
    """Scores a pair by the number of its tokens, and keeps what it was given."""

    given: ClassVar[list[dict]] = []

    def __init__(self, *_: object, **__: object) -> None:
        Session.given = []

    def get_inputs(self) -> list[SimpleNamespace]:
        return [SimpleNamespace(name="input_ids"), SimpleNamespace(name="attention_mask")]

    def run(self, _: object, inputs: dict) -> list[np.ndarray]:
        Session.given.append(inputs)
        return [np.array([[float(inputs["input_ids"].shape[1])]])]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    tokenizer = Tokenizer(WordLevel({"[UNK]": 0, "rain": 1, "fell": 2}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    monkeypatch.setattr("onnxruntime.InferenceSession", Session)
    return tmp_path


def test_each_pair_is_read_alone_and_in_order(folder):
    reranker = cross_encoder.load(folder, threads=1)
    Session.given.clear()  # of the trial
    scores = reranker.relevance("rain", ["fell", "rain fell", ""])
    assert scores.dtype == np.float32
    assert scores.tolist() == [2.0, 3.0, 1.0]
    assert [inputs["input_ids"].tolist() for inputs in Session.given] == [
        [[1, 2]],
        [[1, 1, 2]],
        [[1]],
    ]
    assert {tuple(inputs) for inputs in Session.given} == {("input_ids", "attention_mask")}


def test_pairs_keep_their_scores_in_several_threads(folder, monkeypatch):
    class Slow(Session):
        def run(self, _: object, inputs: dict) -> list[np.ndarray]:
            time.sleep(0.01 if inputs["input_ids"].shape[1] % 2 else 0)
            return super().run(_, inputs)

    monkeypatch.setattr("onnxruntime.InferenceSession", Slow)
    texts = ["fell " * (number % 7) for number in range(30)]
    alone, together = (cross_encoder.load(folder, threads=n) for n in (1, 3))
    expected = alone.relevance("rain", texts)
    assert together.relevance("rain", texts).tolist() == expected.tolist()
    assert len(set(expected.tolist())) == 7


def test_a_pair_that_is_too_long_is_cut_and_tokens_are_counted_uncut(folder):
    reranker = cross_encoder.load(folder, threads=1)
    assert reranker.relevance("rain", ["fell " * 600]).tolist() == [cross_encoder.LIMIT]
    assert reranker.tokens("fell " * 600) == 600


def test_any_text_has_a_score(folder):
    assert cross_encoder.load(folder, threads=1).relevance("rain \ud800", ["\udfff"]).shape == (1,)


def test_no_text_gives_no_score(folder):
    assert cross_encoder.load(folder, threads=1).relevance("rain", []).shape == (0,)


def test_a_folder_without_a_model_is_one_line(tmp_path):
    with pytest.raises(ModelError, match="the reranker cannot be loaded") as raised:
        cross_encoder.load(tmp_path, threads=1)
    assert "\n" not in str(raised.value)


def test_a_model_with_two_numbers_or_another_input_is_refused_when_it_is_loaded(
    folder, monkeypatch
):
    monkeypatch.setattr(Session, "run", lambda *_: [np.array([[0.1, 0.9]])])
    with pytest.raises(ModelError, match="it has 2 numbers for a pair, not one"):
        cross_encoder.load(folder, threads=1)
    monkeypatch.setattr(Session, "get_inputs", lambda _: [SimpleNamespace(name="position_ids")])
    with pytest.raises(ModelError, match="position_ids"):
        cross_encoder.load(folder, threads=1)
