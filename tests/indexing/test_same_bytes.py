"""An index has the same bytes, whatever the way to it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from tests.support.built_index import built
from tests.support.doubles import (
    CLAIMS,
    FAKE,
    bytes_of,
    fake_embed,
    plan,
    write_page,
    write_store,
)
from tests.support.paths import ROOT
from uhhrag.indexing.build import index_claims
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.system import atomic

pytestmark = [pytest.mark.usefixtures("nltk_loaded"), pytest.mark.slow]


def test_a_zip_gives_the_same_bytes_as_the_folder(tmp_path):
    folder = built(tmp_path)
    archive = tmp_path / "zipped" / "knowledge_store.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in (tmp_path / "knowledge_store").iterdir():
            packed.write(file, f"output_dev/{file.name}")
    assert bytes_of(built(tmp_path / "zipped", store=archive)) == bytes_of(folder)


def test_gold_leaks_of_the_store_change_nothing(tmp_path):
    expected = bytes_of(built(tmp_path / "plain"))
    leaking = tmp_path / "leaking" / "knowledge_store"
    write_store(leaking)
    for file in leaking.iterdir():
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        told = [write_page(r["url"], r["url2text"], type="gold!", query=[file.name]) for r in rows]
        file.write_text("\n".join(told))
    assert bytes_of(built(tmp_path / "leaking")) == expected


def test_subsets_in_any_order_add_up_to_the_whole(tmp_path):
    expected = bytes_of(built(tmp_path / "whole"))
    for only in ((2,), (0,), (2, 1)):
        built(tmp_path / "parts", only=only)
    assert bytes_of(tmp_path / "parts" / "index") == expected


def test_what_is_there_is_not_built_again(tmp_path):
    built(tmp_path, only=(0, 1))
    outcomes = list(index_claims(plan(tmp_path), fake_embed))
    assert [bool(outcome.seconds) for outcome in outcomes] == [False, False, True]


class Crash(BaseException):
    """The machine stops here."""


FEW = CLAIMS[:2]


def test_wherever_the_run_dies_the_next_one_ends_with_the_same_bytes(tmp_path, monkeypatch):
    expected = bytes_of(built(tmp_path / "whole", claims=FEW))
    crashes = 0
    for moment in range(200):
        here = tmp_path / str(moment)
        with monkeypatch.context() as patched:
            _crash_after(patched, moment)
            try:
                list(index_claims(plan(here, claims=FEW), fake_embed))
                break
            except Crash:
                crashes += 1
        assert bytes_of(built(here, claims=FEW)) == expected, f"after dying at step {moment}"
    assert crashes > 20


def test_wherever_an_overwriting_run_dies_no_claim_of_the_old_recipe_is_left(tmp_path, monkeypatch):
    new = {"claims": FEW, "recipe": IndexSettings(FAKE, pool=1)}
    old, expected = tmp_path / "old", bytes_of(built(tmp_path / "whole", **new))
    built(old, claims=FEW)
    for moment in range(200):
        here = tmp_path / str(moment)
        shutil.copytree(old, here)
        with monkeypatch.context() as patched:
            _crash_after(patched, moment)
            try:
                list(index_claims(plan(here, **new, overwrite=True), fake_embed))
                break
            except Crash:
                pass
        list(index_claims(plan(here, **new, overwrite=True), fake_embed))
        assert bytes_of(here / "index") == expected, f"after dying at step {moment}"


def _crash_after(patched: pytest.MonkeyPatch, steps: int) -> None:
    """Raise Crash when the disk is touched for the time after `steps`."""
    left = [steps]

    def counted(real):
        def touch(*args, **kwargs):
            if left[0] == 0:
                raise Crash
            left[0] -= 1
            return real(*args, **kwargs)

        return touch

    for owner, name in (
        (os, "fsync"),
        (Path, "rename"),
        (Path, "replace"),
        (Path, "mkdir"),
        (atomic, "remove"),
    ):
        patched.setattr(owner, name, counted(getattr(owner, name)))


SLOW_RUN = """
import sys, time
from pathlib import Path
from tests.support.doubles import fake_embed, load_nltk_data, plan
from uhhrag.indexing.build import index_claims

def slow(texts):
    time.sleep(0.02)
    return fake_embed(texts)

load_nltk_data()
print("ready", flush=True)
list(index_claims(plan(Path(sys.argv[1])), slow))
"""


def slow_run(tmp_path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_run_killed_again_and_again_ends_with_the_same_bytes(tmp_path):
    expected = bytes_of(built(tmp_path / "whole"))
    write_store(tmp_path / "killed" / "knowledge_store")
    killed = 0
    for moment in (0, 0.01, 0.03, 0.05, 0.02):
        run = slow_run(tmp_path / "killed")
        assert run.stdout is not None
        assert run.stdout.readline() == b"ready\n"
        time.sleep(moment)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        killed += run.returncode == -signal.SIGKILL
    assert killed
    assert bytes_of(built(tmp_path / "killed")) == expected


def test_a_second_process_on_the_same_index_stops_with_one_line(tmp_path):
    first = index_claims(plan(tmp_path), fake_embed)
    next(first)
    second = slow_run(tmp_path)
    _, said = second.communicate(timeout=60)
    assert b"another uhhrag is at work on it" in said
    assert len(list(first)) == 2
    slow_run(tmp_path).communicate(timeout=60)
