"""The sample in data/ keeps the promises of its README."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest

from tests.support.paths import SAMPLE
from tests.support.small_store import unique
from uhhrag.formats.gold import read_claims, read_gold
from uhhrag.records import Label
from uhhrag.store import knowledge_store
from uhhrag.store.knowledge_store import Page

CLAIMS, STORE = SAMPLE / "claims.json", SAMPLE / "knowledge_store"
POSITIONS = range(12)
UNANSWERABLE = "No answer could be found."
each_store = pytest.mark.parametrize("position", POSITIONS)


def rows() -> list[dict[str, Any]]:
    return json.loads(CLAIMS.read_text(encoding="utf-8"))


def records(position: int) -> list[dict[str, Any]]:
    lines = (STORE / f"{position}.json").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def pages(position: int) -> list[Page]:
    found = list(knowledge_store.pages(STORE, position))
    assert all(isinstance(page, Page) for page in found)
    return [page for page in found if isinstance(page, Page)]


def answers(row: dict[str, Any]) -> list[dict[str, Any]]:
    return [answer for question in row["questions"] for answer in question["answers"]]


def texts_of(value: Any) -> Iterator[str]:
    """Every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_of(part)


def json_values(path: Path) -> Iterator[Any]:
    """The values of a JSON file or of a file of JSON lines."""
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        yield orjson.loads(text)
    except orjson.JSONDecodeError:
        for line in text.split("\n"):
            if line.strip():
                try:
                    yield orjson.loads(line)
                except orjson.JSONDecodeError:  # a record broken on purpose
                    yield line


def own_texts() -> set[str]:
    sample = [rows(), *(records(position) for position in POSITIONS)]
    return {text for text in texts_of(sample) if " " in text}


def sentences(text: str) -> list[str]:
    """The text itself and its parts of six words and more, letters and digits only."""
    parts = [text, *re.split(r"[.!?;:]\s", text)]
    plain = (" ".join(re.findall(r"\w+", part.lower())) for part in parts)
    return [part for part in plain if part.count(" ") >= 5]


def test_a_dozen_claims_are_read_and_each_has_its_store_file():
    assert [claim.id for claim in read_claims(CLAIMS)] == list(POSITIONS)
    assert {path.name for path in STORE.iterdir()} == {f"{n}.json" for n in POSITIONS}


def test_all_four_labels_stand_in_the_promised_numbers():
    assert Counter(gold.label for gold in read_gold(CLAIMS)) == {
        Label.SUPPORTED: 4,
        Label.REFUTED: 4,
        Label.NOT_ENOUGH: 2,
        Label.CONFLICTING: 2,
    }


def test_one_claim_has_no_date_one_a_null_date_and_some_no_speaker():
    assert [("claim_date" in row, row.get("claim_date") is None) for row in rows()].count(
        (False, True)
    ) == 1
    dates = [row["claim_date"] for row in rows() if "claim_date" in row]
    assert dates.count(None) == 1
    assert all(re.fullmatch(r"\d\d-\d\d-\d{4}", date) for date in dates if date)
    speakers = [claim.speaker for claim in read_claims(CLAIMS)]
    assert 0 < speakers.count(None) < len(speakers)


def test_answers_are_of_all_four_types_and_written_as_the_official_ones():
    found = [answer for row in rows() for answer in answers(row)]
    types = {"Extractive", "Abstractive", "Boolean", "Unanswerable"}
    assert {answer["answer_type"] for answer in found} == types
    for answer in found:
        boolean = answer["answer_type"] == "Boolean"
        assert bool(answer.get("boolean_explanation")) is boolean
        assert (answer["answer"] in {"Yes", "No"}) is boolean
        unanswerable = answer["answer_type"] == "Unanswerable"
        assert (answer["answer"] == UNANSWERABLE) is unanswerable
        assert (answer["source_url"] == "") is unanswerable


def test_some_question_has_more_than_one_answer():
    assert any(
        len(question.answers) > 1 for gold in read_gold(CLAIMS) for question in gold.questions
    )


@each_store
def test_gold_sources_are_pages_of_the_store_and_extracts_stand_on_them(position):
    lines_of = {page.url: page.lines for page in pages(position)}
    for answer in answers(rows()[position]):
        if answer["source_url"]:
            assert {answer["source_url"], answer["cached_source_url"]} <= lines_of.keys()
        if answer["answer_type"] == "Extractive":
            assert answer["answer"] in lines_of[answer["source_url"]]


@each_store
def test_a_store_has_the_official_keys_and_its_own_claim_id(position):
    for record in records(position):
        assert list(record) == ["claim_id", "type", "query", "url", "url2text"]
        assert record["claim_id"] == str(position)


@each_store
def test_a_store_leaks_gold_by_type_and_query_so_that_a_reader_of_them_is_caught(position):
    leaking = {record["query"] for record in records(position) if record["type"] == "gold"}
    assert leaking
    assert leaking <= {question["question"] for question in rows()[position]["questions"]}


@each_store
def test_a_store_holds_thirty_to_sixty_sentences_some_of_them_under_two_urls(position):
    passages = list(knowledge_store.read(STORE, position))
    assert 30 <= len(passages) <= 60
    shared_urls = [p.urls for p in unique(passages) if len(p.urls) > 1]
    assert shared_urls
    assert any(
        "archive.example" in {urlsplit(url).hostname for url in urls} for urls in shared_urls
    )


@each_store
def test_sentences_have_web_lengths_and_one_line_is_very_long(position):
    lengths = sorted(len(passage.text) for passage in knowledge_store.read(STORE, position))
    assert lengths[0] >= 50
    assert lengths[-2] <= 300
    assert lengths[-1] >= 800


@each_store
def test_pages_differ_in_shape(position):
    counts = [len(page.lines) for page in pages(position)]
    assert 8 <= len(counts) <= 14
    assert counts.count(0) == 1
    assert counts.count(1) >= 2
    assert len({page.url for page in pages(position)}) == len(counts)


@each_store
def test_some_urls_tell_a_date(position):
    assert any(re.search(r"/20[0-2]\d[/-][01]\d\b", page.url) for page in pages(position))


def test_some_page_is_younger_than_its_claim():
    thunder = rows()[5]
    assert thunder["claim_date"] == "02-08-2019"
    assert any("/2019-08-13-" in page.url for page in pages(5))


def test_every_url_is_under_example():
    text = "".join(path.read_text(encoding="utf-8") for path in (CLAIMS, *STORE.iterdir()))
    hosts = re.findall(r"https?://([^/\"\s]*)", text)
    assert len(hosts) > 150
    assert all(re.fullmatch(r"[a-z0-9-]+\.example", host) for host in hosts)


def test_every_source_has_its_url_written_out():
    urls = [page.url for position in POSITIONS for page in pages(position)]
    urls += [
        url
        for gold in read_gold(CLAIMS)
        for q in gold.questions
        for a in q.answers
        for url in a.urls
    ]
    assert all(url.startswith("https://") for url in urls)


def test_two_claims_share_no_sentence():
    found = [{p.text for p in knowledge_store.read(STORE, position)} for position in POSITIONS]
    assert len(set().union(*found)) == sum(map(len, found))


@pytest.mark.slow
@pytest.mark.reference
def test_no_sentence_stands_in_the_reference_data(shared):
    ours = {part for text in own_texts() for part in sentences(text)}
    assert len(ours) > 400
    # averitec/sample holds predictions for our own sample.
    every = (path for ending in ("*.json", "*.jsonl") for path in shared.rglob(ending))
    files = sorted(path for path in every if path.parent.name != "sample")
    assert files
    for path in files:
        for value in json_values(path):
            for text in texts_of(value):
                assert ours.isdisjoint(sentences(text)), (path.name, text)


PASSAGES = sorted(SAMPLE.glob("passages/*.jsonl"))


@pytest.mark.parametrize("file", PASSAGES, ids=[file.stem for file in PASSAGES])
def test_passages_to_train_on_have_a_third_of_each_label_and_evidence_that_exists(file):
    passages = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
    claims = [(passage, claim) for passage in passages for claim in passage["claims"]]
    labels = Counter(claim["label"] for _, claim in claims)
    assert labels.keys() == {"supports", "refutes", "neutral"}
    assert len(set(labels.values())) == 1
    for passage, claim in claims:
        assert all(0 <= at < len(passage["sentences"]) for at in claim["evidence"])
        assert claim["evidence"] or claim["label"] == "neutral"
    assert len({claim["claim"] for _, claim in claims}) == len(claims)


def test_pairs_of_checks_are_pairs_to_train_on_and_stand_once():
    with gzip.open(SAMPLE / "checks.jsonl.gz", "rt", encoding="utf-8") as file:
        pairs = [json.loads(line) for line in file]
    assert len(pairs) == len({(pair["premise"], pair["hypothesis"]) for pair in pairs}) == 7321
    assert {pair["label"] for pair in pairs} == {"supports", "refutes", "neutral"}
    assert {pair["source"] for pair in pairs} == {"checks", "checks-alone"}
    assert len({pair["group"] for pair in pairs}) == 1904
