"""Lines of the answer: how a source and a vote are said."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.manifest import ArchiveCounts, is_archive
from uhhrag.documents.changed import FileOutcome, FileState, require_documents
from uhhrag.documents.listing import list_documents
from uhhrag.errors import InputError
from uhhrag.records import Evidence, Source
from uhhrag.views.answer import (
    _marked,
    _shown,
    _vote_text,
    piece_of,
    show_answer,
    source_fields,
    source_line,
)
from uhhrag.views.searched import documents_in, documents_of, unread_notes


def test_a_line_names_the_file_or_address_and_all_that_is_known_of_it():
    scan = Source("file:a%20b.pdf", "T", file="a%20b.pdf", section="H", ocr=87, site="S", number=4)
    assert source_line(source_fields(scan)) == (
        "a b.pdf, page 4, under “H” · read by OCR, 87 % sure · T · S"
    )
    about = {"title": "T", "site": "S", "author": "A", "date": "2020-10-31", "dated_by": "url"}
    web = Source("https://a.example", file="c%20d.html", **about)
    assert source_line(source_fields(web)) == (
        "https://a.example · in c d.html · T · S · A · 31 October 2020 by its address"
    )


def test_the_name_of_a_sheet_is_told_once():
    row = Source("file:a.xlsx#Costs", "Costs", number=4, unit="sheet Costs, row")
    assert source_line(source_fields(row)) == "a.xlsx, sheet Costs, row 4"
    named = Source("file:a.pdf", "Costs", number=4)
    assert source_line(source_fields(named)) == "a.pdf, page 4 · Costs"


def test_a_search_dates_a_source_as_a_check_does():
    address = source_fields(Source("https://a.example/2020/09/27/x"))
    assert (address["date"], address["dated_by"]) == ("2020-09-27", "url")
    stated = source_fields(Source("file:a.md", date="2020-03-04"))
    assert (stated["date"], stated["dated_by"]) == ("2020-03-04", "record")


def test_a_file_has_one_name_in_json_and_on_a_line():
    odd = Source("file:%C3%BCber/50%25%20a%23.txt#2", file="%C3%BCber/50%25%20a%23.txt")
    assert source_fields(odd)["file"] == "über/50% a#.txt"
    named = Source("https://a.example", file="50%2525.txt")
    assert source_line(source_fields(named)) == "https://a.example · in 50%25.txt"
    row = source_fields(Source(odd.url, file=odd.file, unit="sheet 2, row", number=4))
    assert source_line(row) == "über/50% a#.txt, sheet 2, row 4"
    packed = source_fields(Source("file:a.zip#b/c.csv", file="a.zip", unit="row", number=4))
    assert source_line(packed) == "a.zip#b/c.csv, row 4"


def test_a_vote_that_says_nothing_is_told_from_quoted_words():
    vote = {"label": "Not Enough Evidence", "says_nothing": True, "probability": 0.99}
    vote["before_calibration"] = None
    assert _vote_text(vote, "") == "Says nothing 0.99"
    assert _vote_text(vote, "quoted") == "No side: quoted words"
    vote |= {"label": "Refuted", "probability": 0.55}
    assert _vote_text(vote, "quoted") == "Says nothing, leans refuted 0.55"
    before = {"label": "Supported", "probability": 0.6}
    vote |= {"says_nothing": False, "before_calibration": before}
    assert _vote_text(vote, "") == "Leans refuted 0.55 (Supported 0.60 uncalibrated)"
    vote |= {"probability": 0.6, "before_calibration": None}
    assert _vote_text(vote, "") == "Refuted 0.60"
    assert _vote_text(vote | {"probability": None}, "") == "Refuted"


def test_a_claim_is_told_with_who_made_it_and_when():
    about = {"claim": "It sank.", "date": "2020-10-31", "speaker": "Ada Lie", "error": "no model"}
    assert show_answer(about, 2).splitlines() == [
        "Claim 2: It sank. (Ada Lie, 31 October 2020)",
        "  no verdict: no model",
    ]


def test_a_line_says_that_a_piece_has_words_of_the_claim():
    said, claim = "“He told me to go”, she says.", "“He told me to go”, one nurse says."
    piece = {"vote": None, "sentence": said, "text": said, "context": said, "similarity": 0.5}
    piece |= {"repeats_claim": False, "speaks_to_machine": False, "sources": []}
    line = "  1. similarity 0.50 · has the words that the claim quotes"
    assert _shown(1, piece, claim, asked=False)[0] == line
    assert _shown(1, piece, "He told her to go.", asked=False)[0] == "  1. similarity 0.50"
    repeated = _shown(1, piece | {"repeats_claim": True}, claim, asked=False)[0]
    assert repeated == "  1. similarity 0.50 · repeats the claim"


def test_a_sentence_that_stands_twice_is_marked_at_its_own_place():
    item = Evidence("", "In May: No. In June: No.", context="In May:\nNo.\nIn June:\nNo.")
    piece = piece_of(replace(item, sentence="No.", at=21), "It sank.", None)
    assert _marked(piece) == "In May:\nNo.\nIn June:\n«No.»"
    assert "at" not in piece_of(replace(item, sentence="No."), "It sank.", None)


def test_in_a_list_what_says_nothing_is_a_line_with_its_place():
    vote = {"label": "Not Enough Evidence", "says_nothing": True, "probability": 0.99}
    vote["before_calibration"] = None
    row = source_fields(Source("file:a.xlsx#Costs", number=4, unit="sheet Costs, row"))
    piece = {"vote": vote, "sentence": "Libraries: 9", "text": "Libraries: 9", "context": ""}
    piece |= {"similarity": 0.5, "question": "Q", "sources": [row]}
    piece |= {"repeats_claim": False, "speaks_to_machine": False}
    sided = piece | {"vote": vote | {"label": "Refuted", "says_nothing": False}}
    line = "Says nothing 0.99 · a.xlsx, sheet Costs, row 4"
    answer = {"claim": "It sank.", "given_id": "Q7", "summary": "Refuted.", "not_found": []}
    answer |= {"signature": "|questions:template|", "evidence": [piece, piece, sided, piece]}
    answer["documents"] = {"files": 1, "documents": 1, "sentences": 1, "unread": {}, "left_out": 0}
    assert show_answer(answer, 3).splitlines() == [
        *("Claim 3 (Q7): It sank.", "", "Refuted.", "", f"  1. {line}", f"  2. {line}", ""),
        *("  3. Refuted 0.99 · similarity 0.50", "     Libraries: 9"),
        *("     a.xlsx, sheet Costs, row 4", "", f"  4. {line}"),
    ]
    assert show_answer(answer).count("Libraries: 9") == 4
    even = piece | {"vote": vote | {"probability": 0.55}}
    assert "Libraries: 9" in show_answer(answer | {"evidence": [even]}, 3)


def test_a_locked_folder_is_no_file(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.")
    survey = replace(list_documents(tmp_path), closed=(("my%20own", "Permission denied"),))
    about = documents_of(survey, (), ArchiveCounts(), ())
    assert about.unread == {"my own/": "Permission denied"}
    assert unread_notes(about) == ["1 of the files and folders could not be read: my own/"]


def test_a_scan_is_not_also_counted_as_left_out(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.")
    scan = FileOutcome("b.png", FileState.LEFT_OUT, scans=1)
    removed = FileOutcome("a.txt", FileState.LEFT_OUT)
    about = documents_of(list_documents(tmp_path), (scan, removed), ArchiveCounts(), ())
    assert (about.scans, about.left_out) == ({"b.png": 1}, 1)
    assert about.left_out_files == {"a.txt": "removed from the archive"}


def test_files_that_were_left_out_are_named(tmp_path):
    (tmp_path / "a.txt").write_text("It rained.")
    (tmp_path / "b%.txt").symlink_to("/etc/hostname")
    rows = [FileRow(0, "W%20chat.txt", 1, 1, "", "text 4", removed=True)]
    removed = FileOutcome("a.txt", FileState.LEFT_OUT)
    folder = documents_of(list_documents(tmp_path), (removed,), ArchiveCounts(), rows)
    taken = "1 file left out, removed from the archive: "
    linked = "1 file left out, a link out of the folder: b%.txt"
    assert unread_notes(folder) == [f"{taken}a.txt", linked]
    archive = documents_in(ArchiveCounts(), rows)
    assert (unread_notes(archive), archive.left_out) == ([f"{taken}W chat.txt"], 1)


def test_an_archive_knows_the_scans_that_were_not_read():
    rows = [FileRow(0, "a%20b.pdf", 1, 1, "", "pdf 4 pypdfium2 5.0; 3 scans not read", documents=1)]
    rows.append(FileRow(0, "c.txt", 1, 1, "", "text 4", documents=1))
    assert documents_in(ArchiveCounts(), rows).scans == {"a b.pdf": 3}


def test_locked_documents_are_said_to_be_locked(tmp_path, monkeypatch):
    locked = replace(list_documents(tmp_path), closed=((".", "Permission denied"),))
    with pytest.raises(InputError, match="cannot be read: Permission denied; give a folder that"):
        require_documents(locked)

    def denied(path: Path) -> bool:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "exists", denied)
    assert not is_archive(tmp_path)
