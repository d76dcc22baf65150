"""What the README tells a reader to type exists: commands, options, scripts, files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from uhhrag.cli import app

ROOT = Path(__file__).resolve().parents[1]
PAGES = [
    ROOT / "README.md",
    ROOT / "prompts" / "README.md",
    ROOT / "data" / "README.md",
    # mistakes.md shows what must not be typed
    *sorted(page for page in (ROOT / "docs").glob("*.md") if page.stem != "mistakes"),
]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
LINES = [line.strip() for line in re.findall(r"^    (uhhrag .*)$", TEXT, re.MULTILINE)]
INLINE = re.findall(r"`(uhhrag [^`]*)`", TEXT)
ROOT_COMMAND = typer.main.get_command(app)


def command_of(words: list[str]):
    """The command a line names, through sub-commands, and the words after it."""
    command, rest = ROOT_COMMAND, words[1:]
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


@pytest.mark.parametrize("line", LINES + INLINE)
def test_a_command_of_the_readme_and_its_options_exist(line):
    words = shlex.split(line.replace("…", ""), comments=True)
    command, rest = command_of(words)
    if words[1:] and not words[1].startswith("-"):
        assert command is not ROOT_COMMAND, f"there is no command {words[1]}"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    known |= {"--help", "--version", "--debug"}
    assert {word for word in rest if word.startswith("--")} <= known


def test_the_options_in_the_table_of_predict_exist():
    table = (ROOT / "README.md").read_text(encoding="utf-8").split("| option of `predict` |")[1]
    named = re.findall(r"`(--[a-z-]+)`", table.split("\n\n")[0])
    options = ROOT_COMMAND.commands["predict"].params
    known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
    assert named
    assert set(named) <= known


@pytest.mark.parametrize("name", sorted(set(re.findall(r"scripts/[a-z-]*[a-z](?![\w.*{-])", TEXT))))
def test_a_script_of_the_readme_exists_and_can_be_run(name):
    assert (ROOT / name).stat().st_mode & 0o100


def test_no_part_of_the_readme_waits_to_be_filled():
    assert "@@" not in TEXT
