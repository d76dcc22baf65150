"""Verdicts in the trace and back, of this version and of earlier ones."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from tests.support.pages import evidence, run_view, vote
from tests.support.small_run import CLAIMS, METHOD, by, corpus_for
from uhhrag.pipeline import decide
from uhhrag.records import Claim, Label, Origin, Reply, Verdict, Vote
from uhhrag.rules.rules import GRADE_OPTIONS, LABEL_OPTIONS, RULES, SIDE_OPTIONS, Decoding
from uhhrag.runs.trace import as_record, prediction_in, verdict_in
from uhhrag.views.answer import Documents, answer_of
from uhhrag.views.html_pages import report
from uhhrag.views.run_view import ClaimView

HEADER = {"signature": "approach:small|top:3|version:0"}


def likeliest(letter: str):
    """A model that finds one letter likeliest, or writes a reply that no rule can read."""

    def llm(prompts, ask, /):
        options = getattr(ask, "options", ())
        return [Reply(letter, tuple(-0.1 if o == letter else -3.0 for o in options))] * len(prompts)

    return llm


def decided(rule: str, letter: str = "A", decoding: Decoding = Decoding.CONSTRAINED) -> Verdict:
    method = replace(METHOD, **by(RULES[rule], likeliest(letter), decoding))
    return decide(CLAIMS[0], corpus_for(CLAIMS[0]), method)


def written(verdict: Verdict) -> dict:
    """The record of a verdict as a JSON parser gives it."""
    return json.loads(json.dumps(as_record(verdict, {"prompts": "0"})))


def of_an_earlier_version(record: dict) -> dict:
    """The same record without what the trace did not always say."""
    votes = [{k: v for k, v in vote.items() if k != "meanings"} for vote in record["votes"]]
    return {k: v for k, v in record.items() if k != "vote_per_piece"} | {"votes": votes}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("decoding", Decoding)
def test_a_verdict_is_read_back_as_it_was_written(rule, decoding):
    verdict = decided(rule, decoding=decoding)
    assert verdict_in(written(verdict)) == verdict


@pytest.mark.parametrize(
    ("rule", "options"),
    [
        ("majority", SIDE_OPTIONS),
        ("pairs", SIDE_OPTIONS),
        ("all", LABEL_OPTIONS),
        ("six-point", GRADE_OPTIONS),
    ],
)
def test_the_trace_says_what_each_letter_stands_for(rule, options):
    record = written(decided(rule))
    assert {json.dumps(vote["meanings"]) for vote in record["votes"]} == {json.dumps(options)}


def test_a_vote_says_nothing_where_its_likeliest_option_does():
    assert all(vote.says_nothing for vote in decided("majority", "C").votes)
    assert all(vote.says_nothing for vote in decided("baseline", "C").votes)
    assert not any(vote.says_nothing for vote in decided("majority", "A").votes)
    assert not any(vote.says_nothing for vote in decided("all", "C").votes)
    assert not Vote(Label.REFUTED, Origin.READ, "C").says_nothing


@pytest.mark.parametrize(("rule", "each"), [("majority", True), ("baseline", True)])
def test_a_vote_on_a_piece_is_told_from_a_vote_over_all(rule, each):
    assert decided(rule).vote_per_piece is each


@pytest.mark.parametrize("rule", ["all", "pairs", "six-point", "justified"])
def test_one_vote_over_several_pieces_is_on_none_of_them(rule):
    verdict = decided(rule)
    assert len(verdict.evidence) == 3
    assert not verdict.vote_per_piece


def test_as_many_votes_over_all_evidence_as_there_are_pieces_are_on_none_of_them():
    rule = replace(RULES["justified-40"], samples=3)
    method = replace(METHOD, **by(rule, likeliest("Refuted")))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), method)
    assert len(verdict.votes) == len(verdict.evidence) == 3
    assert not verdict.vote_per_piece
    assert not verdict_in(written(verdict)).vote_per_piece


@pytest.mark.parametrize("letter", "ABC")
@pytest.mark.parametrize("rule", RULES)
def test_an_old_trace_gives_the_same_pages_and_answers_as_a_new_one(rule, letter):
    new = written(decided(rule, letter))
    old = of_an_earlier_version(new)
    assert old != new
    assert shown(verdict_in(old)) == shown(verdict_in(new))


def shown(verdict: Verdict) -> tuple[str, dict]:
    view = ClaimView(verdict.claim, verdict)
    return report(run_view(view)), answer_of(view, HEADER, Documents(1, 1, 5, {}, 0))


def test_letters_of_no_known_rule_mean_nothing_in_an_old_trace():
    odd = replace(vote(), options={"Q": -0.1}, reply="Q", meanings={})
    verdict = Verdict(Claim(0, "It rained."), Label.REFUTED, (evidence(),), (odd,))
    found = verdict_in(of_an_earlier_version(written(verdict)))
    assert found.votes[0].meanings == {}
    assert not found.votes[0].says_nothing


def test_a_record_with_too_few_votes_for_its_evidence_is_refused():
    record = written(decided("majority"))
    with pytest.raises(TypeError, match="not one per piece of evidence"):
        verdict_in(record | {"votes": record["votes"][1:]})


def test_where_a_passage_stands_in_its_context_is_kept_and_old_traces_lack_it():
    claim, context = CLAIMS[0], "The mayor said: No.\nIt sank.\nNo."
    item = replace(evidence("No.", context=context), at=29)
    verdict = replace(decide(claim, corpus_for(claim), METHOD), evidence=(item,) * 3)
    record = as_record(verdict, {})
    assert verdict_in(record).evidence == verdict.evidence
    assert prediction_in(record | {"answers": "window"}).evidence[0].answer == "It sank. No."
    for piece in record["evidence"]:
        assert piece.pop("at") == 29
    assert verdict_in(record).evidence[0] == replace(item, at=0)
