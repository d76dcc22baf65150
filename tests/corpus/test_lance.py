"""A corpus published in a table of LanceDB gives the passages that its own engines give."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import lancedb
import numpy as np
import pytest

from tests.support.corpora import follow, with_vectors, write_dated
from tests.support.doubles import fake_embed
from uhhrag.corpus import lance
from uhhrag.corpus.engines import Engines, engines_of
from uhhrag.corpus.filters import NO_FILTER, CorpusLimits, DocumentFilter
from uhhrag.corpus.snapshot import Snapshot, open_corpus
from uhhrag.corpus.vector_index import CorpusVectors
from uhhrag.errors import IndexFault, UsageError
from uhhrag.records import Claim
from uhhrag.store.filters import Limits

DOCUMENTS = 240
WORDS = (
    "harbour",
    "snow",
    "dredging",
    "hill",
    "dogs",
    "moon",
    "rivers",
    "café",
    "o'clock",
    "naïve",
)
LIMITS = (
    Limits(),
    Limits(before="2014-12-31"),
    Limits(before="2014-12-31", undated=False),
    Limits(before="2014-12-31", undated=False, file_dates=True),
    Limits(sites=("a.example", "*/2/*")),
    Limits(before="claim-date", sites=("b.example",), undated=False),
)


@pytest.fixture
def docs(tmp_path) -> Path:
    """Documents of at most 40 words, whose number tantivy keeps exactly."""
    draw = np.random.default_rng(3)

    def content(part: int, number: int) -> dict[str, str]:
        words = " ".join(draw.choice(WORDS, draw.integers(3, 20)))
        return {"title": f"Part {part}", "text": f"{words}."}

    return write_dated(tmp_path / "docs", DOCUMENTS, content)


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    return with_vectors(tmp_path / "corpus", docs)


def published(corpus: Path, place: Path) -> Snapshot:
    assert len(list(lance.publish(corpus, place))) > 0
    return open_corpus(corpus)


def both(corpus: Path, place: Path) -> tuple[Engines, Engines, Snapshot]:
    """The corpus's own engines, the table, and the published state."""
    own = engines_of(open_corpus(corpus))
    snapshot = published(corpus, place)
    table = engines_of(snapshot)
    assert (own.where, table.where) == ("", " in LanceDB")
    return own, table, snapshot


@pytest.mark.parametrize("limits", LIMITS)
@pytest.mark.parametrize("files", [None, ["part1.jsonl"]])
def test_both_give_the_same_passages_in_the_same_order(corpus, tmp_path, limits, files):
    own, table, snapshot = both(corpus, tmp_path / "lake")
    leaving_out = CorpusLimits(snapshot, limits, files).for_claim(Claim(0, "?", "2016-01-01"))
    for query in ("Dredging the harbour, at o'clock", "dogs bark at cafes", "nowhere"):
        same_ranking(snapshot, table, query, leaving_out)
        same_nearest(own, table, snapshot, fake_embed([query])[0], leaving_out)


def same_ranking(
    snapshot: Snapshot, table: Engines, query: str, leaving_out: DocumentFilter
) -> None:
    """The same scores at the same places; passages that tie but for rounding may change places."""
    assert snapshot.text
    assert table.matching
    numbers, scores = snapshot.text.search(query, DOCUMENTS, leaving_out.text)
    score_of = dict(zip(numbers.tolist(), scores.tolist(), strict=True))
    theirs = table.matching(query, DOCUMENTS, leaving_out).tolist()
    assert set(theirs) == score_of.keys()
    assert [score_of[number] for number in theirs] == pytest.approx(scores.tolist(), abs=1e-5)


def same_nearest(
    own: Engines,
    table: Engines,
    snapshot: Snapshot,
    vector: np.ndarray,
    leaving_out: DocumentFilter,
) -> None:
    """The same cosines at the same places: LanceDB rounds the vector of a query to float16."""
    assert own.nearest
    assert table.nearest
    mine, theirs = (e.nearest(vector, 10, leaving_out) for e in (own, table))
    assert len(mine) == len(theirs) == 10
    assert len(set(mine.tolist()) & set(theirs.tolist())) >= 9
    vectors = snapshot.manifest.vectors
    assert vectors
    rows = CorpusVectors(snapshot, vectors).rows
    cosines = [rows(numbers).astype(np.float32) @ vector for numbers in (mine, theirs)]
    assert cosines[0] == pytest.approx(cosines[1], abs=1e-3)


def test_what_is_deleted_is_not_published(corpus, docs, tmp_path):
    (docs / "part0.jsonl").unlink()
    follow(corpus, docs)
    table = engines_of(published(corpus, tmp_path / "lake"))
    assert table.matching
    assert table.matching("harbour", DOCUMENTS, NO_FILTER).min() >= DOCUMENTS // 3


def test_passages_without_a_vector_yet_are_found_by_words(corpus, docs, tmp_path):
    (docs / "new.txt").write_text("A lighthouse.")
    follow(corpus, docs)
    table = engines_of(published(corpus, tmp_path / "lake"))
    assert table.matching
    assert table.nearest
    assert table.matching("lighthouses", 5, NO_FILTER).tolist() == [DOCUMENTS]
    assert DOCUMENTS not in table.nearest(fake_embed(["?"])[0], 2 * DOCUMENTS, NO_FILTER)


def test_without_vectors_text_alone_is_published(tmp_path, docs):
    follow(tmp_path / "corpus", docs)
    table = engines_of(published(tmp_path / "corpus", tmp_path / "lake"))
    assert table.nearest is None
    assert table.matching
    assert len(table.matching("snow", 10, NO_FILTER)) == 10


def test_with_inverted_lists_nearly_all_of_the_nearest_are_found(corpus, tmp_path, monkeypatch):
    monkeypatch.setattr(lance, "EXACT", 50)
    own, table, _ = both(corpus, tmp_path / "lake")
    vector = fake_embed(["one"])[0]
    near = [set(e.nearest(vector, 10, NO_FILTER).tolist()) for e in (own, table) if e.nearest]
    assert len(near[0] & near[1]) >= 9


def test_a_corpus_that_has_changed_is_searched_by_its_own_engines(corpus, docs, tmp_path):
    before = published(corpus, tmp_path / "lake")
    (docs / "new.txt").write_text("A lighthouse.")
    follow(corpus, docs)
    assert engines_of(open_corpus(corpus)).where == ""
    assert engines_of(before).where == " in LanceDB"


def test_an_older_state_stays_readable_when_another_is_published(corpus, docs, tmp_path):
    before = engines_of(published(corpus, tmp_path / "lake"))
    (docs / "new.txt").write_text("A lighthouse.")
    follow(corpus, docs)
    after = engines_of(published(corpus, tmp_path / "lake"))
    assert before.matching
    assert after.matching
    assert before.matching("lighthouse", 5, NO_FILTER).tolist() == []
    assert after.matching("lighthouse", 5, NO_FILTER).tolist() == [DOCUMENTS]


def test_a_publication_that_is_stopped_changes_nothing(corpus, tmp_path, monkeypatch):
    before = published(corpus, tmp_path / "lake")
    monkeypatch.setattr(lance, "AT_ONCE", 10)
    running = lance.publish(corpus, tmp_path / "lake")
    next(running)
    running.close()
    after = engines_of(open_corpus(corpus))
    assert after.where == " in LanceDB"
    same_ranking(before, after, "harbour snow", NO_FILTER)


def test_a_table_of_another_corpus_or_none_is_refused_in_one_line(corpus, docs, tmp_path):
    snapshot = published(corpus, tmp_path / "lake")
    (docs / "more.txt").write_text("It is another corpus.")
    follow(tmp_path / "other", docs)
    list(lance.publish(tmp_path / "other", tmp_path / "lake2"))
    (tmp_path / "lake").rename(tmp_path / "gone")
    with pytest.raises(IndexFault, match=r"lake: its table cannot be read .*; run: uhhrag corpus"):
        engines_of(snapshot)
    (tmp_path / "lake2").rename(tmp_path / "lake")
    with pytest.raises(IndexFault, match=r"lake: its table is of another state of .*corpus; run"):
        engines_of(snapshot)
    lance.withdraw(corpus)
    assert engines_of(open_corpus(corpus)).where == ""


def test_a_place_that_cannot_be_written_is_one_line(corpus, tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(UsageError, match="file/lake: cannot be written"):
        list(lance.publish(corpus, tmp_path / "file" / "lake"))


def test_another_program_can_read_the_table(corpus, tmp_path):
    published(corpus, tmp_path / "lake")
    table = lancedb.connect(str(tmp_path / "lake")).open_table("passages")
    assert table.count_rows() == DOCUMENTS
    assert table.schema.names[:3] == ["passage", "document", "day"]


@pytest.mark.parametrize("place", ["s3://others/lake", "db://others", "lake"])
def test_a_manifest_that_names_a_store_elsewhere_is_refused(corpus, tmp_path, place):
    snapshot = published(corpus, tmp_path / "lake")
    assert snapshot.manifest.published
    hostile = replace(snapshot.manifest.published, folder=place)
    manifest = replace(snapshot.manifest, published=hostile)
    with pytest.raises(IndexFault, match="is no folder of this machine; run: uhhrag corpus"):
        engines_of(replace(snapshot, manifest=manifest))
