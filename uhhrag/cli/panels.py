"""The layout of commands' help; a single-value option given twice is refused."""

from __future__ import annotations

import copy
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.core import TyperCommand
from typer.models import OptionInfo

from uhhrag.cli.options import signed
from uhhrag.config.option import EVIDENCE
from uhhrag.errors import UsageError

FIRST: Mapping[str, tuple[str, ...]] = {
    "check": ("docs", "claims", "article", "date", "before", "exclude_sites"),
    "mcp": ("docs", "work", "port", "token", "before", "exclude_sites"),
    "serve": ("docs", "collections", "browser", "port", "before", "exclude_sites"),
    "predict": ("index", "out", "limit", "before", "exclude_sites", "abstain_below"),
}
PANELS: Mapping[str, tuple[str, ...]] = {
    "Output": ("as_json", "html", "out", "work", "overwrite", "repair", "trec"),
    "Claims": ("claim", "speaker", "limit", "shard", "ray"),
    "What is served, and to whom": (
        *("index", "host", "port", "token", "desk"),
        *("address", "reviewer", "reviewer_url", "publish_base"),
    ),
    EVIDENCE: ("pool", "rerank"),
}
"""A command's other options, by topic; `Beside` and `Choices` declare theirs."""
_TOPICS = {name: panel for panel, names in PANELS.items() for name in names}
_INTEGER_LIMIT = 2**32
"""Files hold no larger numbers, nor do generators take such seeds."""


def lay_out(app: typer.Typer) -> None:
    """Switches are shown without a value."""
    for command in app.registered_commands:
        command.cls = OnceCommand
        if command.callback is not None and command.name is not None:
            every = inspect.signature(command.callback, eval_str=True).parameters.values()
            first = FIRST.get(command.name)
            signed(command.callback, [_shown(p, first) for p in every])


def _shown(parameter: inspect.Parameter, first: tuple[str, ...] | None) -> inspect.Parameter:
    kind, found = parameter.annotation, parameter.default
    if shared := get_origin(kind) is Annotated:
        kind, found = get_args(kind)
    if not isinstance(found, OptionInfo):
        return parameter
    option = copy.copy(found)  # several commands share options
    if kind is bool:
        option.metavar = ""
    if first is not None and parameter.name not in first:
        option.rich_help_panel = option.rich_help_panel or _TOPICS.get(parameter.name)
    else:
        option.rich_help_panel = None
    if shared:
        return parameter.replace(annotation=Annotated[kind, option])
    return parameter.replace(default=option)


class OnceCommand(TyperCommand):
    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        try:
            values, _, order = self.make_parser(ctx).parse_args(args=list(args))
        except Exception as error:
            vars(error)["ctx"] = ctx  # an option without its value names no command
            raise
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
        left = super().parse_args(ctx, args)
        for name, value in ctx.params.items():
            if Path() in _each(value) and "" in _each(values.get(name)):
                raise UsageError(f"{_as_given(name, order)} is empty; name a file or folder")
            if type(value) is int and value >= _INTEGER_LIMIT:
                raise UsageError(
                    f"--{name.replace('_', '-')} {value}: give less than {_INTEGER_LIMIT:,}"
                )
        return left


def _each(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _as_given(name: str, order: Sequence[Any]) -> str:
    param = next(one for one in order if one.name == name)
    return param.opts[0] if param.param_type_name == "option" else param.metavar or name.upper()
