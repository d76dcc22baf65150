"""Pairs predictions with claims by `claim_id`; the official scorer pairs by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from uhhrag.errors import InputError
from uhhrag.formats.submission import Prediction
from uhhrag.records import Claim


@dataclass(frozen=True, slots=True)
class Pairing:
    """Ids are sorted."""

    predictions: tuple[Prediction | None, ...]
    """in the claims' order"""
    by_position: bool
    """no prediction has an id"""
    missing: tuple[int, ...]
    """claims without prediction"""
    doubled: tuple[int, ...]
    """claims with several: the first counts"""
    unknown: tuple[int, ...]
    """ids not in the claims file"""
    other_text: tuple[int, ...]
    """claims with another text"""


def pair(claims: Sequence[Claim], predictions: Sequence[Prediction], source: str) -> Pairing:
    """By position only if none has an id. Raises InputError if only some have."""
    without = [place for place, prediction in enumerate(predictions) if prediction.id is None]
    if without and len(without) < len(predictions):
        raise InputError(
            f"{source}, claim {without[0]}, claim_id: is missing, though other claims have one; "
            "give all of them one, or none"
        )
    ids = [
        place if prediction.id is None else prediction.id
        for place, prediction in enumerate(predictions)
    ]
    first: dict[int, Prediction] = {}
    for number, prediction in zip(ids, predictions, strict=True):
        first.setdefault(number, prediction)
    paired = tuple(first.get(claim.id) for claim in claims)
    known = {claim.id for claim in claims}
    return Pairing(
        predictions=paired,
        by_position=bool(without),
        missing=tuple(sorted(known - first.keys())),
        doubled=tuple(sorted(n for n, times in Counter(ids).items() if times > 1)),
        unknown=tuple(sorted(first.keys() - known)),
        other_text=tuple(
            claim.id
            for claim, prediction in zip(claims, paired, strict=True)
            if prediction and prediction.claim and _folded(prediction.claim) != _folded(claim.text)
        ),
    )


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


def unread_labels(claims: Sequence[Claim], pairing: Pairing) -> dict[int, str]:
    """Predicted labels outside the four, by claim id."""
    paired = zip(claims, pairing.predictions, strict=True)
    return {c.id: p.raw_label for c, p in paired if p is not None and p.label is None}
