from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, TypedDict, TypeVar

from uhhrag import defaults
from uhhrag.config.option import unknown_option
from uhhrag.errors import UsageError
from uhhrag.protocols import LLM, Entailment
from uhhrag.scores.choices import JudgeKind, Measure
from uhhrag.wiring.loaded import Loaded
from uhhrag.wiring.machine import Machine

E = TypeVar("E", bound=StrEnum)


class JudgeOptions(TypedDict, total=False):
    """As `uhhrag evaluate`; `judge` also takes a `Loaded` entailment, `llm` a `Loaded` model."""

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
    kind: JudgeKind
    llm: str | Loaded[LLM] = defaults.LLM
    verifier: str | Loaded[Entailment] | None = None
    prompts: Path | None = None
    replies: Path | None = None
    machine: Machine = field(default_factory=Machine)


_OF = {
    JudgeKind.VERIFIER: {"verifier"},
    JudgeKind.LLM: {"llm", "prompts", "replies", "gpu_layers"},
}


def one_of(kind: type[E], option: str, value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(kind)
        raise UsageError(f"{option} {value!r} is unknown; it is one of: {known}") from None


def choose_judge(measure: str, options: JudgeOptions) -> Judging | None:
    """None for METEOR. Raises UsageError for a foreign option, TypeError for an unknown one."""
    values: dict[str, Any] = dict(options)
    if unknown := sorted(values.keys() - JudgeOptions.__annotations__.keys()):
        raise unknown_option(unknown[0], JudgeOptions.__annotations__, "evaluate")
    if one_of(Measure, "measure", measure) is not Measure.EV2R:
        if values:
            raise UsageError(
                f"{_option(next(iter(values)))} belongs to --measure {Measure.EV2R}; add it"
            )
        return None
    own = values.pop("judge", JudgeKind.VERIFIER)
    if isinstance(own, Loaded):
        values["verifier"], own = own, JudgeKind.VERIFIER
    kind = one_of(JudgeKind, "judge", own)
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
        verifier=str(verifier) if isinstance(verifier, Path) else verifier,
        machine=Machine(**machine),
        **paths,
    )


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
