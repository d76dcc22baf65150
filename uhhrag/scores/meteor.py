"""METEOR, bit for bit as NLTK's (Banerjee and Lavie 2005; Lavie and Agarwal 2007)."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import nltk
from nltk.corpus.reader.wordnet import POS_LIST, WordNetCorpusReader, WordNetError
from nltk.stem.porter import PorterStemmer

from uhhrag.errors import ModelError
from uhhrag.text.nltk_tokenizer import use_nltk_data, word_tokenize

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
"""NLTK's defaults: precision weight, penalty exponent, penalty weight."""

_OFFICIAL_NLTK = ((3, 8, 1), (3, 9, 2))
_OFFICIAL_WORDNET = "3.0"

_stemmer = PorterStemmer()


@dataclass(frozen=True, slots=True)
class LanguageData:
    nltk: str
    wordnet: str

    @property
    def official(self) -> bool:
        """Whether published AVeriTeC scores are comparable."""
        first, last = _OFFICIAL_NLTK
        return first <= _numbers(self.nltk) <= last and self.wordnet == _OFFICIAL_WORDNET


def load_meteor_data(folder: Path) -> LanguageData:
    """Reads Punkt and WordNet. Raises ModelError if missing: scores would silently be lower."""
    if nltk.data.path != [str(folder)]:
        use_nltk_data(folder)
        forget()
    word_tokenize("One. Two.")
    return LanguageData(nltk.__version__, str(_wordnet().get_version()))


def start_worker(folder: Path) -> None:
    """Reopens files, since forked processes share seek positions."""
    if _wordnet.cache_info().currsize:
        _wordnet()._data_file_map.clear()
    load_meteor_data(folder)


def forget() -> None:
    for cached in (meteor, _read, _stem, _synonymous, _lemmas, _senses, _senses_as_spelt, _wordnet):
        cached.cache_clear()


class _English(WordNetCorpusReader):  # type: ignore[misc]
    def map_wn(self, version: str = "wordnet") -> None:
        """Skipped: only other languages need it, and it is half the loading time."""


@lru_cache(maxsize=1)
def _wordnet() -> _English:
    try:
        try:
            root = nltk.data.find("corpora/wordnet")
        except LookupError:
            root = nltk.data.find("corpora/wordnet.zip/wordnet/")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it reads English only, which we want
            return _English(root, None)
    except (LookupError, OSError, ValueError, AssertionError, WordNetError) as error:
        raise ModelError(
            f"no readable WordNet in {nltk.data.path}; run: uhhrag models pull nltk-data"
        ) from error


@lru_cache(maxsize=2**17)
def meteor(reference: str, candidate: str) -> float:
    """0 to 1; recall weighs nine times precision. Call `load_meteor_data` first."""
    expected, predicted = _read(reference), _read(candidate)
    matches = _align(predicted, expected)
    if not matches:
        return 0.0
    precision = float(len(matches)) / len(predicted.words)
    recall = float(len(matches)) / len(expected.words)
    fmean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall)
    fragmentation = float(_chunks(matches)) / len(matches)
    return float((1 - GAMMA * fragmentation**BETA) * fmean)


Places = dict[str, list[int]]
"""Positions by word, ascending."""

Matches = list[tuple[int, int]]
"""Positions (predicted, expected)."""


@dataclass(frozen=True, slots=True)
class _Text:
    words: tuple[str, ...]
    stems: tuple[str, ...]
    places: Places


@lru_cache(maxsize=2**14)
def _read(text: str) -> _Text:
    words = tuple(word.lower() for word in word_tokenize(text))
    return _Text(words, tuple(map(_stem, words)), _places(words, range(len(words))))


@lru_cache(maxsize=2**18)
def _stem(word: str) -> str:
    return str(_stemmer.stem(word))


@lru_cache(maxsize=2**18)
def _synonymous(predicted: str, expected: str) -> bool:
    shared = _senses(predicted) & _senses_as_spelt(expected)
    return any(expected in _lemmas(*sense) for sense in shared)


@lru_cache(maxsize=2**18)
def _lemmas(pos: str, offset: int) -> frozenset[str]:
    synset = _wordnet().synset_from_pos_and_offset(pos, offset)
    return frozenset(name for name in synset.lemma_names() if "_" not in name)


@lru_cache(maxsize=2**18)
def _senses(word: str) -> frozenset[tuple[str, int]]:
    """Synsets: (part of speech, offset)."""
    index = _wordnet()._lemma_pos_offset_map
    return frozenset(
        (pos, offset)
        for pos in POS_LIST
        for form in _wordnet()._morphy(word, pos)
        for offset in index[form].get(pos, ())
    )


@lru_cache(maxsize=2**18)
def _senses_as_spelt(word: str) -> frozenset[tuple[str, int]]:
    listed = _wordnet()._lemma_pos_offset_map.get(word, {})
    return frozenset((pos, offset) for pos, offsets in listed.items() for offset in offsets)


def _align(predicted: _Text, expected: _Text) -> Matches:
    """As in NLTK: equal words, stems, synonyms of stems, each from last to first."""
    matches = _match_equal(predicted.places, expected.places)
    ours, theirs = _free(predicted, expected, matches)
    matches += _match_equal(_places(predicted.stems, ours), _places(expected.stems, theirs))
    ours, theirs = _free(predicted, expected, matches)
    return sorted(matches + _match_synonyms(ours, predicted.stems, theirs, expected.stems))


def _places(words: Sequence[str], positions: Iterable[int]) -> Places:
    places: Places = {}
    for position in positions:
        places.setdefault(words[position], []).append(position)
    return places


def _free(predicted: _Text, expected: _Text, matches: Matches) -> tuple[list[int], list[int]]:
    ours, theirs = {i for i, _ in matches}, {j for _, j in matches}
    return (
        [i for i in range(len(predicted.words)) if i not in ours],
        [j for j in range(len(expected.words)) if j not in theirs],
    )


def _match_equal(predicted: Places, expected: Places) -> Matches:
    return [
        match
        for word in predicted.keys() & expected.keys()
        for match in zip(reversed(predicted[word]), reversed(expected[word]), strict=False)
    ]


def _match_synonyms(
    ours: list[int], predicted: Sequence[str], theirs: list[int], expected: Sequence[str]
) -> Matches:
    senses = {j: _senses_as_spelt(expected[j]) for j in reversed(theirs)}
    free = [j for j, shared in senses.items() if shared]
    reach = frozenset().union(*senses.values())
    matches = []
    for i in reversed(ours):
        if _senses(predicted[i]).isdisjoint(reach):
            continue
        j = next((j for j in free if _synonymous(predicted[i], expected[j])), None)
        if j is not None:
            matches.append((i, j))
            free.remove(j)
    return matches


def _chunks(matches: Sequence[tuple[int, int]]) -> int:
    """Runs of matches adjacent in both texts.

    >>> _chunks([(0, 4), (1, 5), (3, 6)])
    2
    """
    return 1 + sum(after != (before[0] + 1, before[1] + 1) for before, after in pairwise(matches))


def _numbers(version: str) -> tuple[int, ...]:
    """
    >>> _numbers("3.9.2")
    (3, 9, 2)
    """
    return tuple(int(part) for part in version.split(".") if part.isdecimal())
