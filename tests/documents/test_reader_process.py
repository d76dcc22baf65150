"""The process that documents are read in."""

from __future__ import annotations

import subprocess
import sys

import pytest
from openpyxl import Workbook

from tests.support.documents import HereReader
from tests.support.doubles import load_nltk_data
from uhhrag.archive import updating
from uhhrag.documents import reader_client
from uhhrag.documents.changed import read_if_changed
from uhhrag.documents.listing import list_documents
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.errors import InputError


def test_a_document_cannot_make_its_reader_use_the_network_or_start_a_program():
    probe = (
        "import socket, subprocess, sys, urllib.request\n"
        "from uhhrag.documents import reader_process\n"
        "from uhhrag.documents.pandoc.program import command\n"
        "reader_process._enter_sandbox()\n"
        "for ask in (lambda: socket.create_connection(('127.0.0.1', 9)),\n"
        "            lambda: socket.getaddrinfo('localhost', 80),\n"
        "            lambda: urllib.request.urlopen('http://127.0.0.1:9'),\n"
        "            lambda: subprocess.run(['true']),\n"
        "            lambda: subprocess.run([*command(), 'x.lua'])):\n"
        "    try:\n"
        "        ask()\n"
        "        print('allowed')\n"
        "    except PermissionError as error:\n"
        "        print('refused' if 'refused' in str(error) else error)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert done.stdout.split() == ["refused"] * 5, done.stderr


def test_the_process_that_may_start_nothing_starts_pandoc_and_survives_its_end(tmp_path):
    load_nltk_data()
    (tmp_path / "a.md").write_text("It has 10^6^ cells.\n")
    (tmp_path / "b.tex").write_text("\\newcommand{\\x}{" + "\\x" * 60 + "}\\x " * 9)
    (tmp_path / "c.org").write_text("* Rain\nIt rained. Nobody slept.\n")
    with ReadingProcess() as reader:
        looks = [
            read_if_changed(file, None, reader, tmp_path / "spool")
            for file in list_documents(tmp_path).files
        ]
    assert [look.outcome.lines for look in looks] == [1, 0, 3]
    assert looks[1].outcome.why


def test_a_file_that_a_busy_machine_had_no_time_for_is_read_by_the_next_command(
    tmp_path, monkeypatch
):
    load_nltk_data()
    (tmp_path / "a.txt").write_text("It rained.\n")
    (file,) = list_documents(tmp_path).files
    with ReadingProcess() as reader:
        with monkeypatch.context() as patch:
            patch.setattr(reader_client, "_SLOWER", 0.0)
            busy = read_if_changed(file, None, reader, tmp_path / ".spool")
        assert "the next command tries again" in busy.outcome.why
        assert not busy.state  # so it counts as new
        later = read_if_changed(file, busy.state or None, reader, tmp_path / ".spool")
    assert later.outcome.lines == 1


@pytest.mark.parametrize(
    ("program", "why"), [("/none/python", "No such file"), ("true", "it ends")]
)
def test_a_reader_that_does_not_start_is_said_and_neither_archive_nor_document_is_blamed(
    tmp_path, monkeypatch, program, why
):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.txt").write_text("It rained.\n")
    monkeypatch.setattr(sys, "executable", program)
    listing, taking = list_documents(tmp_path / "docs"), updating.UpdateOptions()
    with pytest.raises(InputError, match=rf"the process that reads them does not start \({why}"):
        list(updating.follow_folder(tmp_path / "archive", listing, taking))


def test_all_that_is_not_read_of_a_file_is_said_of_much_the_number(tmp_path):
    load_nltk_data()
    book = Workbook()
    book.active.append(["Post", "Sum"])
    book.active.append(["Roof", "=1+2"])
    book.active.append(["Wall", 12])
    book.active.row_dimensions[3].hidden = True
    book.create_sheet("Secret").sheet_state = "hidden"
    book.save(tmp_path / "a.xlsx")
    good, bad = '{"url": "https://a.no", "text": "It rained."}\n', "no\n"
    (tmp_path / "b.jsonl").write_text(good + 3 * bad + "[]\n" + 2 * bad)
    told = {}
    for file in list_documents(tmp_path).files:
        told[file.name] = read_if_changed(file, None, HereReader(), tmp_path / "spool").outcome.why
    assert told["a.xlsx"] == (
        "1 cell has a formula that no program has computed; open the file and save it; "
        "hidden and not read: 1 row of sheet Sheet, sheet Secret; unhide what is to be read"
    )
    assert told["b.jsonl"].startswith("6 records left out; line 2 ")
    assert "line 4 " in told["b.jsonl"]
    assert "line 5 " not in told["b.jsonl"]
    assert told["b.jsonl"].endswith("; and 3 more")


def unembedded(rows: list[str], second: float) -> bytes:
    """A page of rows of two cells, in a narrow font whose letters it does not hold."""
    drawn = "".join(
        f"BT /F 12 Tf {left} {700 - 20 * at} Td ({cell}) Tj ET "
        for at, row in enumerate(rows)
        for left, cell in zip((50, second), row.split("|"), strict=True)
    )
    parts = (
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources"
        "<</Font<</F 5 0 R>>>>>>",
        f"<</Length {len(drawn)}>>stream\n{drawn}\nendstream",
        "<</Type/Font/Subtype/TrueType/BaseFont/Tahoma/Encoding/WinAnsiEncoding"
        f"/FontDescriptor 6 0 R/FirstChar 32/LastChar 126/Widths[{95 * '300 '}]>>",
        "<</Type/FontDescriptor/FontName/Tahoma/Flags 32/StemV 80/ItalicAngle 0"
        "/Ascent 900/Descent -200/CapHeight 700/FontBBox[-500 -300 1500 1000]>>",
    )
    body = "".join(f"{at} 0 obj\n{part}\nendobj\n" for at, part in enumerate(parts, 1))
    return f"%PDF-1.4\n{body}trailer<</Root 1 0 R>>".encode()


def test_a_page_that_was_drawn_changes_no_words_of_the_files_after_it(tmp_path):
    load_nltk_data()
    (tmp_path / "docs").mkdir()
    table = tmp_path / "docs" / "a.pdf"
    table.write_bytes(unembedded(["Station|Rain", "Vik|149 days", "Lund|96 days"], 76))
    texts = []
    with ReadingProcess() as reader:
        for spool in (tmp_path / "before", tmp_path / "after"):
            (file,) = list_documents(table.parent).files
            read_if_changed(file, None, reader, spool)
            texts.append(spool.read_text())
            reader.render(table, 1, "", tmp_path / "picture")
    assert texts[0] == texts[1]
