"""A corpus agrees with its folders: what is new is found, what is gone is not, the rest stays."""

from __future__ import annotations

import errno
import os
import shutil
import unicodedata
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.corpora import (
    everything,
    files_of,
    follow,
    searched,
)
from tests.support.documents import HereReader
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive import manifest, updating, writing
from uhhrag.archive.embedding import embed_passages, waiting
from uhhrag.archive.filters import ArchiveLimits
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.updating import UpdateOptions, follow_folder, remove_files
from uhhrag.archive.verify import check_archive
from uhhrag.archive.writing import open_writer
from uhhrag.documents import changed, reader_process
from uhhrag.documents.changed import FileState
from uhhrag.documents.formats import read_with
from uhhrag.documents.listing import list_documents
from uhhrag.documents.ocr import READ_BY
from uhhrag.errors import IndexFault, InputError, UsageError
from uhhrag.records import Claim
from uhhrag.store.filters import Limits
from uhhrag.system.checksums import sha256_of_file
from uhhrag.views.searched import hashes_of

QUERY = "Was the harbour dredged?"


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    follow(tmp_path / "corpus", docs)
    return tmp_path / "corpus"


def test_what_was_read_is_found_best_first_with_its_title_and_its_stems(corpus):
    snapshot = open_snapshot(corpus)
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
    page = open_snapshot(tmp_path / "corpus").page(0)
    assert (page.title, page.section(2)) == ("Harbours", "Lights")


def test_nothing_new_leaves_every_byte_as_it_was(corpus, docs):
    before = files_of(corpus)
    assert [o.state for o in follow(corpus, docs)] == [FileState.KEPT] * 2
    assert files_of(corpus) == before


def test_a_file_is_read_again_when_it_changes_and_only_then(corpus, docs):
    (docs / "bad.pdf").write_bytes(b"no PDF")
    follow(corpus, docs)
    HereReader.asked.clear()
    follow(corpus, docs)
    assert HereReader.asked == []
    note = docs / "sub" / "note.txt"
    before = note.stat()
    note.write_text(note.read_text().replace("grass", "grain"))
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    follow(corpus, docs)
    assert HereReader.asked == ["sub/note.txt"]
    assert searched(open_snapshot(corpus), "grain") == ["Cows eat grain near the harbour."]


def test_a_changed_file_replaces_its_documents_and_a_deleted_one_takes_them_along(corpus, docs):
    (docs / "sub" / "note.txt").write_text("Cows eat hay.")
    (docs / "more.md").write_text("# Harbour lights\n\nThey shine at night.")
    outcomes = follow(corpus, docs)
    assert {o.name: str(o.state) for o in outcomes} == {
        "more.md": "read",
        "rows.jsonl": "kept",
        "sub/note.txt": "read",
    }
    snapshot = open_snapshot(corpus)
    assert searched(snapshot, "grass") == []
    assert searched(snapshot, "hay") == ["Cows eat hay."]
    (docs / "rows.jsonl").unlink()
    follow(corpus, docs)
    assert searched(open_snapshot(corpus), "dredged snow dogs") == []
    assert len(everything(open_snapshot(corpus))) == 2


def test_an_open_snapshot_stays_as_it_was_while_writers_go_on(corpus, docs):
    old = open_snapshot(corpus)
    before = everything(old), searched(old, QUERY)
    (docs / "rows.jsonl").write_text('{"text": "Nothing but rain."}\n')
    follow(corpus, docs)
    assert (everything(old), searched(old, QUERY)) == before
    assert searched(open_snapshot(corpus), "dredged") == []


def test_the_documents_are_those_of_a_corpus_that_was_made_at_once(corpus, docs, tmp_path):
    (docs / "sub" / "note.txt").write_text("Cows eat hay.")
    follow(corpus, docs)
    (docs / "a.txt").write_text("First.")
    follow(corpus, docs)
    follow(tmp_path / "other", docs)
    assert everything(open_snapshot(corpus)) == everything(open_snapshot(tmp_path / "other"))


def test_a_removed_file_stays_out_until_it_is_added_again(corpus, docs):
    (row,) = remove_files(corpus, ["rows.jsonl"])
    assert row.documents == 3
    assert searched(open_snapshot(corpus), "dredged") == []
    states = {outcome.name: outcome.state for outcome in follow(corpus, docs)}
    assert states["rows.jsonl"] is FileState.LEFT_OUT
    assert searched(open_snapshot(corpus), "dredged") == []
    follow(corpus, docs, removed=True)
    assert searched(open_snapshot(corpus), "dredged") == ["Harbours"]


def test_a_folder_of_files_is_removed_at_once_and_an_unknown_name_is_an_error(corpus):
    assert [row.name for row in remove_files(corpus, ["sub/"])] == ["sub/note.txt"]
    with pytest.raises(InputError, match=r"has no file nothing\.txt"):
        remove_files(corpus, ["nothing.txt"])


def test_an_interrupt_keeps_the_files_that_were_read_whole(corpus, docs):
    for number in range(3):
        (docs / f"{number}.txt").write_text(f"Number {number} of the harbour.")
    running = follow_folder(corpus, list_documents(docs), UpdateOptions())
    next(running)
    next(running)
    running.close()
    assert open_snapshot(corpus).manifest.counts.files == 4
    follow(corpus, docs)
    assert open_snapshot(corpus).manifest.counts.files == 5


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
        open_snapshot(tmp_path / "nowhere")
    shutil.copytree(corpus, tmp_path / "docs.uhhrag" / "archive")
    with pytest.raises(IndexFault, match=r"no archive here; it is in .*docs.uhhrag.archive$"):
        open_snapshot(tmp_path / "docs.uhhrag")
    with pytest.raises(IndexFault, match=r"no archive here; it is in .*docs.uhhrag.archive$"):
        open_snapshot(tmp_path / "docs")
    from uhhrag.system import checksummed_json

    manifest = corpus / "manifest.json"
    body = checksummed_json.from_bytes(manifest.read_bytes())
    manifest.write_bytes(checksummed_json.to_bytes({**body, "format": 0}))
    with pytest.raises(IndexFault, match=r"another version of uhhrag \(format 0, this one reads 1"):
        open_snapshot(corpus)


def test_a_document_whose_bytes_have_changed_is_never_read(corpus):
    file = next(corpus.glob("segments/*/documents.jsonl"))
    content = bytearray(file.read_bytes())
    content[30] ^= 1
    file.write_bytes(bytes(content))
    with pytest.raises(IndexFault, match=r"documents.jsonl: is damaged \(document 0\)"):
        open_snapshot(corpus).page(0)


def test_an_interrupt_within_a_commit_leaves_no_document_out_of_the_full_text(
    corpus, docs, monkeypatch
):
    (docs / "a.txt").write_text("Lighthouses shine.")
    real, calls = writing.put, iter([KeyboardInterrupt])

    def put(folder, state):
        if error := next(calls, None):
            raise error
        real(folder, state)

    monkeypatch.setattr(updating, "COMMIT_PASSAGES", 1)
    monkeypatch.setattr(writing, "put", put)
    before = everything(open_snapshot(corpus))
    with pytest.raises(KeyboardInterrupt):
        follow(corpus, docs)
    assert everything(open_snapshot(corpus)) == before
    follow(corpus, docs)
    assert searched(open_snapshot(corpus), "lighthouses") == ["Lighthouses shine."]


def test_what_is_gone_is_dropped_though_another_folder_is_closed(corpus, docs):
    (docs / "locked").mkdir()
    (docs / "locked" / "x.txt").write_text("Owls hoot.")
    follow(corpus, docs)
    shutil.rmtree(docs / "locked")
    (docs / "rows.jsonl").unlink()
    listing = replace(list_documents(docs, (corpus,)), closed=(("locked", "Permission denied"),))
    gone: list[str] = []
    list(follow_folder(corpus, listing, UpdateOptions(dropped=gone.append)))
    assert gone == ["rows.jsonl"]
    snapshot = open_snapshot(corpus)
    assert searched(snapshot, "dredged") == []
    assert searched(snapshot, "owls") == ["Owls hoot."]


def test_a_folder_that_is_followed_alone_keeps_nothing_of_others(corpus, docs, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.txt").write_text("Bees hum.")
    follow(corpus, tmp_path / "other")
    follow(corpus, docs, alone=True)
    snapshot = open_snapshot(corpus)
    assert snapshot.manifest.folders == (str(docs.resolve()),)
    assert searched(snapshot, "bees") == []
    assert {row.folder for row in snapshot.files} == {0}


def kept(corpus, text):
    return any(text in file.read_bytes() for file in corpus.rglob("*") if file.is_file())


def test_a_folder_that_moved_goes_on_where_it_is_now(corpus, docs, tmp_path):
    before = searched(open_snapshot(corpus), "grass")
    HereReader.asked.clear()
    there = docs.rename(tmp_path / "moved docs")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "bees.md").write_text("Bees hum.")
    follow(corpus, tmp_path / "other")  # has none of its files
    follow(corpus, there)
    assert HereReader.asked == ["bees.md"]
    assert open_snapshot(corpus).manifest.folders == (str(there), str(tmp_path / "other"))
    assert searched(open_snapshot(corpus), "grass") == before


def test_the_text_of_a_file_that_went_away_or_changed_leaves_the_disk(corpus, docs):
    (docs / "b.txt").write_text("Bees hum.")
    follow(corpus, docs, compacts=2)
    (docs / "b.txt").write_text("Owls hoot, and larks sing.")
    follow(corpus, docs, compacts=2)
    assert kept(corpus, b"Bees")  # with more passages than two the archive stays as it was written
    follow(corpus, docs, compacts=100)
    assert not kept(corpus, b"Bees")
    (docs / "b.txt").unlink()
    follow(corpus, docs, compacts=100)
    assert not kept(corpus, b"larks")
    assert len(searched(open_snapshot(corpus), "dredged")) == 1


def test_files_of_one_name_in_two_folders_have_each_their_hash(corpus, docs, tmp_path):
    (tmp_path / "other" / "sub").mkdir(parents=True)
    (tmp_path / "other" / "sub" / "note.txt").write_text("Bees hum.")
    follow(corpus, tmp_path / "other")
    hashes = hashes_of(open_snapshot(corpus).files)
    assert set(hashes) == {"rows.jsonl", "sub/note.txt (folder 1)", "sub/note.txt (folder 2)"}


def test_a_file_is_named_as_people_see_its_name_or_percent_encoded(corpus, docs):
    name = "sub/3 Mai é.txt"
    (docs / name).write_text("Owls hoot.")
    follow(corpus, docs)
    decomposed = unicodedata.normalize("NFD", name)
    for asked in (name, decomposed, "sub/3%20Mai%20%C3%A9.txt"):
        limits = ArchiveLimits(open_snapshot(corpus), Limits(), [asked]).for_claim(Claim(0, "?"))
        assert limits.text.files == ("sub/3%20Mai%20%C3%A9.txt",)
    rows = remove_files(corpus, [name, "sub/", name])
    assert sorted(row.name for row in rows) == ["sub/3%20Mai%20%C3%A9.txt", "sub/note.txt"]
    assert searched(open_snapshot(corpus), "owls") == []


def test_a_folder_of_documents_with_a_folder_called_segments_is_no_archive(docs, corpus):
    (docs / "segments").mkdir()
    assert not manifest.is_archive(docs)
    (corpus / "manifest.json").unlink()
    assert manifest.is_archive(corpus)
    with pytest.raises(IndexFault, match=r"manifest\.json: is missing; run: uhhrag archive repair"):
        open_snapshot(corpus)


@pytest.mark.parametrize("passages", [3, 100])
def test_many_updates_leave_few_segments_and_every_number_as_it_was(
    corpus, docs, monkeypatch, passages
):
    monkeypatch.setattr(writing, "MAX_SEGMENTS", 3)
    monkeypatch.setattr(writing, "SEGMENT_PASSAGES", passages)
    list(embed_passages(corpus, fake_embed, FAKE))
    before = [open_snapshot(corpus).page(number) for number in range(4)]
    for number in range(7):
        (docs / f"{number}.txt").write_text(f"Number {number} is odd. " * 30)
        follow(corpus, docs)
    snapshot = open_snapshot(corpus)
    assert len(snapshot.segments) < 8
    assert [snapshot.page(number) for number in range(4)] == before
    assert snapshot.page(10).lines[0] == "Number 6 is odd."
    assert snapshot.document.tolist() == list(range(11))
    assert searched(snapshot, "dredged") == ["Harbours"]
    assert len(searched(snapshot, "odd")) == 7
    assert waiting(snapshot.manifest, FAKE) == 7
    assert [check for check in check_archive(corpus) if check.fault] == []


def test_a_file_that_the_system_kept_from_being_read_is_read_the_next_time(
    corpus, docs, monkeypatch
):
    (docs / "a.txt").write_text("Lighthouses shine.")

    def full(request):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(reader_process, "_results", full)
        outcome = follow(corpus, docs)[0]
    assert (outcome.state, outcome.why[:15]) == (FileState.UNREADABLE, "cannot be read:")
    assert follow(corpus, docs)[0].state is FileState.READ


def test_a_picture_that_was_read_stays_where_tesseract_is_missing(tmp_path, monkeypatch):
    (tmp_path / "a.png").write_bytes(b"\x89PNG")
    (file,) = list_documents(tmp_path).files
    monkeypatch.setattr(changed, "find_tesseract", lambda: None)
    before = {
        "size": file.size,
        "mtime_ns": 1,
        "sha256": sha256_of_file(file.path),
        "reader": f"{read_with('picture')}{READ_BY}tesseract 5",
    }
    with HereReader() as reader:
        look = changed.read_if_changed(file, before, reader, tmp_path / "spool")
        other = changed.read_if_changed(file, {**before, "sha256": ""}, reader, tmp_path / "spool")
    assert look.outcome.state is FileState.KEPT
    assert look.state == {**before, "mtime_ns": file.mtime_ns}
    assert other.outcome.state is FileState.LEFT_OUT


def test_a_disk_that_goes_away_meanwhile_takes_no_document_along(corpus, docs):
    before = everything(open_snapshot(corpus))
    for path in (docs / "rows.jsonl", docs / "sub" / "note.txt"):
        os.utime(path)
    listing = list_documents(docs, (corpus,))
    docs.rename(docs.with_name("elsewhere"))
    with pytest.raises(InputError, match="went away while it was read; connect it and run the"):
        list(follow_folder(corpus, listing, UpdateOptions()))
    assert everything(open_snapshot(corpus)) == before
