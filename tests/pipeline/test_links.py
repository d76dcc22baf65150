"""A folder from somebody else, with links under the names of all files that are written there:
whatever a command says, no file of the user is emptied, changed or deleted."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.corpora import follow, read_here, write_documents
from tests.support.documents import HereReader
from tests.support.doubles import load_nltk_data
from tests.support.small_run import run_all
from uhhrag.archive import updating
from uhhrag.backends.sqlite_cache import REPLIES, SqliteCache
from uhhrag.errors import UhhragError
from uhhrag.serve.database import FILE, open_database

MINE = b"mine"


def _predict(room: Path) -> None:
    list(run_all(room / "work"))


def _report(room: Path) -> None:
    list(run_all(room / "work"))
    call("report", room / "work")


def _serve(room: Path) -> None:
    (room / "work").mkdir(exist_ok=True)
    with open_database(room / "work" / FILE) as desk:
        desk.secret()


def _corpus(room: Path) -> None:
    follow(room / "work", write_documents(room / "docs"))


def _replies(room: Path) -> None:
    (room / "work").mkdir(exist_ok=True)
    SqliteCache(room / "work" / "replies.sqlite", REPLIES).put({b"k" * 32: b"v"})


COMMANDS: dict[str, Callable[[Path], None]] = {
    "predict": _predict,
    "report": _report,
    "serve": _serve,
    "corpus": _corpus,
    "replies": _replies,
}


@pytest.fixture(autouse=True)
def here(monkeypatch):
    load_nltk_data()
    read_here(monkeypatch)
    monkeypatch.setattr(updating, "ReadingProcess", HereReader)


def _names(work: Path) -> Iterator[Path]:
    """The paths in a work folder of which a stranger can make links, with those of drafts, locks
    and journals that stand there only for a while."""
    for path in sorted(work.rglob("*")):
        name = path.relative_to(work)
        yield name
        if path.is_file():
            for hidden in (f".{name.name}.part", f".{name.name}.old", f".{name.name}.lock"):
                yield name.with_name(hidden)
            yield name.with_name(f"{name.name}-journal")


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("content", [MINE, b""], ids=["full", "empty"])
def test_no_command_writes_through_a_link(tmp_path, command, content):
    (tmp_path / "first").mkdir()
    COMMANDS[command](tmp_path / "first")
    names = list(_names(tmp_path / "first" / "work"))
    assert len(names) >= 3
    for number, name in enumerate(names):
        room, precious = tmp_path / str(number), tmp_path / f"precious-{number}.txt"
        link = room / "work" / name
        link.parent.mkdir(parents=True)
        precious.write_bytes(content)
        os.chmod(precious, 0o644)  # noqa: PTH101
        link.symlink_to(precious)
        with contextlib.suppress(UhhragError, OSError):
            COMMANDS[command](room)
        assert precious.read_bytes() == content, name
        assert precious.stat().st_mode & 0o777 == 0o644, name


def test_a_corpus_deletes_nothing_in_a_linked_folder(tmp_path):
    _corpus(tmp_path)
    work = tmp_path / "work"
    folders = [path for path in work.iterdir() if path.is_dir()]
    assert len(folders) >= 4
    for folder in folders:
        mine = tmp_path / f"mine-{folder.name}"
        mine.mkdir()
        (mine / "precious.txt").write_bytes(MINE)
        kept = folder.rename(tmp_path / folder.name)
        folder.symlink_to(mine)
        with pytest.raises(UhhragError, match=f"{folder.name} is a link; delete the link"):
            follow(work, tmp_path / "docs")
        assert [path.name for path in mine.iterdir()] == ["precious.txt"]
        folder.unlink()
        kept.rename(folder)


def test_a_journal_that_names_another_file_is_not_rolled_back(tmp_path):
    """SQLite deletes the file that such a journal names."""
    with open_database(tmp_path / FILE):
        pass
    magic = bytes.fromhex("d9d505f920a163d7")
    journal = tmp_path / f"{FILE}-journal"
    journal.write_bytes(magic + b"\0" * 500 + b"/tmp/precious" + magic)
    with (
        pytest.raises(UhhragError, match="is of several databases"),
        open_database(tmp_path / FILE),
    ):
        pass
    assert journal.exists()
