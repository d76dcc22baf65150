"""Decides an index's claims."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import ClaimsFailed
from uhhrag.records import Claim, Failure, Verdict
from uhhrag.runs import predict as deciding
from uhhrag.runs.run_folder import HEADER, RunFolder, open_run
from uhhrag.runs.shard import read_shard
from uhhrag.runs.stages import write_stages
from uhhrag.runs.trace_lines import read_trace
from uhhrag.system.ray_cluster import ClusterAddress, read_where
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
    """None for runs/<approach>."""
    limit: int | None
    claims: Sequence[int]
    """Ids; empty for all."""
    shard: str | None
    """Which claims, as "1/3"."""
    trec: bool
    """Write rankings of stages."""
    overwrite: bool
    repair: bool
    """Decide claims with damaged results again."""
    ray: str | None = None
    """Workers on this machine, "auto" or an address; None for this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictResult(Verdicts):
    """All chosen claims, earlier results included."""

    failed: int
    """Failures of this call."""
    trace: Path
    summary: str
    """The command's last output."""

    def require_all(self) -> None:
        """Raises ClaimsFailed."""
        if self.failed:
            raise ClaimsFailed(
                f"{self.failed} of {len(self.results)} claims have no verdict; the reason of each "
                f"stands in {self.trace} as error; run the same command again to try just those"
            )


def predict(task: PredictTask, chosen: Chosen, observer: Observer) -> PredictResult:
    """Decide the undecided claims; resumes.

    Raises UhhragError if it cannot begin."""
    settings = chosen.settings
    require_either(overwrite=task.overwrite, repair=task.repair)
    where = read_where(task.ray) if task.ray is not None else None
    wired = pipeline.wire(settings, chosen.machine, task.index, chosen.given)
    claims = _claims_of(task, wired)
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
        failed = 0
        with closing(_running(left, where, chosen, wired, run, observer)) as running:
            for result in observer.track(running, len(left), "claims"):
                failed += isinstance(result, Failure)
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
        failed=failed,
        trace=run.trace,
        summary=total,
    )


def _running(
    left: Sequence[Claim],
    where: ClusterAddress | None,
    chosen: Chosen,
    wired: pipeline.Wired,
    run: RunFolder,
    observer: Observer,
) -> Generator[Verdict | Failure, None, None]:
    """Decide claims here or on a cluster; this process writes."""
    if where is None:
        yield from deciding.predict(
            left, wired.corpus_for, wired.method, run, wired.others, observer.stage
        )
        return
    decide = ray_tasks.decide_on_ray(
        where, chosen.settings, chosen.machine, chosen.given, wired, run
    )
    with closing(decide(left)) as attempts:
        yield from deciding.append_attempts(run, attempts)


def _claims_of(task: PredictTask, wired: pipeline.Wired) -> list[Claim]:
    claims = deciding.select(wired.claims, task.limit, tuple(task.claims))
    if not task.shard:
        return claims
    share = read_shard(task.shard).share(claim.id for claim in claims)
    return [claim for claim in claims if claim.id in share]
