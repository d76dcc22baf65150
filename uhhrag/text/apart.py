"""Lines beside what a document says: lone days, heads and ends of letters and mails, and rows of
column names."""

from __future__ import annotations

import re
from collections.abc import Sequence

from uhhrag.text.fragments import is_ended, is_question

_FROM = "from|von|de|da|van|fra|från|od|mittente|expéditeur"
_OTHERS = (
    "sent|date|to|cc|bcc|subject|reply-to|gesendet|datum|an|kopie|betreff|envoyé|à|objet|enviado"
    "|para|asunto|assunto|fecha|data|inviato|a|oggetto|verzonden|aan|onderwerp|sendt|dato|til|emne"
    "|skickat|till|ämne|wysłano|do|temat"
)
_SENDER = re.compile(rf"(?:{_FROM}): ", re.IGNORECASE)
_FIELD = re.compile(rf"(?:{_FROM}|{_OTHERS}): ", re.IGNORECASE)
_OF_MAILS = re.compile(
    r"\S@\S|(?:^|; )(?:subject|cc|betreff|objet|asunto|assunto|oggetto|onderwerp|emne|ämne"
    r"|temat): ",
    re.IGNORECASE,
)
"""In a mail's fields, unlike a journey's."""
_MOST_FIELDS, _LEAST_FIELDS = 8, 3
_GREETING = re.compile(
    r"(?:dear|hi|hello|sehr geehrte[rs]?|liebe[rs]?|hallo|chère?s?|madame|monsieur|bonjour"
    r"|estimad[oa]s?|querid[oa]s?|gentile|egregi[ao]|caro|cara|geachte|beste|kære|kjære|bästa|hej"
    r"|prezad[oa]s?|caro|cara)(?: [^\s.!?]+){0,5}[,!:]",
    re.IGNORECASE,
)
_CLOSING = re.compile(
    r"(?:(?:kind|best|warm|with (?:kind|best)) (?:regards|wishes)|regards|best|yours \w+"
    r"|(?:\w+ )?sincerely(?: yours)?|many thanks|thanks|cheers|(?:mit )?(?:freundlich|best|viel"
    r"|lieb|herzlich)e[nm]? (?:grüßen?|gr[uü]ss(?:en)?|gruß)|hochachtungsvoll"
    r"|(?:bien )?cordialement|sincères salutations|(?:un )?(?:cordial )?saludos?(?: cordiales)?"
    r"|atentamente|atenciosamente|(?:cordiali|distinti) saluti|(?:met )?vriendelijke groet(?:en)?"
    r"|(?:med )?(?:venlig|vennlig|vänliga?|bästa) hils(?:en|ningar)|hälsningar)[,.!]?",
    re.IGNORECASE,
)
_NAME = re.compile(
    r"(?:[^\W\d_a-zß-ÿ][\w.’'-]*,?(?: (?:of|de|van|von|der|und|and|&|la))?(?: |$)){1,5}"
)
_MAX_SIGNATURE_LINES = 4
"""Of a signature: name, office, house."""
_WHO = re.compile(
    r"\W*(?:who|whom|whose|which|what|where|when|wer|wen|wem|welche\w*|was|wo|wann|qui|quel\w*|où"
    r"|quand|quién\w*|cuál\w*|dónde|cuándo|chi|quale|dove|quando|quem|qual|onde|wie|welke?|wat|waar"
    r"|hvem|hvad|hva|hvilke\w*|hvor|vem|vilke\w*|vad|var)\b",
    re.IGNORECASE,
)


def asks_for_name(question: str) -> bool:
    """Whether a name or day alone may answer it.

    >>> asks_for_name("Who leads it?"), asks_for_name("Mayor?"), asks_for_name("Is it true?")
    (True, True, False)
    """
    return is_question(question) and bool(_WHO.match(question) or len(question.split()) < 3)


def is_name(text: str) -> bool:
    """Capital words alone, at most five.

    >>> is_name("J. Oakes"), is_name("Press Officer, Lindmoor Council"), is_name("It rained.")
    (True, True, False)
    """
    initials = re.sub(r"\b[^\W\d_a-z]\.", "", text)
    return bool(_NAME.fullmatch(text)) and not is_ended(initials)


def names_columns(lines: Sequence[str], at: int) -> bool:
    """A row whose cells name those of the row below.

    >>> names_columns(["Line; 2022; 2023", "Line: 1 Harbour; 2022: 1,204; 2023: 1,655"], 0)
    True
    """
    cells = lines[at].split("; ")
    if len(cells) < 2 or ": " in lines[at]:
        return False
    below = next((line for line in lines[at + 1 : at + 4] if ": " in line), "")
    names = [part.partition(": ")[0] for part in below.split("; ") if ": " in part]
    told = sum(any(cell in name for name in names) for cell in cells)
    return told >= max(2, len(cells) / 2)


def is_of_letter(lines: Sequence[str], at: int) -> bool:
    """A letter's or mail's field, greeting, closing or signature.

    >>> mail = ["From: Bo; To: Ada; Subject: Trams", "Dear Ada,", "It is late.", "Bo", "Tram Ltd"]
    >>> [is_of_letter(mail, at) for at in range(5)]
    [True, True, False, True, True]
    """
    text = lines[at].strip()
    if _GREETING.fullmatch(text) or _CLOSING.fullmatch(text):
        return True
    return _is_field(lines, at) or _is_signature(lines, at)


def _is_field(lines: Sequence[str], at: int) -> bool:
    if not _FIELD.match(lines[at]):
        return False
    if _SENDER.match(lines[at]) and "; " in lines[at] and _OF_MAILS.search(lines[at]):
        return True
    first = last = at
    while first > max(0, at - _MOST_FIELDS) and _FIELD.match(lines[first - 1]):
        first -= 1
    while last + 1 < min(len(lines), at + _MOST_FIELDS) and _FIELD.match(lines[last + 1]):
        last += 1
    fields = lines[first : last + 1]
    of_mail = any(map(_SENDER.match, fields)) and any(map(_OF_MAILS.search, fields))
    return len(fields) >= _LEAST_FIELDS and of_mail


def _is_signature(lines: Sequence[str], at: int) -> bool:
    """Names below a closing, or up to two at the end below a sentence."""
    if not is_name(lines[at]):
        return False
    first, last = at, at + 1
    least, most = max(0, at - _MAX_SIGNATURE_LINES), min(len(lines), at + _MAX_SIGNATURE_LINES + 1)
    while first > least and is_name(lines[first - 1]) and not _CLOSING.fullmatch(lines[first - 1]):
        first -= 1
    while last < most and is_name(lines[last]):
        last += 1
    above = lines[first - 1].strip() if first else ""
    if last - first > _MAX_SIGNATURE_LINES or above.endswith(":") or asks_for_name(above):
        return False
    ends = last == len(lines) and last - first < _MAX_SIGNATURE_LINES - 1
    return bool(_CLOSING.fullmatch(above)) or (ends and is_ended(above))
