"""No damaged byte of an index or a run is ever used: `verify` names it, the commands refuse it or
make it anew."""

from __future__ import annotations

import random
import shutil
import sqlite3
from pathlib import Path

import pytest

from tests.support.paths import SAMPLE
from tests.support.standins import CLAIMS, Commands, results
from uhhrag import folders
from uhhrag.errors import InputError
from uhhrag.runs.trace import TRACE, as_line, read_trace
from uhhrag.wiring import llms

pytestmark = pytest.mark.slow


@pytest.fixture
def uhhrag(made, tmp_path):
    """A copy of both for a test to damage."""
    for name in ("index", "run"):
        shutil.copytree(made.folder / name, tmp_path / name)
    return Commands(tmp_path, made.folder / "models")


FLIPS = 12
"""Bits flipped in each file, one look of `verify` a flip."""


def seeded(number: int) -> random.Random:
    return random.Random(number)  # noqa: S311 - a draw that can be repeated, nothing secret


def flip(file: Path, chance: random.Random) -> bytes:
    """Change one bit somewhere in a file; gives what it held before."""
    before = file.read_bytes()
    place = chance.randrange(len(before))
    changed = bytes([before[place] ^ 1 << chance.randrange(8)])
    file.write_bytes(before[:place] + changed + before[place + 1 :])
    return before


def files_of(folder: Path) -> list[Path]:
    """Every file that holds something; the kept replies have a test of their own."""
    found = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return [p for p in found if p.stat().st_size and not p.name.startswith("replies.sqlite")]


def faults(folder: Path) -> dict[str, str]:
    found = folders.verify(folder, llms.memory_fault)
    return {str(one.file.relative_to(folder)): one.fault for one in found if one.fault}


def test_what_was_just_made_is_sound(made, capsys):
    capsys.readouterr()
    assert made.verify(made.index) == made.verify(made.run) == 0
    index, run = capsys.readouterr().out.splitlines()
    assert index == f"{made.index}: {CLAIMS * 4 + 2} files checked, the index is sound"
    assert run == f"{made.run}: 8 files checked, the run is sound"


def test_every_flipped_bit_of_an_index_is_found_and_named(uhhrag):
    chance, flips = seeded(1), 0
    for file in files_of(uhhrag.index):
        for _ in range(FLIPS):
            before = flip(file, chance)
            assert set(faults(uhhrag.index)) == {str(file.relative_to(uhhrag.index))}
            file.write_bytes(before)
            flips += 1
    assert flips == FLIPS * (CLAIMS * 4 + 1)


def test_every_flipped_bit_of_a_run_is_found_and_named(uhhrag):
    chance, flips = seeded(2), 0
    for file in files_of(uhhrag.run):
        for _ in range(FLIPS):
            before = flip(file, chance)
            assert str(file.relative_to(uhhrag.run)) in faults(uhhrag.run) or (
                file.name == "trec.sha256" and faults(uhhrag.run)
            )
            file.write_bytes(before)
            flips += 1
    assert flips >= FLIPS * 7


def test_a_damaged_index_is_built_again_where_it_is_damaged_and_nowhere_else(uhhrag, capsys):
    chance, sound = seeded(3), results(uhhrag)
    for file in files_of(uhhrag.index):
        flip(file, chance)
        assert uhhrag.verify(uhhrag.index) == 4
        capsys.readouterr()
        assert uhhrag.build("--repair") == 0
        there = CLAIMS - 1 if file.parent.parent.name == "claims" else CLAIMS
        assert f"{there} of them there already" in capsys.readouterr().out
        assert results(uhhrag) == sound


MANY = pytest.mark.parametrize("flips", [1, pytest.param(20, marks=pytest.mark.heavy)])
"""Bits flipped in each file, one run of `predict` a flip."""


@MANY
def test_predict_never_uses_a_damaged_index(uhhrag, flips):
    chance, sound = seeded(4), results(uhhrag)
    for file in files_of(uhhrag.index):
        for _ in range(flips):
            before = flip(file, chance)
            shutil.rmtree(uhhrag.run, ignore_errors=True)
            code = uhhrag.predict()
            assert code in (4, 8), file
            found = uhhrag.run / "predictions.json"
            assert not found.exists() or found.read_bytes() != sound["predictions.json"]
            file.write_bytes(before)
    assert uhhrag.predict() == 0


@MANY
def test_predict_refuses_or_makes_anew_what_is_damaged_in_a_run(uhhrag, flips):
    chance, sound = seeded(5), results(uhhrag)
    for file in files_of(uhhrag.run):
        for _ in range(flips):
            before = flip(file, chance)
            code = uhhrag.predict("--trec")
            assert code in (0, 7), file
            if code == 7:
                assert uhhrag.predict("--trec", "--repair") == 0
            assert results(uhhrag) == sound, file
            file.write_bytes(before)  # of the timings, a damaged line is left out


@MANY
def test_damaged_replies_are_refused_or_asked_for_again(uhhrag, flips):
    chance, sound = seeded(6), results(uhhrag)
    memory = uhhrag.index / "replies.sqlite"
    good = memory.read_bytes()
    for _ in range(10 * flips):
        flip(memory, chance)
        shutil.rmtree(uhhrag.run, ignore_errors=True)  # a refused start leaves none
        code = uhhrag.predict("--trec")
        assert code in (0, 7)
        if code == 0:
            assert results(uhhrag) == sound
        for file in uhhrag.index.glob("replies.sqlite*"):
            file.unlink()
        memory.write_bytes(good)


def test_a_reply_that_was_changed_with_care_is_named_and_asked_for_again(uhhrag):
    file = uhhrag.index / "replies.sqlite"
    with sqlite3.connect(file) as memory:
        memory.execute("UPDATE replies SET value = value || ' ' WHERE rowid = 1")
    memory.close()
    assert faults(uhhrag.index) == {"replies.sqlite": "damaged replies: 1 of 6; asked for again"}
    sound = results(uhhrag)
    shutil.rmtree(uhhrag.run)
    assert uhhrag.predict("--trec") == 0
    assert results(uhhrag) == sound


@pytest.mark.parametrize("name", ["manifest.json", "passages.parquet", "vectors.faiss"])
@pytest.mark.parametrize("cut", [0, 30, -1])
def test_a_file_of_an_index_that_was_half_written_is_found_and_built_again(uhhrag, name, cut):
    sound, file = results(uhhrag), uhhrag.index / "claims" / "1" / name
    file.write_bytes(file.read_bytes()[:cut])
    assert list(faults(uhhrag.index)) == [f"claims/1/{name}"]
    assert uhhrag.build("--repair") == 0
    file.unlink()
    assert list(faults(uhhrag.index)) == [f"claims/1/{name}"]
    assert uhhrag.build("--repair") == 0
    assert results(uhhrag) == sound


def test_a_claims_folder_in_the_place_of_another_is_found(uhhrag):
    claims, sound = uhhrag.index / "claims", results(uhhrag)
    shutil.rmtree(claims / "1")
    shutil.copytree(claims / "0", claims / "1")
    assert faults(uhhrag.index) == {"claims/1/manifest.json": "is of claim 0"}
    assert uhhrag.predict("--overwrite") == 4
    assert uhhrag.build("--repair") == 0
    shutil.rmtree(uhhrag.run)
    assert uhhrag.predict("--trec") == 0
    assert results(uhhrag) == sound


def test_a_claim_of_an_index_with_other_settings_is_found(uhhrag, tmp_path):
    other = Commands(tmp_path / "other", uhhrag.embedder.parent)
    assert other.build("--pool", 5) == 0
    shutil.rmtree(uhhrag.index / "claims" / "1")
    shutil.copytree(other.index / "claims" / "1", uhhrag.index / "claims" / "1")
    assert "built with other settings" in faults(uhhrag.index)["claims/1/manifest.json"]
    assert uhhrag.predict("--overwrite") == 4


def test_a_lost_manifest_is_made_again_but_only_with_the_settings_of_the_claims(uhhrag, capsys):
    sound = results(uhhrag)
    (uhhrag.index / "manifest.json").unlink()
    assert faults(uhhrag.index) == {"manifest.json": "is missing"}
    capsys.readouterr()
    assert uhhrag.build("--repair", "--pool", 5) == 4
    assert "was built with pool 10000, not 5" in capsys.readouterr().err
    assert uhhrag.build("--repair") == 0
    assert results(uhhrag) == sound


def test_what_a_kill_left_over_is_named_and_cleared(uhhrag):
    sound = results(uhhrag)
    leftovers = [uhhrag.index / "claims" / ".1.part", uhhrag.index / ".manifest.json.part"]
    leftovers += [uhhrag.run / ".trace.jsonl.part"]
    leftovers[0].mkdir()
    for file in leftovers[1:]:
        file.write_text("half")
    assert set(faults(uhhrag.index)) == {"claims/.1.part", ".manifest.json.part"}
    assert set(faults(uhhrag.run)) == {".trace.jsonl.part"}
    assert uhhrag.build("--repair") == uhhrag.predict() == 0
    assert not any(path.exists() for path in leftovers)
    assert results(uhhrag) == sound


def test_a_run_that_was_cut_off_is_told_from_a_sound_one(uhhrag):
    trace = uhhrag.run / "trace.jsonl"
    trace.write_bytes(trace.read_bytes()[:-9])
    found = faults(uhhrag.run)
    assert found["trace.jsonl"] == "its last line is cut short"
    assert found["predictions.json"].startswith("does not agree with the trace")


@pytest.mark.parametrize("lost", ["run", "passages"])
def test_a_verdict_that_does_not_say_of_which_run_it_is_is_found(uhhrag, lost):
    trace = uhhrag.run / TRACE
    records = list(read_trace(trace))
    del records[0][lost]
    trace.write_bytes(b"".join(map(as_line, records)))
    assert TRACE in faults(uhhrag.run)


def test_a_folder_that_is_neither_is_refused(tmp_path):
    for folder in (tmp_path, SAMPLE):
        with pytest.raises(InputError, match="is neither an index nor a run folder; give one"):
            folders.kind_of(folder)
    with pytest.raises(InputError, match="no such folder; give one that `uhhrag index`, "):
        folders.kind_of(tmp_path / "nowhere")


def test_damage_is_one_line_a_file_and_a_summary(uhhrag, capsys):
    for name in ("0/vectors.faiss", "2/passages.parquet"):
        (uhhrag.index / "claims" / name).write_bytes(b"")
    capsys.readouterr()
    assert uhhrag.verify(uhhrag.index) == 4
    said = capsys.readouterr()
    assert [line.split(": ", 1)[1] for line in said.out.splitlines()] == [
        "is damaged (its SHA-256 has changed)"
    ] * 2
    assert said.err == (
        f"uhhrag: {uhhrag.index}: 2 of 14 files damaged; "
        f"run: uhhrag index DATA --out {uhhrag.index} --repair\n"
    )
