from __future__ import annotations

import math

from uhhrag.records import Ask, Generate, Grade, Label, Origin, Reply, Vote
from uhhrag.rules.rules import LABEL_OF, OptionMeanings, Rule
from uhhrag.voters.calibration import NONE, Calibration


def vote_in(reply: Reply, ask: Ask, rule: Rule, calibration: Calibration) -> Vote:
    if isinstance(ask, Generate):
        meaning, origin = rule.read(reply.text)
        return Vote(_label(meaning), origin, reply.text, cut=reply.cut, grade=_grade(meaning))
    unread = _label(rule.read("")[0])
    return constrained_vote(reply, rule.options, calibration, rule.silent, unread)


def constrained_vote(
    reply: Reply,
    options: OptionMeanings,
    calibration: Calibration,
    silent: Label | None = None,
    unread: Label = Label.REFUTED,
) -> Vote:
    """The most probable label, or `silent` if the likeliest option is none: then probabilities are
    among all options. Without any the text counts; if it is no option, `unread`."""
    if not reply.logprobs:
        return _taken_at_its_word(reply, options, unread)
    logprobs = dict(zip(options, reply.logprobs, strict=True))
    labels = {letter: meaning for letter, meaning in options.items() if meaning}
    shares = zip(options.values(), NONE(reply.logprobs), strict=True)
    nothing = math.fsum(share for meaning, share in shares if not meaning) if silent else 0.0
    if silent and not options[reply.text]:
        return Vote(
            silent, Origin.CONSTRAINED, reply.text, nothing, logprobs, reply.cut, meanings=options
        )
    probabilities = calibration([logprobs[letter] for letter in labels])
    best, sure = max(zip(labels.values(), probabilities, strict=True), key=lambda pair: pair[1])
    sure *= 1 - nothing
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
    if reply.text not in options:
        return Vote(unread, Origin.DEFAULTED, reply.text, cut=reply.cut)
    meaning = options[reply.text] or Label.NOT_ENOUGH
    return Vote(_label(meaning), Origin.READ, reply.text, cut=reply.cut, grade=_grade(meaning))


def _label(meaning: Label | Grade) -> Label:
    return meaning if isinstance(meaning, Label) else LABEL_OF[meaning]


def _grade(meaning: Label | Grade) -> Grade | None:
    return meaning if isinstance(meaning, Grade) else None
