from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.formats.fields import claim_id
from uhhrag.records import Hit
from uhhrag.system.terminal import quantity
from uhhrag.system.text_files import read_text, write_text

STAGES = ("prefilter", "vectors", "rerank")
"""In the order they run; files are `<stage>.trec`."""
Run = Mapping[int, Sequence[str]]
"""Passage ids by claim, best first."""
Qrels = Mapping[int, Mapping[str, int]]
"""By claim: passage id to grade above 0."""


def passage_id(text: str) -> str:
    """16 hexadecimal digits of SHA-1, white space folded.

    >>> passage_id("a  b") == passage_id("a b"), passage_id("a b")
    (True, '7dbde93504122a70')
    """
    folded = " ".join(text.split()).encode("utf-8", "surrogatepass")
    return hashlib.sha1(folded, usedforsecurity=False).hexdigest()[:16]


def write_run(path: Path, hits: Mapping[int, Iterable[Hit]], tag: str) -> None:
    """Lines "id Q0 passage rank score tag", best first; equal passages count once."""
    lines = []
    for claim, ranked in hits.items():
        best: dict[str, float] = {}
        for hit in ranked:
            best.setdefault(passage_id(hit.passage.text), hit.score)
        for rank, (name, score) in enumerate(best.items(), start=1):
            lines.append(f"{claim} Q0 {name} {rank} {float(score)!r} {tag}\n")
    write_text(path, "".join(lines))


def read_run(path: Path) -> Run:
    """By score; ties by rank, then line. Repeated passages count once."""
    rows: dict[int, list[tuple[float, float, str]]] = {}
    for line, fields in _fields(path, 6):
        location = f"{path}, line {line}"
        score, rank = (
            _number(fields[4], f"{location}, score"),
            _number(fields[3], f"{location}, rank"),
        )
        rows.setdefault(_claim(fields[0], location), []).append((-score, rank, fields[2]))
    return {
        claim: list(dict.fromkeys(row[2] for row in sorted(ranked, key=lambda row: row[:2])))
        for claim, ranked in rows.items()
    }


def read_qrels(path: Path) -> Qrels:
    """TREC qrels, or JSON lines of `claim_id` and `real`, graded by number of systems."""
    return _sentence_qrels(path) if path.suffix.lower() == ".jsonl" else _trec_qrels(path)


def read_runs(path: Path) -> dict[str, Run]:
    """Of a file, or of a folder's `*.trec`, STAGES first."""
    if not path.is_dir():
        return {path.stem: read_run(path)}
    files = {file.stem: file for file in sorted(path.glob("*.trec"))}
    if not files:
        raise InputError(f"{path}: holds no *.trec file; write some by: uhhrag predict --trec")
    order = [name for name in STAGES if name in files]
    return {name: read_run(files[name]) for name in dict.fromkeys([*order, *files])}


def _sentence_qrels(path: Path) -> Qrels:
    qrels: dict[int, dict[str, int]] = {}
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        location = f"{path}, line {line}"
        try:
            row = json.loads(text) if text.strip() else None
            if row is not None:
                grades = qrels.setdefault(_claim(str(row["claim_id"]), location), {})
                for real in row["real"]:
                    grades[passage_id(real["sentence"])] = max(1, len(real.get("systems") or ()))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(
                f"{location}: is not a JSON object with claim_id and real [{{sentence, systems}}]"
            ) from error
    return qrels


def _trec_qrels(path: Path) -> Qrels:
    qrels: dict[int, dict[str, int]] = {}
    for line, fields in _fields(path, 4):
        location = f"{path}, line {line}"
        grade = int(_number(fields[3], f"{location}, grade"))
        grades = qrels.setdefault(_claim(fields[0], location), {})
        if grade > 0:
            grades[fields[2]] = grade
    return qrels


def _fields(path: Path, count: int) -> Iterator[tuple[int, list[str]]]:
    for line, text in enumerate(read_text(path).split("\n"), start=1):
        fields = text.split()
        if len(fields) == count:
            yield line, fields
        elif fields:
            raise InputError(
                f"{path}, line {line}: has {quantity(len(fields), 'column')}; it needs {count}"
            )


def _claim(text: str, location: str) -> int:
    number = claim_id(text, f"{location}, claim")
    if number is None:
        raise InputError(f"{location}, claim: is missing")
    return number


def _number(text: str, location: str) -> float:
    with suppress(ValueError):
        if math.isfinite(number := float(text)):
            return number
    raise InputError(f"{location}: {text[:40]!r} is not a number; give one")
