from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest

import uhhrag
from tests.support.command import call
from tests.support.nltk_data import nltk_data_folder
from tests.support.small_run import HEADER
from uhhrag.runs.run_folder import open_run
from uhhrag.runs.trace import append, as_line

pytestmark = pytest.mark.slow

GOLD = [
    {
        "claim": f"Claim {number}.",
        "label": label,
        "questions": [{"question": "Is it so?", "answers": [{"answer": "It is written here"}]}],
    }
    for number, label in enumerate(["Refuted", "Supported", "Refuted"])
]


def said(number: int | None, label: str = "Refuted", **changes: Any) -> dict[str, Any]:
    evidence = [{"question": "Is it so?", "answer": "It is written here", "url": ["https://a.b"]}]
    row = {"claim_id": number, "claim": "", "pred_label": label, "evidence": evidence}
    return row | changes


@pytest.fixture
def gold(tmp_path: Path) -> str:
    return written(tmp_path / "gold.json", GOLD)


@pytest.fixture(autouse=True)
def _language(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = nltk_data_folder()
    monkeypatch.setattr("uhhrag.wiring.nltk_data.folder", lambda: folder)


def written(path: Path, rows: Any) -> str:
    path.write_text(json.dumps(rows))
    return str(path)


@pytest.mark.reference
def test_the_printed_object_holds_the_official_numbers(shared: Path) -> None:
    averitec = shared / "averitec"
    name = "uhh_retrieve_question_majority_top10"
    expected = json.loads((averitec / "expected_scores.json").read_text())[name]
    file, gold = averitec / f"predictions/{name}.json", averitec / "dev60.json"
    code, out, _ = call("evaluate", str(file), "--gold", str(gold), "--json")
    found = json.loads(out)
    assert code == 0
    for measure in ("Q", "Q+A", "veracity@0.25", "veracity@0.5", "accuracy"):
        assert found[measure] == expected[measure]
    assert found["f1"] == pytest.approx(expected["f1"], abs=1e-12)
    assert found["beware"] == []
    assert "nltk 3." in found["signature"]
    assert "as the official scorer of 2024" in found["signature"]


def test_the_report_names_missing_doubled_and_unknown_claims(tmp_path: Path, gold: str) -> None:
    file = written(tmp_path / "run.json", [said(2), said(2), said(9), said(0)])
    code, out, _ = call("evaluate", file, "--gold", gold)
    assert code == 0
    assert "warning: no prediction, scored 0: 1 claim (1)" in out
    assert "warning: several predictions, the first counts: 1 claim (2)" in out
    assert "warning: id not in the gold file, left out: 1 claim (9)" in out
    assert re.search(r"^accuracy +0\.6667  ", out, re.MULTILINE)


def test_every_command_that_reads_a_run_says_what_of_it_is_damaged(
    tmp_path: Path, gold: str
) -> None:
    sound, run = written(tmp_path / "a.json", [said(0)]), tmp_path / "run"
    run.mkdir()
    written(run / "run.json", {})
    written(run / "predictions.json", [said(0)])
    for words in (
        ("evaluate", run, "--gold", gold),
        ("compare", sound, run, "--gold", gold),
        ("table", sound, run, "--gold", gold),
        ("convert", run, tmp_path / "b.csv"),
    ):
        code, _, err = call(*words)
        told = f"{run / 'predictions.json'}: does not agree with the trace"
        assert (code, told in err) == (0, True)


def test_gold_of_other_claims_is_refused_and_json_warns_of_some(tmp_path: Path, gold: str) -> None:
    rows = [said(0, claim="Claim 2."), said(1, claim="Claim 1."), said(2, claim="Claim 0.")]
    code, out, err = call("evaluate", written(tmp_path / "r.json", rows), "--gold", gold, "--json")
    assert (code, json.loads(out)["pairing"]["other_text"]) == (0, [0, 2])
    assert "claim text is not gold's: is it the right file?: 2 claims (0, 2)\n" in err
    other = written(tmp_path / "other.json", [rows[0], rows[2]])
    code, out, err = call("evaluate", other, "--gold", gold)
    assert (code, out) == (3, "")
    assert f"{other}: no claim has the text that gold has" in err


def test_the_report_fits_a_terminal_and_cannot_steer_it(tmp_path: Path, gold: str) -> None:
    file = written(tmp_path / "run.json", [said(0, "\x1b[31mred"), said(1), said(2)])
    _, out, _ = call("evaluate", file, "--gold", gold)
    assert "\x1b" not in out
    table = [line for line in out.splitlines() if not line.startswith(("/", "warning", "against"))]
    assert max(map(len, table[:-3])) <= 80


def test_repeated_and_surplus_evidence_is_shown(tmp_path: Path, gold: str) -> None:
    many = said(0)["evidence"] * 12
    rows = [said(0, evidence=many), said(1, evidence=[]), said(2)]
    _, out, _ = call("evaluate", written(tmp_path / "r.json", rows), "--gold", gold)
    assert "more than 10 items of evidence, the rest is ignored: 1 claim (0)" in out
    assert "no evidence, Q and Q+A are 0: 1 claim (1)" in out
    told = "of 11 items: 9 answers (1 claim), 9 pairs of question and answer"
    assert told in " ".join(out.split())


def test_files_without_ids_are_paired_by_position_with_a_warning(tmp_path: Path, gold: str) -> None:
    rows = [said(None), said(None, claim="Claim 2."), said(None)]
    _, out, _ = call("evaluate", written(tmp_path / "r.json", rows), "--gold", gold, "--json")
    found = json.loads(out)
    assert found["pairing"]["by"] == "position"
    assert found["pairing"]["other_text"] == [1]
    assert found["beware"][0] == "no prediction has a claim_id: paired by position"


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_scores_by_claim_are_written_in_each_format(tmp_path: Path, gold: str, ending: str) -> None:
    file = written(tmp_path / "run.json", [said(0), said(1)])
    table = tmp_path / f"claims.{ending}"
    call("evaluate", file, "--gold", gold, "--per-claim", str(table))
    if ending == "parquet":
        rows = pyarrow.parquet.read_table(table).to_pylist()
        assert [(row["id"], row["right"]) for row in rows] == [(0, True), (1, False), (2, False)]
    elif ending == "jsonl":
        rows = [json.loads(line) for line in table.read_text().splitlines()]
        assert [row["missing"] for row in rows] == [False, False, True]
        assert rows[0]["Q"] > 0.9
    else:
        assert table.read_text().splitlines()[0].startswith("id,claim,gold,said,right,Q,Q+A,")


@pytest.mark.parametrize(
    ("arguments", "code", "named"),
    [
        (["{run}", "--per-claim", "x.xls"], 2, "x.xls: its ending names no format"),
        ([], 2, "nothing to score"),
        (["{run}", "--workers", "0"], 2, "--workers"),
        (["{cut}"], 3, "cut.json: is not JSON, or was cut off"),
        ([__file__], 3, "test_evaluate.py: is not JSON; give a JSON file"),
        (["nowhere.json"], 3, "nowhere.json: cannot be read: No such file"),
        (["--trec", "nowhere.trec"], 2, "--trec needs --qrels FILE, or --store"),
        (["{run}", "--qrels", "q"], 2, "--qrels q is for --trec; add it, or leave --qrels out"),
        (["{run}", "--store", "s"], 2, "--store s is for --trec"),
        (["--trec", "r", "--qrels", "q", "--store", "s"], 2, "--qrels and --store both say"),
        (["{table}", "--per-claim", "{table}"], 2, "said.csv: is read here, and would be lost"),
        (["{run}", "--per-claim", "{cut}/x.csv"], 2, "x.csv: cannot be written"),
    ],
)
def test_what_cannot_be_done_is_one_line_and_a_code(
    tmp_path: Path,
    gold: str,
    arguments: list[str],
    code: int,
    named: str,
) -> None:
    files = {"run": written(tmp_path / "run.json", [said(0)]), "cut": str(tmp_path / "cut.json")}
    (tmp_path / "cut.json").write_text('[{"claim_id": 0,')
    files["table"] = str(tmp_path / "said.csv")
    (tmp_path / "said.csv").write_text("id,claim,evi,label\n")
    filled = [argument.format(**files) for argument in arguments]
    left, out, err = call("evaluate", *filled, "--gold", gold)
    assert (left, out) == (code, "")
    assert named in err
    assert len(err.splitlines()) == 1


@pytest.mark.reference
def test_a_run_is_measured_stage_by_stage(shared: Path, tmp_path: Path) -> None:
    averitec = shared / "averitec"
    judged = [json.loads(line) for line in (averitec / "qrels.jsonl").read_text().splitlines()]
    from uhhrag.formats.trec import write_run
    from uhhrag.records import Hit, Passage

    found = {
        row["claim_id"]: [Hit(Passage(real["sentence"]), 1.0) for real in row["real"][::2]]
        for row in judged
    }
    write_run(tmp_path / "vectors.trec", found, "vectors")
    qrels, gold = str(averitec / "qrels.jsonl"), str(averitec / "dev60.json")
    code, out, _ = call(
        "evaluate", "--trec", str(tmp_path), "--qrels", qrels, "--gold", gold, "--json"
    )
    stages = json.loads(out)["retrieval"]["stages"]
    assert code == 0
    assert 0.5 <= stages["vectors"]["R@1000"] < 0.55


def test_two_runs_are_compared_on_a_terminal_and_as_json(tmp_path: Path, gold: str) -> None:
    a = written(tmp_path / "a.json", [said(0), said(1), said(2)])
    b = written(tmp_path / "b.json", [said(0), said(1, "Supported"), said(2)])
    _, out, _ = call("compare", a, b, "--gold", gold, "--json")
    found = json.loads(out)
    assert found["measures"]["accuracy"]["difference"] == pytest.approx(1 / 3)
    assert [(flip["id"], flip["change"]) for flip in found["flips"]] == [(1, "won")]
    code, out, _ = call("compare", a, b, "--gold", gold)
    assert code == 0
    assert "    1 won   Ref. -> Supp.   gold Supp.  Claim 1." in out


def test_sides_that_are_said_wrongly_are_counted(tmp_path: Path, gold: str) -> None:
    run = written(tmp_path / "a.json", [said(0, "Supported"), said(1), said(2)])
    found = json.loads(call("evaluate", run, "--gold", gold, "--json")[1])["wrong_sides"]
    assert found["false_reassurance"] == {"claims": 1, "of": 2}
    assert found["false_alarm"] == {"claims": 1, "of": 1}
    out = call("evaluate", run, "--gold", gold)[1]
    assert "wrongly called Supported (false reassurance): 1 of 2" in out


def test_several_runs_are_one_table(tmp_path: Path, gold: str) -> None:
    files = [
        written(tmp_path / f"{name}.json", [said(0), said(1, label), said(2)])
        for name, label in (("a", "Refuted"), ("b", "Supported"), ("c", "Supported"))
    ]
    code, out, _ = call("table", *files, "--gold", gold, "--format", "markdown")
    assert code == 0
    assert [line.partition(" |")[0] for line in out.splitlines()[2:5]] == [f"| {f}" for f in files]
    found = json.loads(call("table", *files, "--gold", gold, "--json")[1])
    place = found["measures"].index("accuracy")
    means = [cells[place]["mean"] for cells in found["cells"]]
    assert means[1] - means[0] == pytest.approx(1 / 3)
    assert call("table", files[0], files[0], "--gold", gold)[0] == 2
    code, _, told = call("table", *files, "--gold", gold, "--format", "latex", "--json")
    assert (code, "--json and --format latex are two forms" in told) == (2, True)


def test_a_table_says_which_run_has_claims_that_were_never_decided(tmp_path: Path, gold: str):
    whole = written(tmp_path / "whole.json", [said(0), said(1), said(2)])
    part = written(tmp_path / "part.json", [said(0)])
    told = f"{part}: no prediction, scored 0: 2 claims (1, 2)"
    code, out, err = call("table", whole, part, "--gold", gold, "--json")
    assert (code, json.loads(out)["beware"]) == (0, [told])
    assert told in err.splitlines()


LEFT = (
    "the run was asked for only 2 of 3 gold claims; the others are left out of all scores here; "
    "official figures need all"
)


def run_of(folder: Path, asked: tuple[int, ...], decided: tuple[int, ...], **more: Any) -> str:
    """A run that was asked for some claims, all of which it calls refuted."""
    header = {**HEADER, "passages": {str(number): "p" for number in asked}}
    with open_run(folder, header, overwrite=False, repair=False) as run:
        for number in decided:
            evidence = [{"question": "Is it so?", "answer": "It is written here"}]
            record = {"claim_id": number, "claim": "", "label": "Refuted", "evidence": evidence}
            append(run.trace, as_line({**record, "votes": [], **more, **run.origin(number)}))
    return str(folder)


def test_a_run_is_scored_on_the_claims_that_it_was_asked_for(tmp_path: Path, gold: str) -> None:
    run, whole = run_of(tmp_path / "r", (0, 1), (0,)), run_of(tmp_path / "w", (0, 1, 2), (0, 1, 2))
    lacks = "no prediction, scored 0: 1 claim (1)"
    found = json.loads(call("evaluate", run, "--gold", gold, "--json")[1])
    assert (found["claims"], found["accuracy"], found["beware"]) == (2, 0.5, [LEFT, lacks])
    assert found["pairing"]["unasked"] == [2]
    assert json.loads(call("evaluate", whole, "--gold", gold, "--json")[1])["claims"] == 3
    found = json.loads(call("compare", whole, run, "--gold", gold, "--json")[1])
    assert (found["claims"], found["beware"]) == (2, {"a": [], "b": [LEFT, lacks]})
    found = json.loads(call("table", whole, run, "--gold", gold, "--json")[1])
    told = [f"{run}: {LEFT}", f"{run}: {lacks}"]
    assert (found["claims"], found["gold"], found["beware"]) == (2, 3, told)
    for form in ("text", "markdown", "latex"):
        out = call("table", whole, run, "--gold", gold, "--format", form)[1]
        assert "2 claims of 3, those that all runs were asked for" in " ".join(out.split())
    assert "those that all" not in call("table", whole, "--gold", gold)[1]
    other = run_of(tmp_path / "o", (2,), (2,))
    code, out, err = call("compare", run, other, "--gold", gold)
    assert (code, out) == (3, "")
    assert "no claim of gold was asked for in all of these runs" in err


def test_a_run_without_its_header_is_named_and_no_setting_of_it_is_said_to_be_known(
    tmp_path: Path, gold: str
) -> None:
    whole, bare = (run_of(tmp_path / name, (0, 1, 2), (0, 1, 2)) for name in "wb")
    assert uhhrag.compare(whole, bare, gold)["differs_in"] == ""
    (tmp_path / "b" / "run.json").unlink()
    made = uhhrag.compare(whole, bare, gold)
    assert made["differs_in"] == f"not known: {bare} has no run.json that can be read"
    assert made.warnings == (f"{bare}/run.json: is missing",)
    assert uhhrag.evaluate(bare, gold).warnings == made.warnings
    file = written(tmp_path / "f.json", [said(0), said(1), said(2)])
    assert uhhrag.compare(whole, file, gold)["differs_in"] is None


def test_results_hold_their_warnings(tmp_path: Path, gold: str) -> None:
    run, whole = run_of(tmp_path / "r", (0, 1), (0, 1)), run_of(tmp_path / "w", (0, 1, 2), (0, 1))
    lacks = "no prediction, scored 0: 1 claim (2)"
    assert uhhrag.evaluate(run, gold).warnings == (LEFT,)
    assert uhhrag.evaluate(whole, gold).warnings == (lacks,)
    assert uhhrag.compare(run, whole, gold).warnings == (f"about A: {LEFT}",)


def test_grades_are_scored_on_the_claims_that_the_run_was_asked_for(tmp_path: Path) -> None:
    gold = written(tmp_path / "g.json", [{"claim": "It rained.", "label": "half-true"}] * 3)
    run = run_of(tmp_path / "r", (0, 1), (0,), grade="half true")
    code, out, err = call("evaluate", run, "--gold", gold)
    assert code == 0
    assert err == f"{run}: {LEFT}\n"
    assert "warning: 1 have no grade and count wrong: 1" in out
    assert re.search(r"accuracy +0\.5000", out)
    whole = run_of(tmp_path / "w", (0, 1, 2), (0, 1, 2), grade="half true")
    found = json.loads(call("compare", whole, run, "--gold", gold, "--json")[1])
    assert (found["claims"], found["differences"]["accuracy"]["value"]) == (2, -0.5)
    other = run_of(tmp_path / "o", (2,), (2,), grade="half true")
    assert "no claim of gold was asked for in all" in call("compare", run, other, "--gold", gold)[2]


def test_conversion_to_the_csv_of_2025_keeps_the_scores(tmp_path: Path, gold: str) -> None:
    file = written(tmp_path / "run.json", [said(1, "Supported"), said(0)])
    table = str(tmp_path / "run.csv")
    code, out, err = call("convert", file, table, "--claims", gold, "--split", "test")
    assert (code, out) == (0, f"wrote {table}\n")
    assert "no prediction: 2" in err
    assert "URLs are lost from evidence: 2" in err
    assert Path(table).read_text().startswith("id,claim,evi,label,split\n0,Claim 0.,")
    scores = [
        json.loads(call("evaluate", name, "--gold", gold, "--json")[1]) for name in (file, table)
    ]
    assert [found["Q+A"] for found in scores] == [scores[0]["Q+A"]] * 2
