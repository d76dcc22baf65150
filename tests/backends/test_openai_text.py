"""Free text written by a server."""

from __future__ import annotations

import pytest

from tests.support.openai_letters import LETTERS, VOTES
from uhhrag.backends.openai_server import connect
from uhhrag.records import Generate, Prompt


def test_free_text_ends_where_it_is_to_end_and_keeps_a_question_mark(server):
    server.says = lambda text: " Who said so? And why?"
    (reply,) = connect(server.url)([VOTES[0]], Generate(20, stop=("?", "\n")))
    assert reply.text == "Who said so?"
    assert server.asked[-1]["stop"] == ["\n"]
    assert server.asked[-1]["temperature"] == 0


def test_a_question_is_asked_in_the_protocols_words(server):
    llm = connect(server.url)
    ask = Generate(9, temperature=0.7, top_k=50, seed=4, repetition_penalty=1.2)
    llm([VOTES[0], VOTES[0], VOTES[1]], ask)
    first, second, third = server.asked[-3:]
    assert {"max_tokens": 9, "temperature": 0.7, "top_k": 50, "top_p": 1.0}.items() <= first.items()
    assert first["repeat_penalty"] == first["repetition_penalty"] == 1.2
    assert first["messages"] == [{"role": "user", "content": "Head.\nsay A"}]
    assert len({body["seed"] for body in (first, second, third)}) == 3
    llm([VOTES[0]], ask)
    assert server.asked[-1] == first


def test_a_prompt_that_is_too_long_loses_its_middle_and_says_so(server):
    llm = connect(server.url)
    long = Prompt("vote", "Head.\n", "start " + "rain " * 5000 + "the end A")
    (reply,) = llm([long], LETTERS)
    assert reply.cut
    sent = server.asked[-1]["messages"][0]["content"]
    assert len(sent) < 10_000
    assert sent.startswith("Head.\nstart")
    assert sent.endswith("the end A")


@pytest.mark.parametrize("text", ["", "\0", "\ud800", "🏔️ é \u202e"])
def test_any_text_is_sent(server, text):
    server.says = lambda text: "A"
    (reply,) = connect(server.url)([Prompt("ask", "", text)], Generate(2))
    assert reply.text == "A"
