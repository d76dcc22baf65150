"""One store for all claims."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.doubles import CLAIMS, load_nltk_data
from uhhrag.errors import InputError
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.indexing.document_index import DocumentIndex, open_document_index, pool_of
from uhhrag.records import Claim, Passage, Place
from uhhrag.store import knowledge_store

RECORDS = (
    {"url": "file:a.txt", "url2text": ["A cat sat there.", "Dogs bark."], "title": "Pets"},
    {"url": "file:b.pdf", "url2text": ["Dogs bark.", "Cows eat."], "pages": [1, 2]},
    {"no": "page"},
)


@pytest.fixture
def file(tmp_path) -> Path:
    file = tmp_path / "store.jsonl"
    file.write_text("".join(json.dumps(record) + "\n" for record in RECORDS))
    return file


@pytest.fixture
def documents(file) -> DocumentIndex:
    return open_document_index(file)


def test_a_document_index_holds_each_sentence_with_its_place_and_its_pages_by_url(documents):
    assert documents.passages == (
        Passage("A cat sat there.", ("file:a.txt",), (Place(0, 0),)),
        Passage("Dogs bark.", ("file:a.txt",), (Place(0, 1),)),
        Passage("Dogs bark.", ("file:b.pdf",), (Place(1, 0),)),
        Passage("Cows eat.", ("file:b.pdf",), (Place(1, 1),)),
    )
    assert [page.title for page in documents.pages["file:a.txt"]] == ["Pets"]
    assert documents.pages["file:b.pdf"][0].numbers == (1, 2)
    why = "1 record left out; the first at store.jsonl:3: `url` is missing or not a text"
    assert documents.partly == why


def test_a_small_store_is_searched_whole_and_a_larger_one_by_its_best_sentences(documents):
    load_nltk_data()
    claim = Claim(0, "Cows eat grass.")
    assert [hit.passage for hit in pool_of(documents, claim, 4)] == list(documents.passages)
    assert [hit.passage.text for hit in pool_of(documents, claim, 1)] == ["Cows eat."]


def test_documents_and_sources_are_found_by_number(documents):
    pool = pool_of(documents, CLAIMS[0], 9)
    found = ClaimIndex(CLAIMS[0], pool, documents.document, documents.sources)
    assert found.document(1) == documents.documents[1]
    assert found.document(2) is None
    assert [source.title for source in found.sources] == ["Pets", ""]


def test_a_sentence_is_embedded_after_its_heading_and_what_it_refers_back_to(tmp_path):
    file = tmp_path / "store.jsonl"
    lines = ["The ferry sails.", " ", "It is old.", "It is red."], ["Trams run.", "It is old."]
    pages = [{"url": "u", "url2text": page} for page in lines]
    pages.append({"url": "v", "url2text": ["Fares", "Cars pay more."], "sections": [[0, "Fares"]]})
    file.write_text("".join(json.dumps(page) + "\n" for page in pages))
    documents = open_document_index(file)
    embedded = [documents.embedded(passage) for passage in documents.passages]
    assert embedded == [
        "The ferry sails.",
        "The ferry sails. It is old.",
        "It is old. It is red.",
        "Trams run.",
        "Trams run. It is old.",
        "Fares",
        "Fares. Cars pay more.",
    ]


def test_one_jsonl_file_is_the_store_of_every_claim(file):
    assert list(knowledge_store.pages(file, 0)) == list(knowledge_store.pages(file, 7))


def test_a_store_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(InputError, match=r"none\.jsonl: cannot be read"):
        open_document_index(tmp_path / "none.jsonl")
