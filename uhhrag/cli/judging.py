from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, cast

import typer

from uhhrag import defaults
from uhhrag.cli.options import AllowRemote, GpuLayers, Threads, VerifierFolder, with_options
from uhhrag.scores.choices import JudgeKind, Measure
from uhhrag.workflows.judging import JudgeOptions, Judging, choose_judge


def _declared(
    measure: Annotated[
        Measure,
        typer.Option(help="meteor: the scores of the 2024 task. ev2r: that of 2025, by a judge."),
    ] = Measure.METEOR,
    judge: Annotated[
        JudgeKind,
        typer.Option(help="Who judges the evidence: the verifier or a language model."),
    ] = JudgeKind.VERIFIER,
    verifier: VerifierFolder = None,
    llm: Annotated[
        str, typer.Option(help="For --judge llm: a name, a .gguf file or a server's address.")
    ] = defaults.LLM,
    allow_remote: AllowRemote = False,
    prompts: Annotated[
        Path | None, typer.Option(help="For --judge llm: templates that replace ours.")
    ] = None,
    replies: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="For --judge llm: keep replies here, to continue if interrupted."
        ),
    ] = None,
    threads: Threads = None,
    gpu_layers: GpuLayers = 0,
) -> None: ...


OPTIONS = [*inspect.signature(_declared, eval_str=True).parameters.values()]


def judges_evidence(command: Callable[..., None]) -> Callable[..., None]:
    """Adds these options; the argument `judging` is None if no judge is needed."""
    return with_options(command, OPTIONS, "judging", _chosen)


def _chosen(given: dict[str, Any]) -> Judging | None:
    measure = given.pop("measure", Measure.METEOR)
    return choose_judge(measure, cast(JudgeOptions, given))
