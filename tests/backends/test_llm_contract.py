"""What every language model does, the scripted one and llama.cpp."""

from __future__ import annotations

import math

import pytest

from tests.support.llama_prompts import CAPITAL, FACTS, LETTERS, VOTES
from uhhrag.backends import fakes
from uhhrag.records import Generate, PickOne, Represent

pytestmark = pytest.mark.model


@pytest.fixture(scope="module", params=["tiny", "llama.cpp"])
def either(request):
    """Every backend of the seam."""
    if request.param == "tiny":
        return fakes.scripted_llm({"ask": lambda p: p.body[:20], "vote": lambda p: p.body[8]})
    return request.getfixturevalue("llm")


def test_there_is_one_reply_a_prompt_in_order(either):
    alone = [either([prompt], Generate(4))[0].text for prompt in FACTS]
    together = [reply.text for reply in either(FACTS, Generate(4))]
    assert len(together) == len(FACTS)
    assert together == alone
    assert len(set(together)) > 1


def test_an_option_comes_with_the_log_probability_of_each(either):
    for reply in either(VOTES, LETTERS):
        assert len(reply.logprobs) == 3
        assert all(p <= 0 for p in reply.logprobs)
        assert math.fsum(map(math.exp, reply.logprobs)) <= 1 + 1e-6
        assert reply.text == LETTERS.options[max(range(3), key=reply.logprobs.__getitem__)]
        assert not reply.cut


def test_log_probabilities_follow_the_order_of_the_options(either):
    forth = either(VOTES, LETTERS)
    back = either(VOTES, PickOne(("C", "B", "A")))
    for one, other in zip(forth, back, strict=True):
        assert one.text == other.text
        assert other.logprobs[::-1] == one.logprobs


def test_free_text_has_no_log_probabilities_and_counts_its_tokens(either):
    (reply,) = either([CAPITAL], Generate(5))
    assert reply.logprobs == ()
    assert reply.prompt_tokens > 0
    assert 0 < reply.reply_tokens <= 5


def test_a_hidden_state_comes_without_text(either):
    (one,), (other,) = either(FACTS[:1], Represent()), either(FACTS[1:2], Represent())
    assert (one.text, one.logprobs, one.reply_tokens) == ("", (), 0)
    assert len(one.state) == len(other.state) > 0
    assert one.state != other.state
    assert all(map(math.isfinite, one.state))


@pytest.mark.parametrize("ask", [LETTERS, Generate(4), Represent()])
def test_no_prompt_gives_no_reply(either, ask):
    assert either([], ask) == []


def test_prompts_of_several_heads_can_stand_in_one_call(either):
    mixed = [FACTS[0], VOTES[2], FACTS[1], VOTES[0]]
    assert [r.text for r in either(mixed, Generate(3))] == [
        either([prompt], Generate(3))[0].text for prompt in mixed
    ]
