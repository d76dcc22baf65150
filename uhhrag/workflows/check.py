from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.records import Failure
from uhhrag.runs.predict import append_attempts, predict
from uhhrag.runs.run_folder import SEARCHED, open_run, write_part
from uhhrag.system.own_code import name_of
from uhhrag.text import language
from uhhrag.views import answer
from uhhrag.views.run_view import read_run_view
from uhhrag.views.searched import Documents
from uhhrag.wiring.checked_claims import open_checked
from uhhrag.workflows import documents
from uhhrag.workflows.gathered import gather
from uhhrag.workflows.method import Chosen, require_dates, unread_dates, warnings_of
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.opened import open_documents
from uhhrag.workflows.tasks import CheckTask
from uhhrag.workflows.verdicts import Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(Verdicts):
    documents: Documents
    answers: tuple[dict[str, Any], ...]
    """As `uhhrag check --json`."""


def check(task: CheckTask, chosen: Chosen, observer: Observer) -> CheckResult:
    """Resumes. A failed claim is among the results."""
    require_dates(chosen.settings.limits, task.claims)
    chosen = chosen.for_documents()
    docs = task.docs
    unread: Mapping[int, Failure] = {}
    if not isinstance(docs, Path):
        place = task.work or Path(f"{name_of(docs)}.uhhrag")
        docs, unread = gather(docs, task.claims, place, observer)
    if task.out and task.out.exists() and docs.exists() and task.out.samefile(docs):
        raise UsageError(f"--out {task.out}: is the folder of the documents; give another")
    work, nearest = documents.work_folder(docs, task.work), open_checked()
    language.load_for(claim.text for claim in task.claims)
    opened = open_documents(docs, work, task, chosen, observer)
    wired, about = opened.wired, opened.about
    folder = task.out or documents.run_folder(work, wired.header)
    warnings = (*warnings_of(wired, chosen), *unread_dates(task.claims))
    with open_run(folder, wired.header, overwrite=task.overwrite, repair=True) as run:
        write_part(folder / SEARCHED, about)
        new = [claim for claim in task.claims if claim.id not in run.done]
        left = [claim for claim in new if claim.id not in unread]
        observer.warn_all(warnings)
        if left and (texts := opened.texts):
            embedding = documents.embed_ahead(texts, wired.method.tools.embed)
            for _ in observer.track(embedding, len(texts), "sentences", by=documents.BATCH_SIZE):
                pass
        failed = append_attempts(run, (unread[claim.id] for claim in new if claim.id in unread))
        running = chain(failed, predict(left, wired.deciders, run, observer.stage))
        for result in observer.track(running, len(new), "claims"):
            observer.result(result)
        views = {view.claim.id: view for view in read_run_view(folder).claims}
        decided = [replace(views[claim.id], claim=claim) for claim in task.claims]
    return CheckResult(
        results=tuple(view.result for view in decided),
        folder=folder,
        signature=wired.header["signature"],
        warnings=warnings,
        documents=about,
        answers=tuple(
            answer.answer_of(decision, wired.header, about, nearest(decision.claim.text))
            for decision in decided
        ),
    )
