"""From votes to a label. UHH and Papelo (also appendix B), section 3.4; FZI-WIM, section 3.3; Chen
et al., section 3.5."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from uhhrag.protocols import VerdictRule
from uhhrag.records import Ballots, Claim, Decision, Evidence, Generate, Grade, Label, Origin, Vote
from uhhrag.rules.replies import (
    LETTERS,
    read_grade,
    read_justified,
    read_label,
    read_letter,
    read_vote,
)

# UHH, section 4.2, footnote 9: no sampling, at most 32 new tokens, this repetition penalty.
PAPER_DECODING = Generate(max_tokens=32, repetition_penalty=1.204819277108434)
JUSTIFYING = Generate(max_tokens=192)
"""ours; FZI-WIM give no limit"""
SAMPLING = Generate(max_tokens=192, temperature=0.7, top_k=50)

# What letters stand for. None: the evidence says nothing, no label in UHH's or Papelo's votes, but
# with that letter to choose, A and B tell more of the claim.
SIDE_OPTIONS: Mapping[str, Label | None] = {"A": Label.SUPPORTED, "B": Label.REFUTED, "C": None}
LABEL_OPTIONS: Mapping[str, Label | None] = LETTERS
GRADE_OPTIONS: Mapping[str, Grade] = dict(zip("ABCDEF", Grade, strict=True))

# Ours. PolitiFact later renamed "barely true" to "mostly false".
LABEL_OF: Mapping[Grade, Label] = {
    Grade.TRUE: Label.SUPPORTED,
    Grade.MOSTLY_TRUE: Label.SUPPORTED,
    Grade.HALF_TRUE: Label.CONFLICTING,
    Grade.BARELY_TRUE: Label.REFUTED,
    Grade.FALSE: Label.REFUTED,
    Grade.PANTS_ON_FIRE: Label.REFUTED,
}

OptionMeanings = Mapping[str, Label | None] | Mapping[str, Grade]


class Decoding(StrEnum):
    """CONSTRAINED: a label by the probabilities of letters; PAPER: the model writes."""

    CONSTRAINED = "constrained"
    PAPER = "paper"


def unanimous(votes: Sequence[Vote]) -> Label:
    """Strategy 1 ("2-1"): Conflicting if votes differ, Not Enough Evidence without any."""
    labels = {vote.label for vote in votes}
    if len(labels) == 1:
        return labels.pop()
    return Label.CONFLICTING if labels else Label.NOT_ENOUGH


def majority(votes: Sequence[Vote]) -> Label:
    """Strategy 2 ("2-2"): ties go to the best evidence, three labels are Conflicting."""
    counts = Counter(vote.label for vote in votes)
    if not counts:
        return Label.NOT_ENOUGH
    # most_common keeps first-seen order among equals
    return counts.most_common(1)[0][0] if len(counts) <= 2 else Label.CONFLICTING


def baseline(votes: Sequence[Vote]) -> Label:
    """The organisers' rule: `unanimous` over votes that take a side."""
    sides = [vote for vote in votes if vote.label is not Label.NOT_ENOUGH]
    return unanimous(sides)


def weighted(votes: Sequence[Vote]) -> Label:
    """Ours: the highest total probability; a two-sided vote gives its rest to the other side."""
    weights: dict[Label, list[float]] = {vote.label: [] for vote in votes}
    for vote in votes:
        weights[vote.label].append(1.0 if vote.probability is None else vote.probability)
        if vote.probability is not None and (other := _OTHER_SIDE.get(vote.label)):
            weights.setdefault(other, []).append(1.0 - vote.probability)
    # max keeps the first of equals, and labels stand in the order of their best-ranked vote
    return max(weights, key=lambda label: math.fsum(weights[label]), default=Label.NOT_ENOUGH)


_OTHER_SIDE = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}


def commonest(votes: Sequence[Vote]) -> Label:
    """Unreadable votes do not count; Not Enough Evidence without others."""
    counts = Counter(vote.label for vote in votes if vote.origin is not Origin.DEFAULTED)
    return counts.most_common(1)[0][0] if counts else Label.NOT_ENOUGH


def one_a_line(evidence: Sequence[Evidence], decoding: Decoding) -> str:
    """For UHH's prompt 1."""
    texts = [f"{e.question} {e.answer}" for e in evidence]
    if decoding is Decoding.PAPER:
        # The paper gives a Python list of strings; a line each reads the same to a model.
        return ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
    return "\n".join(f"- {text}" for text in texts)


def as_pairs(evidence: Sequence[Evidence], decoding: Decoding) -> str:
    pairs = dict.fromkeys((e.question, e.answer) for e in evidence)
    return "\n".join(f"Question {i}: {q}\nAnswer {i}: {a}" for i, (q, a) in enumerate(pairs, 1))


@dataclass(frozen=True, slots=True)
class Rule:
    step: str
    """template; with `options` it is `<step>_<decoding>`; "" asks nothing"""
    decide: VerdictRule
    read: Callable[[str], tuple[Label | Grade, Origin]] = read_label
    """reads a written vote"""
    options: OptionMeanings = field(default_factory=dict)
    """meanings by letter"""
    show: Callable[[Sequence[Evidence], Decoding], str] | None = as_pairs
    """lays out all evidence for one vote; None: one vote a piece"""
    writing: Generate = PAPER_DECODING
    silent: Label | None = None
    """vote for an option without label; None takes the likelier side"""
    samples: int = 1
    """votes on the same evidence"""
    own: bool = False
    """the approach's own verdict stands, if any"""
    learned: bool = False
    """a learned verdict replaces `decide`"""

    def constrained(self, decoding: Decoding) -> bool:
        return bool(self.options) and decoding is Decoding.CONSTRAINED

    def join(self, claim: Claim, evidence: Sequence[Evidence], ballots: Ballots) -> Decision:
        return Decision(self.decide(ballots.votes))


_VOTE = Rule("vote", majority, read_vote, SIDE_OPTIONS, show=None)
_PAIRS = Rule("pairs", unanimous, partial(read_letter, letters="AB"), SIDE_OPTIONS)

RULES: Mapping[str, Rule] = {
    "majority": _VOTE,
    "unanimous": replace(_VOTE, decide=unanimous),
    "all": Rule("label", unanimous, read_label, LABEL_OPTIONS, one_a_line),
    "weighted": replace(_VOTE, decide=weighted),
    "baseline": replace(_VOTE, decide=baseline, silent=Label.NOT_ENOUGH),
    "pairs": _PAIRS,  # Papelo, section 3.4
    "pairs-four": Rule("pairs_four", unanimous, read_letter, LABEL_OPTIONS),  # its "4 class"
    "learned": replace(_VOTE, decide=baseline, silent=Label.NOT_ENOUGH, learned=True),
    "early": Rule("", unanimous, own=True),
    "early-pairs": replace(_PAIRS, own=True),  # its "No late verdict"
    "justified": Rule("justify", commonest, read_justified, writing=JUSTIFYING),
    "justified-40": Rule(  # FZI-WIM, section 3.3 and appendix A.1
        "justify", commonest, read_justified, writing=SAMPLING, samples=40
    ),
    "six-point": Rule("grade", unanimous, read_grade, GRADE_OPTIONS),  # Chen et al., section 3.5
}


def template_of(rule: Rule, decoding: Decoding) -> str:
    return f"{rule.step}_{decoding}" if rule.options else rule.step
