"""The engine that speaks to servers, over a server of the test's own."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.chat_server import FakeServer, running
from uhhrag.backends import openai_server
from uhhrag.backends.http import API_KEY, is_here, read_address
from uhhrag.backends.openai_server import connect, first_token, of_options, read_option
from uhhrag.errors import ModelError, UsageError
from uhhrag.records import Choose, Generate, Prompt

LETTERS = Choose(("A", "B", "C"))
VOTES = [Prompt("vote", "Head.\n", f"say {letter}") for letter in "ABC"]
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


@pytest.fixture
def server():
    with running(FakeServer(says=lambda text: text[-1])) as started:
        yield started


# Choices


def test_a_choice_is_read_from_the_log_probabilities_of_the_first_token(server):
    replies = connect(server.url)(VOTES, LETTERS)
    assert [reply.text for reply in replies] == ["A", "B", "C"]
    for place, reply in enumerate(replies):
        assert reply.logprobs[place] == pytest.approx(math.log(0.9))
        assert reply.prompt_tokens == 7
    assert all(body["max_tokens"] == 1 for body in server.asked)


def test_log_probabilities_stand_in_the_order_of_the_options(server):
    llm = connect(server.url)
    forth, back = llm(VOTES, LETTERS), llm(VOTES, Choose(("C", "B", "A")))
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


# Free text


def test_free_text_ends_where_it_is_to_end_and_keeps_a_question_mark(server):
    server.says = lambda text: " Who said so? And why?"
    (reply,) = connect(server.url)([VOTES[0]], Generate(20, stop=("?", "\n")))
    assert reply.text == "Who said so?"
    assert server.asked[-1]["stop"] == ["\n"]
    assert server.asked[-1]["temperature"] == 0


def test_a_question_is_asked_in_the_protocols_words(server):
    llm = connect(server.url)
    ask = Generate(9, temperature=0.7, top_k=50, top_p=0.9, seed=4, repetition_penalty=1.2)
    llm([VOTES[0], VOTES[0], VOTES[1]], ask)
    first, second, third = server.asked[-3:]
    assert {"max_tokens": 9, "temperature": 0.7, "top_k": 50, "top_p": 0.9}.items() <= first.items()
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


# Which server, and what it is told


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
        ("http://127.0.0.1:99999/v1", "is no address"),
        ("http://[::1/v1", "is no address"),
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


# What goes wrong


@pytest.mark.parametrize(
    ("how", "said"),
    [
        (500, "answered with status 500: .*struck"),
        (404, "answered with status 404"),
        ("cut", "broke off 100 bytes before the end"),
        ("hang", r"did not answer within 0\.5 s"),
        ("redirect", "answered with status 307"),
        (b"<html>busy</html>", "no JSON object: '<html>busy"),
        (b"", "no JSON object: ''"),
        (b"[1]", "no JSON object"),
        ({"error": "busy"}, "no chat completion; it has: error"),
        ({"choices": []}, "no chat completion"),
        ({"choices": [{"message": None}]}, "no chat completion"),
        ({"choices": "A"}, "no chat completion"),
    ],
)
@pytest.mark.parametrize("ask", [LETTERS, Generate(4)])
def test_what_goes_wrong_is_one_line_and_the_next_question_is_answered(server, how, said, ask):
    llm = connect(server.url, timeout=0.5)
    server.fails["say B"] = how
    with pytest.raises(ModelError, match=said) as raised:
        llm(VOTES, ask)
    assert "\n" not in str(raised.value)
    assert llm(VOTES[:1], ask)[0].text == "A"


def test_a_reply_without_end_is_not_read_to_its_end(server, monkeypatch):
    monkeypatch.setattr("uhhrag.backends.http._LARGEST", 1000)
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


def test_no_prompt_gives_no_reply(server):
    assert connect(server.url)([], LETTERS) == []


def test_waiting_is_bounded():
    assert 0 < openai_server.TIMEOUT < 3600
