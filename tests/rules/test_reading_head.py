"""The reader: its prompt, and its head over hidden states."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from uhhrag.prompts.templates import load_prompts
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label
from uhhrag.rules.reading_head import (
    PIECES,
    STEP,
    WORDS,
    ReaderHead,
    check_reader,
    decoded,
    encoded,
    prompt_of,
)

ROWS = ([2.0, 0.0], [0.0, 2.0], [0.0, 0.0], [-1.0, -1.0])
READER = ReaderHead("m", "t", tuple(Label), tuple(map(encoded, ROWS)), (0.0, 0.0, 0.5, 0.0))


def test_the_prompt_has_the_first_pieces_that_answer_and_do_not_repeat_another():
    texts = ["It is open.", "it is OPEN", NO_ANSWER, *(f"Sentence {n}." for n in range(12))]
    evidence = [Evidence("Q?", text) for text in texts]
    body = prompt_of(load_prompts()(STEP), Claim(0, "The bridge is open."), evidence).text
    lines = body.splitlines()
    first = lines.index("1. It is open.")
    shown = [f"{n}. Sentence {n - 2}." for n in range(2, PIECES + 1)]
    assert lines[first : first + PIECES + 1] == ["1. It is open.", *shown, ""]
    assert "Claim: The bridge is open." in lines


def test_a_reader_of_fewer_pieces_reads_fewer():
    evidence = [Evidence("Q?", f"Sentence {n}.") for n in range(9)]
    text = prompt_of(load_prompts()(STEP), Claim(0, "C."), evidence, READER.pieces).text
    assert READER.pieces == 5
    assert "5. Sentence 4.\n" in text
    assert "6. " not in text


def test_a_long_piece_is_cut():
    long = Evidence("Q?", " ".join(map(str, range(99))))
    text = prompt_of(load_prompts()(STEP), Claim(0, "C."), [long]).text
    assert f" {WORDS - 1}\n" in text
    assert f" {WORDS} " not in text


def test_a_head_gives_the_probabilities_of_a_softmax_over_its_rows():
    logs = READER.log_probabilities([1.0, -1.0])
    weights = [math.exp(score) for score in (2.0, -2.0, 0.5, 0.0)]
    assert list(map(math.exp, logs)) == pytest.approx([weight / sum(weights) for weight in weights])


def test_weights_are_written_and_read_without_loss():
    numbers = np.random.default_rng(0).normal(size=9).astype(np.float32)
    assert decoded(encoded(numbers.tolist())) == tuple(numbers.tolist())


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"labels": tuple(Label)[:3]}, "one row for each label"),
        ({"pieces": 0}, "0 pieces of evidence"),
        ({"bias": (0.0,)}, "one row for each label"),
        ({"weights": (*READER.weights[:3], encoded([1.0]))}, "differ in length"),
        ({"weights": (*READER.weights[:3], encoded([1.0, math.nan]))}, "not all finite"),
        ({"weights": (*READER.weights[:3], "%")}, "cannot be read"),
        ({"weights": (*READER.weights[:3], "AAAA")}, "cannot be read"),
        ({"bias": (0.0, 0.0, math.inf, 0.0)}, "not all finite"),
    ],
)
def test_a_reader_that_cannot_be_used_is_refused(changes, message):
    check_reader(READER)
    with pytest.raises(ValueError, match=message):
        check_reader(replace(READER, **changes))
