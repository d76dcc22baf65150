"""The layout of help: important options first, then panels by topic."""

from __future__ import annotations

import copy
import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Annotated, Any, get_args, get_origin

import typer
from typer.models import OptionInfo

FIRST: Mapping[str, tuple[str, ...]] = {
    "check": ("docs", "claims", "article", "date", "before", "exclude_sites"),
    "mcp": ("docs", "work", "port", "token", "before", "exclude_sites"),
    "serve": ("docs", "collections", "browser", "port", "before", "exclude_sites"),
    "predict": ("index", "out", "limit", "before", "exclude_sites", "abstain_below"),
}
"""Options at the top, by command."""
PANELS: Mapping[str, tuple[str, ...]] = {
    "Output": ("as_json", "html", "out", "work", "overwrite", "repair", "trec"),
    "Claims": ("claim", "speaker", "limit", "shard", "ray"),
    "What is served, and to whom": (
        "index",
        "host",
        "port",
        "token",
        "desk",
        "reviewer",
        "reviewer_url",
        "publish_base",
    ),
    "How evidence is found": (
        "recipe",
        "approach",
        "top_n",
        "option",
        "questions",
        "answers",
        "granularity",
        "nearest",
        "pool",
        "rerank",
        "undated",
        "file_dates",
    ),
    "How the verdict is decided": (
        "rule",
        "decoding",
        "voter",
        "verifier",
        "learned",
        "abstain_below",
        "calibration",
    ),
    "Models and prompts": (
        "llm",
        "allow_remote",
        "reranker",
        "nli",
        "lora",
        "embedder",
        "prompts",
        "examples",
        "seed",
    ),
    "This machine": ("threads", "gpu_layers", "device", "cache"),
}
"""The other options by topic."""
_TOPICS = {name: panel for panel, names in PANELS.items() for name in names}


def lay_out(app: typer.Typer) -> None:
    """Put options into panels, and show switches without a value."""
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

    called.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    return called


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
        option.rich_help_panel = _TOPICS.get(parameter.name)
    return Annotated[kind, option]
