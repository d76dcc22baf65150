"""A draft in, its claims out: spotted, checked, and marked in the draft with their verdicts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.documents.draft import Draft, numbered, read_draft
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Claim
from uhhrag.system.terminal import printable, some, wrapped
from uhhrag.text.characters import one_line
from uhhrag.text.dates import read_date
from uhhrag.views.draft_file import write_draft
from uhhrag.workflows import report
from uhhrag.workflows.check import CheckResult, CheckTask, check
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.report import ReportPage


@dataclass(frozen=True, slots=True)
class CheckedDraft:
    """A draft whose claims were checked, the result, and the page that shows both."""

    draft: Draft
    result: CheckResult
    page: ReportPage


def open_draft(file: Path, date: str | None = None, speaker: str | None = None) -> Draft:
    """The draft of a file, its claims spotted and numbered; `date` and `speaker` are those of all
    of them. Raises InputError where it cannot be read or no sentence of it is taken for a claim,
    UsageError for a date that cannot be read."""
    if date is not None and read_date(date) is None:
        raise UsageError(f"--date {date}: is not a date; give YYYY-MM-DD")
    draft = numbered(read_draft(file), date, one_line(speaker or "") or None)
    if not draft.claims:
        tell = f"it looks {draft.language}, and the rules" if draft.language else "the rules"
        raise InputError(
            f"{file}: none of its {some(len(draft.sentences), 'sentence')} is taken for a claim; "
            f"{tell} are for English; give a claim in quotes"
        )
    return draft


def spotted(draft: Draft) -> str:
    """The claims of a draft for a terminal, and how many of its sentences they are."""
    lines = [
        f"{some(len(draft.claims), 'claim')} in {some(len(draft.sentences), 'sentence')} of "
        f"{printable(draft.name)}:"
    ]
    lines += [wrapped(one.text, f"{n:>4}. ", 2) for n, one in enumerate(draft.claims, start=1)]
    if draft.partly:
        lines.append(f"Not all of it was read: {printable(draft.partly)}")
    if draft.language:
        lines.append(
            f"This draft looks {draft.language}. uhhrag was made and measured for English; "
            "do not rely on its verdicts."
        )
    return "\n".join(lines)


def claims_of(draft: Draft) -> tuple[Claim, ...]:
    """The numbered claims of a draft."""
    return tuple(
        Claim(one.check, one.text, one.date, one.speaker)
        for one in draft.sentences
        if one.check is not None
    )


def check_draft(
    draft: Draft, task: CheckTask, html: Path | None, chosen: Chosen, observer: Observer
) -> CheckedDraft:
    """Check the claims of a draft, put it into their run folder, and write its page to `html`, or
    to report.html in the run folder."""
    result = check(replace(task, claims=claims_of(draft)), chosen, observer)
    write_draft(result.folder, draft)
    return CheckedDraft(draft, result, report.report(result.folder, None, html))
