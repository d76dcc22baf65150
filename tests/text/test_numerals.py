"""Numbers in many notations are the same word of a search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.numerals import in_one_notation, search_words


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("5,379,475", "5379475"),
        ("5.379.475", "5379475"),
        ("5 379 475", "5379475"),
        ("5\u202f379\u202f475", "5379475"),
        ("5'379'475", "5379475"),
        ("4.6 million", "4600000"),
        ("4.6m", "4600000"),
        ("£4.6bn", "4600000000"),
        ("4,600,000", "4600000"),
        ("Twelve", "12"),
        ("a dozen", "12"),
        ("12th", "12"),
        ("twelfth", "12"),
        ("forty-two", "42"),
        ("one hundred and forty-two", "142"),
        ("two thousand three hundred", "2300"),
        ("three million", "3000000"),
        ("1,5", "1.5"),
        ("1.50", "1.5"),
    ],
)
def test_a_number_is_one_word_in_every_notation(text: str, word: str) -> None:
    assert search_words(text) == [word]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("In 2019 300 people came", ["2019", "300", "peopl", "came"]),
        ("1921–1998", ["1921", "1998"]),
        ("five and six", ["5", "6"]),
        ("ten two", ["10", "2"]),
        ("twenty nineteen", ["20", "19"]),
        ("1" * 5000, ["1" * 5000]),
        ("3 m wide", ["3", "m", "wide"]),
        ("50%, 50 per cent, 50 percent", ["50", "%", "50", "%", "50", "%"]),
    ],
)
def test_what_is_not_one_number_stays_apart(text: str, words: list[str]) -> None:
    assert search_words(text) == words


def test_words_have_no_case_and_no_ending() -> None:
    assert search_words("The Ferries sailed") == search_words("ferry sails")


@given(st.integers(0, 10**12))
def test_digits_in_groups_are_the_number(number: int) -> None:
    assert search_words(f"{number:,}") == search_words(str(number)) == [str(number)]


@given(st.text())
def test_any_text_has_words(text: str) -> None:
    assert all(word and not word.isspace() for word in search_words(text))


@pytest.mark.parametrize(
    "money", ["£5.60m", "£5.6 million", "£5.6mn", "£5.6M", "£5,600k", "£5600000"]
)
def test_money_has_one_notation(money: str) -> None:
    assert (
        in_one_notation(f"It cost {money}, not less.", money=True)
        == "It cost £5,600,000, not less."
    )


@pytest.mark.parametrize(
    "text", ["£3-5m", "£3 to £5m", "£5 meals", "5 m", "£12.50", f"£{'9' * 400}m"]
)
def test_other_amounts_stay_as_they_are(text: str) -> None:
    assert in_one_notation(text, money=True) == text
