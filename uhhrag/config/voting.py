"""The voter of a run."""

from __future__ import annotations

from pathlib import Path

from uhhrag.config.choices import Choices, Questions
from uhhrag.errors import UsageError
from uhhrag.rules.rules import RULES, Decoding, Rule
from uhhrag.voters.opening import VoterSpec, takes_sides
from uhhrag.voters.table import AUTO, MEASURED


def require_voter(choices: Choices, voter: VoterSpec, rule: str, joins: Rule) -> None:
    """Raises UsageError if the voter does not serve the rule, or a choice has no effect."""
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
    calibrated = choices.calibration not in (None, Path("none"))
    if calibrated and (voter.verifier or joins.learned):
        raise UsageError(
            f"--calibration {choices.calibration} is for votes of a language model alone; leave it "
            "out, or take --voter llm without --rule learned"
        )
    asks = voter.llm or choices.questions is not Questions.TEMPLATE
    if choices.lora and not asks:
        raise UsageError(f"--lora {choices.lora}: no language model is asked; leave it out")
    if choices.learned and not joins.learned:
        raise UsageError(f"--learned {choices.learned} needs --rule learned")


def voter_of(choices: Choices, rule: Rule) -> str:
    """`auto` is the language model if a choice concerns its votes alone."""
    if choices.voter != AUTO:
        return choices.voter
    read = choices.llm in MEASURED and not (choices.documents or choices.learned or choices.lora)
    with_verifier = "both" if read else "verifier"
    if rule.learned:
        return with_verifier
    if choices.verifier:
        return "verifier"
    of_the_llm = (
        choices.decoding is Decoding.PAPER,
        choices.lora is not None,
        choices.prompts is not None,
        choices.calibration not in (None, Path("none")),
    )
    if any(of_the_llm) or not takes_sides(rule):
        return "llm"
    return with_verifier if choices.llm in MEASURED else "llm"
