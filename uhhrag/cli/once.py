"""Refuses a single-value option given twice."""

from __future__ import annotations

from collections import Counter
from typing import Any

import typer
from typer.core import TyperCommand

from uhhrag.errors import UsageError


class OnceCommand(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Raises UsageError."""
        _, _, order = self.make_parser(ctx).parse_args(args=list(args))
        given = Counter(
            param.opts[0]
            for param in order
            if param.param_type_name == "option"
            and not (param.multiple or getattr(param, "is_flag", False))
        )
        for name, times in given.items():
            if times > 1:
                many = "twice" if times == 2 else f"{times} times"
                raise UsageError(f"{name} is given {many} and takes one value; give it once")
        return super().parse_args(ctx, args)


def once(group: typer.Typer) -> None:
    for command in group.registered_commands:
        command.cls = OnceCommand
