"""Facts in the user's cache: only what is whole and still holds is believed."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from uhhrag.system import machine_cache
from uhhrag.system.checksums import sha256
from uhhrag.system.machine_cache import sha256_of_files


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(machine_cache, "_LARGE", 3)
    return tmp_path / "home" / "cache"


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "model.bin"
    made.write_bytes(b"weights")
    return made


@pytest.fixture
def settled(monkeypatch):
    monkeypatch.setattr(machine_cache, "_SETTLED", -1e9)


@pytest.fixture
def reads(monkeypatch):
    seen, read = [], machine_cache.sha256_of_file
    monkeypatch.setattr(machine_cache, "sha256_of_file", lambda f: seen.append(f.name) or read(f))
    return seen


def test_facts_are_kept_and_the_oldest_go_first(monkeypatch):
    assert machine_cache.recall("kind") == {}
    monkeypatch.setattr(machine_cache, "_MAX_FACTS", 2)
    for key in "abca":
        machine_cache.remember("kind", {key: [key, 1]})
    assert machine_cache.recall("kind") == {"c": ["c", 1], "a": ["a", 1]}
    assert machine_cache.recall("other") == {}


def test_all_that_is_remembered_at_the_same_time_stays():
    def remember(number: int) -> None:
        machine_cache.remember("kind", {str(number): number})

    with ThreadPoolExecutor(8) as writers:
        list(writers.map(remember, range(60)))
    assert machine_cache.recall("kind") == {str(n): n for n in range(60)}


def test_damaged_facts_count_as_none(cache):
    machine_cache.remember("kind", {"a": "b"})
    content = (cache / "kind.json").read_bytes()
    for damaged in (content.replace(b'"b"', b'"c"'), content[:-5], b"[]", b"\xff", b""):
        (cache / "kind.json").write_bytes(damaged)
        assert machine_cache.recall("kind") == {}


def test_a_cache_that_cannot_be_written_stops_nothing(cache):
    cache.parent.mkdir()
    cache.write_text("a file")
    machine_cache.remember("kind", {"a": "b"})
    assert machine_cache.recall("kind") == {}


def test_a_large_file_is_read_once_until_it_changes(file, settled, reads):
    for _ in range(3):
        assert sha256_of_files([file]) == [sha256(b"weights")]
    assert reads == ["model.bin"]
    before = file.stat()
    file.write_bytes(b"WEIGHTS")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))  # ctime tells
    assert sha256_of_files([file]) == [sha256(b"WEIGHTS")]
    assert sha256_of_files([file], again=True) == [sha256(b"WEIGHTS")]
    assert len(reads) == 3


def test_a_file_put_in_the_place_of_another_is_read(file, settled, reads, tmp_path):
    sha256_of_files([file])
    (tmp_path / "new").write_bytes(b"another")
    (tmp_path / "new").replace(file)
    assert sha256_of_files([file]) == [sha256(b"another")]


def test_a_file_that_has_just_changed_is_read_each_time(file, reads, monkeypatch):
    monkeypatch.setattr(machine_cache, "_SETTLED", machine_cache._SETTLED + 600)
    for _ in range(2):
        sha256_of_files([file])
    assert len(reads) == 2


def test_small_files_are_always_read(file, settled, reads, monkeypatch):
    monkeypatch.setattr(machine_cache, "_LARGE", 8)
    for _ in range(2):
        sha256_of_files([file])
    assert len(reads) == 2
