"""Claims of the user's own against documents of the user's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import ModelError
from uhhrag.models.local import require_present
from uhhrag.protocols import Embedder, PageSource
from uhhrag.records import Claim, Failure, Verdict
from uhhrag.runs.predict import predict
from uhhrag.runs.run_folder import RunFolder, open_run
from uhhrag.runs.trace_lines import read_trace
from uhhrag.text import language
from uhhrag.views import answer
from uhhrag.views.run_view import ClaimView, claim_view
from uhhrag.views.searched import Documents, write_documents
from uhhrag.wiring.checked_claims import open_checked
from uhhrag.wiring.needed_models import needed_models
from uhhrag.wiring.pipeline import Wired
from uhhrag.workflows import documents
from uhhrag.workflows.gathered import gather, name_of
from uhhrag.workflows.method import Chosen, require_dates, warnings_of
from uhhrag.workflows.observer import Begun, Observer
from uhhrag.workflows.opened import DocumentsTask, open_documents
from uhhrag.workflows.verdicts import Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTask:
    """Claims and what they are checked against: a folder of documents, an archive, a store, or a
    source, whose pages are copied into a store of the work folder. `work` is where
    what is read is kept (None: beside the documents), `out` the run folder (None: one in the work
    folder), `pool` how many sentences per claim BM25 keeps. `rerank` is how many passages of a
    corpus the cross-encoder reads, None for the default. `own` are the files that the claims are
    from, which are no evidence for them where they stand among the documents."""

    claims: Sequence[Claim]
    docs: Path | PageSource
    work: Path | None
    out: Path | None
    pool: int
    overwrite: bool
    rerank: int | None = None
    own: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult(Verdicts):
    """The verdicts, with what there was to check against. `answers` are the objects that
    `uhhrag check --json` prints, in the order of the claims."""

    documents: Documents
    answers: tuple[dict[str, Any], ...]


def check(task: CheckTask, chosen: Chosen, observer: Observer) -> CheckResult:
    """Decide the claims; only what is new in the documents is read, and only claims without a
    verdict are decided. Raises UhhragError where that cannot begin; a claim that fails is one of
    the result's failures."""
    require_dates(chosen.settings.limits, task.claims)
    chosen = chosen.for_documents()
    docs = task.docs if isinstance(task.docs, Path) else _gathered(task.docs, task, observer)
    work = documents.work_folder(docs, task.work)
    language.load_for(claim.text for claim in task.claims)
    try:
        opened = open_documents(_sources(task, docs, work), chosen, observer)
    except ModelError:  # of one model; where several are missing, all are named
        require_present(needed_models(chosen.settings, chosen.machine, chosen.given))
        raise
    wired, about = opened.wired, opened.about
    folder = task.out or documents.run_folder(work, wired.header)
    warnings = warnings_of(wired, chosen)
    repair = task.out is None
    with open_run(folder, wired.header, overwrite=task.overwrite, repair=repair) as run:
        left = [claim for claim in task.claims if claim.id not in run.done]
        signature = wired.header["signature"]
        observer.begun(
            Begun(signature=signature, left=len(left), total=len(task.claims), warnings=warnings)
        )
        if opened.texts_for:
            _embed(opened.texts_for, left, wired.method.tools.embed, observer)
        _decide(left, wired, run, observer)
        records = {record["claim_id"]: record for record in read_trace(run.trace)}
        decided = [claim_view(records[claim.id], run.trace) for claim in task.claims]
    write_documents(folder, about)
    nearest = open_checked()
    return CheckResult(
        results=tuple(map(result_of, decided)),
        folder=folder,
        signature=signature,
        warnings=warnings,
        documents=about,
        answers=tuple(
            answer.answer_of(decision, wired.header, about, nearest(decision.claim.text))
            for decision in decided
        ),
    )


def _gathered(source: PageSource, task: CheckTask, observer: Observer) -> Path:
    """The store with what a source gives for the claims."""
    folder = task.work or Path(f"{name_of(source)}.uhhrag")
    return gather(source, task.claims, folder, observer)


def _sources(task: CheckTask, docs: Path, work: Path) -> DocumentsTask:
    return DocumentsTask(
        docs=docs,
        work=work,
        pool=task.pool,
        claims=task.claims,
        rerank=task.rerank,
        own=task.own,
    )


def _decide(claims: Sequence[Claim], wired: Wired, run: RunFolder, observer: Observer) -> None:
    """Decide claims into the open run."""
    running = predict(claims, wired.corpus_for, wired.method, run, wired.others, observer.stage)
    for result in observer.track(running, len(claims), "claims"):
        observer.result(result)


def _embed(
    texts_for: Callable[[Sequence[Claim]], list[str]],
    claims: Sequence[Claim],
    embed: Embedder,
    observer: Observer,
) -> None:
    texts = texts_for(claims)
    embedding = documents.embed_ahead(texts, embed)
    for _ in observer.track(embedding, len(texts), "sentences", by=documents.AT_ONCE):
        pass


def result_of(checked: ClaimView) -> Verdict | Failure:
    """The verdict on a claim of a run, or why it has none."""
    return checked.verdict or Failure(checked.claim, checked.error)
