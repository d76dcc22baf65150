"""Recall and nDCG of each stage's TREC run, by ir_measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from uhhrag.errors import InputError, UsageError
from uhhrag.formats.gold import Gold
from uhhrag.formats.trec import Qrels, Run, passage_id, read_qrels
from uhhrag.records import Passage
from uhhrag.system.extras import require_extra
from uhhrag.system.terminal import columns, quantity, wrapped
from uhhrag.text.dates import original
from uhhrag.version import __version__

CUTOFFS = {"R": (10, 100, 1000), "nDCG": (10, 100)}


def qrels_of_gold(gold: Gold, passages: Iterable[Passage]) -> dict[str, int]:
    """Passages on gold pages, with relevance 1."""
    answers = (answer for question in gold.questions for answer in question.answers)
    pages = {page for answer in answers for url in answer.urls if (page := same_page(url))}
    there = (one for one in passages if any(same_page(url) in pages for url in one.urls))
    return {passage_id(passage.text): 1 for passage in there}


def judgements(
    gold: Sequence[Gold], qrels: Path | None, passages: Callable[[int], Iterable[Passage]] | None
) -> Qrels:
    """From the `qrels` file, else gold's pages among `passages`. Raises UsageError."""
    if qrels is not None:
        return read_qrels(qrels)
    if passages is None:
        raise UsageError("--trec needs --qrels FILE, or --store STORE to find gold's pages in")
    return {wanted.claim.id: qrels_of_gold(wanted, passages(wanted.claim.id)) for wanted in gold}


def same_page(url: str) -> str:
    """An address as compared, or "".

    >>> same_page("https://web.archive.org/web/2020id_/http://www.A.org/x/#top")
    'a.org/x'
    >>> same_page("Metadata")
    ''
    """
    try:
        parts = urlsplit(original(url.strip()))
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}{'?' if parts.query else ''}{parts.query}"


def measure_run(run: Run, qrels: Qrels) -> dict[str, float]:
    """Means over claims with a relevant passage; missing claims count 0. Raises InputError."""
    require_extra("retrieval", ["ir_measures"], "retrieval measures")
    import ir_measures

    judged = {claim: passages for claim, passages in qrels.items() if passages}
    if not judged:
        raise InputError("no claim has a relevant passage, so there is nothing to recall")
    measures = [getattr(ir_measures, name) @ cut for name, cuts in CUTOFFS.items() for cut in cuts]
    # Ranks stand in for scores: trec_eval keeps scores in single precision and reorders ties.
    ranked = {
        str(claim): {name: -float(rank) for rank, name in enumerate(run.get(claim, ()))}
        for claim in judged
    }
    graded = {str(claim): dict(passages) for claim, passages in judged.items()}
    values: dict[str, list[float]] = {str(measure): [] for measure in measures}
    for metric in ir_measures.iter_calc(measures, graded, ranked):
        values[str(metric.measure)].append(metric.value)
    return {name: float(np.sum(of_claims)) / len(judged) for name, of_claims in values.items()}


def as_json(runs: Mapping[str, Run], qrels: Qrels) -> dict[str, Any]:
    judged = [claim for claim, passages in qrels.items() if passages]
    return {
        "claims": len(judged),
        "claims_without_relevant": sorted(set(qrels) - set(judged)),
        "relevant_passages": sum(len(qrels[claim]) for claim in judged),
        "stages": {stage: measure_run(run, qrels) for stage, run in runs.items()},
        "not_in_run": {
            stage: sorted(claim for claim in judged if claim not in run)
            for stage, run in runs.items()
        },
        "signature": (
            f"recall, nDCG of passages by text | ir_measures {version('ir-measures')} | "
            f"uhhrag {__version__}"
        ),
    }


def as_text(report: Mapping[str, Any]) -> str:
    names = [f"{name}@{cut}" for name, cuts in CUTOFFS.items() for cut in cuts]
    stages = report["stages"].items()
    rows = [(stage, *(f"{values[name]:.4f}" for name in names)) for stage, values in stages]
    lines = columns([("stage", *names), *rows], "<" + ">" * len(names))
    over = (
        f"over {quantity(report['claims'], 'claim')} with "
        f"{quantity(report['relevant_passages'], 'relevant passage')}; without any, and left out: "
        f"{quantity(len(report['claims_without_relevant']), 'claim')}"
    )
    lines.append(wrapped(over, ""))
    for stage, missing in report["not_in_run"].items():
        if missing:
            lines.append(f"warning: {stage} lacks {quantity(len(missing), 'claim')}; each counts 0")
    return "\n".join([*lines, wrapped(report["signature"], "")])
