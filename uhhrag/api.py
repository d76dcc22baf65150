"""The library: what each command does, to be called from a program.

`import uhhrag` gives these functions and records by name and loads this module when the first is
used. Paths are texts or `Path`s, defaults are those of the commands, and errors are the exceptions
of `uhhrag.errors`, each with a message of one line. docs/api.md shows them in use. What is imported
here by `as` is public too; the list of public names is in `uhhrag/__init__.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, TypeVar, Unpack

from uhhrag import defaults
from uhhrag.errors import UhhragError as UhhragError
from uhhrag.errors import UsageError
from uhhrag.indexing.built_claim import ClaimOutcome
from uhhrag.indexing.choices import Precision, Tokenizer
from uhhrag.protocols import Embedder
from uhhrag.protocols import PageSource as PageSource
from uhhrag.records import Claim as Claim
from uhhrag.records import Failure as Failure
from uhhrag.records import Page as Page
from uhhrag.records import Verdict as Verdict
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.choices import Measure
from uhhrag.wiring.loaded import Loaded as Loaded
from uhhrag.workflows import check as checking
from uhhrag.workflows import compare as comparing
from uhhrag.workflows import evaluate as evaluating
from uhhrag.workflows import gathered
from uhhrag.workflows import index as indexing
from uhhrag.workflows import ingest as ingesting
from uhhrag.workflows import predict as predicting
from uhhrag.workflows import search as searching
from uhhrag.workflows.check import CheckResult as CheckResult
from uhhrag.workflows.compare import Comparison as Comparison
from uhhrag.workflows.evaluate import Evaluation as Evaluation
from uhhrag.workflows.index import IndexResult as IndexResult
from uhhrag.workflows.ingested import Ingested as Ingested
from uhhrag.workflows.judging import JudgeOptions, choose_judge
from uhhrag.workflows.method import MethodOptions, choose
from uhhrag.workflows.observer import Begun, Observer, Progress, by_callback
from uhhrag.workflows.predict import PredictResult as PredictResult

E = TypeVar("E", bound=StrEnum)
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
    """Check one claim or several against a folder of documents, what `ingest` made of them, the
    address of an index of OpenSearch, or a function of your own: a claim → the `Page`s for it.

    `claims` are texts or `Claim`s; a text gets its position as id. What is read of the documents
    is kept in `work` (beside them as NAME.uhhrag), the run in `out` (a folder in `work`), so that
    a second call reads only what is new and decides only what is not decided. `pool` is how many
    sentences per claim BM25 keeps, `rerank` how many passages of a corpus a cross-encoder reads
    (None: 30, if its model is here). `progress(done, total, what)` is called as things get done,
    `warn(line)` with what a user should read; the result holds the warnings on the votes as well.

    A claim that fails is a `Failure` in the result. Raises UsageError, InputError, ModelError,
    PromptError or RunError where the check cannot begin or go on."""
    chosen = choose(options)
    task = checking.CheckTask(
        claims=_claims(claims),
        docs=docs if callable(docs) else gathered.named(str(docs), chosen),
        work=_path(work),
        out=_path(out),
        pool=pool,
        overwrite=overwrite,
        rerank=rerank,
    )
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
    """The sentences of a folder of documents or an archive that are nearest to a query, or with
    `exact` those that have all of its words: the object that `uhhrag search --json` prints."""
    task = searching.WordsTask(
        docs=Path(docs), query=query, top=top_n, exact=exact, work=_path(work)
    )
    return searching.search(task, _observer(progress, warn))


def ingest(
    docs: StrPath,
    out: StrPath,
    *,
    again: bool = False,
    vectors: bool = True,
    progress: Progress | None = None,
    warn: Warn | None = None,
) -> Ingested:
    """Read a folder of documents into a corpus, a folder; only what is new or changed is read, with
    `again` everything. It gets vectors unless `vectors` is False. A file that cannot be read is in
    the result."""
    return ingesting.ingest(
        Path(docs), Path(out), again=again, vectors=vectors, observer=_observer(progress, warn)
    )


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
    """Index the knowledge store of each claim of `data` into `out`; its options are the command's.
    A claim that fails is an outcome with an `error`. Raises UhhragError where none can be had."""
    task = indexing.IndexTask(
        data=Path(data),
        out=Path(out),
        claims=_path(claims),
        store=_path(store),
        embedder=embedder if isinstance(embedder, Loaded) else str(embedder),
        device=device,
        precision=None if precision is None else _one_of(Precision, "precision", precision),
        pool=pool,
        tokenizer=_one_of(Tokenizer, "tokenizer", tokenizer),
        unique=unique,
        limit=limit,
        only=_ids(claim),
        shard=shard,
        overwrite=overwrite,
        repair=repair,
        ray=None if ray is None else str(ray),
        patience=patience,
    )
    return indexing.index(task, _index_observer(progress, warn))


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
    """Decide the claims of an index and write the run folder `out` (runs/<approach>), with the
    submission and the trace. Stopped and called again, it goes on where it stopped.

    A claim that fails is a `Failure` in the result. Raises UsageError, InputError, IndexFault,
    ModelError, PromptError or RunError where the run cannot begin or go on."""
    task = predicting.PredictTask(
        index=Path(index),
        out=_path(out),
        limit=limit,
        claims=_ids(claim),
        shard=shard,
        trec=trec,
        overwrite=overwrite,
        repair=repair,
        ray=None if ray is None else str(ray),
    )
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
    **judge: Unpack[JudgeOptions],
) -> Evaluation:
    """Score a run folder or prediction file against the claims file `gold`: as the official scorer
    of 2024 does, or with `measure="ev2r"` by a judge, whose options are those of the command.
    `result["…"]` is a part of what `uhhrag evaluate --json` prints, the table has a row per claim.
    Raises UsageError, InputError, RunError, ModelError or PromptError."""
    task = evaluating.EvaluateTask(
        gold=Path(gold),
        run=_path(run),
        per_claim=_path(per_claim),
        trec=_path(trec),
        qrels=_path(qrels),
        store=_path(store),
        workers=workers,
        bootstrap=Bootstrap(resamples, seed),
        judging=choose_judge(measure, judge),
    )
    return evaluating.evaluate(task, _observer(progress, None))


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
    **judge: Unpack[JudgeOptions],
) -> Comparison:
    """Compare two run folders or prediction files; differences are b - a. With `measure="ev2r"`
    they can also be JSON files of runs judged before. The table has a row per measure. Raises
    UsageError, InputError, RunError, ModelError or PromptError."""
    return comparing.compare(
        Path(a),
        Path(b),
        Path(gold),
        workers,
        Bootstrap(resamples, seed),
        choose_judge(measure, judge),
        _observer(progress, None),
    )


def _path(path: StrPath | None) -> Path | None:
    return None if path is None else Path(path)


def _ids(claim: int | Sequence[int]) -> tuple[int, ...]:
    return (claim,) if isinstance(claim, int) else tuple(claim)


def _claims(claims: str | Claim | Iterable[str | Claim]) -> tuple[Claim, ...]:
    given = [claims] if isinstance(claims, str | Claim) else list(claims)
    made = tuple(
        Claim(number, one) if isinstance(one, str) else one for number, one in enumerate(given)
    )
    if not made or any(not claim.text.strip() for claim in made):
        raise UsageError("a claim is empty; give its text")
    if len({claim.id for claim in made}) < len(made):
        raise UsageError("two claims have the same id; give each its own")
    return made


def _one_of(kind: type[E], option: str, value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(kind)
        raise UsageError(f"{option} {value!r} is unknown; it is one of: {known}") from None


def _observer(progress: Progress | None, warn: Warn | None) -> Observer:
    warned = warn or (lambda line: None)

    def begun(run: Begun) -> None:
        for warning in run.warnings:
            warned(warning)

    if progress is None:
        return Observer(warn=warned, begun=begun)
    return Observer(track=by_callback(progress), warn=warned, begun=begun)


def _index_observer(progress: Progress | None, warn: Warn | None) -> Observer:
    """An observer that also warns of each claim that could not be indexed."""
    observer = _observer(progress, warn)

    def failed(outcome: ClaimOutcome) -> None:
        if outcome.error:
            observer.warn(f"claim {outcome.claim.id}: {outcome.error}")

    return Observer(track=observer.track, warn=observer.warn, result=failed)
