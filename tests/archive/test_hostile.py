"""Documents that anybody may have written: a corpus takes them up, or says why not, and stays
whole."""

from __future__ import annotations

import json

import pytest

from tests.support.corpora import everything, follow, searched
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive.embedding import embed_passages
from uhhrag.archive.filters import ArchiveLimits
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.verify import check_archive
from uhhrag.documents.changed import FileState
from uhhrag.records import Claim
from uhhrag.store.filters import Limits

HOSTILE = {
    "nul": {"text": "A \0 and \x1b[31m escape near the pier."},
    "surrogate": {"text": "A lone \ud800 half near the pier.", "title": "\udfff"},
    "direction": {"text": "\u202eThe pier turned.", "url": "https://\u202eevil.example/\n"},
    "long word": {"text": "pier " + "x" * 450_000 + "."},
    "long line": {"text": "pier " * 90_000 + "."},
    "many lines": {"text": ["The pier is long."] * 3_000},
    "no words": {"text": "… — !!! 🙂🙂"},
    "empty": {"text": ""},
    "quotes": {"text": "pier\" OR body:* AND (']", "url": "https://a.example/' OR 1=1 --"},
    "far date": {"text": "The pier of the far future.", "date": "99999-12-31"},
    "early date": {"text": "The pier of the past.", "date": "0000-00-00"},
    "wrong types": {"text": 3, "title": ["pier"], "url": {"a": 1}},
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_document_is_taken_up_or_refused_and_the_others_are_searched(
    tmp_path, docs, name
):
    row = json.dumps({"_id": "hostile", **HOSTILE[name]})
    (docs / "hostile.jsonl").write_text(row + "\n" + json.dumps({"_id": "x", "text": "Zebras."}))
    corpus = tmp_path / "corpus"
    outcomes = {outcome.name: outcome for outcome in follow(corpus, docs)}
    assert outcomes["rows.jsonl"].state is FileState.READ
    list(embed_passages(corpus, fake_embed, FAKE))
    snapshot = open_snapshot(corpus)
    assert searched(snapshot, "dredged") == ["Harbours"]
    if outcomes["hostile.jsonl"].state is FileState.READ:
        assert searched(snapshot, "zebras")
    assert len(everything(snapshot)) == snapshot.manifest.counts.documents
    assert [check.file for check in check_archive(corpus) if check.fault] == []
    limits = Limits(before="2020-01-01", sites=("evil.example", "*' OR*"), undated=False)
    leaving_out = ArchiveLimits(snapshot, limits).for_claim(Claim(0, "?"))
    assert snapshot.manifest.vectors
    near = ArchiveVectors(snapshot, snapshot.manifest.vectors).nearest
    assert len(near(fake_embed(["pier"])[0], 5, leaving_out)) >= 1


@pytest.mark.parametrize(
    "query", ['"', "body:pier", "(", "pier^999", "a AND NOT", "\0", "\ud800", "x" * 100_000, "💧"]
)
def test_a_hostile_claim_is_words_and_nothing_else(tmp_path, docs, query):
    follow(tmp_path / "corpus", docs)
    snapshot = open_snapshot(tmp_path / "corpus")
    assert searched(snapshot, query) == []
    assert searched(snapshot, f"dredged {query}") == ["Harbours"]
