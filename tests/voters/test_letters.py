"""A language model as a verifier: by a letter, or by a word as Bespoke-MiniCheck answers."""

from __future__ import annotations

import math

import pytest

from uhhrag.prompts.templates import load_prompts
from uhhrag.records import PickOne, Reply
from uhhrag.voters.calibration import Calibration
from uhhrag.voters.letters import STEP, by_letters, by_yes_or_no

PAIRS = [("It rained for $5.\nThen {snow}.", "It rained."), ("Fog.", "It snowed.")]


class Model:
    """Gives the replies in turn, and keeps what it was asked."""

    def __init__(self, *replies: Reply) -> None:
        self.replies, self.asked = replies, []

    def __call__(self, prompts, ask, /):
        self.asked.append(([prompt.text for prompt in prompts], ask))
        return list(self.replies)


def test_minicheck_is_asked_in_its_own_form_and_never_refutes():
    model = Model(Reply("Yes", (math.log(0.6), math.log(0.2))), Reply("No", (-1000.0, -0.1)))
    assert by_yes_or_no(model)(PAIRS) == [
        pytest.approx((0.75, 0.0, 0.25)),
        pytest.approx((0.0, 0.0, 1.0)),
    ]
    prompts = [
        "Document: It rained for $5.\nThen {snow}.\nClaim: It rained.",
        "Document: Fog.\nClaim: It snowed.",
    ]
    assert model.asked == [(prompts, PickOne(("Yes", "No")))]


def test_without_probabilities_a_word_counts_fully_and_any_other_is_no_support():
    model = Model(Reply("Yes"), Reply("Perhaps."))
    assert by_yes_or_no(model)(PAIRS) == [(1.0, 0.0, 0.0), (0.0, 0.0, 1.0)]


def test_letters_are_calibrated_and_count_fully_without_probabilities():
    template = load_prompts()(STEP)
    flat = Calibration(0.0, (math.log(2.0), 0.0, 0.0))
    model = Model(Reply("A", (-0.1, -3.0, -4.0)), Reply("B"))
    assert by_letters(model, template, flat)(PAIRS) == [
        pytest.approx((0.5, 0.25, 0.25)),
        (0.0, 1.0, 0.0),
    ]
    ((prompts, ask),) = model.asked
    assert ask == PickOne(("A", "B", "C"))
    assert "Statement: It snowed." in prompts[1]
