"""A command of the program, run in this process."""

from __future__ import annotations

import contextlib
import io
import sys
from functools import cache
from unittest import mock

import typer

from uhhrag.cli import main

_built = cache(typer.main.get_command)
"""The parser of all commands, whose making takes longer than many a command."""


def call(*words: object) -> tuple[int, str, str]:
    """Run `uhhrag` with the words: exit code, output, errors."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = ended_with(*words)
    return code, out.getvalue(), err.getvalue()


def ended_with(*words: object) -> int:
    """The exit code of `uhhrag` with the words; what it prints is let through."""
    with (
        mock.patch.object(sys, "argv", ["uhhrag", *map(str, words)]),
        mock.patch.object(typer.main, "get_command", _built),
    ):
        try:
            main()
        except SystemExit as ended:
            return int(ended.code or 0)
    raise RuntimeError(f"uhhrag {' '.join(map(str, words))} did not end")
