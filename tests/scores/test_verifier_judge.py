"""The judge that is a verifier: what it reads, and how its numbers become shares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.records import Claim
from uhhrag.scores.ev2r import Case, Side, shares_of, side_of
from uhhrag.scores.verifier_judge import (
    PIECES,
    SENTENCES,
    WORDS,
    Measured,
    Weights,
    measure_all,
    shared,
    shipped_weights,
    statements,
    support,
    verifier_judge,
)

CLAIM = Claim(0, "The ferry was sold.")


def split(text: str) -> list[str]:
    return [part for part in text.split("|") if part]


class Reader:
    """A verifier that finds a statement entailed where all of its words stand in the premise, and
    remembers what it was given."""

    def __init__(self) -> None:
        self.calls = []

    def __call__(self, pairs):
        self.calls.append(list(pairs))
        return [self.stance(premise, text) for premise, text in pairs]

    @staticmethod
    def stance(premise, text):
        entailed = set(text.lower().split()) <= set(premise.lower().split())
        return (1.0, 0.0, 0.0) if entailed else (0.0, 0.0, 1.0)


def case(gold: list[tuple[str, str]], predicted: list[tuple[str, str]]) -> Case:
    return Case(CLAIM, side_of(gold), side_of(predicted))


def judge(*cases: Case, reader: Reader | None = None):
    return verifier_judge(reader or Reader(), split, Weights(0.5, 0.5))(cases)


def test_a_fact_that_stands_in_the_evidence_is_supported_and_another_is_not():
    gold = [("Who owns it?", "Varnby owns the old ferry|Nobody has sailed since March ended")]
    [found] = judge(case(gold, [("", "Today Varnby owns the old ferry at Ostvik")]))
    first, second = found.qa_recall.facts
    assert (first.fact, first.supported, first.support) == (
        "Varnby owns the old ferry",
        True,
        1.0,
    )
    assert first.piece == "Today Varnby owns the old ferry at Ostvik"
    assert (second.supported, second.support, second.piece) == (False, 0.0, "")
    assert found.qa_recall.share == 0.5


def test_recall_is_of_golds_facts_and_precision_of_the_predictions():
    gold = [("", "Varnby owns the old ferry")]
    predicted = [("", "Varnby owns the old ferry"), ("", "Turnips grow well in dry years")]
    [found] = judge(case(gold, predicted))
    assert shares_of(found)[2:] == (1.0, 0.5)


def test_the_share_is_the_mean_support_and_no_count():
    gold = [("", "Varnby owns the old red ferry")]
    [found] = judge(case(gold, [("", "a ferry, red and old, at Varnby")]))
    [fact] = found.qa_recall.facts
    assert fact.support == pytest.approx(0.5 * 4 / 5)
    assert not fact.supported
    assert found.qa_recall.share == fact.support


def test_all_cases_are_read_in_one_call_and_no_pair_twice():
    reader = Reader()
    one = case([("", "Varnby owns the old ferry")], [("", "The ferry is at Ostvik today")])
    judge(one, one, reader=reader)
    [call] = reader.calls
    assert len(call) == len(set(call))


def test_the_verifier_reads_the_best_pieces_and_an_excerpt_of_all():
    reader = Reader()
    predicted = [(f"Question {i}?", f"Piece {i} on other things") for i in range(8)]
    predicted[5] = ("Who owns the ferry?", "It belongs to Varnby alone")
    statement = "The old ferry belongs to Varnby"
    judge(case([("", statement)], predicted), reader=reader)
    premises = [premise for premise, text in reader.calls[0] if text == statement]
    assert len(premises) == PIECES + 1
    assert premises[0] == "Who owns the ferry? It belongs to Varnby alone"
    assert premises[-1].startswith("It belongs to Varnby alone Piece 0 on")


def test_an_excerpt_of_all_pieces_can_entail_what_no_single_piece_does():
    gold = [("", "Varnby sold the old ferry")]
    [found] = judge(case(gold, [("", "the old ferry"), ("", "Varnby sold")]))
    assert found.qa_recall.facts[0].support == pytest.approx(0.5 + 0.5 * 2 / 4)


def test_questions_are_compared_by_their_words_alone():
    reader = Reader()
    gold = Side(("Who sold the ferry?", "How deep is the harbour?"), ())
    predicted = Side(("When did Varnby sell it?", "Who bought and sold the ferry?"), ())
    [found] = judge(Case(CLAIM, gold, predicted), reader=reader)
    assert [(r.supported, r.support) for r in found.q_recall.facts] == [(True, 1.0), (False, 0.0)]
    assert found.q_recall.facts[0].piece == "Who bought and sold the ferry?"
    assert reader.calls == [[]]


def test_empty_sides_have_defined_shares():
    nothing = Side((), ())
    full = side_of([("Who?", "Varnby owns the old ferry")])
    without, empty = judge(Case(CLAIM, nothing, full), Case(CLAIM, full, nothing))
    assert shares_of(without) == (None,) * 4
    assert shares_of(empty) == (0.0,) * 4
    assert empty.qa_recall.facts[0].fact == "Varnby owns the old ferry"


def test_evidence_without_questions_is_judged_by_its_answers():
    gold = [("Who owns the ferry?", "Varnby owns the old ferry")]
    [found] = judge(case(gold, [("", "Varnby owns the old ferry")]))
    assert shares_of(found) == (0.0, 0.0, 1.0, 1.0)


@pytest.mark.parametrize("answer", ["No", "no. She is well", "Yes|She is", "In 2019", "Ava"])
def test_short_and_yes_or_no_answers_stand_with_their_question(answer):
    first = statements(("Is Ava dead?", answer), split)[0]
    assert first == f"Is Ava dead? {split(answer)[0]}"


def test_long_answers_give_few_statements_of_bounded_length():
    answer = "|".join(f"sentence {i} " + "word " * 200 for i in range(30))
    found = statements(("Q?", answer), split)
    assert len(found) == SENTENCES
    assert all(len(text.split()) == WORDS for text in found)


def test_words_that_carry_nothing_do_not_count():
    assert shared("Was it the ferry?", "The boat was it.") == 0.0
    assert shared("The Ferry of Varnby", "varnby's ferry") == 1.0
    assert shared("", "ferry") == 0.0


def test_support_stays_between_0_and_1():
    assert support(Measured("x", 1.0, 1.0, ""), Weights(0.9, 0.9)) == 1.0
    assert support(Measured("x", 0.0, 0.0, ""), Weights(0.9, 0.9)) == 0.0


def test_the_shipped_weights_say_what_they_were_fitted_on():
    weights = shipped_weights()
    assert weights.entailment > 0
    assert weights.words > 0
    assert "ratings_dev" in weights.fitted_on


TEXTS = st.lists(st.tuples(st.text(max_size=20), st.text(max_size=40)), max_size=3)


@given(TEXTS, TEXTS)
def test_any_text_can_be_judged(gold, predicted):
    [found] = judge(case(gold, predicted))
    assert all(share is None or 0 <= share <= 1 for share in shares_of(found))


def test_a_fact_of_nothing_to_read_has_no_entailment():
    [[measured]] = measure_all([([("", "Varnby owns it today")], [])], Reader(), split)
    assert (measured.entailment, measured.words, measured.piece) == (0.0, 0.0, "")
