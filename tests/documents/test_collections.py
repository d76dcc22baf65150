"""Collections on disk: names that a browser may say, and folders that only their user can read."""

from __future__ import annotations

import os

import pytest

from uhhrag.documents import collections as shelf
from uhhrag.errors import InputError, UsageError


@pytest.fixture
def collection(tmp_path):
    shelf.make_home(tmp_path / "home")
    return shelf.create_collection(tmp_path / "home", "Harbour")


@pytest.mark.parametrize(
    "name",
    [
        "a.txt",
        "minutes/3 May.pdf",
        "Ünïcode ☂.html",
        "a/b/c/d.docx",
        "windows\\folder\\a.txt",
        "Shot at 3.04\u202fPM.png",
    ],
)
def test_a_document_lands_below_the_collections_files(collection, name):
    place = shelf.path_of(collection, name)
    draft = shelf.draft_of(collection, place)
    draft.write_bytes(b"text")
    shelf.put_in_place(draft, place)
    assert place.is_relative_to(collection.files)
    assert place.read_bytes() == b"text"
    assert list(collection.work.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../a.txt", "leads out"),
        ("a/../../b.txt", "leads out"),
        ("/etc/passwd.txt", "leads out"),
        ("..\\a.txt", "leads out"),
        ("", "leads out"),
        ("folder/", "leads out"),
        (".hidden.txt", "hidden"),
        (".git/config.txt", "hidden"),
        ("a\x00.txt", "characters"),
        ("a\n.txt", "characters"),
        ("a\u202etxt.pdf", "characters"),
        ("x" * 300 + ".txt", "too long"),
        ("/".join("a" * 20) + "/a.txt", "too long"),
        ("pages.rar", "is an archive; unpack it, or pack it as .zip"),
        ("old.ppt", "is an old presentation; save it as .pptx"),
        ("backup.tar.gz", "it is compressed; unpack it"),
        ("run.exe", ".exe is not read"),
        ("README", "without an ending"),
    ],
)
def test_a_name_that_could_do_harm_is_refused(collection, name, why):
    with pytest.raises(InputError, match=why):
        shelf.path_of(collection, name)


def test_a_web_page_under_doc_is_taken_to_be_judged_by_its_content(collection):
    assert shelf.path_of(collection, "export.doc").name == "export.doc"


def test_nothing_is_written_through_a_link(collection, tmp_path):
    (tmp_path / "outside").mkdir()
    (collection.files / "folder").symlink_to(tmp_path / "outside")
    (collection.files / "file.txt").symlink_to(tmp_path / "outside.txt")
    for name in ("folder/a.txt", "file.txt"):
        with pytest.raises(InputError, match="a link"):
            shelf.path_of(collection, name)


def test_a_file_and_a_folder_of_one_name_are_refused(collection):
    for name, why in (("a.txt", ""), ("a.txt/b.txt", "the same name")):
        place = shelf.path_of(collection, name)
        draft = shelf.draft_of(collection, place)
        draft.write_bytes(b"x")
        if why:
            with pytest.raises(InputError, match=why):
                shelf.put_in_place(draft, place)
        else:
            shelf.put_in_place(draft, place)


def test_only_its_user_can_read_a_collection(collection):
    place = shelf.path_of(collection, "minutes/may.txt")
    before = os.umask(0)
    try:
        shelf.create_collection(collection.folder.parent, "Another")
        (draft := shelf.draft_of(collection, place)).touch(0o600)
        shelf.put_in_place(draft, shelf.path_of(collection, "june/june.txt"))
    finally:
        os.umask(before)
    home = collection.folder.parent
    folders = [path for path in (home, *home.rglob("*")) if path.is_dir()]
    assert {path.name: oct(path.stat().st_mode & 0o077) for path in folders} == {
        path.name: "0o0" for path in folders
    }


def test_a_document_that_is_taken_out_leaves_no_empty_folder(collection):
    place = shelf.path_of(collection, "minutes/2020/may.txt")
    place.parent.mkdir(parents=True)
    place.write_text("May.")
    shelf.remove_file(collection, "minutes/2020/may.txt")
    shelf.remove_file(collection, "minutes/2020/may.txt")  # gone already
    assert list(collection.files.iterdir()) == []
    for elsewhere in ("../collection.json", "/etc/passwd", ""):
        shelf.remove_file(collection, elsewhere)
    assert shelf.find_collection(collection.folder.parent, collection.key) == collection


def test_collections_have_different_names_and_keys_that_lead_nowhere_else(collection):
    home = collection.folder.parent
    assert shelf.every_collection(home) == [collection]
    for name, why in (("harbour ", "already"), (" \t", "a name"), ("!!", "a name")):
        with pytest.raises(UsageError, match=why):
            shelf.create_collection(home, name)
    for key in ("", "..", "../home", collection.key.upper() + "x", "00000000"):
        assert shelf.find_collection(home, key) is None
    shelf.delete_collection(collection)
    assert shelf.every_collection(home) == list(home.iterdir()) == []


def test_a_file_that_is_too_large_or_a_full_disk_is_refused(collection, monkeypatch):
    with pytest.raises(InputError, match="at most"):
        shelf.require_space(collection, collection.files / "a.txt", shelf.MAX_FILE_BYTES + 1)
    monkeypatch.setattr(shelf, "SPARE", 2**60)
    with pytest.raises(InputError, match="the disk is full"):
        shelf.require_space(collection, collection.files / "a.txt", 1)


@pytest.mark.parametrize("about", [b"", b"{", b"[1]", b'{"title": 1}', b"[" * 100_000, b"\xff"])
def test_a_collection_whose_name_is_damaged_is_passed_over(collection, about):
    (collection.folder / "collection.json").write_bytes(about)
    assert shelf.every_collection(collection.folder.parent) == []


def test_what_a_kill_left_is_cleared_when_a_desk_opens(collection, tmp_path):
    home = tmp_path / "home"
    half = home / f".{'ab' * 4}.old" / "files"
    half.mkdir(parents=True)
    (half / "secret.txt").write_text("deleted on the page")
    draft = shelf.draft_of(collection, shelf.path_of(collection, "a.txt"))
    draft.write_bytes(b"half of a document")
    with shelf.kept_home(home):
        assert not half.parent.exists()
        assert not draft.exists()
        draft.write_bytes(b"under way")
        with shelf.kept_home(home):  # a second desk
            assert draft.exists()


def test_only_leftovers_of_collections_are_cleared(tmp_path):
    shelf.make_home(tmp_path)
    for name in (".mine.old", "mine"):
        (tmp_path / name / "work").mkdir(parents=True)
    (tmp_path / "mine" / "work" / ".mine.part").write_text("mine")
    with shelf.kept_home(tmp_path):
        assert (tmp_path / ".mine.old").exists()
        assert (tmp_path / "mine" / "work" / ".mine.part").exists()


def test_a_collection_takes_no_more_files_than_it_says(collection, monkeypatch):
    monkeypatch.setattr(shelf, "MAX_FILES", 2)
    monkeypatch.setattr(shelf, "SPARE", 0)
    for name in ("a.txt", "sub/b.txt"):
        place = shelf.path_of(collection, name)
        shelf.require_space(collection, place, 1)
        place.parent.mkdir(exist_ok=True)
        place.write_text("text")
    shelf.require_space(collection, place, 1)  # one in its place
    with pytest.raises(InputError, match="has 2 files, and takes no more"):
        shelf.require_space(collection, shelf.path_of(collection, "c.txt"), 1)


@pytest.mark.parametrize("name", ["files", "work"])
def test_a_collection_of_links_is_none(collection, tmp_path, name):
    (tmp_path / "elsewhere").mkdir()
    (collection.folder / name).rmdir()
    (collection.folder / name).symlink_to(tmp_path / "elsewhere")
    assert shelf.every_collection(tmp_path / "home") == []
