from __future__ import annotations

from functools import cache

import nltk
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktTokenizer

from tests.support.small_store import unique
from uhhrag.store import knowledge_store
from uhhrag.text import exact_tokenizer

RUNS = [
    *["word", "Mr", "U.S", "J", "5", "3.5", "cannot", "Gimme", "wanna", "don't", "'tis", "d'ye"],
    *["more'n", "they've", "dogs'", "'s", "n't", "e.g", "https://a.example/b,c", "Ärger", "’s"],
    *[
        "'",
        "''",
        '"',
        "`",
        "``",
        "“",
        "”",
        "‘",
        "’",
        "«",
        "»",
        "„",
        ".",
        "..",
        "...",
        "…",
        "?",
        "!",
    ],
    *[",", ":", ";", "-", "--", "---", "(", ")", "[", "]", "{", "}", "<", ">", "@", "#", "$", "%"],
    *["&", "*", "/", "_", "a", "s", "t", "I"],
]
SPACES = [" ", " ", " ", "  ", "\t", "\n", "\u00a0", "\u3000", "\u200b", "\ue000"]
texts = st.lists(
    st.lists(st.sampled_from(RUNS), min_size=1, max_size=4).map("".join)
    | st.sampled_from(SPACES)
    | st.just(" "),
    max_size=9,
).map("".join)


pytestmark = pytest.mark.usefixtures("nltk_loaded")


@given(st.lists(texts | texts.map(lambda text: text.replace("  ", " ")), min_size=1, max_size=4))
@example(["''People say so,'' he added."])
@example(['He said: "No. "', "\"'Yes'.\"", 'word. )" '])
def test_words_are_those_of_nltk_whatever_stands_beside_them(given_texts):
    assert list(exact_tokenizer.words_of(given_texts)) == [
        nltk.word_tokenize(t) for t in given_texts
    ]


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_words_of_any_text_are_those_of_nltk(text):
    assert list(exact_tokenizer.words_of([text])) == [nltk.word_tokenize(text)]


def test_no_texts_have_no_words():
    assert list(exact_tokenizer.words_of([])) == []
    assert list(exact_tokenizer.words_of(["", " "])) == [[], []]


@given(texts, texts)
def test_what_punkt_is_not_asked_about_it_would_say_too(text, other):
    context = f"{text} {other}"
    assert exact_tokenizer.punkt().breaks(context) == original_punkt().text_contains_sentbreak(
        context
    )


@cache
def original_punkt():
    return PunktTokenizer("english")


@pytest.mark.reference
@pytest.mark.parametrize("claim_id", [0, 29, 59])
def test_words_of_real_lines_are_those_of_nltk(shared, claim_id):
    passages = unique(knowledge_store.read(shared / "averitec" / "knowledge_store", claim_id))
    lines = [passage.text for passage in passages]
    assert list(exact_tokenizer.words_of(lines)) == [nltk.word_tokenize(line) for line in lines]
