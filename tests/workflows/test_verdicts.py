"""Rows of results."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from tests.support.pages import claim_view, vote
from uhhrag.records import Failure, Label
from uhhrag.workflows.predict import PredictResult
from uhhrag.workflows.verdicts import Verdicts


def test_a_row_of_predict_has_the_label_that_is_scored_and_what_people_are_shown():
    unsure = replace(claim_view().verdict, votes=(vote(Label.REFUTED, 0.4),) * 2)
    clear, failed = claim_view(1).verdict, Failure(unsure.claim, "no such model")
    fields = {"results": (unsure, clear, failed), "folder": Path("run"), "signature": ""}
    shown = [(row["label"], row["verdict"]) for row in PredictResult(**fields, summary="").rows]
    assert shown == [
        ("Refuted", "Unclear, leans refuted"),
        ("Refuted", "Refuted"),
        (None, None),
    ]
    of_check = [(row["label"], row["status"]) for row in Verdicts(**fields).rows]
    assert of_check == [
        ("Not Enough Evidence", "unclear"),
        ("Refuted", "clear"),
        (None, "failed"),
    ]
