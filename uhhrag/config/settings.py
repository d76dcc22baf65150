from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date
from enum import StrEnum
from pathlib import Path
from typing import Any, get_args

from uhhrag import defaults
from uhhrag.approaches import APPROACHES, ApproachSpec
from uhhrag.approaches.options import (
    ClassifierFolder,
    WriterFolder,
    as_words,
    folders,
    read_options,
)
from uhhrag.config.choices import NO_PARTS, Choices, Common, Parts, Questions
from uhhrag.config.option import declared
from uhhrag.config.recipe import Recipe, words_of
from uhhrag.errors import InputError, UsageError
from uhhrag.evidence.context import Granularity, read_granularity
from uhhrag.prompts import few_shot
from uhhrag.prompts.templates import Prompts, load_prompts
from uhhrag.rules import reading_head
from uhhrag.rules.learned_files import read_learned
from uhhrag.rules.rules import RULES, Decoding, Rule, template_of
from uhhrag.store.filters import Limits, read_limits
from uhhrag.voters.calibration import read_entries
from uhhrag.voters.opening import VoterSpec, Wanted, takes_sides
from uhhrag.voters.table import AUTO, MEASURED, VOTERS, taken


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    approach: ApproachSpec
    rule: Rule
    voter: VoterSpec


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings(Common):
    choices: Choices
    parts: Rows
    rule: str
    top: int
    options: Any
    words: Mapping[str, str]
    """options that differ from the paper's"""
    limits: Limits
    granularity: Granularity
    templates: Prompts
    """those in use, with drawn examples"""
    folders: Mapping[str, WriterFolder | ClassifierFolder]

    @property
    def needs_llm(self) -> bool:
        votes = self.parts.voter.llm and bool(self.parts.rule.step)
        return self.questions is not Questions.TEMPLATE or votes

    @property
    def titled(self) -> bool:
        """Whether leads are read: in the shared task, titles often are the claim."""
        own = self.choices.documents and self.parts.voter.leads
        return own and not self.granularity.together  # a passage begins with its headings


def parse(choices: Choices, given: Parts = NO_PARTS) -> Settings:
    """Reads the files that are named. Raises UsageError, InputError or PromptError."""
    entry = _entry(choices, given)
    options = read_options(entry.options, choices.options, choices.approach)
    _require_use(choices, options)
    named = folders(options)
    classified = any(isinstance(folder, ClassifierFolder) for folder in named.values())
    unsaid = "learned" if choices.learned else "early" if classified else entry.rule
    rule = choices.rule or unsaid
    joins = given.rule or RULES[rule]
    if joins.own and not (joins.step or given.approach or entry.decides(options)):
        raise UsageError(
            f"--rule {rule} keeps an approach's own verdict, and --approach {choices.approach} as "
            "it is set reaches none; give another rule, or --approach pursuit"
        )
    choices = replace(
        choices, voter=_voter_of(choices, joins), questions=_questions_of(choices, entry)
    )
    voter = given.voter or VOTERS[choices.voter]
    if choices.documents and not choices.rule and voter.documents_rule:
        rule = voter.documents_rule
        joins = RULES[rule]
    _require_voter(choices, voter, rule, joins)
    _require_readable(choices)
    before, sites = choices.before, choices.exclude_sites
    limits = read_limits(before, sites, undated=choices.undated, file_dates=choices.file_dates)
    usual = voter.documents_granularity if choices.documents else defaults.GRANULARITY
    return Settings(
        **{field.name: getattr(choices, field.name) for field in fields(Common)},
        choices=choices,
        parts=Rows(approach=entry, rule=joins, voter=voter),
        rule=rule,
        top=choices.top or entry.top,
        options=options,
        words=as_words(options),
        limits=limits,
        granularity=read_granularity(choices.granularity or usual),
        templates=_templates(choices, entry, joins),
        folders=named,
    )


def _templates(choices: Choices, entry: ApproachSpec, rule: Rule) -> Prompts:
    """Those that approach and votes may fill."""
    prompts = load_prompts(choices.prompts)
    if choices.examples:
        prompts = prompts.with_examples(few_shot.draw(choices.examples, choices.seed))
    if entry.prompts is None:
        return prompts
    asked = () if choices.questions is Questions.TEMPLATE else entry.prompts
    return prompts.only((*asked, template_of(rule, choices.decoding), reading_head.STEP))


def _entry(choices: Choices, given: Parts) -> ApproachSpec:
    if not given.approach and choices.approach not in APPROACHES:
        raise UsageError(_unknown("approach", choices.approach, APPROACHES))
    if not given.rule and choices.rule is not None and choices.rule not in RULES:
        raise UsageError(_unknown("rule", choices.rule, RULES))
    entry = given.approach or APPROACHES[choices.approach]
    if choices.nli and not entry.checks:
        raise UsageError(
            f"--nli {choices.nli}: {choices.approach} checks no entailment; leave it out, or take: "
            f"--approach {' or '.join(name for name, e in APPROACHES.items() if e.checks)}"
        )
    if choices.reranker != defaults.RERANKER and not entry.reranker:
        raise UsageError(
            f"--reranker {choices.reranker}: {choices.approach} has none; leave it out"
        )
    if choices.questions is Questions.TEMPLATE and entry.asks:
        raise UsageError(
            f"--approach {choices.approach} asks a language model at every step; "
            "leave --questions template out"
        )
    if choices.questions is Questions.MIXED and not entry.mixes:
        able = ", ".join(name for name, other in APPROACHES.items() if other.mixes)
        raise UsageError(
            f"--approach {choices.approach} has no passages before its questions; --questions "
            f"mixed goes with: {able}"
        )
    return entry


def _require_use(choices: Choices, options: Any) -> None:
    if choices.nli and not getattr(options, "entailment", True):
        raise UsageError(
            f"--nli {choices.nli} checks nothing beside --set entailment=no; leave one out"
        )
    if choices.seed and not choices.examples:
        raise UsageError(
            f"--seed {choices.seed} draws examples, and there are none; give --examples, or for "
            f"samples of a model --set seed={choices.seed}"
        )
    if choices.file_dates and choices.before is None and choices.undated:
        raise UsageError("--file-dates is for --before; add it, or leave --file-dates out")


def _require_voter(choices: Choices, voter: VoterSpec, rule: str, joins: Rule) -> None:
    if joins.learned and not voter.serves(joins):
        raise UsageError(f"--rule {rule} reads the votes of a verifier; add --voter verifier")
    if not voter.serves(joins):
        able = ", ".join(name for name, other in RULES.items() if voter.serves(other))
        raise UsageError(
            f"--voter {choices.voter} reads one piece of evidence at a time, and --rule {rule} "
            f"does not; it goes with: {able}"
        )
    if choices.decoding not in voter.decodings:
        raise UsageError(
            f"--decoding {choices.decoding} is for a language model; leave --voter "
            f"{choices.voter} out"
        )
    if choices.verifier and not voter.verifier:
        raise UsageError(f"--verifier {choices.verifier} needs --voter verifier")
    if choices.calibrated and (voter.verifier or joins.learned):
        raise UsageError(
            f"--calibration {choices.calibration} is for votes of a language model alone; leave it "
            "out, or take --voter llm without --rule learned"
        )
    asks = choices.questions is not Questions.TEMPLATE
    if choices.examples and not asks:
        raise UsageError(f"--examples {choices.examples}: no model asks questions; leave it out")
    if choices.lora and not (voter.llm or asks):
        raise UsageError(f"--lora {choices.lora}: no language model is asked; leave it out")
    if choices.learned and not joins.learned:
        raise UsageError(f"--learned {choices.learned} needs --rule learned")


def _require_readable(choices: Choices) -> None:
    """Raises InputError before all documents are read."""
    if choices.learned:
        read_learned(choices.learned)
    if choices.calibration and choices.calibrated:
        read_entries(choices.calibration)


def _voter_of(choices: Choices, rule: Rule) -> str:
    if choices.voter != AUTO:
        return choices.voter
    decoded = choices.decoding is Decoding.PAPER
    own = decoded or choices.lora or choices.prompts or choices.calibrated
    measured = choices.llm in MEASURED
    reads = measured and not (choices.documents or choices.learned or choices.lora)
    plain = measured and takes_sides(rule) and not own
    return taken(Wanted(rule=rule, reads=reads, verifier=bool(choices.verifier), plain=plain))


def _questions_of(choices: Choices, entry: ApproachSpec) -> Questions:
    """`auto` takes the best on training claims (docs/benchmarks.md)."""
    if choices.questions is not Questions.AUTO:
        return choices.questions
    return Questions.MIXED if entry.mixes else Questions.LLM


_DECLARED = {one.name: one for one in declared(Choices)}


def build_settings(
    given: Mapping[str, Any], recipe: Recipe | None, parts: Parts = NO_PARTS
) -> Settings:
    """`given` precedes the recipe. Raises UsageError, or InputError for the recipe."""
    own = {field.name for field in fields(Parts) if getattr(parts, field.name)}
    values = {
        name: value if name in own else _kind(name, value, f"--{name} {value}")
        for name, value in given.items()
    }
    if recipe is not None:
        ours = {name: _kind(name, value, recipe) for name, value in recipe.values().items()}
        values = {**ours, **values}
        if recipe.approach in (None, values.get("approach", defaults.APPROACH)):
            values["option"] = (*words_of(recipe.set), *values.get("option", ()))
    fields_of = {name: one.field for name, one in _DECLARED.items()}
    return parse(Choices(**{fields_of.get(name, name): v for name, v in values.items()}), parts)


def _kind(name: str, value: Any, source: Recipe | str) -> Any:
    one = _DECLARED.get(name)
    kinds = (one.kind, *get_args(one.kind)) if one else ()
    if one is None or (value is None and type(None) in kinds):
        return value
    if Path in kinds:
        return Path(value)
    if isinstance(value, date | Path):
        return str(value)
    if one.option.words:
        words = one.option.words()
        if value in words:
            return str(value)
    elif isinstance(one.kind, type(StrEnum)):
        words = tuple(one.kind)
        if value in words:
            return one.kind(value)
    else:
        return value
    if isinstance(source, Recipe):
        raise InputError(f"--recipe {source.name}: {name} = {value!r} is unknown")
    raise UsageError(f"{source} is unknown; it is one of: {', '.join(words)}")


def _unknown(option: str, value: str, table: Mapping[str, object]) -> str:
    return f"--{option} {value} is unknown; it is one of: {', '.join(table)}"
