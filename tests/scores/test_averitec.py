from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.formats.gold import Gold, GoldAnswer, GoldQuestion, read_gold
from uhhrag.formats.submission import Prediction, pair, read_predictions
from uhhrag.records import Claim, Evidence, Label
from uhhrag.scores.averitec import (
    F1,
    MEASURES,
    ClaimScore,
    gold_strings,
    measure,
    resample,
    score,
    score_claim,
    utility,
)
from uhhrag.scores.bootstrap import Bootstrap

RUNS = (
    "uhh_retrieve_question_majority_top10",
    "uhh_retrieve_question_all_top10",
    "uhh_question_retrieve_all_top3",
    "hero_8b",
    "organisers_baseline_2024",
)

GOLD = Gold(
    Claim(0, "The sky is green."),
    Label.REFUTED,
    (
        GoldQuestion("What colour is the sky?", (GoldAnswer("Blue"), GoldAnswer("It is blue."))),
        GoldQuestion("Is it green?", (GoldAnswer("No", "Boolean", "It scatters blue light"),)),
        GoldQuestion("Who said so?", ()),
    ),
)
SKY = Evidence("What colour is the sky?", "Blue")


def prediction(*evidence: Evidence, label: Label | None = Label.REFUTED) -> Prediction:
    return Prediction(0, "", label, label or "?", evidence)


@pytest.mark.reference
@pytest.mark.parametrize("run", RUNS)
def test_every_number_is_the_official_scorers(run: str, shared: Path, language: Path) -> None:
    expected = json.loads((shared / "averitec/expected_scores.json").read_text())[run]
    gold = read_gold(shared / "averitec/dev60.json")
    predictions = read_predictions(shared / f"averitec/predictions/{run}.json")
    paired = pair([wanted.claim for wanted in gold], predictions, run).predictions
    scores = score(gold, paired, language)
    found = measure(scores)
    assert [claim.q for claim in scores] == expected["per_claim_Q"]
    assert [claim.qa for claim in scores] == expected["per_claim_Q+A"]
    for name, value in expected.items():
        if isinstance(value, float):
            assert found[name] == value
    for label, value in expected["f1"].items():
        assert found[F1[Label(label)]] == pytest.approx(value, abs=1e-12)
    assert found["f1_macro"] == pytest.approx(np.mean(list(expected["f1"].values())), abs=1e-12)


@pytest.mark.reference
def test_the_number_of_processes_changes_nothing(shared: Path, language: Path) -> None:
    gold = read_gold(shared / "averitec/dev60.json")[:9]
    file = shared / "averitec/predictions/uhh_question_retrieve_all_top3.json"
    found = read_predictions(file)[:9]
    assert score(gold, found, language, workers=2) == score(gold, found, language, workers=1)


def test_gold_has_one_string_an_answer_and_one_for_a_question_without() -> None:
    assert gold_strings(GOLD) == [
        "What colour is the sky? Blue",
        "What colour is the sky? It is blue.",
        "Is it green? No. It scatters blue light",
        "Who said so? No answer could be found.",
    ]


@pytest.mark.usefixtures("language")
def test_unmatched_gold_is_zero_and_surplus_predictions_cost_nothing() -> None:
    alone = utility(["What is it?"], ["What is it?"])
    assert utility(["What is it?", "Who?"], ["What is it?"]) == alone / 2
    assert utility(["What is it?"], ["zebra", "What is it?", "?"]) == alone


@pytest.mark.usefixtures("language")
def test_an_eleventh_item_of_evidence_is_ignored_and_counted() -> None:
    wrong = [Evidence("zebra", "zebra")] * 10
    found = score_claim(GOLD, prediction(*wrong, SKY))
    assert found.q == found.qa == 0.0
    assert (found.counted, found.ignored) == (10, 1)


@pytest.mark.usefixtures("language")
def test_without_evidence_or_prediction_the_scores_are_zero() -> None:
    without, missing = score_claim(GOLD, prediction()), score_claim(GOLD, None)
    assert (without.q, without.qa, without.right, without.missing) == (0.0, 0.0, True, False)
    assert (missing.q, missing.qa, missing.right, missing.missing) == (0.0, 0.0, False, True)


@pytest.mark.usefixtures("language")
def test_repeated_evidence_is_counted_up_to_case_and_white_space() -> None:
    again = Evidence("What  colour is the SKY?", "blue ")
    other = Evidence("And the sky?", "BLUE")
    found = score_claim(GOLD, prediction(SKY, again, other))
    assert (found.repeated_pairs, found.repeated_answers) == (1, 2)


def test_a_score_at_the_level_is_not_above_it() -> None:
    at = ClaimScore(0, "", Label.REFUTED, Label.REFUTED, 0.0, 0.25)
    assert not at.veracity(0.25)
    assert replace(at, qa=0.2500001).veracity(0.25)
    assert not replace(at, qa=1.0, predicted=Label.SUPPORTED).veracity(0.25)


def test_a_label_that_is_none_of_the_four_is_wrong_and_no_label() -> None:
    read = ClaimScore(0, "", Label.REFUTED, None, 1.0, 1.0)
    found = measure([read])
    assert found["accuracy"] == found["veracity@0.1"] == found["f1 Refuted"] == 0.0


LABELS = st.sampled_from([*Label, None])
SCORES = st.lists(
    st.builds(
        ClaimScore,
        id=st.just(0),
        claim=st.just(""),
        gold=st.sampled_from(Label),
        predicted=LABELS,
        q=st.floats(0, 1),
        qa=st.floats(0, 1),
    ),
    min_size=1,
    max_size=30,
)


@given(SCORES)
def test_drawing_every_claim_once_gives_the_measures_themselves(scores: list[ClaimScore]) -> None:
    once = resample(scores, np.ones((1, len(scores)), dtype=np.int64))
    assert list(once) == list(MEASURES)
    assert {name: value[0] for name, value in once.items()} == pytest.approx(measure(scores))


@given(SCORES)
def test_f1_is_the_harmonic_mean_of_precision_and_recall(scores: list[ClaimScore]) -> None:
    found = measure(scores)
    for label, name in F1.items():
        both = sum(claim.predicted is label and claim.gold is label for claim in scores)
        said = sum(claim.predicted is label for claim in scores)
        gold = sum(claim.gold is label for claim in scores)
        expected = 2 / (said / both + gold / both) if both else 0.0
        assert found[name] == pytest.approx(expected)


def test_an_interval_is_the_same_for_the_same_seed_and_holds_the_mean() -> None:
    scores = [ClaimScore(n, "", Label.REFUTED, Label.REFUTED, n / 100, n / 100) for n in range(100)]
    draws = Bootstrap(resamples=1000, seed=3).draw(100)
    assert (draws == Bootstrap(resamples=1000, seed=3).draw(100)).all()
    assert (draws != Bootstrap(resamples=1000, seed=4).draw(100)).any()
    assert (draws.sum(axis=1) == 100).all()
    low, high = Bootstrap().interval(resample(scores, draws)["Q"])
    # The standard error of the mean of 0, .01 ... .99 is .029.
    assert low == pytest.approx(0.495 - 1.96 * 0.0289, abs=0.006)
    assert high == pytest.approx(0.495 + 1.96 * 0.0289, abs=0.006)
