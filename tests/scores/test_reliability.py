"""Confidence held against what was right."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.scores.reliability import (
    ScoredConfidence,
    as_json,
    as_text,
    calibration_error,
    cuts,
    reliability,
)

OUTCOMES = st.lists(
    st.builds(ScoredConfidence, st.floats(0, 1), st.booleans()), min_size=1, max_size=60
)


def test_verdicts_as_right_as_they_are_sure_have_no_error():
    outcomes = [ScoredConfidence(0.75, right) for right in (True, True, True, False)]
    assert calibration_error(outcomes) == 0.0


def test_the_error_weighs_each_bin_by_its_verdicts():
    sure = [ScoredConfidence(0.95, True)] * 3 + [ScoredConfidence(0.15, True)]
    assert calibration_error(sure) == pytest.approx((3 * 0.05 + 0.85) / 4)


@given(OUTCOMES, st.integers(1, 20))
def test_every_verdict_stands_in_the_bin_of_its_confidence(outcomes, bins):
    found = reliability(outcomes, bins)
    assert sum(each["count"] for each in found) == len(outcomes)
    for each in found:
        assert each["low"] - 1e-9 <= each["confidence"] <= each["high"] + 1e-9
    assert 0 <= calibration_error(outcomes, bins) <= 1


@given(OUTCOMES)
def test_a_higher_threshold_leaves_no_more(outcomes):
    shares = [cut["coverage"] for cut in cuts(outcomes)]
    assert shares == sorted(shares, reverse=True)


def test_where_nothing_is_left_there_is_no_accuracy():
    assert cuts([ScoredConfidence(0.4, True)])[0]["accuracy"] is None
    assert "-" in as_text(as_json([ScoredConfidence(0.4, True)]))
    assert calibration_error([]) is None


@given(OUTCOMES)
def test_the_tables_fit_a_terminal(outcomes):
    assert max(map(len, as_text(as_json(outcomes)).splitlines())) <= 80
    assert as_json(outcomes)["claims"] == len(outcomes)
