from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from uhhrag import defaults
from uhhrag.cli.options import HELP, parameter, with_options
from uhhrag.config.option import declared, option
from uhhrag.scores.choices import JudgeKind, Measure
from uhhrag.workflows.judging import JudgeOptions, Judging, choose_judge


@dataclass(frozen=True)
class _Options:
    measure: Measure = option(
        Measure.METEOR, "meteor: the scores of the 2024 task. ev2r: that of 2025, by a judge."
    )
    judge: JudgeKind = option(
        JudgeKind.VERIFIER, "Who judges the evidence: the verifier or a language model."
    )
    verifier: str | None = option(None, HELP["verifier"], metavar="MODEL")
    llm: str = option(defaults.LLM, "For --judge llm: a name, a .gguf file or a server's address.")
    allow_remote: bool = option(False, HELP["allow_remote"])
    prompts: Path | None = option(None, "For --judge llm: templates that replace ours.")
    replies: Path | None = option(
        None, "For --judge llm: keep replies here, to continue if interrupted.", metavar="FILE"
    )
    threads: int | None = option(None, HELP["threads"], least=1)
    gpu_layers: int = option(0, HELP["gpu_layers"])


OPTIONS = [*map(parameter, declared(_Options))]


def _chosen(given: dict[str, Any]) -> Judging | None:
    measure = given.pop("measure", Measure.METEOR)
    return choose_judge(measure, cast(JudgeOptions, given))


judges_evidence = with_options(OPTIONS, "judging", _chosen)
"""Adds these options; the argument `judging` is None if no judge is needed."""
