"""The text of a removed file leaves the disk: the archive, and what checks keep beside it."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from tests.cli.test_check import CLAIM, check, docs, models
from tests.support.command import call
from uhhrag.system import locks

pytestmark = pytest.mark.slow
FIXTURES = (check, docs, models)

OTHER = "Snow fell on Amber Hill."


@pytest.fixture
def work(check, docs):
    """What a check of each file left, with one piece of evidence."""
    for claim in (OTHER, CLAIM):
        assert check(claim, "--top-n", 1)[0] == 0
    return docs.with_name("docs.uhhrag")


def holding(work, words=b"Amber Hill"):
    files = (file for file in work.rglob("*") if file.is_file())
    return {file.relative_to(work).parts[0] for file in files if words in file.read_bytes()}


def vectors(work):
    with closing(sqlite3.connect(work / "vectors.sqlite")) as kept:
        return [row for (row,) in kept.execute("SELECT row FROM vectors")]


def run_of(work, words):
    (run,) = (one.parent for one in work.glob("runs/*/trace.jsonl") if words in one.read_bytes())
    return run


def test_removing_says_what_still_has_the_text_and_compacting_drops_vectors(work):
    run, kept = run_of(work, b"Amber Hill in July"), run_of(work, b"harbour of Varnby was dredged.")
    archive, made = work / "archive", vectors(work)
    compact = f"uhhrag archive compact {archive}"
    assert len(made) > 3
    assert call("archive", "remove", archive, "note.txt") == (
        0,
        "1 file removed: 1 document\n"
        f"the text is on the disk until you run: {compact}\n"
        f"to delete what quotes files that it has no more, run: {compact} --delete-runs\n"
        f"{run}\n",
        "",
    )
    assert holding(work) >= {"archive", "runs"}
    code, said, _ = call("archive", "compact", archive)
    assert (code, said.splitlines()[-1]) == (0, str(run))
    assert holding(work) == {"runs"}
    assert vectors(work) == []
    every = [one.read_bytes() for one in work.glob("*.sqlite*")]
    assert not any(row in content for row in made for content in every)

    code, said, _ = call("archive", "compact", archive, "--delete-runs")
    assert (code, said.splitlines()[1:]) == (0, [f"deleted: {run}"])
    assert holding(work) == set()
    assert not run.exists()
    assert (kept / "predictions.json").exists()


def test_runs_that_quote_a_file_which_left_its_folder_are_told_too(work, docs):
    (docs / "note.txt").unlink()
    archive = work / "archive"
    assert call("archive", "update", archive)[0] == 0
    assert call("archive", "compact", archive, "--delete-runs")[0] == 0
    assert holding(work) == set()


def test_a_run_at_work_is_not_deleted(work):
    run, archive = run_of(work, b"Amber Hill in July"), work / "archive"
    call("archive", "remove", archive, "note.txt")
    with locks.only_process(run / locks.NAME):
        code, _, told = call("archive", "compact", archive, "--delete-runs")
    assert (code, f"another process is working in {run}; wait for it" in told) == (7, True)
    assert (run / "trace.jsonl").exists()


def test_runs_of_an_archive_that_was_ingested_stand_in_its_own_folder(check, docs, tmp_path):
    archive = tmp_path / "corpus"
    assert call("ingest", docs, "--out", archive, "--no-vectors")[0] == 0
    (tmp_path / "vectors.sqlite").write_bytes(b"not of uhhrag")
    assert check(OTHER, "--docs", archive, "--top-n", 1)[0] == 0
    work = tmp_path / "corpus.uhhrag"
    assert "runs" in holding(work)
    call("archive", "remove", archive, "note.txt")
    assert call("archive", "compact", archive, "--delete-runs")[0] == 0
    assert holding(tmp_path) == {"docs"}
    assert vectors(work) == []
    assert (tmp_path / "vectors.sqlite").read_bytes() == b"not of uhhrag"
