"""A corpus agrees with its folders: what is new is found, what is gone is not, the rest stays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.support.corpora import (
    everything,
    files_of,
    follow,
    searched,
)
from uhhrag.archive.snapshot import open_corpus
from uhhrag.archive.updating import remove_files
from uhhrag.archive.writing import open_writer
from uhhrag.documents.changed import FileState
from uhhrag.errors import IndexFault, InputError, UsageError

QUERY = "Was the harbour dredged?"


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    follow(tmp_path / "corpus", docs)
    return tmp_path / "corpus"


def test_what_was_read_is_found_best_first_with_its_title_and_its_stems(corpus):
    snapshot = open_corpus(corpus)
    counts = snapshot.manifest.counts
    assert (counts.files, counts.documents, counts.lines, counts.passages) == (2, 4, 6, 4)
    assert searched(snapshot, "dredging of harbours") == [
        "Harbours",
        "Dogs",
        "Cows eat grass near the harbour.",
    ]
    assert searched(snapshot, "xylophone the of") == []


def test_a_document_keeps_its_headings(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "lights.md").write_text("# Harbours\n\n## Lights\n\nThey are green.")
    follow(tmp_path / "corpus", tmp_path / "docs")
    page = open_corpus(tmp_path / "corpus").page(0)
    assert (page.title, page.section(2)) == ("Harbours", "Lights")


def test_nothing_new_leaves_every_byte_as_it_was(corpus, docs):
    before = files_of(corpus)
    assert [o.state for o in follow(corpus, docs)] == [FileState.KEPT] * 2
    assert files_of(corpus) == before


def test_a_changed_file_replaces_its_documents_and_a_deleted_one_takes_them_along(corpus, docs):
    (docs / "sub" / "note.txt").write_text("Cows eat hay.")
    (docs / "more.md").write_text("# Harbour lights\n\nThey shine at night.")
    outcomes = follow(corpus, docs)
    assert {o.name: str(o.state) for o in outcomes} == {
        "more.md": "read",
        "rows.jsonl": "kept",
        "sub/note.txt": "read",
    }
    snapshot = open_corpus(corpus)
    assert searched(snapshot, "grass") == []
    assert searched(snapshot, "hay") == ["Cows eat hay."]
    (docs / "rows.jsonl").unlink()
    follow(corpus, docs)
    assert searched(open_corpus(corpus), "dredged snow dogs") == []
    assert len(everything(open_corpus(corpus))) == 2


def test_an_open_snapshot_stays_as_it_was_while_writers_go_on(corpus, docs):
    old = open_corpus(corpus)
    before = everything(old), searched(old, QUERY)
    (docs / "rows.jsonl").write_text('{"text": "Nothing but rain."}\n')
    follow(corpus, docs)
    assert (everything(old), searched(old, QUERY)) == before
    assert searched(open_corpus(corpus), "dredged") == []


def test_the_documents_are_those_of_a_corpus_that_was_made_at_once(corpus, docs, tmp_path):
    (docs / "sub" / "note.txt").write_text("Cows eat hay.")
    follow(corpus, docs)
    (docs / "a.txt").write_text("First.")
    follow(corpus, docs)
    follow(tmp_path / "other", docs)
    assert everything(open_corpus(corpus)) == everything(open_corpus(tmp_path / "other"))


def test_a_removed_file_stays_out_until_it_is_added_again(corpus, docs):
    (row,) = remove_files(corpus, ["rows.jsonl"])
    assert row.documents == 3
    assert searched(open_corpus(corpus), "dredged") == []
    follow(corpus, docs)
    assert searched(open_corpus(corpus), "dredged") == []
    follow(corpus, docs, removed=True)
    assert searched(open_corpus(corpus), "dredged") == ["Harbours"]


def test_a_folder_of_files_is_removed_at_once_and_an_unknown_name_is_an_error(corpus):
    assert [row.name for row in remove_files(corpus, ["sub/"])] == ["sub/note.txt"]
    with pytest.raises(InputError, match=r"has no file nothing\.txt"):
        remove_files(corpus, ["nothing.txt"])


def test_an_interrupt_keeps_the_files_that_were_read_whole(corpus, docs, monkeypatch):
    for number in range(3):
        (docs / f"{number}.txt").write_text(f"Number {number} of the harbour.")
    from tests.support.documents import HereReader
    from uhhrag.archive import updating
    from uhhrag.archive.updating import UpdateOptions, follow_folder
    from uhhrag.documents.listing import list_documents

    monkeypatch.setattr(updating, "ReadingProcess", HereReader)
    running = follow_folder(corpus, list_documents(docs), UpdateOptions())
    next(running)
    next(running)
    running.close()
    assert open_corpus(corpus).manifest.counts.files == 4
    follow(corpus, docs)
    assert open_corpus(corpus).manifest.counts.files == 5


def test_two_writers_one_waits_its_turn_by_an_error(corpus, docs):
    with open_writer(corpus), pytest.raises(UsageError, match="another uhhrag is writing it"):
        follow(corpus, docs)


def test_a_folder_with_other_things_is_not_written_into(docs, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("x")
    with pytest.raises(UsageError, match="is not an archive and holds other things"):
        follow(tmp_path / "mine", docs)


def test_what_is_no_corpus_or_another_version_is_one_line(tmp_path, corpus):
    with pytest.raises(IndexFault, match="no archive here; make one with: uhhrag ingest"):
        open_corpus(tmp_path / "nowhere")
    shutil.copytree(corpus, tmp_path / "docs.uhhrag" / "archive")
    with pytest.raises(IndexFault, match=r"no archive here; it is in .*docs.uhhrag.archive$"):
        open_corpus(tmp_path / "docs.uhhrag")
    from uhhrag.system import checksummed_json

    manifest = corpus / "manifest.json"
    body = checksummed_json.from_bytes(manifest.read_bytes())
    manifest.write_bytes(checksummed_json.to_bytes({**body, "format": 0}))
    with pytest.raises(IndexFault, match=r"another version of uhhrag \(format 0, this one reads 1"):
        open_corpus(corpus)


def test_a_document_whose_bytes_have_changed_is_never_read(corpus):
    file = next(corpus.glob("segments/*/documents.jsonl"))
    content = bytearray(file.read_bytes())
    content[30] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(IndexFault, match=r"documents.jsonl: is damaged \(document 0\)"):
        open_corpus(corpus).page(0)
