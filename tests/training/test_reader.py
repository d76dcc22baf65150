"""A reader is fitted to hidden states, and scored on claims that its head was not fitted to."""

from __future__ import annotations

import numpy as np
import pytest

from uhhrag.errors import InputError
from uhhrag.records import Label
from uhhrag.rules.learned import FEATURES, READINGS, summary
from uhhrag.training.regression import fit_reader
from uhhrag.training.verdict import fit_verdict

pytestmark = pytest.mark.slow

LABELS = [label for label in Label for _ in range(25)]
KNOWN = list(Label)


def states(shown: float):
    """Forty numbers of noise, and in the first four how much the label shows."""
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(len(LABELS), 40))
    rows[np.arange(len(LABELS)), [KNOWN.index(label) for label in LABELS]] += shown
    return rows


def right(log_probabilities):
    targets = np.array([KNOWN.index(label) for label in LABELS])
    return float((log_probabilities.argmax(axis=1) == targets).mean())


def test_states_that_tell_give_the_label_on_folds_not_fitted_on():
    fitted = fit_reader(states(6.0), LABELS, "m", "t")
    assert right(fitted.held_out[0]) > 0.9
    reader = fitted.reader
    assert right(np.array([reader.log_probabilities(row) for row in states(6.0).tolist()])) > 0.9
    assert np.exp(fitted.held_out[0]).sum(axis=1) == pytest.approx(1)
    assert fit_reader(states(6.0), LABELS, "m", "t").reader == fitted.reader


def test_states_that_tell_nothing_are_not_believed():
    fitted = fit_reader(states(0.0), LABELS, "m", "t")
    assert right(fitted.held_out[0]) < 0.45  # .25 by chance; heads fitted to the claims have more
    assert np.exp(fitted.held_out[0]).max() < 0.8


def test_claims_of_a_group_are_never_divided_between_fit_and_score():
    """A state tells the group, and each group has one label that no other group tells."""
    rows = np.repeat(np.random.default_rng(0).normal(size=(20, 40)), 5, axis=0) * 6
    groups = [str(n // 5) for n in range(100)]
    assert right(fit_reader(rows, LABELS, "m", "t").held_out[0]) > 0.8
    assert right(fit_reader(rows, LABELS, "m", "t", groups=groups).held_out[0]) < 0.5


def test_a_label_without_claims_is_named():
    with pytest.raises(InputError, match="Conflicting Evidence/Cherrypicking has 0 claims"):
        fit_reader(states(1.0)[:75], LABELS[:75], "m", "t")


def test_a_verdict_over_votes_and_a_reading_is_better_than_over_votes_that_tell_nothing():
    rows = [summary([(0.4, 0.4, 0.2)] * 3, [0.5] * 3) for _ in LABELS]
    read = fit_reader(states(6.0), LABELS, "m", "t")
    alone, alone_score = fit_verdict(rows, LABELS, "news", "verifier", "made")
    both, both_score = fit_verdict(rows, LABELS, "news", "both", "made", read=read)
    assert alone_score.accuracy < 0.4
    assert both_score.accuracy > 0.9
    assert (alone.features, both.features) == (FEATURES, FEATURES + READINGS)
    assert (alone.reader, both.reader) == (None, read.reader)
