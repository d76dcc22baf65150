"""`uhhrag predict` with models behind servers: one, several, and those that misbehave."""

from __future__ import annotations

import json

import pytest

from tests.support.chat_server import FakeServer, running
from tests.support.small_run import results
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace

pytestmark = pytest.mark.slow
RUN = ("--top-n", 3, "--no-cache")


def says(text: str) -> str:
    """A letter that depends on the prompt, or a question."""
    return "AB"[len(text) % 2] if "one letter" in text else f"What are {len(text)} things?"


def trace(folder):
    return list(read_trace(folder / "trace.jsonl"))


def test_a_servers_votes_are_constrained_and_its_model_is_in_the_signature(predict, tmp_path):
    with running(FakeServer(says)) as server:
        code, said, warned = predict(*RUN, llm=server.url)
    assert code == 0, warned
    header = read_header(tmp_path / "run")
    assert "|llm:openai:tiny@" in header["signature"]
    assert server.url not in header["signature"]
    assert "log-probabilities" in header["choices"]
    for record in trace(tmp_path / "run"):
        assert {vote["origin"] for vote in record["votes"]} == {"constrained"}
        assert all(len(vote["options"]) == 3 for vote in record["votes"])
    assert "6 constrained" in said


def test_without_log_probabilities_votes_are_read_and_the_run_says_so(predict, tmp_path):
    def written(text):
        return "C: nothing" if "Fog" in text else says(text)

    with running(FakeServer(written, logprobs=False)) as server:
        code, said, warned = predict(*RUN, llm=server.url)
    assert code == 0
    assert "no log-probabilities" in warned
    assert "no log-probabilities" in read_header(tmp_path / "run")["choices"]
    assert "|llm:openai-text:tiny@" in read_header(tmp_path / "run")["signature"]
    votes = [vote for record in trace(tmp_path / "run") for vote in record["votes"]]
    assert {vote["origin"] for vote in votes} == {"read"}
    assert {vote["probability"] for vote in votes} == {None}
    assert "6 read" in said


def test_a_reply_that_is_no_option_is_the_papers_default(predict, tmp_path):
    with running(FakeServer(lambda text: "I cannot say.", logprobs=False)) as server:
        predict(*RUN, llm=server.url)
    votes = [vote for record in trace(tmp_path / "run") for vote in record["votes"]]
    assert {(vote["origin"], vote["label"]) for vote in votes} == {("defaulted", "Refuted")}
    assert {vote["reply"] for vote in votes} == {"I cannot say."}


def test_claims_are_spread_over_servers_and_one_claim_stays_on_one(predict, tmp_path):
    with running(FakeServer(says)) as alone:
        assert predict(*RUN, "--out", tmp_path / "alone", llm=alone.url)[0] == 0
    with (
        running(FakeServer(says, seconds=0.02)) as one,
        running(FakeServer(says, seconds=0.02)) as two,
    ):
        assert predict(*RUN, "--llm", one.url, "--llm", two.url)[0] == 0
    claims = [record["claim"] for record in trace(tmp_path / "run")]
    for server in (one, two):
        about = {c for b in server.asked for c in claims if c in b["messages"][0]["content"]}
        assert len(about) == 1
    assert results(tmp_path / "alone") == results(tmp_path / "run")


def test_servers_of_different_models_are_refused(predict, tmp_path):
    with running(FakeServer()) as one, running(FakeServer(models=("huge",))) as two:
        code, _, warned = predict("--llm", one.url, "--llm", two.url)
    assert code == 2
    assert "has openai:huge@" in warned
    assert warned.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_a_model_of_this_program_cannot_be_one_of_several(predict):
    with running(FakeServer()) as server:
        code, _, warned = predict("--llm", server.url, "--llm", "smollm2-135m")
    assert code == 2
    assert "only addresses of servers can be given several times" in warned


def test_another_machine_is_refused_on_one_line(predict, tmp_path):
    code, printed, warned = predict(llm="http://192.0.2.1:8080/v1")
    assert (code, printed) == (2, "")
    assert "give --allow-remote" in warned
    assert warned.count("\n") == 1
    assert not (tmp_path / "run").exists()


def test_an_adapter_cannot_be_given_to_a_server(predict):
    with running(FakeServer()) as server:
        code, _, warned = predict("--lora", "a.gguf", llm=server.url)
    assert code == 2
    assert "start the server with it" in warned


def test_a_claim_that_a_server_fails_at_is_the_only_one_without_a_verdict(predict, tmp_path):
    with running(FakeServer(says, fails={"Bats are blind": 500})) as server:
        code, _, warned = predict(*RUN, llm=server.url)
        assert code == 8, warned
        records = trace(tmp_path / "run")
        assert [("error" in record) for record in records].count(True) == 1
        failed = next(record for record in records if "error" in record)
        assert "answered with status 500" in failed["error"]
        server.fails.clear()
        assert predict(*RUN, llm=server.url)[0] == 0
    assert not any("error" in record for record in trace(tmp_path / "run"))


def test_a_second_server_goes_on_with_the_run_of_the_first(predict, tmp_path):
    with running(FakeServer(says)) as one:
        assert predict(*RUN, "--limit", 1, llm=one.url)[0] == 0
    with running(FakeServer(says)) as two:
        assert predict(*RUN, llm=two.url)[0] == 0
    assert len(trace(tmp_path / "run")) == 2
    assert two.asked


def test_a_servers_model_can_be_calibrated_and_one_without_log_probabilities_cannot(
    uhhrag,
    train,
    tmp_path,
):
    out = tmp_path / "c.json"
    with running(FakeServer(says)) as server:
        code, _, warned = uhhrag("calibrate", train, "--out", out, "--llm", server.url)
        assert code == 0, warned
        server.logprobs = False
        other = ("--out", tmp_path / "d.json", "--llm", server.url)
        code, _, warned = uhhrag("calibrate", train, *other)
    assert json.loads(out.read_text())[0]["model"].startswith("openai:tiny@")
    assert code == 2
    assert "does not give the log-probability of every letter" in warned
    assert warned.count("\n") == 1


def test_replies_of_a_server_are_remembered_from_several_threads(predict, tmp_path):
    with running(FakeServer(says)) as one, running(FakeServer(says)) as two:
        options = ("--top-n", 3, "--llm", one.url, "--llm", two.url)
        assert predict(*options, "--out", tmp_path / "a")[0] == 0
        asked = len(one.asked) + len(two.asked)
        assert predict(*options, "--out", tmp_path / "b")[0] == 0
        # only the question that each connection begins with
        assert len(one.asked) + len(two.asked) - asked == 2
    assert results(tmp_path / "a") == results(tmp_path / "b")
