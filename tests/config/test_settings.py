"""Choices that cannot give what they promise are refused."""

from __future__ import annotations

import pytest

from uhhrag.approaches import ApproachSpec
from uhhrag.config.choices import Choices, Parts
from uhhrag.config.settings import parse
from uhhrag.errors import UsageError


@pytest.mark.parametrize(
    ("approach", "options"),
    [("retrieve-question", ()), ("summaries", ()), ("pursuit", ("ask=at-once",))],
)
def test_a_rule_that_keeps_an_own_verdict_needs_an_approach_that_reaches_one(approach, options):
    told = f"--rule early keeps an approach's own verdict, and --approach {approach} as it is set"
    with pytest.raises(UsageError, match=told):
        parse(Choices(approach=approach, rule="early", options=options))


def test_such_a_rule_goes_with_what_may_decide_and_another_votes_where_nothing_was_decided():
    assert parse(Choices(approach="pursuit", rule="early")).parts.rule.own
    classified = ("classifier=folder",)
    assert parse(Choices(approach="summaries", options=classified)).rule == "early"
    assert parse(Choices(rule="early-pairs")).parts.rule.own
    own = Parts(approach=ApproachSpec(lambda *given: None, 3))
    assert parse(Choices(approach="own@1", rule="early"), own).rule == "early"
