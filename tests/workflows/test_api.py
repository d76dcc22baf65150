"""The library: what `import uhhrag` gives, with stand-ins for the models."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest

import uhhrag
from tests.support.nltk_data import nltk_data_folder
from uhhrag import api
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.cli.options import METHOD
from uhhrag.errors import InputError, RunError, UsageError
from uhhrag.records import Claim, Failure, Label, Verdict
from uhhrag.workflows.method import MethodOptions, choose

SAMPLE = Path(__file__).resolve().parents[2] / "data"
CLAIM = "The harbour of Varnby was dredged in 2019."


def answering(letter: str) -> uhhrag.Loaded:
    script = {"ask_about": ["Was it so?"], "vote_constrained": lambda prompt: letter}
    return uhhrag.Loaded(scripted_llm(script), f"always {letter}")


MODELS = {"embedder": uhhrag.Loaded(hashing_embedder(), "words"), "llm": answering("A")}


@pytest.fixture
def store(tmp_path) -> Path:
    page = {"url": "https://a.example", "url2text": ["The harbour of Varnby was dredged in 2019."]}
    (tmp_path / "store.jsonl").write_text(json.dumps(page) + "\n")
    return tmp_path / "store.jsonl"


@pytest.fixture
def index(tmp_path) -> Path:
    embedder = MODELS["embedder"]
    uhhrag.index(SAMPLE, tmp_path / "index", limit=3, embedder=embedder)
    return tmp_path / "index"


@pytest.mark.slow
def test_the_import_loads_the_version_alone_and_nothing_heavy():
    code = (
        "import sys; before = {*sys.modules}; import uhhrag;"
        "new = {*sys.modules} - before; print([m for m in new if m.startswith('uhhrag.')],"
        "[m for m in ('numpy', 'torch', 'pyarrow', 'faiss', 'typer') if m in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "['uhhrag.version'] []\n"


def test_every_public_name_is_there_and_documented():
    for name in uhhrag.__all__:
        assert getattr(uhhrag, name) is getattr(api, name)
        assert getattr(uhhrag, name).__doc__
    with pytest.raises(AttributeError):
        _ = uhhrag.nothing


def test_the_options_are_those_of_the_commands():
    assert {*MethodOptions.__annotations__} == {one.name for one in METHOD}


def test_a_claim_is_checked_against_a_store_without_data_of_nltk(store, tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "nothing"))
    result = uhhrag.check(CLAIM, docs=str(store), **MODELS)
    assert len(result) == 1
    verdict = result[0]
    assert isinstance(verdict, Verdict)
    assert verdict.label is Label.SUPPORTED
    assert verdict.evidence[0].answer == CLAIM
    assert result.documents.sentences == 1
    assert [warning[:14] for warning in result.warnings] == ["The shipped ca", "callable casts"]
    assert "embedder:callable@words" in result.signature


def test_several_claims_are_a_table_with_a_row_per_claim(store):
    claims = [CLAIM, Claim(7, "It rained.", "31-10-2020")]
    table = uhhrag.check(claims, docs=store, nearest=0, **MODELS).to_arrow()
    assert table.column("claim_id").to_pylist() == [0, 7]
    assert table.column("label").to_pylist() == ["Supported", "Supported"]
    assert table.column("url").to_pylist() == ["https://a.example"] * 2


def test_another_fingerprint_is_another_run_and_the_same_one_is_not_asked_again(store):
    assert uhhrag.check(CLAIM, docs=store, **MODELS)[0].label is Label.SUPPORTED
    other = {**MODELS, "llm": answering("B")}
    assert uhhrag.check(CLAIM, docs=store, **other)[0].label is Label.REFUTED

    def never(prompts, ask, /):
        raise AssertionError

    again = {**MODELS, "llm": uhhrag.Loaded(never, "always A")}
    assert uhhrag.check(CLAIM, docs=store, **again)[0].label is Label.SUPPORTED


def test_fingerprints_that_begin_alike_are_different_models(store, index, tmp_path):
    def model(letter: str) -> uhhrag.Loaded:
        return uhhrag.Loaded(answering(letter).model, f"fake model {letter}")

    for letter, label in (("A", Label.SUPPORTED), ("B", Label.REFUTED), ("A", Label.SUPPORTED)):
        models = {**MODELS, "llm": model(letter)}
        assert uhhrag.check(CLAIM, docs=store, **models)[0].label is label
    uhhrag.predict(index, tmp_path / "run", **MODELS | {"llm": model("A")})
    both = r"\(llm:callable@fake model A; now llm:callable@fake model B\)"
    with pytest.raises(RunError, match=both):
        uhhrag.predict(index, tmp_path / "run", **MODELS | {"llm": model("B")})
    other = {**MODELS, "embedder": uhhrag.Loaded(hashing_embedder(), "fake embedder 2")}
    assert "embedder:callable@fake embedder 2|" in uhhrag.check(CLAIM, store, **other).signature


def test_progress_and_warnings_go_to_callbacks(store):
    steps, lines = [], []
    uhhrag.check(
        CLAIM, docs=store, progress=lambda *step: steps.append(step), warn=lines.append, **MODELS
    )
    assert steps == [(1, 1, "sentences"), (1, 1, "claims")]
    assert [line[:14] for line in lines] == ["The shipped ca", "callable casts"]


def test_a_claim_that_fails_is_in_the_result_with_its_reason(store):
    silent = uhhrag.Loaded(scripted_llm({}), "knows no step")
    result = uhhrag.check(CLAIM, docs=store, embedder=MODELS["embedder"], llm=silent)
    assert result.verdicts == ()
    assert isinstance(result[0], Failure)
    assert result.rows[0]["error"] == result.failures[0].error == "KeyError: 'ask_about'"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: uhhrag.check("", docs=SAMPLE), UsageError, "a claim is empty; give its text"),
        (lambda: uhhrag.check([], docs=SAMPLE), UsageError, "no claim is given; give a text or a"),
        (
            lambda: uhhrag.search("http://127.0.0.1:9/x", "ferry"),
            UsageError,
            "http://127.0.0.1:9/x: only check takes an address; name a folder of documents",
        ),
        (
            lambda: uhhrag.ingest("https://a.example/x", "archive"),
            UsageError,
            "https://a.example/x: only check takes an address",
        ),
        (
            lambda: uhhrag.check("A.", docs="nowhere", **MODELS),
            InputError,
            "nowhere: no such folder",
        ),
        (lambda: uhhrag.check("A.", docs=SAMPLE, approach="x"), UsageError, "--approach x is unkn"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, questions="x"), UsageError, "--questions x is un"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, recipe="x"), UsageError, "--recipe x is unknown"),
        (lambda: uhhrag.index(SAMPLE, precision="x"), UsageError, "precision 'x' is unknown"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, pool=0), UsageError, "--pool 0: give 1 or more"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, top_n="3"), UsageError, "--top-n: is a text; it "),
        (lambda: uhhrag.check("A.", docs=SAMPLE, pool="3"), UsageError, "it must be a whole num"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, threads=0), UsageError, "--threads 0: give 1 or"),
        (lambda: uhhrag.check("A.", docs=SAMPLE, cache="no"), UsageError, "must be true or false"),
        (lambda: uhhrag.check(Claim(-1, "A."), docs=SAMPLE), UsageError, "-1: give 0 or more"),
        (lambda: uhhrag.search(SAMPLE, "A", top_n=-1), UsageError, "--top-n -1: give 1 or more"),
        (lambda: uhhrag.index(SAMPLE, limit=-1), UsageError, "limit -1: give 1 or more"),
        (lambda: uhhrag.index(SAMPLE, patience=-1), UsageError, "patience -1: give 0 or more"),
        (lambda: uhhrag.index(SAMPLE, claim=-1), UsageError, "--claim -1: give 0 or more"),
        (
            lambda: uhhrag.evaluate("r", "g", resamples=0),
            UsageError,
            "--resamples 0: give 1 to",
        ),
        (lambda: uhhrag.index(SAMPLE / "nowhere"), InputError, "no such folder"),
        (lambda: uhhrag.evaluate(None, SAMPLE), UsageError, "nothing to score"),
        (lambda: uhhrag.ingest("", "archive"), UsageError, "a path is empty"),
        (lambda: uhhrag.predict("", out="x"), UsageError, "a path is empty"),
    ],
)
def test_an_error_is_an_exception_with_the_commands_line(call, error, message):
    with pytest.raises(error) as raised:
        call()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)
    assert isinstance(raised.value, uhhrag.UhhragError)


def test_a_misspelt_option_is_told_with_the_one_that_is_meant():
    said = "'topn' is not an option; is top_n meant? docs/cli.md lists the options of check"
    with pytest.raises(TypeError, match=re.escape(said)):
        uhhrag.check(CLAIM, docs=SAMPLE, topn=3)
    with pytest.raises(TypeError, match="'verfier' is not an option; is verifier m"):
        uhhrag.evaluate("r", "g", verfier="x")


def test_a_claim_of_another_kind_is_named_and_half_a_character_is_mended(store):
    with pytest.raises(TypeError, match="claim 0, date: is date; it must be a text or null"):
        uhhrag.check(Claim(7, CLAIM, date(2020, 10, 31)), docs=store, **MODELS)
    for claims in (5, ["It rained.", 5]):
        with pytest.raises(TypeError, match=r"claim \d is of type int; give a text or a Claim"):
            uhhrag.check(claims, docs=store, **MODELS)
    result = uhhrag.check(f"\ud800 {CLAIM}", docs=store, **MODELS)
    assert result[0].claim.text == f"\ufffd {CLAIM}"


def test_an_unknown_option_is_named():
    with pytest.raises(TypeError, match="tops"):
        uhhrag.check("A.", docs=SAMPLE, tops=3)


def test_a_voter_of_none_is_named_and_a_date_is_a_date():
    for option in ("voter", "questions", "decoding"):
        with pytest.raises(UsageError, match=f"--{option} None is unknown; it is one of: "):
            choose({option: None})
    assert choose({"before": date(2020, 10, 31)}).settings.limits.before == "2020-10-31"


@pytest.mark.parametrize("measure", ["meteor", "ev2r"])
def test_an_unknown_option_of_a_judge_is_named(measure):
    gold = SAMPLE / "claims.json"
    with pytest.raises(TypeError, match="verifer"):
        uhhrag.evaluate(gold, gold, measure=measure, verifer="v")
    with pytest.raises(TypeError, match="verifer"):
        uhhrag.compare(gold, gold, gold, measure=measure, verifer="v")


def test_index_predict_evaluate_compare(index, tmp_path, monkeypatch):
    folder = nltk_data_folder()
    monkeypatch.setattr("uhhrag.wiring.nltk_data.folder", lambda: folder)
    runs = {}
    for letter in "AB":
        models = {**MODELS, "llm": answering(letter)}
        runs[letter] = uhhrag.predict(index, tmp_path / letter, **models)
    assert [verdict.label for verdict in runs["A"]] == [Label.SUPPORTED] * 3
    assert runs["A"].folder == tmp_path / "A"
    scores = uhhrag.evaluate(tmp_path / "A", SAMPLE / "claims.json", resamples=10)
    assert scores.to_arrow().num_rows == len(json.loads((SAMPLE / "claims.json").read_text()))
    assert scores.report is not None
    both = uhhrag.compare(tmp_path / "A", tmp_path / "B", SAMPLE / "claims.json", resamples=10)
    assert both["claims"] == scores["claims"]
    assert {row["measure"] for row in both.rows} == {*both["measures"]}
    assert both["differs_in"] == "llm callable@always A / callable@always B"
    assert f"\ndiffers in: {both['differs_in']}\n" in both.text
    again = uhhrag.predict(index, tmp_path / "A", **MODELS)
    assert again.results == runs["A"].results
    submission, told = tmp_path / "A" / "predictions.json", []
    submission.write_text(submission.read_text().replace("Supported", "Refuted"))
    gold = SAMPLE / "claims.json"
    uhhrag.evaluate(tmp_path / "A", gold, resamples=10, warn=told.append)
    uhhrag.compare(tmp_path / "A", tmp_path / "B", gold, resamples=10, warn=told.append)
    line = f"{submission}: does not agree with the trace; predict writes it again"
    assert told == [line, line]


def test_an_index_is_a_table_too(tmp_path):
    result = uhhrag.index(SAMPLE, tmp_path / "index", limit=2, embedder=MODELS["embedder"])
    assert [row["passages"] for row in result.rows] == [o.manifest.counts.kept for o in result]
    assert result.passages == sum(row["passages"] for row in result.rows)


def test_pandas_is_named_where_it_is_missing(store, monkeypatch):
    result = uhhrag.check(CLAIM, docs=store, **MODELS)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match="needs the package pandas"):
        result.to_pandas()
