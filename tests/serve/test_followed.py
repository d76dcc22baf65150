"""Documents of `uhhrag serve --docs` that change while they are served."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace

import pytest

from tests.serve.test_api import EMBEDDER, agree
from tests.support.corpora import follow
from tests.support.serving import desk_of, token
from tests.support.waiting import until
from uhhrag.errors import InputError
from uhhrag.serve import followed
from uhhrag.serve.targets import Target, key_of
from uhhrag.workflows.method import choose
from uhhrag.workflows.observer import SILENT
from uhhrag.workflows.serve import subject_of
from uhhrag.workflows.tasks import ServeTask

CLAIM = "The ferry of Lunde was sold in 2019."
CHANGED = "The documents in papers have changed since they were read at "


@pytest.fixture
def papers(tmp_path, monkeypatch):
    monkeypatch.setattr(followed, "_LOOK_SECONDS", 0.0)
    monkeypatch.setattr(followed, "_PATIENCE", 0)
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry of Lunde\n\nThe ferry was sold in 2019.\n")
    return folder


@contextlib.contextmanager
def served(docs, tmp_path, **task):
    options = {"embedder": EMBEDDER, "voter": agree, "questions": "template"}
    subject = subject_of(ServeTask(docs=docs, **task), choose(options), SILENT)
    with desk_of(tmp_path / "run", run=False, followed=subject.followed) as desk:
        yield desk


def read_again(desk, page="/", back=""):
    form = {"token_of_form": token(desk.get(page).body, "/documents/read"), "back": back}
    answer = desk.post("/documents/read", form)
    until(lambda: not desk.app.followed.reading)
    return answer


@pytest.mark.parametrize("pool", [pytest.param(10_000, marks=pytest.mark.slow), 1])
def test_what_changes_is_told_and_read_again_at_a_button(papers, tmp_path, pool):
    with served(papers, tmp_path, pool=pool) as desk:
        path = desk.ask(CLAIM, target=key_of(papers))
        first = desk.settled(path)
        assert "1 document in 1 file." in first
        assert CHANGED not in first + desk.get("/").body
        (papers / "late.md").write_text("# Correction\n\nThe ferry of Lunde was not sold.\n")
        for page in (path, "/", f"/search/{key_of(papers)}?q=ferry"):
            assert CHANGED in (shown := desk.get(page).body)
            assert "(1 file added)." in shown
        answer = read_again(desk, path, path.rpartition("/")[2])
        assert (answer.status, answer.headers["location"]) == (303, path)
        page = desk.get(path).body
        assert CHANGED not in page
        assert "Since this verdict: 1 file added." in page
        again = desk.ask_again(path)
        assert "2 documents in 2 files." in again
        assert "The ferry of Lunde was not sold." in again
        assert "late.md" in desk.get(f"/search/{key_of(papers)}?q=sold").body
        (papers / "late.md").unlink()
        assert "(1 file removed)." in desk.get("/").body
        assert read_again(desk).headers["location"] == "/"
        assert CHANGED not in desk.get("/").body


def test_a_folder_that_goes_away_is_told_and_what_was_read_stays(papers, tmp_path):
    with served(papers, tmp_path) as desk:
        papers.rename(tmp_path / "elsewhere")
        assert "(1 file removed)." in desk.get("/").body
        read_again(desk)
        assert "could not be read again: " in (page := desk.get("/").body)
        assert "no such folder" in page
        assert "1 document in 1 file." in desk.settled(desk.ask(CLAIM, target=key_of(papers)))


def test_a_changed_archive_is_told_with_what_to_do(papers, tmp_path):
    follow(docs := tmp_path / "kept", papers)
    with served(docs, tmp_path) as desk:
        assert "stop uhhrag and start it again" not in desk.get("/").body
        (papers / "late.md").write_text("The ferry of Lunde was not sold.\n")
        follow(docs, papers)
        page = desk.get("/").body
        assert "stop uhhrag and start it again" in page
        assert "Read them again" not in page


def test_a_changed_store_is_read_again(papers, tmp_path):
    store = tmp_path / "pages.jsonl"
    store.write_text('{"url": "https://a.example/", "url2text": ["The ferry was sold."]}\n')
    with served(store, tmp_path) as desk:
        store.write_text('{"url": "https://a.example/", "url2text": ["It sank.", "It was old."]}\n')
        assert "Read them again" in desk.get("/").body
        read_again(desk)
        assert "pages.jsonl: 2 sentences" in desk.get("/").body


def test_the_folder_is_looked_at_once_in_a_few_seconds_and_pages_do_not_wait_for_reading(
    monkeypatch,
):
    looks, clock = [], SimpleNamespace(now=0.0)
    monkeypatch.setattr(followed.time, "monotonic", lambda: clock.now)
    target = Target("papers", lambda _: None)

    def state():
        looks.append(clock.now)
        clock.now += 1.0  # a slow disk
        return {"a.txt": 2}

    def read():
        raise InputError("papers: is locked")

    docs = followed.FollowedDocuments("docs", "papers", state, read, {"a.txt": 1}, target)
    for _ in range(3):
        assert "(1 file changed)." in docs.note()
    clock.now = 15.0
    docs.note()
    assert looks == [0.0]
    clock.now = 30.0
    docs.note()
    assert looks == [0.0, 30.0]
    docs.read(9)
    until(lambda: not docs.reading)
    assert docs.note().endswith("They could not be read again: papers: is locked.")
    assert docs.targets == {"docs": target}
