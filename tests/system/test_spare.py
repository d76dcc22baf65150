"""Folders for a while: gone at the end, and gone after a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from uhhrag.system import ray_cluster
from uhhrag.system.spare import clear_left, spare_folder

pytestmark = pytest.mark.slow

HOLD = """
import pathlib, sys, time
from uhhrag.system.spare import spare_folder
with spare_folder(pathlib.Path(sys.argv[1])) as folder:
    (folder / "text").write_text("a sentence of a document")
    print(folder, flush=True)
    time.sleep(60)
"""


def aged(folder):
    os.utime(folder, (1, 1))
    return folder


def test_a_spare_folder_is_the_users_alone_and_goes(tmp_path):
    with spare_folder(tmp_path) as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        (folder / "a").write_text("x")
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_cleared_and_what_is_in_use_is_not(tmp_path):
    holders = [
        subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE, text=True)
        for _ in range(2)
    ]
    folders = [holder.stdout.readline().strip() for holder in holders]
    holders[0].send_signal(signal.SIGKILL)
    holders[0].wait()
    try:
        for folder in folders:
            aged(folder)
        with spare_folder(tmp_path) as own:
            aged(own)
            with spare_folder(tmp_path):
                assert not os.path.exists(folders[0])  # noqa: PTH110
                assert os.path.exists(folders[1])  # noqa: PTH110
                assert own.exists()
    finally:
        holders[1].kill()
        holders[1].wait()


def test_only_folders_of_ours_are_cleared(tmp_path):
    own = {"other", "uhhrag-articles", ".uhhrag-link", ".uhhrag-file"}
    (tmp_path / "other").mkdir()
    (tmp_path / "uhhrag-articles").mkdir()
    (tmp_path / ".uhhrag-link").symlink_to(tmp_path / "other")
    (tmp_path / ".uhhrag-file").write_text("mine")
    for name in own:
        aged(tmp_path / name)
    with spare_folder(tmp_path):
        pass
    assert {path.name for path in tmp_path.iterdir()} == own


def test_the_folder_of_a_running_cluster_is_not_cleared():
    with ray_cluster._scratch() as folder:
        clear_left(aged(folder).parent)
        assert folder.is_dir()
    assert not folder.exists()
