"""Which prediction is of which claim."""

from __future__ import annotations

import pytest

from uhhrag.errors import InputError
from uhhrag.formats.submission import Prediction, pair
from uhhrag.records import Claim, Label

CLAIMS = tuple(Claim(number, f"Claim {number}.") for number in range(4))


def said(number: int | None, text: str = "") -> Prediction:
    return Prediction(number, text, Label.REFUTED, "Refuted", ())


def test_predictions_are_matched_by_id_whatever_their_order() -> None:
    found = pair(CLAIMS, [said(3), said(0), said(2), said(1)], "run.json")
    assert [p.id for p in found.predictions if p] == [0, 1, 2, 3]
    assert not (found.missing or found.doubled or found.unknown or found.by_position)


def test_missing_doubled_and_unknown_claims_are_told_and_the_first_counts() -> None:
    first, second = said(2, "first"), said(2, "second")
    found = pair(CLAIMS, [first, said(7), said(0), second, said(-1)], "run.json")
    assert found.predictions == (said(0), None, first, None)
    assert (found.missing, found.doubled, found.unknown) == ((1, 3), (2,), (-1, 7))


def test_without_any_id_the_position_counts_and_is_told() -> None:
    found = pair(CLAIMS, [said(None), said(None, "b")], "run.json")
    assert found.by_position
    assert found.predictions == (said(None), said(None, "b"), None, None)
    assert found.missing == (2, 3)


def test_ids_on_some_predictions_only_are_refused() -> None:
    with pytest.raises(InputError, match=r"run.json, claim 1, claim_id: is missing, though"):
        pair(CLAIMS, [said(0), said(None)], "run.json")


def test_a_prediction_about_another_claim_is_told() -> None:
    found = pair(CLAIMS, [said(0, "claim  0."), said(1, "Claim 2.")], "run.json")
    assert found.other_text == (1,)
