"""Claim + evidence → votes → label: UHH paper, section 3.4.

The paper's prompt 1 (`all`) reads all evidence at once; prompt 2 reads one piece at a time, and
its votes are joined by strategy 1 (`unanimous`) or 2 (`majority`). Votes are taken in one of two
ways: `paper` lets the model write JSON, reads it strictly and puts Refuted where it cannot;
`constrained` asks for one letter and takes the probabilities of the letters, so that a label
always comes out.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from uhhrag.calibration import Calibration
from uhhrag.protocols import LLM, Template, VerdictRule
from uhhrag.records import (
    Choose,
    Claim,
    Evidence,
    Generate,
    Label,
    Origin,
    Prompt,
    Reply,
    Vote,
)

# Section 4.2, footnote 9: no sampling, at most 32 new tokens, this repetition penalty.
PAPER_DECODING = Generate(max_tokens=32, repetition_penalty=1.204819277108434)

# What the letters of the constrained templates stand for. None: the evidence says nothing, which
# is no label of a single vote in the paper; its probability is kept in the trace.
VOTE_OPTIONS: Mapping[str, Label | None] = {
    "A": Label.SUPPORTED,
    "B": Label.REFUTED,
    "C": None,
}
LABEL_OPTIONS: Mapping[str, Label | None] = {
    "A": Label.SUPPORTED,
    "B": Label.REFUTED,
    "C": Label.NOT_ENOUGH,
    "D": Label.CONFLICTING,
}


class Decoding(StrEnum):
    CONSTRAINED = "constrained"
    PAPER = "paper"


@dataclass(frozen=True, slots=True)
class Rule:
    """How a verdict is reached: one vote for each piece of evidence or one over all (`together`),
    and the label their votes give."""

    together: bool
    decide: VerdictRule


def unanimous(votes: Sequence[Vote]) -> Label:
    """Strategy 1 ("2-1"): the label of all votes if they agree, else Conflicting. No votes give
    Not Enough Evidence (the paper's code had no answer)."""
    labels = {vote.label for vote in votes}
    if len(labels) == 1:
        return labels.pop()
    return Label.CONFLICTING if labels else Label.NOT_ENOUGH


def majority(votes: Sequence[Vote]) -> Label:
    """Strategy 2 ("2-2"): of one or two kinds of label the commoner, a tie going to the label
    of the better-ranked evidence; three kinds give Conflicting, whatever their numbers. No votes
    give Not Enough Evidence."""
    counts = Counter(vote.label for vote in votes)
    if not counts:
        return Label.NOT_ENOUGH
    # most_common keeps first-seen order among equals
    return counts.most_common(1)[0][0] if len(counts) <= 2 else Label.CONFLICTING


RULES: Mapping[str, Rule] = {
    "majority": Rule(together=False, decide=majority),
    "unanimous": Rule(together=False, decide=unanimous),
    "all": Rule(together=True, decide=unanimous),
}


def template_of(rule: Rule, decoding: Decoding) -> str:
    """The name of the template a rule's votes are asked with."""
    return f"{'label' if rule.together else 'vote'}_{decoding}"


def options_of(rule: Rule) -> Mapping[str, Label | None]:
    """The letters of a rule's constrained template and what they stand for."""
    return LABEL_OPTIONS if rule.together else VOTE_OPTIONS


def cast(
    llm: LLM,
    template: Template,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    decoding: Decoding,
    calibration: Calibration,
) -> tuple[Vote, ...]:
    """The votes on a claim: one a piece of evidence, in order, or one over all. None at all when
    there is no evidence."""
    texts = [f"{e.question} {e.answer}" for e in evidence]
    if rule.together and texts:
        # The paper gives a Python list of strings; a line each reads the same to a model.
        quote = ", ".join(json.dumps(t, ensure_ascii=False) for t in texts)
        texts = [quote if decoding is Decoding.PAPER else "\n".join(f"- {t}" for t in texts)]
    prompts = [template(claim=claim.text, evidence=text) for text in texts]
    if not prompts:
        return ()
    if decoding is Decoding.PAPER:
        return _cast_freely(llm, prompts, read_label if rule.together else read_vote)
    options = options_of(rule)
    replies = llm(prompts, Choose(tuple(options)))
    return tuple(constrained_vote(reply, options, calibration) for reply in replies)


def _cast_freely(
    llm: LLM, prompts: Sequence[Prompt], read: Callable[[str], tuple[Label, Origin]]
) -> tuple[Vote, ...]:
    replies = llm(prompts, PAPER_DECODING)
    return tuple(Vote(*read(reply.text), reply.text, cut=reply.cut) for reply in replies)


def constrained_vote(
    reply: Reply, options: Mapping[str, Label | None], calibration: Calibration
) -> Vote:
    """The most probable label among the options that are one, and its calibrated probability
    among them. A reply without probabilities (see `protocols.LLM`) is taken at its word."""
    if not reply.logprobs:
        return _written_vote(reply, options)
    probabilities = calibration(
        [p for p, label in zip(reply.logprobs, options.values(), strict=True) if label]
    )
    labels = [label for label in options.values() if label]
    best = max(range(len(labels)), key=probabilities.__getitem__)
    return Vote(
        labels[best],
        Origin.CONSTRAINED,
        reply.text,
        probabilities[best],
        dict(zip(options, reply.logprobs, strict=True)),
        reply.cut,
    )


def _written_vote(reply: Reply, options: Mapping[str, Label | None]) -> Vote:
    """An option that is no label says nothing, so Not Enough Evidence; a reply that is no option
    is Refuted by default, as in `read_vote`."""
    if reply.text not in options:
        return Vote(Label.REFUTED, Origin.DEFAULTED, reply.text, cut=reply.cut)
    label = options[reply.text] or Label.NOT_ENOUGH
    return Vote(label, Origin.READ, reply.text, cut=reply.cut)


def read_vote(reply: str) -> tuple[Label, Origin]:
    """A vote of prompt 2, read as the paper's code reads it; never raises. In this order: no JSON
    object with a label → Refuted by default; the label Supported or Refuted → that; a score over
    0 and up to .5 → Not Enough Evidence; else Refuted by default.

    >>> read_vote('{"label": "Supported", "score": 0.9}')
    (<Label.SUPPORTED: 'Supported'>, <Origin.READ: 'read'>)
    >>> read_vote('```json')
    (<Label.REFUTED: 'Refuted'>, <Origin.DEFAULTED: 'defaulted'>)
    """
    found = _json_object(reply)
    label, score = found.get("label"), found.get("score")
    if label in (Label.SUPPORTED, Label.REFUTED):
        return Label(label), Origin.READ
    low = isinstance(score, int | float) and not isinstance(score, bool) and score <= 0.5
    if label is not None and low and score != 0:
        return Label.NOT_ENOUGH, Origin.READ
    return Label.REFUTED, Origin.DEFAULTED


def read_label(reply: str) -> tuple[Label, Origin]:
    """A label of prompt 1: exactly one of the four, anything else is Refuted by default; never
    raises.

    >>> read_label('{"label": "supported"}')
    (<Label.REFUTED: 'Refuted'>, <Origin.DEFAULTED: 'defaulted'>)
    """
    label = _json_object(reply).get("label")
    if isinstance(label, str) and label in set(Label):
        return Label(label), Origin.READ
    return Label.REFUTED, Origin.DEFAULTED


def _json_object(reply: str) -> dict[str, Any]:
    try:
        found = json.loads(reply.strip())
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def margin(votes: Sequence[Vote], label: Label) -> float | None:
    """How sure a verdict is: the mean over the votes of the probability each gives the verdict's
    label, between 0 and 1; None where votes carry no probability.

    >>> margin([Vote(Label.REFUTED, Origin.CONSTRAINED, "B", 0.75)], Label.REFUTED)
    0.75
    """
    shares = [
        vote.probability if vote.label is label else 1 - vote.probability
        for vote in votes
        if vote.probability is not None
    ]
    return math.fsum(shares) / len(shares) if shares else None
