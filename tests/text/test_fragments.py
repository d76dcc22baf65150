from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.fragments import is_fragment


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


@given(st.text())
def test_any_text_has_an_answer(text):
    assert is_fragment(text) in (True, False)
