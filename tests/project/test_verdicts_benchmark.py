"""The benchmark of the verdicts counts right, and its claims are as docs/verdicts.md says."""

from __future__ import annotations

import json

import pytest

from scripts.benchmarks.verdicts import OSTVIK, _sides, measures

NEE = "Not Enough Evidence"


def test_measures_stand_beside_the_commonest_label():
    pairs = [("Refuted", "Refuted"), ("Refuted", "Supported"), ("Supported", NEE), (NEE, NEE)]
    scores = measures(pairs)
    assert scores["accuracy"] == 0.5
    assert scores["commonest"] == 0.5
    assert scores["F1"] == {
        NEE: pytest.approx(2 / 3),
        "Refuted": pytest.approx(2 / 3),
        "Supported": 0,
    }
    assert scores["macro-F1"] == pytest.approx(4 / 9)


def test_intervals_are_of_resampled_claims():
    right, wrong = ("Refuted", "Refuted"), ("Supported", "Refuted")
    scores = measures([right] * 60 + [wrong] * 40)
    assert scores["over commonest"] == 0
    assert scores["over commonest, 95 %"] == [0, 0], "claim by claim there is no difference"
    low, high = scores["accuracy, 95 %"]
    assert 0.48 < low < 0.53 < 0.67 < high < 0.72, "about .6 plus and minus twice .049"
    low, high = scores["macro-F1, 95 %"]
    assert low < scores["macro-F1"] < high
    assert measures([right] * 9)["accuracy, 95 %"] == [1, 1]


def test_sides_are_counted_among_the_claims_that_gold_decides():
    pairs = [("Refuted", "Supported"), ("Supported", "Supported"), ("Supported", NEE), (NEE, NEE)]
    scores = _sides(pairs)
    assert scores["undecided called so"] == 1
    assert scores["decided with a side"] == pytest.approx(2 / 3)
    assert scores["sides right"] == 0.5


def test_forty_claims_of_five_kinds():
    kinds = json.loads((OSTVIK / "undecided.json").read_text(encoding="utf-8"))
    assert [len(claims) for claims in kinds.values()] == [8] * 5
    assert len({claim for claims in kinds.values() for claim in claims}) == 40


def test_as_many_claims_by_a_pronoun_as_by_other_sentences():
    kinds = json.loads((OSTVIK / "decided.json").read_text(encoding="utf-8"))
    groups = [claims for labels in kinds.values() for claims in labels.values()]
    assert [len(claims) for claims in groups] == [8] * 4
    assert len({claim for claims in groups for claim in claims}) == 32
