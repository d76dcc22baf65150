"""A file is taken out of a collection with all that the desk holds of its text."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from tests.serve.test_library import (
    _read_here,
    after_reading,
    give,
    library_desk,
    load,
    made,
    read,
    send,
)
from tests.support.pages import Page
from tests.support.serving import fields, gated
from tests.support.waiting import until
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.records import Source
from uhhrag.serve import draft_table, quotations
from uhhrag.serve.desk_file import check_desk
from uhhrag.serve.worker import GONE
from uhhrag.views.review import PieceSide

pytestmark = pytest.mark.slow
assert _read_here  # a fixture that every test here uses

SAID = "The source Zebulonquist saw the mayor take the money in May."
KEPT = "The council of Varnby met in May."
NAME = "whistle.txt"


@pytest.fixture
def desk(tmp_path):
    with library_desk(tmp_path / "home") as served:
        yield served


@pytest.fixture
def path(desk):
    path = made(desk)
    give(desk, path, NAME, SAID.encode())
    give(desk, path, "kept.txt", KEPT.encode())
    read(desk, path)
    return path


def holding(desk, words="Zebulon"):
    """Names of the files below the desk's home that have a byte of it, the journals among them."""
    files = (file for file in desk.app.library.home.rglob("*") if file.is_file())
    return sorted(file.name for file in files if words.encode() in file.read_bytes())


def asked(desk, path, claim="The bridge is open."):
    return desk.ask(claim, target=path.rpartition("/")[2])


def question(desk, path, name=NAME):
    """The page that is shown before a file is taken out."""
    answer = desk.post(f"{path}/remove", {**fields(desk.get(path).body), "name": name})
    assert answer.status == 200
    return answer.body


def test_verdicts_of_now_and_before_lose_the_pieces_of_a_file_and_reviews_stay(desk, path):
    claim = asked(desk, path)
    desk.settled(claim)
    desk.review("check-1", note="Asked the council.", reviewer="Ada", label="Refuted")
    was = desk.app.find("check-1").verdict_text
    desk.ask_again(claim)
    page = Page(question(desk, path))
    assert "It is quoted in 1 claim." in page.text()
    assert [one["href"] for one in page.all("a") if "/claims/" in one["href"]] == [claim]
    assert NAME in desk.get(path).body
    send(desk, path, "remove", name=NAME, asked="yes", checks="yes")
    after_reading(desk, path)
    assert holding(desk) == []

    shown = desk.get(claim).body
    told = f"the verdict was {was}, made with material that was deleted since; check it again"
    assert shown.count(told) == 2  # of now, and earlier
    assert "Ada, of an earlier verdict: refuted" in Page(desk.get("/").body).text()
    assert "Asked the council." in shown
    again = desk.ask_again(claim)
    assert KEPT in again
    assert "Ada" in again
    for export in ("report.html", "claims.json", "claims.csv", "votes.csv"):
        assert "Zebulon" not in desk.get(f"/export/{export}").body


def test_what_is_not_ticked_stays_and_can_be_deleted_later(desk, path):
    desk.settled(asked(desk, path))
    send(desk, path, "remove", name=NAME, asked="yes")
    after_reading(desk, path)
    assert holding(desk) == ["desk.sqlite"]
    desk.ask_again("/claims/check-1")  # so that an earlier verdict alone has it
    assert "Claims quote 1 file that is not here any more" in desk.get(path).body
    assert "It is quoted in 1 claim." in Page(question(desk, path)).text()
    send(desk, path, "remove", name=NAME, asked="yes", checks="yes")
    assert holding(desk) == []
    assert "not here any more" not in after_reading(desk, path)


def test_what_people_typed_of_a_file_is_named_and_deleted_if_that_is_ticked(desk, path):
    copied = "He says that Zebulonquist saw the mayor take the money."
    for claim in ("The bridge is open.", copied):
        desk.settled(asked(desk, path, claim))
    desk.review("check-1", note=copied, label="Refuted")
    desk.review("check-1", note="Nothing of it.", label="Refuted", reviewer="Bo")
    database, key = desk.app.database, path.rpartition("/")[2]
    database.attach("check-1", PieceSide.SUPPORTS, SAID, Source("file:", file=NAME), "Cy")
    database.attach("check-1", PieceSide.SUPPORTS, KEPT, Source("file:", file="kept.txt"), "Cy")
    for text in (copied, "Another draft."):
        draft_table.add(database, Draft("a.txt", (DraftSentence(text, 0),)), key)
    page = Page(question(desk, path)).text()
    assert "It is quoted in 2 claims and 1 draft." in page
    assert "also delete evidence and votes of 2 claims with pieces of it" in page
    assert "also delete 1 attached sentence and the words of 1 note that repeat it" in page
    assert "also delete 1 claim in its words with the reviews and 1 draft with its words" in page
    every = dict.fromkeys(("asked", "checks", "typed", "claims"), "yes")
    send(desk, path, "remove", name=NAME, **every)
    after_reading(desk, path)
    assert holding(desk) == []

    assert [check.number for check in database.asked()] == [1]
    notes = [(review.reviewer, review.note) for review in database.history("check-1")]
    assert notes == [("Ada", "[deleted with the file that it repeated]"), ("Bo", "Nothing of it.")]
    assert [piece.sentence for piece in database.attachings()] == [KEPT]
    assert [row.number for row in draft_table.latest(database)] == [2]


def test_a_desk_is_whole_after_a_file_was_taken_out(tmp_path):
    with library_desk(tmp_path / "home") as desk:
        give(desk, path := made(desk), NAME, SAID.encode())
        read(desk, path)
        desk.settled(claim := asked(desk, path))
        desk.review("check-1", note=SAID)
        desk.ask_again(claim)
        send(desk, path, "remove", name=NAME, asked="yes", checks="yes", typed="yes")
        after_reading(desk, path)
    checks = list(check_desk(tmp_path / "home" / "desk.sqlite"))
    assert len(checks) > 4
    assert [check.fault for check in checks if check.fault] == []


def test_a_check_under_way_does_not_bring_the_text_back(tmp_path, votes):
    @contextmanager
    def gated_desk():
        def slow(snapshot, sentences, doing):
            return load(snapshot, sentences, doing)[0], gated(votes)

        with library_desk(tmp_path / "home", load=slow) as desk:
            yield desk

    with gated_desk() as desk:
        path = made(desk)
        give(desk, path, NAME, SAID.encode())
        give(desk, path, "kept.txt", KEPT.encode())
        read(desk, path)
        desk.settled(asked(desk, path))
        while votes.acquire(blocking=False):
            pass
        claim = asked(desk, path, "The bridge is shut.")
        until(lambda: desk.app.queue.progress(2))
        until(lambda: "Zebulon" in desk.get(claim).body)
        send(desk, path, "remove", name=NAME, asked="yes", checks="yes")
        after_reading(desk, path)
        votes.release(100)
        assert GONE in desk.settled(claim)
        assert holding(desk) == []
        assert KEPT in desk.ask_again(claim)


def test_names_and_addresses_tell_whose_pieces_a_verdict_has(desk, path):
    database, key = desk.app.database, path.rpartition("/")[2]
    desk.settled(asked(desk, path))
    for name in (NAME, "kept.txt"):
        assert quotations.find(database, key, name, ())["checks"] == {1: "check-1"}
    for name in ("whistle", "histle.txt", "%", "_histle.txt", '"'):
        assert quotations.find(database, key, name, ())["checks"] == {}
    assert quotations.find(database, "another", NAME, ())["checks"] == {}
