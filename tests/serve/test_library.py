"""Collections in the browser's way: made, given documents, read, checked against, changed, deleted.

One test has documents read by the real reading process, which takes seconds to start; in the others
the same readers run in this process. The votes are those of stand-ins."""

from __future__ import annotations

import errno
import json
import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import ClassVar
from urllib.parse import quote

import pytest

from tests.support.doubles import fake_embed, load_nltk_data
from tests.support.pages import Page
from tests.support.serving import desk_of, fields
from tests.support.small_run import METHOD
from tests.support.waiting import until
from uhhrag.archive import updating
from uhhrag.backends.vector_cache import cached
from uhhrag.documents import changed, reader_process
from uhhrag.documents.archive import OLE
from uhhrag.documents.collections import MAX_FILE_BYTES, create_collection, make_home
from uhhrag.documents.draft import Draft
from uhhrag.errors import ModelError
from uhhrag.protocols import EvidenceSource
from uhhrag.records import Hit
from uhhrag.serve import draft_table, library_pages, sample
from uhhrag.serve.library import Library
from uhhrag.serve.library_pages import COLLECTIONS
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.wiring import nltk_data

pytestmark = pytest.mark.slow


class ReadHere:
    """The reading process without a process; `more` is what a request has besides."""

    more: ClassVar[dict[str, object]] = {}

    def __init__(self):
        nltk_data.load_nltk_data()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        pass

    def read(self, file, state, spool):
        path = os.fsencode(file.path).hex()
        state = {"file": file.name, **state}
        return reader_process.answer(
            {"path": path, "spool": str(spool), "kind": file.kind, "state": state, **self.more}
        )


class ReadLoaded(ReadHere):
    """The same where NLTK's data are loaded, and stand in another folder of models than now."""

    def __init__(self):
        pass


@pytest.fixture(autouse=True)
def _read_here(request, monkeypatch):
    load_nltk_data()
    called = getattr(request.node, "callspec", None)
    if called is None or called.params.get("process") != "real":
        monkeypatch.setattr(updating, "ReadingProcess", ReadHere)


def load(snapshot, sentences, doing):
    """Searches by taking everything; no model is asked."""
    index = sentences()

    def search(query, top, /):
        return [Hit(passage, 0.9) for passage in index.passages][:top]

    corpus = EvidenceSource(search, index.document)
    return (lambda claim: corpus), METHOD


@contextmanager
def library_desk(
    home,
    data=nltk_data.load_nltk_data,
    search=lambda documents: None,
    load=load,
    ahead=lambda: None,
    **more,
):
    make_home(home)
    library = Library(home, data, load, search=search, ahead=ahead)
    more = {"models": ModelFetch((), lambda: None), "takes_drafts": lambda: True, **more}
    with desk_of(home, run=False, library=library, **more) as served:
        library.start()
        yield served
        library.stop(10)


@pytest.fixture
def desk(tmp_path):
    with library_desk(tmp_path / "home") as served:
        yield served


def made(desk, name="Harbour") -> str:
    hidden = fields(desk.get("/collections").body)
    answer = desk.post("/collections", {**hidden, "name": name})
    assert answer.status == 303, answer.body
    return answer.headers["location"]


def give(desk, path, name, content, **headers):
    """The status and the reason that the desk answers a document with."""
    connection = HTTPConnection("127.0.0.1", desk.port, timeout=20)
    token = {"x-token-of-form": desk.app.form_token(COLLECTIONS)}
    given = {key.replace("_", "-"): value for key, value in headers.items()}
    connection.request("PUT", f"{path}/files/{quote(name)}", content, {**token, **given})
    answer = connection.getresponse()
    body = answer.read().decode()
    connection.close()
    return answer.status, json.loads(body).get("error", "") if body.startswith("{") else body


def send(desk, path, action, **form):
    answer = desk.post(f"{path}/{action}", {**fields(desk.get(path).body), "name": "", **form})
    assert answer.status == 303, answer.body
    return answer


def after_reading(desk, path) -> str:
    def page():
        shown = desk.get(path).body
        return "" if "data-live" in shown else shown

    return until(page, 120)


def read(desk, path) -> str:
    send(desk, path, "read", all="")
    return after_reading(desk, path)


@pytest.mark.parametrize("process", ["here", "real"])
def test_documents_are_given_read_and_checked_against_without_a_restart(desk, process):
    assert desk.get("/").headers["location"] == "/welcome"
    path = made(desk)
    assert give(desk, path, "minutes/3 May.txt", b"The bridge at Varnby is open.") == (201, "")
    assert "not read yet" in desk.get(path).body
    page = read(desk, path)
    assert "minutes/3 May.txt" in page
    assert "not read" not in page

    key = path.rpartition("/")[2]
    claim = desk.ask("The bridge at Varnby is open.", target=key)
    shown = desk.settled(claim)
    assert "The bridge at Varnby is open." in shown
    assert "1 file" in shown
    source = desk.get(f"{claim}/pieces/1/sources/0").body
    assert '<mark id="sentence"' in source or "<mark" in source

    assert give(desk, path, "more.txt", b"The ferry at Varnby sails on Sundays.")[0] == 201
    read(desk, path)
    again = desk.settled(desk.ask("The ferry sails.", target=key))
    assert "The ferry at Varnby sails on Sundays." in again


def test_several_collections_stand_beside_each_other(desk):
    for name in ("Harbour", "Council"):
        path = made(desk, name)
        give(desk, path, "a.txt", f"This text is about the {name}.".encode())
        read(desk, path)
    names = [target.name for target in desk.app.targets.values()]
    assert names == ["Council: 1 sentence", "Harbour: 1 sentence"]
    page = desk.get("/").body
    assert all(name in page for name in names)


def test_a_file_that_cannot_be_read_is_named_and_the_others_are_read(desk):
    path = made(desk)
    give(desk, path, "a.txt", b"A sentence that can be read.")
    give(desk, path, "broken.pdf", b"%PDF-1.7 but no more")
    page = read(desk, path)
    assert "not read, or not wholly" in page
    assert "is not a PDF" in page or "damaged" in page
    assert files(desk, path)["a.txt"].lines == 1


def test_a_document_is_taken_out_and_no_longer_found(desk):
    path = made(desk)
    for name in ("a", "b"):
        give(desk, path, f"{name}.txt", f"The letter {name} has a text.".encode())
    read(desk, path)
    assert kept_text(desk, path, b"The letter a")
    send(desk, path, "remove", name="a.txt")
    assert "a.txt" not in after_reading(desk, path)
    assert not kept_text(desk, path, b"The letter a")
    assert kept_text(desk, path, b"The letter b")
    shown = desk.settled(desk.ask("A claim.", target=path.rpartition("/")[2]))
    assert "The letter b" in shown
    assert "The letter a" not in shown
    for export in ("/export/report.html", "/claims/check-1/export/report.html"):
        assert "Fact-check report Harbour" in Page(desk.get(export).body).text()
    link = next(a["href"] for a in Page(desk.get(path).body).all("a") if "/documents/" in a["href"])
    assert "The letter b has a text." in desk.get(link).body
    send(desk, path, "remove", name="b.txt", asked="yes")
    after_reading(desk, path)
    assert dict(desk.app.targets) == {}
    gone = desk.get(link)
    assert (gone.status, "was taken out, or the documents were read again" in gone.body) == (404, 1)


def test_what_changed_is_read_again_and_the_rest_kept(desk):
    path = made(desk)
    give(desk, path, "a.txt", b"The first text.")
    give(desk, path, "b.txt", b"The second text.")
    read(desk, path)
    give(desk, path, "a.txt", b"The first text, changed. It is longer now.")
    assert desk.get(path).body.count("not read yet") == 1
    read(desk, path)
    assert [outcome.state for outcome in files(desk, path).values()] == ["read", "kept"]
    send(desk, path, "read", all="yes")
    after_reading(desk, path)
    assert [outcome.state for outcome in files(desk, path).values()] == ["read", "read"]


def kept_text(desk, path, text):
    folder = desk.app.library.home / path.rpartition("/")[2]
    return any(text in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def files(desk, path):
    return desk.app.library.files(desk.app.library.find(path.rpartition("/")[2]))


def test_vectors_leave_the_disk_with_the_documents_that_they_are_of(desk):
    home, path = desk.app.library.home, made(desk)
    vector = fake_embed(["A text."])[0].tobytes()

    def keep_vector() -> None:
        cached(fake_embed, "made by", home / "vectors.sqlite")(["A text."])
        assert kept()

    def kept() -> bool:
        return any(vector in file.read_bytes() for file in home.glob("vectors.sqlite*"))

    def after(change: str, name: str) -> bool:
        keep_vector()
        give(desk, path, name, change.encode()) if change else send(
            desk, path, "remove", name=name, asked="yes"
        )
        read(desk, path)
        return kept()

    give(desk, path, "a.txt", b"A text.")
    read(desk, path)
    assert after("Another one.", "b.txt")  # what is only added takes none away
    assert not after("", "b.txt")
    assert not after("A text of today.", "a.txt")
    assert not after("", "a.txt")  # the last one
    keep_vector()
    send(desk, path, "delete")
    assert not kept()


def test_a_collection_is_deleted_with_its_claims_and_reviews_if_that_is_ticked(desk):
    kept, path = (made(desk, name) for name in ("Kept", "Other"))
    for one in (kept, path):
        give(desk, one, "a.txt", b"The bridge at Varnby is open.")
        read(desk, one)
        desk.settled(desk.ask("The bridge is open.", target=one.rpartition("/")[2]))
    desk.review("check-2")
    assert "also 1 claim checked against it, 1 with a review" in desk.get(path).body
    keys = [one.rpartition("/")[2] for one in (kept, path)]
    drafts = [draft_table.add(desk.app.database, Draft("a.txt", ()), key) for key in keys]
    assert "checked against it, 1 with a review, and 1 draft" in desk.get(path).body
    send(desk, path, "delete", claims="yes")
    send(desk, kept, "delete")
    found = [draft_table.find(desk.app.database, one) is not None for one in drafts]
    assert found == [True, False]
    assert [check.number for check in desk.app.database.asked()] == [1]
    assert desk.app.database.reviews() == {}


def test_a_collection_leads_to_the_check_of_a_draft_against_it(desk):
    for name in ("First", "Second"):
        give(desk, path := made(desk, name), "a.txt", b"The bridge is open.")
        read(desk, path)
    key = path.rpartition("/")[2]
    page = Page(desk.get(path).body)
    (link,) = [a["href"] for a in page.all("a") if a["href"].endswith("#draft-text")]
    assert link == f"/?against={key}#draft-text"
    options = [
        one
        for one in Page(desk.get(link.partition("#")[0]).body).all("option")
        if "selected" in one
    ]
    assert [one["value"] for one in options if one["value"] != "id"] == [key]
    assert 'href="/#draft-text"' in desk.get("/welcome").body


def test_a_claim_of_a_collection_has_its_day_and_its_speaker(desk):
    give(desk, path := made(desk), "a.txt", b"The bridge is open.")
    page = read(desk, path)
    form = Page(page.partition('action="/checks"')[2].partition("</form>")[0])
    given = {one["name"]: one.get("value", "") for one in form.all("input")}
    assert {"date", "speaker"} <= set(given)
    told = {"claim": "The bridge is open.", "date": "2024-02-06", "speaker": "Ada Bo"}
    assert desk.post("/checks", {**given, **told}).status == 303
    (check,) = desk.app.database.asked()
    assert (check.claim.date, check.claim.speaker) == ("2024-02-06", "Ada Bo")


def test_a_web_page_saved_under_doc_is_read(desk):
    path = made(desk)
    page = b"<html><body><p>The ferry at Varnby was sold in 2019.</p></body></html>"
    assert give(desk, path, "export.doc", page) == (201, "")
    assert give(desk, path, "old.doc", OLE + bytes(600)) == (201, "")
    assert "is an old Word document; save it as .docx" in read(desk, path)
    assert [one.state for one in files(desk, path).values()] == ["read", "unreadable"]


def test_a_collection_is_deleted_with_its_documents(desk):
    path = made(desk)
    give(desk, path, "a.txt", b"A text.")
    read(desk, path)
    folder = desk.app.library.home / path.rpartition("/")[2]
    assert folder.is_dir()
    send(desk, path, "delete")
    assert not folder.exists()
    assert desk.get(path).status == 404
    again = desk.post(f"{path}/delete", {"token_of_form": desk.app.form_token(COLLECTIONS)})
    assert (again.status, again.headers["location"]) == (303, "/collections")


def test_what_was_copied_into_the_folder_is_taken_out_whatever_its_name(desk):
    path = made(desk)
    folder = desk.app.library.collections()[0].files
    names = ("Cafe\u0301.txt", "Caf\u00e9.txt", "caf\udce9.txt", "50%41.txt", "a\u202eb.txt")
    for name in names:
        (folder / name).write_text("The ferry was sold.")
    page = Page(read(desk, path))
    values = [one["value"] for one in page.all("input") if one.get("name") == "name"]
    assert len(values) == len(names)
    for left, value in enumerate(reversed(values)):
        assert len(list(folder.iterdir())) == len(names) - left
        send(desk, path, "remove", name=value, asked="yes")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "status", "why"),
    [
        ("../../desk.sqlite.txt", b"x", 422, "leads out"),
        ("pages.rar", b"PK", 422, "is an archive; unpack it"),
        ("a.exe", b"MZ", 422, ".exe is not read"),
        (".a.txt", b"x", 422, "hidden"),
    ],
)
def test_a_hostile_name_is_refused_and_writes_nothing(desk, name, content, status, why):
    path = made(desk)
    before = sorted(desk.app.library.home.rglob("*"))
    given = give(desk, path, name, content)
    assert given[0] == status
    assert why in given[1]
    assert sorted(desk.app.library.home.rglob("*")) == before


def test_a_document_needs_the_desks_own_page_and_a_size(desk):
    path = made(desk)
    assert give(desk, path, "a.txt", b"x", x_token_of_form="no")[0] == 403
    assert give(desk, path, "a.txt", b"x", origin="http://evil.example")[0] == 403
    assert give(desk, "/collections/00000000", "a.txt", b"x")[0] == 404
    assert give(desk, path, "a.txt", b"x", content_length=str(MAX_FILE_BYTES + 1))[0] == 413
    # Only documents may be that large.
    large = b"name=" + b"x" * 300_000
    assert desk.send("POST", "/collections", large.decode()).status == 413
    assert not files(desk, path)


def test_a_document_that_breaks_off_is_not_kept(desk):
    path = made(desk)
    connection = HTTPConnection("127.0.0.1", desk.port, timeout=20)
    connection.putrequest("PUT", f"{path}/files/a.txt")
    connection.putheader("content-length", "1000")
    connection.putheader("x-token-of-form", desk.app.form_token(COLLECTIONS))
    connection.endheaders()
    connection.send(b"the beginning")
    connection.close()
    folder = desk.app.library.home / path.rpartition("/")[2]
    until(lambda: not list((folder / "work").iterdir()))
    assert list((folder / "files").iterdir()) == []


@pytest.mark.parametrize("action", ["read", "stop", "remove", "delete"])
def test_a_form_of_another_page_changes_nothing(desk, action):
    path = made(desk)
    give(desk, path, "a.txt", b"A text.")
    assert desk.post(f"{path}/{action}", {"name": "a.txt"}).status == 403
    assert list(files(desk, path)) == ["a.txt"]


def test_what_was_read_is_known_to_the_next_desk(tmp_path):
    load_nltk_data()
    with library_desk(tmp_path / "home") as desk:
        path = made(desk)
        give(desk, path, "a.txt", b"A text of one sentence.")
        give(desk, path, "bad.pdf", b"no")
        read(desk, path)
    with library_desk(tmp_path / "home") as desk:
        page = desk.get(path).body
        assert "not read yet" not in page
        assert "not read, or not wholly" in page
        assert "1 sentence" in desk.get("/").body


def test_a_damaged_note_of_what_was_read_is_only_read_anew(desk):
    path = made(desk)
    give(desk, path, "a.txt", b"A text of one sentence.")
    read(desk, path)
    note = desk.app.library.home / path.rpartition("/")[2] / "work" / "files.json"
    for content in ("{", '{"a.txt": 1}', "[]"):
        note.write_text(content)
        assert "not read yet" in desk.get(path).body
    read(desk, path)
    assert "not read yet" not in desk.get(path).body


def test_without_the_models_the_page_says_why_nothing_is_read(tmp_path):
    def missing():
        raise ModelError("model 'nltk-data' is not on this machine")

    with library_desk(tmp_path / "home", missing) as desk:
        path = made(desk)
        give(desk, path, "a.txt", b"A text.")
        assert "is not on this machine" in read(desk, path)


def test_the_sample_is_read_and_its_claims_can_be_asked(desk):
    answer = desk.post("/welcome/sample", fields(desk.get("/welcome").body))
    path = answer.headers["location"]
    page = after_reading(desk, path)
    assert page.count("pages on claim") >= 12
    assert all(claim.partition("'")[0] in page for claim in sample.sample_claims())
    again = desk.post("/welcome/sample", fields(desk.get("/welcome").body))
    assert again.headers["location"] == path


def test_a_collection_that_a_user_calls_sample_is_not_taken_for_the_sample(desk):
    path = made(desk, "Sample")
    give(desk, path, "a.txt", b"The bridge at Varnby is open.")
    assert "Or one of the sample" not in read(desk, path)
    refused = desk.post("/welcome/sample", fields(desk.get("/welcome").body))
    assert (refused.status, "the name Sample already" in refused.body) == (500, True)


def test_a_collection_that_a_full_disk_refuses_leaves_nothing_and_says_to_make_room(disk):
    home = disk.folder / "tiny"
    with library_desk(home) as desk:
        form = {**fields(desk.get("/collections").body), "name": "Full"}
        disk.fill(leaving=0)
        answer = desk.post("/collections", form)
        assert (answer.status, "give another" in answer.body) == (507, False)
        assert "No space left on device. Make room, then try again." in answer.body
        assert [path.name for path in home.iterdir() if path.is_dir()] == []


def test_files_that_an_older_version_read_are_said_and_read_anew_when_asked(desk, monkeypatch):
    path = made(desk)
    for name in ("a.txt", "b.md", "c.txt"):
        give(desk, path, name, b"The bridge at Varnby is open.")
    with monkeypatch.context() as older:
        older.setattr(changed, "read_with", lambda kind: f"{kind} 1")
        assert "older version" not in read(desk, path)
    page = desk.get(path).body
    assert "3 files were read by an older version of this program." in page
    assert "<button>Read what is new or changed</button>" in page
    assert "older version" not in read(desk, path)


def test_who_can_read_the_folder_is_said_truly_to_those_who_come_by_network(tmp_path):
    for origin, said in (
        ("", "</code>. Only you can read that folder."),
        (
            "https://desk.example.org",
            "on the machine that runs this desk. There, only the user who runs it can read that",
        ),
    ):
        with library_desk(tmp_path / "home", origin=origin) as desk:
            page = desk.get("/collections").body
            assert f"{tmp_path}/home" in page
            assert said in page


def test_a_part_of_the_sample_is_not_left(desk, monkeypatch):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(sample.shutil, "copyfile", full)
    answer = desk.post("/welcome/sample", fields(desk.get("/welcome").body))
    assert (answer.status, "No space left" in answer.body) == (500, True)
    assert desk.app.library.collections() == []


def test_reading_is_stopped_and_goes_on_later(desk, monkeypatch):
    allowed = threading.Semaphore(3)

    class Gated(ReadHere):
        def read(self, file, state, spool):
            allowed.acquire(timeout=30)
            return super().read(file, state, spool)

    monkeypatch.setattr(updating, "ReadingProcess", Gated)
    collection = create_collection(desk.app.library.home, "Long")
    for number in range(9):
        (collection.files / f"{number}.txt").write_text(f"The sentence of text {number}.")
    path = f"/collections/{collection.key}"
    send(desk, path, "read", all="")
    until(lambda: desk.app.library.reading(collection.key).done > 2)
    assert list(files(desk, path).values()).count(None) < 9
    send(desk, path, "stop")
    allowed.release(100)
    page = after_reading(desk, path)
    assert "stopped; what was read until then can be used" in page
    assert 0 < list(files(desk, path).values()).count(None) < 9
    assert "not read yet" not in read(desk, path)


def test_a_desk_without_collections_has_no_such_pages(tmp_path):
    with desk_of(tmp_path / "run") as desk:
        for path in ("/welcome", "/collections", "/collections/00000000"):
            assert desk.get(path).status == 404
        assert "Documents</a>" not in desk.get("/").body


def test_the_collection_page_names_scans_and_languages_of_the_files_that_have_them(
    desk, monkeypatch
):
    monkeypatch.setattr(changed, "find_tesseract", lambda: None)
    path = made(desk)
    german = (
        "Der Hafen wurde im Jahr 2019 ausgebaut, und die Kosten waren viel höher als geplant. " * 4
    )
    give(desk, path, "plain.txt", b"The harbour was dredged. It cost much.")
    give(desk, path, "hafen.txt", german.encode())
    give(desk, path, "letter.png", b"a scan")
    desk.app.library.read(path[13:])
    for _ in range(2):  # a file that is kept keeps its mark
        shown = Page(after_reading(desk, path)).text()
        assert "hafen.txt German" in shown
        assert "plain.txt German" not in shown
        assert "Not read: 1 page of 1 file is a scan (letter.png)" in shown
        send(desk, path, "read")


def test_what_is_put_in_the_place_of_another_is_said(desk):
    path = made(desk)
    name = f"{path}/files/a.txt"
    secret = {"x_token_of_form": desk.app.form_token(COLLECTIONS)}
    told = [json.loads(desk.send("PUT", name, text, **secret).body) for text in ("One.", "Two.")]
    assert [one["replaced"] for one in told] == [False, True]
    place = desk.app.library.collections()[0].files / "a.txt"
    assert place.read_bytes() == b"Two."


def test_a_damaged_archive_breaks_no_page(desk):
    path = made(desk)
    give(desk, path, "a.txt", b"The bridge at Varnby is open.")
    read(desk, path)
    key = path.rpartition("/")[2]
    claim = desk.ask("The bridge at Varnby is open.", target=key)
    desk.settled(claim)
    archive = desk.app.library.home / key / "work" / "archive"
    manifest = archive / "manifest.json"
    whole = manifest.read_bytes()
    manifest.write_bytes(whole[: len(whole) // 2])
    for page in ("/", claim, path, "/collections", f"{claim}/export/report.html"):
        assert desk.get(page).status == 200, page
    first, said = desk.get("/").body, Page(desk.get(claim).body).text()
    assert "Harbour: damaged" in first
    assert "not here" not in first + said
    assert "The documents of this verdict cannot be searched now." in said
    of_files = Page(desk.get(path).body).text()
    assert "manifest.json: is damaged" in of_files
    assert "Check a claim against these documents" not in of_files
    assert desk.get(f"/search/{key}?q=bridge").status == 404
    assert "No verdict" in desk.settled(desk.ask("It is shut.", target=key))
    assert "manifest.json: is damaged" in read(desk, path)
    manifest.write_bytes(whole)
    assert "Harbour: 1 sentence" in desk.get("/").body
    assert "The last reading: " in desk.get(path).body


def test_a_file_that_vanished_from_the_folder_is_said_to_be_searched_until_it_is_read_again(desk):
    path = made(desk)
    for name in ("a", "b"):
        give(desk, path, f"{name}.txt", f"The letter {name} has a text.".encode())
    give(desk, path, "broken.pdf", b"no PDF")
    read(desk, path)
    for name in ("a.txt", "broken.pdf"):
        (desk.app.library.collections()[0].files / name).unlink()
    said = "1 file that was read is not here any more. Until you read again, claims are still"
    assert said in Page(desk.get(path).body).text()
    assert "not here any more" not in read(desk, path)


def test_a_collection_that_is_deleted_while_it_is_read_leaves_nothing(desk, monkeypatch):
    was_read, deleted = threading.Event(), threading.Event()

    class Slow(ReadHere):
        def read(self, file, state, spool):
            answer = super().read(file, state, spool)
            was_read.set()
            deleted.wait(20)
            return answer

    monkeypatch.setattr(updating, "ReadingProcess", Slow)
    collection = create_collection(desk.app.library.home, "Long")
    (collection.files / "a.txt").write_text("A sentence that nobody may keep.")
    path = f"/collections/{collection.key}"
    send(desk, path, "read", all="")
    assert was_read.wait(20)
    send(desk, path, "delete")
    deleted.set()
    until(lambda: not desk.app.library._current)
    assert not collection.folder.exists()


def test_of_many_files_those_that_were_not_read_are_shown(desk, monkeypatch):
    monkeypatch.setattr(library_pages, "_MAX_FILES_SHOWN", 2)
    path = made(desk)
    for name in ("a", "b", "c"):
        give(desk, path, f"{name}.txt", b"A text.")
    give(desk, path, "z.pdf", b"no")
    page = Page(read(desk, path)).text()
    assert "2 of 4 files; 1 not read, or not wholly, first" in page
    assert "z.pdf" in page
    assert "b.txt" not in page


def test_files_that_were_not_read_or_not_wholly_come_first(desk):
    path = made(desk)
    for name, content in (("a.txt", b"A text."), ("b.pdf", b"no"), ("c.txt", b"Another.")):
        give(desk, path, name, content)
    page = Page(read(desk, path)).text()
    assert "3 files; 1 not read, or not wholly, first" in page
    assert page.index("b.pdf") < page.index("a.txt") < page.index("c.txt")


def test_the_names_of_all_files_are_told_so_that_none_is_added_twice_unasked(desk):
    path = made(desk)
    for name in ("reports/audit 2024.txt", "b.txt"):
        give(desk, path, name, b"A text.")
    assert json.loads(desk.get(f"{path}/files").body) == ["b.txt", "reports/audit 2024.txt"]
    assert desk.get("/collections/00000000/files").status == 404


def test_a_double_click_makes_one_collection_and_shows_it(desk):
    form = {**fields(desk.get("/collections").body), "name": "Harbour"}
    with ThreadPoolExecutor(4) as clicks:
        answers = list(clicks.map(lambda _: desk.post("/collections", form), range(4)))
    (made,) = desk.app.library.collections()
    assert {answer.headers.get("location") for answer in answers} == {f"/collections/{made.key}"}
    later = {**form, **fields(desk.get("/collections").body)}
    assert "There is a collection of the name" in desk.post("/collections", later).body
    send(desk, f"/collections/{made.key}", "delete")
    assert desk.post("/collections", {**later, "name": "Quay"}).status == 303


def test_a_name_in_use_is_said_as_it_is_written(desk):
    made(desk, "Oslo Harbour")
    hidden = fields(desk.get("/collections").body)
    answer = desk.post("/collections", {**hidden, "name": "Oslo HARBOUR"})
    assert "There is a collection of the name Oslo HARBOUR already" in answer.body


def test_models_are_loaded_while_documents_are_read_and_a_fault_stops_no_reading(tmp_path):
    loaded = threading.Event()

    def ahead():
        loaded.set()
        raise ModelError("model 'mpnet' is not on this machine")

    with library_desk(tmp_path / "home", ahead=ahead) as desk:
        path = made(desk)
        assert not loaded.is_set()
        give(desk, path, "a.txt", b"A text of one sentence.")
        assert "not read" not in read(desk, path)
        assert loaded.wait(20)


def test_all_that_was_asked_for_is_read_again(tmp_path):
    library = Library(tmp_path, load_nltk_data, load)
    library.read("a")
    library.read("a", again=True)
    library.read("a")
    assert library._next() == ("a", True)
