"""`uhhrag predict`: claims of an index → verdicts, a submission and a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.cli.merge import Share
from uhhrag.cli.method import Chosen, cautions, decides_claims
from uhhrag.errors import ClaimsFailed
from uhhrag.records import Failure
from uhhrag.system.terminal import progress
from uhhrag.views.verdict_text import opening, show, summary


@decides_claims
def predict(
    chosen: Chosen,
    index: Annotated[Path, typer.Option(help="The index to search.")] = Path("index"),
    out: Annotated[
        Path | None,
        typer.Option(help="The run folder. Default: runs/<approach>.", show_default=False),
    ] = None,
    limit: Annotated[int | None, typer.Option(help="Only the first so many claims.")] = None,
    claim: Annotated[list[int] | None, typer.Option(help="Only this claim; repeatable.")] = None,
    shard: Share = None,
    trec: Annotated[
        bool, typer.Option("--trec", help="Also write each stage's ranking as a TREC run.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Lose an earlier run in the same folder.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Decide claims with damaged results again.")
    ] = False,
) -> None:
    """Decide the claims of an index. Stopped and run again, it goes on where it stopped."""
    from uhhrag.runs import predict
    from uhhrag.runs.run_folder import HEADER, open_run, read_trace
    from uhhrag.runs.shard import read_shard
    from uhhrag.runs.stages import write_stages
    from uhhrag.wiring import pipeline

    settings = chosen.settings
    wired = pipeline.wire(settings, chosen.machine, index, cache=chosen.cache)
    claims = predict.select(wired.claims, limit, tuple(claim or ()))
    if shard:
        mine = read_shard(shard).share(claim.id for claim in claims)
        claims = [claim for claim in claims if claim.id in mine]
    folder = out or Path("runs") / settings.approach
    if not (folder / HEADER).exists():  # a model that cannot be loaded leaves no folder behind
        wired.load()
    with open_run(folder, wired.header, overwrite=overwrite, repair=repair) as run:
        left = [c for c in claims if c.id not in run.done]
        if left:
            wired.load()
        typer.echo(opening(wired.header["signature"], len(left), len(claims)))
        for caution in cautions(wired, chosen):
            typer.echo(caution, err=True)
        failed = 0
        for result in progress(
            predict.predict(left, wired.corpus_for, wired.method, run, wired.others),
            len(left),
            "claims",
        ):
            if isinstance(result, Failure):
                failed += 1
            typer.echo(show(result))
        records = [r for r in read_trace(run.trace) if "error" not in r]
        total = summary(run)
    if trec:
        write_stages(folder, records, wired.prefiltered, wired.corpus_for, settings.approach)
    typer.echo(total)
    if failed:
        raise ClaimsFailed(
            f"{failed} of {len(claims)} claims have no verdict; the reason of each stands in "
            f"{run.trace} as error; run the same command again to try just those"
        )
