"""The examples of docs/api.md and the notebooks of examples/ run and give what they show.

The notebooks' cells are executed in order in a fresh process, without Jupyter, which would bring
thirty packages.
"""

from __future__ import annotations

import doctest
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.model_files import require_models
from tests.support.nltk_data import nltk_data_folder
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

RUN = """
import contextlib, io, json, sys
shown, names = [], {"__name__": "__main__"}
for cell in json.load(sys.stdin):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(cell, "cell", "exec"), names)
    shown.append(out.getvalue())
json.dump(shown, sys.stdout)
"""


def cells_of(name: str) -> list[dict]:
    notebook = json.loads((ROOT / "examples" / name).read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(cells: list[str], home: Path | None = None) -> list[str]:
    """What each cell prints, run in the notebooks' folder."""
    more = {"PYTHONPATH": str(ROOT)} | ({"UHHRAG_HOME": str(home)} if home else {})
    ran = subprocess.run(
        [sys.executable, "-c", RUN],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=ROOT / "examples",
        env=os.environ | more,
    )
    assert ran.returncode == 0, ran.stderr
    return json.loads(ran.stdout)


def test_the_examples_of_the_page_give_what_they_show(tmp_path, monkeypatch, nltk_loaded):
    nltk_data_folder()
    (tmp_path / "data").symlink_to(ROOT / "data")
    monkeypatch.chdir(tmp_path)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    page = doctest.DocTestParser().get_doctest(text, {}, "api.md", "docs/api.md", 0)
    assert len(page.examples) > 20
    report: list[str] = []
    assert doctest.DocTestRunner().run(page, out=report.append).failed == 0, "".join(report)


def test_the_first_notebook_runs_without_any_download_and_shows_what_it_gives(tmp_path):
    cells = cells_of("first_check.ipynb")
    shown = ["".join(text for out in cell["outputs"] for text in out["text"]) for cell in cells]
    assert run(["".join(cell["source"]) for cell in cells], tmp_path / "nothing") == shown


@pytest.mark.model
def test_the_second_notebook_runs_with_small_models():
    require_models("minilm", "smollm2-135m", "nltk-data")
    cells = ["".join(cell["source"]) for cell in cells_of("reproduce_uhh.ipynb")]
    small = (
        cells[0].replace("qwen2.5-coder-1.5b", "smollm2-135m").replace("LIMIT = None", "LIMIT = 1")
    )
    assert small != cells[0]
    shown = run([small, *cells[1:]])
    assert shown[1].startswith("1 claims, ")
    assert shown[2] == "top 1: 1 verdicts\ntop 3: 1 verdicts\n"
    assert "veracity" in shown[3].lower() or "Q+A" in shown[3]
