from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag import defaults
from uhhrag.cli.options import OBSERVER, Device, OnRay, Share, warn
from uhhrag.indexing.choices import Precision, Tokenizer
from uhhrag.system.terminal import printable
from uhhrag.workflows import index as workflow

if TYPE_CHECKING:
    from uhhrag.indexing.candidates import ClaimOutcome


def index(
    folder: Annotated[
        Path, typer.Argument(metavar="DATA", help="Folder with claims.json and knowledge_store/.")
    ],
    out: Annotated[Path, typer.Option(help="The folder for the index.")] = Path("index"),
    claims: Annotated[
        Path | None, typer.Option(help="Claims file. Default: DATA/claims.json.")
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="Knowledge store: folder, zip, or for all claims one .jsonl or an archive; else "
            "DATA/knowledge_store[.zip]."
        ),
    ] = None,
    embedder: Annotated[str, typer.Option(help="Model name or folder.")] = defaults.EMBEDDER,
    device: Device = "cpu",
    precision: Annotated[
        Precision | None,
        typer.Option(
            help="Numbers of the embedder. Default: those of the index that is there, else the "
            "fastest here for a plain BERT, as measured once (see doctor).",
            show_default=False,
        ),
    ] = None,
    pool: Annotated[
        int, typer.Option(min=1, help="Passages that BM25 keeps for each claim.")
    ] = defaults.POOL,
    patience: Annotated[
        int | None,
        typer.Option(
            min=0,
            metavar="N",
            help="Embed a pool best first, and leave out the rest after N passages in a row none "
            "of which is among the ten nearest to the claim; 0 embeds all. Default: that of the "
            f"index that is there, else {defaults.PATIENCE} for minilm (it keeps 99 % of the ten "
            "nearest) and 0 for other embedders.",
            show_default=False,
        ),
    ] = None,
    tokenizer: Annotated[
        Tokenizer, typer.Option(help="How BM25 splits words: fast, or exactly as NLTK does.")
    ] = Tokenizer.FAST,
    unique: Annotated[
        bool,
        typer.Option("--unique/--no-unique", help="Keep each sentence once, with all its URLs."),
    ] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first N claims.")] = None,
    claim: Annotated[
        list[int] | None, typer.Option(min=0, help="Only the claim with this number; repeatable.")
    ] = None,
    shard: Share = None,
    ray: OnRay = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Rebuild what is already there.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Check what is there and rebuild what is damaged.")
    ] = False,
) -> None:
    """Index the knowledge store of each claim. Run again, it continues where it stopped."""
    task = workflow.IndexTask(
        data=folder,
        out=out,
        claims=claims,
        store=store,
        embedder=embedder,
        device=device,
        precision=precision,
        pool=pool,
        tokenizer=tokenizer,
        unique=unique,
        limit=limit,
        only=tuple(claim or ()),
        shard=shard,
        overwrite=overwrite,
        repair=repair,
        ray=ray,
        patience=patience,
    )
    result = workflow.index(task, replace(OBSERVER, result=_warn))
    typer.echo(_summary(result))
    result.require_all()


def _warn(outcome: ClaimOutcome) -> None:
    if outcome.manifest is None:
        warn(f"claim {outcome.claim.id}: {printable(outcome.error)}")
    elif outcome.seconds and outcome.manifest.counts.skipped:
        warn(
            f"claim {outcome.claim.id}: {outcome.manifest.counts.skipped} records skipped, "
            f"the first at {printable(outcome.manifest.first_skipped)}"
        )


def _summary(result: workflow.IndexResult) -> str:
    indexed = sum(outcome.manifest is not None for outcome in result)
    before = indexed - len(result.fresh)
    there = f", {before} of them there already" if before > 0 else ""
    spent = ", ".join(f"{stage} {time:.1f}" for stage, time in result.stages.items())
    return (
        f"{indexed} claims{there}, {result.passages:,} passages in {result.seconds:.1f} s"
        f"{f' ({spent})' if spent else ''} → {printable(str(result.folder))}"
    )
