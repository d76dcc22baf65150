"""A bad day: full disks, panics, and visitors who send half of what they should."""

from __future__ import annotations

import contextlib
import socket
import sqlite3
import threading
import time
from http.client import HTTPConnection

import pytest

from tests.serve.test_access import TOKEN
from tests.support.serving import TARGET, desk_of, fields, spoken
from tests.support.small_run import METHOD, corpus_for
from tests.support.waiting import until
from uhhrag.errors import RunError
from uhhrag.serve import server
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.targets import Target

pytestmark = pytest.mark.slow

CLAIM = "The bridge at Varnby is open."


class Panic(BaseException):
    """What a library in Rust raises is no Exception."""


def broken(error: BaseException):
    """What opens a target the first time fails with `error`, afterwards not."""
    left = [error]

    def opened(_):
        if left:
            raise left.pop()
        return corpus_for, METHOD

    return {TARGET: Target("The folder", opened)}


@pytest.mark.parametrize("error", [ValueError("x"), MemoryError(), Panic("p"), SystemExit(3)])
def test_one_check_ends_and_the_next_goes_on(tmp_path, error):
    with desk_of(tmp_path, run=False, targets=broken(error)) as desk:
        first, second = desk.ask(CLAIM), desk.ask("The bridge is shut.")
        assert "No verdict" in desk.settled(first)
        assert "No verdict" not in desk.settled(second)


def test_what_waits_goes_on_when_there_is_room_again(disk):
    with desk_of(disk.folder / "desk", run=False) as desk:
        desk.settled(desk.ask(CLAIM))
        settle, tried = desk.app.database.save_outcome, threading.Event()

        def fills_up(number, record, last):
            tried.set()
            settle(number, {**record, "seconds": {"x" * 3_000_000: 1.0}})

        desk.app.database.save_outcome = fills_up
        disk.fill(leaving=600_000)
        paths = [desk.ask(CLAIM), desk.ask("The bridge is shut.")]
        assert tried.wait(30)
        until(lambda: "Waiting, cannot be saved" in desk.get(paths[0]).body)
        assert "data-watch" in desk.get(paths[1]).body
        desk.app.database.save_outcome = settle
        (disk.folder / "others").unlink()
        for path in paths:
            assert "No verdict" not in desk.settled(path)


def test_asking_on_a_full_disk_is_answered_in_words(disk):
    with desk_of(disk.folder / "desk", run=False) as desk:
        form = {**fields(desk.get("/").body), "claim": CLAIM * 150, "target": TARGET}
        disk.fill(leaving=0)
        answers = [desk.post("/checks", form) for _ in range(3)]
        assert {answer.status for answer in answers} == {507}
        assert "Make room, then try again" in answers[-1].body
        assert desk.get("/").status == 200


def test_only_a_full_disk_is_called_full(tmp_path):
    def damaged(key):
        raise sqlite3.DatabaseError("an entry is damaged (carefully)")

    with desk_of(tmp_path, run=False) as desk:
        desk.app.database.check = damaged
        said = desk.get("/claims/check-1").body
        assert "damaged (carefully). Nothing was changed." in said


STRANGE = {
    "trigger": "CREATE TRIGGER t AFTER INSERT ON asked BEGIN "
    "UPDATE asked SET claim = 'The moon is made of cheese.'; END",
    "view": "CREATE VIEW v AS SELECT * FROM asked",
    "table": "CREATE TABLE t (a)",
    "index": "CREATE UNIQUE INDEX i ON reviews (key)",
    "column": "ALTER TABLE asked ADD COLUMN more TEXT DEFAULT 'x'",
}


@pytest.mark.parametrize("statement", STRANGE.values(), ids=STRANGE)
def test_a_desk_with_anything_of_somebody_elses_is_refused(tmp_path, statement):
    with open_database(tmp_path / FILE):
        pass
    connection = sqlite3.connect(tmp_path / FILE)
    with connection:
        connection.execute(statement)
    connection.close()
    with pytest.raises(RunError, match="that is not of a desk"), open_database(tmp_path / FILE):
        pass


def test_a_table_that_was_made_otherwise_is_refused(tmp_path):
    connection = sqlite3.connect(tmp_path / FILE)
    with connection:
        connection.execute(
            "CREATE TABLE kept (name TEXT PRIMARY KEY, value TEXT NOT NULL CHECK (value <> '1'))"
        )
    connection.close()
    with pytest.raises(RunError, match="that is not of a desk"), open_database(tmp_path / FILE):
        pass


@pytest.mark.parametrize("digits", [10, 30, 5000])
@pytest.mark.parametrize(
    "path",
    ["/drafts/{}", "/drafts/{}/changes", "/claims/check-{}", "/claims/check-1/pieces/{}/sources/1",
     "/claims/check-1/pieces/1/sources/{}", "/claims/check-{}/changes", "/?page={}"],
)  # fmt: skip
def test_a_long_number_is_no_address(still, path, digits):
    assert still.get(path.format("9" * digits)).status in (200, 404)
    assert still.get("/").status == 200


def test_half_sent_requests_shut_nobody_out(tmp_path, monkeypatch):
    monkeypatch.setattr(server, "MAX_CONNECTIONS", 30)
    with desk_of(tmp_path / "run", token=TOKEN) as desk, contextlib.ExitStack() as stack:
        for _ in range(60):
            sender = stack.enter_context(socket.create_connection(("127.0.0.1", desk.port)))
            sender.sendall(b"GET / HTTP/1.1\r\nHost: x")
        for _ in range(5):
            assert spoken(desk.port, "GET", "/enter", None).status == 200


def test_wrong_tokens_wait_and_hold_nobody_up(tmp_path):
    bearer = {"Authorization": "Bearer wrong"}
    with desk_of(tmp_path / "run", token=TOKEN) as desk:
        guesses = [
            threading.Thread(target=spoken, args=(desk.port, "GET", "/", None), kwargs=bearer)
            if number % 2
            else threading.Thread(target=spoken, args=(desk.port, "POST", "/enter", "token=wrong"))
            for number in range(90)
        ]
        begun = time.monotonic()
        for guess in guesses:
            guess.start()
        answer = spoken(desk.port, "GET", "/", None, Authorization=f"Bearer {TOKEN}")
        waited = time.monotonic() - begun
        assert answer.status == 200
        for guess in guesses:
            guess.join()
        assert time.monotonic() - begun >= 1
        assert waited < time.monotonic() - begun
        once = time.monotonic()
        assert spoken(desk.port, "GET", "/", None, **bearer).status == 401
        assert time.monotonic() - once >= 1


def test_two_desks_have_two_cookies(tmp_path):
    names = set()
    for at, token in enumerate((TOKEN, TOKEN[::-1])):
        with desk_of(tmp_path / str(at), token=token) as desk:
            answer = desk.post("/enter", {"token": token})
            names.add(answer.headers["set-cookie"].partition("=")[0])
    assert len(names) == 2


def test_a_kept_connection_answers_at_once(still):
    connection = HTTPConnection("127.0.0.1", still.port, timeout=20)

    def seconds() -> float:
        begun = time.perf_counter()
        connection.request("GET", "/assets/style.css")
        connection.getresponse().read()
        return time.perf_counter() - begun

    until(lambda: seconds() < 0.02)  # 0.04 with Nagle's algorithm and delayed acknowledgements
    connection.close()
