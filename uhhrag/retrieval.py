"""At which stage evidence is lost: TREC runs of the stages against relevant passages.

Passages are named by their text, so that a run, the store and judgements made elsewhere agree.
Recall and nDCG are computed by ir_measures. A query is a claim; its id is the claim's.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import numpy as np

from uhhrag import __version__
from uhhrag.errors import InputError, UsageError
from uhhrag.files import read_text, write_text
from uhhrag.records import Hit, Passage
from uhhrag.submission import Gold, claim_id

STAGES = ("prefilter", "vectors", "rerank")
"""The stages in the order they run; a stage's run is the file `<stage>.trec`."""

CUTOFFS = {"R": (10, 100, 1000), "nDCG": (10, 100)}

Run = Mapping[int, Sequence[str]]
"""Passage ids by claim, best first."""

Qrels = Mapping[int, Mapping[str, int]]
"""By claim: passage id to grade, a whole number above 0."""

_ARCHIVE = re.compile(r"^https?://web\.archive\.org/web/[^/]+/", re.IGNORECASE)


def passage_id(text: str) -> str:
    """The first 16 hexadecimal digits of the SHA-1 of the text, runs of white space made one.

    >>> passage_id("a  b") == passage_id("a b"), passage_id("a b")
    (True, '7dbde93504122a70')
    """
    folded = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha1(folded, usedforsecurity=False).hexdigest()[:16]


def run_lines(claim: int, hits: Iterable[Hit], tag: str) -> Iterator[str]:
    """The lines of a TREC run for one claim, best first: id, Q0, passage, rank, score, tag.
    Passages that differ in white space only are one."""
    best: dict[str, float] = {}
    for hit in hits:
        best.setdefault(passage_id(hit.passage.text), hit.score)
    for rank, (name, score) in enumerate(best.items(), start=1):
        yield f"{claim} Q0 {name} {rank} {float(score)!r} {tag}\n"


def write_run(path: Path, hits: Mapping[int, Iterable[Hit]], tag: str) -> None:
    """Write a TREC run of all claims, in one step."""
    write_text(
        path, "".join(line for c, found in hits.items() for line in run_lines(c, found, tag))
    )


def read_run(path: Path) -> Run:
    """Read a TREC run: by score, higher first; ties by rank, then by line; a passage that comes
    again is left out."""
    rows: dict[int, list[tuple[float, float, str]]] = {}
    for line, fields in _fields(path, 6):
        where = f"{path}, line {line}"
        score, rank = _number(fields[4], f"{where}, score"), _number(fields[3], f"{where}, rank")
        rows.setdefault(_claim(fields[0], where), []).append((-score, rank, fields[2]))
    return {
        claim: list(dict.fromkeys(row[2] for row in sorted(found, key=lambda row: row[:2])))
        for claim, found in rows.items()
    }


def read_qrels(path: Path) -> Qrels:
    """Read judgements: a TREC qrels file, or JSON lines with `claim_id` and `real`, a list of
    `{sentence, systems}`, where the grade is how many systems retrieved the sentence."""
    return _sentence_qrels(path) if path.suffix.lower() == ".jsonl" else _trec_qrels(path)


def qrels_of_gold(gold: Gold, passages: Iterable[Passage]) -> dict[str, int]:
    """Of a claim's passages, those that stand on a page its annotators took an answer from. Pages
    are compared without scheme, `www.`, fragment and web.archive.org's prefix."""
    answers = (answer for question in gold.questions for answer in question.answers)
    pages = {page for answer in answers for url in answer.urls if (page := same_page(url))}
    return {
        passage_id(passage.text): 1
        for passage in passages
        if any(same_page(url) in pages for url in passage.urls)
    }


def judgements(
    gold: Sequence[Gold], qrels: Path | None, passages: Callable[[int], Iterable[Passage]] | None
) -> Qrels:
    """The qrels file's, else those of gold's pages among the `passages` of each claim's store."""
    if qrels is not None:
        return read_qrels(qrels)
    if passages is None:
        raise UsageError("--trec needs --qrels FILE, or --store STORE to find gold's pages in")
    return {wanted.claim.id: qrels_of_gold(wanted, passages(wanted.claim.id)) for wanted in gold}


def same_page(url: str) -> str:
    """What two addresses of one page have in common; "" for what is no web address.

    >>> same_page("https://web.archive.org/web/2020id_/http://www.A.org/x/#top")
    'a.org/x'
    >>> same_page("Metadata")
    ''
    """
    try:
        parts = urlsplit(_ARCHIVE.sub("", url.strip()))
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not parts.netloc:
        return ""
    host = parts.netloc.lower().removeprefix("www.")
    return f"{host}{parts.path.rstrip('/')}{'?' if parts.query else ''}{parts.query}"


def read_runs(path: Path) -> dict[str, Run]:
    """The runs by stage: of a folder all `*.trec` files, those of STAGES first and in their
    order; of a file its own, named after it."""
    if not path.is_dir():
        return {path.stem: read_run(path)}
    files = {found.stem: found for found in sorted(path.glob("*.trec"))}
    if not files:
        raise InputError(f"{path}: holds no *.trec file; write some by: uhhrag predict --trec")
    order = [name for name in STAGES if name in files]
    return {name: read_run(files[name]) for name in dict.fromkeys([*order, *files])}


def measure_run(run: Run, qrels: Qrels) -> dict[str, float]:
    """Recall and nDCG at CUTOFFS, the mean over the claims that have a relevant passage; a claim
    the run leaves out counts 0. The order of the run decides, its scores do not."""
    try:
        import ir_measures
    except ImportError as error:
        raise UsageError(
            "retrieval measures need ir_measures; run: pip install 'uhhrag[retrieval]'"
        ) from error
    judged = {claim: found for claim, found in qrels.items() if found}
    if not judged:
        raise InputError("no claim has a relevant passage, so there is nothing to recall")
    measures = [getattr(ir_measures, name) @ cut for name, cuts in CUTOFFS.items() for cut in cuts]
    # Ranks stand in for scores: trec_eval keeps scores in single precision and reorders ties.
    ranked = {
        str(claim): {name: -float(rank) for rank, name in enumerate(run.get(claim, ()))}
        for claim in judged
    }
    graded = {str(claim): dict(found) for claim, found in judged.items()}
    values: dict[str, list[float]] = {str(measure): [] for measure in measures}
    for found in ir_measures.iter_calc(measures, graded, ranked):
        values[str(found.measure)].append(found.value)
    return {name: float(np.sum(found)) / len(judged) for name, found in values.items()}


def as_json(runs: Mapping[str, Run], qrels: Qrels) -> dict[str, Any]:
    """The measures of every stage, and how many claims they are over."""
    judged = [claim for claim, found in qrels.items() if found]
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


def as_text(found: Mapping[str, Any]) -> str:
    """What `as_json` made, for a terminal of 80 columns."""
    names = [f"{name}@{cut}" for name, cuts in CUTOFFS.items() for cut in cuts]
    lines = [f"{'stage':<14}" + "".join(f"{name:>10}" for name in names)]
    for stage, values in found["stages"].items():
        lines.append(f"{stage[:13]:<14}" + "".join(f"{values[name]:>10.4f}" for name in names))
    lines.append(
        f"over {found['claims']} claims with {found['relevant_passages']} relevant passages; "
        f"{len(found['claims_without_relevant'])} claims have none and are left out"
    )
    for stage, missing in found["not_in_run"].items():
        if missing:
            lines.append(f"beware: {stage} lacks {len(missing)} of the claims; they count 0")
    return "\n".join([*lines, found["signature"]])


def _sentence_qrels(path: Path) -> Qrels:
    qrels: dict[int, dict[str, int]] = {}
    for line, text in enumerate(read_text(path).splitlines(), start=1):
        where = f"{path}, line {line}"
        try:
            row = json.loads(text) if text.strip() else None
            if row is not None:
                grades = qrels.setdefault(_claim(str(row["claim_id"]), where), {})
                for real in row["real"]:
                    grades[passage_id(real["sentence"])] = max(1, len(real.get("systems") or ()))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{where}: is no JSON object with claim_id and real [{{sentence, systems}}]"
            ) from error
    return qrels


def _trec_qrels(path: Path) -> Qrels:
    qrels: dict[int, dict[str, int]] = {}
    for line, fields in _fields(path, 4):
        where = f"{path}, line {line}"
        grade = int(_number(fields[3], f"{where}, grade"))
        grades = qrels.setdefault(_claim(fields[0], where), {})
        if grade > 0:
            grades[fields[2]] = grade
    return qrels


def _fields(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        fields = text.split()
        if len(fields) == count:
            yield line, fields
        elif fields:
            raise InputError(f"{path}, line {line}: has {len(fields)} columns; it needs {count}")


def _claim(text: str, where: str) -> int:
    number = claim_id(text, f"{where}, claim")
    if number is None:
        raise InputError(f"{where}, claim: is missing")
    return number


def _number(text: str, where: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = float("nan")
    if not abs(number) < float("inf"):
        raise InputError(f"{where}: {text[:40]!r} is no number; give one")
    return number
