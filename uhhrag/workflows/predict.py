from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import ClaimsFailed
from uhhrag.indexing.index_folder import open_index
from uhhrag.runs import predict as deciding
from uhhrag.runs.predict import read_shard
from uhhrag.runs.run_folder import HEADER, open_run
from uhhrag.runs.stages import write_stages
from uhhrag.runs.trace_lines import read_trace
from uhhrag.system.ray_cluster import read_where
from uhhrag.views.run_view import claim_view
from uhhrag.views.verdict_text import summary
from uhhrag.wiring import pipeline, ray_tasks
from uhhrag.workflows.check import result_of
from uhhrag.workflows.method import Chosen, date_warnings, require_either, warnings_of
from uhhrag.workflows.observer import Begun, Observer
from uhhrag.workflows.verdicts import Verdicts


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictTask:
    index: Path
    out: Path | None
    """None: runs/<approach>."""
    limit: int | None
    claims: Sequence[int]
    shard: str | None
    trec: bool
    overwrite: bool
    repair: bool
    ray: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictResult(Verdicts):
    """All chosen claims, earlier results included."""

    failed: int
    """In this call."""
    trace: Path
    summary: str

    def require_all(self) -> None:
        if self.failed:
            raise ClaimsFailed(
                f"{self.failed} of {len(self.results)} claims have no verdict; the reason of each "
                f"stands in {self.trace} as error; run the same command again to try just those"
            )


def predict(task: PredictTask, chosen: Chosen, observer: Observer) -> PredictResult:
    """Resumes."""
    settings = chosen.settings
    require_either(overwrite=task.overwrite, repair=task.repair)
    where = read_where(task.ray) if task.ray is not None else None
    shard = read_shard(task.shard) if task.shard else None
    built = open_index(task.index)
    wired = pipeline.wire(settings, chosen.machine, built)
    claims = deciding.select(built.claims, task.limit, task.claims, shard)
    undated = date_warnings(settings.limits, claims)
    folder = task.out or Path("runs") / settings.approach
    # A model that cannot be loaded leaves no folder; on a cluster the workers load it.
    if where is None and not (folder / HEADER).exists():
        wired.load()
    warnings = (*warnings_of(wired, chosen), *undated)
    with open_run(folder, wired.header, overwrite=task.overwrite, repair=task.repair) as run:
        left = [claim for claim in claims if claim.id not in run.done]
        if left and where is None:
            wired.load()
        signature = wired.header["signature"]
        observer.begun(
            Begun(signature=signature, left=len(left), total=len(claims), warnings=warnings)
        )
        if where is None:
            running = deciding.predict(left, wired.deciders, run, observer.stage)
        else:
            running = ray_tasks.decide_on_ray(where, settings, chosen.machine, wired, run, left)
        with closing(running):
            for result in observer.track(running, len(left), "claims"):
                observer.result(result)
        records = {record["claim_id"]: record for record in read_trace(run.trace)}
        total = summary(run)
    if task.trec:
        decided = [record for record in records.values() if "error" not in record]
        write_stages(folder, decided, wired.prefiltered, wired.corpus_for, settings.approach)
    return PredictResult(
        results=tuple(result_of(claim_view(records[c.id], run.trace)) for c in claims),
        folder=folder,
        signature=signature,
        warnings=warnings,
        failed=sum("error" in records[claim.id] for claim in left),
        trace=run.trace,
        summary=total,
    )
