"""Evidence → votes: asking the model and reading its answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from uhhrag import defaults
from uhhrag.protocols import LLM, Template
from uhhrag.records import (
    Ask,
    Choose,
    Claim,
    Evidence,
    Finding,
    Generate,
    Grade,
    Label,
    Origin,
    Reply,
    Verdict,
    Vote,
)
from uhhrag.verdict.calibration import Calibration
from uhhrag.verdict.rules import LABEL_OF, Decoding, OptionMeanings, Rule


def cast(
    llm: LLM,
    template: Template,
    claim: Claim,
    evidence: Sequence[Evidence],
    rule: Rule,
    decoding: Decoding,
    calibration: Calibration,
) -> tuple[Vote, ...]:
    """The votes on a claim: one per piece of evidence, in order, or as many over all of it as the
    rule has samples. None at all when there is no evidence."""
    if not evidence:
        return ()
    if rule.show:
        texts = [rule.show(evidence, decoding)] * rule.samples
    else:
        texts = [f"{e.question} {e.answer}" for e in evidence]
    prompts = [template(claim=claim.text, evidence=text) for text in texts]
    ask = Choose(tuple(rule.options)) if rule.constrained(decoding) else rule.writing
    return tuple(vote_in(reply, ask, rule, calibration) for reply in llm(prompts, ask))


def vote_in(reply: Reply, ask: Ask, rule: Rule, calibration: Calibration) -> Vote:
    """The vote that a reply to one prompt of the rule is; `ask` is what was asked of the model."""
    if isinstance(ask, Generate):
        return written_vote(reply, rule.read)
    unread = _label(rule.read("")[0])
    return constrained_vote(reply, rule.options, calibration, rule.silent, unread)


def own_vote(finding: Finding) -> tuple[Vote, ...]:
    """The approach's own verdict as a vote, none where it reached none."""
    return (Vote(finding.label, Origin.OWN, "", grade=finding.grade),) if finding.label else ()


def written_vote(reply: Reply, read: Callable[[str], tuple[Label | Grade, Origin]]) -> Vote:
    """A vote read from text."""
    meaning, origin = read(reply.text)
    return Vote(_label(meaning), origin, reply.text, cut=reply.cut, grade=_grade(meaning))


def constrained_vote(
    reply: Reply,
    options: OptionMeanings,
    calibration: Calibration,
    silent: Label | None = None,
    unread: Label = Label.REFUTED,
) -> Vote:
    """The most probable label among the options that are one, and its calibrated probability
    among them. With `silent`, a reply whose likeliest option is not a label says that instead, with
    the probability of the option among all. A reply without probabilities (see `protocols.LLM`)
    is taken at its word; one that is not an option is `unread` by default."""
    if not reply.logprobs:
        return _taken_at_its_word(reply, options, unread)
    logprobs = dict(zip(options, reply.logprobs, strict=True))
    if silent and not options[reply.text]:
        shares = [math.exp(p - logprobs[reply.text]) for p in reply.logprobs]
        sure = 1 / math.fsum(shares)
        return Vote(
            silent, Origin.CONSTRAINED, reply.text, sure, logprobs, reply.cut, meanings=options
        )
    labels = {letter: meaning for letter, meaning in options.items() if meaning}
    probabilities = calibration([logprobs[letter] for letter in labels])
    best, sure = max(zip(labels.values(), probabilities, strict=True), key=lambda pair: pair[1])
    return Vote(
        _label(best),
        Origin.CONSTRAINED,
        reply.text,
        sure,
        logprobs,
        reply.cut,
        _grade(best),
        options,
    )


def _taken_at_its_word(reply: Reply, options: OptionMeanings, unread: Label) -> Vote:
    """An option that is not a label says nothing, so Not Enough Evidence."""
    if reply.text not in options:
        return Vote(unread, Origin.DEFAULTED, reply.text, cut=reply.cut)
    meaning = options[reply.text] or Label.NOT_ENOUGH
    return Vote(_label(meaning), Origin.READ, reply.text, cut=reply.cut, grade=_grade(meaning))


def _label(meaning: Label | Grade) -> Label:
    return meaning if isinstance(meaning, Label) else LABEL_OF[meaning]


def _grade(meaning: Label | Grade) -> Grade | None:
    return meaning if isinstance(meaning, Grade) else None


def grade_of(votes: Sequence[Vote], label: Label) -> Grade | None:
    """The grade behind a verdict: that of the first vote for its label, None where it has none."""
    return next((vote.grade for vote in votes if vote.label is label), None)


def before_calibration(vote: Vote) -> tuple[str, float] | None:
    """What a constrained vote was before its calibration, where that is another label (or grade):
    its text, and its probability among the options that stand for one. None where calibration
    changed nothing but the probability.

    >>> options, meanings = {"A": -0.5, "B": -0.9}, {"A": "Supported", "B": "Refuted"}
    >>> calibrated = Vote(Label.REFUTED, Origin.CONSTRAINED, "A", 0.55, options, meanings=meanings)
    >>> label, probability = before_calibration(calibrated) or ("", 0.0)
    >>> label, round(probability, 3)
    ('Supported', 0.599)
    """
    shares = {
        str(meaning): math.exp(vote.options[option])
        for option, meaning in vote.meanings.items()
        if meaning is not None and option in vote.options
    }
    if not shares or str(vote.grade or vote.label) not in shares:
        return None
    likeliest = max(shares, key=shares.__getitem__)
    if likeliest == str(vote.grade or vote.label):
        return None
    return likeliest, shares[likeliest] / math.fsum(shares.values())


def lean_of(verdict: Verdict) -> Label | None:
    """The label that an unclear verdict leans to, None for a clear one. A verdict is unclear where
    it abstains, or takes a side with a confidence below `defaults.UNCLEAR_BELOW`."""
    if verdict.leaning or verdict.label is Label.NOT_ENOUGH:
        return verdict.leaning
    sure = verdict.confidence
    return verdict.label if sure is not None and sure < defaults.UNCLEAR_BELOW else None
