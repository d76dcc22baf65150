"""Which server is spoken to, and what it is told."""

from __future__ import annotations

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.openai_letters import LETTERS, VOTES
from uhhrag.backends.http import API_KEY, is_here, read_address
from uhhrag.backends.openai_server import connect
from uhhrag.errors import ModelError, UsageError


def test_the_models_name_is_asked_for_or_stands_in_the_address(server):
    assert connect(server.url).model == "tiny"
    server.models = ("one", "two")
    with pytest.raises(UsageError, match=r"has 2 models \(one, two\); say which: --llm .*#NAME"):
        connect(server.url)
    assert connect(f"{server.url}#two").model == "two"
    assert server.asked[-1]["model"] == "two"


def test_the_same_model_has_the_same_identity_on_another_server_and_another_has_not(server):
    with running(FakeServer()) as other:
        assert connect(server.url).identity == connect(other.url).identity
        server.models, other.models = ("/here/tiny.gguf",), ("/there/tiny.gguf",)
        assert connect(server.url).identity == connect(other.url).identity
        other.models = ("huge",)
        assert connect(server.url).identity != connect(other.url).identity


def test_a_models_name_is_fit_for_a_signature():
    with running(FakeServer(models=("a|b c\x1b[31m:" + "x" * 200,))) as server:
        identity = connect(server.url).identity
    assert "|" not in identity
    assert identity.isprintable()
    assert len(identity) < 100


def test_a_server_that_refuses_what_is_not_standard_is_spoken_to_in_the_standard():
    with running(FakeServer(strict=True)) as server:
        llm = connect(server.url)
        assert llm(VOTES[:1], LETTERS)[0].text == "A"
        assert llm.gives_logprobs


def test_the_key_comes_from_the_environment_and_is_in_no_message(server, monkeypatch):
    connect(server.url)
    assert set(server.keys) == {None}
    monkeypatch.setenv(API_KEY, "sesame")
    llm = connect(server.url)
    assert server.keys[-1] == "Bearer sesame"
    server.fails["say"] = b"no such key: sesame"
    with pytest.raises(ModelError) as raised:
        llm(VOTES[:1], LETTERS)
    assert "sesame" not in str(raised.value)
    assert "sesame" not in repr(llm)


def test_a_key_from_a_file_loses_its_line_end_and_an_impossible_one_is_in_no_message(
    server, monkeypatch
):
    monkeypatch.setenv(API_KEY, "sesame\r\n")
    connect(server.url)
    assert server.keys[-1] == "Bearer sesame"
    monkeypatch.setenv(API_KEY, "open\rsesame")
    with pytest.raises(UsageError, match=r"UHHRAG_API_KEY has characters that no key has") as said:
        connect(server.url)
    assert "sesame" not in str(said.value)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://example.org/v1", "is not this machine"),
        ("https://10.0.0.2:8080/v1", "is not this machine"),
        ("http://127.0.0.1.example/v1", "is not this machine"),
        ("http://user:word@127.0.0.1/v1", "takes no password"),
        ("http://127.0.0.1/v1?key=word", "takes no password"),
        ("ftp://127.0.0.1/v1", "they read http://127"),
        ("http:///v1", "they read http://127"),
        ("http://127.0.0.1:99999/v1", "is not the address of a server"),
        ("http://[::1/v1", "is not the address of a server"),
    ],
)
def test_an_address_that_cannot_be_used_is_refused(url, said):
    with pytest.raises(UsageError, match=said) as raised:
        connect(url)
    assert "word" not in str(raised.value).replace("password", "")


def test_another_machine_is_allowed_where_it_is_allowed():
    assert (
        str(read_address("https://example.org:1/v1/", allow_remote=True))
        == "https://example.org:1/v1"
    )


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost", "::ffff:127.0.0.1"])
def test_these_are_this_machine(host):
    assert is_here(host)


def test_a_name_that_is_looked_up_as_another_machine_gets_nothing(server, monkeypatch):
    monkeypatch.setattr("uhhrag.backends.http.is_here", lambda host: host == "127.0.0.1")
    with pytest.raises(UsageError):
        connect(server.url.replace("127.0.0.1", "localhost"))
    monkeypatch.setattr("uhhrag.backends.http.is_here", lambda host: host == "localhost")
    with pytest.raises(ModelError, match="was looked up as 127"):
        connect(server.url.replace("127.0.0.1", "localhost"))
    assert server.asked == []


def test_no_proxy_is_used(server, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://198.51.100.1:1")
    assert connect(server.url)(VOTES[:1], LETTERS)[0].text == "A"
