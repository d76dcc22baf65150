"""Predictions as the shared task's JSON: read, refused, written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.submissions import one, written
from uhhrag.errors import InputError, UhhragError, UsageError
from uhhrag.formats.gold import read_claims, read_gold
from uhhrag.formats.submission import as_text, prediction_of, read_predictions
from uhhrag.records import Claim, Evidence, Label, Verdict
from uhhrag.system.text_files import write_text


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
        ('[{"claim_id": 0, "cla', "was cut off: Unterminated string starting at line 1"),
        ("{}", "is an object; it must be a list"),
        ("[]", "holds no predictions"),
        ("[3]", "claim 0: is a whole number; it must be an object"),
        ("[" * 100_000, "nested too deeply"),
        ("[" + "9" * 5000 + "]", "is not JSON that can be read"),
        (one(claim_id="x7"), "claim 0, claim_id: 'x7' is not a claim number"),
        (one(claim_id=True), "claim 0, claim_id: True is not a claim number"),
        (one(claim_id=1.5), "claim_id: 1.5 is not a claim number"),
        (one(claim_id=[1]), "claim_id: a list or an object is not a claim number"),
        ([{"claim_id": 0, "evidence": []}], "pred_label: is missing"),
        (one(pred_label=3), r"claim 0 \(claim_id 0\), pred_label: is a whole number"),
        (one(evidence={"question": "?"}), "evidence: is an object; it must be a list"),
        (one(evidence=[{"question": "?", "answer": None}]), r"evidence\[0\].answer: is null"),
        (one(evidence=[{"answer": "No."}]), r"evidence\[0\].question: is missing; add it"),
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
    write_text(tmp_path / "predictions.json", as_text([prediction_of(verdict)]))
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
        write_text(tmp_path / "predictions.json", as_text([]))
    assert [path.name for path in tmp_path.iterdir()] == ["predictions.json"]


def test_a_run_that_did_not_end_is_told_from_a_file_without_predictions(tmp_path):
    (tmp_path / "predictions.json").write_text("[]")
    with pytest.raises(InputError, match=r"its run did not end: run the same command again"):
        read_predictions(tmp_path)
