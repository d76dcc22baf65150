"""The learned verdict and the reader of a run: those that fit the claims, the voter and the
language model."""

from __future__ import annotations

from uhhrag.config.settings import Settings
from uhhrag.errors import UsageError
from uhhrag.prompts.templates import Prompts
from uhhrag.rules import learned_files
from uhhrag.rules.learned import NEWS, LearnedVerdict
from uhhrag.rules.reading_head import STEP, ReaderHead
from uhhrag.rules.rules import RULES
from uhhrag.voters.table import Voter


def learned_verdict(
    settings: Settings, field: str, model: str, prompts: Prompts
) -> LearnedVerdict | None:
    """The fitted verdict for claims of a field, by the votes of the chosen voter; None for a rule
    that has none. Raises UsageError where its reader was fitted to another model or prompt."""
    if not RULES[settings.rule].learned:
        return None
    file = settings.learned or learned_files.SHIPPED
    entry = learned_files.find(field, str(settings.voter), file)
    read = entry.reader
    if read and (read.model, read.template) != (model, prompts(STEP).hash):
        what = "another language model" if read.model != model else "another prompt (reader.txt)"
        raise UsageError(
            f"--voter both: the learned verdict was fitted to {what}; fit it with: uhhrag train "
            "verdict --llm, or take --voter verifier"
        )
    return entry


def reader_of(
    settings: Settings,
    field: str,
    model: str,
    prompts: Prompts,
    learned: LearnedVerdict | None,
) -> ReaderHead | None:
    """The head for what the language model reads in all evidence: that of the learned verdict, and
    for votes of both under another rule the shipped one of news claims. None where that was fitted
    to other claims, another model or another prompt."""
    if learned:
        return learned.reader
    if settings.voter is not Voter.BOTH or field != NEWS:
        return None
    reader = learned_files.find(NEWS, str(Voter.BOTH)).reader
    fits = reader and (reader.model, reader.template) == (model, prompts(STEP).hash)
    return reader if fits else None
