"""The CSV of 2025, and conversion between the formats."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.submissions import one, written
from uhhrag.errors import InputError
from uhhrag.formats.convert import convert
from uhhrag.formats.submission import Prediction, join, read_predictions, split, write_csv
from uhhrag.records import Evidence, Label

TEXT = st.text(st.characters(exclude_characters="\t", exclude_categories=["Cs"]), max_size=20)


def predicted(pairs: list[tuple[str, str]]) -> Prediction:
    evidence = tuple(Evidence(*pair) for pair in pairs)
    return Prediction(0, "c", Label.REFUTED, Label.REFUTED.value, evidence)


@given(st.lists(st.tuples(TEXT, TEXT.map(lambda text: text.lstrip("\n"))), max_size=5))
def test_evidence_without_tabs_survives_the_csv(evidence: list[tuple[str, str]]) -> None:
    assert split(join(evidence), "x") == tuple(evidence)


@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=5))
def test_any_evidence_stays_as_many_items_in_the_csv(
    tmp_path_factory: pytest.TempPathFactory, evidence: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    write_csv(path, [predicted(evidence)], "dev")
    (found,) = read_predictions(path)
    assert len(found.evidence) == len(evidence)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ("id,claim,label\n1,c,Refuted\n", "has no column evi"),
        ("id,claim,evi,label\n", "holds no predictions"),
        ("id,claim,evi,label\n1,c,no mark,Refuted\n", r"line 2, evi\[0\]: has no mark"),
        ("id,claim,evi,label\nx,c,,Refuted\n", "line 2, id: 'x' is not a claim number"),
    ],
)
def test_a_table_that_is_not_the_2025_csv_is_named(tmp_path: Path, table: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read_predictions(written(tmp_path, table, "run.csv"))


def test_an_item_larger_than_pythons_csv_limit_is_read(tmp_path: Path) -> None:
    write_csv(tmp_path / "run.csv", [predicted([("Is it?", "x" * 200_000)])], "dev")
    (found,) = read_predictions(tmp_path / "run.csv")
    assert len(found.evidence[0].answer) == 200_000


@pytest.mark.reference
def test_json_to_csv_and_back_keeps_all_but_urls(shared: Path, tmp_path: Path) -> None:
    source = shared / "averitec/predictions/organisers_baseline_2024.json"
    (note,) = convert(source, tmp_path / "run.csv", None, "dev")
    assert note.startswith("URLs are lost from ")
    assert convert(tmp_path / "run.csv", tmp_path / "run.json", None, "dev") == []
    for before, after in zip(
        read_predictions(source), read_predictions(tmp_path / "run.json"), strict=True
    ):
        assert (before.id, before.claim, before.raw_label) == (
            after.id,
            after.claim,
            after.raw_label,
        )
        assert [(e.question, e.answer) for e in before.evidence] == [
            (e.question, e.answer) for e in after.evidence
        ]


def test_with_a_claims_file_conversion_takes_order_and_text_from_it(tmp_path: Path) -> None:
    claims = written(tmp_path, [{"claim": "Zero."}, {"claim": "One."}], "claims.json")
    rows = [*one(claim_id=1, claim="one"), *one(claim_id=0, claim=None), *one(claim_id=9)]
    notes = convert(written(tmp_path, rows), tmp_path / "out.json", claims, "dev")
    assert notes == [
        "not in the claims file, left out: 9",
        "another claim text, replaced: 1",
    ]
    found = read_predictions(tmp_path / "out.json")
    assert [(p.id, p.claim) for p in found] == [(0, "Zero."), (1, "One.")]
