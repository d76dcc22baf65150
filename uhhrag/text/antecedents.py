"""Whom or what a pronoun at the head of a sentence means, where nothing else can be meant."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from uhhrag.text.fragments import is_verb


def _listed(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PRONOUN = re.compile(r"(It|He|She|They|Its|His|Her|Their)\b")
_POINTING = re.compile(
    r"(This|That|These|Those) (?:is|are|was|were|has|have|had|does|did|costs?|will|would)\b"
)
_IMPERSONAL = re.compile(
    r"It(?:['’]s| (?:is|was|has been|seems?|seemed|appears?|appeared|turns out|turned out))"
    r"(?: [\w-]+){0,3} (?:that|whether)\b|It(?:['’]s| (?:is|was|has been))(?: not)? "
    r"(?:time|likely|possible|impossible|important|necessary|easy|hard|difficult|illegal) to\b"
)
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][\w’'-]*"
_STOP = r"(?:\.(?= [A-Z]))?"
"""Of "Mr." and of initials."""
_NAME = re.compile(
    rf"(?:\b(The|the|An?|an?) )?\b({_CAPITAL}{_STOP}(?: (?:(?:of|for|and|de|von) (?:the )?)?"
    rf"{_CAPITAL}{_STOP})*)"
)
_PLACED = re.compile(
    r"The (?:[a-z-]+ ){0,1}(?P<head>[a-z-]+) (?:of|in|at) (?:the )?[A-Z][\w-]*(?: [A-Z][\w-]*)*"
)
_ANY_WORD = re.compile(r"[\w-]+(?:[’'][\w]+)?|[.,;:!?]")
_DETERMINERS = _listed("the a an this that its their his her our one another each every")
_FOLLOWS_PERSON = _listed(". , ; : ! ? of who and") | {""}
_MEN = _listed("Mr Sir Lord Herr Monsieur King Prince Pope")
_WOMEN = _listed("Mrs Ms Miss Lady Dame Frau Madame Mme Fru Queen Princess")
_TITLES = (
    _MEN
    | _WOMEN
    | _listed(
        """Mx Dr Prof Professor Cllr Councillor Mayor President Minister Chancellor Senator Judge
    Justice Captain Colonel General Sergeant Inspector Bishop Rev"""
    )
)
_SAYS = "said|says|told|tells|added|adds|argued|claimed|claims|explained|insisted|replied"
_SPEAKER = re.compile(rf"({_CAPITAL}) (?:{_SAYS})\b|\b(?:{_SAYS}) (?:{_CAPITAL} )?({_CAPITAL})")
_PLACE = re.compile(rf"\b(?:in|near|at) ({_CAPITAL})")
_PERSONS = _listed(
    """mayor minister leader chair chairman chairwoman president director spokesman spokeswoman
    spokesperson man woman boy girl wife husband son daughter father mother brother sister friend
    judge chief boss head officer doctor nurse driver teacher lawyer king queen speaker secretary
    chancellor councillor candidate colleague victim witness suspect person child student resident
    tenant patient agent"""
)
_PERSON_ENDING = re.compile(r"\w\w(?:er|or|ist|man|woman|ian|eer|ess)$")
_NO_PERSONS = _listed(
    """after never ever over under either other another rather whether however number paper water
    power order matter letter quarter summer winter tower river former later earlier higher lower
    further together for nor floor door error sector major minor prior larger smaller fewer longer
    process access success business press less more unless per"""
)
_BODIES = _listed(
    """Council Committee Union Company Party Government Board Team Club Police Association Society
    Ministry Department Office Agency Authority Commission Group Bank Trust Ltd Inc Parliament
    Senate Congress Court Federation League Army Navy"""
)
_THINGS = _BODIES | _listed(
    """Bridge Tunnel Station Hospital School University College Library Museum Park Street Road
    Square Tower Hall House Airport Port Harbour River Lake Island Line Railway Tram Trams Stadium
    Centre Center Theatre Church Palace Castle Prison Plant Mine Dam Depot Terminal Act Bill Fund
    Report Times News Festival Cup Award Prize Hotel"""
)
_NO_NAMES = _listed(
    """I In If It Its He His She Her They Their This That These Those On At But And For By As When
    After Before While Since Last We You There Will What Who Why How Everyone Someone Anyone No One
    Everybody Nobody Nothing Something All Many Most Some Few Both Each Every Two Three Four Five
    The A An Our My Your So Then Now Here Yet Or Nor Not Also However Still With From To Of Under
    Over Until According Despite Because Although Though About Only Just January February March
    April May June July August September October November December Monday Tuesday Wednesday
    Thursday Friday Saturday Sunday"""
)
_SMALL = _listed(
    """a about above after again against all almost already also an and any around as at away back
    before below between both but by each early every ever few first for from half here how if in
    into it its just last late later least less many more most much near never new no nor not now of
    off often on once one only or other out over own per cent percent same second since so some
    still such than that the their them then there these they third this those through till to
    today tomorrow under until up very was well what when where which while who whose with within
    without yesterday yet hundred thousand million billion two three four five six seven eight nine
    ten eleven twelve year month week day spring summer autumn winter him her his she he we our us
    everyone anyone someone nobody everybody"""
)


@dataclass(frozen=True, slots=True)
class _Named:
    said: str
    last: str
    titles: tuple[str, ...]
    certain: bool
    """It has an article, a word for a thing, or is a place's."""
    words: int

    @property
    def several(self) -> bool:
        return " and " in self.said and not self.certain


def unnamed(sentence: str) -> str:
    """The pronoun at its head that names nobody and nothing, or "".

    >>> unnamed("It cost 32 million."), unnamed("It is true that it rained."), unnamed("Ana won.")
    ('It', '', '')
    """
    pronoun = _PRONOUN.match(sentence) or _POINTING.match(sentence)
    return pronoun[1] if pronoun and not _IMPERSONAL.match(sentence) else ""


def with_subject(sentence: str, before: Sequence[str], draft: Sequence[str] = ()) -> str:
    """With the only name that its pronoun can mean; "" if that is not sure. `draft` tells who is
    a person.

    >>> with_subject("Its cost has risen.", ["The Harbour Tunnel was approved in 2019."])
    "The Harbour Tunnel's cost has risen."
    >>> with_subject("They met in May.", ["Ana Lopes and Max Weil won.", "It was close."])
    'Ana Lopes and Max Weil met in May.'
    >>> with_subject("She voted against.", ["Ms Tennant presented the budget."])
    'Ms Tennant voted against.'
    >>> with_subject("It rose by 12 per cent.", ["Ms Tennant presented the budget."])
    ''
    """
    pronoun = _PRONOUN.match(sentence)
    if not pronoun or _IMPERSONAL.match(sentence) or not before:
        return ""
    whole = " ".join([*draft, *before])
    kind = pronoun[1]
    if kind in ("It", "Its"):
        subject = _thing(before, whole)
    elif kind in ("They", "Their"):
        subject = _several(before)
    else:
        subject = _person(before, whole, _MEN if kind in ("She", "Her") else _WOMEN)
    of = "" if kind in ("It", "He", "She", "They") else "’" if subject[-1:] == "s" else "'s"
    return f"{subject}{of}{sentence[pronoun.end() :]}" if subject else ""


def _thing(before: Sequence[str], whole: str) -> str:
    persons, places = _speakers(whole), {found[1] for found in _PLACE.finditer(whole)}
    names = [one for one in _names(before) if not one.titles and one.last not in persons]
    sure = all(one.certain or (one.words == 1 and one.last in places) for one in names)
    return _only(names) if sure and not any(map(_may_be_noun, *_contexts(before))) else ""


def _person(before: Sequence[str], whole: str, not_so: frozenset[str]) -> str:
    persons = _speakers(whole)
    places = {found[1] for found in _PLACE.finditer(whole)} - persons
    named = [
        one
        for one in _names(before)
        if not one.certain and not_so.isdisjoint(one.titles) and one.said not in places
    ]
    persons |= {one.last for one in named if one.words > 1}
    sure = all(one.titles or one.last in persons for one in named)
    others = any(
        word in _PERSONS or (_PERSON_ENDING.search(word) and word not in _NO_PERSONS)
        for _, word, _ in zip(*_contexts(before), strict=True)
    )
    several = any(one.several for one in named)
    return _only(named) if sure and not others and not several else ""


def _several(before: Sequence[str]) -> str:
    names = _names(before)
    sure = all(one.several or one.last in _BODIES for one in names)
    bodies = {word.lower() for word in _BODIES} | {"people", "children", "men", "women"}
    words = (word for _, word, _ in zip(*_contexts(before), strict=True))
    others = any(word in bodies or (_is_plural(word) and not is_verb(word)) for word in words)
    return _only(names) if sure and not others else ""


def _only(names: Sequence[_Named]) -> str:
    """The longest form, if all are forms of one name; else ""."""
    longest = max(names, key=lambda one: len(one.said), default=None)
    return longest.said if longest and all(one.last == longest.last for one in names) else ""


def _names(before: Sequence[str]) -> list[_Named]:
    return [name for text in before for name in _names_in(text)]


def _names_in(text: str) -> Iterator[_Named]:
    if placed := _PLACED.match(text):
        person = placed["head"] in _PERSONS
        titles: tuple[str, ...] = ("Mx",) if person else ()
        yield _Named(placed[0], placed[0].rpartition(" ")[2], titles, not person, 2)
    for found in _NAME.finditer(text, placed.end() if placed else 0):
        words = found[2].split()
        while words and words[0] in _NO_NAMES | {"and", "of", "for", "the"}:
            words.pop(0)
        if not words:
            continue
        words[-1] = re.sub(r"['’]s?$", "", words[-1])
        titles = tuple(bare for word in words if (bare := word.rstrip(".")) in _TITLES)
        article = bool(found[1]) and len(words) == len(found[2].split())
        acronym = len(words) == 1 and len(words[0]) > 1 and words[0].isupper()
        certain = not titles and (article or words[-1] in _THINGS or acronym)
        said = " ".join(words)
        the = f"{found[1].capitalize()} " if article else ""
        yield _Named(the + said, words[-1], titles, certain, len(words))


def _contexts(before: Sequence[str]) -> tuple[list[str], list[str], list[str]]:
    """Each word that is no name, between what is before and after it."""
    words: list[str] = [""]
    for text in before:
        placed = _PLACED.match(text)
        words += [*_ANY_WORD.findall(text[placed.end() if placed else 0 :]), ""]
    places = [at for at, word in enumerate(words) if word[:1].islower()]
    return (
        [words[at - 1].lower() for at in places],
        [words[at] for at in places],
        [words[at + 1] for at in places],
    )


def _may_be_noun(left: str, word: str, right: str) -> bool:
    """One thing, which "it" may mean."""
    if word in _PERSONS and right in _FOLLOWS_PERSON:
        return False
    if left in _DETERMINERS or left.endswith(("'s", "’s")):
        return True
    return not (word in _SMALL or word.endswith("ly") or _is_plural(word) or is_verb(word))


def _is_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is")) and word not in _SMALL


def _speakers(text: str) -> set[str]:
    """Last words of names that have a title, or that somebody speaks under."""
    titled = (one.last for one in _names_in(text) if one.titles)
    spoken = (found[1] or found[2] for found in _SPEAKER.finditer(text))
    return {*titled, *spoken} - _THINGS
