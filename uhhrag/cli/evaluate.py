"""`uhhrag evaluate`: the official scores of a prediction file or run folder."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from uhhrag.errors import UsageError
from uhhrag.records import Passage

GoldFile = Annotated[
    Path, typer.Option("--gold", metavar="CLAIMS", help="Claims file with labels and questions.")
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Workers = Annotated[
    int | None,
    typer.Option(min=1, help="Processes; by default one a hundred claims, at most one a core."),
]
Seed = Annotated[int, typer.Option(min=0, help="Seed of the bootstrap.")]
Resamples = Annotated[int, typer.Option(min=1, max=10_000, help="Resamples of the bootstrap.")]


def nltk_data_folder() -> Path:
    """Where the sentence splitter and WordNet are."""
    from uhhrag import models

    return models.path("nltk-data")


def evaluate(
    gold: GoldFile,
    run: Annotated[
        Path | None, typer.Argument(metavar="RUN_OR_FILE", help="Run folder, JSON or 2025 CSV.")
    ] = None,
    per_claim: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Also write scores by claim: .jsonl, .csv, .parquet."),
    ] = None,
    as_json: AsJson = False,
    trec: Annotated[
        Path | None,
        typer.Option(metavar="RUNS", help="Also measure retrieval: a TREC run, or a folder of."),
    ] = None,
    qrels: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Relevant passages for --trec: .jsonl or TREC qrels."),
    ] = None,
    store: Annotated[
        Path | None,
        typer.Option(metavar="STORE", help="For --trec without --qrels: take gold's pages here."),
    ] = None,
    workers: Workers = None,
    seed: Seed = 0,
    resamples: Resamples = 1000,
) -> None:
    """Score predictions as the official scorer of 2024 does, and say what the numbers hide.

    Where gold's labels are grades of the scale of six, its measures are given instead."""
    from uhhrag.formats.submission import read_gold
    from uhhrag.formats.trec import read_runs
    from uhhrag.scores import ranking, reliability, score_report, six_point
    from uhhrag.scores.bootstrap import Bootstrap
    from uhhrag.system import tables

    if run is None and trec is None:
        raise UsageError("nothing to score: name a prediction file or run folder, or --trec RUNS")
    if run is None and per_claim is not None:
        raise UsageError("--per-claim needs a prediction file or run folder to score")
    if per_claim is not None:
        tables.check_ending(per_claim)
    if run is not None and trec is None and (graded := six_point.read_gold(gold)):
        one = six_point.grade(run, graded)
        if per_claim is not None:
            tables.write(per_claim, six_point.rows(one))
        told = six_point.as_json([one], Bootstrap(resamples, seed))
        typer.echo(json.dumps(told) if as_json else six_point.as_text(told))
        return
    claims = read_gold(gold)
    found: dict[str, object] = {}
    shown = []
    if run is not None:
        bootstrap = Bootstrap(resamples, seed)
        made = score_report.evaluate(run, claims, str(gold), nltk_data_folder(), workers, bootstrap)
        if per_claim is not None:
            tables.write(per_claim, score_report.rows(made.scores))
        if as_json:
            found |= score_report.as_json(made)
        else:
            shown.append(score_report.as_text(made))
        if outcomes := score_report.outcomes(run, made.scores):
            found["confidence"] = reliability.as_json(outcomes)
            shown.append(reliability.as_text(outcomes))
    if trec is not None:
        judged = ranking.judgements(claims, qrels, _passages(store) if store else None)
        stages = ranking.as_json(read_runs(trec), judged)
        found["retrieval"] = stages
        shown.append(ranking.as_text(stages))
    typer.echo(json.dumps(found) if as_json else "\n\n".join(shown))


def _passages(store: Path) -> Callable[[int], Iterable[Passage]]:
    from uhhrag.store.knowledge_store import read

    return partial(read, store)
