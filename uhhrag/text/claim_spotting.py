"""Which English sentences of a draft can be checked; in doubt, a sentence can."""

from __future__ import annotations

import re
from enum import StrEnum

from uhhrag.text.fragments import is_ended, is_fragment, is_question, is_verb

_NEXT = re.compile(r"(?<=[a-z\d]{3}[.!?…])[\"'”’)\]]*\s+(?=[\"'“‘(\[]*[A-Z])")


class Unchecked(StrEnum):
    QUESTION = "a question"
    FRAGMENT = "no whole sentence"
    HEADLINE = "the headline"
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
_UNSURE = _pattern(
    _any_of("""could be, could have, may (?:be|well|never|soon), might, (?:i|nobody|no one)
    (?:will|would)"""),
    r"^(?:if|unless)\b",
)
# Plans, budgets and contracts say what is to come, where it has a figure, a date or an amount.
_PLANNED = _pattern(
    _any_of("""will, won't, would, shall, plans? to, aims? to, intends? to, hopes? to, vows? to,
    promis(?:es|ed) to, pledg(?:es|ed) to, (?:is|are) to, next (?:week|month|year|season), expects?,
    (?:is|are|was|were|be) (?:going|set|due|likely|hoped|expected|about) to"""),
    r"\w'll\b",
    r"^by 20\d\d\b",
)
_AMOUNT = _pattern(
    r"\d",
    _any_of("""percent, per cent, half, thirds?, quarters?, (?:a|one|two|three|four|five|six|seven|
    eight|nine|ten|eleven|twelve|several) (?:dozen|hundred|thousand|million|billion)s?, twice,
    (?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) [a-z]+s,
    (?:in|from|by|until|on|of|next|since|this) (?:(?:early|mid|late) )?(?:january|february|march|
    april|may|june|july|august|september|october|november|december)"""),
)
# Lines above and below a text, in English, German, French and Norwegian.
_CREDIT = _pattern(
    r"(?:^|[–—|·,:/-] {0,2})(?:strictly )?"
    + _any_of("""embargo(?:ed)?, sous embargo, under embargo, sperrfrist, sperrfrei, sperret,
    confidential, vertraulich, confidentiel, konfidensielt?, fortrolig, internal, intern, interne,
    not for (?:publication|release), nicht zur veröffentlichung, ne pas (?:publier|diffuser),
    for (?:immediate )?release, (?:first |last )?(?:published|updated), veröffentlicht,
    aktualisiert, publié, mis à jour, publisert, oppdatert,
    (?:by|von|par|av) (?-i:[A-ZÀ-ÖØ-Þ])\\w+"""),
    r"^(?:author|byline|words|text|autor(?:in)?|auteur|texte|forfatter|tekst|date|datum|dato|"
    r"draft|entwurf|brouillon|utkast|embargo|stand): ",
)
_SET_APART = re.compile(r"^\d{1,2}\.? [A-Za-z]{3}|[|·•]| [–—/-] ")
"""Of a line that begins with a day, or whose parts are set apart."""
_LONGEST_LINE = 15
"""Words of a line without a verb; a longer one may have a verb that the rules do not know."""
_MIN_WORDS = 3
"""Words that say something by themselves; fewer answer what stands above."""
_MAY_BE_VERB = re.compile(r"[a-zà-öø-ÿ]{2,}(?:s|ed|ing)$")
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
    text = sentence.strip().replace("’", "'")
    bare = _QUOTES.sub("", text).strip()
    if is_question(text) or bare.endswith("?"):
        return Unchecked.QUESTION
    if _REQUEST.search(bare):
        return Unchecked.REQUEST
    if is_fragment(text) or _no_verb(bare):
        return Unchecked.FRAGMENT
    return _aside(bare)


def _no_verb(bare: str) -> bool:
    words = bare.split()
    if credit := _CREDIT.search(bare):
        rest = f"{bare[: credit.start()]} {bare[credit.end() :]}".split()
        return not any(is_verb(word.strip(".,:;()")) for word in rest)
    if is_ended(bare) or len(words) > _LONGEST_LINE or not _SET_APART.search(bare):
        return False
    return not any(is_verb(word) or _MAY_BE_VERB.match(word) for word in words)


def _aside(bare: str) -> Unchecked | None:
    if len(bare.split()) < _MIN_WORDS:
        return Unchecked.UNCLEAR
    if _WISH.search(bare):
        return Unchecked.WISH
    if _UNSURE.search(bare) or (_PLANNED.search(bare) and not _AMOUNT.search(bare)):
        return Unchecked.FUTURE
    if _OWN_VIEW.search(bare):
        return Unchecked.OPINION
    if _NUMBER.search(bare):
        return None
    if _JUDGING.search(bare):
        return Unchecked.OPINION
    pointing = _POINTING.search(bare) and not _NAME.search(bare)
    return Unchecked.UNCLEAR if pointing or _SILENCE.search(bare) else None
