"""Words are NLTK's, which is loaded without what is not used of it."""

from __future__ import annotations

import subprocess
import sys
import threading
from functools import cache

import nltk
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktTokenizer

from tests.support.doubles import load_nltk_data
from tests.support.small_store import unique
from uhhrag.store import knowledge_store
from uhhrag.text.nltk_tokenizer import _Absent, punkt_rules, words_of

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
    assert list(words_of(given_texts)) == [nltk.word_tokenize(t) for t in given_texts]


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_words_of_any_text_are_those_of_nltk(text):
    assert list(words_of([text])) == [nltk.word_tokenize(text)]


def test_no_texts_have_no_words():
    assert list(words_of([])) == []
    assert list(words_of(["", " "])) == [[], []]


@given(texts, texts)
def test_what_punkt_is_not_asked_about_it_would_say_too(text, other):
    context = f"{text} {other}"
    assert punkt_rules().breaks(context) == original_punkt().text_contains_sentbreak(context)


@cache
def original_punkt():
    return PunktTokenizer("english")


@pytest.mark.reference
@pytest.mark.parametrize("claim_id", [0, 29, 59])
def test_words_of_real_lines_are_those_of_nltk(shared, claim_id):
    passages = unique(knowledge_store.read(shared / "averitec" / "knowledge_store", claim_id))
    lines = [passage.text for passage in passages]
    assert list(words_of(lines)) == [nltk.word_tokenize(line) for line in lines]


_SPLIT = """
import sys
from uhhrag.wiring import nltk_data
from uhhrag.text.nltk_tokenizer import word_tokenize
nltk_data.load_nltk_data()
assert word_tokenize("It rained, didn't it?") == ["It", "rained", ",", "did", "n't", "it", "?"]
assert "scipy" not in sys.modules and "sklearn" not in sys.modules
import scipy.stats
assert scipy.stats.fisher_exact
"""


@pytest.mark.slow
def test_nltk_does_not_load_scipy_and_others_still_can():
    load_nltk_data()
    subprocess.run([sys.executable, "-c", _SPLIT], check=True)


def test_packages_are_absent_for_one_thread_only():
    absent = _Absent(threading.get_ident())
    with pytest.raises(ModuleNotFoundError):
        absent.find_spec("scipy", None)
    assert absent.find_spec("numpy", None) is None
    seen: list[object] = []
    other = threading.Thread(target=lambda: seen.append(absent.find_spec("scipy", None)))
    other.start()
    other.join()
    assert seen == [None]
