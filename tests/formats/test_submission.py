from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uhhrag.errors import InputError, UhhragError, UsageError
from uhhrag.formats import csv_2025
from uhhrag.formats.convert import convert
from uhhrag.formats.matching import pair
from uhhrag.formats.submission import (
    Prediction,
    prediction_of,
    read_claims,
    read_gold,
    read_predictions,
    write_predictions,
)
from uhhrag.records import Claim, Evidence, Label, Verdict

GOLD: dict[str, Any] = {
    "claim": "The sky is green.",
    "label": "Refuted",
    "questions": [
        {
            "question": "Is it?",
            "answers": [
                {
                    "answer": "No",
                    "answer_type": "Boolean",
                    "boolean_explanation": "Blue.",
                    "source_url": "https://a.example",
                    "cached_source_url": "https://web.archive.org/web/1/https://a.example",
                }
            ],
        }
    ],
}
SAID: dict[str, Any] = {
    "claim_id": 0,
    "claim": "The sky is green.",
    "pred_label": "Refuted",
    "evidence": [{"question": "Is it?", "answer": "No.", "url": "https://a.example"}],
}


def written(folder: Path, value: Any, name: str = "file.json") -> Path:
    path = folder / name
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def one(**changes: Any) -> list[dict[str, Any]]:
    return [{**SAID, **changes}]


def test_a_claims_id_is_its_position_and_date_and_speaker_may_be_absent(tmp_path: Path) -> None:
    rows = [{"claim": "One.", "claim_date": "31-10-2020", "speaker": None}, {"claim": "Two."}]
    assert read_claims(written(tmp_path, rows)) == (
        Claim(0, "One.", "31-10-2020", None),
        Claim(1, "Two."),
    )


def test_a_byte_order_mark_is_no_part_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "file.json"
    path.write_bytes(b'\xef\xbb\xbf[{"claim": "One."}]')
    assert read_claims(path) == (Claim(0, "One."),)


def test_gold_keeps_label_questions_explanations_and_pages(tmp_path: Path) -> None:
    (found,) = read_gold(written(tmp_path, [GOLD]))
    assert found.label is Label.REFUTED
    (answer,) = found.questions[0].answers
    assert (answer.text, answer.explanation) == ("No", "Blue.")
    assert answer.urls == ("https://a.example", "https://web.archive.org/web/1/https://a.example")


def test_answers_that_are_no_list_count_as_one(tmp_path: Path) -> None:
    gold = {**GOLD, "questions": [{"question": "Is it?", "answers": {"answer": "No"}}]}
    (found,) = read_gold(written(tmp_path, [gold]))
    assert [answer.text for answer in found.questions[0].answers] == ["No"]


def asked(answers: Any) -> dict[str, Any]:
    return {"questions": [{"question": "Is it?", "answers": answers}]}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"label": "False"}, "claim 0, label: 'False' is none of"),
        ({"label": None}, "claim 0, label: is null"),
        ({"questions": []}, "claim 0, questions: there are none"),
        ({"questions": None}, "claim 0, questions: is null"),
        ({"questions": ["?"]}, r"claim 0, questions\[0\]: is a text"),
        (asked(None), r"claim 0, questions\[0\].answers: is null"),
        (asked([{"answer": None}]), r"claim 0, questions\[0\].answers\[0\].answer: is null"),
        (
            asked([{"answer": "No", "answer_type": "Boolean"}]),
            r"questions\[0\].answers\[0\].boolean_explanation: is null or missing",
        ),
        ({"claim": " "}, "claim 0, claim: is empty"),
        ({"speaker": 4}, "claim 0, speaker: is a number"),
    ],
)
def test_gold_that_cannot_be_scored_is_named(
    tmp_path: Path, changes: dict[str, Any], named: str
) -> None:
    with pytest.raises(InputError, match=named):
        read_gold(written(tmp_path, [{**GOLD, **changes}]))


def test_a_test_file_without_labels_holds_claims_but_no_gold(tmp_path: Path) -> None:
    path = written(tmp_path, [{"claim": "One."}])
    assert read_claims(path)
    with pytest.raises(InputError, match="a test file has no gold"):
        read_gold(path)


@pytest.mark.parametrize("ids", [(5, 6), (1, 0), (0, 0), (0, -1), (0, True), (0, 1.5), (0, "x")])
@pytest.mark.parametrize("read", [read_claims, read_gold])
def test_a_claims_file_whose_numbers_are_not_its_positions_is_refused(tmp_path, read, ids):
    """A part of a test file would be indexed with the stores of other claims."""
    file = written(tmp_path, [{**GOLD, "claim_id": number} for number in ids])
    with pytest.raises(InputError, match=r"file.json, claim [01], claim_id: .*position"):
        read(file)


def test_a_claims_file_may_number_its_claims(tmp_path):
    file = written(tmp_path, [{**GOLD, "claim_id": number} for number in (0, "1", None, 3)])
    assert [claim.id for claim in read_claims(file)] == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("url", "urls"),
    [
        ("https://a.example", ("https://a.example",)),
        (["https://a.example", "https://b.example"], ("https://a.example", "https://b.example")),
        ([], ()),
        ("", ()),
        (None, ()),
        (7, ()),
    ],
)
def test_a_url_may_be_a_text_or_a_list_or_nothing(
    tmp_path: Path, url: Any, urls: tuple[str, ...]
) -> None:
    rows = one(evidence=[{"question": "Is it?", "answer": "No.", "url": url}])
    (found,) = read_predictions(written(tmp_path, rows))
    assert found.evidence == (Evidence("Is it?", "No.", urls),)


@pytest.mark.parametrize("evidence", [None, []])
def test_no_evidence_is_none(tmp_path: Path, evidence: Any) -> None:
    (found,) = read_predictions(written(tmp_path, one(evidence=evidence)))
    assert found.evidence == ()


@pytest.mark.parametrize("written_id", [3, "3", " 3 ", 3.0])
def test_an_id_may_be_written_as_number_or_digits(tmp_path: Path, written_id: Any) -> None:
    (found,) = read_predictions(written(tmp_path, one(claim_id=written_id)))
    assert found.id == 3


def test_a_label_outside_the_four_is_kept_as_written(tmp_path: Path) -> None:
    (found,) = read_predictions(written(tmp_path, one(pred_label="refuted")))
    assert (found.label, found.raw_label) == (None, "refuted")


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ("", "is empty"),
        ("\n ", "is empty"),
        ('[{"claim_id": 0, "cla', "was cut off: .* line 1"),
        ("{}", "holds an object; a predictions file is a JSON list"),
        ("[]", "holds no predictions"),
        ("[3]", "claim 0: is a number; it must be an object"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "is not JSON that can be read"),
        (one(claim_id="x7"), "claim 0, claim_id: 'x7' is no claim number"),
        (one(claim_id=True), "claim 0, claim_id: True is no claim number"),
        (one(claim_id=1.5), "claim_id: 1.5 is no claim number"),
        (one(claim_id=[1]), "claim_id: a list is no claim number"),
        ([{"claim_id": 0, "evidence": []}], "pred_label: is missing"),
        (one(pred_label=3), r"claim 0 \(claim_id 0\), pred_label: is a number"),
        (one(evidence={"question": "?"}), "evidence: is an object; it must be a list"),
        (one(evidence=[{"question": "?", "answer": None}]), r"evidence\[0\].answer: is null"),
        (one(evidence=[{"answer": "No."}]), r"evidence\[0\].question: is null or missing"),
        (one(evidence=["No."]), r"evidence\[0\]: is a text; it must be an object"),
    ],
)
def test_a_prediction_file_that_cannot_be_read_says_where_and_why(
    tmp_path: Path, rows: Any, named: str
) -> None:
    path = written(tmp_path, rows)
    with pytest.raises(InputError, match=named) as caught:
        read_predictions(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_files_that_are_absent_or_not_utf8_are_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nothing.json: cannot be read: No such file"):
        read_predictions(tmp_path / "nothing.json")
    path = tmp_path / "latin.json"
    path.write_bytes(b'[{"claim": "caf\xe9"}]')
    with pytest.raises(InputError, match=r"is not UTF-8 text .at byte 15"):
        read_claims(path)


_KEYS = """claim claim_id label pred_label evidence question questions answer answers url
answer_type boolean_explanation claim_date"""
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(_KEYS.split()) | st.text(max_size=3),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)


@settings(max_examples=300, deadline=None)
@given(st.lists(JSON, max_size=3) | JSON)
def test_any_json_is_read_or_refused_in_one_line(
    tmp_path_factory: pytest.TempPathFactory, value: Any
) -> None:
    path = written(tmp_path_factory.getbasetemp(), value, "any.json")
    for read in (read_claims, read_gold, read_predictions):
        try:
            read(path)
        except UhhragError as error:
            assert "\n" not in str(error)


@settings(max_examples=300, deadline=None)
@given(
    st.binary(max_size=200)
    | st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    | st.text(max_size=99).map(lambda text: f'id,claim,evi,label\n1,c,"{text}",x'.encode()[:99]),
    st.sampled_from(["any.json", "any.csv"]),
)
def test_any_bytes_are_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, name: str
) -> None:
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    try:
        read_predictions(path)
    except UhhragError as error:
        assert str(error).startswith(str(path))


def test_what_is_written_is_the_shared_tasks_json(tmp_path: Path) -> None:
    evidence = (Evidence("Is it?", "No.", ("https://a.example", "https://b.example")),)
    verdict = Verdict(Claim(4, "Claim “x”."), Label.NOT_ENOUGH, evidence, ())
    write_predictions(tmp_path / "predictions.json", [prediction_of(verdict)])
    assert json.loads((tmp_path / "predictions.json").read_text()) == [
        {
            "claim_id": 4,
            "claim": "Claim “x”.",
            "pred_label": "Not Enough Evidence",
            "evidence": [
                {
                    "question": "Is it?",
                    "answer": "No.",
                    "url": "https://a.example",
                    "urls": ["https://a.example", "https://b.example"],
                }
            ],
        }
    ]
    assert read_predictions(tmp_path) == (prediction_of(verdict),)


def test_nothing_is_left_behind_where_writing_fails(tmp_path: Path) -> None:
    (tmp_path / "predictions.json").mkdir()
    with pytest.raises(UsageError, match=r"predictions.json: cannot be written"):
        write_predictions(tmp_path / "predictions.json", [])
    assert [path.name for path in tmp_path.iterdir()] == ["predictions.json"]


TEXT = st.text(st.characters(exclude_characters="\t", exclude_categories=["Cs"]), max_size=20)


@given(st.lists(st.tuples(TEXT, TEXT.map(lambda text: text.lstrip("\n"))), max_size=5))
def test_evidence_without_tabs_survives_the_csv(evidence: list[tuple[str, str]]) -> None:
    assert csv_2025.split(csv_2025.join(evidence), "x") == tuple(evidence)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.text(max_size=20), st.text(max_size=20)), min_size=1, max_size=5))
def test_any_evidence_stays_as_many_items_in_the_csv(
    tmp_path_factory: pytest.TempPathFactory, evidence: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.getbasetemp() / "rows.csv"
    csv_2025.write_rows(path, [csv_2025.CsvRow("0", "c", tuple(evidence), "Refuted", "dev")])
    (found,) = read_predictions(path)
    assert len(found.evidence) == len(evidence)


@pytest.mark.parametrize(
    ("table", "named"),
    [
        ("id,claim,label\n1,c,Refuted\n", "has no column evi"),
        ("id,claim,evi,label\n", "holds no predictions"),
        ("id,claim,evi,label\n1,c,no mark,Refuted\n", r"line 2, evi\[0\]: has no mark"),
        ("id,claim,evi,label\nx,c,,Refuted\n", "line 2, id: 'x' is no claim number"),
    ],
)
def test_a_table_that_is_not_the_2025_csv_is_named(tmp_path: Path, table: str, named: str) -> None:
    with pytest.raises(InputError, match=named):
        read_predictions(written(tmp_path, table, "run.csv"))


def test_an_item_larger_than_pythons_csv_limit_is_read(tmp_path: Path) -> None:
    row = csv_2025.CsvRow("0", "c", (("Is it?", "x" * 200_000),), "Refuted", "dev")
    csv_2025.write_rows(tmp_path / "run.csv", [row])
    (found,) = read_predictions(tmp_path / "run.csv")
    assert len(found.evidence[0].answer) == 200_000


@pytest.mark.reference
def test_json_to_csv_and_back_keeps_all_but_urls(shared: Path, tmp_path: Path) -> None:
    source = shared / "averitec/predictions/organisers_baseline_2024.json"
    (note,) = convert(source, tmp_path / "run.csv", None, "dev")
    assert note.endswith("lost their URLs")
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


CLAIMS = tuple(Claim(number, f"Claim {number}.") for number in range(4))


def said(number: int | None, text: str = "") -> Prediction:
    return Prediction(number, text, Label.REFUTED, "Refuted", ())


def test_predictions_are_matched_by_id_whatever_their_order() -> None:
    found = pair(CLAIMS, [said(3), said(0), said(2), said(1)], "run.json")
    assert [p.id for p in found.predictions if p] == [0, 1, 2, 3]
    assert not (found.missing or found.doubled or found.unknown or found.by_position)


def test_missing_doubled_and_unknown_claims_are_told_and_the_first_counts() -> None:
    first, second = said(2, "first"), said(2, "second")
    found = pair(CLAIMS, [first, said(7), said(0), second, said(-1)], "run.json")
    assert found.predictions == (said(0), None, first, None)
    assert (found.missing, found.doubled, found.unknown) == ((1, 3), (2,), (-1, 7))


def test_without_any_id_the_position_counts_and_is_told() -> None:
    found = pair(CLAIMS, [said(None), said(None, "b")], "run.json")
    assert found.by_position
    assert found.predictions == (said(None), said(None, "b"), None, None)
    assert found.missing == (2, 3)


def test_ids_on_some_predictions_only_are_refused() -> None:
    with pytest.raises(InputError, match=r"run.json, claim 1, claim_id: is missing, though"):
        pair(CLAIMS, [said(0), said(None)], "run.json")


def test_a_prediction_about_another_claim_is_told() -> None:
    found = pair(CLAIMS, [said(0, "claim  0."), said(1, "Claim 2.")], "run.json")
    assert found.other_text == (1,)
