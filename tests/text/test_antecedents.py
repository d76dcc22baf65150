"""A pronoun is replaced by a name only where nothing else can be meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.antecedents import unnamed, with_subject


@pytest.mark.parametrize(
    ("sentence", "before", "expected"),
    [
        ("It was rebuilt.", ["The Harbour Bridge was opened in 1931."], "The Harbour Bridge was"),
        ("Its nurses left.", ["The hospital of Lunde closed."], "The hospital of Lunde's nurses"),
        ("Its staff left.", ["The NHS was founded in 1948."], "The NHS's staff left."),
        ("It rose.", ["Marsh and the Council met.", "It was close."], ""),
        ("It rose.", ["The Harbour Bridge opened in Lunde.", "Lunde is in Norway."], ""),
        ("It was rebuilt.", ["Ms Tennant presented the budget on 20 February 2024."], ""),
        ("It costs 82 million.", ["Marsh said the airport extension would open in 2026."], ""),
        ("It was rebuilt.", ["Cllr Ian Pell criticised the mayor."], ""),
        ("It was rebuilt.", ["Dr. Ian Pell left."], ""),
        ("It will cost 3 million.", ["The Harbour Bridge needs repair."], ""),
        ("It is clear that he lied.", ["The Harbour Bridge was opened."], ""),
        ("She left.", ["Ana Lopes was born in Lagos."], "Ana Lopes left."),
        ("She left.", ["Mr Ian Pell criticised Ms Tennant."], "Ms Tennant left."),
        ("He left.", ["Ms Tennant presented the budget."], ""),
        ("He left.", ["Cllr Ian Pell criticised the mayor."], ""),
        ("He left.", ["Ian Pell criticised Max Weil."], ""),
        ("He left.", ["Ian Pell voted.", "Pell was born in May."], "Ian Pell left."),
        ("He left.", ["The Harbour Bridge was opened in 1931."], ""),
        ("They met.", ["Ana Lopes and Max Weil won."], "Ana Lopes and Max Weil met."),
        ("They demand 7.", ["The Transport Union voted on Friday."], "The Transport Union demand"),
        ("They demand 7.", ["Some 41 of 54 drivers voted, the union says."], ""),
        ("They have 88 seats.", ["Swift Tram sold the council fourteen trams."], ""),
        ("They left.", ["Ms Tennant presented the budget."], ""),
        ("It left.", [], ""),
        ("The bridge left.", ["The Harbour Bridge was opened in 1931."], ""),
    ],
)
def test_only_a_sure_name_is_filled_in(sentence, before, expected):
    said = with_subject(sentence, before)
    assert said.startswith(expected) if expected else not said


def test_who_is_a_person_is_told_by_the_whole_draft():
    before = ["The Marsh was opened in 1931."]
    assert with_subject("It grew.", before) == "The Marsh grew."
    assert with_subject("It grew.", before, ["Edwin Marsh told the press."]) == ""
    assert with_subject("He grew.", ["Marsh left."], ["“No,” said Marsh."]) == "Marsh grew."


@pytest.mark.parametrize(
    ("sentence", "pronoun"),
    [
        ("It was approved by the Transport Committee by four votes to one.", "It"),
        ("It was built to last.", "It"),
        ("It is illegal to park there.", ""),
        ("They demand more.", "They"),
        ("This was built in 1974.", "This"),
        ("This year was warm.", ""),
        ("It is true that it rained.", ""),
        ("Italy joined.", ""),
    ],
)
def test_a_pronoun_alone_names_nobody(sentence, pronoun):
    assert unnamed(sentence) == pronoun


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_has_an_answer(text, before):
    assert isinstance(with_subject(f"It {text}", before, before), str)
