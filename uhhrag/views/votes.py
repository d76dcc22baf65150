from __future__ import annotations

import math

from uhhrag import defaults
from uhhrag.records import Label, Verdict, Vote


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


def leaning_label(verdict: Verdict) -> Label | None:
    """If it abstains, or its confidence is below `defaults.UNCLEAR_BELOW`."""
    if verdict.leaning or verdict.label is Label.NOT_ENOUGH:
        return verdict.leaning
    sure = verdict.confidence
    return verdict.label if sure is not None and sure < defaults.UNCLEAR_BELOW else None
