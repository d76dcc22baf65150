from __future__ import annotations

import random
import zipfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import nltk
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.meteor_score import single_meteor_score

from tests.support.nltk_data import nltk_data_folder
from uhhrag.errors import ModelError
from uhhrag.formats.submission import read_predictions
from uhhrag.scores import meteor as ours
from uhhrag.scores.meteor import LanguageData, load_meteor_data, meteor, start_worker
from uhhrag.text.nltk_tokenizer import word_tokenize

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module", autouse=True)
def _language() -> None:
    load_meteor_data(nltk_data_folder())


def theirs(reference: str, candidate: str) -> float:
    return single_meteor_score(word_tokenize(reference), word_tokenize(candidate))


_WORDS = """the a dog hounds hound ran run running runs car automobile Automobiles auto big large ,
. ? president presidents US U.S. can't cannot 5 5.0 -- — “quoted” Paris paris well good better
job occupation line business icecream ice_cream İstanbul \ud800 \x00 don't gonna"""
WORDS = st.sampled_from(_WORDS.split())


@given(st.lists(WORDS, max_size=25).map(" ".join), st.lists(WORDS, max_size=25).map(" ".join))
def test_it_is_nltks_own_number_to_the_last_bit(reference: str, candidate: str) -> None:
    assert meteor(reference, candidate) == theirs(reference, candidate)


@given(st.text(max_size=60), st.text(max_size=60))
def test_it_is_nltks_own_number_on_any_text_at_all(reference: str, candidate: str) -> None:
    assert meteor(reference, candidate) == theirs(reference, candidate)


def test_it_is_nltks_own_number_on_pairs_of_real_evidence(shared: Path) -> None:
    found = read_predictions(shared / "averitec/predictions/hero_8b.json")
    texts = [f"{item.question} {item.answer}" for claim in found for item in claim.evidence]
    pairs = [random.Random(number).sample(texts, 2) for number in range(150)]  # noqa: S311
    assert [meteor(a, b) for a, b in pairs] == [theirs(a, b) for a, b in pairs]


@pytest.mark.parametrize(("reference", "candidate"), [("", "a"), ("a", ""), ("", ""), ("a", "b")])
def test_nothing_in_common_scores_zero(reference: str, candidate: str) -> None:
    assert meteor(reference, candidate) == 0.0


def test_the_last_free_word_is_matched_first() -> None:
    # Scanned from the start, "a" would meet the first "a" and the text would be one chunk.
    assert ours._align(ours._read("a b"), ours._read("a b c a")) == [(0, 3), (1, 1)]


def test_synonyms_are_those_of_the_stem_and_of_single_words() -> None:
    assert meteor("the auto", "the car") > meteor("the automobile", "the car")  # "automobil"
    assert ours._synonymous("car", "auto")
    assert ours._synonymous("cars", "auto")
    assert not ours._synonymous("car", "autos")
    assert not ours._synonymous("france", "france")  # WordNet spells it "France"
    assert not ours._synonymous("icecream", "ice_cream")
    assert meteor("#ice_cream", "icecream") == theirs("#ice_cream", "icecream") == 0.0


@pytest.mark.heavy
def test_the_index_lists_every_synset_a_word_stands_in() -> None:
    """What `_synonymous` relies on when it reads the synsets of both words only."""
    for synset in ours._wordnet().all_synsets():
        for name in synset.lemma_names():
            if "_" not in name and name == name.lower():
                pos = "a" if synset.pos() == "s" else synset.pos()
                assert (pos, synset.offset()) in ours._senses_as_spelt(name)


def test_versions_outside_the_published_ones_are_not_called_official() -> None:
    assert LanguageData("3.8.1", "3.0").official
    assert LanguageData("3.9.2", "3.0").official
    assert not LanguageData("3.9.3", "3.0").official
    assert not LanguageData("3.10.4", "3.0").official
    assert not LanguageData("3.9.2", "3.1").official


def test_data_that_are_not_there_are_an_error_that_names_the_command(tmp_path: Path) -> None:
    folder = nltk_data_folder()
    nltk.tokenize._get_punkt_tokenizer.cache_clear()
    try:
        with pytest.raises(ModelError, match="uhhrag models pull nltk-data"):
            load_meteor_data(tmp_path)
        (tmp_path / "tokenizers").symlink_to(folder / "tokenizers")
        with pytest.raises(ModelError, match=r"WordNet.*uhhrag models pull nltk-data"):
            load_meteor_data(tmp_path)
        (tmp_path / "corpora").mkdir()
        with zipfile.ZipFile(tmp_path / "corpora/wordnet.zip", "w") as damaged:
            damaged.writestr("wordnet/lexnames", "00\tnothing\t")
        with pytest.raises(ModelError, match=r"WordNet.*uhhrag models pull nltk-data"):
            load_meteor_data(tmp_path)
    finally:
        load_meteor_data(folder)


def _lemmas(synsets: Sequence[tuple[str, int]]) -> int:
    return sum(len(ours._lemmas(*synset)) for synset in synsets)


def test_processes_that_share_the_work_read_wordnet_each_for_itself() -> None:
    """As forked processes shared their parent's open files, adjectives were read from each other's
    places, and a synset was missing in each of five runs."""
    folder = nltk_data_folder()
    ours.forget()
    load_meteor_data(folder)
    index = ours._wordnet()._lemma_pos_offset_map
    adjectives = sorted({("a", place) for lemma in index.values() for place in lemma.get("a", ())})
    parts = [adjectives[start::20] for start in range(20)]
    with ProcessPoolExecutor(2, initializer=start_worker, initargs=(folder,)) as pool:
        counted = sum(pool.map(_lemmas, parts))
    assert counted == _lemmas(adjectives)
