from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import defaults
from uhhrag.cli.judging import judges_evidence
from uhhrag.cli.options import OBSERVER, AsJson, GoldFile, Resamples, Seed, Workers
from uhhrag.scores import bootstrap
from uhhrag.workflows import evaluate as workflow
from uhhrag.workflows.judging import Judging


@judges_evidence
def evaluate(
    judging: Judging | None,
    gold: GoldFile,
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN_OR_FILE", help="Run folder, JSON or 2025 CSV.")
    ] = None,
    per_claim: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write scores per claim: .jsonl, .csv or .parquet."),
    ] = None,
    as_json: AsJson = False,
    trec: Annotated[
        Path | None,
        typer.Option(
            metavar="RUNS", help="Also measure retrieval: a TREC run, or a folder of them."
        ),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Relevant passages for --trec: .jsonl or TREC qrels."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            metavar="STORE", help="For --trec without --qrels: the store with gold's pages."
        ),
    ] = None,
    workers: Workers = None,
    seed: Seed = defaults.BOOTSTRAP_SEED,
    resamples: Resamples = defaults.RESAMPLES,
) -> None:
    """Score predictions as the official scorer of 2024 does, and show what the numbers hide.

    If the gold labels are grades on the six-point scale, its measures are given instead. With
    --measure ev2r a judge decides which facts of gold's evidence a prediction contains."""
    task = workflow.EvaluateTask(
        gold=gold,
        run=run,
        per_claim=per_claim,
        trec=trec,
        qrels=qrels,
        store=store,
        workers=workers,
        bootstrap=bootstrap.Bootstrap(resamples, seed),
        judging=judging,
    )
    result = workflow.evaluate(task, OBSERVER)
    typer.echo(json.dumps(result.scores) if as_json else result.text)
