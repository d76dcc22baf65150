"""Sentences that have every word, as people write words."""

from __future__ import annotations

import pytest

from tests.support.corpora import follow
from uhhrag.archive import words
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.words import find_words, has_all, phrases_of


@pytest.mark.parametrize(
    ("query", "text", "found"),
    [
        ("増税", "東京都は2020年に増税を決めた。", True),
        ("東京 「増税を」", "東京都は増税を決めた。", True),
        ("増税 減税", "東京都は増税を決めた。", False),
        ("대통령", "대통령은 서명했다.", True),
        ("ไทย", "ภาษาไทยง่าย", True),
        ("की", "राजा का महल", False),
        ("हिन्दी", "वह हिन्दी बोलता है।", True),
        ("محمد", "قال مُحَمَّد نعم.", True),
        ("istanbul", "İstanbul grew.", True),
        ("not", "It did _not_ rain.", True),
        ("379", "It carried 5,379 passengers.", False),
        ('"2 percent"', "It rose by 1.2 percent.", False),
        ("1.2", "It rose by 1.2 percent.", True),
        ("5,379", "It carried 5,379.", True),
        ("61275", "It cost £61,275 a day.", True),
        ("1249800.5", "Paid: £1,249,800.50", True),
        ("£1,249,800.50", "Paid: 1249800.5", True),
        ("1500", "It is 1.500 long.", False),
        ("1275", "It cost 61,275.", False),
        ("2023", "Signed on 15.05.2023.", True),
        ("3", "Rooms 1,2,3 are closed.", True),
        ("«the council»", "Of the whole council.", False),
        ('("the council")', "Of the whole council.", False),
        ("»council met«", "The council met.", True),
    ],
)
def test_a_sentence_has_a_word_as_people_read_it(query, text, found):
    assert has_all(text, phrases_of(query)) is found


@pytest.mark.parametrize(
    ("query", "sentences", "whole"),
    [("harbour", 3, True), ("the", 0, False), ("増税", 0, False), ("the harbour", 3, True)],
)
def test_of_a_large_archive_only_what_full_text_can_find_is_said_to_be_all(
    tmp_path, docs, monkeypatch, query, sentences, whole
):
    follow(tmp_path / "corpus", docs)
    monkeypatch.setattr(words, "MOST_DOCUMENTS", 0)
    found = find_words(open_snapshot(tmp_path / "corpus"), query, 9)
    assert (found.sentences, found.whole) == (sentences, whole)
