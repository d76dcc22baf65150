from __future__ import annotations

import math

from uhhrag import defaults
from uhhrag.records import Evidence, Label, Verdict, Vote


def before_calibration(vote: Vote) -> tuple[str, float] | None:
    """The label or grade and its probability among the options that mean one; None if calibration
    changed neither."""
    shares = {
        str(meaning): math.exp(vote.options[option])
        for option, meaning in vote.meanings.items()
        if meaning is not None and option in vote.options
    }
    if str(vote.grade or vote.label) not in shares:
        return None
    likeliest = max(shares, key=shares.__getitem__)
    if likeliest == str(vote.grade or vote.label):
        return None
    return likeliest, shares[likeliest] / math.fsum(shares.values())


def is_unasked(item: Evidence, vote: Vote) -> bool:
    """Whether no model was asked, for the words are quoted."""
    return item.is_quoted and vote.says_nothing and vote.label is Label.NOT_ENOUGH


def probability_of(item: Evidence, vote: Vote) -> float | None:
    return None if is_unasked(item, vote) else vote.probability


def leaning_label(verdict: Verdict) -> Label | None:
    """If it abstains, or its confidence is below `defaults.UNCLEAR_BELOW`."""
    if verdict.leaning or verdict.label is Label.NOT_ENOUGH:
        return verdict.leaning
    sure = verdict.confidence
    return verdict.label if sure is not None and sure < defaults.UNCLEAR_BELOW else None
