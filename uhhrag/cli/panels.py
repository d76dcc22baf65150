"""The layout of commands' help."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.models import OptionInfo

from uhhrag.cli.options import signed
from uhhrag.config.option import EVIDENCE

FIRST: Mapping[str, tuple[str, ...]] = {
    "check": ("docs", "claims", "article", "date", "before", "exclude_sites"),
    "mcp": ("docs", "work", "port", "token", "before", "exclude_sites"),
    "serve": ("docs", "collections", "browser", "port", "before", "exclude_sites"),
    "predict": ("index", "out", "limit", "before", "exclude_sites", "abstain_below"),
}
"""At the top of the help."""
PANELS: Mapping[str, tuple[str, ...]] = {
    "Output": ("as_json", "html", "out", "work", "overwrite", "repair", "trec"),
    "Claims": ("claim", "speaker", "limit", "shard", "ray"),
    "What is served, and to whom": (
        *("index", "host", "port", "token", "desk"),
        *("address", "reviewer", "reviewer_url", "publish_base"),
    ),
    EVIDENCE: ("pool", "rerank"),
}
"""A command's other options, by topic; those of `cli.method` declare theirs."""
_TOPICS = {name: panel for panel, names in PANELS.items() for name in names}


def lay_out(app: typer.Typer) -> None:
    """Switches are shown without a value."""
    for command in app.registered_commands:
        if command.callback is not None and command.name is not None:
            command.callback = _laid_out(command.callback, FIRST.get(command.name))


def _laid_out(command: Callable[..., None], first: tuple[str, ...] | None) -> Callable[..., None]:
    parameters = [
        one.replace(annotation=_shown(one, first))
        for one in inspect.signature(command, eval_str=True).parameters.values()
    ]

    @functools.wraps(command)
    def called(**values: Any) -> None:
        command(**values)

    return signed(called, parameters)


def _shown(parameter: inspect.Parameter, first: tuple[str, ...] | None) -> Any:
    if get_origin(parameter.annotation) is not Annotated:
        return parameter.annotation
    kind, *details = get_args(parameter.annotation)
    option = copy.copy(details[0])  # several commands share options
    if not isinstance(option, OptionInfo):
        return parameter.annotation
    if kind is bool:
        option.metavar = ""
    if first is not None and parameter.name not in first:
        option.rich_help_panel = option.rich_help_panel or _TOPICS.get(parameter.name)
    else:
        option.rich_help_panel = None
    return Annotated[kind, option]
