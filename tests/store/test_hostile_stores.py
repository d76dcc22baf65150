"""Stores made to do harm: cut anywhere, links and pipes, zips that lie, a million records."""

from __future__ import annotations

import io
import json
import os
import struct
import time
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from tests.support.doubles import write_page
from uhhrag.errors import InputError
from uhhrag.store import claim_files, knowledge_store
from uhhrag.store.knowledge_store import Page, Skipped

LINES = ["A cat sat on “the” mat.", "Dogs bark.", "Nul \x00, bell \x07, \U0001f600."]
GOOD = write_page("https://a.example", LINES).encode()


def stored(tmp_path: Path, content: bytes) -> Path:
    folder = tmp_path / "store"
    folder.mkdir(exist_ok=True)
    (folder / "0.json").write_bytes(content)
    return folder


def texts(folder: Path) -> list[str]:
    return [passage.text for passage in knowledge_store.read(folder, 0)]


def zipped(members: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return packed.getvalue()


@pytest.mark.parametrize("content", [GOOD + b"\n" + GOOD, b"[" + GOOD + b", " + GOOD + b"]"])
def test_a_file_cut_at_any_byte_gives_whole_pages_or_an_error_and_never_half_a_line(
    tmp_path, content
):
    counts = set()
    for end in range(len(content)):
        try:
            found = texts(stored(tmp_path, content[:end]))
        except InputError as error:
            assert "holds no readable page" in str(error)
            continue
        assert found in ([], LINES, LINES * 2), end
        counts.add(len(found))
    assert counts <= {0, 3, 6}
    assert texts(stored(tmp_path, content)) == LINES * 2


def test_a_cut_last_record_is_said(tmp_path):
    found = list(knowledge_store.pages(stored(tmp_path, GOOD + b"\n" + GOOD[:-5]), 0))
    assert [type(page) for page in found] == [Page, Skipped]
    assert found[1].place == "0.json:2"


def test_the_same_claim_id_in_every_record_or_another_one_does_not_matter(tmp_path):
    rows = [{**json.loads(GOOD), "claim_id": number} for number in ("7", 7, None, [], "../../x")]
    content = "\n".join(json.dumps(row) for row in rows).encode()
    assert texts(stored(tmp_path, content)) == LINES * 5


def test_keys_that_come_twice_in_a_record_are_read_once(tmp_path):
    content = b'{"url": "u", "url": "v", "url2text": ["One."], "url2text": ["Two."]}'
    assert [p.text for p in knowledge_store.read(stored(tmp_path, content), 0)] == ["Two."]


@pytest.mark.slow
def test_a_hundred_thousand_records_are_read_page_by_page(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()
    row = b'{"url": "https://a.example/%d", "url2text": ["Sentence %d."]}\n'
    with (folder / "0.json").open("wb") as file:
        for start in range(0, 100_000, 10_000):
            file.write(b"".join(row % (n, n) for n in range(start, start + 10_000)))
    begun, count = time.process_time(), 0
    tracemalloc.start()
    try:
        # tracing makes Python several times slower, so memory is looked at for the first only
        pages = knowledge_store.pages(folder, 0)
        for _ in range(20_000):
            count += len(next(pages).lines)
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    count += sum(len(page.lines) for page in pages)
    assert count == 100_000
    assert time.process_time() - begun < 60


# What is not in the store


def test_a_link_out_of_the_store_is_refused_and_what_it_leads_to_is_not_read(tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_bytes(GOOD)
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "0.json").symlink_to(secret)
    with pytest.raises(InputError, match="outside the store; refused"):
        texts(folder)


def test_a_link_within_the_store_and_a_store_that_is_itself_a_link_are_read(tmp_path):
    folder = stored(tmp_path, GOOD)
    (folder / "real").mkdir()
    (folder / "0.json").rename(folder / "real" / "x.json")
    (folder / "0.json").symlink_to("real/x.json")
    assert texts(folder) == LINES
    (tmp_path / "link").symlink_to(folder)
    assert texts(tmp_path / "link") == LINES


@pytest.mark.parametrize("target", ["nowhere", "0.json"])
def test_a_link_to_nothing_or_to_itself_is_one_line(tmp_path, target):
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "0.json").symlink_to(target)
    with pytest.raises(InputError) as caught:
        texts(folder)
    assert "\n" not in str(caught.value)


def test_a_pipe_in_the_place_of_a_file_is_refused_not_waited_for(tmp_path):
    folder = tmp_path / "store"
    folder.mkdir()
    os.mkfifo(folder / "0.json")
    with pytest.raises(InputError, match="a pipe or a device"):
        texts(folder)


# Zips


def test_a_zip_with_any_one_byte_changed_gives_its_texts_or_an_error(tmp_path):
    content = zipped({"0.json": GOOD, "1.json": GOOD})
    file = tmp_path / "store.zip"
    read = refused = 0
    for place in range(len(content)):
        changed = bytearray(content)
        changed[place] ^= 0xFF
        file.write_bytes(changed)
        try:
            assert texts(file) == LINES, place
            read += 1
        except InputError as error:
            assert "\n" not in str(error)
            refused += 1
    assert read > 20  # dates and the like
    assert refused > 100


def test_a_zip_cut_at_any_byte_is_an_error(tmp_path):
    content = zipped({"0.json": GOOD})
    file = tmp_path / "store.zip"
    for end in range(len(content)):
        file.write_bytes(content[:end])
        with pytest.raises(InputError):
            texts(file)


def test_a_zip_in_a_zip_is_not_unpacked(tmp_path):
    file = tmp_path / "store.zip"
    file.write_bytes(zipped({"0.json": zipped({"0.json": zipped({"0.json": GOOD})})}))
    with pytest.raises(InputError, match="holds no readable page"):
        texts(file)


def lying(content: bytes, member: bytes, **sizes: int) -> bytes:
    """The zip with other sizes for a member, in its list and before its bytes."""
    changed = bytearray(content)
    places = {"packed": (18, 20), "unpacked": (22, 24)}
    for signature, which in ((b"PK\x03\x04", 0), (b"PK\x01\x02", 1)):
        start = changed.index(signature)
        for name, size in sizes.items():
            struct.pack_into("<I", changed, start + places[name][which], size)
    return bytes(changed)


def test_a_zip_that_lies_about_what_it_packs_is_not_believed(tmp_path):
    file = tmp_path / "store.zip"
    bomb = zipped({"0.json": GOOD + b" " * 50_000_000})
    file.write_bytes(lying(bomb, b"0.json", unpacked=len(GOOD)))
    with pytest.raises(InputError, match="damaged"):  # no more than it says is unpacked
        texts(file)
    file.write_bytes(lying(bomb, b"0.json", packed=2**31, unpacked=2**32 - 2))
    with pytest.raises(InputError, match="as no text does; refused"):
        texts(file)


def test_a_zip_of_very_many_files_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(claim_files, "_MAX_MEMBERS", 1000)
    file = tmp_path / "store.zip"
    file.write_bytes(zipped({f"{n}.json": b"" for n in range(1001)}))
    with pytest.raises(InputError, match="holds more than 1,000 files"):
        texts(file)


@pytest.mark.parametrize("name", ["a\x00/0.json", "a\x1b[31m/0.json", "ä€/0.json", "x" * 9999])
def test_odd_names_in_a_zip_do_no_harm(tmp_path, name):
    file = tmp_path / "store.zip"
    file.write_bytes(zipped({"0.json": GOOD, name.replace("0.json", "5.json"): b"x"}))
    assert texts(file) == LINES
