"""What title and first lines say: a draft, or no longer valid."""

import re
from collections.abc import Iterator, Sequence

from uhhrag.records.pages import DRAFT, TAKEN_BACK
from uhhrag.text.fragments import is_ended

_FIRST_LINES, _MAX_LINE_CHARS, _SHOWN = 8, 200, 80
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
_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sep|oct|nov|dec)[a-z]*"
_OF = rf"(?:on|of|as|at|dated?|from|since|in|v|version|rev|no|\d+(?:st|nd|rd|th)?|{_MONTH})"
_WHEN = rf"(?:(?:,? {_OF}[.,]?){{0,4}} [a-z]?\d[\d./-]*)"
"""Also which: version 2."""
_OVER = r"(?:superseded|obsolete|retracted|rescinded|null and void|no longer (?:in force|valid))"
_OFF = r"(?:cancelled|canceled|withdrawn|revoked|annulled|void(?:ed)?|repealed)"
_BY = rf"by (?:(?:the|a|our) )?(?:(?:{_PAPER}|{_DEED})\b|[a-z]{{0,4}}[-#]?\d).*"
_TAKEN_BACK = re.compile(
    rf"(?i)(?:(?:{_PAPER}|{_DEED}) )?(?:status: )?{_OVER}(?:{_WHEN}|\W{{0,2}} (?:by|see) .+)?"
    rf"|{_OFF} and (?:replaced|superseded)(?: by .+|{_WHEN})?|replaced {_BY}|retracted article"
    rf"|document status: {_OFF}"
)
_MARKED = re.compile(rf"{_OFF}(?:{_WHEN}| {_BY})?", re.IGNORECASE)
"""Is also said of what a document is about."""
_SAYS_SO = re.compile(
    rf"(?i)(?:(?:please )?(?:note|important)(?: that)?\W+)?this (?:[\w’'-]+ ){{0,3}}?{_PAPER}"
    rf"{_WHEN}? (?:is|was|has been) (?:(?:now|since|\w+ly) )?(?:{_OVER}|{_OFF}|replaced(?= by|$))"
    r"(?=$|[.,;:–—]| (?:and|by|on|as of|with effect|since|due|because|at|(?:in|from) \w* ?\d+)\b)"
)
_KIND = (
    r"(?:(?:first|second|third|initial|early|final|revised|amended|working|preliminary|internal"
    r"|consultation|exposure|discussion|unapproved|unsigned|unedited|confidential|public|internet)"
    r"[ -])"
)
_WHAT = rf"(?:{_PAPER}|{_DEED}|plan|strategy|statement|rules|budget|bill)"
_NOT_YET = r"not (?:yet )?(?:been )?(?:approved|signed|adopted)"
_LATER = r"subject to (?:contract|approval|confirmation)"
_DRAFT = re.compile(
    rf"(?i)(?:{_KIND}drafts?|draft(?!$))(?: {_WHAT})?{_WHEN}?"
    rf"(?:,? (?:for|not|subject to|do not|pending|to be)(?: [\w’'/&-]+){{1,6}}?{_WHEN}?)?"
    r"|(?:draft|unapproved|unconfirmed|provisional) (?:minutes|agenda|notes)"
    r"(?: (?:of|from|for) (?!.*\b(?:was|were|had|says?|shows?|reveals?)\b).{1,120})?"
    rf"|(?:unapproved|unsigned|provisional|preliminary) (?:copy|draft|version|text){_WHEN}?"
    r"|provisional (?:figures|results|data)|for (?:comments?|discussion|review) only"
    rf"|(?:{_NOT_YET}|{_LATER})(?: (?:at|by|of) .{{1,60}})?"
)
_BARE = re.compile(
    r"draft|un(?:approved|confirmed|signed)|provisional|for comments?", re.IGNORECASE
)
"""Alone on a line or marked: it may name something else."""
_IS_DRAFT = re.compile(
    rf"(?i)(?:status: )?(?:{_BARE.pattern})$|this is (?:only )?(?:an? |the )?{_KIND}?draft\b"
    rf"|th(?:is|ese) (?:\w+ )?{_WHAT} (?:(?:has|have|is|are) {_NOT_YET}\b"
    rf"|(?:is|are) (?:still )?(?:an? |in )?{_KIND}?(?:drafts?|{_BARE.pattern}|{_LATER})\b)"
)
_PARTS = re.compile(r"\s*[|•·:;()\[\]–—]+\s*|\s+[-*/]+\s+|\.\s+|,\s+(?=draft\b)", re.IGNORECASE)


def standing(title: str, lines: Sequence[str]) -> str:
    """`TAKEN_BACK` or `DRAFT` with the words that say so, or ""."""
    if lines[:1] and lines[0].startswith("From: "):  # a mail may be about a draft
        return ""
    first = [
        one
        for one in dict.fromkeys((title, *lines[:_FIRST_LINES]))
        if 0 < len(one) <= _MAX_LINE_CHARS
    ]
    named = any(_NAMED.search(one) for one in first if not is_ended(one))
    told = [kind for one in first for kind in _told(one, named=named)]
    kind, said = max(told, key=lambda one: one[0], default=("", ""))
    return f"{kind}: “{said if len(said) <= _SHOWN else f'{said[:_SHOWN]}…'}”" if kind else ""


def _told(line: str, *, named: bool) -> Iterator[tuple[str, str]]:
    """Kinds; `named`: a title or similar line names a paper that can be cancelled."""
    bare = line.strip(" .!*_-")
    parts = [*filter(None, _PARTS.split(bare))] or [""]
    first = parts[0].isupper() or bare[:1] in "[("
    marked = parts[:first] + parts[-1:] * (parts[-1].isupper() or bare[-1:] in ")]")
    off = (_MARKED,) if named or bare[:1] == "[" else ()
    back = any(one.fullmatch(part) for part in marked for one in (_TAKEN_BACK, *off))
    if back or _SAYS_SO.match(bare) or _TAKEN_BACK.fullmatch(bare):
        yield TAKEN_BACK, line
    ends = any(map(_DRAFT.fullmatch, (parts[0], parts[-1])))
    if ends or _IS_DRAFT.match(bare) or any(map(_BARE.fullmatch, marked)):
        yield DRAFT, line
