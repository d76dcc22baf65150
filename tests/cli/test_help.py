"""`uhhrag --help` answers at once and loads nothing heavy; every command explains itself."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from tests.support.paths import ROOT
from uhhrag import __version__
from uhhrag.cli import app
from uhhrag.cli.panels import FIRST, PANELS
from uhhrag.config.option import MACHINE, MODELS, VERDICT
from uhhrag.system.build import build

runner = CliRunner()

HEAVY = {
    "docx",
    "faiss",
    "huggingface_hub",
    "jinja2",
    "llama_cpp",
    "jsonschema",
    "lxml",
    "mcp",
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
    "archive",
    "search",
    "mcp",
    "claims",
    "bundle",
    "table",
    "report",
    "serve",
    "models",
    "train",
    "check-files",
    "merge",
    "bench-llm",
    "doctor",
]
SHOW = """
import contextlib, io, json, sys
from uhhrag.cli import main
shown = {}
for words in json.loads(sys.argv[1]):
    sys.argv = ["uhhrag", *words.split()]
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.suppress(SystemExit):
        main()
    shown[words] = out.getvalue(), list(sys.modules)
json.dump(shown, sys.stdout)
"""
"""What each command line shows, and the modules that are loaded then."""
LIMIT = 1.0
"""Seconds of processor time, of which starting Python itself takes a twentieth."""


def ran(*arguments: str) -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={"COLUMNS": "80", "PATH": "", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout


@pytest.fixture(scope="module")
def shown() -> dict[str, tuple[str, list[str]]]:
    lines = ["--version", "--help", *(f"{command} --help" for command in COMMANDS)]
    return json.loads(ran("-c", SHOW, json.dumps(lines)))


@pytest.mark.slow
@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_help_loads_nothing_heavy_and_fits_the_terminal(shown, command):
    text, modules = shown[f"{command} --help".strip()]
    assert {name.split(".")[0] for name in modules} & HEAVY == set()
    assert f"Usage: uhhrag {command}".strip() in text
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.slow
def test_help_names_every_command_and_every_command_is_tested_here(shown):
    text, _ = shown["--help"]
    assert [command for command in COMMANDS if command not in text] == []
    commands = typer.main.get_command(app).commands
    assert {name for name, command in commands.items() if not command.hidden} == set(COMMANDS)


@pytest.mark.parametrize(("command", "first"), FIRST.items())
def test_six_options_come_first_and_every_other_one_has_a_panel(command, first):
    assert len(first) == 6
    parameters = {one.name: one for one in typer.main.get_command(app).commands[command].params}
    assert set(first) <= set(parameters)
    options = [one for one in parameters.values() if one.param_type_name == "option"]
    shown = [one for one in options if not one.hidden]
    assert {one.name for one in shown if one.rich_help_panel is None} == set(first)
    assert {one.rich_help_panel for one in shown} - {None} <= {*PANELS, VERDICT, MODELS, MACHINE}


@pytest.mark.parametrize(
    ("command", "option", "allowed"),
    [
        ("predict", "top_n", "1 or more"),
        ("predict", "nearest", "0 to 0.99"),
        ("evaluate", "resamples", "1 to 10,000"),
        ("evaluate", "threads", "1 or more"),
    ],
)
def test_the_help_of_a_number_says_which_are_allowed(command, option, allowed):
    parameters = typer.main.get_command(app).commands[command].params
    (shown,) = (one.help for one in parameters if one.name == option)
    assert shown.endswith(f". {allowed}.")


@pytest.mark.slow
def test_switches_take_no_value_in_the_help(shown):
    assert re.search(r"--json {5,}For scripts", shown["check --help"][0])


@pytest.mark.slow
def test_old_names_still_work_and_are_not_shown(shown, tmp_path):
    for words in ("--help", "predict --help", "calibrate --help"):
        assert not re.search(r"\bverify\b|--verdict", shown[words][0])
    old, new = (runner.invoke(app, [name, str(tmp_path)]) for name in ("verify", "check-files"))
    assert str(old.exception) == str(new.exception) != ""
    for option in ("--verdict", "--rule"):
        refused = runner.invoke(app, ["predict", option, "dice"])
        assert "--rule dice is unknown" in str(refused.exception)
    both = runner.invoke(app, ["predict", "--verdict", "all", "--rule", "majority"])
    assert "--verdict is the old name of --rule" in str(both.exception)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "completed"), [("che", {"check", "check-files"}), ("predict --ru", {"--rule"})]
)
def test_a_shell_completes_commands_and_options(words, completed):
    asked = {"COMP_WORDS": f"uhhrag {words}", "COMP_CWORD": str(len(words.split()))}
    done = subprocess.run(
        [str(Path(sys.executable).with_name("uhhrag"))],
        env={"_UHHRAG_COMPLETE": "complete_bash", "PYTHONPATH": str(ROOT), "PATH": "", **asked},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert set(done.stdout.split()) == completed


@pytest.mark.slow
def test_help_takes_well_under_a_second():
    # Processor time, since the clock also counts what other programs on the machine do.
    timed = (
        "import resource, subprocess, sys\n"
        "subprocess.run([sys.executable, '-m', 'uhhrag', '--help'], check=True,\n"
        "               stdout=subprocess.DEVNULL)\n"
        "used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)\n"
    )
    ran("-m", "uhhrag", "--help")  # compiles what was changed
    done = subprocess.run(
        [sys.executable, "-c", timed], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert float(done.stdout) < LIMIT


@pytest.mark.slow
def test_the_version_is_printed(shown):
    assert shown["--version"][0] == f"uhhrag {__version__} (build {build()})\n"


@pytest.mark.slow
def test_output_that_nobody_reads_has_its_exit_code():
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "uhhrag", "models", "list"]
    ended = subprocess.run(command, cwd=ROOT, stdout=writer, stderr=subprocess.PIPE, timeout=60)
    os.close(writer)
    assert (ended.returncode, ended.stderr) == (141, b"")


@pytest.mark.slow
def test_output_in_an_encoding_that_lacks_a_letter_is_one_line(tmp_path):
    said = [{"claim_id": 0, "pred_label": "Refuted"}]
    (tmp_path / "said.json").write_text(json.dumps(said))
    ended = subprocess.run(
        [sys.executable, "-m", "uhhrag", "convert", "said.json", "→.json"],
        cwd=tmp_path,
        env={"PYTHONIOENCODING": "latin-1", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"},
        capture_output=True,
        timeout=60,
    )
    assert ended.returncode == 1
    assert ended.stderr == (
        b"uhhrag: the output cannot be written in latin-1; set PYTHONIOENCODING=utf-8\n"
    )
