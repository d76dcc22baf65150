from __future__ import annotations

import numpy as np
import pytest

from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Claim, Evidence, Label
from uhhrag.rules.learned import FEATURES, NEVER, summary
from uhhrag.training.calibration import Example
from uhhrag.training.verdict import SIDES, VerdictScore, as_text, fit_verdict
from uhhrag.wiring import verdicts
from uhhrag.wiring.machine import Loaded
from uhhrag.wiring.verdicts import fit_learned, mirrored

pytestmark = pytest.mark.slow

STANCE = {
    Label.SUPPORTED: (0.8, 0.1, 0.1),
    Label.REFUTED: (0.1, 0.8, 0.1),
    Label.NOT_ENOUGH: (0.1, 0.1, 0.8),
    Label.CONFLICTING: (0.45, 0.45, 0.1),
}


def claims(counts, noise=0.05):
    chance = np.random.default_rng(0)
    rows, labels = [], []
    for label, number in counts.items():
        for _ in range(number):
            stances = []
            for _ in range(4):
                raw = np.abs(np.array(STANCE[label]) + chance.normal(0, noise, 3)) + 1e-3
                stances.append(tuple(raw / raw.sum()))
            rows.append(summary(stances, [0.5] * 4))
            labels.append(label)
    return rows, labels


COUNTS = {Label.SUPPORTED: 20, Label.REFUTED: 40, Label.NOT_ENOUGH: 15}


def test_claims_whose_votes_tell_are_decided_rightly_on_folds_not_fitted_on():
    rows, labels = claims(COUNTS)
    fitted, score = fit_verdict(rows, labels, "news", "verifier", "made")
    assert score.accuracy > 0.95
    assert score.majority == pytest.approx(40 / 75)
    assert fitted.field == "news"
    assert fitted.features == FEATURES
    assert fitted.label_of(fitted.of_features(rows[0].of(FEATURES))) is Label.SUPPORTED
    assert fit_verdict(rows, labels, "news", "verifier", "made") == (fitted, score)


def test_votes_that_tell_nothing_give_the_shares_of_the_labels():
    rows, labels = claims(COUNTS)
    chance = np.random.default_rng(1)
    shuffled = [labels[i] for i in chance.permutation(len(labels))]
    fitted, score = fit_verdict(rows, shuffled, "news", "verifier", "made")
    assert score.accuracy < 0.62
    probabilities = fitted.of_features(np.mean([row.of(FEATURES) for row in rows], axis=0).tolist())
    assert probabilities[Label.REFUTED] == pytest.approx(40 / 75, abs=0.1)


def test_labels_without_a_side_are_emphasised_by_a_power_of_their_own():
    counts = {**COUNTS, Label.NOT_ENOUGH: 10, Label.CONFLICTING: 6}
    rows, labels = claims(counts, noise=0.4)
    fitted, score = fit_verdict(rows, labels, "news", "verifier", "made")
    rarity = {label: len(labels) / len(counts) / number for label, number in counts.items()}
    emphasis = dict(zip(fitted.labels, fitted.emphasis, strict=True))
    powers = {label: np.log(emphasis[label]) / np.log(rarity[label]) for label in counts}
    assert powers[Label.SUPPORTED] == pytest.approx(powers[Label.REFUTED])
    assert powers[Label.NOT_ENOUGH] == pytest.approx(powers[Label.CONFLICTING])
    assert powers[Label.NOT_ENOUGH] > powers[Label.SUPPORTED]
    assert score.f1[Label.CONFLICTING] > 0.1


def test_a_label_with_too_few_claims_is_named():
    rows, labels = claims({**COUNTS, Label.NOT_ENOUGH: 3})
    with pytest.raises(InputError, match="Not Enough Evidence has 3 claims"):
        fit_verdict(rows, labels, "news", "verifier", "made")


def test_limits_are_fitted_where_they_tell_what_probabilities_do_not():
    rows, labels = [], []
    for label, number in {**COUNTS, Label.CONFLICTING: 12}.items():
        for _ in range(number):
            side = STANCE.get(label, STANCE[Label.SUPPORTED])
            stances = [side] * 4
            if label is Label.CONFLICTING:
                stances = [(0.97, 0.01, 0.02)] * 2 + [(0.01, 0.97, 0.02)] * 2
            rows.append(summary(stances, [0.5] * 4))
            labels.append(label)
    fitted, score = fit_verdict(rows, labels, "news", "verifier", "made", using=())
    assert fitted.opposed_from < NEVER
    assert fitted.silent_below > 0
    assert score.f1[Label.CONFLICTING] == score.f1[Label.NOT_ENOUGH] == 1


def test_a_side_is_given_from_the_lowest_probability_that_is_right_often_enough():
    rows, labels = claims({**COUNTS, Label.SUPPORTED: 60, Label.NOT_ENOUGH: 60}, noise=0.6)
    plain, before = fit_verdict(rows, labels, "documents", "verifier", "made")
    assert plain.supported_from == plain.refuted_from == 0.0
    for side, right, field in (
        (Label.SUPPORTED, (0.85, 0.0), "supported_from"),
        (Label.REFUTED, (0.0, 0.85), "refuted_from"),
    ):
        careful, after = fit_verdict(rows, labels, "documents", "verifier", "made", right=right)
        (other,) = {Label.SUPPORTED, Label.REFUTED} - {side}
        assert 0.5 <= getattr(careful, field) < 0.8
        assert before.right[side] < 0.85 <= after.right[side]
        assert after.mix[side] < before.mix[side]
        assert after.mix[other] == before.mix[other]


def test_claims_of_a_group_are_never_divided_between_fit_and_score():
    """Each group has a verdict of its own that no other group tells."""
    rows, labels, groups = [], [], []
    for number in range(20):
        label = (Label.SUPPORTED, Label.REFUTED)[number % 2]
        chance = np.random.default_rng(number)
        stance = chance.dirichlet(np.ones(3))
        for _ in range(4):
            rows.append(summary([tuple(stance)] * 2, [float(stance[0])] * 2))
            labels.append(label)
            groups.append(str(number))
    _, divided = fit_verdict(rows, labels, "documents", "verifier", "made")
    _, whole = fit_verdict(rows, labels, "documents", "verifier", "made", groups=groups)
    assert whole.accuracy < divided.accuracy - 0.1


def test_a_claim_with_its_sides_exchanged_has_the_other_label():
    stances = [(0.9, 0.02, 0.08), (0.1, 0.3, 0.6)]
    read, labels, groups = mirrored([(stances, [0.5, 0.4])] * 2, [*SIDES][:1] * 2, ["a", "b"])
    assert read[2] == ([(0.02, 0.9, 0.08), (0.3, 0.1, 0.6)], [0.5, 0.4])
    assert labels == [Label.SUPPORTED] * 2 + [Label.REFUTED] * 2
    assert groups == ["a", "b", "a", "b"]


def example(number, label=Label.SUPPORTED, *, group=""):
    return Example(Claim(number, f"claim {number}"), label, (Evidence("?", "it is so"),), group)


def learn(examples, field, **more):
    embed, stance = hashing_embedder(8), [(0.8, 0.1, 0.1)]
    return fit_learned(
        examples, field, "made", embed, lambda pairs: stance * len(pairs), lambda *_: None, **more
    )


def test_what_cannot_be_fitted_is_said_before_anything_is_read():
    with pytest.raises(UsageError, match="--field new is unknown; it is one of: news, documents"):
        learn([example(0)], "new")
    with pytest.raises(UsageError, match="leave --llm out"):
        learn([example(0)], "documents", model=Loaded(scripted_llm({}), "m"))
    with pytest.raises(InputError, match="made, none with evidence"):
        learn([Example(Claim(0, "c"), Label.REFUTED, ())], "news")
    read: list[object] = []
    rare = [example(n, SIDES[n == 5]) for n in range(6)]
    with pytest.raises(InputError, match="has 1 claim; 5 are needed"):
        fit_learned(rare, "news", "made", hashing_embedder(8), read.append, lambda *_: None)
    assert read == []
    with pytest.raises(InputError, match="are of 2 groups; 5 are needed"):
        learn([example(n, SIDES[n % 2], group=str(n % 2)) for n in range(10)], "news")


def test_a_claim_without_group_is_a_group_of_its_own_with_its_copy(monkeypatch):
    score = VerdictScore(0, 0, 0, 0, 0, {}, {}, dict.fromkeys(SIDES, 1.0))
    monkeypatch.setattr(verdicts, "fit_verdict", lambda *_, groups, **__: (groups, score))
    monkeypatch.setattr(verdicts, "known_labels", lambda *_: None)
    claims = [example(0, group="a"), example(1), example(2)]
    groups, score = learn(claims, "documents")
    assert groups == ["a", "claim 1", "claim 2"] * 2
    assert as_text(score).startswith("3 claims and as many with exchanged sides, cross-validated")
    groups, score = learn(claims, "news")
    assert groups == ["a", "claim 1", "claim 2"]
    assert as_text(score).startswith("3 claims, cross-validated")
    assert learn(claims[1:], "news")[0] == []


def test_a_share_that_no_limit_reaches_is_said():
    rows, labels = claims({**COUNTS, Label.SUPPORTED: 60, Label.NOT_ENOUGH: 60}, noise=0.6)
    _, score = fit_verdict(rows, labels, "documents", "verifier", "made", right=(1.01, 0.0))
    said = [line for line in as_text(score).splitlines() if "no limit" in line]
    assert said == ["no limit makes Supported right in 1.010: give more claims"]
