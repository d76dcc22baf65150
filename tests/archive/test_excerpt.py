"""What the cross-encoder reads of a passage."""

from __future__ import annotations

import numpy as np
import pytest

from uhhrag.archive.search import RankedPassage, Ranking, _reranked, _sentences, excerpts, spread
from uhhrag.records import Page
from uhhrag.store.passages import is_filled

NEAR = {"query": 0.0, "rain": 0.1, "storm": 0.2, "sun": 1.0, "snow": 1.5}


def static(texts):
    """Stand-ins: the angle of a text to the query by its first word."""
    angles = [NEAR[text.partition(" ")[0]] for text in texts]
    return np.array([(np.cos(angle), np.sin(angle)) for angle in angles], np.float32)


@pytest.mark.parametrize(
    ("longest", "read"),
    [
        (1, ["rain at night"]),
        (20, ["rain at night"]),
        (23, ["rain at night"]),
        (24, ["storm at 5", "rain at night"]),
        (99, ["snow", "storm at 5", "rain at night", "sun"]),
    ],
)
def test_the_nearest_lines_are_read_in_the_order_of_the_passage(longest, read):
    passage = ["snow", "storm at 5", "rain at night", "sun"]
    assert excerpts("query", [passage], static, longest) == [read]


def test_each_passage_has_its_own_excerpt():
    assert excerpts("query", [["sun"], ["snow", "rain"]], static, 1) == [["sun"], ["rain"]]
    assert excerpts("query", [], static, 1) == []


def test_the_cross_encoder_reads_the_excerpts_and_the_passages_stay_whole():
    page = Page("https://paper.invalid", ("snow", "rain"), title="Weather")
    seen = []

    def relevance(query, texts):
        seen.extend(texts)
        return np.arange(len(texts), dtype=np.float32)

    ranking = Ranking(
        static, None, None, relevance, 2, lambda query, parts: excerpts(query, parts, static, 1)
    )
    passages = [RankedPassage(n, 1 / (n + 1), 0, page, range(2)) for n in range(3)]
    ranked = _reranked("query", passages, ranking)
    assert seen == ["Weather. rain"] * 2
    assert [passage.number for passage in ranked] == [1, 0, 2]
    assert all(passage.lines == ("snow", "rain") for passage in ranked)


def test_the_cross_encoder_and_the_fused_ranking_both_count():
    page = Page("https://paper.invalid", ("rain",))
    passages = [
        RankedPassage(n, score, 0, page, range(1)) for n, score in enumerate((3.0, 2.0, 1.0))
    ]

    def order(share):
        given = np.array([0.0, 1.0, 0.9], np.float32)
        ranking = Ranking(static, None, None, lambda query, texts: given, 3, None, share)
        return [passage.number for passage in _reranked("query", passages, ranking)]

    assert order(1.0) == [1, 2, 0]
    assert order(0.0) == [0, 1, 2]
    assert order(0.6) == [1, 2, 0]
    assert order(0.4) == [1, 0, 2]


def test_a_search_without_passages_has_none_to_read():
    ranking = Ranking(static, None, None, lambda query, texts: np.empty(0, np.float32), 3)
    assert _reranked("query", [], ranking) == []
    assert spread(np.array([2.0, 2.0])).tolist() == [0.0, 0.0]


def test_a_sentence_that_begins_with_a_pronoun_is_embedded_after_the_one_before_it():
    page = Page("u", ("sun shone.", "It was hot.", "rain fell."))
    passages = [RankedPassage(0, 1.0, 0, page, range(3))]
    embedded: list[str] = []

    def embed(texts):
        embedded.extend(texts)
        return static(texts)

    hits = _sentences("query", passages, embed, is_filled)
    assert embedded == ["query", "sun shone.", "sun shone. It was hot.", "rain fell."]
    assert [hit.passage.text for hit in hits] == ["rain fell.", "sun shone.", "It was hot."]
