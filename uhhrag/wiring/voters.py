from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.config.choices import Choices
from uhhrag.config.settings import Settings, parse
from uhhrag.errors import UsageError
from uhhrag.models.speed import TimedModel
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import Template, VerdictRule
from uhhrag.records import Claim, Evidence, Grade, Label, Reply, Vote
from uhhrag.rules.rules import RULES, Decoding, Rule, template_of
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration
from uhhrag.voters.language_model import cast
from uhhrag.voters.opening import Opened, Opening
from uhhrag.wiring import llms
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.verifiers import LoadedVerifier


def open_voter(
    settings: Settings, field: str, model: str, verifier: LoadedVerifier | None
) -> Opened:
    """`model` is the LLM's fingerprint. Raises UsageError for a calibration without effect."""
    opening = Opening(
        rule=settings.parts.rule,
        decoding=settings.decoding,
        prompts=settings.templates,
        field=field,
        llm=model,
        llm_name=settings.llm,
        verifier=verifier.fingerprint if verifier else "",
        verifier_fitted=bool(verifier and verifier.fitted),
        titled=settings.titled,
        calibration=settings.calibration,
        learned=settings.learned,
    )
    opened = settings.parts.voter.open(opening)
    if settings.calibrated and opened.calibration == NONE:
        raise UsageError(
            f"--calibration {settings.calibration} is for votes by letters, which --rule "
            f"{settings.rule} by --voter {settings.voter} has not; leave it out"
        )
    return opened


@dataclass(frozen=True, slots=True)
class RuleVoter:
    cast: Callable[[Claim, Sequence[Evidence]], tuple[Vote, ...]]
    decide: VerdictRule
    recast: Callable[[Vote, Calibration], Vote]
    options: Mapping[str, Label | None]
    model: str
    """Like `template` and `step`, names its calibration."""
    template: str
    step: str


def wire_voter(
    rule_name: str, llm_name: str, folder: Path | None, machine: Machine, memory: Path
) -> RuleVoter:
    """Constrained, uncalibrated, kept in `memory`. Raises UsageError without probabilities."""
    if rule_name in RULES and not _labels(RULES[rule_name]):
        raise UsageError(
            f"--rule {rule_name} has no probabilities of labels to calibrate; these have: "
            f"{', '.join(name for name, other in RULES.items() if _labels(other))}"
        )
    settings = parse(Choices(rule=rule_name, llm=llm_name, prompts=folder))
    rule, decoding = RULES[settings.rule], Decoding.CONSTRAINED
    options = _labels(rule)
    step = template_of(rule, decoding)
    template = settings.templates(step)
    llm, model = llms.load_llm(llm_name, machine, memory)

    def ask(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Vote, ...]:
        votes = cast(llm, template, claim, evidence, rule, decoding, NONE)
        if any(not vote.options for vote in votes):
            raise UsageError(
                f"{llm_name} does not give the log-probability of every letter ({claim.id}. "
                f"{claim.text[:40]}), and a calibration is fitted to these"
            )
        return votes

    def recast(vote: Vote, fitted: Calibration) -> Vote:
        reply = Reply(vote.reply, tuple(vote.options.values()), cut=vote.cut)
        return constrained_vote(reply, options, fitted, rule.silent)

    return RuleVoter(ask, rule.decide, recast, options, model, template.hash, step)


def _labels(rule: Rule) -> dict[str, Label | None]:
    if rule.learned:
        return {}  # it reads a verifier's votes, which are calibrated when it is trained
    return {x: meaning for x, meaning in rule.options.items() if not isinstance(meaning, Grade)}


def wire_speed(llm: str, folder: Path | None, machine: Machine) -> tuple[TimedModel, Template]:
    template = load_prompts(folder)(template_of(RULES["majority"], Decoding.CONSTRAINED))
    return llms.load_local(llm, machine), template
