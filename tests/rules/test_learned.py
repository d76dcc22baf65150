from __future__ import annotations

import json
import math
from dataclasses import asdict, replace

import pytest

from uhhrag.errors import InputError
from uhhrag.records import Evidence, Label, Origin, Source, Vote
from uhhrag.records.pages import TAKEN_BACK
from uhhrag.rules.learned import (
    FEATURES,
    LearnedVerdict,
    features,
    stance_of,
)
from uhhrag.rules.learned_files import find, read_learned, write_learned

ZERO = (0.0,) * len(FEATURES)
SUPPORTS = tuple(float(name == "mean lean") * 10 for name in FEATURES)
REFUTES = tuple(-10 * float(name == "mean lean") for name in FEATURES)
LEARNED = LearnedVerdict(
    "news", "verifier", FEATURES, tuple(Label)[:3], ZERO, (1.0,) * len(FEATURES),
    (SUPPORTS, REFUTES, ZERO), (0.0, 0.0, 3.0), (1.0, 1.0, 1.0), "nothing",
)  # fmt: skip


def vote(supports: float, refutes: float) -> Vote:
    shares = {"A": supports, "B": refutes, "C": 1 - supports - refutes}
    options = {letter: math.log(max(share, 1e-9)) for letter, share in shares.items()}
    return Vote(Label.SUPPORTED, Origin.CONSTRAINED, "A", supports, options)


def piece(text: str) -> Evidence:
    return Evidence("Q?", text, retrieval_score=0.5)


@pytest.mark.parametrize(
    ("stance", "label"),
    [
        ((0.9, 0.05), Label.SUPPORTED),
        ((0.05, 0.9), Label.REFUTED),
        ((0.05, 0.05), Label.NOT_ENOUGH),
    ],
)
def test_votes_for_a_side_give_that_side_and_votes_for_none_not_enough(stance, label):
    decision = LEARNED([piece("One."), piece("Two.")], [vote(*stance)] * 2)
    assert (decision.label, decision.leaning) == (label, None)
    assert math.fsum(decision.probabilities.values()) == pytest.approx(1)


def test_what_a_document_takes_back_is_not_counted_nor_stands_for_the_same_words_elsewhere():
    back = replace(piece("One."), sources=(Source("a", note=f"{TAKEN_BACK}: “VOID”"),))
    votes = [vote(0.01, 0.01), vote(0.9, 0.05)]
    assert LEARNED([back, piece("One.")], votes) == LEARNED([piece("One.")], votes[1:])
    assert LEARNED([back], votes[:1]).label is Label.NOT_ENOUGH


def test_without_a_stance_there_is_not_enough_evidence():
    written = Vote(Label.REFUTED, Origin.READ, "refuted")
    assert stance_of(written) is None
    for evidence, votes in (((), ()), ([piece("One.")], [written])):
        assert LEARNED(evidence, votes).label is Label.NOT_ENOUGH


def test_where_no_piece_takes_a_side_the_verdict_leans_at_most():
    careful = replace(LEARNED, silent_below=0.5)
    decision = careful([piece("One."), piece("Two.")], [vote(0.45, 0.05)] * 2)
    assert (decision.label, decision.leaning) == (Label.NOT_ENOUGH, Label.SUPPORTED)
    assert careful([piece("One.")], [vote(0.55, 0.05)]).label is Label.SUPPORTED


def test_a_side_that_is_not_sure_enough_is_leant_to():
    for side, field in ((vote(0.6, 0.1), "supported_from"), (vote(0.1, 0.6), "refuted_from")):
        likely = LEARNED([piece("One.")], [side])
        limit = likely.probabilities[likely.label]
        for limits in ({field: limit}, {"supported_from": 1.0, "refuted_from": 1.0, field: 0.0}):
            assert replace(LEARNED, **limits)([piece("One.")], [side]) == likely
        doubted = replace(LEARNED, **{field: math.nextafter(limit, 2)})
        decision = doubted([piece("One.")], [side])
        assert (decision.label, decision.leaning) == (Label.NOT_ENOUGH, likely.label)
        assert decision.probabilities == likely.probabilities


def test_good_evidence_on_both_sides_is_conflicting():
    careful = replace(
        LEARNED, opposed_from=0.9, labels=tuple(Label), weights=(*LEARNED.weights, ZERO),
        bias=(0.0, 0.0, 3.0, 0.0), emphasis=(1.0,) * 4,
    )  # fmt: skip
    pieces = [piece(text) for text in ("One.", "Two.", "Three.", "Four.")]
    votes = [vote(0.95, 0.01), vote(0.92, 0.01), vote(0.02, 0.93), vote(0.02, 0.91)]
    assert careful(pieces, votes).label is Label.CONFLICTING
    assert careful(pieces[:3], votes[:3]).label is Label.SUPPORTED  # one piece against two


def test_one_sure_piece_against_others_leaves_the_verdict_on_documents_unclear():
    shipped, pieces = find("documents", "verifier"), [piece("One."), piece("Two."), piece("Three.")]
    for sides in ((0.93, 0.02), (0.02, 0.93)):
        decided = shipped(pieces, [vote(*sides), vote(*sides), vote(*reversed(sides))])
        assert decided.label is Label.NOT_ENOUGH
        assert decided.leaning in (Label.SUPPORTED, Label.REFUTED)
        assert shipped(pieces, [vote(*sides), vote(*sides), vote(0.05, 0.05)]).leaning is None
    assert shipped(pieces[:2], [vote(0.93, 0.02), vote(0.1, 0.6)]).label is Label.SUPPORTED


def test_mirrors_of_a_sentence_vote_once():
    once = LEARNED([piece("It fell."), piece("No.")], [vote(0.9, 0), vote(0, 0.9)])
    copies = [piece("It fell."), piece("No."), piece("it  fell"), piece("IT FELL!")]
    votes = [vote(0.9, 0), vote(0, 0.9), vote(0.9, 0), vote(0.9, 0)]
    assert LEARNED(copies, votes) == once


def test_features_are_what_their_names_say():
    values = features([(0.6, 0.1, 0.3), (0.2, 0.7, 0.1)], [0.4, 0.8])
    first, second = math.log(6), math.log(2 / 7)
    assert values["mean lean"] == pytest.approx((first + second) / 2)
    assert values["highest lean"] == values["second lowest lean"] == pytest.approx(first)
    assert values["lowest lean"] == pytest.approx(second)
    assert values["lean weighted by similarity"] == pytest.approx((first + 2 * second) / 3)
    assert values["share that supports"] == values["share that refutes"] == 0.5
    assert values["highest relevance"] == pytest.approx(math.log(9))
    assert values["mean says nothing"] == pytest.approx(0.2)
    assert values["lowest similarity"] == 0.4


def test_a_verdict_weighs_only_the_features_it_was_fitted_to():
    names = ("strongest refutation", "highest similarity")
    learned = replace(
        LEARNED, features=names, mean=(0.0, 0.0), deviation=(1.0, 1.0),
        weights=((0.0, 0.0), (10.0, 0.0), (0.0, 0.0)), bias=(0.0, 0.0, 0.0),
    )  # fmt: skip
    assert learned([piece("One.")], [vote(0.05, 0.9)]).label is Label.REFUTED
    assert learned([piece("One.")], [vote(0.9, 0.05)]).label is not Label.REFUTED


def test_one_piece_of_evidence_has_all_features():
    assert len(features([(0.0, 0.0, 1.0)], [0.0])) == len(FEATURES)


def test_a_file_is_read_as_it_was_written_and_searched_by_field_and_voter(tmp_path):
    file = tmp_path / "learned.json"
    file.write_text(json.dumps([asdict(LEARNED)]))
    assert read_learned(file) == (LEARNED,)
    assert find("news", "verifier", file) == LEARNED
    with pytest.raises(InputError, match="no learned verdict of the field documents"):
        find("documents", "verifier", file)


@pytest.mark.parametrize(
    "entry",
    [
        replace(LEARNED, features=FEATURES[1:]),
        replace(LEARNED, features=("mood", *FEATURES[1:])),
        replace(LEARNED, features=(FEATURES[1], *FEATURES[1:])),
        replace(LEARNED, mean=ZERO[1:]),
        replace(LEARNED, bias=(0.0,)),
        replace(LEARNED, emphasis=(1.0,)),
        replace(LEARNED, deviation=ZERO),
        replace(LEARNED, bias=(0.0, 0.0, math.inf)),
        replace(LEARNED, silent_below=math.nan),
        replace(LEARNED, supported_from=math.nan),
        replace(LEARNED, refuted_from=math.nan),
    ],
)
def test_an_entry_that_does_not_fit_is_refused(tmp_path, entry):
    file = tmp_path / "learned.json"
    file.write_text(json.dumps([asdict(entry)]))
    with pytest.raises(InputError, match=r"is not a file of learned verdicts"):
        read_learned(file)


@pytest.mark.parametrize("content", ["[1]", '[{"field": "news"}]', "{}"])
def test_another_file_is_refused(tmp_path, content):
    (tmp_path / "x.json").write_text(content)
    with pytest.raises(InputError):
        read_learned(tmp_path / "x.json")


def test_emphasis_gives_a_label_that_is_not_the_likeliest():
    probabilities = {Label.SUPPORTED: 0.5, Label.REFUTED: 0.1, Label.NOT_ENOUGH: 0.4}
    assert LEARNED.label_of(probabilities) is Label.SUPPORTED
    emphasised = replace(LEARNED, emphasis=(1.0, 1.0, 1.5))
    assert emphasised.label_of(probabilities) is Label.NOT_ENOUGH


def test_a_fit_takes_the_place_of_an_earlier_one_of_its_field_and_voter(tmp_path):
    file = tmp_path / "learned.json"
    newer, other = replace(LEARNED, fitted_on="more"), replace(LEARNED, field="documents")
    for entry in (LEARNED, other, newer):
        write_learned(file, entry)
    assert read_learned(file) == (other, newer)
