"""What goes wrong between us and a server."""

from __future__ import annotations

import gzip
import socket

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.openai_letters import LETTERS, VOTES
from uhhrag.backends import openai_server
from uhhrag.backends.openai_server import connect
from uhhrag.errors import ModelError
from uhhrag.records import Generate

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (500, "answered with status 500: .*struck"),
        (404, "answered with status 404"),
        ("cut", "broke off 100 bytes before the end"),
        ("hang", r"did not answer within 0\.5 s"),
        ("redirect", "answered with status 307"),
        (b"<html>busy</html>", "not a JSON object: '<html>busy"),
        (b"", "not a JSON object: ''"),
        (b"[1]", "not a JSON object"),
        ({"error": "busy"}, "not a chat completion; it has: error"),
        ({"choices": []}, "not a chat completion"),
        ({"choices": [{"message": None}]}, "not a chat completion"),
        ({"choices": "A"}, "not a chat completion"),
    ],
)
@pytest.mark.parametrize("ask", [LETTERS, Generate(4)])
def test_what_goes_wrong_is_one_line_and_the_next_question_is_answered(server, how, said, ask):
    llm = connect(server.url, timeout=0.5 if how == "hang" else 30)
    server.fails["say B"] = how
    with pytest.raises(ModelError, match=said) as raised:
        llm(VOTES, ask)
    assert "\n" not in str(raised.value)
    assert llm(VOTES[:1], ask)[0].text == "A"


def test_a_reply_without_end_is_not_read_to_its_end(server, monkeypatch):
    monkeypatch.setattr("uhhrag.backends.http._MAX_REPLY_BYTES", 1000)
    llm = connect(server.url)
    server.says = lambda text: "A" * 2000
    with pytest.raises(ModelError, match="more than 1,000 bytes"):
        llm(VOTES[:1], Generate(4))


def test_a_server_that_is_not_there_is_named():
    with running(FakeServer()) as server:
        url = server.url
    with pytest.raises(ModelError, match=r"http://127\.0\.0\.1:\d+/v1 cannot be asked: Connection"):
        connect(url)


def test_a_server_that_answers_nothing_is_named():
    with running(FakeServer(fails={"": 503})) as server, pytest.raises(ModelError, match="503"):
        connect(server.url)


def test_an_empty_reply_is_an_empty_reply(server):
    llm = connect(server.url)
    server.fails["say"] = {"choices": [{"message": {"content": None}}]}
    (reply,) = llm(VOTES[:1], Generate(4))
    assert (reply.text, reply.prompt_tokens, reply.reply_tokens) == ("", 0, 0)


@pytest.mark.parametrize("ask", [LETTERS, Generate(4)])
def test_one_connection_serves_all_questions(server, ask):
    llm = connect(server.url)
    for _ in range(3):
        assert [reply.text for reply in llm(VOTES, ask)] == ["A", "B", "C"]
    assert len(server.asked) > 9
    assert len(server.connections) == 1


def test_a_connection_that_the_server_closed_meanwhile_is_opened_again(server):
    llm = connect(server.url)
    for connection in server.connections:
        connection.shutdown(socket.SHUT_RDWR)
    assert [reply.text for reply in llm(VOTES, LETTERS)] == ["A", "B", "C"]
    assert len(server.connections) == 2


def test_a_connection_that_is_lost_while_a_question_is_on_its_way_is_opened_again(server):
    llm = connect(server.url)
    server.fails["say B"] = "lost"
    assert [reply.text for reply in llm(VOTES, LETTERS)] == ["A", "B", "C"]


def test_a_connection_with_something_left_to_read_is_not_used_again(server, monkeypatch):
    monkeypatch.setattr("uhhrag.backends.http._MAX_REPLY_BYTES", 1000)
    llm = connect(server.url)
    server.fails["say B"] = b"x" * 100_000
    with pytest.raises(ModelError, match="more than 1,000 bytes"):
        llm(VOTES, LETTERS)
    assert llm(VOTES[:1], LETTERS)[0].text == "A"
    assert len(server.connections) == 2


def test_a_compressed_reply_is_not_unpacked(server):
    llm = connect(server.url)
    server.fails["say B"] = gzip.compress(b"x" * 2**25)
    with pytest.raises(ModelError, match="not a JSON object"):
        llm(VOTES, LETTERS)


def test_no_prompt_gives_no_reply(server):
    assert connect(server.url)([], LETTERS) == []


def test_waiting_is_bounded():
    assert 0 < openai_server.TIMEOUT < 3600
