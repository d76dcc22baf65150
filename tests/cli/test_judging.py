"""`--measure ev2r` of evaluate, compare and report, with stand-ins for the judges' models."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import uhhrag
from tests.cli.test_evaluate import LEFT, run_of
from tests.support import small_run
from tests.support.command import call
from tests.support.nltk_data import nltk_data_folder
from uhhrag.backends.fakes import scripted_llm
from uhhrag.cli.options import JUDGING
from uhhrag.errors import UsageError
from uhhrag.formats.submission import read_predictions, write_csv
from uhhrag.records import Prompt
from uhhrag.scores.ev2r import SHARES
from uhhrag.wiring import llms, verifiers
from uhhrag.wiring.verifiers import LoadedVerifier
from uhhrag.workflows.tasks import JudgeOptions

ANSWER = "The ferry was sold to the town of Varnby in March."
GOLD = [
    {
        "claim": f"Claim {number}.",
        "label": label,
        "questions": [{"question": "Who owns the ferry?", "answers": [{"answer": ANSWER}]}],
    }
    for number, label in enumerate(["Refuted", "Supported", "Refuted"])
]


def entailed(pairs):
    """All of a statement that stands in the premise, nothing else."""
    return [(1.0, 0.0, 0.0) if text in premise else (0.0, 0.0, 1.0) for premise, text in pairs]


def ruling(prompt: Prompt) -> str:
    """As a model that follows the prompt: what stands on both sides is supported."""
    if prompt.step == "ev2r_questions":
        return "1. [[yes]]"
    both = prompt.body.count(ANSWER) == 2
    return f"1. The town owns it. [[{'yes' if both else 'no'}]]"


def row(
    number: int, answer: str = ANSWER, label: str = "Refuted", **changes: Any
) -> dict[str, Any]:
    question = "Who owns the ferry?" if answer == ANSWER else "What grows?"
    evidence = [{"question": question, "answer": answer, "url": ""}]
    return {"claim_id": number, "claim": "", "pred_label": label, "evidence": evidence} | changes


def written(path: Path, rows: Any) -> str:
    path.write_text(json.dumps(rows))
    return str(path)


@pytest.fixture(autouse=True)
def _models(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = nltk_data_folder()
    monkeypatch.setattr("uhhrag.wiring.nltk_data.folder", lambda: folder)
    loaded = LoadedVerifier(entailed, "ab" * 32)
    monkeypatch.setattr(verifiers, "load_verifier", lambda *_, **__: loaded)
    llm = scripted_llm({"ev2r_questions": ruling, "ev2r_facts": ruling})
    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "cd" * 32))


@pytest.fixture
def gold(tmp_path: Path) -> str:
    return written(tmp_path / "gold.json", GOLD)


@pytest.fixture
def run(tmp_path: Path) -> str:
    """The right evidence with the right label, the right evidence, and other evidence."""
    rows = [row(0), row(1), row(2, "Turnips grow well in dry years.")]
    return written(tmp_path / "run.json", rows)


def evaluated(*words: object) -> dict[str, Any]:
    code, out, err = call("evaluate", *words, "--measure", "ev2r", "--json")
    assert code == 0, err
    return json.loads(out)


@pytest.mark.parametrize(("judge", "questions"), [("verifier", 2 / 3), ("llm", 1.0)])
def test_the_object_holds_the_measures_of_2025_with_every_ruling(judge, questions, run, gold):
    found = evaluated(run, "--gold", gold, "--judge", judge)
    assert found["measure"] == "ev2r"
    assert found["Q+A recall"] == pytest.approx(2 / 3)
    assert found["Q recall"] == pytest.approx(questions)
    assert found["score@0.5"] == pytest.approx(1 / 3)
    assert found["accuracy"] == pytest.approx(2 / 3)
    assert [claim["solved"] for claim in found["per_claim"]] == [True, False, False]
    rulings = [claim["facts"]["Q+A recall"][0] for claim in found["per_claim"]]
    assert [one["supported"] for one in rulings] == [True, True, False]
    assert ("replies" in found["per_claim"][0]) == (judge == "llm")


def test_the_signature_names_the_judge_its_model_and_its_prompts(run, gold, tmp_path):
    verifier = evaluated(run, "--gold", gold)
    assert "judge verifier verifier@abababab |" in verifier["signature"]
    assert verifier["judge"]["prompts"] == ""
    llm = evaluated(run, "--gold", gold, "--judge", "llm", "--llm", "some.gguf")
    assert "judge llm some@cdcdcdcd, prompts " in llm["signature"]
    own = tmp_path / "prompts"
    own.mkdir()
    (own / "ev2r_facts.txt").write_text("$claim $evidence $other")
    other = evaluated(run, "--gold", gold, "--judge", "llm", "--prompts", own)
    assert other["judge"]["prompts"] != llm["judge"]["prompts"]


def test_the_text_shows_measures_counts_and_the_signature(run, gold):
    code, out, _ = call("evaluate", run, "--gold", gold, "--measure", "ev2r")
    assert code == 0
    assert "score@0.5" in out
    assert "2 of 3 gold facts are in the other side's evidence" in out
    assert "not comparable with another judge's" in out
    assert all(len(line) <= 80 for line in out.split("95% intervals")[0].splitlines()[2:])


def test_a_table_of_2025_scores_as_its_json_does(run, gold, tmp_path):
    write_csv(tmp_path / "run.csv", read_predictions(Path(run)), "dev")
    table = evaluated(tmp_path / "run.csv", "--gold", gold)
    for name, value in evaluated(run, "--gold", gold).items():
        assert name == "run" or table[name] == value


@pytest.mark.reference
@pytest.mark.parametrize("system", ["organisers_baseline_2024", "hero_8b"])
def test_published_predictions_are_judged_for_all_claims(system, shared):
    averitec = shared / "averitec"
    file = averitec / f"predictions/{system}.json"
    found = evaluated(file, "--gold", averitec / "dev60.json")
    assert (found["claims"], len(found["per_claim"])) == (60, 60)
    assert found["beware"] == []
    assert all(0 <= claim[name] <= 1 for claim in found["per_claim"] for name in SHARES)
    assert all(claim["facts"]["Q+A recall"] for claim in found["per_claim"])
    assert 0 < found["score@0.5"] <= found["accuracy"]


def test_unreadable_replies_are_counted_named_and_shown(monkeypatch, run, gold):
    llm = scripted_llm({"ev2r_questions": ruling, "ev2r_facts": ["I cannot say."]})
    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "cd" * 32))
    found = evaluated(run, "--gold", gold, "--judge", "llm")
    assert (found["unreadable"], found["Q+A recall"], found["Q recall"]) == (6, 0.0, 1.0)
    assert any("count 0, 6 in all" in n for n in found["beware"])
    assert found["per_claim"][0]["replies"]["Q+A recall"] == "I cannot say."


def test_gold_without_answers_empty_evidence_and_missing_claims_are_named(tmp_path):
    claims = [dict(GOLD[0]), *GOLD[1:]]
    claims[0] = {**GOLD[0], "questions": [{"question": "Who?", "answers": []}]}
    gold = written(tmp_path / "gold.json", claims)
    run = written(tmp_path / "run.json", [row(0), row(1, evidence=[])])
    found = evaluated(run, "--gold", gold)
    assert found["per_claim"][0]["Q+A recall"] is None
    assert found["per_claim"][0]["solved"] is None
    assert found["Q+A recall"] == 0.0
    notes = " ".join(found["beware"])
    assert "gold has no answers, left out of Q+A and of the score: 1 claim (0)" in notes
    assert "no evidence, recall and precision are 0: 1 claim (1)" in notes
    assert "no prediction, scored 0: 1 claim (2)" in notes


def test_a_table_per_claim_can_be_written(run, gold, tmp_path):
    evaluated(run, "--gold", gold, "--per-claim", tmp_path / "t.parquet")
    table = pyarrow.parquet.read_table(tmp_path / "t.parquet").to_pydict()
    assert table["solved"] == [True, False, False]
    assert table["Q+A recall"] == pytest.approx([1.0, 1.0, 0.0])


def test_two_runs_are_compared_by_one_judge(run, gold, tmp_path):
    better = written(tmp_path / "better.json", [row(i) for i in range(3)])
    words = ("compare", run, better, "--gold", gold, "--measure", "ev2r")
    code, out, _ = call(*words, "--json")
    found = json.loads(out)
    assert (code, found["same_judge"]) == (0, True)
    assert found["measures"]["Q+A recall"]["difference"] == pytest.approx(1 / 3)
    assert found["flips"] == {"won": [2], "lost": []}
    assert "solved: B won 1 (2), lost 0" in call(*words)[1]


def kept(path: Path, *words: object) -> str:
    return written(path, evaluated(*words))


def test_runs_judged_before_are_compared_without_a_model(monkeypatch, run, gold, tmp_path):
    first = kept(tmp_path / "a.json", run, "--gold", gold)
    second = kept(tmp_path / "b.json", run, "--gold", gold)
    monkeypatch.setattr(verifiers, "load_verifier", None)
    code, out, _ = call("compare", first, second, "--gold", gold, "--measure", "ev2r", "--json")
    found = json.loads(out)
    assert (code, found["same_judge"], found["a"]) == (0, True, run)
    assert {row["difference"] for row in found["measures"].values()} == {0.0}


def test_another_judges_result_is_compared_only_with_a_line_that_says_so(run, gold, tmp_path):
    llm = kept(tmp_path / "llm.json", run, "--gold", gold, "--judge", "llm")
    words = ("compare", llm, run, "--gold", gold, "--measure", "ev2r")
    code, out, _ = call(*words)
    warning = "warning: A was judged by llm qwen2.5-coder-1.5b@cdcdcdcd, prompts "
    assert code == 0
    assert warning in out
    assert out.index(warning) < out.index("Q+A recall")
    found = json.loads(call(*words, "--json")[1])
    assert found["same_judge"] is False
    assert "B by verifier verifier@abababab" in found["beware"]["both"]


def test_judged_runs_are_compared_on_the_claims_that_both_were_asked_for(gold, tmp_path):
    part, whole = run_of(tmp_path / "r", (0, 1), (0,)), run_of(tmp_path / "w", (0, 1, 2), (0, 2))
    saved = evaluated(part, "--gold", gold)
    assert (saved["claims"], saved["unasked"], saved["beware"][0]) == (2, [2], LEFT)
    file = written(tmp_path / "a.json", saved)
    for a in (file, part):
        words = ("compare", a, whole, "--gold", gold, "--measure", "ev2r", "--json")
        found = json.loads(call(*words)[1])
        assert (found["claims"], found["beware"]["a"][0]) == (2, LEFT)
        assert found["measures"]["accuracy"]["a"] == found["measures"]["accuracy"]["b"] == 0.5


@pytest.mark.parametrize(
    "spoil",
    [
        lambda saved: saved["per_claim"].pop(),
        lambda saved: saved.pop("judge"),
        lambda saved: saved["per_claim"][0].update({"Q recall": 7}),
        lambda saved: saved["per_claim"][0].update({"Q recall": "x"}),
        lambda saved: saved["per_claim"][0].update(claim="Another claim."),
        lambda saved: saved.update(per_claim=None),
    ],
)
def test_a_changed_result_of_before_is_refused(spoil, run, gold, tmp_path):
    saved = evaluated(run, "--gold", gold)
    spoil(saved)
    file = written(tmp_path / "a.json", saved)
    code, _, err = call("compare", file, run, "--gold", gold, "--measure", "ev2r")
    assert code == 3
    assert "is not what evaluate --measure ev2r --json prints for these claims" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--judge", "llm"), "--judge belongs to --measure ev2r"),
        (("--replies", "r.sqlite"), "--replies belongs to --measure ev2r"),
        (("--measure", "ev2r", "--llm", "m"), "--llm belongs to --judge llm"),
        (("--measure", "ev2r", "--judge", "llm", "--verifier", "v"), "belongs to --judge verifier"),
    ],
)
def test_an_option_of_another_judge_is_refused(options, message, run, gold):
    code, _, err = call("evaluate", run, "--gold", gold, *options)
    assert (code, message in err) == (2, True)


def test_the_report_shows_each_ruling_beside_the_verdict(tmp_path):
    list(small_run.run_all(tmp_path / "run"))
    claims = json.loads((tmp_path / "run/predictions.json").read_text())
    gold = [
        {"claim": c["claim"], "label": "Refuted", "questions": GOLD[0]["questions"]} for c in claims
    ]
    words = ("report", tmp_path / "run", "--gold", written(tmp_path / "gold.json", gold))
    assert call(*words)[0] == 0
    assert "Evidence, judged" not in (tmp_path / "run/report.html").read_text()
    code, _, err = call(*words, "--measure", "ev2r")
    assert code == 0, err
    page = (tmp_path / "run/report.html").read_text()
    assert page.count("Evidence, judged") == 1
    assert "Ev2R, judge: verifier verifier@abababab" in page
    assert page.count("Facts of gold, judged: recall") == len(claims)
    assert ANSWER in page


def test_a_report_and_scores_of_a_damaged_run_say_what_is_damaged(gold, tmp_path):
    list(small_run.run_all(tmp_path / "run"))
    trace = tmp_path / "run/trace.jsonl"
    trace.write_bytes(trace.read_bytes()[:-9])
    code, _, err = call("report", tmp_path / "run")
    assert (code, f"{trace}: its last line is cut short" in err) == (0, True)
    code, _, err = call("evaluate", tmp_path / "run", "--gold", gold)
    assert f"{trace}: its last line is cut short" in err
    trace.write_bytes(b"")
    code, _, err = call("report", tmp_path / "run")
    assert (code, "holds no verdict; see what is damaged by: uhhrag" in err) == (7, True)


def test_a_report_needs_gold_to_judge(tmp_path):
    list(small_run.run_all(tmp_path / "run"))
    code, _, err = call("report", tmp_path / "run", "--measure", "ev2r")
    assert (code, "--gold" in err) == (2, True)


def test_the_library_takes_judges_of_its_own(run, gold):
    judge = uhhrag.Loaded(entailed, "12345678ff")
    result = uhhrag.evaluate(run, gold, measure="ev2r", judge=judge)
    assert result["score@0.5"] == pytest.approx(1 / 3)
    assert "callable@12345678ff" in result["signature"]
    llm = uhhrag.Loaded(scripted_llm({"ev2r_questions": ruling, "ev2r_facts": ruling}), "f" * 8)
    calls: list[tuple[int, int, str]] = []
    result = uhhrag.evaluate(
        run, gold, measure="ev2r", judge="llm", llm=llm, progress=lambda *a: calls.append(a)
    )
    assert result.to_arrow().column("solved").to_pylist() == [True, False, False]
    assert calls[-1] == (3, 3, "claims")
    same = uhhrag.compare(run, run, gold, measure="ev2r", judge=judge)
    assert same.rows[0]["difference"] == 0.0
    for wrong in ({"measure": "bleu"}, {"measure": "ev2r", "judge": "jury"}, {"judge": "llm"}):
        with pytest.raises(UsageError):
            uhhrag.evaluate(run, gold, **wrong)


def test_the_library_and_the_commands_have_the_same_options():
    declared = {one.name for one in JUDGING} - {"measure"}
    assert declared == set(JudgeOptions.__annotations__)
