"""Numbers, names and order: what the words of a statement alone do not tell."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.scores.specifics import (
    FACTOR_DISORDERED,
    FACTOR_MISSING,
    factor,
    specifics,
    words_of,
)
from uhhrag.scores.verifier_judge import Measured, Weights, support

STATEMENT = "In May 2019 the council of Varnby sold three ferries to Norway for 23.2 million euros."
CONTENT = [word for word in words_of(STATEMENT) if word not in {"in", "the", "of", "to", "for"}]


def of(piece: str) -> float:
    return factor(STATEMENT, piece, CONTENT)


@pytest.mark.parametrize(
    "piece",
    [
        STATEMENT,
        f"What happened to the ferries? {STATEMENT} They left in June 2020, said Ava Berg.",
        STATEMENT.replace("three", "3"),
        STATEMENT.replace("Norway", "Norway's"),
    ],
)
def test_evidence_that_has_every_number_and_name_keeps_its_support(piece):
    assert of(piece) == 1.0


@pytest.mark.parametrize(
    ("old", "new"),
    [("23.2", "25.5"), ("2019", "2017"), ("three", "four"), ("Norway", "Iceland")],
)
def test_an_exchanged_number_or_name_takes_all_support(old, new):
    assert of(STATEMENT.replace(old, new)) == 0.0


def test_what_is_only_missing_takes_a_part():
    assert specifics(STATEMENT) == {"may", "2019", "varnby", "3", "norway", "23.2"}
    assert of("the council sold ferries for million euros") == pytest.approx(1 - FACTOR_MISSING)
    assert of("council sold ferries in May 2019") == pytest.approx(1 - FACTOR_MISSING * 4 / 6)


def test_evidence_on_something_else_is_not_an_altered_statement():
    assert of("The harbour of Lunde was dredged in 2018.") == pytest.approx(1 - FACTOR_MISSING)


def test_words_out_of_order_take_a_part():
    shuffled = (
        "euros 23.2 Norway million sold three Varnby to council for ferries of 2019 the May In"
    )
    assert of(shuffled) == pytest.approx(1 - FACTOR_DISORDERED)


def test_support_is_less_by_the_factor():
    weights = Weights(0.5, 1.0)
    assert support(Measured("a", 1.0, 1.0, "p", 0.5), weights) == 0.5
    assert support(Measured("a", 1.0, 1.0, "p", 0.0), weights) == 0.0


@given(st.text(max_size=200), st.text(max_size=200))
def test_any_texts_have_a_factor(statement, piece):
    assert 0.0 <= factor(statement, piece, words_of(statement)) <= 1.0
