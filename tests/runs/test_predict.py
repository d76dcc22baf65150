"""Claims to verdicts: one claim's failure is its own, and stopping changes nothing."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import orjson
import pytest

from tests.support.paths import ROOT
from tests.support.small_run import (
    CLAIMS,
    EMBED,
    LLM,
    METHOD,
    by,
    corpus_for,
    results,
    run_all,
    with_llm,
)
from uhhrag.errors import ModelError, UsageError
from uhhrag.formats.gold import read_claims
from uhhrag.formats.submission import read_predictions
from uhhrag.pipeline import decide
from uhhrag.protocols import EvidenceSource
from uhhrag.records import Claim, Failure, Generate, Label, PickOne, Prompt, Verdict
from uhhrag.rules.rules import RULES
from uhhrag.runs.predict import Meter, select
from uhhrag.runs.shards import Shard
from uhhrag.runs.trace import read_trace

BROKEN = 1
"""The claim at which the faults of these tests strike."""


class Fault(Exception):
    pass


def failing_at(call, *, strikes=lambda *arguments: True, error=Fault("struck")):  # noqa: B008
    """The same callable, but raising where the arguments are those of the fault."""

    def faulty(*arguments):
        if strikes(*arguments):
            raise error
        return call(*arguments)

    return faulty


def of_broken_claim(prompts, ask):
    return CLAIMS[BROKEN].text in prompts[0].text


def opening_fails(claim):
    return failing_at(corpus_for, strikes=lambda c: c.id == BROKEN)(claim)


def searching_fails(claim):
    corpus = corpus_for(claim)
    return replace(corpus, search=failing_at(corpus.search, strikes=lambda *_: claim.id == BROKEN))


def once_at(place):
    """The rule, but raising at the claim of this place in each run of all claims."""
    calls = itertools.count()
    return failing_at(METHOD.join, strikes=lambda *_: next(calls) % len(CLAIMS) == place)


def answering_with_half_a_character(prompts, ask):
    """Replies that no file can hold, for the broken claim."""
    replies = LLM(prompts, ask)
    half = of_broken_claim(prompts, ask)
    return [replace(r, text="Is \ud800 so?") for r in replies] if half else replies


FAULTS = {
    "open": {"search": opening_fails},
    "search": {"search": searching_fails},
    "embed": {
        "method": with_llm(
            embed=failing_at(EMBED, strikes=lambda texts: texts[0] == CLAIMS[BROKEN].text)
        )
    },
    "ask": {"method": with_llm(asker=failing_at(LLM, strikes=of_broken_claim))},
    "vote": {"method": with_llm(voter=failing_at(LLM, strikes=of_broken_claim))},
    "rule": {"method": replace(METHOD, join=once_at(BROKEN))},
    "write": {"method": with_llm(asker=answering_with_half_a_character)},
}
WHY = dict.fromkeys(FAULTS, "Fault: struck") | {
    "write": "TypeError: str is not valid UTF-8: surrogates not allowed"
}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    folder = tmp_path_factory.mktemp("undisturbed")
    list(run_all(folder))
    return folder


def test_a_verdict_holds_the_claim_its_evidence_and_a_vote_for_each():
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), METHOD)
    assert verdict.claim is CLAIMS[0]
    assert len(verdict.evidence) == len(verdict.votes) == 3
    assert verdict.label is RULES["majority"].decide(verdict.votes)
    scores = [e.score for e in verdict.evidence]
    assert scores == sorted(scores, reverse=True)


def test_a_verdict_less_sure_than_the_threshold_abstains_and_says_where_it_leans():
    sure = decide(CLAIMS[0], corpus_for(CLAIMS[0]), METHOD)
    unsure = decide(CLAIMS[0], corpus_for(CLAIMS[0]), replace(METHOD, abstain_below=0.99))
    assert (sure.leaning, unsure.leaning) == (None, sure.label)
    assert unsure.label is Label.NOT_ENOUGH
    assert unsure.votes == sure.votes
    assert (
        decide(CLAIMS[0], EvidenceSource(lambda q, n: []), replace(METHOD, abstain_below=1)).votes
        == ()
    )


def test_an_empty_store_is_not_enough_evidence():
    verdict = decide(CLAIMS[0], EvidenceSource(lambda query, top: []), METHOD)
    assert (verdict.label, verdict.evidence, verdict.votes) == (Label.NOT_ENOUGH, (), ())


@pytest.mark.parametrize("stage", FAULTS)
def test_a_fault_touches_only_its_claim(stage, tmp_path, undisturbed):
    given = list(run_all(tmp_path, **FAULTS[stage]))
    assert [type(one) for one in given] == [Verdict, Failure, Verdict, Verdict]
    assert given[BROKEN] == Failure(CLAIMS[BROKEN], WHY[stage])
    expected = results(undisturbed)[0].splitlines()
    found = results(tmp_path)[0].splitlines()
    assert found[:BROKEN] + found[BROKEN + 1 :] == expected[:BROKEN] + expected[BROKEN + 1 :]
    failed = [r for r in read_trace(tmp_path / "trace.jsonl") if "error" in r]
    said = {"claim_id": BROKEN, "claim": CLAIMS[BROKEN].text, "error": WHY[stage]}
    assert failed == [said]
    assert [p.id for p in read_predictions(tmp_path)] == [0, 2, 3]


@pytest.mark.parametrize("stage", FAULTS)
def test_the_next_run_tries_just_the_claim_that_failed(stage, tmp_path, undisturbed):
    list(run_all(tmp_path, **FAULTS[stage]))
    assert [verdict.claim.id for verdict in run_all(tmp_path)] == [BROKEN]
    assert results(tmp_path) == results(undisturbed)


def test_a_users_error_stands_in_the_trace_as_its_sentence(tmp_path):
    struck = failing_at(LLM, strikes=of_broken_claim, error=ModelError("no\nmemory \ud800"))
    list(run_all(tmp_path, with_llm(voter=struck)))
    record = list(read_trace(tmp_path / "trace.jsonl"))[BROKEN]
    assert record["error"] == "no memory \ufffd"


@pytest.mark.parametrize("stage", ["search", "embed", "ask", "vote"])
def test_a_stopped_run_goes_on_to_the_same_bytes(stage, tmp_path, undisturbed):
    calls = itertools.count()

    def third_time(*_):
        return next(calls) == 2

    def stopping(call):
        return failing_at(call, strikes=third_time, error=KeyboardInterrupt())

    changed = {
        "search": {"search": stopping(corpus_for)},
        "embed": {"method": with_llm(embed=stopping(EMBED))},
        "ask": {"method": with_llm(asker=stopping(LLM))},
        "vote": {"method": with_llm(voter=stopping(LLM))},
    }[stage]
    with pytest.raises(KeyboardInterrupt):
        list(run_all(tmp_path, **changed))
    assert len(orjson.loads((tmp_path / "predictions.json").read_bytes())) == 2
    assert [verdict.claim.id for verdict in run_all(tmp_path)] == [2, 3]
    assert results(tmp_path) == results(undisturbed)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="kills by signal")
def test_a_run_killed_at_any_moment_of_writing_goes_on_to_the_same_bytes(tmp_path, undisturbed):
    subprocess.run(
        [sys.executable, "-m", "tests.support.small_run", str(tmp_path)],
        cwd=ROOT,
        check=True,
        timeout=300,
    )
    moments = sorted(tmp_path.iterdir(), key=lambda path: int(path.name))
    begun = [(folder / "trace.jsonl").exists() for folder in moments]
    assert len(moments) > 20
    assert not begun[0]
    assert begun[-1]
    for folder in moments:
        list(run_all(folder))
        assert results(folder) == results(undisturbed), folder.name


def test_a_later_run_with_more_claims_keeps_those_decided(tmp_path, undisturbed):
    list(run_all(tmp_path, claims=CLAIMS[2:3]))
    assert [v.claim.id for v in run_all(tmp_path)] == [0, 1, 3]
    assert results(tmp_path) == results(undisturbed)


def test_the_rule_all_casts_one_vote(tmp_path):

    def voter(prompts, ask, /):
        return LLM([replace(prompts[0], step="vote_constrained")], ask)

    method = replace(METHOD, **by(RULES["all"], voter))
    verdict = decide(CLAIMS[0], corpus_for(CLAIMS[0]), method)
    assert len(verdict.votes) == 1
    assert set(verdict.votes[0].options) == {"A", "B", "C", "D"}


@pytest.mark.parametrize(
    ("limit", "wanted", "ids"),
    [
        (None, (), [0, 1, 2, 3]),
        (2, (), [0, 1]),
        (99, (), [0, 1, 2, 3]),
        (None, (3, 1, 3), [1, 3]),
        (1, (3, 1), [1]),
    ],
)
def test_limit_and_wanted_ids_select(limit, wanted, ids):
    assert [claim.id for claim in select(CLAIMS, limit, wanted, Shard())] == ids


@pytest.mark.parametrize(
    ("claims", "wanted", "said"),
    [
        (CLAIMS, (7, 1, 9), "no claim 7, 9; its claims are 0 to 3"),
        ((), (0,), "no claim 0"),
    ],
)
def test_a_selection_that_makes_no_sense_is_refused(claims, wanted, said):
    with pytest.raises(UsageError) as caught:
        select(claims, None, wanted, Shard())
    assert said in str(caught.value)


def test_timings_count_calls_and_tokens_by_stage(tmp_path):
    list(run_all(tmp_path, claims=CLAIMS[:2]))
    rows = [orjson.loads(line) for line in (tmp_path / "timings.jsonl").read_bytes().splitlines()]
    assert [row["claim_id"] for row in rows] == [0, 1]
    for row in rows:
        assert abs(datetime.now(UTC) - datetime.fromisoformat(row["at"])) < timedelta(hours=1)
        assert set(row["seconds"]) == {"search", "embed", "ask_about", "vote_constrained"}
        assert all(seconds >= 0 for seconds in row["seconds"].values())
        assert set(row["llm"]) == {"ask_about", "vote_constrained"}
        assert row["llm"]["ask_about"]["calls"] == 5
        assert row["llm"]["vote_constrained"]["calls"] == 3
        assert row["llm"]["vote_constrained"]["reply_tokens"] == 0
        assert row["llm"]["ask_about"]["reply_tokens"] == 5 * 6  # words of _question


def test_a_meter_changes_no_reply_and_adds_up_over_calls():
    meter = Meter()
    measured = meter.llm(LLM)
    prompts = [Prompt("vote_constrained", "one two ", "three"), Prompt("vote_constrained", "", "x")]
    ask = PickOne(("A", "B"))
    assert measured(prompts, ask) == LLM(prompts, ask)
    measured(prompts[:1], ask)
    assert meter.tokens == {"vote_constrained": [3, 3 + 1 + 3, 0]}
    assert measured([], Generate(8)) == []


def test_each_stage_is_told_when_it_begins():
    told = []
    meter = Meter(told.append)
    meter.llm(LLM)([Prompt("vote_constrained", "", "x")], PickOne(("A", "B")))
    meter.embed(lambda texts: texts)(["text"])
    assert told == ["vote_constrained", "embed"]


def test_time_is_counted_where_a_stage_fails():
    meter = Meter()
    with pytest.raises(Fault):
        meter.embed(failing_at(EMBED))(["text"])
    assert set(meter.seconds) == {"embed"}


def test_a_claim_with_half_a_character_is_mended_when_it_is_read(tmp_path):
    file = tmp_path / "claims.json"
    file.write_text('[{"claim": "a \\ud800 b", "claim_date": "\\udfff", "speaker": null}]')
    (claim,) = read_claims(file)
    assert claim == Claim(0, "a \ufffd b", "\ufffd", None)
    (verdict,) = run_all(tmp_path / "run", claims=[claim])
    assert read_predictions(tmp_path / "run")[0].claim == verdict.claim.text
