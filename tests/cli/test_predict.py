"""uhhrag predict on two claims of the sample, with a scripted model."""

from __future__ import annotations

import json

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.small_run import results
from uhhrag import doctor
from uhhrag.formats.submission import read_predictions
from uhhrag.formats.trec import passage_id, read_runs
from uhhrag.runs.run_folder import asked_in, read_header
from uhhrag.runs.trace import read_trace

pytestmark = pytest.mark.slow

HOSTILE = "It rained.\x1b[31m\x1b]0;owned\x07 \u202eback\r\n" + "long " * 200


def test_a_run_prints_each_verdict_and_leaves_its_four_files(predict, tmp_path):
    code, said, _ = predict()
    assert code == 0
    records = list(read_trace(tmp_path / "run" / "trace.jsonl"))
    assert len(records) == 2
    for record in records:
        assert f"{record['claim_id']}. {record['claim'][:40]}" in said
        assert f"  {record['label']} by " in said
    assert "2 claims decided" in said
    assert "20 votes: 20 constrained" in said
    assert [p.id for p in read_predictions(tmp_path / "run")] == [0, 1]
    names = {file.name for file in (tmp_path / "run").iterdir()}
    assert {"predictions.json", "trace.jsonl", "run.json", "timings.jsonl"} <= names


@pytest.mark.parametrize("approach", ["retrieve-question", "question-retrieve"])
@pytest.mark.parametrize("rule", ["majority", "unanimous", "all"])
@pytest.mark.parametrize("decoding", ["constrained", "paper"])
def test_every_system_runs(predict, tmp_path, approach, rule, decoding):
    options = ("--approach", approach, "--rule", rule, "--decoding", decoding, "--limit", 1)
    code, said, warned = predict(*options)
    assert code == 0, warned
    (record,) = read_trace(tmp_path / "run" / "trace.jsonl")
    kept = {"retrieve-question": 10, "question-retrieve": 2}[approach]
    assert len(record["evidence"]) == kept
    assert len(record["votes"]) == (1 if rule == "all" else kept)
    origins = {vote["origin"] for vote in record["votes"]}
    assert origins <= ({"constrained"} if decoding == "constrained" else {"read", "defaulted"})
    settings = read_header(tmp_path / "run")["settings"]
    assert (settings["approach"], settings["rule"]) == (approach, rule)
    assert said.count("Q: ") == 1


@pytest.mark.parametrize("top", [3, 5, 7, 10, 12])
def test_any_number_of_evidence_can_be_kept(predict, tmp_path, top):
    assert predict("--top-n", top, "--limit", 1)[0] == 0
    (record,) = read_trace(tmp_path / "run" / "trace.jsonl")
    assert len(record["evidence"]) == top


@pytest.mark.parametrize("approach", ["retrieve-question", "question-retrieve"])
def test_questions_from_the_template_ask_no_model(predict, llm, tmp_path, approach):
    assert predict("--questions", "template", "--approach", approach)[0] == 0
    assert set(llm.steps) == {"vote_constrained"}
    for record in read_trace(tmp_path / "run" / "trace.jsonl"):
        asked = {e["question"] for e in record["evidence"]}
        assert asked == {
            f"What do reliable sources say about the claim that {record['claim'].rstrip(' .?!')}?"
        }


def test_answers_are_windows_of_what_was_found_and_votes_read_the_same(predict, uhhrag, tmp_path):
    assert predict("--limit", 1)[0] == 0
    (record,) = read_trace(tmp_path / "run" / "trace.jsonl")
    (wide,) = read_predictions(tmp_path / "run")
    for item, answer in zip(record["evidence"], wide.evidence, strict=True):
        lines = item["context"].split("\n")
        place = lines.index(item["answer"])
        assert answer.answer == " ".join(lines[max(0, place - 1) : place + 2])
    longer = [
        len(e.answer) > len(i["answer"])
        for e, i in zip(wide.evidence, record["evidence"], strict=True)
    ]
    assert any(longer)

    assert predict("--limit", 1, "--answers", "sentence", "--out", tmp_path / "plain")[0] == 0
    (other,) = read_trace(tmp_path / "plain" / "trace.jsonl")
    (plain,) = read_predictions(tmp_path / "plain")
    assert [e.answer for e in plain.evidence] == [i["answer"] for i in record["evidence"]]
    assert (other["votes"], other["evidence"]) == (record["votes"], record["evidence"])
    for run in ("run", "plain"):
        assert uhhrag("check-files", tmp_path / run)[0] == 0


def test_by_default_the_model_asks_about_the_nearer_half_alone(predict, llm, tmp_path):
    assert predict("--limit", 1)[0] == 0
    (mixed,) = read_trace(tmp_path / "run" / "trace.jsonl")
    constant = f"What do reliable sources say about the claim that {mixed['claim'].rstrip(' .?!')}?"
    assert sum(e["question"] == constant for e in mixed["evidence"]) == 5
    assert llm.steps.count("ask_about") == 5
    assert read_header(tmp_path / "run")["settings"]["questions"] == "mixed"
    assert predict("--limit", 1, "--questions", "llm", "--overwrite")[0] == 0
    (asked,) = read_trace(tmp_path / "run" / "trace.jsonl")
    assert constant not in {e["question"] for e in asked["evidence"]}
    assert {e["answer"] for e in asked["evidence"]} == {e["answer"] for e in mixed["evidence"]}


def test_questions_are_mixed_only_where_passages_come_first(predict):
    code, _, warned = predict("--approach", "question-retrieve", "--questions", "mixed")
    assert code == 2
    assert "--questions mixed goes with: retrieve-question" in warned


def test_everything_a_number_depends_on_is_printed(predict, tmp_path):
    _, said, _ = predict()
    printed = " ".join(said.split())
    for part in read_header(tmp_path / "run")["signature"].split("|"):
        assert part in printed


def test_a_run_without_a_calibration_says_so(predict):
    assert "No calibration" in predict("--calibration", "none", "--limit", 1)[2]
    assert "No calibration" not in predict("--decoding", "paper", "--overwrite")[2]


def test_what_a_page_holds_can_neither_steer_the_terminal_nor_leave_80_columns(
    uhhrag, data, llm, tmp_path
):
    load_nltk_data()
    page = {"url": "https://x.example/\x1b[2J" + "a" * 9, "url2text": [HOSTILE, HOSTILE + " more"]}
    claims = [{"claim": f"Rain fell \x1b[31m in May. {HOSTILE}"}]
    (data / "claims.json").write_text(json.dumps(claims))
    (data / "knowledge_store" / "0.json").write_text(json.dumps(page) + "\n")
    assert uhhrag("index", data, "--out", tmp_path / "i")[0] == 0
    options = ("--index", tmp_path / "i", "--out", tmp_path / "r", "--llm", "stand-in")
    code, said, warned = uhhrag("predict", *options)
    assert code == 0
    assert not {c for c in said + warned if ord(c) < 32 or c in "\x7f\u202e"} - {"\n"}
    lines = [line for line in said.splitlines() if str(tmp_path) not in line]
    assert max(map(len, [*lines, *warned.splitlines()])) <= 80


def test_a_second_run_decides_nothing_again(predict, llm, tmp_path):
    predict()
    before, asked = results(tmp_path / "run"), len(llm.steps)
    code, said, _ = predict()
    assert code == 0
    assert "0 claims to decide; 2 of 2 are done already" in said
    assert "2 claims decided" in said
    assert len(llm.steps) == asked
    assert results(tmp_path / "run") == before


def test_a_claim_that_fails_is_named_and_tried_again(predict, llm, tmp_path):
    llm.fails = "Bats are blind"
    code, said, warned = predict()
    assert code == 8
    assert "no verdict: RuntimeError: struck" in said
    assert "1 claim failed" in said
    assert "no verdict on 1 of 2 claims" in warned.splitlines()[-1]
    llm.fails = None
    assert predict()[0] == 0
    assert [p.id for p in read_predictions(tmp_path / "run")] == [0, 1]


def test_a_missing_model_too_large_for_the_memory_is_named_with_one_that_fits(
    predict, tmp_path, monkeypatch
):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    small = doctor.MachineFacts("Linux", 2, 16 * 10**9, None, None, (), "")
    monkeypatch.setattr(doctor, "look", lambda: small)
    code, _, warned = predict(llm="mixtral-8x7b")
    assert code == 5
    assert warned == (
        "uhhrag: model 'mixtral-8x7b' is not on this machine; run: uhhrag models pull "
        "mixtral-8x7b; mixtral-8x7b: needs 30.9 GB of memory; give --llm qwen3-14b instead\n"
    )


def test_claims_that_the_index_lacks_are_named(uhhrag, data, tmp_path):
    (data / "knowledge_store" / "1.json").unlink()
    assert uhhrag("index", data, "--out", tmp_path / "i", "--limit", 4)[0] == 8
    options = ("--index", tmp_path / "i", "--out", tmp_path / "r", "--llm", "stand-in")
    code, _, warned = uhhrag("predict", *options, "--limit", 3)
    assert code == 0
    assert f"{tmp_path / 'i'}: not indexed, and so not decided: 1 of the 12 claims of its file" in (
        " ".join(warned.split())
    )
    assert read_header(tmp_path / "r")["absent"] == [1]
    assert [*read_header(tmp_path / "r")["passages"]] == ["0", "2", "3"]
    assert "not indexed" not in uhhrag("predict", *options, "--claim", 2)[2]
    assert read_header(tmp_path / "r")["absent"] == [1]
    assert asked_in(tmp_path / "r") == {0, 1, 2, 3}


def test_a_run_on_some_claims_waits_for_no_other(predict, uhhrag, tmp_path):
    assert predict("--limit", 1)[0] == 0
    assert asked_in(tmp_path / "run") == {0}
    assert "no verdict yet" not in uhhrag("report", tmp_path / "run")[2]
    assert predict("--claim", 1)[0] == 0
    assert asked_in(tmp_path / "run") == {0, 1}


def test_a_stopped_run_says_how_to_go_on(predict, llm, monkeypatch):
    def stop(prompts, ask):
        raise KeyboardInterrupt

    llm.llm, kept = stop, llm.llm
    code, _, warned = predict()
    assert code == 130
    assert warned.endswith("uhhrag: stopped; run the same command again to go on\n")
    llm.llm = kept
    assert predict()[0] == 0


def test_a_claim_can_be_chosen(predict, tmp_path):
    assert predict("--claim", 1)[0] == 0
    assert [p.id for p in read_predictions(tmp_path / "run")] == [1]
    predict("--limit", 1)
    assert [p.id for p in read_predictions(tmp_path / "run")] == [0, 1]


@pytest.mark.parametrize(
    ("options", "code", "said"),
    [
        (["--index", "nowhere"], 4, "nowhere: no index here; run: uhhrag index"),
        (["--approach", "guess"], 2, "--approach guess is unknown; it is one of: retrieve-"),
        (["--rule", "dice"], 2, "--rule dice is unknown; it is one of: majority"),
        (["--decoding", "none"], 2, "--decoding"),
        (["--questions", "none"], 2, "--questions"),
        (["--top-n", "0"], 2, "--top-n 0: give 1 or more"),
        (["--top-n", "-3"], 2, "--top-n -3"),
        (["--top-n", "many"], 2, "--top-n"),
        (["--limit", "0"], 2, "--limit 0: give 1 or more"),
        (["--claim", "99"], 2, "the index has no claim 99"),
        (["--threads", "0"], 2, "--threads 0: give 1 or more"),
        (["--threads", "-1"], 2, "--threads"),
        (["--llm", "no-such-model"], 5, "no-such-model"),
        (["--llm", "no-such-file.gguf"], 5, "no-such-file.gguf"),
        (["--llm", "."], 5, ". is not a language model"),
        (["--prompts", "nowhere"], 6, "nowhere is not a folder"),
        (["--calibration", "nowhere.json"], 3, "nowhere.json: cannot be read"),
        (["--examples", "nowhere.json"], 3, "nowhere.json: cannot be read"),
        (["--no-such-option"], 2, "--no-such-option"),
    ],
)
def test_a_mistake_is_one_line_and_its_exit_code(predict, options, code, said, tmp_path):
    found, printed, warned = predict(*options)
    assert (found, printed) == (code, "")
    assert warned.startswith("uhhrag: ")
    assert warned.count("\n") == 1
    assert said in warned
    assert not (tmp_path / "run").exists()


def test_a_bad_calibration_file_is_named(predict, tmp_path):
    (tmp_path / "c.json").write_text('[{"model": "m", "scale": "x"}]')
    code, _, warned = predict("--calibration", tmp_path / "c.json")
    assert code == 3
    assert "c.json: is not a calibration file" in warned


def test_the_folder_of_a_run_with_other_settings_is_refused(predict, tmp_path):
    predict("--top-n", 3)
    before = results(tmp_path / "run")
    code, _, warned = predict("--top-n", 2)
    assert code == 7
    assert "(top:3; now top:2)" in warned
    assert results(tmp_path / "run") == before
    assert predict("--top-n", 2, "--overwrite")[0] == 0


def test_damage_is_named_and_mended(predict, tmp_path):
    predict()
    trace = tmp_path / "run" / "trace.jsonl"
    before = trace.read_bytes()
    trace.write_bytes(before.replace(b"label", b"lapel", 1))
    code, _, warned = predict()
    assert code == 7
    assert "trace.jsonl line 1 is damaged" in warned
    assert predict("--repair")[0] == 0
    assert trace.read_bytes() == before


def test_each_stages_ranking_can_be_written_and_read_back(predict, tmp_path):
    assert predict("--trec", "--top-n", 4)[0] == 0
    runs = read_runs(tmp_path / "run")
    assert list(runs) == ["prefilter", "vectors", "rerank"]
    records = list(read_trace(tmp_path / "run" / "trace.jsonl"))
    for record in records:
        kept = [passage_id(e["answer"]) for e in record["evidence"]]
        found = runs["vectors"][record["claim_id"]]
        assert runs["rerank"][record["claim_id"]] == kept
        assert set(kept) <= set(found[:10])
        assert set(found) == set(runs["prefilter"][record["claim_id"]])
