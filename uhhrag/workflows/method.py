from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict

from uhhrag.approaches import ApproachSpec
from uhhrag.config.choices import Questions
from uhhrag.config.option import declared, unknown_option
from uhhrag.config.recipe import Recipe, read_recipe, words_of
from uhhrag.config.settings import Settings, build_settings
from uhhrag.errors import UsageError
from uhhrag.protocols import LLM, Approach, Embedder, VerdictRule
from uhhrag.records import Claim
from uhhrag.rules.rules import Rule
from uhhrag.store.filters import Limits
from uhhrag.system.terminal import printable, quantity
from uhhrag.text.dates import read_date
from uhhrag.voters.opening import VotePerPiece, takes_sides
from uhhrag.voters.table import MEASURED
from uhhrag.wiring.machine import CALLABLE, Loaded, Machine
from uhhrag.workflows.own_parts import take_parts

if TYPE_CHECKING:
    from uhhrag.indexing.index_folder import Index
    from uhhrag.wiring.pipeline import Wired

_UNCALIBRATED = (
    "No calibration for this model and prompt: labels and probabilities are the\n"
    "model's own, which may lean to one side whatever the evidence says; see:\n"
    "uhhrag calibrate --help"
)
_NOT_FOR_DOCUMENTS = (
    "The shipped calibrations were fitted to news claims and are not applied to documents\n"
    "of your own: labels and probabilities are the model's own, which may lean to one side."
)


class MethodOptions(TypedDict, total=False):
    """As `uhhrag predict` (docs/cli.md). Functions are told apart by source."""

    recipe: str | Path | None
    approach: str | Approach | ApproachSpec | Loaded[Approach]
    """Also a function, or a changed row of its table."""
    top_n: int | None
    rule: str | VerdictRule | Rule | Loaded[VerdictRule] | None
    """As `approach`."""
    verdict: str | None
    """The old name of `rule`."""
    option: Mapping[str, Any] | Sequence[str]
    questions: str
    answers: str
    decoding: str
    voter: str | VotePerPiece | Loaded[VotePerPiece]
    verifier: str | Path | None
    learned: str | Path | None
    granularity: str | None
    nearest: float | None
    abstain_below: float
    llm: str | Path | Sequence[str] | Loaded[LLM]
    allow_remote: bool
    reranker: str | Path
    nli: str | Path | None
    lora: str | Path | None
    embedder: str | Path | Loaded[Embedder] | None
    prompts: str | Path | None
    examples: str | Path | None
    seed: int
    calibration: str | Path | None
    before: str | None
    exclude_sites: str | Path | None
    undated: bool
    file_dates: bool
    threads: int | None
    gpu_layers: int
    device: str
    cache: bool


_OF_THE_MACHINE = {one.name for one in declared(Machine)} - {"embedder"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    options: MethodOptions
    settings: Settings
    machine: Machine
    recipe: Recipe | None

    def for_documents(self) -> Chosen:
        """Questions come from a template, unless a language model is asked for."""
        options = self.options
        chosen = choose(options, documents=True)
        settings = chosen.settings
        asks = settings.parts.approach.asks or settings.parts.voter.llm
        if asks or self.recipe is not None or "llm" in options:
            return chosen
        return choose({"questions": Questions.TEMPLATE, **options}, documents=True)


def choose(options: MethodOptions, *, documents: bool = False) -> Chosen:
    """Options override the recipe. Raises UsageError, or TypeError for an unknown option."""
    values: dict[str, Any] = dict(options)
    old = values.pop("verdict", None)
    if old and values.setdefault("rule", old) != old:
        raise UsageError(f"--verdict is the old name of --rule; leave --verdict {old} out")
    if unknown := sorted(values.keys() - MethodOptions.__annotations__.keys()):
        raise unknown_option(unknown[0], MethodOptions.__annotations__, "check and predict")
    name = values.pop("recipe", None)
    recipe = read_recipe(str(name)) if name else None
    llm, embedder = values.pop("llm", None), values.pop("embedder", None)
    machine = {key: values.pop(key) for key in _OF_THE_MACHINE if key in values}
    own_llm = llm if isinstance(llm, Loaded) else None
    own_embedder = embedder if isinstance(embedder, Loaded) else None
    first, *servers = _names(llm)
    if first is not None:
        values["llm"] = first
    parts = take_parts(values)
    option = values.get("option") or ()
    values["option"] = words_of(option) if isinstance(option, Mapping) else tuple(option)
    values["nearest"] = values.get("nearest") or 0.0
    if documents:
        values["documents"] = True
    return Chosen(
        options=options,
        settings=build_settings(values, recipe, parts),
        machine=Machine(
            **machine,
            embedder=None if embedder is None or own_embedder else str(embedder),
            servers=tuple(servers),
            own_llm=own_llm,
            own_embedder=own_embedder,
        ),
        recipe=recipe,
    )


def _unmeasured(chosen: Chosen) -> str:
    settings = chosen.settings
    if "voter" in chosen.options or chosen.recipe or settings.llm in MEASURED:
        return ""
    if settings.parts.voter.verifier or not takes_sides(settings.parts.rule):
        return ""
    return (
        f"{settings.llm} casts the votes; whether the verifier would vote better was not\n"
        "measured for it. To try: --voter verifier"
    )


def _unused(chosen: Chosen) -> str:
    given = [f"--{name}" for name in ("llm", "prompts") if chosen.options.get(name)]
    if not given or chosen.settings.needs_llm:
        return ""
    return f"{' and '.join(given)} without effect: this run asks no language model."


def _names(llm: Any) -> list[Any]:
    if llm is None:
        return [None]
    if isinstance(llm, Loaded):
        return [CALLABLE]
    return [str(llm)] if isinstance(llm, str | Path) else [str(name) for name in llm]


def require_date(date: str | None, option: str = "") -> None:
    """Raises UsageError, beginning with `option`, if unreadable."""
    if date is not None and read_date(date) is None:
        raise UsageError(f"{option} {date}: is not a date; give YYYY-MM-DD".lstrip())


def require_either(*, overwrite: bool, repair: bool) -> None:
    if overwrite and repair:
        raise UsageError("--overwrite loses what --repair keeps; give one of them")


def require_dates(
    limits: Limits, claims: Sequence[Claim], remedy: str = "add --date YYYY-MM-DD"
) -> None:
    """Raises UsageError if a needed date is missing; `remedy` is for a single claim."""
    without = _undated(claims) if limits.by_claim_date else []
    if not without:
        return
    why = f"the claim has no date; {remedy}"
    if len(claims) > 1:
        why = f"{_counted(without, claims)}; give each a date in their file, or all one limit by "
        why += "--before YYYY-MM-DD"
    elif date := without[0].date:
        why = f"the claim's date {date!r} cannot be read; write it as YYYY-MM-DD"
    raise UsageError(f"--before claim-date: {why}")


def _undated(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if read_date(claim.date or "") is None]


def _counted(without: Sequence[Claim], claims: Sequence[Claim]) -> str:
    first = printable(without[0].text)[:60]
    of = f"{len(without)} of {quantity(len(claims), 'claim')}"
    return f"no date can be read of {of}, first “{first}”"


def date_warnings(limits: Limits, claims: Sequence[Claim]) -> tuple[str, ...]:
    """Raises UsageError if no claim has a date."""
    without = _undated(claims) if limits.by_claim_date else []
    if len(without) == len(claims):
        require_dates(limits, claims)
    if not without:
        return ()
    return (f"The limit claim-date: {_counted(without, claims)}, so nothing is left out for them.",)


def unread_dates(claims: Sequence[Claim]) -> tuple[str, ...]:
    given = [claim for claim in _undated(claims) if claim.date]
    if not given:
        return ()
    return (
        f"{_counted(given, claims)}: “{printable(given[0].date or '')[:40]}”; write YYYY-MM-DD",
    )


def warnings_of(wired: Wired, chosen: Chosen) -> tuple[str, ...]:
    warnings = []
    if wired.uncalibrated:
        documents = chosen.settings.choices.documents and chosen.settings.calibration is None
        warnings.append(_NOT_FOR_DOCUMENTS if documents else _UNCALIBRATED)
    warnings += filter(None, (_unmeasured(chosen), _unused(chosen)))
    if choices := wired.header.get("choices"):
        warnings.append(f"Votes by a server: {choices}.")
    recipe, embedder = chosen.recipe, wired.header["index"]["embedder"]["name"]
    if recipe and recipe.models.embedder not in (None, embedder):
        warnings.append(
            f"The recipe {recipe.name} has {recipe.models.embedder} as its embedder, this index "
            f"{embedder}."
        )
    if wired.index and (message := _left_out(wired.index, chosen)):
        warnings.append(message)
    return tuple(warnings)


def _left_out(index: Index, chosen: Chosen) -> str:
    recipe, method = index.header.recipe, chosen.settings.approach
    lacks = any(m.counts.kept < min(recipe.pool, m.counts.unique) for m in index.manifests)
    if not (recipe.patience and lacks):
        return ""
    if chosen.recipe:
        why = f"the recipe {chosen.recipe.name} wants all of them"
    elif not chosen.settings.parts.approach.by_claim:
        why = f"{method} also searches by questions, which lose about a seventh of their nearest"
    else:
        return ""
    return (
        f"This index leaves out passages that are far from the claim (patience {recipe.patience}), "
        f"and {why}. With all: uhhrag index DATA --patience 0 --overwrite "
        f"--out {printable(shlex.quote(str(index.folder)))}"
    )
