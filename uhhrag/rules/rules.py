"""Claim + evidence → votes → label: a rule is a row of `RULES`.

UHH (section 3.4): prompt 1 (`all`) reads all evidence at once; prompt 2 reads one piece at a time,
and its votes are joined by strategy 1 (`unanimous`) or 2 (`majority`). The organisers' baseline and
a rule of ours join the same votes in other ways. Papelo (section 3.4, appendix B) reads all pairs
at once, FZI-WIM (section 3.3) lets the model justify its label, Chen et al. (section 3.5) grade on
a scale of six.

Votes are taken in one of two ways: `paper` lets the model write and reads the label from its text;
`constrained` asks for one letter and takes the probabilities of the letters, so that a label always
comes out. A justified vote is written either way.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

from uhhrag.protocols import VerdictRule
from uhhrag.records import (
    Evidence,
    Generate,
    Grade,
    Label,
    Origin,
    Vote,
)
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
"""FZI-WIM say nothing of a limit; their example has five words and a label."""
SAMPLING = Generate(max_tokens=192, temperature=0.7, top_k=50)

# What the letters of the constrained templates stand for. None: the evidence says nothing, which
# is not a label of a single vote in UHH's paper, nor of Papelo's two classes; its probability is
# kept in the trace. Where the letter is there to be taken, A and B tell more of the claim.
SIDE_OPTIONS: Mapping[str, Label | None] = {
    "A": Label.SUPPORTED,
    "B": Label.REFUTED,
    "C": None,
}
LABEL_OPTIONS: Mapping[str, Label | None] = LETTERS
GRADE_OPTIONS: Mapping[str, Grade] = dict(zip("ABCDEF", Grade, strict=True))

# Ours. "Barely true" is PolitiFact's for a claim that leaves out what would turn the impression
# round, and was later renamed "mostly false".
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
    CONSTRAINED = "constrained"
    PAPER = "paper"


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


def baseline(votes: Sequence[Vote]) -> Label:
    """The organisers' vote: a vote for Not Enough Evidence takes no side; the one side that was
    taken, Conflicting where both were, Not Enough Evidence where none was."""
    sides = [vote for vote in votes if vote.label is not Label.NOT_ENOUGH]
    return unanimous(sides)


def weighted(votes: Sequence[Vote]) -> Label:
    """Ours: the label with the most probability over all votes, a tie going to that of the
    better-ranked evidence. A vote gives its label its probability, or 1 where it has none, and a
    two-sided vote what is left to the other side. No votes give Not Enough Evidence."""
    weights: dict[Label, list[float]] = {vote.label: [] for vote in votes}
    for vote in votes:
        weights[vote.label].append(1.0 if vote.probability is None else vote.probability)
        if vote.probability is not None and (other := _OTHER_SIDE.get(vote.label)):
            weights.setdefault(other, []).append(1.0 - vote.probability)
    # max keeps the first of equals, and labels stand in the order of their best-ranked vote
    return max(weights, key=lambda label: math.fsum(weights[label]), default=Label.NOT_ENOUGH)


_OTHER_SIDE = {Label.SUPPORTED: Label.REFUTED, Label.REFUTED: Label.SUPPORTED}


def commonest(votes: Sequence[Vote]) -> Label:
    """The commonest label of the votes that could be read, a tie going to the one cast first; Not
    Enough Evidence where none could."""
    counts = Counter(vote.label for vote in votes if vote.origin is not Origin.DEFAULTED)
    return counts.most_common(1)[0][0] if counts else Label.NOT_ENOUGH


def one_a_line(evidence: Sequence[Evidence], decoding: Decoding) -> str:
    """All evidence as one list, for UHH's prompt 1."""
    texts = [f"{e.question} {e.answer}" for e in evidence]
    if decoding is Decoding.PAPER:
        # The paper gives a Python list of strings; a line each reads the same to a model.
        return ", ".join(json.dumps(text, ensure_ascii=False) for text in texts)
    return "\n".join(f"- {text}" for text in texts)


def as_pairs(evidence: Sequence[Evidence], decoding: Decoding) -> str:
    """All evidence as questions and answers; a pair that stands there twice is shown once."""
    pairs = dict.fromkeys((e.question, e.answer) for e in evidence)
    return "\n".join(f"Question {i}: {q}\nAnswer {i}: {a}" for i, (q, a) in enumerate(pairs, 1))


@dataclass(frozen=True, slots=True)
class Rule:
    """How a verdict is reached.

    `step` names the templates that votes are asked with: `<step>_constrained` and `<step>_paper`,
    or one for both where there are no `options`; "" asks nothing. `options` are the letters of the
    constrained template and what they stand for, `read` and `writing` are for votes in text.
    `show` lays out all evidence for one vote over it; None casts a vote for each piece. `decide`
    joins the votes.

    `silent` is what a constrained vote says whose likeliest option is not a label; None gives it
    the likelier side. `samples` votes are cast over the same evidence. With `own` the approach's
    own verdict stands where it has one. With `learned` a fitted verdict decides in place of
    `decide` (see `learned`)."""

    step: str
    decide: VerdictRule
    read: Callable[[str], tuple[Label | Grade, Origin]] = read_label
    options: OptionMeanings = field(default_factory=dict)
    show: Callable[[Sequence[Evidence], Decoding], str] | None = as_pairs
    writing: Generate = PAPER_DECODING
    silent: Label | None = None
    samples: int = 1
    own: bool = False
    learned: bool = False

    def constrained(self, decoding: Decoding) -> bool:
        """Whether votes are read from the probabilities of letters."""
        return bool(self.options) and decoding is Decoding.CONSTRAINED


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
    """The name of the template a rule's votes are asked with; "" for a rule that asks nothing."""
    return f"{rule.step}_{decoding}" if rule.options else rule.step
