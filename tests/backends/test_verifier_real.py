"""The shipped verifier on its real base, without a network."""

from __future__ import annotations

import pytest

from tests.support.model_files import model_path
from uhhrag.wiring.verifiers import load_verifier

pytestmark = pytest.mark.model

CLAIM = "The ferry Havørn was built in 2015."


@pytest.fixture(scope="module")
def verifier():
    model_path("mpnet")
    return load_verifier()


@pytest.mark.parametrize(
    ("premise", "likeliest"),
    [
        ("The ferry Havørn was built in 2015 in Norway.", 0),
        ("The ferry Havørn was built in 1998.", 1),
        ("The school of Ostvik has 214 pupils.", 2),
    ],
)
def test_it_tells_support_from_refutation_and_from_nothing(verifier, premise, likeliest):
    (stance,) = verifier.entailment([(premise, CLAIM)])
    assert max(range(3), key=stance.__getitem__) == likeliest
    assert sum(stance) == pytest.approx(1)


def test_a_stance_does_not_depend_on_what_it_is_read_with(verifier):
    pairs = [(f"The ferry Havørn was built in {year}.", CLAIM) for year in range(2010, 2020)]
    together = verifier.entailment(pairs)
    for pair, stance in zip(pairs[::4], together[::4], strict=True):
        (alone,) = verifier.entailment([pair])
        assert alone == pytest.approx(stance, abs=1e-4)
