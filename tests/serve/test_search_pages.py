"""Searching the documents of a collection, and opening any one, without a claim."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.serve.test_library import _read_here, give, library_desk, made, read
from tests.support.serving import Served
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.indexing.fused_search import fused_search, views_of
from uhhrag.protocols import Search

pytestmark = pytest.mark.slow
assert _read_here  # a fixture that every test here uses

COUNCIL = b"""# Harbour council

## Ferry

The ferry to Lunde was sold in 2019. It carried 5,379 passengers a year.

## Schools

The council spent 18 million crowns.
"""


def hashed(documents: DocumentIndex) -> Search:
    embed = hashing_embedder()
    texts = [passage.text for passage in documents.passages]
    views = views_of(documents.passages, texts, documents.document, embed, embed)
    return fused_search(documents.passages, views, embed, embed)


@pytest.fixture
def filled(tmp_path: Path):
    with library_desk(tmp_path / "home", search=hashed) as desk:
        path = made(desk)
        give(desk, path, "council.md", COUNCIL)
        give(desk, path, "other.txt", b"The council met. Nothing was said of the ferry.")
        read(desk, path)
        yield desk, path.rpartition("/")[2]


def test_every_sentence_with_the_words_is_found_and_opens_at_its_place(filled: tuple[Served, str]):
    desk, key = filled
    page = desk.get(f"/search/{key}?q=ferry").body
    assert "3 sentences of 2 documents with every word" in page
    assert 'under “<span dir="auto">Ferry</span>”' in page
    link = next(p for p in page.split('"') if p.startswith(f"/documents/{key}/") and "line=2" in p)
    document = desk.get(link.partition("#")[0].replace("&amp;", "&")).body
    assert (
        '<p dir="auto" id="sentence"><mark>The ferry to Lunde was sold in 2019.</mark>' in document
    )
    assert "<b>Schools</b>" in document
    assert "council.md" in document


def test_a_phrase_is_found_as_it_is_written_and_near_sentences_stand_below(
    filled: tuple[Served, str],
):
    desk, key = filled
    assert "1 sentence of 1 document" in desk.get(f"/search/{key}?q=%22the+council+spent%22").body
    page = desk.get(f"/search/{key}?q=5,379").body
    assert "1 sentence of 1 document" in page
    nothing = desk.get(f"/search/{key}?q=council+ferry").body
    assert "0 sentences of 0 documents" in nothing
    assert "The council met." in nothing.partition("Near in words and meaning")[2]


@pytest.mark.parametrize("asked", ["", "%00", "%22", "<script>", "a" * 5000, "%F0%9F%98%80", "..."])
def test_any_query_has_an_answer(filled: tuple[Served, str], asked: str):
    desk, key = filled
    answer = desk.get(f"/search/{key}?q={asked}")
    assert answer.status == 200
    assert "<script>" not in answer.body.partition("<main")[2].partition("</main")[0]


@pytest.mark.parametrize(
    "path",
    ["/search/none?q=a", "/documents/none/0", "/documents/{key}/7", "/documents/{key}/999999999"],
)
def test_what_is_not_there_is_said_to_be_missing(filled: tuple[Served, str], path: str):
    desk, key = filled
    assert desk.get(path.format(key=key)).status == 404


@pytest.mark.parametrize("line", ["-1", "99", "x", "%C2%B2", "9" * 400])
def test_a_line_that_is_not_there_marks_nothing(filled: tuple[Served, str], line: str):
    desk, key = filled
    answer = desk.get(f"/documents/{key}/0?line={line}")
    assert answer.status == 200
    assert "<mark>" not in answer.body
