"""The library: each command as a function; raises what `uhhrag.errors` has (docs/api.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Unpack

from uhhrag import defaults
from uhhrag.errors import UhhragError as UhhragError
from uhhrag.indexing.candidates import ClaimOutcome
from uhhrag.indexing.choices import Tokenizer
from uhhrag.protocols import Embedder
from uhhrag.protocols import PageSource as PageSource
from uhhrag.records import Claim as Claim
from uhhrag.records import Failure as Failure
from uhhrag.records import Page as Page
from uhhrag.records import Verdict as Verdict
from uhhrag.scores.choices import Measure
from uhhrag.wiring.machine import Loaded as Loaded
from uhhrag.workflows import archives, gathered
from uhhrag.workflows import check as checking
from uhhrag.workflows import compare as comparing
from uhhrag.workflows import evaluate as evaluating
from uhhrag.workflows import index as indexing
from uhhrag.workflows import predict as predicting
from uhhrag.workflows import search as searching
from uhhrag.workflows.archives import Ingested as Ingested
from uhhrag.workflows.check import CheckResult as CheckResult
from uhhrag.workflows.compare import Comparison as Comparison
from uhhrag.workflows.evaluate import Evaluation as Evaluation
from uhhrag.workflows.given import own_claims
from uhhrag.workflows.index import IndexResult as IndexResult
from uhhrag.workflows.method import MethodOptions, choose
from uhhrag.workflows.observer import SILENT, Observer, Progress, by_callback
from uhhrag.workflows.predict import PredictResult as PredictResult
from uhhrag.workflows.tasks import (
    CheckTask,
    EvaluateTask,
    IndexTask,
    JudgeOptions,
    PredictTask,
    Scoring,
    choose_judge,
    from_arguments,
    path_of,
)

StrPath = str | Path
Warn = Callable[[str], None]


def check(
    claims: str | Claim | Iterable[str | Claim],
    docs: StrPath | PageSource,
    *,
    work: StrPath | None = None,
    out: StrPath | None = None,
    pool: int = defaults.POOL,
    rerank: int | None = None,
    overwrite: bool = False,
    progress: Progress | None = None,
    warn: Warn | None = None,
    **options: Unpack[MethodOptions],
) -> CheckResult:
    """Check claims against documents: a folder, an archive, an OpenSearch index, or a function from
    a claim to its `Page`s.

    A text gets its position as id. `work` (default: NAME.uhhrag beside the documents) and `out`
    (default: a folder in `work`) keep results for a second call. BM25 keeps `pool` sentences per
    claim; a cross-encoder reads `rerank` passages of an archive (None: 30, if its model is
    present). Calls `progress(done, total, what)` and `warn(line)` meanwhile. A failed claim is a
    `Failure`."""
    chosen = choose(options)
    source = docs if callable(docs) else gathered.named(str(docs), chosen)
    task = replace(from_arguments(CheckTask, locals()), claims=own_claims(claims), docs=source)
    return checking.check(task, chosen, _observer(progress, warn))


def search(
    docs: StrPath,
    query: str,
    *,
    top_n: int = 10,
    exact: bool = False,
    work: StrPath | None = None,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> dict[str, Any]:
    """The nearest sentences, or with `exact` those with all words, as `uhhrag search --json`."""
    observer = _observer(progress, warn)
    place = None if work is None else path_of(work)
    return searching.search(path_of(docs), query, top_n, place, observer, exact=exact)


def ingest(
    docs: StrPath,
    out: StrPath,
    *,
    again: bool = False,
    vectors: bool = True,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> Ingested:
    """Read new and changed files (`again`: all) into an archive; the result has unreadable ones."""
    folder, archive, observer = path_of(docs), path_of(out), _observer(progress, warn)
    return archives.ingest(folder, archive, again=again, vectors=vectors, observer=observer)


def index(
    data: StrPath,
    out: StrPath = defaults.INDEX,
    *,
    claims: StrPath | None = None,
    store: StrPath | None = None,
    embedder: StrPath | Loaded[Embedder] = defaults.EMBEDDER,
    device: str = defaults.DEVICE,
    precision: str | None = None,
    pool: int = defaults.POOL,
    patience: int | None = None,
    tokenizer: str = Tokenizer.FAST,
    unique: bool = True,
    limit: int | None = None,
    claim: int | Sequence[int] = (),
    shard: str | None = None,
    ray: str | int | None = None,
    overwrite: bool = False,
    repair: bool = False,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> IndexResult:
    """Index each claim's knowledge store into `out`. A failed claim's outcome has an `error`."""
    task, observer = from_arguments(IndexTask, locals()), _observer(progress, warn)

    def failed(outcome: ClaimOutcome) -> None:
        if outcome.error:
            observer.warn(f"claim {outcome.claim.id}: {outcome.error}")

    return indexing.index(task, replace(observer, result=failed))


def predict(
    index: StrPath = defaults.INDEX,
    out: StrPath | None = None,
    *,
    limit: int | None = None,
    claim: int | Sequence[int] = (),
    shard: str | None = None,
    ray: str | int | None = None,
    trec: bool = False,
    overwrite: bool = False,
    repair: bool = False,
    progress: Progress | None = None,
    warn: Warn | None = None,
    **options: Unpack[MethodOptions],
) -> PredictResult:
    """Decide an index's claims into the run folder `out` (default: runs/<approach>), which a second
    call continues. A failed claim is a `Failure`."""
    task = from_arguments(PredictTask, locals())
    return predicting.predict(task, choose(options), _observer(progress, warn))


def evaluate(
    run: StrPath | None,
    gold: StrPath,
    *,
    per_claim: StrPath | None = None,
    trec: StrPath | None = None,
    qrels: StrPath | None = None,
    store: StrPath | None = None,
    workers: int | None = None,
    seed: int = defaults.BOOTSTRAP_SEED,
    resamples: int = defaults.RESAMPLES,
    measure: str = Measure.METEOR,
    progress: Progress | None = None,
    warn: Warn | None = None,
    **judge: Unpack[JudgeOptions],
) -> Evaluation:
    """Score a run folder or prediction file against the claims file `gold`, as the official scorer
    of 2024, or with `measure="ev2r"` by a judge. `result["…"]` is a part of `uhhrag evaluate
    --json`."""
    task = replace(from_arguments(EvaluateTask, locals()), judging=choose_judge(measure, judge))
    return evaluating.evaluate(task, _observer(progress, warn))


def compare(
    a: StrPath,
    b: StrPath,
    gold: StrPath,
    *,
    workers: int | None = None,
    seed: int = defaults.BOOTSTRAP_SEED,
    resamples: int = defaults.RESAMPLES,
    measure: str = Measure.METEOR,
    progress: Progress | None = None,
    warn: Warn | None = None,
    **judge: Unpack[JudgeOptions],
) -> Comparison:
    """Compare two run folders or prediction files, with `measure="ev2r"` also judged runs as JSON;
    differences are b - a."""
    scoring, judging = from_arguments(Scoring, locals()), choose_judge(measure, judge)
    first, second, wanted = map(path_of, (a, b, gold))
    observer = _observer(progress, warn)
    return comparing.compare(first, second, wanted, scoring, judging, observer)


def _observer(progress: Progress | None, warn: Warn | None) -> Observer:
    track = by_callback(progress) if progress else SILENT.track
    return Observer(track=track, warn=warn or SILENT.warn)
