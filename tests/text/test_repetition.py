from __future__ import annotations

import pytest

from uhhrag.text.repetition import content_words, repeats

CLAIM = "Lightning never strikes the same place twice."


@pytest.mark.parametrize(
    "sentence",
    [
        CLAIM,
        "Fact check: lightning never strikes the same place twice",
        "“Lightning never strikes the same place twice” – a claim",
    ],
)
def test_the_claim_itself_and_headlines_that_quote_it(sentence):
    assert repeats(sentence, CLAIM)


@pytest.mark.parametrize(
    "sentence",
    [
        "Lightning often strikes the same place twice.",
        "The tower was struck by lightning 23 times a year.",
        "Lightning never strikes the same place twice is a myth, since tall towers are hit often.",
        "",
        "—",
    ],
)
def test_sentences_that_say_something_else_or_more(sentence):
    assert not repeats(sentence, CLAIM)


def test_pronouns_and_auxiliaries_do_not_count_but_negations_do():
    assert content_words("Does she say that they did not sell it?") == {"say", "not", "sell"}
    assert repeats("He has sold our old ferry at Varnby.", "They sold the old ferry at Varnby.")


def test_a_negated_claim_is_no_repetition_however_it_is_written():
    assert not repeats("The harbour wasn’t dredged in 2019.", "The harbour was dredged in 2019.")
    assert not repeats("The harbour wasn't dredged in 2019.", "The harbour was dredged in 2019.")
    assert repeats("The harbour wasn’t dredged", "The harbour was not dredged") is False
