from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from uhhrag.documents.draft import Draft, numbered, read_draft
from uhhrag.errors import InputError
from uhhrag.records import Claim
from uhhrag.runs.run_folder import DRAFT, write_part
from uhhrag.system.terminal import printable, quantity, wrapped
from uhhrag.system.text_files import require_apart, require_writable
from uhhrag.text.characters import one_line
from uhhrag.views.run_view import draft_cautions
from uhhrag.workflows import report
from uhhrag.workflows.check import CheckResult, check
from uhhrag.workflows.method import Chosen, require_date
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.report import ReportPage
from uhhrag.workflows.tasks import CheckTask


def open_draft(file: Path, date: str | None, speaker: str | None) -> Draft:
    """Raises InputError if unreadable or without claims, UsageError for a wrong date."""
    require_date(date, "--date")
    draft = numbered(read_draft(file), date, one_line(speaker or "") or None)
    if not draft.claims:
        tell = f"it looks {draft.language}, and the rules" if draft.language else "the rules"
        sentences = quantity(len(draft.sentences), "sentence")
        raise InputError(
            f"{file}: none of its {sentences} is taken for a claim; {tell} are for English; "
            "give a claim in quotes"
        )
    return draft


def spotted(draft: Draft) -> str:
    claims, sentences = quantity(len(draft.claims), "claim"), len(draft.sentences)
    lines = [f"{claims} in {quantity(sentences, 'sentence')} of {printable(draft.name)}:"]
    lines += [wrapped(one.claim, f"{n:>4}. ", 2) for n, one in enumerate(draft.claims, start=1)]
    return "\n".join([*lines, *map(printable, draft_cautions(draft))])


def check_draft(
    draft: Draft, task: CheckTask, html: Path | None, chosen: Chosen, observer: Observer
) -> tuple[CheckResult, ReportPage]:
    """`html` is by default in the run folder. Raises UsageError at once if it cannot be written."""
    own = task.own
    if html is not None:
        require_apart(html, *own)
        require_writable(html)
        own = (*own, html)
    claims = tuple(
        Claim(one.check, one.claim, one.date, one.speaker)
        for one in draft.sentences
        if one.check is not None
    )
    result = check(replace(task, claims=claims, own=own), chosen, observer)
    write_part(result.folder / DRAFT, draft)
    return result, report.report(result.folder, None, html)
