"""Others' words: quotations, and text marked "Claim", "Myth", "Rumour", "False:"."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from itertools import chain, pairwise, takewhile

from uhhrag.documents.denials import denies
from uhhrag.documents.document import HEADING_SEPARATOR, Document
from uhhrag.documents.segmentation import EMPTY, TICKED
from uhhrag.records.pages import EARLIER_VERSION
from uhhrag.text.numerals import search_words

_NAMES = (
    r"(?:the|common|popular|viral|online)\s+claims"
    r"|(?:the\s+|a\s+|common\s+|popular\s+|viral\s+|online\s+)?(?:claim|myths?|rumou?rs?|hoax(?:es)?"
    r"|fiction|misconceptions?|allegations?|falsehoods?|conspiracy theor(?:y|ies)|viral posts?)"
    r"|what (?:was|is|is being|has been) (?:claimed|said|alleged|shared)"
    r"|what (?:people|they) (?:say|claim)|what(?:[’']s| is| was) the (?:claim|rumou?r|myth)"
    r"|(?:(?:der|die|das|l[ea]|el|il|de|het) )?(?:mythos|mythen|behauptung(?:en)?|gerüchte?|irrtum"
    r"|irrtümer|falschmeldung|(?:mythe|rumeur|affirmation|allégation|mito|rumor|bulo|boato|bufala"
    r"|fabel)s?|idées? reçues?|intox|afirmación|alegação|afirmação|affermazione|falso mito|mythen?"
    r"|bewering(?:en)?|geruchte?n?|myte?[nr]?|påstan[dn]e?n?r?|påståenden?|rykter?)"
)
"""Also of German, French, Spanish, Portuguese, Italian, Dutch and Scandinavian pages."""
_NUMBER = r"(?:\s*(?:#|no\.?|number)?\s*\d{1,3})?"
_ALONE = re.compile(rf"[^\w]*(?:\d{{1,2}}[.)]\s*)?(?:{_NAMES}){_NUMBER}\s*[:.–—?-]?", re.IGNORECASE)
_BEGINS = re.compile(
    rf"[^\w]*(?:\d{{1,2}}[.)]\s*)?(?:(?:{_NAMES}|claims){_NUMBER}|false|fake|untrue|incorrect"
    r"|falsch|faux|falso|falskt?|onwaar)"
    r"\s*(?::|\s[–—-])\s*(?!(?<=claims:\s)\d[\d.,]*(?:\s\w+){0,2}\W*$|(?<=fiction:\s)\d"
    r"|\d[\d.,]*\s*%?(?:;|$))\S",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"[^\w]*(?:the\s+|our\s+)?(?:facts?|truth|reality|verdict|answer|rating|findings?|conclusion"
    r"|correction|response|reply|in fact|in reality|what we found|true"
    r"|fakt(?:en|a|um)?|wahrheit|realität|tatsachen?|bewertung|richtig|wahr|fazit|(?:en )?réalité"
    r"|vérité|le fait|info|vrai|hechos?|realidad|verdad|verificación|veredicto|fatos?|factos?"
    r"|realidade|verdade|veredito|fatt[io]|realtà|verità|feit(?:en)?|waarheid|werkelijkheid"
    r"|oordeel|sandhed|sanning|sant)\b",
    re.IGNORECASE,
)

_DENIES = re.compile(rf"(?:^|{HEADING_SEPARATOR})(?:the )?(?:facts?|truth|reality)$", re.IGNORECASE)
_STAMP = re.compile(
    r"\W*(?:false|untrue|not true|wrong|incorrect|misleading|baseless|fake|debunked|falsch|faux"
    r"|falso|falskt?|onwaar)\W*",
    re.IGNORECASE,
)
_IN_MARKS = re.compile(r"[\"“„«][^\"“”„«»]*[\"“”»]\W*")
"""A stamp right above words in quotation marks."""
_OPENS, _CLOSES = re.compile(r"[\"“„«]"), re.compile(r"[\"“”»]\W*$")
_LED = re.compile(r".{4,120}?:(?=\s[\"“„«])")
"""What introduces words in quotation marks."""
_GOVERNS = re.compile(r"\b(?:that|dass|que|che|dat|att?|following(?: \w+)?|sa(?:id|y)) ?:$")
"""Ends a line with which the next paragraph is one sentence."""
_SHARED = ("claims", "fiction")
"""Headings that insurers and libraries have too; beside `_DENIES`, of others."""

_MYTHS = re.compile(r"\b(?:myths|misconceptions|falsehoods|rumou?rs|hoaxes)\b(?!.*\.$)", re.I)
"""A title above headings that may each state one."""

SHARES = re.compile(r"(?:^|: )RT @(\w{1,30}):\s*")
"""Precedes a shared post; group 1 names its author."""
_SIGNED = re.compile(r"(?:--|[—–―])\s?([^\W\d_a-z]\S*(?: \S+){0,9})(?<![.!?:;,])")
"""Names whose the quoted words above are."""
_LABEL_WORDS = 3
"""Words of a label, at most."""
_PAGE = (
    r"(?:article|story|report|post|page|piece|headline|caption|graphic|chart|map|photo|video|item"
    r"|column|review|fact[ -]check|newsletter|list|profile|alert|blog|editorial|summary|release)s?"
)
_TAKEN_BACK = re.compile(
    r"\b(?:(?:earlier|previous) versions?|(?:original|initial|first) versions?(?= of\b)"
    r"|(?:earlier|previous) (?:post|update|entry|tweet|headline|caption)"
    r"(?=(?: (?:in|on|to) (?:this|our)(?: \w+){1,2}?)?(?: \w+ly| had)?"
    r" (?:said|stated|reported|gave|claimed|wrote|mis\w+)\b))\b"
    rf"(?! of (?!(?:this|that|the|our|an?) (?:[\w’'-]+ ){{0,3}}?{_PAGE}\b))"
    r".{0,60}?\b(?:said|stated|reported"
    r"|gave|read|claimed|wrote|had|put|misstated|misidentified|referred|described|listed)\b"
    rf"|\b(?:this|our) {_PAGE} (?:originally|initially|previously|first) (?:said|stated|reported)\b"
    r"|\b(?:incorrectly|wrongly|mistakenly|erroneously|falsely)\b.{0,20}?\b(?:said|stated|reported"
    r"|claimed|gave|wrote|identified|described|listed)\b",
    re.IGNORECASE,
)
_CORRECTS = re.compile(
    r"\W*(?:\d{1,2}[.)]?\s*)?(?:an? |the )?"
    r"(?:corrections?|errat(?:um|a)|corrigend(?:um|a)|clarifications?)\b",
    re.IGNORECASE,
)
_GAVE = re.compile(
    r"\b(?:said|stated|reported|gave|put|wrote|showed|read|claimed|named|listed|described"
    r"|(?:(?:was|were|been) (?:first )?|first )(?:given|put|shown|stated|published|reported))\b"
    r"(?!.*\b(?:not|should (?:have|read|be))\b)",
    re.IGNORECASE,
)
"""In a correction, of what it takes back in another sentence."""
_NOT_SO = re.compile(
    r"\b(?:not|rather than|instead of)"
    r" (\D{0,4}\d[\d.,]*\w*(?: thousand| [mb]illion| ?(?:to|[–-]) ?\d+)?)"
)
_RIGHT = re.compile(r";|\b(?:but|in fact|actually|instead of|rather than|not|should)\b")
_FIGURE, _NAME = re.compile(r"\d+(?:[.,]\d+)?"), re.compile(r"\b[A-Z]\w+")
_LARGE = re.compile(r"(?!(?:19|20)\d\d$)\d{3,}(?:\.\d+)?")
"""A figure that is hardly another's by chance; no year, day or number of an item."""
_MAX_NOTE_LINES, _OFTEN, _MIN_COMMON = 3, 100, 3
"""Lines of a note, from what it takes back; lines that are looked at for it, words in common."""
_Wrong = tuple[set[str], set[str], set[str]]
"""A figure, or all figures and names if none is right; of what; words of what is right."""
_OWN = re.compile(
    rf"\b(?:versions?|we)\b|\b(?:this|our) (?:\w+ ){{0,2}}?{_PAGE}\b|^\W*(?:correct|clarif|amend)",
    re.IGNORECASE,
)
"""What speaks of the page itself."""


def is_label(text: str) -> bool:
    """Whether it tells whose the next words are: "Claim:", "Our rating"."""
    return is_claim(text) or bool(_ENDS.match(text) and len(text.split()) <= _LABEL_WORDS)


def is_claim(text: str) -> bool:
    """Whether the next words are others': "Claim:", "Myth"."""
    return bool(_ALONE.fullmatch(text))


def quoted_in(
    document: Document, sections: Sequence[tuple[int, str]], led: Sequence[tuple[int, str]] = ()
) -> tuple[tuple[int, str], ...]:
    """Positions of others' words, each with whose, "" if unknown; `sections` lack the title, `led`
    add lines above lists."""
    quoted = dict(_signed(document))
    form = any(map(TICKED.search, document.lines))
    for at, line in enumerate(document.lines):
        if form and EMPTY.match(line.removeprefix("- ")):
            quoted.setdefault(at, "a box that is not ticked")
        said = _TAKEN_BACK.search(line)
        if said and not _NOT_SO.search(line, 0, said.start()):
            whose = EARLIER_VERSION if _OWN.search(line) else ""
            if whose and quoted.get(at) == "" and at - 1 not in quoted:  # a correction in a box
                end = next((start for start in document.starts if start > at), len(document.lines))
                for within in takewhile(lambda n: quoted.get(n) == "", range(at, end)):
                    del quoted[within]
            quoted.setdefault(at, whose)
        if shared := SHARES.search(line):
            quoted.setdefault(at, f"@{shared[1]}")
    corrections, starts = {*_corrections(document, sections)}, {*document.starts}
    for at in corrections:
        if _takes_back(document.lines, starts, at):
            quoted.setdefault(at, EARLIER_VERSION)
    versions = {at for at, who in quoted.items() if who == EARLIER_VERSION}
    quoted |= _uncorrected(document.lines, starts, sorted(corrections | versions), versions)
    reported = _below_headings(document, sections), _after_words(document), _below(document, led)
    for at in chain(*reported):
        quoted.setdefault(at, "")
    own = {line for at, line in enumerate(document.lines) if at not in quoted}
    pulled = {at for at, who in document.quoted if not who and document.lines[at] in own}
    return tuple(sorted((at, who) for at, who in quoted.items() if at not in pulled))


def _corrections(document: Document, sections: Sequence[tuple[int, str]]) -> Iterator[int]:
    """Lines of paragraphs or sections that begin so; below a label, of the next paragraph."""
    headed, starts = dict(sections), {0, *document.starts}
    section = paragraph = label = False
    for at, line in enumerate(document.lines):
        if at in headed:
            section = bool(_CORRECTS.match(headed[at].rpartition(HEADING_SEPARATOR)[2]))
        if at in starts:
            begins = bool(_CORRECTS.match(line))
            paragraph, label = begins or label, begins and not line.endswith(".")
        if section or paragraph:
            yield at


def _takes_back(lines: Sequence[str], starts: Set[int], at: int) -> bool:
    """Whether a correction's line tells what was said, above what is right."""
    below = at + 1 < len(lines) and at + 1 not in starts
    return bool(below and _GAVE.search(lines[at]) and not _GAVE.search(lines[at + 1]))


def _uncorrected(
    lines: Sequence[str], starts: Set[int], corrections: Sequence[int], versions: Set[int]
) -> dict[int, str]:
    """Sentences that a note above or below takes back, except notes."""
    words = [{*search_words(line)} for line in lines] if corrections else []
    having = defaultdict(set)
    for at, own in enumerate(words):
        for word in own if "; " not in lines[at] else ():
            having[word].add(at)
    wrong, notes, found = list[tuple[int, _Wrong]](), set[int](), dict[int, str]()
    for at in corrections:
        below = range(at + 1, min(at + _MAX_NOTE_LINES, len(lines)))
        note = [at, *takewhile(lambda n: n not in starts, below)]
        taken = [*_wrong([lines[n] for n in note], at in versions)]
        wrong += [(at, one) for one in taken]
        notes.update(note if taken else ())
    for at, (values, about, right) in wrong:
        pair = len(values) > 1 and all(map(_FIGURE.fullmatch, values))
        large = pair or any(map(_LARGE.fullmatch, values))
        least = len(about) // 3 + 1 if large else max(2 * len(about) / 3, _MIN_COMMON - len(values))
        there = set.intersection(*(having[word] for word in values)) - notes
        for line in sorted(there)[:_OFTEN]:
            if len(about & words[line]) >= least and not right & words[line]:
                found[line] = f"{EARLIER_VERSION}, corrected {'below' if line < at else 'above'}"
    return found


def _wrong(note: Sequence[str], version: bool) -> Iterator[_Wrong]:
    """What a note's first line takes back."""
    said = (_TAKEN_BACK.search(note[0]) or _GAVE.search(note[0])) if version else None
    start, text = said.end() if said else 0, " ".join(note[:2])
    told, *right = _RIGHT.split(note[0][start:]) if said else [""]
    about, rest, denied = told, " ".join((*right, *note[1:])), _NOT_SO.search(text, start)
    if denied and not _figures(told):
        told, about = denied[1], _CORRECTS.sub("", text[start : denied.start()])
        rest = about
    words, below, known = {*search_words(told)}, {*search_words(rest)}, _figures(rest)
    values = _figures(told) - below
    ways = [{one} for one in {*filter(_LARGE.fullmatch, values)} or values]
    ways = [values] if denied and told == denied[1] and len(values) > 1 else ways  # "9 to 4"
    if below and not known:
        ways, known = [values | {*search_words(" ".join(_NAME.findall(told)))} - below], below
    for way in filter(None, ways):
        yield way, {*search_words(about)} - way - _figures(about), (known | {"not"}) - words


def _figures(text: str) -> set[str]:
    return {*filter(_FIGURE.fullmatch, search_words(text))}


def _signed(document: Document) -> Iterator[tuple[int, str]]:
    """Those without author get the name alone below them."""
    whose, given = "", dict(document.quoted)
    names = {at: _SIGNED.fullmatch(document.lines[at]) for at in given}
    for at, who in sorted(given.items(), reverse=True):
        above, name = given.get(at - 1), names[at]
        if name and above == "" and not (names[at - 1] or names.get(at + 1)):
            whose = name[1]
        elif who or given.get(at + 1) != "":
            whose = ""
        yield at, who or whose


def _below_headings(document: Document, sections: Sequence[tuple[int, str]]) -> Iterator[int]:
    places = pairwise((*(at for at, _ in sections), len(document.lines)))
    denied = any(_DENIES.search(name) for _, name in sections)
    for (start, end), (_, name) in zip(places, sections, strict=True):
        headings = name.split(HEADING_SEPARATOR)
        if any(map(_MYTHS.search, (document.title, *document.lines[:1], *headings[:-1]))):
            yield start
        claims = (denied if one.lower() in _SHARED else is_claim(one) for one in headings)
        if any(claims) and not _ENDS.match(headings[-1]):
            ended = (at for at in range(start + 1, end) if _ENDS.match(document.lines[at]))
            yield from range(start + 1, next(ended, end))


def _below(document: Document, led: Sequence[tuple[int, str]]) -> Iterator[int]:
    places = pairwise((*(at for at, _ in led), len(document.lines)))
    other = {*document.starts} - {at for at, depth in document.items if depth > 0}
    for (start, end), (_, name) in zip(places, led, strict=True):
        names = name.split(HEADING_SEPARATOR)
        below = range(start + (document.lines[start] in name), end)
        if any(one.endswith(":") and (is_claim(one) or denies(one)) for one in names):
            yield from takewhile(lambda at: not _ENDS.match(document.lines[at]), below)
        elif any(len(one.split()) >= _LABEL_WORDS and denies(one) for one in names):
            yield from takewhile(lambda at: at not in other, below)


def _after_words(document: Document) -> Iterator[int]:
    lines, starts = document.lines, document.starts or range(len(document.lines))
    alone, lead = False, ""
    for start, end in pairwise((*starts, len(lines))):
        said = bool(_OPENS.match(lines[start]) and _CLOSES.search(lines[end - 1]))
        first = bool(start) and lines[start - 1].endswith(":")
        lead = lines[start - 1] if first and denies(lines[start - 1]) else lead * said * (not first)
        below = bool(lead) and (said or bool(_GOVERNS.search(lead)))
        if alone or below or _BEGINS.match(lines[start]):
            ended = (at for at in range(start, end) if _ENDS.match(lines[at]))
            yield from range(start, next(ended, end))
        for at in range(start, end):
            within = _LED.match(lines[at])
            if within and denies(within[0]):
                last = (n for n in range(at, end) if _CLOSES.search(lines[n]))
                yield from range(at, next(last, at) + 1)
        label = lines[start] if end - start == 1 else ""
        alone = label not in ("Fiction", document.title) and is_claim(label)
        quote = lines[end] if end < len(lines) else ""
        alone = alone or bool(_STAMP.fullmatch(label) and _IN_MARKS.fullmatch(quote))
