from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag import doctor
from uhhrag.errors import ModelError
from uhhrag.indexing.index_folder import open_index
from uhhrag.records import Verdict
from uhhrag.runs import predict as deciding
from uhhrag.runs.run_folder import HEADER, open_run
from uhhrag.runs.shards import read_shard
from uhhrag.runs.stages import write_stages
from uhhrag.system.ray_cluster import read_cluster_address
from uhhrag.system.terminal import first_of, printable, quantity
from uhhrag.views.run_view import read_run_view
from uhhrag.views.verdict_text import summary
from uhhrag.wiring import pipeline, ray_tasks
from uhhrag.workflows.method import Chosen, date_warnings, require_either, warnings_of
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.tasks import PredictTask
from uhhrag.workflows.verdicts import Verdicts, verdict_row


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictResult(Verdicts):
    """All chosen claims, earlier results included."""

    summary: str

    @property
    def rows(self) -> list[dict[str, Any]]:
        """`label` is what `evaluate` scores, `verdict` what people are shown."""
        labels = (str(one.label) if isinstance(one, Verdict) else None for one in self.results)
        both = zip(self.results, labels, strict=True)
        return [verdict_row(one) | {"label": label} for one, label in both]


def predict(task: PredictTask, chosen: Chosen, observer: Observer) -> PredictResult:
    """Resumes."""
    settings = chosen.settings
    require_either(overwrite=task.overwrite, repair=task.repair)
    address = read_cluster_address(task.ray) if task.ray is not None else None
    shard = read_shard(task.shard)
    built = open_index(task.index)
    try:
        wired = pipeline.wire(settings, chosen.machine, built)
    except ModelError as error:
        named = [settings.llm] if settings.needs_llm else []
        told = " ".join(doctor.too_large(named, doctor.look()))
        raise ModelError("; ".join(filter(None, [str(error), told]))) from error
    claims = deciding.select(built.claims, task.limit, task.claim, shard)
    undated = date_warnings(settings.limits, claims)
    total = built.header.claims
    absent = () if task.claim else deciding.absent(built.claims, total, task.limit, shard)
    passages = {str(one.id): wired.header["passages"][str(one.id)] for one in claims}
    header = {**wired.header, "passages": passages}
    header |= {"claims_file": built.header.claims_file, "claims": total}
    header |= {"absent": absent} if absent else {}
    header |= {"shards": [task.shard]} if shard.of > 1 else {}
    folder = task.out or Path("runs") / settings.approach
    # A model that cannot be loaded leaves no folder; on a cluster the workers load it.
    if address is None and not (folder / HEADER).exists():
        wired.load()
    warnings = (*warnings_of(wired, chosen), *undated, *_without(absent, total, task.index))
    with open_run(folder, header, overwrite=task.overwrite, repair=task.repair) as run:
        left = [claim for claim in claims if claim.id not in run.done]
        if left and address is None:
            wired.load()
        signature = wired.header["signature"]
        observer.begun(signature, len(left), len(claims))
        observer.warn_all(warnings)
        if address is None:
            running = deciding.predict(left, wired.deciders, run, observer.stage)
        else:
            running = ray_tasks.decide_on_ray(address, settings, chosen.machine, built, run, left)
        with closing(running):
            for result in observer.track(running, len(left), "claims"):
                observer.result(result)
        view = read_run_view(folder)
    if task.trec:
        decided = [one.verdict for one in view.claims if one.verdict]
        write_stages(folder, decided, wired.prefiltered, wired.corpus_for, settings.approach)
    results = {one.claim.id: one.result for one in view.claims}
    return PredictResult(
        results=tuple(results[claim.id] for claim in claims),
        folder=folder,
        signature=signature,
        warnings=warnings,
        summary=summary(view, folder),
    )


def _without(absent: Sequence[int], total: int, index: Path) -> tuple[str, ...]:
    if not absent:
        return ()
    of = f"{len(absent)} of the {quantity(total, 'claim')} of its file ({first_of(absent)})"
    return (printable(f"{index}: not indexed, and so not decided: {of}"),)
