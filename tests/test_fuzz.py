"""The short form of scripts/fuzz: every reader, some inputs, no fault and nothing read outside.

Whatever scripts/fuzz found once stands in the tests of the module it was found in."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.campaign import try_out
from tests.fuzz.guard import Trespass, only_inside
from tests.fuzz.readers import READERS


@pytest.mark.parametrize("name", READERS)
def test_a_reader_raises_nothing_but_our_errors_and_reads_only_its_input(name):
    reader = READERS[name]
    tally = try_out(reader, 30, 1)
    assert tally.faults == {}
    assert tally.inputs >= 30


@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_every_good_input_there_is(name, tmp_path):
    """Otherwise all the hostile ones could be refused for one and the same reason."""
    reader = READERS[name]
    for number, seed in enumerate(reader.seeds):
        folder = tmp_path / str(number)
        folder.mkdir()
        reader.prepare(folder)
        (folder / reader.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / reader.file).write_bytes(reader.seal(seed))
        reader.read(folder)


def test_a_reader_that_looks_elsewhere_is_seen(tmp_path):
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret").write_text("x")
    (inside / "link").symlink_to(tmp_path / "secret")
    with only_inside(inside):
        (inside / "mine").write_text("x")
    for trespass in (
        lambda: (inside / ".." / "secret").read_text(),
        lambda: (inside / "link").read_text(),
        lambda: os.listdir(tmp_path),
        lambda: (tmp_path / "secret").unlink(),
        lambda: subprocess.run([sys.executable, "-c", ""], check=True),
        lambda: socket.socketpair(),
    ):
        with pytest.raises(Trespass), only_inside(inside):
            trespass()


def test_every_module_that_reads_files_is_among_the_readers():
    """A module that opens or parses something has a reader here, or a reason not to."""
    package = Path(__file__).resolve().parents[1] / "uhhrag"
    reading = ("read_bytes(", "read_text(", "open(", "loads(", "read_json(", "read_table(")
    found = {
        file.relative_to(package).as_posix()
        for file in package.rglob("*.py")
        if any(call in file.read_text(encoding="utf-8") for call in reading)
    }
    assert found - set(COVERED) - set(NOT_READERS) == set()
    assert set(COVERED) <= found


COVERED = (
    "store.py",
    "files.py",
    "submission.py",
)
NOT_READERS: dict[str, str] = {}
