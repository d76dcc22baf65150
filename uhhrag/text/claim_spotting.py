"""Rules for which English sentences of a draft can be checked; in doubt, a sentence can."""

from __future__ import annotations

import re
from enum import StrEnum

from uhhrag.text.fragments import is_fragment, is_question

_NEXT = re.compile(r"(?<=[a-z\d]{3}[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")


class Unchecked(StrEnum):
    QUESTION = "a question"
    FRAGMENT = "no whole sentence"
    REQUEST = "a note to the reader"
    FUTURE = "about the future"
    WISH = "a wish or a demand"
    OPINION = "an opinion or a feeling"
    UNCLEAR = "too little by itself"


def _any_of(phrases: str) -> str:
    return rf"\b(?:{'|'.join(' '.join(phrase.split()) for phrase in phrases.split(','))})\b"


def _pattern(*expressions: str) -> re.Pattern[str]:
    return re.compile("|".join(expressions), re.IGNORECASE)


_QUOTES = re.compile('["“”„«»‘]')
_FIGURE = re.compile(r"\d")
_NUMBER = _pattern(
    r"\d",
    _any_of("""percent, per cent, half, third, quarter, dozens?, hundreds?, thousands?, millions?,
    billions?, two, three, four, five, six, seven, eight, nine, ten, eleven, twelve, twice,
    doubled?, tripled?, halved, majority, most, (?:more|fewer|less) than, at least, at most"""),
)
_REQUEST = _pattern(
    "^"
    + _any_of("""please, read, click, see, visit, share, subscribe, sign up, send, write to,
    call us, tell us, join, try, ask, imagine, remember, forget, look, listen, watch, note, stay,
    stop, think of, check, follow, download, buy, book, judge, make, consider, keep, pour, enjoy,
    do not, don't, never mind, let us, let's, let me, thanks?, welcome, here (?:is|are),
    lock \\w+ up, comments are, photos?(?=:), by our, our advice""")
)
_FUTURE = _pattern(
    _any_of("""will, won't, would, shall, plans? to, aims? to, intends? to, hopes? to, vows? to,
    promis(?:es|ed) to, pledg(?:es|ed) to, could be, could have, may (?:be|well|never|soon), might,
    (?:is|are) to, next (?:week|month|year|season)"""),
    r"\w'll\b",
    r"^by 20\d\d\b",
    r"^(?:if|unless)\b",
)
# What is expected or planned can be looked up where a figure is given: "is expected to cost 84 m".
_EXPECTED = _pattern(
    _any_of("expects?, (?:is|are|was|were|be) (?:going|set|due|likely|hoped|expected|about) to")
)
_WISH = _pattern(
    _any_of("""must, should, shouldn't, ought, need(?:s|ed)? to, ha(?:s|ve) to, had better,
    deserv(?:e|es|ed), owes?, a lot to answer for, time to, it is (?:high )?time,
    (?:only|let us|we) hope, i wish, enough is enough""")
)
_OWN_VIEW = _pattern(
    _any_of("""in my (?:view|opinion), it seems, (?:he|she) believes, nobody knows, who knows,
    i (?:think|believe|feel|hope|guess|suppose|doubt|cannot|can't|love|hate|like|have never),
    some (?:say|call), remains? to be seen, of course, so much for, is another question,
    the whole story, wonders?, anybody's guess, unthinkable, you (?:could|can|may|might), whoever,
    whether"""),
    r"!\W*$",
)
_JUDGING = _pattern(
    _any_of("""absurd, amazing, appalling, asham(?:ed|ing), angry, awful, bad, beautiful, best,
    better place, betrayed, bitter, boring, brave, breathtaking, brilliant, chaos, cowardly, crazy,
    delight(?:ed|ful), disappoint(?:ed|ing), disgrace(?:ful)?, disgust(?:ed|ing), divided, differ,
    dreadful, easy, electric, excit(?:ed|ing), fed up, feel, feels, feeling, felt, furious, glad,
    good, great, greed, grateful, happy, hard, heartbreaking, heartless, my heart, honest, hopeful,
    horrible, ideal, impossible, incredible, interesting, ludicrous, madness, magic(?:al)?,
    marvell?ous, miracle, moving, naive, nice, outrageous, pathetic, perfect, perhaps, pity,
    proud(?:er)?, reckless, relief, ridiculous, sad, sadly, scandal(?:ous)?, shame, shameful,
    shock(?:ed|ing), slap in the face, splendid, stupid, superb, terrible, terrific, thankfully,
    thoughts are, thrilled, tired of, tragic, ugly, unacceptable, unclear, unfair, unfortunately,
    updated, wise, wonderful, worse, worst, worried, wrong""")
)
# A sentence that begins so, and has neither a name nor a number, cannot be checked by itself.
_POINTING = _pattern("^" + _any_of("that, this, these, those, it, they, one, you, there, nothing"))
_NAME = re.compile(r"(?<=\w )[A-Z][\w'-]+|(?<=\w, )[A-Z][\w'-]+")
_SILENCE = _pattern(_any_of("(?:declined|refused) to comment, no comment, speaks? for (?:it|them)"))


def statements(claim: str) -> int:
    """
    >>> statements("The bridge is shut. The ferry was sold."), statements("Gov. Ada Bo was told.")
    (2, 1)
    """
    parts = _NEXT.split(claim)
    return sum(len(part.split()) > 3 and not is_fragment(part) for part in parts)


def why_not_a_claim(sentence: str) -> Unchecked | None:
    """
    >>> print(why_not_a_claim("The bridge was closed to lorries in March."))
    None
    >>> print(why_not_a_claim("How could this happen?"), why_not_a_claim("We must act."), sep=", ")
    a question, a wish or a demand
    """
    text = sentence.strip().replace("’", "'")
    bare = _QUOTES.sub("", text).strip()
    if is_question(text) or bare.endswith("?"):
        return Unchecked.QUESTION
    if _REQUEST.search(bare):
        return Unchecked.REQUEST
    if is_fragment(text):
        return Unchecked.FRAGMENT
    return _aside(bare)


def _aside(bare: str) -> Unchecked | None:
    if _WISH.search(bare):
        return Unchecked.WISH
    if _FUTURE.search(bare) or (_EXPECTED.search(bare) and not _FIGURE.search(bare)):
        return Unchecked.FUTURE
    if _OWN_VIEW.search(bare):
        return Unchecked.OPINION
    if _NUMBER.search(bare):
        return None
    if _JUDGING.search(bare):
        return Unchecked.OPINION
    pointing = _POINTING.search(bare) and not _NAME.search(bare)
    return Unchecked.UNCLEAR if pointing or _SILENCE.search(bare) else None
