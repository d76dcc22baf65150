"""Sentences by nupunkt (Punkt trained on laws, papers and news), corrected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any

_TITLES = frozenset(
    """
adm amb brig capt cdr civ cllr cllrs cmdr col comdr cons cpl crim det dr drs fed gen gov hon insp
lab lib lt maj messrs mlle mme mmes mr mrs ms msgr mt mts pfc pres prof profs pvt rep reps rev rt
sen sens sgt sr st ste sup supt treas
""".split()  # noqa: SIM905 - easier to read and to check than quoted words
)
"""Abbreviations before a name."""
_ABBREVIATIONS = frozenset(
    """
abt addl al approx appx apr ariz assn assoc asst atty aug ave avg bldg blvd brig bros bzw ca calif
capt cca cf chas chem chr circ cllr co colo conn corp cpl ct ctr dec dept depts dist div dr econ
ed edn eds educ edw engr envtl eq eqs esp esq est etc excl exec exh ext feb ff fla fn fol fr ft
fwd gal geo ger gov govs govt hosp hr hrs hwy ibid inc incl indiv inst intl jan jos jr jul jun kg
km lb lbs lt ltd maj messrs mfg mgr mich minn mio misc mlle mme mos mpg mph mr mrd mrs ms natl
norw nov nr nrs oct okla op org oz par para paras pct pkg pkwy pl pls pp prev proc prof profs
pseud pt pts pty pvt qtr qty rd refs reg regs rel repl resp rev robt sch sci sect sects secy sen
sens sep sept seq ser sgt soc spec sq sr st subch subd subsec subsecs supp suppl supt swed tbsp
tel temp tenn thos thu thur thurs trans transl treas tsp tue tues twp univ viz vol vols vs wk wks
wm yd yds yr yrs
""".split()  # noqa: SIM905 - easier to read and to check than quoted words
)
"""Never words."""
_BEFORE_FIGURES = frozenset(
    """
abs app apps apt art arts bk bks blk cap cat ch chap chaps cl cls cmnd deg dir doc est ex exs fig
figs iss kr ksh lev max min n nn no nos p pg pop pos prop r ref res rm rr rs rt rte rv s sched sec
secs sess shs ss ste t tab tabs tit tk v ver ziff § §§
""".split()  # noqa: SIM905 - easier to read and to check than quoted words
)
"""Abbreviations only before numbers or small letters."""
_DAYS = {"Mon", "Wed", "Fri", "Sat", "Sun", "Mar"}
"""Abbreviations only with a capital; may end a sentence."""
_WITHIN = {"e.g", "i.e", "excl", "incl", "approx", "cf", "vs", "v", "viz", "ca", "resp", "al"}
"""Never end a sentence."""
_FIRM = re.compile(r"(?:Inc|Ltd|Co|Corp|LLC|plc|PLC|AG|GmbH|AS|ASA)\b")
_MARK = re.compile(
    r"(?:(?:item|point|part|chapter|title|article|section|rule|step|question|annex|table|tab\."
    r"|figure|fig\.|chart|box|map|§)\s?)?[§(\[]*\s*"
    r"(?:[A-Z]{0,2}\d{1,4}(?:[.-]\d{1,3})*[a-z]?|[A-Za-z]|[ivxIVX]{1,5})[.)\]]+",
    re.IGNORECASE,
)
_BEFORE_SMALL = re.compile(
    r"(?:\b[IVX]{1,5}|\d|\d\s?[a-z]{1,4}|(?:^|\s)(?:[A-Za-z]\.)+[A-Za-z]|^\w{1,5}|\d(?:st|nd|rd|th)|\w\.\w{1,5})\.$"
)
"""Ordinals, units and initials: they end no sentence before a small letter."""
_FIGURE = re.compile(r"[(\[]?(?:[§#]\s?|[Nn][or]s?\.:?\s)?(?:\d|[IVXLC]+\b|[A-Z]\b)")
_LAST, _COUNTED = re.compile(r"(\S+?)\.$"), re.compile(r"\d\s\S+$")
_MONEY, _WORDS = {"kr", "ksh", "rs", "shs", "tk"}, {"cat", "doc", "prop", "res", "sched", "sess"}
"""Before a sum, unless behind one; words unless they begin with a capital."""
_DAY = re.compile(r"[–-]\s?(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)")
_COLON = re.compile(r"[\"”’»)¹²³⁰-⁹]*[:;,](?![^\s\d])|[\"”’»)][¹²³⁰-⁹]*\s?[a-zß-öø-ÿ]")
_OPENING = "([{\"'“‘«"
_STARTER = (
    r"(?:The|Then|They|Their|There|This|These|It|Its|He|She|We|Nobody|Nor|Neither|But|Both|When|"
    r"However)\b"
)
# Full stops of abbreviations that end a sentence: after a time of day, "etc." or the answer "no.",
# within a closing quotation mark, and before a word that begins sentences.
_MISSED = re.compile(
    r"(?:\b[ap]\.m\.|\betc\.)[\"”’)]*\s+(?!(?:E|P|C|M|G|U|W|A)[DSEMT]{1,3}\b|"
    r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)(?:day|\.)|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|"
    r"Nov|Dec))(?=[\"“‘(]?[A-Z])"
    r"|\b(?:no|so)\.\s+(?=[\"“‘(]?[A-Z][a-z])"
    r"|\.[\"”]\s+(?=[\"“‘(]?[A-Z])"
    rf"|(?:(?<=[A-Za-z.][A-Za-z])|(?<=\d\s[a-z]))\.\s+(?={_STARTER})"
    r"|(?<=\s[A-Z])\.\s+(?=(?:The|Then|They|Their|There|This|These|It|Its|But|Both|When|However)\b)"
    r"|[.!?][\"”’)]*[¹²³⁰-⁹]+\s+(?=[\"“‘(]?[A-Z])"
    r"|(?<=[.!?])\s+(?=[*†‡]{1,3}(?:\s|$))"
    r"|(?<=[。！？])[”’」』）]*\s*(?=[^\s”’」』）。！？])|[।؟]\s+(?=\S)"
)
_ORDINAL = re.compile(
    r"\b(?:[Dd](?:ie|er|as|e[nms])|[Ii]m|(?<!I )[Aa]m|[Vv]om|[Zz]u[mr]|[Bb]eim) \d\d?\.$"
)
"""Of German: it goes on in a noun, which has a capital."""
_CITED = re.compile(
    r"(?:[\"”’»)](?:[.!?…]|(?:\d{1,3}|[*†‡]{1,3})(?=\s|$))?|\[(?:note |n )?\w{1,3}\]|[¹²³⁰-⁹])+\s*"
)
_MONTH = re.compile(r"(?:Jan|Feb|M[aä]r|Apr|Ma[ijy]|Jun|Jul|Aug|Sep|O[ck]t|Nov|De[cz])[a-zä]*\b")


def sentences(text: str) -> list[str]:
    """Without outer white space."""
    return [text[start:end] for start, end in spans(text)]


def spans(text: str) -> list[tuple[int, int]]:
    found: list[tuple[int, int]] = []
    for start, end in _glued(text):
        cited = _CITED.match(text, start, end) if found and found[-1][1] == start else None
        if found and cited:
            found[-1] = found[-1][0], start + len(cited[0].rstrip())
            start = cited.end()
        if start == end:
            continue
        if found and _goes_on(text[found[-1][0] : found[-1][1]], text[start:end]):
            found[-1] = found[-1][0], end
        else:
            found.append((start, end))
    if len(found) > 1 and not text[slice(*found[-1])].strip("*†‡"):
        (start, _), (_, end) = found[-2:]
        found[-2:] = [(start, end)]
    return found


def _glued(text: str) -> list[tuple[int, int]]:
    """Pieces, of which none begins with the colon of "Invoice no.: 5"."""
    pieces: list[tuple[int, int]] = []
    for start, end in _parted(text):
        if pieces and start <= pieces[-1][1] and _COLON.match(text, start):
            pieces[-1] = pieces[-1][0], end
        else:
            pieces.append((start, end))
    return pieces


def _parted(text: str) -> Iterator[tuple[int, int]]:
    for start, end in _punkt().span_tokenize(text):
        cuts = [start, *(gap.end() for gap in _MISSED.finditer(text, start, end)), end]
        for first, last in pairwise(cuts):
            if bare := text[first:last].strip():
                begin = text.index(bare[0], first)
                yield begin, begin + len(bare)


def _goes_on(above: str, below: str) -> bool:
    """
    >>> _goes_on("It is in Tab.", "4 of the report."), _goes_on("He has no tab.", "Nobody has.")
    (True, False)
    """
    if _MARK.fullmatch(above) or not above.strip("*†‡"):
        return True
    if above.endswith(("!", "?")):
        return bool(_FIRM.match(below)) or (above[-1] == "!" and below[0].islower())
    word = match[1].lstrip(_OPENING) if (match := _LAST.search(above)) else ""
    lower = word.lower()
    money = lower in _MONEY
    counted = (money or below[:2] in ("I ", "A ")) and bool(_COUNTED.search(above))
    counted = counted or (money and not below[0].isdigit())  # "5 kr. I paid"
    before = lower in _BEFORE_FIGURES and (lower not in _WORDS or word[0].isupper())
    figure = before and not counted and _FIGURE.match(below)
    named = below[0].isupper() and not re.match(_STARTER, below)
    title = lower in _TITLES and word[0].isupper() and named
    of = below.startswith("of ") and word[:1].isupper()
    day = word in _DAYS and (below[0].islower() or below[0].isdigit() or _DAY.match(below))
    small = below[0].islower() and (lower in _BEFORE_FIGURES or _BEFORE_SMALL.search(above))
    dated = word.isdecimal() and len(word) < 3 and _MONTH.match(below)
    dated = dated or (named and _ORDINAL.search(above))
    return bool(figure or title or of or day or small or dated or lower in _WITHIN)


@cache
def _punkt() -> Any:
    from nupunkt import PunktSentenceTokenizer
    from nupunkt.models import get_default_model_path

    punkt = PunktSentenceTokenizer.load(get_default_model_path())
    for known in punkt.abbreviations:
        if len(known) > 1 and "." not in known:
            punkt.remove_abbreviation(known)
    punkt.add_abbreviations(_ABBREVIATIONS)
    return punkt
