from __future__ import annotations

import numpy as np
import pytest

from uhhrag.training.pairs import Pair, Stance
from uhhrag.training.score import as_json, calibration_error, score_of, score_pairs

CERTAIN = {"yes": (0.8, 0.1, 0.1), "no": (0.1, 0.8, 0.1), "": (0.1, 0.1, 0.8)}


def reads_the_premise(pairs):
    return [CERTAIN[premise] for premise, _ in pairs]


def test_scores_are_those_of_a_confusion_matrix_worked_out_by_hand():
    pairs = [
        Pair("yes", "h", Stance.SUPPORTS, "a"),
        Pair("yes", "h", Stance.REFUTES, "a"),
        Pair("no", "h", Stance.REFUTES, "b"),
        Pair("", "h", Stance.NEUTRAL, "b"),
    ]
    seen = []
    scores = score_pairs(pairs, reads_the_premise, lambda done, total: seen.append((done, total)))
    assert list(scores) == ["all", "a", "b"]
    assert scores["all"].accuracy == 0.75
    # F1: supports 2/3, refutes 2/3, neutral 1.
    assert scores["all"].macro_f1 == pytest.approx((2 / 3 + 2 / 3 + 1) / 3)
    assert scores["all"].majority == 0.5
    assert scores["all"].calibration_error == pytest.approx(0.05)
    assert scores["all"].predicted == {"supports": 2, "refutes": 1, "neutral": 1}
    assert scores["b"].accuracy == 1.0
    assert scores["all"].wrongly_supported == pytest.approx(1 / 3)  # of three that do not
    assert scores["all"].wrongly_refuted == 0.0
    assert seen == [(4, 4)]
    assert as_json(scores)["by_source"]["a"]["pairs"] == 2


def test_a_label_that_a_set_does_not_hold_does_not_count_in_its_macro_f1():
    probabilities = np.array([CERTAIN["yes"], CERTAIN["no"], CERTAIN[""]])
    score = score_of(probabilities, np.array([0, 1, 0]))
    assert score.macro_f1 == pytest.approx((2 / 3 + 1) / 2)


def test_a_verifier_that_is_as_often_right_as_it_says_has_no_calibration_error():
    probabilities = np.array([[0.75, 0.25, 0.0]] * 4)
    assert calibration_error(probabilities, np.array([0, 0, 0, 1])) == 0.0
