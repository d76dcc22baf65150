"""The voter of a run."""

from __future__ import annotations

from pathlib import Path

from uhhrag.config.settings import Settings
from uhhrag.errors import UsageError
from uhhrag.prompts.templates import Prompts
from uhhrag.voters.calibration import NONE
from uhhrag.voters.opening import Opened, Opening
from uhhrag.wiring.verifiers import LoadedVerifier


def open_voter(
    settings: Settings, prompts: Prompts, field: str, model: str, verifier: LoadedVerifier | None
) -> Opened:
    """The voter of a field; `model` is the LLM's fingerprint. Raises UsageError for a calibration
    without effect."""
    opening = Opening(
        rule=settings.parts.rule,
        decoding=settings.decoding,
        prompts=prompts,
        field=field,
        llm=model,
        llm_name=settings.llm,
        verifier=verifier.fingerprint if verifier else "",
        titled=settings.titled,
        calibration=settings.calibration,
        learned=settings.learned,
    )
    opened = settings.parts.voter.open(opening)
    if settings.calibration not in (None, Path("none")) and opened.calibration == NONE:
        raise UsageError(
            f"--calibration {settings.calibration} is for votes by letters, which --rule "
            f"{settings.rule} by --voter {settings.voter} has not; leave it out"
        )
    return opened


def is_uncalibrated(settings: Settings, opened: Opened) -> bool:
    """Whether votes have probabilities without a fitted calibration."""
    constrained = settings.parts.rule.constrained(settings.decoding)
    return opened.learned is None and constrained and opened.calibration.source == "none"
