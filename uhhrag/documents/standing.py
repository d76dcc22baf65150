"""What a document says of itself in its title and first lines: a draft, or no longer valid."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.records.pages import DRAFT, TAKEN_BACK
from uhhrag.text.dates import MONTH
from uhhrag.text.fragments import is_ended

_FIRST, _LONGEST, _SHOWN = 8, 200, 80
"""Lines read, characters of one, characters shown."""
_PAPER = (
    r"(?:document|version|edition|issue|revision|draft|copy|publication|guidance|guidelines?|guide"
    r"|notice|circular|invoice|credit note|purchase order|specification|form|preprint|manuscript"
    r"|article|page|leaflet|fact ?sheet|drawing|report|paper|minutes|memo(?:randum)?)"
)
"""Of which "this" is hardly said in a text about it."""
_LEGAL = (
    r"(?:contract|agreement|order|certificate|licen[cs]e|permit|policy|receipt|quotation|standard)"
)
_NAMED = re.compile(
    rf"\b(?:invoice|credit note|circular|specification|guidance|drawing|document|version|draft"
    rf"|{_LEGAL})\b",
    re.IGNORECASE,
)
"""Is cancelled itself; a cancelled meeting has a notice or minutes too."""
_MONTH = MONTH.replace("?P<name>", "?:")
_DATE = (
    rf"(?:\w{{2,6}}day,? )?(?:\d{{1,2}}(?:st|nd|rd|th)?[ ./-])?(?:{_MONTH}\.?|\d{{1,2}}[./-])? ?"
    r"\d[\d./-]{0,9}(?:, \d{4})?"
)
_WHEN = rf"(?:,? (?:(?:on|of|as of|as at|dated?|from|since|in|with effect from) )?{_DATE})"
_OVER = r"(?:superseded|obsolete|retracted|rescinded|null and void|no longer (?:in force|valid))"
_OFF = r"(?:cancelled|canceled|withdrawn|revoked|annulled|void(?:ed)?|repealed)"
_BY = (
    rf"(?:by (?:(?:the|a|our) )?(?:(?:[\w’'-]+ ){{0,2}}?(?:{_PAPER}|{_LEGAL})\b.{{0,60}}"
    r"|[a-z]{0,4}[-#]?\d.{0,60}))"
)
_INSTEAD = rf"(?:{_OFF} and (?:replaced|superseded))"
_TAKEN_BACK = re.compile(
    rf"(?:(?:{_PAPER}|{_LEGAL}) )?(?:status: )?(?:now )?{_OVER}(?:{_WHEN}|\W{{0,2}} (?:by|see) .+)?"
    rf"|(?:{_INSTEAD}|replaced) {_BY}|{_INSTEAD}{_WHEN}?|retracted article|document status: {_OFF}",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"{_OFF}(?:{_WHEN}| {_BY})?", re.IGNORECASE)
"""Is also said of what a document is about."""
_SAYS_SO = re.compile(
    rf"(?:(?:please )?(?:note|notice|important|warning)(?: that)?\W+)?this (?:[\w’'-]+ ){{0,3}}?"
    rf"{_PAPER}(?: \([^()]{{1,40}}\)|{_WHEN})? (?:is|was|has been) (?:(?:now|since|hereby|\w+ly) )?"
    rf"(?:{_OVER}|{_OFF}|replaced(?= by| and|\W*$))"
    r"(?=\W*$|[.,;:–—]| (?:and|by|on|as of|with effect|since|effective|due|pending|because|at)\b"
    r"| (?:in|from) (?:\w+ )?(?:19|20)\d\d)",
    re.IGNORECASE,
)
_FOR = (
    r"(?:,? (?:for|not|subject to|do not|pending|awaiting|to be) [\w’'/&-]+"
    rf"(?: [\w’'/&-]+){{0,5}}?{_WHEN}?)"
)
_NUMBER = r"(?: (?:v|ver|version|rev|revision|no|number|#)?\.? ?\d[\w.]{0,6}| [a-e])"
_KIND = (
    r"(?:first|second|third|initial|early|final|revised|amended|working|preliminary|internal|rough"
    r"|consultation|exposure|discussion|unapproved|unsigned|unedited|confidential|public|internet)"
)
_WHAT = rf"(?:{_PAPER}|{_LEGAL}|plan|strategy|statement|rules|budget|bill)"
_DRAFT = re.compile(
    rf"(?:{_KIND}[ -]drafts?|draft)(?: {_WHAT})?{_NUMBER}?{_WHEN}?{_FOR}?"
    r"|(?:draft|unapproved|unconfirmed|provisional) (?:minutes|agenda|notes)"
    r"(?: (?:of|from|for) (?!.*\b(?:was|were|had|says?|shows?|reveals?)\b).{1,120})?"
    rf"|(?:unapproved|unsigned|provisional|preliminary) (?:copy|draft|version|text|edition){_WHEN}?"
    r"|provisional (?:figures|results|data|estimates)|for (?:comments?|discussion|review) only"
    r"|(?:has )?not (?:yet )?(?:been )?(?:approved|signed|adopted)(?: by .{1,40})?"
    r"|subject to (?:contract|(?:formal )?(?:approval|confirmation)(?: (?:at|by|of) .{1,60})?)",
    re.IGNORECASE,
)
_BARE = re.compile(r"draft|unapproved|unconfirmed|unsigned|provisional|for comments?", re.IGNORECASE)
"""Alone on a line or marked: it may name something else."""
_IS_DRAFT = re.compile(
    rf"(?:status: )?(?:{_BARE.pattern})$"
    rf"|this is (?:only )?(?:an? |the )?(?:{_KIND} |provisional )?(?:draft\b|version for comment)"
    rf"|th(?:is|ese) (?:\w+ )?{_WHAT} (?:(?:is|are) (?:(?:still|only) )?(?:an? |in )?(?:{_KIND} )?"
    r"(?:drafts?\b|provisional\b|unapproved|unconfirmed|subject to (?:approval|confirmation))"
    r"|(?:has|have|is|are) not (?:yet )?(?:been )?(?:approved|signed|adopted)\b)",
    re.IGNORECASE,
)
_PARTS = re.compile(r"\s*[|•·:;()\[\]–—]+\s*|\s+[-*/]+\s+|\.\s+|,\s+(?=draft\b)", re.IGNORECASE)


def standing(title: str, lines: Sequence[str]) -> str:
    """`TAKEN_BACK` or `DRAFT` with the words that say so, or "".

    >>> standing("Minutes (draft 2)", ()), standing("", ["Guide to bees", "SUPERSEDED"])
    ('calls itself a draft: “Minutes (draft 2)”', 'takes itself back: “SUPERSEDED”')
    >>> standing("The draft was superseded", ["Fair cancelled", "Draft: the best beers"])
    ''
    """
    if lines[:1] and lines[0].startswith("From: "):  # a mail may be about a draft
        return ""
    first = [one for one in dict.fromkeys((title, *lines[:_FIRST])) if 0 < len(one) <= _LONGEST]
    named = any(_NAMED.search(one) for one in first if not is_ended(one))
    back = (one for one in first if _takes_back(one.strip(" .!*_-"), named=named))
    if said := next(back, ""):
        return _told(TAKEN_BACK, said)
    said = next((one for one in first if _is_draft(one.strip(" .!*_-"))), "")
    return _told(DRAFT, said) if said else ""


def _told(kind: str, said: str) -> str:
    return f"{kind}: “{said if len(said) <= _SHOWN else f'{said[:_SHOWN]}…'}”"


def _takes_back(line: str, *, named: bool) -> bool:
    """`named`: the title or a line like it names a paper that can be cancelled."""
    if _SAYS_SO.match(line) or _TAKEN_BACK.fullmatch(line):
        return True
    for part, marked in _ends(line):
        cancelled = (named or line[:1] == "[") and _MARKED.fullmatch(part)
        if marked and (cancelled or _TAKEN_BACK.fullmatch(part)):
            return True
    return False


def _is_draft(line: str) -> bool:
    said = (marked and _BARE.fullmatch(part) or _DRAFT.fullmatch(part) and part.lower() != "draft"
            for part, marked in _ends(line))
    return bool(_IS_DRAFT.match(line)) or any(said)


def _ends(line: str) -> list[tuple[str, bool]]:
    """First and last part, and whether it is in capitals or brackets."""
    parts = [*filter(None, _PARTS.split(line))] or [""]
    first, last = line[:1] in "[(", line[-1:] in ")]"
    return [(parts[0], parts[0].isupper() or first), (parts[-1], parts[-1].isupper() or last)]
