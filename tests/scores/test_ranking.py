from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from uhhrag.errors import InputError, UsageError
from uhhrag.formats.gold import Gold, GoldAnswer, GoldQuestion
from uhhrag.formats.trec import passage_id, read_qrels, read_run, read_runs, write_run
from uhhrag.records import Claim, Hit, Label, Passage
from uhhrag.scores.ranking import (
    as_json,
    as_text,
    judgements,
    measure_run,
    qrels_of_gold,
    same_page,
)


def hits(*texts: str) -> list[Hit]:
    return [Hit(Passage(text), 1 - rank / 10) for rank, text in enumerate(texts)]


def ids(*texts: str) -> list[str]:
    return [passage_id(text) for text in texts]


def test_a_run_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_run(tmp_path / "vectors.trec", {3: hits("a", "b"), 7: hits("c")}, "vectors")
    assert read_run(tmp_path / "vectors.trec") == {3: ids("a", "b"), 7: ids("c")}
    first = (tmp_path / "vectors.trec").read_text().splitlines()[0]
    assert first == f"3 Q0 {passage_id('a')} 1 1.0 vectors"


def test_equal_scores_keep_the_rank_and_white_space_names_no_other_passage(tmp_path: Path) -> None:
    same = [Hit(Passage(text), 0.5) for text in ("z", "a", "z ", "m")]
    write_run(tmp_path / "x.trec", {0: same}, "x")
    assert read_run(tmp_path / "x.trec") == {0: ids("z", "a", "m")}


def test_scores_decide_over_the_order_of_lines(tmp_path: Path) -> None:
    (tmp_path / "x.trec").write_text("0 Q0 low 1 0.1 x\n\n0 Q0 high 2 0.9 x\n")
    assert read_run(tmp_path / "x.trec") == {0: ["high", "low"]}


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("0 Q0 a 1 0.5", "line 1: has 5 columns; it needs 6"),
        ("0 Q0 a 1 high x", "line 1, score: 'high' is not a number"),
        ("0 Q0 a 1 nan x", "line 1, score: 'nan' is not a number"),
        ("q0 Q0 a 1 0.5 x", "line 1, claim: 'q0' is not a claim number"),
    ],
)
def test_a_line_that_is_no_run_is_named(tmp_path: Path, line: str, named: str) -> None:
    (tmp_path / "x.trec").write_text(line)
    with pytest.raises(InputError, match=named):
        read_run(tmp_path / "x.trec")


def test_the_runs_of_a_folder_stand_in_the_order_of_the_stages(tmp_path: Path) -> None:
    for stage in ("another", "rerank", "vectors", "prefilter"):
        write_run(tmp_path / f"{stage}.trec", {0: hits("a")}, stage)
    assert list(read_runs(tmp_path)) == ["prefilter", "vectors", "rerank", "another"]
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"holds no \*.trec file"):
        read_runs(tmp_path / "empty")


def test_recall_and_ndcg_are_those_of_the_definitions() -> None:
    qrels = {0: {"a": 1, "b": 1}, 1: {"c": 1}, 2: {}}
    found = measure_run({0: ["x", "b"], 2: ["y"]}, qrels)
    assert found["R@10"] == pytest.approx((1 / 2 + 0) / 2)
    ideal = 1 + 1 / math.log2(3)
    assert found["nDCG@10"] == pytest.approx((1 / math.log2(3) / ideal) / 2)


def test_recall_at_a_cutoff_looks_no_further() -> None:
    run = {0: [f"x{n}" for n in range(10)] + ["a"]}
    found = measure_run(run, {0: {"a": 1}})
    assert (found["R@10"], found["R@100"]) == (0.0, 1.0)


def test_nothing_relevant_anywhere_is_an_error() -> None:
    with pytest.raises(InputError, match="no claim has a relevant passage"):
        measure_run({0: ["a"]}, {0: {}})


def test_the_page_of_a_gold_answer_is_found_under_its_archived_address() -> None:
    answer = GoldAnswer("Yes", source_url="https://www.a.example/x/", cached_source_url="Metadata")
    gold = Gold(Claim(0, "c"), Label.REFUTED, (GoldQuestion("?", (answer,)),))
    passages = [
        Passage("archived", ("https://web.archive.org/web/2020/http://a.example/x#top",)),
        Passage("other page", ("https://a.example/y",)),
        Passage("no page", ("Metadata",)),
        Passage("second page", ("https://b.example", "http://a.example/x")),
    ]
    assert qrels_of_gold(gold, passages) == dict.fromkeys(ids("archived", "second page"), 1)


@pytest.mark.parametrize("url", ["", "Metadata", "ftp://a.example", "http://[", "https://"])
def test_what_is_no_web_address_is_no_page(url: str) -> None:
    assert same_page(url) == ""


def test_judgements_need_a_file_or_a_store() -> None:
    with pytest.raises(UsageError, match=r"--qrels FILE, or --store"):
        judgements((), None, None)


def test_trec_qrels_drop_what_is_not_relevant(tmp_path: Path) -> None:
    (tmp_path / "x.qrels").write_text("0 0 a 2\n0 0 b 0\n1 0 c 0\n")
    assert read_qrels(tmp_path / "x.qrels") == {0: {"a": 2}, 1: {}}


def test_a_judgement_may_hold_any_separator(tmp_path: Path) -> None:
    row = '{"claim_id": 0, "real": [{"sentence": "It\u2028rained.\x85"}]}'
    (tmp_path / "x.jsonl").write_text(f"{row}\n")
    assert read_qrels(tmp_path / "x.jsonl") == {0: {passage_id("It rained."): 1}}


@pytest.mark.parametrize(
    "row", ["{", "[]", '{"real": []}', '{"claim_id": 0, "real": [{}]}', '{"claim_id":0,"real":3}']
)
def test_a_line_that_is_no_judgement_is_named(tmp_path: Path, row: str) -> None:
    (tmp_path / "x.jsonl").write_text(row)
    with pytest.raises(InputError, match="line 1: is not a JSON object with claim_id and real"):
        read_qrels(tmp_path / "x.jsonl")


@pytest.mark.reference
def test_every_real_judgement_names_a_passage_of_the_store(shared: Path) -> None:
    qrels = read_qrels(shared / "averitec/qrels.jsonl")
    assert len(qrels) == 60
    for claim in (0, 17, 42):
        store = (shared / f"averitec/knowledge_store/{claim}.json").read_text().splitlines()
        pages: list[dict[str, Any]] = [json.loads(line) for line in store]
        known = {passage_id(text) for page in pages for text in page["url2text"]}
        assert set(qrels[claim]) <= known


def test_the_table_says_which_claims_a_stage_lacks() -> None:
    found = as_json({"vectors": {0: ["a"]}}, {0: {"a": 1}, 1: {"b": 1}, 2: {}})
    assert found["not_in_run"] == {"vectors": [1]}
    assert found["claims_without_relevant"] == [2]
    text = as_text(found)
    assert "warning: vectors lacks 1 claim; each counts 0" in text
    assert "ir_measures" in text.splitlines()[-1]
    assert max(map(len, text.splitlines())) <= 80
