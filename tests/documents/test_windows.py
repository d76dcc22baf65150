"""Sentences without an end are cut into windows, and the cut is said."""

from hypothesis import given
from hypothesis import strategies as st

from tests.support.documents import HereReader
from uhhrag.documents.listing import list_documents
from uhhrag.documents.segmentation import (
    MOST_PIECES,
    cut_note,
    pieces,
    split_sentences,
    windows,
)

TALK = "so we went down to the harbour and looked at the boats " * 40


def test_a_talk_without_punctuation_is_many_windows_an_embedder_reads_whole():
    lines = [line for line, _ in split_sentences([(TALK, 0)])]
    assert " ".join(lines) == TALK.strip()
    assert len(lines) == 8
    assert all(pieces(line) <= MOST_PIECES for line in lines)
    told = "1 sentence is longer than an embedder reads and was cut into windows"
    assert cut_note(1) == told


def test_a_window_ends_at_a_pause():
    text = "the fee is due on the first day of the month, and a boat that is late pays more; " * 20
    assert all(line.endswith((",", ";")) for line, _ in split_sentences([(text, 0)]))


def test_each_window_has_the_page_it_begins_on():
    parts = [(TALK.strip(), 1), (TALK.strip(), 2)]
    pages = [page for _, page in split_sentences(parts)]
    assert pages == [1] * 8 + [2] * 8


def test_a_sentence_of_usual_length_is_not_cut():
    text = "The council approved the budget, which sets aside 19 million crowns for its schools."
    assert split_sentences([(text, 3)]) == [(text, 3)]


@given(st.text(), st.integers(1, 200))
def test_windows_hold_every_letter_and_are_short(text, times):
    long = text * times
    cut = [long[start:end] for start, end in windows(long)] if long.strip() else []
    assert "".join("".join(cut).split()) == "".join(long.split())
    assert all(pieces(part) <= MOST_PIECES for part in cut)


def test_the_cut_is_said_where_a_file_is_read(tmp_path):
    (tmp_path / "talk.txt").write_text(TALK)
    (file,) = list_documents(tmp_path).files
    answer = HereReader().read(file, {}, tmp_path / "spool")
    assert answer["partly"] == cut_note(1)
