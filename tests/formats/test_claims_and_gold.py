"""Claims files, with labels and without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.submissions import written
from uhhrag.errors import InputError
from uhhrag.formats.gold import read_claims, read_gold
from uhhrag.records import Claim, Label

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
    assert (answer.answer, answer.boolean_explanation) == ("No", "Blue.")
    assert answer.urls == ("https://a.example", "https://web.archive.org/web/1/https://a.example")


def test_answers_that_are_no_list_count_as_one(tmp_path: Path) -> None:
    gold = {**GOLD, "questions": [{"question": "Is it?", "answers": {"answer": "No"}}]}
    (found,) = read_gold(written(tmp_path, [gold]))
    assert [answer.answer for answer in found.questions[0].answers] == ["No"]


def asked(answers: Any) -> dict[str, Any]:
    return {"questions": [{"question": "Is it?", "answers": answers}]}


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"label": "False"}, "claim 0, label: 'False' is not one of"),
        ({"label": None}, "claim 0, label: is null"),
        ({"questions": []}, "claim 0, questions: is empty"),
        ({"questions": None}, "claim 0, questions: is null"),
        ({"questions": ["?"]}, r"claim 0, questions\[0\]: is a text"),
        (asked(None), r"claim 0, questions\[0\].answers: is null"),
        (asked([{"answer": None}]), r"claim 0, questions\[0\].answers\[0\].answer: is null"),
        (
            asked([{"answer": "No", "answer_type": "Boolean"}]),
            r"questions\[0\].answers\[0\]: a Boolean answer needs a boolean_explanation",
        ),
        ({"claim": " "}, "claim 0, claim: is empty"),
        ({"speaker": 4}, "claim 0, speaker: is a whole number"),
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
