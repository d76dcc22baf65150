"""The server engine with a real server: llama-cpp-python's own, with SmolLM2, on loopback."""

from __future__ import annotations

import math
import socket
import subprocess
import sys
import time
from contextlib import contextmanager

import pytest

from tests.cli.conftest import index, llm, predict, sound_index, uhhrag  # noqa: F401
from tests.support.model_files import model_path
from uhhrag.backends.openai_server import connect
from uhhrag.errors import ModelError
from uhhrag.records import Generate, PickOne, Prompt
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace

pytestmark = pytest.mark.model
pytest.importorskip("fastapi", reason="needs llama-cpp-python[server]")

LETTERS = PickOne(("A", "B", "C"))
VOTES = [Prompt("vote", "Repeat the letter and say nothing else.\n", f"Letter: {x}") for x in "ABC"]


@contextmanager
def serving(*options: str):
    gguf = model_path("smollm2-135m")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "llama_cpp.server", "--model", gguf, "--port", port]
    command += ["--host", "127.0.0.1", "--n_threads", 1, "--n_threads_batch", 1, *options]
    with subprocess.Popen(map(str, command), stderr=subprocess.DEVNULL) as process:
        try:
            yield _when_ready(f"http://127.0.0.1:{port}/v1", process)
        finally:
            process.kill()


def _when_ready(url: str, process: subprocess.Popen) -> str:
    for _ in range(600):
        try:
            connect(url)
        except ModelError:
            assert process.poll() is None, "the server has ended"
            time.sleep(0.1)
        else:
            return url
    raise TimeoutError(url)


@pytest.fixture(scope="module")
def url():
    with serving("--n_ctx", "1024", "--model_alias", "smollm2") as started:
        yield started


def test_letters_come_with_log_probabilities_and_come_again_the_same(url):
    server = connect(url)
    assert (server.model, server.gives_logprobs) == ("smollm2", True)
    replies = server(VOTES, LETTERS)
    assert replies == server(VOTES, LETTERS)
    for reply in replies:
        assert len(reply.logprobs) == 3
        assert math.fsum(map(math.exp, reply.logprobs)) <= 1 + 1e-3
        assert reply.prompt_tokens > 10
    assert len({reply.logprobs for reply in replies}) == 3


def test_free_text_is_greedy_or_seeded(url):
    server = connect(url)
    tale = Prompt("tale", "", "Tell a story of one sentence about a lighthouse.")
    greedy = server([tale], Generate(12))
    assert greedy == server([tale], Generate(12))
    assert 0 < greedy[0].reply_tokens <= 12
    ask = Generate(12, temperature=1.0, top_k=50, seed=1)
    samples = [reply.text for reply in server([tale] * 3, ask)]
    assert len(set(samples)) > 1
    assert samples == [reply.text for reply in server([tale] * 3, ask)]


def test_a_whole_run_with_constrained_votes(predict, tmp_path, url):  # noqa: F811
    options = ("--top-n", 3, "--limit", 1, "--questions", "template", "--no-cache")
    code, _, warned = predict(*options, llm=url)
    assert code == 0, warned
    assert "|llm:openai:smollm2@" in read_header(tmp_path / "run")["signature"]
    (record,) = read_trace(tmp_path / "run" / "trace.jsonl")
    assert {vote["origin"] for vote in record["votes"]} <= {"constrained", "read", "defaulted"}
    assert "constrained" in {vote["origin"] for vote in record["votes"]}
    assert all(vote["reply"] for vote in record["votes"])


def test_a_prompt_that_does_not_fit_fails_alone(url):
    server = connect(url)
    with pytest.raises(ModelError, match="answered with status"):
        server([Prompt("vote", "", "rain " * 1500)], Generate(2))
    assert server(VOTES[:1], Generate(2))[0].text
