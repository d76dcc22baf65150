"""Archives of a store or source."""

from __future__ import annotations

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.updating import keep_pages
from uhhrag.records import Claim, Page


def kept(folder, *lines):
    row = FileRow(0, "a.jsonl", 9, 1, f"hash of {lines}", reader="")
    keep_pages(folder, row, [Page("file:a", tuple(lines))])
    return open_snapshot(folder)


def test_a_store_kept_anew_is_the_same_store_and_what_it_held_is_gone(tmp_path):
    first, second = (kept(tmp_path / name, "It sank in 2019.").made_of for name in "ab")
    assert first == second
    changed = kept(tmp_path / "a", "SECRETA")
    assert changed.made_of != first
    again = kept(tmp_path / "a", "It sank in 2019.")
    assert again.made_of == first
    assert again.digest != changed.digest
    held = b"".join(file.read_bytes() for file in (tmp_path / "a").rglob("*") if file.is_file())
    assert b"SECRETA" not in held


def test_the_id_of_a_list_is_no_part_of_what_a_run_is_known_by():
    assert repr(Claim(0, "It sank.", given_id="Q7")) == repr(Claim(0, "It sank.", given_id="Q8"))
