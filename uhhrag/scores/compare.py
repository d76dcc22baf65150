from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uhhrag.rules.label_words import SHORT
from uhhrag.scores.averitec import ClaimScore, measure, resample
from uhhrag.scores.bootstrap import Difference, as_lines
from uhhrag.scores.score_report import (
    NO_LABEL,
    Report,
    heading_of_two,
    how_scored,
    signature,
    warnings_of,
)
from uhhrag.system.terminal import wrapped

LEVEL = 0.25
"""A claim with the right label is solved above this Q+A: the shared task's level."""
KEY = (
    "won: only B has the right label; lost: only A; moved: two wrong labels that differ; "
    f"solved: the right label and a Q+A above {LEVEL}"
)


def differences(a: Report, b: Report) -> dict[str, Difference]:
    """By measure, in the order of MEASURES."""
    return a.bootstrap.differences(a.scores, b.scores, measure, resample)


def flips(a: Sequence[ClaimScore], b: Sequence[ClaimScore]) -> list[dict[str, Any]]:
    """In gold order."""
    both = (
        {
            "id": one.id,
            "claim": one.claim,
            "gold": one.gold,
            "a": one.predicted or NO_LABEL,
            "b": two.predicted or NO_LABEL,
            "a_solved": one.veracity(LEVEL),
            "b_solved": two.veracity(LEVEL),
            "change": _change(one, two),
        }
        for one, two in zip(a, b, strict=True)
    )
    return [flip for flip in both if flip["a"] != flip["b"] or flip["a_solved"] != flip["b_solved"]]


def _change(a: ClaimScore, b: ClaimScore) -> str:
    """`moved` if both are wrong."""
    if a.predicted is b.predicted:
        return "same"
    return "won" if b.right else "lost" if a.right else "moved"


def as_json(a: Report, b: Report) -> dict[str, Any]:
    return {
        "a": a.run,
        "b": b.run,
        "gold": a.gold,
        "claims": len(a.scores),
        "measures": differences(a, b),
        "intervals_are": a.bootstrap.described(len(a.scores), "both runs and every measure"),
        "flips": flips(a.scores, b.scores),
        "beware": {"a": warnings_of(a), "b": warnings_of(b)},
        "signature": signature(a.language),
    }


def as_text(scores: Mapping[str, Any], shown: int = 20) -> str:
    """From `as_json`."""
    flipped = scores["flips"]
    lines = [*heading_of_two(scores), *as_lines(scores["measures"]), "", _flips_line(flipped)]
    lines += [wrapped(KEY, "")] if flipped else []
    lines += [_flip_line(flip) for flip in flipped[:shown]]
    if len(flipped) > shown:
        lines.append(f"... and {len(flipped) - shown} more; --json shows all")
    return "\n".join([*lines, "", *how_scored(scores)])


def _flips_line(flipped: Sequence[Mapping[str, Any]]) -> str:
    changes = [flip["change"] for flip in flipped]
    solved = [flip["b_solved"] for flip in flipped if flip["a_solved"] != flip["b_solved"]]
    won = sum(solved)
    return (
        f"verdicts: B won {changes.count('won')}, lost {changes.count('lost')}, moved "
        f"{changes.count('moved')}; solved at {LEVEL}: won {won}, lost {len(solved) - won}"
    )


def _flip_line(flip: Mapping[str, Any]) -> str:
    a, b, gold = (SHORT.get(flip[name], "none") for name in ("a", "b", "gold"))
    same = f"solved: {'won' if flip['b_solved'] else 'lost'}"
    labels = same if flip["change"] == "same" else f"{a} -> {b}"
    start = f"{flip['id']:>5} {flip['change']:<6}{labels:<15} gold {gold:<7}"
    return wrapped(flip["claim"], start, 1)
