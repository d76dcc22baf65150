"""How a server's reply to a choice is read."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.chat_server import FakeServer, running
from tests.support.openai_letters import LETTERS, VOTES
from uhhrag.backends.openai_server import connect, first_token, of_options, read_option
from uhhrag.records import PickOne

JSON = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=4),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["choices", "logprobs", "content", "top_logprobs", "token", "logprob"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)


def test_a_choice_is_read_from_the_log_probabilities_of_the_first_token(server):
    replies = connect(server.url)(VOTES, LETTERS)
    assert [reply.text for reply in replies] == ["A", "B", "C"]
    for place, reply in enumerate(replies):
        assert reply.logprobs[place] == pytest.approx(math.log(0.9))
        assert reply.prompt_tokens == 7
    assert all(body["max_tokens"] == 1 for body in server.asked)


def test_log_probabilities_stand_in_the_order_of_the_options(server):
    llm = connect(server.url)
    forth, back = llm(VOTES, LETTERS), llm(VOTES, PickOne(("C", "B", "A")))
    assert [r.logprobs for r in forth] == [r.logprobs[::-1] for r in back]


@pytest.mark.parametrize("how", ["silent", "refused"])
def test_without_log_probabilities_the_option_is_read_from_what_is_written(how):
    says = {"A": "**A**", "B": "Answer: B.", "C": "C: it says nothing"}
    fake = FakeServer(says=lambda text: says.get(text[-1], "A"))
    fake.logprobs, fake.refuses_logprobs = False, how == "refused"
    with running(fake) as server:
        llm = connect(server.url, timeout=5)
        assert not llm.gives_logprobs
        fake.says = lambda text: says.get(text[-1], "A")
        assert [(r.text, r.logprobs) for r in llm(VOTES, LETTERS)] == [
            ("A", ()),
            ("B", ()),
            ("C", ()),
        ]
        fake.says = lambda text: "A claim is a claim"
        assert llm(VOTES[:1], LETTERS)[0].text == "A claim is a claim"


def test_an_option_that_is_not_listed_is_read_from_what_is_written_too(server):
    server.listed = ("A", "B")
    (reply,) = connect(server.url)(VOTES[:1], LETTERS)
    assert (reply.text, reply.logprobs) == ("A", ())


@given(JSON)
def test_any_json_is_read_without_an_error(found):
    listed = first_token({"choices": [found]} if not isinstance(found, dict) else found)
    assert all(isinstance(p, float) and p <= 0 for p in listed.values())
    assert len(of_options(listed, ("A", "B"))) in (0, 2)


@given(st.text(max_size=30))
def test_any_text_is_read_without_an_error(written):
    assert read_option(written, ("A", "B")) in ("", "A", "B")


@pytest.mark.parametrize(
    ("written", "option"),
    [
        ("A", "A"),
        (" b\n", "B"),
        ("(B)", "B"),
        ("Answer: A, since", "A"),
        ("B. The evidence", "B"),
        ("A claim", ""),
        ("Both", ""),
        ("I say A", ""),
        ("", ""),
        ("AB", ""),
    ],
)
def test_only_an_option_that_stands_alone_is_read(written, option):
    assert read_option(written, ("A", "B")) == option


def test_an_option_of_several_letters_is_known_by_the_token_that_begins_it_alone():
    listed = {"sup": -0.5, "support": -3.0, "ref": -1.0, "The": -2.0, "r": -0.2, " ": -0.1}
    assert of_options(listed, ("supports", "refutes")) == (-0.5, -0.2)
    assert of_options({"re": -1.0, "ref": -2.0, "rel": -3.0}, ("refutes", "relates")) == (
        -2.0,
        -3.0,
    )
