from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from uhhrag import defaults
from uhhrag.records import Evidence, Label, Verdict, Vote
from uhhrag.records.pages import TAKEN_BACK
from uhhrag.rules.label_words import SAYS_NOTHING, WORDS
from uhhrag.system.terminal import quantity

_LEANS = {Label.SUPPORTED: 1, Label.REFUTED: -1}


@dataclass(frozen=True, slots=True)
class RowVote:
    label: Label
    probability: float | None = None


def before_calibration(vote: Vote) -> tuple[str, float] | None:
    """Likeliest label or grade and its share among options with a meaning; None if calibration kept
    it."""
    shares = {
        str(meaning): math.exp(vote.options[option])
        for option, meaning in vote.meanings.items()
        if meaning is not None and option in vote.options
    }
    voted = str(vote.grade or vote.label)
    likeliest = max(shares, key=shares.__getitem__, default=voted)
    if voted not in shares or likeliest == voted:
        return None
    return likeliest, shares[likeliest] / math.fsum(shares.values())


def is_unasked(item: Evidence, vote: Vote) -> bool:
    """No model is asked about words quoted or taken back."""
    return item.is_quoted and vote.says_nothing and vote.label is Label.NOT_ENOUGH


def unasked_as(item: Evidence) -> str:
    return "taken back" if item.noted(TAKEN_BACK) else "quoted"


def probability_of(item: Evidence, vote: Vote) -> float | None:
    return None if is_unasked(item, vote) else vote.probability


def quoted_note(evidence: Sequence[Evidence], votes: Sequence[Vote], noun: str) -> str:
    """That pieces are quoted or taken back, so no model was asked, or ""."""
    pieces = zip(evidence, votes, strict=True)
    unasked = [item for item, vote in pieces if is_unasked(item, vote)]
    if not unasked:
        return ""
    quoted = [item.retrieval_score for item in unasked]
    kind = " or ".join(sorted({*map(unasked_as, unasked)}))
    if len(quoted) == len(votes):
        return f"{'each' if len(votes) > 1 else 'the only'} {noun} is {kind} and was not voted on"
    first = max(quoted) >= max(one.retrieval_score for one in evidence)
    if first and len(quoted) == 1:
        return f"the nearest {noun} is {kind} and was not voted on"
    are, were = ("is", "was") if len(quoted) == 1 else ("are", "were")
    among = ", the nearest among them," if first else ""
    return (
        f"{len(quoted)} of {quantity(len(votes), noun)}{among} {are} {kind} and {were} not voted on"
    )


def share_of(vote: Vote, label: Label) -> float:
    """A label's uncalibrated share; 0.0 if unknown."""
    every = math.fsum(math.exp(one) for one in vote.options.values())
    own = [o for o, meaning in vote.meanings.items() if meaning == label and o in vote.options]
    return math.fsum(math.exp(vote.options[option]) for option in own) / every if every else 0.0


def vote_words(label: str, probability: float | None, *, silent: bool, even: bool = False) -> str:
    nothing = SAYS_NOTHING if silent else ""
    leans = f"leans {WORDS[label]}" if silent or even else WORDS[label]
    told = [nothing, "" if silent and label == Label.NOT_ENOUGH else leans]
    sure = "" if probability is None else f" {probability:.2f}"
    return ", ".join(filter(None, told)) + sure


def leaning_label(verdict: Verdict) -> Label | None:
    """If it abstains, or its confidence is below `defaults.UNCLEAR_BELOW`."""
    if verdict.leaning or verdict.label is Label.NOT_ENOUGH:
        return verdict.leaning
    sure = verdict.confidence
    return verdict.label if sure is not None and sure < defaults.UNCLEAR_BELOW else None


def stacked(counts: Mapping[str, int]) -> list[tuple[str, int, float, float]]:
    """Name, count, start and width in percent, without zeros.

    >>> stacked({"a": 1, "b": 0, "c": 3})
    [('a', 1, 0.0, 25.0), ('c', 3, 25.0, 75.0)]
    """
    total, start, bars = sum(counts.values()), 0.0, []
    for name, count in counts.items():
        if count:
            width = 100 * count / total
            bars.append((name, count, round(start, 3), round(width, 3)))
            start += width
    return bars


def lean(vote: Vote | RowVote) -> float:
    """From -1, refuted, to 1, supported; 0 at probability 0.5."""
    side = _LEANS.get(vote.label, 0)
    if vote.probability is None:
        return float(side)
    return round(side * max(0.0, 2 * vote.probability - 1), 3)


def options(vote: Vote) -> list[tuple[str, str, float]]:
    """Letter, meaning and probability; empty for a vote read from text."""
    return [
        (letter, _said(vote.meanings.get(letter, "")), math.exp(min(0.0, logprob)))
        for letter, logprob in vote.options.items()
    ]


def _said(meaning: str | None) -> str:
    return SAYS_NOTHING if meaning is None else WORDS.get(meaning, str(meaning))
