from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.fragments import is_fragment, is_question


@pytest.mark.parametrize(
    "text",
    [
        "Ostvik town council.",
        "Minutes",
        "Table 3: Population by year",
        "Contact",
        "Dr. Anna Berg, Head of Research",
        "This website uses cookies to improve your experience.",
        "© 2021 Northern Post. All rights reserved.",
        "Subscribe to our newsletter",
        "Read more: Ten facts about the harbour",
        "The Annual Report Of The Ostvik Harbour Authority For Shipping",
        "14 March 2020",
        "",
        "…",
    ],
)
def test_headings_names_dates_and_banners_are_fragments(text):
    assert is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "The mayor was born in Ostvik.",
        "It rained.",
        "They're closed",
        "Prices rose by 4 percent.",
        "The ferry carries cars.",
        "She didn’t sign the contract",
        "No deaths were reported",
        "Nobody slept!",
        "The bridge, finished in 1932, spans the bay.",
        "mRNA vaccines do not alter human DNA",
        "Turnout in the 2019 vote was 61.2 %.",
        "Large doses of the drug in mice lead to complete loss of the gene in the liver.",
    ],
)
def test_sentences_are_not(text):
    assert not is_fragment(text)


@pytest.mark.parametrize(
    "text",
    [
        "Port: Lunde; Country: Norway",
        "- Schools: 18 million crowns",
        "Change: -10 %",
        "Mayor: Ingrid Solheim",
    ],
)
def test_values_by_their_names_are_not(text):
    assert not is_fragment(text)


@given(st.text())
def test_any_text_has_an_answer(text):
    assert is_fragment(text) in (True, False)


@pytest.mark.parametrize(
    "text",
    [
        "Lower risks of events (RR 0.71, 95% CI 0.55-0.92; p=0.009), all-cause mortality (RR 0.80, "
        "0.66-0.96; p=0.014), and mortality (RR 0.71, 0.50-0.99; p=0.044) than control regimens.",
        "a.b" * 5_000,
        "1.2 " * 5_000 + "?",
        "." * 20_000,
        "?" * 20_000 + "a",
        "a: b; " * 5_000,
        ": " * 20_000,
    ],
)
def test_a_sentence_with_many_points_is_read_at_once(text):
    begun = time.process_time()
    is_question(text)
    is_fragment(text)
    assert time.process_time() - begun < 0.5


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("What did the U.S. Treasury Department recommend?", True),
        ("Is he the first in the U.S.?", True),
        ("Did it cost 2.4 million?”", True),
        ("Really??", True),
        ("NASA built it. Was it good?", False),
        ("It closed! Why?", False),
        ("?", False),
        ("", False),
        ("It closed.", False),
    ],
)
def test_one_question_and_nothing_else(text, asks):
    assert is_question(text) is asks
