"""`--verifier` with anybody's model: MiniCheck's folders, and models behind a server's address."""

from __future__ import annotations

import json
import re

import pytest

from tests.backends.tiny_models import save_minicheck
from tests.support.chat_server import FakeServer, running
from tests.support.command import call
from tests.support.documents import HereReader
from tests.support.doubles import load_nltk_data
from uhhrag.archive import updating
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.errors import UsageError
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Reply
from uhhrag.rules.learned_files import read_learned
from uhhrag.wiring import embedders, llms
from uhhrag.wiring.verifiers import load_verifier
from uhhrag.workflows.judged import load_judge
from uhhrag.workflows.tasks import choose_judge

pytestmark = pytest.mark.slow

CLAIM = "The harbour of Varnby was dredged in 2019."
PAIRS = [("The harbour was dredged.", CLAIM)]


@pytest.fixture(autouse=True)
def embedder(monkeypatch):
    load_nltk_data()
    monkeypatch.setattr(updating, "ReadingProcess", HereReader)
    known = EmbedderId("stand-in", 64, "0" * 64)
    monkeypatch.setattr(embedders, "load_embedder", lambda *_, **__: (hashing_embedder(), known))


@pytest.fixture
def docs(tmp_path):
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "note.txt").write_text("The harbour of Varnby was dredged. It cost much.")
    return folder


@pytest.fixture
def check(docs):
    def run(verifier: object, *more: object) -> dict:
        code, out, notes = call(
            "check", CLAIM, "--docs", docs, "--verifier", verifier, *more, "--json"
        )
        assert code == 0, notes
        return json.loads(out) | {"notes": notes}

    return run


@pytest.fixture
def fit(tmp_path):
    def run(verifier: object) -> dict:
        claims = [
            {
                "claim": f"The bridge {n} is old.",
                "label": ("Refuted", "Supported")[n % 2],
                "evidence": [{"question": "Who?", "answer": f"It is {n % 3} old."}] * 2,
            }
            for n in range(20)
        ]
        (tmp_path / "claims.json").write_text(json.dumps(claims))
        given = ("--claims", tmp_path / "claims.json", "--out", tmp_path / "learned.json")
        code, out, notes = call("train", "verdict", *given, "--model", verifier, "--json")
        assert code == 0, notes
        (entry,) = read_learned(tmp_path / "learned.json")
        assert entry.voter == "verifier"
        return json.loads(out)

    return run


def letters(text: str) -> str:
    return "B" if "Statement:" in text else "A"


def words(text: str) -> str:
    return "Yes" if "Document:" in text else "A"


def minicheck(**more) -> FakeServer:
    return FakeServer(words, models=("bespoke-minicheck:7b",), listed=("Yes", "No"), **more)


@pytest.mark.parametrize("architecture", ["T5", "Roberta", "DebertaV2"])
def test_a_minicheck_in_a_folder_votes_and_a_verdict_is_fitted_to_it(
    check, fit, tmp_path, architecture
):
    folder = save_minicheck(tmp_path / architecture, architecture)
    found = check(folder)
    assert {vote["label"] for vote in found["votes"]} <= {"Supported", "Not Enough Evidence"}
    assert fit(folder)["claims"] == 20


def test_a_model_behind_an_address_votes_by_letters(check, fit):
    with running(FakeServer(letters)) as server:
        found = check(server.url)
        asked = [body["messages"][0]["content"] for body in server.asked]
        assert fit(server.url)["claims"] == 20
    assert found["label"] == "Refuted"
    assert "Votes by a server: log-probabilities" in found["notes"]
    assert any(f"Statement: {CLAIM}" in text for text in asked)


def test_minicheck_behind_an_address_is_asked_in_its_own_form(check, fit):
    with running(minicheck()) as server:
        found = check(f"{server.url}#bespoke-minicheck:7b")
        asked = [body["messages"][0]["content"] for body in server.asked]
        assert fit(server.url)["claims"] == 20
    assert found["label"] == "Supported"
    assert any(text.endswith(f"\nClaim: {CLAIM}") for text in asked)
    assert not any("Statement:" in text for text in asked)


def test_a_kept_verdict_is_of_one_verifier(check):
    with running(minicheck()) as first, running(FakeServer(letters)) as second:
        assert check(first.url)["label"] == "Supported"
        known = len(first.asked)
        assert check(second.url)["label"] == "Refuted"
        assert check(first.url)["label"] == "Supported"
        said = [body["messages"][0]["content"] for body in first.asked[known:]]
        assert not any("Document:" in text for text in said)  # it was kept


def test_without_probabilities_a_reply_counts_fully_and_is_another_verifier():
    with running(minicheck(logprobs=False)) as plain, running(minicheck()) as sure:
        read, likely = load_verifier(plain.url), load_verifier(sure.url)
        assert read.entailment(PAIRS) == [(1.0, 0.0, 0.0)]
        ((supports, refutes, _),) = likely.entailment(PAIRS)
    assert (supports, refutes) == (pytest.approx(0.9 / (0.9 + 0.1 / 2)), 0.0)
    assert read.fingerprint != likely.fingerprint
    assert "no log-probabilities" in llms.choices(read.server)


def test_evidence_is_judged_by_a_model_behind_an_address():
    with running(minicheck()) as server:
        options = {"verifier": server.url}
        judge = load_judge(choose_judge("ev2r", options))
    assert re.fullmatch(r"openai:bespoke-minicheck:7b@\w{8}@\w{8}", judge.identity.model)
    elsewhere = {"verifier": "http://192.0.2.1:8080/v1"}
    with pytest.raises(UsageError, match="give --allow-remote"):
        load_judge(choose_judge("ev2r", elsewhere))
    allowed = choose_judge("ev2r", {**elsewhere, "allow_remote": True})
    assert allowed.machine.allow_remote


@pytest.mark.parametrize(
    ("address", "code", "said"),
    [
        ("http://192.0.2.1:8080/v1", 2, "give --allow-remote"),
        ("http://127.0.0.1:9/v1", 5, "check that a server runs at this address"),
        ("ftp://127.0.0.1/v1", 2, "--verifier ftp://127.0.0.1/v1 is not an address"),
    ],
)
def test_an_address_that_cannot_be_used_is_one_line(docs, address, code, said):
    found, out, notes = call("check", CLAIM, "--docs", docs, "--verifier", address)
    assert (found, out) == (code, "")
    assert said in notes.splitlines()[-1]
    assert not any(path.suffix == ".uhhrag" for path in docs.parent.iterdir())  # nothing was read


def test_a_model_that_the_server_has_not_is_one_line(docs):
    with running(FakeServer(models=("one", "two"))) as server:
        code, _, notes = call("check", CLAIM, "--docs", docs, "--verifier", server.url)
        assert code == 2
        assert f"(one, two); say which: --verifier {server.url}#NAME" in notes
        server.fails = {"": 404}
        given = ("--docs", docs, "--verifier", f"{server.url}#three")
        code, _, notes = call("check", CLAIM, *given)
        assert code == 5
        assert "answered with status 404" in notes.splitlines()[-1]


def test_a_file_of_minicheck_is_asked_in_its_own_form_and_another_by_letters(tmp_path, monkeypatch):
    asked = []

    def llm(prompts, ask, /):
        asked.extend(prompt.text.partition(":")[0] for prompt in prompts)
        return [Reply(ask.options[0]) for _ in prompts]

    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "ab" * 32))
    own, other = (
        load_verifier(tmp_path / name) for name in ("Bespoke-MiniCheck-7B.Q4.gguf", "tiny.gguf")
    )
    assert own.entailment(PAIRS) == other.entailment(PAIRS) == [(1.0, 0.0, 0.0)]
    assert own.fingerprint != other.fingerprint
    assert asked[0] == "Document"
    assert asked[1].startswith("Read a text")
