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
        ("The new tram depot at Sallow Lane will cost 41 million pounds.", None),
        ("SwiftTram will deliver the first of the fourteen trams on 1 May 2024.", None),
        ("Marsh said the airport extension would open in spring 2026.", None),
        ("A single ticket will cost £2.60 from April.", None),
        ("The council will borrow 20 million; the motion was carried by 31 votes to 17.", None),
        ("The tunnel is to open in March.", None),
        ("The state will pay half of it.", None),
        ("The ministry plans to hire several thousand nurses.", None),
        ("Will the ships be full?", Unchecked.QUESTION),
        ("“Where were the auditors?”", Unchecked.QUESTION),
        ("Photo: The old depot", Unchecked.REQUEST),
        ("Please check before you share.", Unchecked.REQUEST),
        ("The old harbour", Unchecked.FRAGMENT),
        ("CONFIDENTIAL – embargo 22 March 2024 – by Tom Baines", Unchecked.FRAGMENT),
        ("Embargoed until 22 March 2024, noon, the Courier and Echo only", Unchecked.FRAGMENT),
        ("Sperrfrist: 22.03.2024", Unchecked.FRAGMENT),
        ("Vertraulich – Sperrfrist 22. März 2024 – von Max Weil", Unchecked.FRAGMENT),
        ("Sous embargo jusqu’au 22 mars 2024, 6 heures – par Anne Petit", Unchecked.FRAGMENT),
        ("Konfidensielt, sperret til 22. mars 2024 kl. 6, av Kari Moen", Unchecked.FRAGMENT),
        ("By Tom Baines, Lindmoor Town Hall, with a photo of Ana Lopes", Unchecked.FRAGMENT),
        ("Author: Tom Baines", Unchecked.FRAGMENT),
        ("22 March 2024, the Courier, page 3, with a map of the depot", Unchecked.FRAGMENT),
        ("By Tom Baines’s account the mayor was told of it in March.", None),
        ("Copper conducts heat better than any other metal on earth", None),
        ("Published in 1950, the book was banned in France.", None),
        ("We must build more.", Unchecked.WISH),
        ("The tram will make the town a better place.", Unchecked.FUTURE),
        ("Oil prices are expected to climb further.", Unchecked.FUTURE),
        ("The depot might cost 41 million pounds.", Unchecked.FUTURE),
        ("If it rains, 41 trees will fall.", Unchecked.FUTURE),
        ("Perhaps the trams will one day be the pride of Lindmoor again.", Unchecked.FUTURE),
        ("We shall see.", Unchecked.FUTURE),
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
