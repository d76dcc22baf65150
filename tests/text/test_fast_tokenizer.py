from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.text.test_nltk_tokenizer import texts
from uhhrag.indexing import term_counts
from uhhrag.store import knowledge_store
from uhhrag.text import fast_tokenizer
from uhhrag.text.nltk_tokenizer import punkt_rules, word_tokenize

MARKS = {bytes([mark]): sign for sign, mark in fast_tokenizer.CURLED.items()}
MARKS |= {bytes([fast_tokenizer.OPEN]): "``", bytes([fast_tokenizer.CLOSE]): "''"}


pytestmark = pytest.mark.usefixtures("nltk_loaded")


def words(*given_texts: str) -> list[list[str]]:
    """The words of each text as NLTK would write them."""
    found = fast_tokenizer.tokenise(given_texts, punkt_rules())
    block = found.block.tobytes()
    cut: list[list[str]] = [[] for _ in given_texts]
    for start, end, text in zip(found.starts, found.ends, found.texts, strict=True):
        word = block[start:end]
        cut[text].append(MARKS.get(word) or word.decode("utf-8", "replace"))
    return cut


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "A cat, a dog; 3,500 cows: all at 12:30!",
        "Mr. Smith of the U.S. army met J. Doe. He left. Then what?",
        "It rained in 2020. Dr. No said no. We met on Jan. 6 at St. Pauls.",
        "\"Don't,\" she said, \"they'll hear; it's John's and we've won.\"",
        "“We can't,” he said. ‘Why?’ asked the dogs' owner’s friend.",
        "They cannot, gonna and WANNA (lemme see) [1] {2} <3> 50% #1 @you a&b $5",
        "Wait... what -- no --- yes ----- end..",
        "See https://a.example/b?c=d,e and mail me@b.example.",
        "«Oui», dit-il. „Ja“, sagte sie.",
        "tabs\tand\u00a0spaces\u3000of\u2009all kinds\nand lines.",
        "(He left.) [She stayed.] He said: 'I do.' It is 'a' word.",
        "The end of this text (for now.)",
        'He said: "Mr. President, stay."',
        "`code` and ``quote'' too",
        "5. Fifth, e.g. this, i.e. that, etc. and so on.",
    ],
)
def test_words_are_those_of_nltk(text):
    assert words(text) == [word_tokenize(text)]


def test_texts_do_not_touch_each_other():
    given_texts = ["Mr.", 'Smith said: "', "Yes.", "", ",", "'", "s", "it", "'s", "5", "."]
    assert words(*given_texts) == [words(text)[0] for text in given_texts]


@given(st.lists(texts | st.text(max_size=20), min_size=1, max_size=5))
def test_any_text_is_cut_into_all_that_is_not_space(given_texts):
    cut = words(*given_texts)
    for text, found in zip(given_texts, cut, strict=True):
        whole = text.encode("utf-8", "replace").decode().replace('"', "").split()
        kept = "".join(found).replace("``", "").replace("''", "").replace("`", "")
        assert kept == "".join(whole).replace("''", "").replace("`", "")
    assert cut == [words(text)[0] for text in given_texts]


@given(st.lists(st.text("ab .", max_size=30), max_size=6))
def test_counts_are_exact_where_the_words_are(given_texts):
    asked = ["a", "ab", ".", "aaaaaaaaaaaaaaaaaaaab", "never"]
    quick = term_counts.quickly(asked, given_texts, punkt_rules())
    exact = term_counts.postings(map(word_tokenize, given_texts)).counts_of(asked)
    cut_alike = [words(text)[0] == word_tokenize(text) for text in given_texts]
    assert (quick.lengths == exact.lengths)[cut_alike].all()
    assert (quick.counts == exact.counts)[:, cut_alike].all()
    if all(cut_alike):
        assert quick.mean_idf == pytest.approx(exact.mean_idf)


def test_counts_do_not_depend_on_where_a_block_ends(monkeypatch):
    given_texts = [f"Line {n}. It's the {n % 7}th, isn't it?" for n in range(500)]
    whole = term_counts.quickly(["the", "n't"], given_texts, punkt_rules())
    monkeypatch.setattr(term_counts, "_BLOCK", 100)
    parts = term_counts.quickly(["the", "n't"], given_texts, punkt_rules())
    assert (whole.lengths == parts.lengths).all()
    assert (whole.counts == parts.counts).all()
    assert whole.mean_idf == parts.mean_idf


def test_the_mean_idf_of_a_sample_is_near_that_of_all_words(monkeypatch):
    draw = np.random.default_rng(0)
    given_texts = [" ".join(map(str, draw.zipf(1.3, 30))) for _ in range(3000)]
    whole = term_counts.quickly(["1"], given_texts, punkt_rules())
    monkeypatch.setattr(term_counts, "_SAMPLED", 30_000)
    sample = term_counts.quickly(["1"], given_texts, punkt_rules())
    assert sample.mean_idf != whole.mean_idf
    assert sample.mean_idf == pytest.approx(whole.mean_idf, rel=0.02)
    assert (sample.counts == whole.counts).all()


@pytest.mark.reference
def test_one_real_line_in_five_hundred_is_cut_differently(shared):
    folder = shared / "averitec" / "knowledge_store"
    lines = list({p.text: None for n in (0, 20, 40) for p in knowledge_store.read(folder, n)})
    cut = words(*lines)
    different = sum(word_tokenize(line) != found for line, found in zip(lines, cut, strict=True))
    assert different / len(lines) < 0.002
