"""docs/cli.md says what the commands say."""

from __future__ import annotations

import typer

from scripts import cli_reference
from uhhrag.cli import app


def test_the_page_of_commands_is_up_to_date():
    text = cli_reference.PAGE.read_text(encoding="utf-8")
    assert text == cli_reference.page(), "run: python -m scripts.cli_reference"


def test_the_page_has_every_command_and_every_option_of_it():
    text = cli_reference.page()
    shared = text.split("## Options that choose how claims are decided")[1]
    commands = dict(cli_reference._commands(typer.main.get_command(app), ()))
    assert {"check", "predict", "models pull"} <= set(commands)
    for name, command in commands.items():
        section = text.split(f"\n## uhhrag {name}\n")[1].split("\n## ")[0]
        if name in cli_reference.DECIDING_COMMANDS:
            section += shared
        for option in cli_reference._options(command):
            assert all(f"`{one}" in section for one in option.opts), (name, option.opts)
