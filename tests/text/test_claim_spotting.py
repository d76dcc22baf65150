"""Which sentences of a draft are taken for claims, and why the others are not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scripts.benchmarks import spotting
from uhhrag.text.claim_spotting import Unchecked, why_not_a_claim


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("The council approved the budget on Monday.", None),
        ("It cost 32 million euros.", None),
        ("“Unemployment is at its lowest level in twenty years,” she said.", None),
        ("The terminal is expected to cost 84 million euros.", None),
        ("The letter was a forgery.", None),
        ("Will the ships be full?", Unchecked.QUESTION),
        ("“Where were the auditors?”", Unchecked.QUESTION),
        ("Photo: The old depot", Unchecked.REQUEST),
        ("Please check before you share.", Unchecked.REQUEST),
        ("The old harbour", Unchecked.FRAGMENT),
        ("We must build more.", Unchecked.WISH),
        ("The tram will make the town a better place.", Unchecked.FUTURE),
        ("Oil prices are expected to climb further.", Unchecked.FUTURE),
        ("I think the new rules are absurd.", Unchecked.OPINION),
        ("They have won the match at the last minute!", Unchecked.OPINION),
        ("That is an eternity.", Unchecked.UNCLEAR),
        ("The authority declined to comment.", Unchecked.UNCLEAR),
    ],
)
def test_each_rule_gives_its_reason(sentence, why):
    assert why_not_a_claim(sentence) == why


@given(st.text())
def test_any_text_has_an_answer(text):
    assert why_not_a_claim(text) in (None, *Unchecked)


def test_the_labelled_sentences_are_spotted_as_often_as_the_documents_say():
    rows = [row for row in spotting.labelled() if not row.choosing]
    assert (len(rows), sum(row.claim for row in rows)) == (100, 50)
    gold = [row.claim for row in rows]
    figures = spotting.scores(gold, spotting.by_rules([row.text for row in rows]))
    assert [round(figure, 2) for figure in figures] == [0.6, 1.0, 0.75]
    assert round(spotting.scores(gold, [True] * len(rows))[2], 2) == 0.67
