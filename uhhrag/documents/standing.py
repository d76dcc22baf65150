"""What a document says of itself in its title and first lines: a draft, or no longer valid."""

import re
from collections.abc import Sequence

from uhhrag.records.pages import DRAFT, TAKEN_BACK
from uhhrag.text.dates import MONTH
from uhhrag.text.fragments import is_ended

_FIRST, _LONGEST, _SHOWN = 8, 200, 80
"""Lines read, characters of one, characters shown."""
_PAPER = (
    r"(?:document|version|edition|issue|revision|draft|copy|publication|guidance|guidelines?|guide"
    r"|notice|circular|invoice|credit note|specification|form|preprint|manuscript|article|page"
    r"|leaflet|drawing|report|paper|minutes|memo(?:randum)?)"
)
"""Of which "this" is hardly said in a text about it."""
_DEED = r"(?:contract|agreement|order|certificate|licen[cs]e|permit|policy|quotation|standard)"
_NAMED = re.compile(rf"\b(?:invoice|credit note|circular|drawing|version|{_DEED})\b", re.IGNORECASE)
"""Is cancelled itself; a cancelled meeting has a notice or minutes too."""
_MONTH = MONTH.replace("?P<name>", "?:")
_WHEN = (
    rf"(?:,? (?:(?:on|of|as of|dated?|from|since|in) )?(?:\d{{1,2}}(?:st|nd|rd|th)?[ ./-])?"
    rf"(?:{_MONTH}\.?|\d{{1,2}}[./-])? ?\d[\d./-]{{0,9}}(?:, \d{{4}})?)"
)
_OVER = r"(?:superseded|obsolete|retracted|rescinded|null and void|no longer (?:in force|valid))"
_OFF = r"(?:cancelled|canceled|withdrawn|revoked|annulled|void(?:ed)?|repealed)"
_INSTEAD = rf"(?:{_OFF} and (?:replaced|superseded))"
_BY = (
    rf"(?:by (?:(?:the|a|our) )?(?:(?:[\w’'-]+ ){{0,2}}?(?:{_PAPER}|{_DEED})\b.{{0,60}}"
    r"|[a-z]{0,4}[-#]?\d.{0,60}))"
)
_TAKEN_BACK = re.compile(
    rf"(?:(?:{_PAPER}|{_DEED}) )?(?:status: )?(?:now )?{_OVER}(?:{_WHEN}|\W{{0,2}} (?:by|see) .+)?"
    rf"|(?:{_INSTEAD}|replaced) {_BY}|{_INSTEAD}{_WHEN}?|retracted article|document status: {_OFF}",
    re.IGNORECASE,
)
_MARKED = re.compile(rf"{_OFF}(?:{_WHEN}| {_BY})?", re.IGNORECASE)
"""Is also said of what a document is about."""
_SAYS_SO = re.compile(
    rf"(?:(?:please )?(?:note|important|warning)(?: that)?\W+)?this (?:[\w’'-]+ ){{0,3}}?{_PAPER}"
    rf"{_WHEN}? (?:is|was|has been) (?:(?:now|since|\w+ly) )?(?:{_OVER}|{_OFF}|replaced(?= by|$))"
    r"(?=$|[.,;:–—]| (?:and|by|on|as of|with effect|since|due|because|at|(?:in|from) \w* ?\d+)\b)",
    re.IGNORECASE,
)
_KIND = (
    r"(?:first|second|third|initial|early|final|revised|amended|working|preliminary|internal|rough"
    r"|consultation|exposure|discussion|unapproved|unsigned|unedited|confidential|public|internet)"
)
_WHAT = rf"(?:{_PAPER}|{_DEED}|plan|strategy|statement|rules|budget|bill)"
_FOR = r"(?:,? (?:for|not|subject to|do not|pending|to be)(?: [\w’'/&-]+){1,6}?)"
_NUMBER = r"(?: (?:v|version|rev|revision|no|number|#)?\.? ?\d[\w.]{0,6}| [a-e])"
_NOT_YET = r"not (?:yet )?(?:been )?(?:approved|signed|adopted)"
_DRAFT = re.compile(
    rf"(?:{_KIND}[ -]drafts?|draft)(?: {_WHAT})?{_NUMBER}?{_WHEN}?(?:{_FOR}{_WHEN}?)?"
    r"|(?:draft|unapproved|unconfirmed|provisional) (?:minutes|agenda|notes)"
    r"(?: (?:of|from|for) (?!.*\b(?:was|were|had|says?|shows?|reveals?)\b).{1,120})?"
    rf"|(?:unapproved|unsigned|provisional|preliminary) (?:copy|draft|version|text){_WHEN}?"
    r"|provisional (?:figures|results|data|estimates)|for (?:comments?|discussion|review) only"
    rf"|{_NOT_YET}(?: by .{{1,40}})?"
    r"|subject to (?:contract|(?:approval|confirmation)(?: (?:at|by|of) .{1,60})?)",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"draft|un(?:approved|confirmed|signed)|provisional|for comments?", re.IGNORECASE
)
"""Alone on a line or marked: it may name something else."""
_IS_DRAFT = re.compile(
    rf"(?:status: )?(?:{_BARE.pattern})$|this is (?:only )?(?:an? |the )?(?:{_KIND} )?draft\b"
    rf"|th(?:is|ese) (?:\w+ )?{_WHAT} (?:(?:is|are) (?:still )?(?:an? |in )?(?:{_KIND} )?"
    r"(?:drafts?\b|provisional\b|unapproved|unconfirmed|subject to (?:approval|confirmation))"
    rf"|(?:has|have|is|are) {_NOT_YET}\b)",
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
    bare = [(one, one.strip(" .!*_-")) for one in first]
    told = [(TAKEN_BACK, one) for one, text in bare if _takes_back(text, named=named)]
    told += [(DRAFT, one) for one, text in bare if _is_draft(text)]
    for kind, said in told[:1]:
        return f"{kind}: “{said if len(said) <= _SHOWN else f'{said[:_SHOWN]}…'}”"
    return ""


def _takes_back(line: str, *, named: bool) -> bool:
    """`named`: the title or a line like it names a paper that can be cancelled."""
    off = named or line[:1] == "["
    said = (_TAKEN_BACK.fullmatch(one) or (off and _MARKED.fullmatch(one)) for one in _marked(line))
    return bool(_SAYS_SO.match(line) or _TAKEN_BACK.fullmatch(line)) or any(said)


def _is_draft(line: str) -> bool:
    said = (_DRAFT.fullmatch(one) for one in _ends(line) if one.lower() != "draft")
    return bool(_IS_DRAFT.match(line)) or any(said) or any(map(_BARE.fullmatch, _marked(line)))


def _marked(line: str) -> list[str]:
    """First and last part, if in capitals or brackets."""
    within = line[:1] in "[(", line[-1:] in ")]"
    return [one for one, box in zip(_ends(line), within, strict=True) if box or one.isupper()]


def _ends(line: str) -> list[str]:
    parts = [*filter(None, _PARTS.split(line))] or [""]
    return [parts[0], parts[-1]]
