"""`uhhrag ingest` on the command line: what it prints and how it ends."""

from __future__ import annotations

import os

import pytest

from tests.support.command import call
from tests.support.documents import HereReader, write_html, write_pdf, write_scan
from tests.support.doubles import load_nltk_data
from uhhrag.archive import updating


@pytest.fixture(autouse=True)
def here(monkeypatch) -> None:
    load_nltk_data()
    monkeypatch.setattr(updating, "ReadingProcess", HereReader)


def test_it_says_what_was_read_and_where_it_is(tmp_path):
    (tmp_path / "docs").mkdir()
    write_html(tmp_path / "docs" / "a.html")
    write_pdf(tmp_path / "docs" / "b.pdf", [["One. Two."]])
    out = tmp_path / "corpus"
    code, said, _ = call("ingest", tmp_path / "docs", "--out", out, "--no-vectors")
    assert code == 0
    assert said.startswith("2 files (2 read): 2 documents, 6 sentences in ")
    (tmp_path / "docs" / "c.txt").write_text("Three.")
    _, said, _ = call("ingest", tmp_path / "docs", "--out", out, "--no-vectors")
    assert said.startswith("3 files (2 kept, 1 read): 3 documents, 7 sentences in ")


def test_each_document_that_cannot_be_read_has_a_line_and_the_exit_code_says_so(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("One.")
    (tmp_path / "docs" / "a\x1b[31m.docx").write_text("x")
    write_scan(tmp_path / "docs" / "s.pdf")
    (tmp_path / "docs" / "data.dat").write_text("x")
    out = tmp_path / "corpus"
    code, _, complaints = call("ingest", tmp_path / "docs", "--out", out, "--no-vectors")
    assert code == 9
    lines = complaints.splitlines()
    assert "a\N{REPLACEMENT CHARACTER}[31m.docx: is text; rename it .txt" in lines
    assert "1 file of other kinds left out: 1 .dat" in lines
    assert lines[-1].startswith("uhhrag: 2 of the documents or folders could not be read")
    assert "\x1b" not in complaints


@pytest.mark.parametrize(
    ("folder", "code", "said"),
    [("none", 3, "none: no such folder"), ("file.txt", 3, "file.txt: is a file; give the folder")],
)
def test_what_is_no_folder_is_said_in_one_line(tmp_path, folder, code, said):
    (tmp_path / "file.txt").write_text("One.")
    ended, _, complaints = call(
        "ingest", tmp_path / folder, "--out", tmp_path / "s", "--no-vectors"
    )
    assert ended == code
    assert said in complaints
    assert complaints.count("\n") == 1


def test_a_pipe_in_the_place_of_the_corpus_is_refused_and_not_waited_for(tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("One.")
    os.mkfifo(tmp_path / "s")
    ended, _, said = call("ingest", tmp_path / "docs", "--out", tmp_path / "s", "--no-vectors")
    assert ended == 2
    assert said.endswith("s: is a file; give a folder for an archive\n")
