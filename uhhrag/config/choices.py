"""The choices of a run, as they are written."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from uhhrag import defaults
from uhhrag.approaches import ApproachSpec
from uhhrag.evidence.context import Answers
from uhhrag.rules.rules import Decoding, Rule
from uhhrag.voters.opening import VoterSpec
from uhhrag.voters.table import AUTO


class Questions(StrEnum):
    AUTO = "auto"
    """`mixed` if the approach can mix, else `llm`"""
    MIXED = "mixed"
    LLM = "llm"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Choices that need no parsing."""

    approach: str = defaults.APPROACH
    questions: Questions = Questions.AUTO
    answers: Answers = Answers.WINDOW
    decoding: Decoding = Decoding.CONSTRAINED
    voter: str = AUTO
    verifier: Path | None = None
    learned: Path | None = None
    llm: str = defaults.LLM
    reranker: str = defaults.RERANKER
    nli: Path | None = None
    lora: Path | None = None
    prompts: Path | None = None
    examples: Path | None = None
    calibration: Path | None = None
    seed: int = defaults.SEED
    abstain_below: float = 0.0
    nearest: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(Common):
    """The choices of `predict` that can change its results, as in run.json."""

    rule: str | None = None
    """None for that of the approach's paper"""
    top: int | None = None
    options: tuple[str, ...] = ()
    """`name=value` words of the approach"""
    before: str | None = None
    exclude_sites: Path | None = None
    undated: bool = True
    file_dates: bool = False
    granularity: str | None = None
    """None for the voter's default"""
    documents: bool = False
    """check against a user's documents"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Rows that a calling program brings itself."""

    approach: ApproachSpec | None = None
    rule: Rule | None = None
    voter: VoterSpec | None = None


NO_PARTS = Parts()
