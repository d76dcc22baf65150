"""What is kept, through kills and beside other processes."""

from __future__ import annotations

import os
import signal
import sqlite3
import stat
import subprocess
import sys

import pytest

from tests.support.command import call
from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of, fields, spoken
from tests.support.small_run import run_all
from tests.support.waiting import until
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.errors import RunError
from uhhrag.records import Claim, Label, Source
from uhhrag.serve import draft_table
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.desk_file import check_desk
from uhhrag.serve.sealing import SEALED
from uhhrag.system.checksummed_json import digest
from uhhrag.views.review import PieceSide, Review

pytestmark = pytest.mark.slow


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
        ("asked", "claim", "What was kept of this claim is damaged; remove it"),
        ("asked", "at", "What was kept of this claim is damaged; remove it"),
        ("outcomes", "record", "is damaged; check it again"),
        ("outcomes", "at", "is damaged; check it again"),
        ("outcome_rows", "row", "The bridge is shut."),  # made anew
        ("earlier_outcomes", "at", "is damaged; check it again"),
        ("earlier_outcomes", "record", "is damaged; check it again"),
        (
            "reviews",
            "note",
            "cannot be used: an entry is damaged (review 1: the checksum ",
        ),
        ("attached", "sentence", "an entry is damaged (attached sentence 1: "),
        ("drafts", "draft", "an entry is damaged (draft 1: "),
        ("drafts", "at", "an entry is damaged (draft 1: "),
        ("draft_rows", "title", "Is it shut?"),  # made anew
        ("draft_checks", "number", "an entry is damaged (checked sentence 1: "),
    ],
)
def test_a_changed_letter_in_what_is_kept_is_found(tmp_path, table, column, said):
    with desk_of(tmp_path / "run") as served:
        served.settled(served.ask("The bridge is shut."))
        served.ask_again("/claims/check-1")
        served.review("check-1", note="It is shut: I was there.")
        database = served.app.database
        database.attach(
            "check-1", PieceSide.SUPPORTS, "It was shut in May.", Source("file:a.txt"), "Ada"
        )
        draft = Draft("a.txt", (DraftSentence("It is shut.", 0),), "Is it shut?")
        one = draft_table.find(database, draft_table.add(database, draft, TARGET))
        draft_table.ask(database, one, [0], {})
        changed = f"replace(replace({column}, 'shut', 'shot'), '-', 'shot')"
        changed = "1" if column == "number" else changed
        with database.transaction() as run:
            run(f"UPDATE {table} SET {column} = {changed}")  # noqa: S608
    found = " ".join(one.fault for one in check_desk(tmp_path / "run" / FILE))
    assert f"{SEALED[table].entry} 1: the checksum does not match" in found
    with desk_of(tmp_path / "run") as served:
        shown = "".join(served.get(path).body for path in ("/", "/claims/check-1", "/drafts/1"))
    assert said in shown
    assert "shot" not in shown


def test_a_damaged_claim_that_waits_ends_in_words_and_holds_up_no_other(tmp_path):
    with open_database(tmp_path / FILE) as desk:
        for text in ("The bridge is shut.", "The ferry sails."):
            desk.ask(Claim(0, text), TARGET)
        with desk.transaction() as run:
            run("UPDATE asked SET claim = 'The bridge is shot.' WHERE number = 1")
    with desk_of(tmp_path, run=False) as served:
        damaged = Page(served.settled("/claims/check-1")).text()
        assert "No verdict. What was kept of this claim is damaged; remove it" in damaged
        assert "Check it again" not in damaged
        assert "No verdict" not in served.settled("/claims/check-2")
        assert "shot" not in served.get("/").body + damaged


def test_a_desk_of_an_earlier_version_is_sealed_once(tmp_path):
    with open_database(tmp_path / FILE) as desk:
        desk.ask(Claim(0, "The bridge is shut."), TARGET)
        with desk.transaction() as run:
            run("UPDATE asked SET seal = ''")
    connection = sqlite3.connect(tmp_path / FILE)
    connection.execute("PRAGMA user_version = 7")
    connection.close()
    with open_database(tmp_path / FILE) as desk:
        assert not desk.asked()[0].fault
        with desk.transaction() as run:
            run("UPDATE asked SET seal = ''")
    with open_database(tmp_path / FILE) as desk:
        assert desk.asked()[0].fault


def test_a_desk_of_the_format_before_opens_with_its_seals_and_what_is_on_it(tmp_path):
    file, source = tmp_path / FILE, Source("file:a.txt")
    with open_database(file) as desk:
        desk.review_after(0, Review(Label.REFUTED, note="old", reviewer="Ada"), "check-1")
        desk.attach("check-1", PieceSide.SUPPORTS, "It is shut.", source, "")
    connection = sqlite3.connect(file)
    later = {"reviews": ("actor", "acted"), "attached": ("reviewer",)}
    with connection:
        for table, names in later.items():
            columns = [one for one in SEALED[table].columns if one not in names]
            row = connection.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchone()  # noqa: S608
            connection.execute(f"UPDATE {table} SET seal = ?", (digest(row),))  # noqa: S608
            for name in names:
                connection.execute(f"ALTER TABLE {table} DROP COLUMN {name}")
        connection.execute("PRAGMA user_version = 8")
    connection.close()
    for _ in range(2):
        with open_database(file) as desk:
            assert desk.reviews()["check-1"].note == "old"
            (piece,) = desk.attached()["check-1"]
            assert (piece.sentence, piece.reviewer) == ("It is shut.", "")
    assert not any(one.fault for one in check_desk(file))
    with open_database(file) as desk, desk.transaction() as run:
        run("UPDATE reviews SET actor = 'Bo'")
        run("UPDATE attached SET reviewer = 'Bo'")
    assert [one.fault.partition(":")[0] for one in check_desk(file) if one.fault] == [
        *("review 1", "attached sentence 1")
    ]


def test_check_files_checks_every_entry_of_a_desk_and_names_the_damaged(tmp_path):
    run, file = tmp_path / "run", tmp_path / "run" / FILE
    list(run_all(run))
    with open_database(file) as desk:
        for text in ("The bridge is shut.", "The ferry sails."):
            desk.ask(Claim(0, text), TARGET)
        assert "uhhrag serve has it open" in call("check-files", run)[2]
    code, said, _ = call("check-files", run)
    assert (code, "3 entries checked, the desk is sound" in said) == (0, True)
    assert "the run is sound" in said
    alone = tmp_path / "work"
    alone.mkdir()
    file.rename(alone / FILE)
    assert call("check-files", alone)[0] == call("check-files", alone / FILE)[0] == 0
    connection = sqlite3.connect(alone / FILE)
    with connection:
        connection.execute("UPDATE asked SET date = '2020-10-31' WHERE number = 2")
    connection.close()
    code, said, why = call("check-files", alone)
    assert (code, said) == (7, f"{alone / FILE}: claim 2: the checksum does not match\n")
    assert "1 of 3 entries damaged; put a copy of the file in its place" in why
    (alone / FILE).write_bytes(b"no desk")
    assert "cannot be used as a desk" in call("check-files", alone)[2]


def test_what_is_removed_leaves_the_file(desk, tmp_path):
    path = desk.ask("Nobody may read of Zzyzx.")
    form = fields(desk.settled(path))
    file = tmp_path / "run" / FILE
    assert b"Zzyzx" in file.read_bytes()
    desk.review("check-1", note="A note on Zzyzx.")
    source = Source("file:a.txt")
    desk.app.database.attach("check-1", PieceSide.SUPPORTS, "A sentence on Zzyzx.", source, "Ada")
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
