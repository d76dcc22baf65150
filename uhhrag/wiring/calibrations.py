"""The calibration of the votes: which one fits the models, the prompt and the documents."""

from __future__ import annotations

from pathlib import Path

from uhhrag.config.settings import Settings
from uhhrag.errors import UsageError
from uhhrag.prompts.templates import Prompts, StepTemplate
from uhhrag.rules.reading_head import ReaderHead
from uhhrag.rules.rules import RULES, template_of
from uhhrag.voters import calibration
from uhhrag.voters.calibration import Calibration
from uhhrag.voters.table import Voter
from uhhrag.wiring.verifiers import LoadedVerifier


def calibration_of(
    settings: Settings,
    prompts: Prompts,
    model: str,
    verifier: LoadedVerifier | None,
    reader: ReaderHead | None,
    *,
    own_documents: bool,
) -> Calibration:
    """The calibration of the votes. A learned verdict reads them as they are. The shipped
    calibrations were fitted to news claims and are not applied to a user's own documents."""
    rule = RULES[settings.rule]
    if not rule.constrained(settings.decoding) or settings.calibration == Path("none"):
        return calibration.NONE
    if rule.learned:
        return calibration.NONE
    if settings.calibration is None and own_documents:
        return calibration.NONE
    if verifier:
        if settings.voter is not Voter.BOTH:
            return calibration.find(verifier.fingerprint, str(settings.voter))
        read_by = reader.template if reader else str(settings.voter)
        return calibration.find(f"{verifier.fingerprint}+{model}", read_by)
    template = prompts(template_of(rule, settings.decoding))
    labels = sum(label is not None for label in rule.options.values())
    return _calibration(settings, model, template, labels)


def _calibration(
    settings: Settings, model: str, template: StepTemplate, labels: int
) -> Calibration:
    """The shipped calibration, if there is one, or that of the file asked for, which must have
    it."""
    if settings.calibration is None:
        return calibration.find(model, template.hash)
    fitted = calibration.find(model, template.hash, settings.calibration)
    if fitted is calibration.NONE or len(fitted.bias) != labels:
        raise UsageError(
            f"{settings.calibration} has no calibration of {settings.llm} with the template "
            f"{template.step}; make one with: uhhrag calibrate, or give --calibration none"
        )
    return fitted
