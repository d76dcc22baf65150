"""Which measure scores a run, and who judges its evidence: options → what is to be loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from uhhrag import defaults
from uhhrag.errors import UsageError
from uhhrag.protocols import LLM, Entailment
from uhhrag.scores.choices import JudgeKind, Measure
from uhhrag.wiring.loaded import Loaded
from uhhrag.wiring.machine import Machine


class JudgeOptions(TypedDict, total=False):
    """Who judges, by the names of the options of `uhhrag evaluate`; docs/cli.md says what each
    does. `judge` also takes a `Loaded` entailment check, `llm` a `Loaded` language model."""

    judge: str | Loaded[Entailment]
    verifier: str | Path | None
    llm: str | Path | Loaded[LLM]
    allow_remote: bool
    prompts: str | Path | None
    replies: str | Path | None
    threads: int | None
    gpu_layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    """Who judges, chosen but not loaded. `verifier` is a folder, None for the shipped one;
    `prompts` is a folder with templates that replace ours, `replies` a file that keeps a language
    model's replies."""

    kind: JudgeKind
    llm: str | Loaded[LLM] = defaults.LLM
    verifier: Path | Loaded[Entailment] | None = None
    prompts: Path | None = None
    replies: Path | None = None
    machine: Machine = field(default_factory=Machine)


_OF = {
    JudgeKind.VERIFIER: {"verifier"},
    JudgeKind.LLM: {"llm", "allow_remote", "prompts", "replies", "gpu_layers"},
}
"""The options that one kind of judge has."""


def choose_judge(measure: str, options: JudgeOptions) -> Judging | None:
    """Who judges by the options that were given; None for the measure without a judge. Raises
    UsageError for an option that the measure or the judge does not have, TypeError for an unknown
    one."""
    values: dict[str, Any] = dict(options)
    if unknown := sorted(values.keys() - JudgeOptions.__annotations__.keys()):
        raise TypeError(f"{unknown[0]!r} is not an option; docs/cli.md lists those of evaluate")
    if measure not in set(Measure):
        raise UsageError(f"measure {measure!r} is unknown; it is one of: {', '.join(Measure)}")
    if measure != Measure.EV2R:
        if values:
            raise UsageError(
                f"{_option(next(iter(values)))} belongs to --measure {Measure.EV2R}; add it"
            )
        return None
    own = values.pop("judge", JudgeKind.VERIFIER)
    if isinstance(own, Loaded):
        values["verifier"], own = own, JudgeKind.VERIFIER
    if own not in set(JudgeKind):
        raise UsageError(f"judge {own!r} is unknown; it is one of: {', '.join(JudgeKind)}")
    kind = JudgeKind(own)
    other = next(kind_of for kind_of in JudgeKind if kind_of is not kind)
    if foreign := sorted(_OF[other] & values.keys()):
        raise UsageError(
            f"{_option(foreign[0])} belongs to --judge {other}; add it or leave it out"
        )
    machine = {
        key: values.pop(key) for key in ("threads", "gpu_layers", "allow_remote") if key in values
    }
    paths = {
        key: Path(values[key]) for key in ("prompts", "replies") if values.get(key) is not None
    }
    llm, verifier = values.get("llm", defaults.LLM), values.get("verifier")
    return Judging(
        kind=kind,
        llm=llm if isinstance(llm, Loaded) else str(llm),
        verifier=Path(verifier) if isinstance(verifier, str) else verifier,
        machine=Machine(**machine),
        **paths,
    )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
