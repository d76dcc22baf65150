"""A folder → one store: what is new is read, what is the same is kept, what is gone leaves."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.documents import HereReader, write_html, write_rows, write_scan
from tests.support.doubles import load_nltk_data
from tests.support.packed_documents import MAIL
from uhhrag import models
from uhhrag.documents import formats, reader_client
from uhhrag.documents import ingest as ingest_module
from uhhrag.documents.look import FileOutcome, FileState
from uhhrag.documents.survey import survey
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Page
from uhhrag.store import knowledge_store


@pytest.fixture(scope="module", autouse=True)
def nltk_data() -> Path:
    load_nltk_data()
    return models.path("nltk-data")


@pytest.fixture
def here(monkeypatch) -> list[str]:
    """Read in this process; the names of the files that were read."""
    monkeypatch.setattr(HereReader, "asked", [])
    monkeypatch.setattr(ingest_module, "ReadingProcess", HereReader)
    return HereReader.asked


@pytest.fixture
def folder(tmp_path) -> Path:
    (tmp_path / "docs" / "sub").mkdir(parents=True)
    write_html(tmp_path / "docs" / "page.html")
    (tmp_path / "docs" / "sub" / "note é.txt").write_text("One note. And more.")
    write_rows(tmp_path / "docs" / "corpus.jsonl", {"_id": "a b", "text": "X."}, {"text": "Y."})
    return tmp_path / "docs"


def ingest(folder: Path, nltk_data: Path, **options: bool) -> dict[str, FileOutcome]:
    out = folder.parent / "store.jsonl"
    found = ingest_module.ingest(survey(folder, (out,)), out, nltk_data, **options)
    return {outcome.name: outcome for outcome in found}


def written(file: Path) -> tuple[int, int, int, int]:
    """What changes when a file is written or replaced; its time of access does when it is read."""
    now = file.stat()
    return now.st_ino, now.st_size, now.st_mtime_ns, now.st_ctime_ns


def states(outcomes: dict[str, FileOutcome]) -> list[str]:
    return [outcome.state for outcome in outcomes.values()]


def records(folder: Path) -> list[dict]:
    return [json.loads(line) for line in (folder.parent / "store.jsonl").read_text().splitlines()]


def test_the_store_is_a_knowledge_store_with_a_record_a_document(folder, nltk_data, here):
    outcomes = ingest(folder, nltk_data)
    assert [(o.documents, o.lines) for o in outcomes.values()] == [(2, 2), (1, 4), (1, 2)]
    assert [(r["url"], r["url2text"]) for r in records(folder)] == [
        ("file:corpus.jsonl#a%20b", ["X."]),
        ("file:corpus.jsonl#2", ["Y."]),
        ("https://news.example/saved/varnby", records(folder)[2]["url2text"]),
        ("file:sub/note%20%C3%A9.txt", ["One note.", "And more."]),
    ]
    (folder.parent / "stores").mkdir()
    (folder.parent / "store.jsonl").rename(folder.parent / "stores" / "0.json")
    pages = list(knowledge_store.pages(folder.parent / "stores", 0))
    assert all(isinstance(page, Page) for page in pages)
    assert pages[2].title == "Harbour dredged"


def test_a_first_line_that_stands_alone_and_reads_like_a_title_is_one(folder, nltk_data, here):
    texts = {
        "a.txt": "Ferry to Marholm\n\nIt sails daily.",
        "b.txt": "It sails daily.\n\nIt is old.",
        "c.txt": "Ferry to Marholm",
        "d.md": "Ferry to Marholm\n\n# A heading\n\nIt sails.",
    }
    for file in folder.rglob("*.*"):
        file.unlink()
    for name, text in texts.items():
        (folder / name).write_text(text)
    ingest(folder, nltk_data)
    assert [r["title"] for r in records(folder)] == ["Ferry to Marholm", "", "", "A heading"]


def test_no_path_of_this_machine_stands_in_the_store(folder, nltk_data, here):
    ingest(folder, nltk_data)
    assert str(folder.parent) not in (folder.parent / "store.jsonl").read_text()


def test_unchanged_files_are_not_read_again_and_the_store_is_not_touched(folder, nltk_data, here):
    ingest(folder, nltk_data)
    store = folder.parent / "store.jsonl"
    before = written(store)
    here.clear()
    assert states(ingest(folder, nltk_data)) == [FileState.KEPT] * 3
    assert here == []
    assert written(store) == before


def test_a_changed_file_is_read_again_a_new_one_too_and_a_removed_one_leaves(
    folder, nltk_data, here
):
    ingest(folder, nltk_data)
    here.clear()
    (folder / "page.html").unlink()
    (folder / "sub" / "note é.txt").write_text("Another note.")
    (folder / "new.md").write_text("# New")
    ingest(folder, nltk_data)
    assert here == ["new.md", "sub/note%20%C3%A9.txt"]
    assert [r["url2text"] for r in records(folder)] == [["X."], ["Y."], ["New"], ["Another note."]]


def test_the_store_is_the_same_however_it_came_about(folder, nltk_data, here):
    ingest(folder, nltk_data)
    (folder / "a.txt").write_text("First.")
    ingest(folder, nltk_data)
    grown = (folder.parent / "store.jsonl").read_bytes()
    (folder.parent / "store.jsonl").unlink()
    ingest(folder, nltk_data)
    assert (folder.parent / "store.jsonl").read_bytes() == grown


def test_a_file_that_was_only_touched_is_kept_and_known_by_its_new_time(folder, nltk_data, here):
    ingest(folder, nltk_data)
    here.clear()
    os.utime(folder / "page.html", (1, 1))
    assert states(ingest(folder, nltk_data)) == [FileState.KEPT] * 3
    assert here == []
    changed = (folder / "page.html").stat().st_ctime_ns
    assert [r["mtime_ns"] for r in records(folder)][2] == changed


def test_an_edit_of_the_same_size_and_time_is_read(folder, nltk_data, here):
    note = folder / "sub" / "note é.txt"
    note.write_text("Built in 1905.")
    ingest(folder, nltk_data)
    before = note.stat()
    note.write_text("Built in 1950.")
    os.utime(note, ns=(before.st_atime_ns, before.st_mtime_ns))
    outcomes = ingest(folder, nltk_data)
    assert outcomes["sub/note%20%C3%A9.txt"].state is FileState.READ
    assert ["Built in 1950."] in [r["url2text"] for r in records(folder)]


def test_a_file_of_the_same_size_and_another_time_is_read_by_its_hash(folder, nltk_data, here):
    note = folder / "sub" / "note é.txt"
    ingest(folder, nltk_data)
    here.clear()
    note.write_text("Two notes. And mor.")
    os.utime(note, (2, 2))
    assert states(ingest(folder, nltk_data))[2] == FileState.READ


def test_all_files_are_read_again_where_that_is_asked_for(folder, nltk_data, here):
    ingest(folder, nltk_data)
    assert states(ingest(folder, nltk_data, again=True)) == [FileState.READ] * 3


def test_all_files_of_a_kind_are_read_again_by_another_reader(folder, nltk_data, here, monkeypatch):
    ingest(folder, nltk_data)
    real = formats.version
    monkeypatch.setattr(formats, "version", lambda n: "9" if n == "trafilatura" else real(n))
    formats.read_with.cache_clear()
    assert states(ingest(folder, nltk_data)) == [FileState.KEPT, FileState.READ, FileState.KEPT]
    formats.read_with.cache_clear()


def test_an_unreadable_file_is_named_and_does_not_stop_the_others(folder, nltk_data, here):
    (folder / "broken.pdf").write_bytes(b"no pdf")
    (folder / "empty.txt").write_bytes(b"")
    write_scan(folder / "scan.pdf")
    outcomes = ingest(folder, nltk_data)
    assert states(outcomes).count(FileState.READ) == 3
    assert {n: o.why for n, o in outcomes.items() if o.state is FileState.UNREADABLE} == {
        "broken.pdf": "is not a PDF, or is damaged",
        "empty.txt": "is empty",
        "scan.pdf": "has no text, only pictures of pages",
    }


def test_a_file_that_can_no_longer_be_read_leaves_the_store(folder, nltk_data, here):
    ingest(folder, nltk_data)
    (folder / "page.html").write_bytes(b"")
    ingest(folder, nltk_data)
    assert len(records(folder)) == 3


def test_records_left_out_of_a_file_are_counted(folder, nltk_data, here):
    with (folder / "corpus.jsonl").open("a") as file:
        file.write("no json\n[]\n")
    why = ingest(folder, nltk_data)["corpus.jsonl"].why
    assert why == "2 records left out; line 3 is not JSON"


def test_what_was_not_read_of_a_file_is_remembered_with_it(folder, nltk_data, here):
    with (folder / "corpus.jsonl").open("a") as file:
        file.write("no json\n")
    (folder / "a.eml").write_text(MAIL)
    first = {name: outcome.why for name, outcome in ingest(folder, nltk_data).items()}
    again = ingest(folder, nltk_data)
    assert {outcome.state for outcome in again.values()} == {FileState.KEPT}
    assert {name: outcome.why for name, outcome in again.items()} == first
    assert [name for name, why in first.items() if why] == ["a.eml", "corpus.jsonl"]


def test_a_file_that_is_too_large_is_named_and_not_read(folder, nltk_data, here, monkeypatch):
    small = replace(formats.FORMATS["html"], largest=10)
    monkeypatch.setitem(formats.FORMATS, "html", small)
    outcome = ingest(folder, nltk_data)["page.html"]
    assert outcome.state is FileState.UNREADABLE
    assert "at most 10 are read" in outcome.why
    assert "page.html" not in here


def test_hidden_files_links_pipes_and_other_kinds_are_left_out(folder, tmp_path):
    (folder / ".hidden").mkdir()
    (folder / ".hidden" / "a.txt").write_text("hidden")
    (folder / ".a.txt").write_text("hidden")
    (folder / "picture.GIF").write_bytes(b"")
    (tmp_path / "outside.txt").write_text("outside")
    (folder / "link.txt").symlink_to(tmp_path / "outside.txt")
    (folder / "up").symlink_to(tmp_path)
    (folder / "inside.txt").symlink_to(folder / "page.html")
    os.mkfifo(folder / "pipe.txt")
    found = survey(folder)
    assert [f.name for f in found.files] == ["corpus.jsonl", "page.html", "sub/note%20%C3%A9.txt"]
    assert found.links == ("link.txt", "up")
    assert found.other == {".gif": 1}


def test_a_name_that_is_no_text_is_read_too(folder, nltk_data, here):
    path = os.fsencode(folder) + b"/caf\xe9.txt"
    Path(os.fsdecode(path)).write_text("Found.")
    assert ingest(folder, nltk_data)["caf%E9.txt"].state is FileState.READ


def test_a_folder_without_documents_says_what_it_has(tmp_path, nltk_data):
    (tmp_path / "a.gif").write_bytes(b"")
    with pytest.raises(InputError, match=r"holds no document; it has 1 \.gif"):
        list(ingest_module.ingest(survey(tmp_path), tmp_path / "store.jsonl", nltk_data))


@pytest.mark.parametrize("content", ["notes of mine\n", '{"url": "https://a.example"}\n'])
def test_a_file_that_is_no_store_of_ours_is_not_written_over(folder, nltk_data, here, content):
    out = folder.parent / "store.jsonl"
    out.write_text(content)
    with pytest.raises(UsageError, match="line 1: is not a record of uhhrag ingest"):
        ingest(folder, nltk_data)
    assert out.read_text() == content


def test_a_stopped_ingest_keeps_what_was_read_and_what_was_known(folder, nltk_data, here):
    ingest(folder, nltk_data)
    (folder / "corpus.jsonl").write_text('{"text": "New."}\n')
    (folder / "page.html").unlink()
    (folder / "sub" / "note é.txt").write_text("Newer.")
    out = folder.parent / "store.jsonl"
    running = ingest_module.ingest(survey(folder), out, nltk_data)
    next(running)
    running.close()
    assert [r["url2text"] for r in records(folder)] == [["New."], ["One note.", "And more."]]
    here.clear()
    ingest(folder, nltk_data)
    assert here == ["sub/note%20%C3%A9.txt"]


def test_nothing_of_a_stopped_or_ended_ingest_is_left_beside_the_store(folder, nltk_data, here):
    ingest(folder, nltk_data)
    left = sorted(path.name for path in folder.parent.iterdir())
    assert left == [".store.jsonl.lock", "docs", "store.jsonl"]


def test_a_full_disk_leaves_the_old_store(folder, nltk_data, here, monkeypatch):
    ingest(folder, nltk_data)
    before = (folder.parent / "store.jsonl").read_bytes()
    (folder / "new.txt").write_text("New.")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(ingest_module.os, "fsync", full)
    with pytest.raises(UsageError, match=r"store\.jsonl: cannot be written: No space left"):
        ingest(folder, nltk_data)
    assert (folder.parent / "store.jsonl").read_bytes() == before


def test_two_processes_do_not_write_one_store(folder, nltk_data, here):
    out = folder.parent / "store.jsonl"
    first = ingest_module.ingest(survey(folder), out, nltk_data)
    next(first)
    with pytest.raises(UsageError, match="another uhhrag is writing it"):
        ingest(folder, nltk_data)
    first.close()


def test_documents_are_read_apart_and_a_crash_or_a_hang_costs_one_of_them(
    folder, nltk_data, monkeypatch
):
    (folder / "page.html").unlink()
    (folder / "crash.txt").write_text("x")
    (folder / "hang.txt").write_text("x")
    (folder / "spin.txt").write_text("x")
    _booby_trap(folder.parent / "sitecustomize.py")
    monkeypatch.setenv("PYTHONPATH", str(folder.parent))
    monkeypatch.setattr(reader_client, "SECONDS", 4.0)
    monkeypatch.setattr(reader_client, "_SLOWER", 4.0)
    outcomes = ingest(folder, nltk_data)
    assert outcomes["crash.txt"].why == "made its reader crash; is it damaged?"
    assert outcomes["hang.txt"].why == "took longer than 16 seconds to read; given up"
    spin = "took longer than 4 seconds of processor time to read; given up"
    assert outcomes["spin.txt"].why == spin
    assert states(outcomes).count(FileState.READ) == 2


def _booby_trap(file: Path) -> None:
    """Make the reading process die on crash.txt, sleep on hang.txt and compute on spin.txt."""
    file.write_text(
        "import os, sys, time\n"
        "def trap(event, arguments):\n"
        "    if event == 'open' and str(arguments[0]).endswith('crash.txt'):\n"
        "        os.kill(os.getpid(), 11)\n"
        "    if event == 'open' and str(arguments[0]).endswith('hang.txt'):\n"
        "        time.sleep(600)\n"
        "    while event == 'open' and str(arguments[0]).endswith('spin.txt'):\n"
        "        pass\n"
        "if 'uhhrag.documents.reader_process' in ' '.join(sys.orig_argv):\n"
        "    sys.addaudithook(trap)\n"
    )
