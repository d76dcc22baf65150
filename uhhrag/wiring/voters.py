"""The voter of a run, and its header entries."""

from __future__ import annotations

from uhhrag.config.settings import Settings
from uhhrag.prompts.templates import Prompts
from uhhrag.rules import learned_files, reading_head
from uhhrag.voters.opening import Opened, Opening
from uhhrag.wiring.loaded import Fingerprints
from uhhrag.wiring.rerankers import AuxiliaryModels
from uhhrag.wiring.verifiers import LoadedVerifier


def open_voter(
    settings: Settings, prompts: Prompts, field: str, model: str, verifier: LoadedVerifier | None
) -> Opened:
    """The voter of a field; `model` is the LLM's fingerprint."""
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
    return settings.parts.voter.open(opening)


def fingerprints_of(
    settings: Settings,
    model: str,
    readers: AuxiliaryModels,
    verifier: LoadedVerifier | None,
    opened: Opened,
) -> Fingerprints:
    learned, head = opened.learned, opened.reader
    return Fingerprints(
        llm=model,
        readers=readers.fingerprints,
        options=readers.own_fingerprints,
        verifier=verifier.fingerprint if verifier else "",
        voter=_named(settings.voter, opened.fingerprint),
        learned=learned_files.fingerprint(learned) if learned else "",
        reader=reading_head.fingerprint(head) if head and not learned else "",
    )


def _named(voter: str, fingerprint: str) -> str:
    """
    >>> _named("both", "1a2b3c4d"), _named("mine@5e6f7a8b", "5e6f7a8b"), _named("llm", "")
    ('both@1a2b3c4d', 'mine@5e6f7a8b', '')
    """
    named = f"{voter.removesuffix(f'@{fingerprint}')}@{fingerprint}"
    return named if fingerprint else ""


def is_uncalibrated(settings: Settings, opened: Opened) -> bool:
    """Whether votes have probabilities without a fitted calibration."""
    constrained = settings.parts.rule.constrained(settings.decoding)
    return opened.learned is None and constrained and opened.calibration.source == "none"
