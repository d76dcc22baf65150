"""Ev2R's shares, means and defined scores, whoever judges."""

from __future__ import annotations

import numpy as np
import pytest

from uhhrag.formats.gold import Gold, GoldAnswer, GoldQuestion
from uhhrag.formats.submission import Prediction
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.ev2r import (
    MEASURES,
    Judged,
    Ruling,
    Rulings,
    case_of,
    measure,
    resample,
    score_claim,
    shares_of,
    table_of,
)

CLAIM = Claim(3, "It rained in Varnby.")


def gold(*questions: GoldQuestion, label: Label = Label.REFUTED) -> Gold:
    return Gold(CLAIM, label, questions)


def predicted(*pairs: tuple[str, str], label: Label | None = Label.REFUTED) -> Prediction:
    evidence = tuple(Evidence(question, answer) for question, answer in pairs)
    return Prediction(3, "", label, label or "None", evidence)


ASKED = gold(GoldQuestion("Did it rain?", (GoldAnswer("No", "Boolean", "It was dry."),)))


def rulings(supported: int, facts: int) -> Rulings:
    return Rulings(tuple(Ruling(f"fact {i}", i < supported) for i in range(facts)))


def judged(supported: int, facts: int) -> Judged:
    side = rulings(supported, facts)
    return Judged(side, side, side, side)


def test_a_case_has_a_pair_for_each_answer_and_explains_boolean_ones():
    two = GoldQuestion("Who says\n so?", (GoldAnswer("The mayor"), GoldAnswer("A farmer")))
    case = case_of(gold(*ASKED.questions, two), predicted(("Where?", "In  Varnby"), ("", "Here")))
    assert case.gold.questions == ("Did it rain?", "Who says so?")
    assert case.gold.pairs == (
        ("Did it rain?", "No. It was dry."),
        ("Who says so?", "The mayor"),
        ("Who says so?", "A farmer"),
    )
    assert case.predicted.questions == ("Where?",)
    assert case.predicted.pairs == (("Where?", "In Varnby"), ("", "Here"))


def test_what_says_nothing_is_no_evidence_and_what_repeats_counts_once():
    silent = GoldQuestion("Why?", (GoldAnswer(NO_ANSWER), GoldAnswer("no answer could be found")))
    unanswered = GoldQuestion("When?", ())
    case = case_of(gold(silent, unanswered), predicted(("Q?", "A."), ("Q?", "A. "), ("R?", "–")))
    assert (case.gold.questions, case.gold.pairs) == (("Why?", "When?"), ())
    assert (case.predicted.questions, case.predicted.pairs) == (("Q?", "R?"), (("Q?", "A."),))


def test_all_evidence_counts_not_the_first_ten_pieces():
    many = predicted(*((f"{i}?", f"Fact {i}.") for i in range(25)))
    assert len(case_of(ASKED, many).predicted.pairs) == 25


def test_a_missing_prediction_is_an_empty_one():
    case = case_of(ASKED, None)
    assert (case.predicted.questions, case.predicted.pairs) == ((), ())
    score = score_claim(ASKED, None, judged(0, 2))
    assert (score.missing, score.right, score.solved, score.pieces) == (True, False, False, 0)


@pytest.mark.parametrize(
    ("supported", "facts", "solved"), [(1, 2, False), (2, 3, True), (3, 3, True), (0, 3, False)]
)
def test_a_claim_is_solved_strictly_above_a_half(supported, facts, solved):
    score = score_claim(ASKED, predicted(("Q?", "A.")), judged(supported, facts))
    assert score.recall == supported / facts
    assert score.solved is solved


@pytest.mark.parametrize("label", [Label.SUPPORTED, None])
def test_without_the_right_label_no_claim_is_solved(label):
    score = score_claim(ASKED, predicted(("Q?", "A."), label=label), judged(3, 3))
    assert (score.right, score.solved) == (False, False)


def test_where_gold_has_no_facts_there_is_no_share_and_no_score():
    nothing, something = rulings(0, 0), rulings(0, 4)
    of = Judged(rulings(1, 2), rulings(1, 1), nothing, something)
    assert shares_of(of) == (0.5, 1.0, None, None)
    assert score_claim(ASKED, predicted(("Q?", "A.")), of).solved is None


def test_an_empty_prediction_has_precision_zero():
    of = Judged(rulings(0, 2), rulings(0, 0), rulings(0, 3), rulings(0, 0))
    assert shares_of(of) == (0.0, 0.0, 0.0, 0.0)


def test_an_unreadable_reply_counts_zero_and_is_counted():
    broken = Rulings(reply="?", unreadable=True)
    of = Judged(rulings(1, 1), broken, broken, rulings(1, 2))
    score = score_claim(ASKED, predicted(("Q?", "A.")), of)
    assert score.shares == (1.0, 0.0, 0.0, 0.5)
    assert (score.unreadable, score.solved) == (2, False)


def test_means_leave_out_the_claims_that_have_no_share():
    nothing = Judged(rulings(1, 1), rulings(1, 1), rulings(0, 0), rulings(0, 0))
    scores = [score_claim(ASKED, predicted(("Q?", "A.")), one) for one in (judged(3, 4), nothing)]
    means = measure(table_of(scores))
    assert list(means) == list(MEASURES)
    assert means["Q recall"] == pytest.approx((0.75 + 1) / 2)
    assert means["Q+A recall"] == 0.75
    assert means["score@0.5"] == 1.0
    assert means["accuracy"] == 1.0
    assert measure(table_of(scores[1:]))["Q+A recall"] is None


def test_resamples_agree_with_the_claims_drawn_one_by_one():
    nothing = Judged(rulings(1, 1), rulings(1, 1), rulings(0, 0), rulings(0, 0))
    parts = [judged(3, 4), nothing, judged(0, 2), judged(2, 2)]
    table = table_of([score_claim(ASKED, predicted(("Q?", "A.")), one) for one in parts])
    times = Bootstrap(resamples=50).draw(len(table))
    drawn = resample(table, times)
    for row, counts in enumerate(times):
        again = measure(np.repeat(table, counts, axis=0))
        for name in MEASURES:
            expected = again[name]
            value = drawn[name][row]
            assert np.isnan(value) if expected is None else value == pytest.approx(expected)
