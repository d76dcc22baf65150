from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import UsageError
from uhhrag.runs.predict import predict
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
    if not isinstance(docs, Path):
        docs = gather(docs, task.claims, task.work or Path(f"{name_of(docs)}.uhhrag"), observer)
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
        left = [claim for claim in task.claims if claim.id not in run.done]
        observer.warn_all(warnings)
        if opened.texts_for:
            texts = opened.texts_for(left)
            embedding = documents.embed_ahead(texts, wired.method.tools.embed)
            for _ in observer.track(embedding, len(texts), "sentences", by=documents.BATCH_SIZE):
                pass
        running = predict(left, wired.deciders, run, observer.stage)
        for result in observer.track(running, len(left), "claims"):
            observer.result(result)
        views = {view.claim.id: view for view in read_run_view(folder).claims}
        decided = [views[claim.id] for claim in task.claims]
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
