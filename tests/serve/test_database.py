"""What is kept, through kills and beside other processes."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys

import pytest

from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of, fields, spoken
from tests.support.waiting import until
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.errors import RunError
from uhhrag.records import Source
from uhhrag.serve import draft_table
from uhhrag.serve.attached_table import attach
from uhhrag.serve.database import FILE, open_database
from uhhrag.views.review import PieceSide


def test_the_desk_is_readable_by_its_owner_alone(desk, tmp_path):
    desk.review("claim-0", note="confidential")
    mode = stat.S_IMODE((tmp_path / "run" / FILE).stat().st_mode)
    assert mode == 0o600


def test_a_desk_has_one_server(desk, tmp_path):
    with (
        pytest.raises(RunError, match="another uhhrag serve"),
        open_database(tmp_path / "run" / FILE),
    ):
        pass


@pytest.mark.parametrize("content", [b"no database", b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_desk_is_refused_in_one_line(tmp_path, content):
    file = tmp_path / FILE
    file.write_bytes(content)
    with pytest.raises(RunError) as caught, open_database(file):
        pass
    assert "--desk" in str(caught.value)
    assert "\n" not in str(caught.value)
    assert file.read_bytes() == content


def test_a_desk_of_a_later_version_is_left_alone(tmp_path):
    with open_database(tmp_path / FILE) as opened:
        opened._connection.execute("PRAGMA user_version = 99")
    with pytest.raises(RunError, match="later version: 99"), open_database(tmp_path / FILE):
        pass


@pytest.mark.parametrize(
    ("table", "column", "said"),
    [
        ("outcomes", "record", "is damaged; check it again"),
        ("outcome_rows", "row", "The bridge is shut."),  # made anew
        ("reviews", "note", "an entry is damaged"),
        ("attached", "sentence", "an entry is damaged"),
        ("drafts", "draft", "an entry is damaged"),
    ],
)
def test_a_changed_letter_in_what_is_kept_is_found(tmp_path, table, column, said):
    with desk_of(tmp_path / "run") as served:
        served.settled(served.ask("The bridge is shut."))
        served.review("check-1", note="It is shut: I was there.")
        database = served.app.database
        attach(database, "check-1", PieceSide.SUPPORTS, "It was shut in May.", Source("file:a.txt"))
        draft_table.add(database, Draft("a.txt", (DraftSentence("It is shut.", 0),)), TARGET)
        with database.transaction() as run:
            run(f"UPDATE {table} SET {column} = replace({column}, 'shut', 'shot')")  # noqa: S608
    with desk_of(tmp_path / "run") as served:
        shown = "".join(served.get(path).body for path in ("/", "/claims/check-1", "/drafts/1"))
    assert said in shown
    assert "shot" not in shown


def test_what_is_removed_leaves_the_file(desk, tmp_path):
    path = desk.ask("Nobody may read of Zzyzx.")
    form = fields(desk.settled(path))
    file = tmp_path / "run" / FILE
    assert b"Zzyzx" in file.read_bytes()
    assert desk.post(f"{path}/remove", form).status == 303
    assert b"Zzyzx" not in file.read_bytes()


@pytest.mark.slow
def test_killed_in_the_middle_nothing_that_was_said_is_lost(tmp_path):
    """Reviews that were answered and claims that were asked outlive a kill; the claim that was
    being checked is checked by the next server."""
    command = [sys.executable, "-m", "tests.support.serving", str(tmp_path / "run")]
    started = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        port = int(started.stdout.readline())

        def get(path):
            return spoken(port, "GET", path, None).body

        def post(path, form):
            from urllib.parse import urlencode

            return spoken(port, "POST", path, urlencode(form)).status

        for number in range(3):
            chosen = {"label": "Refuted", "reviewer": "Ada", "note": f"note {number}"}
            form = {**fields(get("/claims/claim-0")), **chosen}
            assert post("/claims/claim-0/review", form) == 303
        asked = {**fields(get("/")), "claim": "The bridge is shut.", "target": TARGET}
        assert post("/checks", asked) == 303
        until(lambda: "1 vote is cast" in Page(get("/claims/check-1")).text())
    finally:
        os.kill(started.pid, signal.SIGKILL)
        started.wait()
    with desk_of(tmp_path / "run") as served:
        assert "note 2" in served.get("/claims/claim-0").body
        assert "Your review" in served.settled("/claims/check-1")
        kept = served.app.database._connection.execute("SELECT count(*) FROM reviews").fetchone()
        assert kept == (3,)
