"""What the commands write is for their user alone."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.doubles import load_nltk_data
from tests.support.file_modes import readable_by_others
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

WRITE_WITHOUT_MODELS = """
import contextlib, json, os
from pathlib import Path
from tests.mistakes.room import furnish, said, stand_ins
from uhhrag.wiring import nltk_data

os.umask(0)
evidence = [{"question": "Q?", "answer": "A."}]
labels = ("Supported", "Refuted")
train = [{"claim": f"C{n}", "label": labels[n % 2], "evidence": evidence} for n in range(18)]
room = Path("room")
room.mkdir()
nltk_data.load_nltk_data()
with contextlib.chdir(room), stand_ins():
    furnish(Path())
    Path("train.json").write_text(json.dumps(train))
    for command in (
        "predict --out mine --trec --limit 1",
        "convert said.json new/said.csv",
        "calibrate train.json --out cal/c.json --size 8",
        "index data --out fresh/index",
    ):
        code, _, error = said(f"uhhrag {command}")
        assert code == 0, (command, error)
assert os.umask(0) == 0, "the mask is not put back"
"""


def test_what_commands_create_only_its_user_can_use(tmp_path):
    load_nltk_data()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITE_WITHOUT_MODELS]
    ran = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    room = tmp_path / "room"
    made = [room / name for name in ("mine", "new", "cal", "fresh")]
    names = {path.name for folder in made for path in folder.rglob("*")}
    assert names >= {"predictions.json", "trace.jsonl", "run.json", "timings.jsonl", ".lock"}
    assert names >= {"vectors.trec", "said.csv", "c.json", "passages.parquet", "manifest.json"}
    assert readable_by_others(*made) == {}


def test_models_are_fetched_with_the_users_own_mask():
    """Weights are public, and one folder of them may serve several users."""
    code = (
        "import os, sys; from uhhrag.cli import app; os.umask(0o022); masks = []\n"
        "from uhhrag.models import local\n"
        "local.state = lambda model: masks.append(os.umask(0o022))\n"
        "sys.argv = ['uhhrag', 'models', 'list']; app(standalone_mode=False); print(set(masks))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "{18}"
