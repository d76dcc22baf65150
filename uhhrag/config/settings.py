"""What a run is made with. Every default is the paper's number or a choice said in README.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from uhhrag import __version__, defaults
from uhhrag.approaches import APPROACHES
from uhhrag.approaches.options import ClassifierFolder, folders, read_options
from uhhrag.config.recipe import Recipe
from uhhrag.errors import InputError, UsageError
from uhhrag.evidence.context import Granularity, read_granularity
from uhhrag.store.filters import Limits, read_limits
from uhhrag.verdict.rules import RULES, Decoding


class Questions(StrEnum):
    LLM = "llm"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True)
class Settings:
    """The choices of one run of `predict` that can change its results. `top` and `rule` None stand
    for those of the approach's paper; `options` are `name=value` words of the approach's own."""

    approach: str = defaults.APPROACH
    rule: str | None = None
    top: int | None = None
    questions: Questions = Questions.LLM
    decoding: Decoding = Decoding.CONSTRAINED
    llm: str = defaults.LLM
    reranker: str = defaults.RERANKER
    nli: Path | None = None
    lora: Path | None = None
    prompts: Path | None = None
    examples: Path | None = None
    calibration: Path | None = None
    seed: int = defaults.SEED
    options: tuple[str, ...] = ()
    before: str | None = None
    exclude_sites: Path | None = None
    undated: bool = True
    abstain_below: float = 0.0
    granularity: str = defaults.GRANULARITY
    nearest: float = 0.0

    def __post_init__(self) -> None:
        if self.approach not in APPROACHES:
            raise UsageError(_unknown("approach", self.approach, APPROACHES))
        if self.rule is not None and self.rule not in RULES:
            raise UsageError(_unknown("verdict", self.rule, RULES))
        if self.top is not None and self.top < 1:
            raise UsageError(f"--top-n {self.top} keeps no evidence; give 1 or more")
        if self.nli and not APPROACHES[self.approach].checks:
            raise UsageError(
                f"--nli {self.nli}: {self.approach} checks no entailment; leave it out, or take: "
                f"--approach {' or '.join(name for name, e in APPROACHES.items() if e.checks)}"
            )
        if self.reranker != defaults.RERANKER and not APPROACHES[self.approach].reranker:
            raise UsageError(f"--reranker {self.reranker}: {self.approach} has none; leave it out")
        if self.questions is Questions.TEMPLATE and APPROACHES[self.approach].asks:
            raise UsageError(
                f"--approach {self.approach} asks a language model at every step; "
                "leave --questions template out"
            )
        chosen = self.chosen
        if self.nli and not chosen.entailment:
            raise UsageError(
                f"--nli {self.nli} checks nothing beside --set entailment=no; leave one out"
            )
        if self.seed and not self.examples:
            raise UsageError(
                f"--seed {self.seed} draws examples, and there are none; give --examples, or for "
                f"samples of a model --set seed={self.seed}"
            )
        if not 0 <= self.abstain_below <= 1:
            raise UsageError(f"--abstain-below {self.abstain_below} is no probability; give 0 to 1")
        read_limits(self.before, self.exclude_sites, undated=self.undated)
        read_granularity(self.granularity)
        if not 0 <= self.nearest < 1:
            raise UsageError(f"--nearest {self.nearest} is no similarity; give 0 (off) to 0.99")

    @property
    def reading(self) -> Granularity:
        """How much of a page a vote reads."""
        return read_granularity(self.granularity)

    @property
    def limits(self) -> Limits:
        """What no claim may be checked with."""
        return read_limits(self.before, self.exclude_sites, undated=self.undated)

    @property
    def chosen(self) -> Any:
        """The approach's own options."""
        return read_options(APPROACHES[self.approach].options, self.options, self.approach)

    @property
    def verdict(self) -> str:
        """The name of the rule that decides: the one asked for, else the approach's own verdict
        where a classifier gives one, else the rule of its paper."""
        classified = any(isinstance(f, ClassifierFolder) for f in folders(self.chosen).values())
        return self.rule or ("early" if classified else APPROACHES[self.approach].rule)

    @property
    def kept(self) -> int:
        """How many pieces of evidence are kept at most."""
        return self.top or APPROACHES[self.approach].top


_FIELD_OF = {"verdict": "rule", "top_n": "top", "option": "options"}
_KINDS: Mapping[str, Callable[[str], Any]] = {
    "questions": Questions,
    "decoding": Decoding,
    "exclude_sites": Path,
    "prompts": Path,
}


def settle(given: Mapping[str, Any], recipe: Recipe | None) -> Settings:
    """The settings of a run from the options of `predict` that were given, by their names: these
    take precedence over the recipe's, and the recipe's over the defaults. A recipe's options of
    its approach hold for that approach alone. Raises UsageError, or InputError where the recipe is
    at fault."""
    values = {name: _kind(name, value, f"--{name} {value}") for name, value in given.items()}
    if recipe is not None:
        ours = {name: _kind(name, value, recipe) for name, value in recipe.values().items()}
        values = {**ours, **values}
        if values.get("approach", Settings().approach) == recipe.approach:
            values["option"] = (*recipe.words(), *values.get("option", ()))
    return Settings(**{_FIELD_OF.get(name, name): value for name, value in values.items()})


def _kind(name: str, value: Any, source: Recipe | str) -> Any:
    """A value in the type of its option. Raises an error that names where it is from."""
    try:
        return _KINDS[name](value) if name in _KINDS and value is not None else value
    except ValueError:
        if isinstance(source, Recipe):
            raise InputError(f"--recipe {source.name}: {name} = {value!r} is unknown") from None
        options = _KINDS[name]
        known = ", ".join(options) if isinstance(options, type(StrEnum)) else ""
        raise UsageError(f"{source} is unknown; it is one of: {known}") from None


def _unknown(option: str, value: str, table: Mapping[str, object]) -> str:
    return f"--{option} {value} is unknown; it is one of: {', '.join(table)}"


def signature(parts: Mapping[str, str | int]) -> str:
    """One line that names everything a number depends on, in the manner of sacreBLEU.

    >>> signature({"top": 10}).replace(__version__, "V")
    'top:10|version:V'
    """
    return "|".join(f"{key}:{value}" for key, value in {**parts, "version": __version__}.items())
