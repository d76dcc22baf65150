"""What a model wrote → the label it names: UHH's readers as its code reads, ours strictly."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.records import Grade, Label, Origin
from uhhrag.rules.replies import (
    as_grade,
    as_label,
    read_grade,
    read_justified,
    read_label,
    read_letter,
    read_vote,
)

S, R, N, C = Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH, Label.CONFLICTING


@pytest.mark.parametrize(
    ("reply", "label", "origin"),
    [
        ('{"label": "Supported", "score": 0.9}', S, Origin.READ),
        (' {"label": "Refuted", "score": 0.1}\n', R, Origin.READ),
        ('{"label": "Supported"}', S, Origin.READ),
        ('{"label": "Unclear", "score": 0.5}', N, Origin.READ),
        ('{"label": "Unclear", "score": 0.51}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": 0}', R, Origin.DEFAULTED),
        ('{"label": "Unclear"}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": "0.2"}', R, Origin.DEFAULTED),  # this crashed theirs
        ('{"label": "Unclear", "score": NaN}', R, Origin.DEFAULTED),
        ('{"label": "Unclear", "score": true}', R, Origin.DEFAULTED),
        ('{"score": 0.2}', R, Origin.DEFAULTED),
        ('{"label": ["Supported"]}', R, Origin.DEFAULTED),
        ('```json\n{"label": "Supported"}\n```', R, Origin.DEFAULTED),
        ('{"label": "Supported", "sc', R, Origin.DEFAULTED),
        ("[]", R, Origin.DEFAULTED),
        ("", R, Origin.DEFAULTED),
        ("[" * 100_000, R, Origin.DEFAULTED),
    ],
)
def test_a_paper_vote_is_read_in_the_order_of_its_code(reply, label, origin):
    assert read_vote(reply) == (label, origin)


@pytest.mark.parametrize("label", list(Label))
def test_a_paper_label_is_read_only_when_exact(label):
    assert read_label(f'{{"label": "{label}"}}') == (label, Origin.READ)
    assert read_label(f'{{"label": "{label}."}}') == (R, Origin.DEFAULTED)


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("[[A]]", S),
        ("The answers disagree: [[ D ]].", C),
        ("[[B]] because it is so. [[B]]", R),
        ("B", R),
        ("(A)", S),
        ("[[A]] or [[B]]", None),
        ("[[E]]", None),
        ("A claim is being checked.", None),
        ("", None),
    ],
)
def test_a_letter_is_read_where_a_reply_has_one(reply, label):
    assert read_letter(reply) == ((label, Origin.READ) if label else (N, Origin.DEFAULTED))


@pytest.mark.parametrize(
    ("reply", "label"),
    [
        ("Justification: It was.\nLabel: Supported", S),
        ("It was not. **Label**: Refuted.", R),
        ("The label is: unclear. Label: Not Enough Evidence", N),
        ("It is half so.\nlabel: Conflicting Evidence/Cherrypicking", C),
        ("Label: Supported or Refuted", None),
        ("Label: Not Supported", None),
        ("Label: unsupported", None),
        ("The claim is Supported by the answers.", None),
        ("", None),
    ],
)
def test_a_justified_label_stands_after_its_word(reply, label):
    assert read_justified(reply) == ((label, Origin.READ) if label else (N, Origin.DEFAULTED))


@pytest.mark.parametrize(
    ("reply", "grade"),
    [
        ("Mostly true.", Grade.MOSTLY_TRUE),
        ("half-true", Grade.HALF_TRUE),
        ("Mostly False", Grade.BARELY_TRUE),
        ("Pants on fire!", Grade.PANTS_ON_FIRE),
        ("true", Grade.TRUE),
        ("true or false", None),
        ("untrue", None),
        ("", None),
        ("The claim is not true.", None),
        ("Not false, but mostly true", Grade.MOSTLY_TRUE),
    ],
)
def test_a_grade_is_read_where_a_reply_names_one(reply, grade):
    assert read_grade(reply) == ((grade, Origin.READ) if grade else (N, Origin.DEFAULTED))


@pytest.mark.parametrize("grade", Grade)
def test_a_grade_has_its_own_name(grade):
    assert as_grade(grade) is grade
    assert as_grade(grade.replace(" ", "-").upper()) is grade


@pytest.mark.parametrize("name", ["", "truth", "it is true", "0", "mostly"])
def test_another_word_is_no_grade(name):
    assert as_grade(name) is None


@pytest.mark.parametrize("label", Label)
def test_a_label_has_its_own_name(label):
    assert as_label(label) is label
    assert as_label(label.upper().replace(" ", "_")) is label


@given(st.text() | st.text("ABCD[] :labetruflshfmoy-"))
def test_reading_a_reply_never_raises(reply):
    for read in (read_vote, read_label, read_letter, read_justified, read_grade):
        assert read(reply)[1] in (Origin.READ, Origin.DEFAULTED)
    as_grade(reply)
    as_label(reply)
