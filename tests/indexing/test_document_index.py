"""One store for all claims."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.doubles import CLAIMS
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.indexing.document_index import DocumentIndex, index_documents
from uhhrag.records import Page, Passage, Place
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


def indexed(file: Path) -> DocumentIndex:
    pages = [page for page in knowledge_store.pages(file, 0) if isinstance(page, Page)]
    return index_documents(dict(enumerate(pages)), "0" * 64)


def test_a_document_index_holds_each_sentence_with_its_place_and_each_page_by_its_number(file):
    documents = indexed(file)
    assert documents.passages == (
        Passage("A cat sat there.", ("file:a.txt",), (Place(0, 0),)),
        Passage("Dogs bark.", ("file:a.txt",), (Place(0, 1),)),
        Passage("Dogs bark.", ("file:b.pdf",), (Place(1, 0),)),
        Passage("Cows eat.", ("file:b.pdf",), (Place(1, 1),)),
    )
    found = ClaimIndex(CLAIMS[0], (), documents.document, documents.sources)
    assert [source.title for source in found.sources] == ["Pets", ""]
    second = found.document(1)
    assert second
    assert second.numbers == (1, 2)
    assert found.document(2) is None


def test_a_sentence_is_embedded_after_its_heading_and_what_it_refers_back_to(tmp_path):
    file = tmp_path / "store.jsonl"
    lines = ["The ferry sails.", " ", "It is old.", "It is red."], ["Trams run.", "It is old."]
    pages = [{"url": "u", "url2text": page} for page in lines]
    pages.append({"url": "v", "url2text": ["Fares", "Cars pay more."], "sections": [[0, "Fares"]]})
    file.write_text("".join(json.dumps(page) + "\n" for page in pages))
    documents = indexed(file)
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
