"""`uhhrag --help` answers at once and loads nothing heavy; every command explains itself."""

from __future__ import annotations

import subprocess
import sys

import pytest
import typer

from tests.support.paths import ROOT
from uhhrag.cli import app

HEAVY = {
    "docx",
    "faiss",
    "huggingface_hub",
    "jinja2",
    "llama_cpp",
    "lxml",
    "nltk",
    "numpy",
    "pyarrow",
    "pypdfium2",
    "rank_bm25",
    "scipy",
    "sentence_transformers",
    "sqlite3",
    "starlette",
    "tantivy",
    "torch",
    "trafilatura",
    "transformers",
    "uvicorn",
}
COMMANDS = [
    "check",
    "ingest",
    "index",
    "predict",
    "calibrate",
    "evaluate",
    "compare",
    "convert",
    "corpus",
    "report",
    "serve",
    "models",
    "train",
    "verify",
    "merge",
    "bench-llm",
    "doctor",
]
SHOW_MODULES = """
import sys
sys.argv = ["uhhrag", *sys.argv[1:]]
from uhhrag.cli import main
try:
    main()
finally:
    print("|".join(sys.modules), file=sys.stderr)
"""
LIMIT = 1.0
"""Seconds of processor time, of which starting Python itself takes a twentieth."""


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SHOW_MODULES, *arguments],
        cwd=ROOT,
        env={"COLUMNS": "80", "PATH": "", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )


@pytest.mark.parametrize("command", [None, *COMMANDS])
def test_help_loads_nothing_heavy_and_fits_the_terminal(command):
    shown = ran(*([command] if command else []), "--help")
    loaded = {name.split(".")[0] for name in shown.stderr.strip().split("|")}
    assert loaded & HEAVY == set()
    assert f"Usage: uhhrag {command or ''}".strip() in shown.stdout
    assert max(map(len, shown.stdout.splitlines())) <= 80


def test_help_names_every_command_and_every_command_is_tested_here():
    shown = ran("--help").stdout
    assert [command for command in COMMANDS if command not in shown] == []
    assert set(typer.main.get_command(app).commands) == set(COMMANDS)


def test_help_takes_well_under_a_second():
    # Processor time, since the clock also counts what other programs on the machine do.
    timed = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'uhhrag', '--help'], check=True,\n"
        "               stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)\n"
    )
    ran("--help")  # compiles what was changed
    done = subprocess.run(
        [sys.executable, "-c", timed], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < LIMIT


def test_the_version_is_printed():
    from uhhrag import __version__

    assert ran("--version").stdout == f"uhhrag {__version__}\n"
