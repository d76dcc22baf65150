"""The central promise, for everybody to check: the official scorer's numbers to the last bit.

Six prediction files for the sample in data/ and what the unmodified AVeriTeC 2024 scorer gives
them. Everything is in this repository but NLTK's data (`uhhrag models pull tests`).
"""

from __future__ import annotations

import json

import pytest

from tests.support.paths import OFFICIAL_SCORES, SAMPLE
from uhhrag.formats.gold import read_gold
from uhhrag.formats.submission import pair, read_predictions
from uhhrag.records import Label
from uhhrag.scores.averitec import F1, measure, score

EXPECTED = json.loads((OFFICIAL_SCORES / "expected_sample.json").read_text(encoding="utf-8"))


def test_every_prediction_file_has_its_expected_scores():
    files = {file.stem for file in OFFICIAL_SCORES.glob("*.json")} - {"expected_sample"}
    assert files == set(EXPECTED["files"])
    assert len(files) == 6


@pytest.mark.parametrize("name", EXPECTED["files"])
def test_totals_and_every_claims_scores_are_the_official_scorers(name, language):
    expected = dict(EXPECTED["files"][name])
    gold = read_gold(SAMPLE / "claims.json")
    predictions = read_predictions(OFFICIAL_SCORES / f"{name}.json")
    paired = pair([wanted.claim for wanted in gold], predictions, name).predictions
    scores = score(gold, paired, language)
    assert [claim.q for claim in scores] == expected.pop("per_claim_Q")
    assert [claim.qa for claim in scores] == expected.pop("per_claim_Q+A")
    f1 = expected.pop("f1")
    measured = measure(scores)
    assert {label: measured[F1[Label(label)]] for label in f1} == f1
    assert {measure: measured[measure] for measure in expected} == expected
