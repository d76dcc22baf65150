"""Every mistake of the table has its exit code and one line: what, where, what to do."""

from __future__ import annotations

import contextlib
import subprocess
import sys

import pytest
import typer

from tests.mistakes import MISTAKES
from tests.mistakes.mistake import Mistake
from tests.mistakes.page import PAGE, TABLE, row, rows_of, table
from tests.mistakes.room import furnish, make, said, stand_ins
from tests.support.doubles import bytes_of
from uhhrag.cli import app

pytestmark = pytest.mark.slow

ROWS = dict(
    zip(
        MISTAKES,
        rows_of(TABLE),
        strict=False,  # a table that is too short or too long fails a test of its own
    )
)
# A claim or document that fails is told as it fails, and the others are done before the last line.
OF_SOME = (8, 9)
SPOILT = {"index/claims/1/vectors.faiss", "index/manifest.json", "run/trace.jsonl", "run/run.json"}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory):
    room = tmp_path_factory.mktemp("mistakes") / "furnished"
    room.mkdir()
    with stand_ins(), contextlib.chdir(room):
        furnish(room)
    return room


@pytest.fixture(scope="module")
def before(furnished):
    return bytes_of(furnished)


@pytest.fixture
def made(furnished, before, tmp_path):
    """Make a mistake: exit code, output, errors, and what files it changed."""

    def run(mistake: Mistake):
        room = tmp_path / "room"
        with stand_ins():
            code, out, err = make(mistake, furnished, room)
        changed = {name for name, found in bytes_of(room).items() if before.get(name) != found}
        return code, out, err, changed

    return run


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.what)
def test_a_mistake_is_told_as_the_table_says_and_changes_nothing(made, mistake):
    code, out, err, changed = made(mistake)
    assert code == mistake.code
    assert row(mistake, code, err) == ROWS[mistake]
    assert mistake.do in err
    assert "Traceback" not in err
    if code not in OF_SOME:
        assert out == "" or mistake.command.startswith("uhhrag check-files")
        assert err.startswith("uhhrag: ")
        assert err.count("\n") == 1
        assert {name for name in changed if not name.endswith(".lock")} <= SPOILT


def test_the_table_has_a_row_for_each_mistake():
    assert TABLE.read_text(encoding="utf-8") == table(list(ROWS.values()))
    assert len(rows_of(TABLE)) == len(ROWS) == len(MISTAKES) > 100
    assert {mistake.code for mistake in MISTAKES} == set(range(2, 10))


def test_the_examples_of_the_page_are_rows_of_the_table_with_every_exit_code():
    examples = [line for line in rows_of(PAGE) if line.startswith("|")]
    assert len(examples) >= 8
    assert set(examples) <= set(ROWS.values())
    codes = {int(example.split(" | ")[2]) for example in examples}
    assert codes == {mistake.code for mistake in MISTAKES}


def test_every_command_has_mistakes():
    tried = {mistake.command.split()[1] for mistake in MISTAKES}
    known = typer.main.get_command(app).commands
    commands = {name for name, command in known.items() if not command.hidden}  # no old names
    assert commands - tried <= {"doctor"}  # which takes nothing that could be wrong


@pytest.mark.parametrize("command", ["index nowhere", "predict --top-n many"])
def test_debug_shows_the_traceback(tmp_path, command, capsys):
    with stand_ins(), pytest.raises(Exception, match=r"nowhere|many|integer") as caught:
        said(f"uhhrag --debug {command}")
    assert caught.traceback[-1].path.name.endswith(".py")


def test_debug_shows_the_traceback_in_a_process_of_its_own():
    command = [sys.executable, "-m", "uhhrag", "--debug", "index", "nowhere"]
    shown = subprocess.run(command, capture_output=True, text=True, check=False).stderr
    assert "Traceback (most recent call last)" in shown
    assert "InputError: nowhere: no such folder" in shown
