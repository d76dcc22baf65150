"""Whose words a mail's text is. Quotes follow `>`, are a block quote, or stand below headers or "A
Reader wrote:"; these lines are dropped."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from email.utils import parseaddr
from itertools import takewhile
from typing import NamedTuple

from uhhrag.documents.blocks import Block
from uhhrag.documents.plain.mail_lines import MailLine
from uhhrag.documents.plain.text_tables import text_blocks
from uhhrag.documents.segmentation import clean
from uhhrag.text.dates import iso_date, written
from uhhrag.text.document_dates import date_in_line

_VERB = re.compile(
    r"(?<!\w)(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti|"
    r"folgendes geschrieben|napisał(?:\(a\)|a)?|pisze|nap[ií]?sal(?:\(a\)|a)?|írta|a scris|"
    r"пишет|писала?|пише|написа(?:л(?:\(а\)|а)?)?|έγραψε|napisa(?:o|la)|kirjutas|rašė|rakstīja|"
    r"va escriure|đã viết|yazdı|写道|のメール|님이 작성)(?!\w)|(?<=\d)写道",
    re.IGNORECASE,
)
_TOLD, _NO_NAME = re.compile(r"\bwr(?:ote|ites)\s+\w"), re.compile("(?:the|our|your|their) ")
"""By the sender of somebody, not by a mail program."""
CLOCK, _ADDRESS = re.compile(r"\d{1,2}[:.h]\d{2}"), re.compile(r"\S@\S")
_UNMARKED = re.compile(rf"\S@\S+\s{_VERB.pattern}[\s-]*$", re.IGNORECASE)
"""Ends "---- On Wed, 3 May 2023 Ann <a@b.example> wrote ----"."""
DAY = re.compile(r"\b\d{4}\b|\d{4}年|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}")
_FIGURES = re.compile(
    r"(?<![\d./])(?:(\d\d?)\.(\d\d?)\.|(1[3-9]|[23]\d)/(\d\d?)/|(\d\d?)/(1[3-9]|[23]\d)/)"
    r"(?:20)?([0-4]\d)(?!\d|\.\d)"
)
"""A day that tells its month: "13.5.24", "13/5/24", "5/13/24"."""
_AMONG = re.compile(
    r"(?i)\b(?:answer|repl[yi]|response|comment|antwort|réponse)\w*\b.{0,40}?\b(?:below|in-?line"
    r"|unten|ci-dessous|(?:in|en) (?:red|blue|green|bold|rot|blau|grün|rouge))\b"
)
"""Says that the sender's words stand among those below the other mail's headers."""
_MAX_INTRODUCTION_CHARS, _LINES = 300, 3
_FROM = {
    *("from", "von", "de", "da", "van", "fra", "från", "lähettäjä", "od", "feladó", "от", "від"),
    *("mittente", "nadawca", "de la", "kimden", "gönderen", "από", "expéditeur", "差出人"),
    *("发件人", "寄件者", "보낸 사람", "מאת", "من"),
}
_OTHERS = {
    *("sent", "date", "to", "cc", "bcc", "subject", "reply-to", "gesendet", "datum", "an", "kopie"),
    *("betreff", "envoyé", "à", "objet", "enviado", "enviado el", "enviada em", "para", "asunto"),
    *("assunto", "fecha", "data", "inviato", "a", "oggetto", "verzonden", "aan", "onderwerp"),
    *("sendt", "dato", "til", "emne", "skickat", "till", "ämne", "lähetetty", "vastaanottaja"),
    *("aihe", "wysłano", "wysłane", "do", "dw", "temat", "odesláno", "komu", "předmět", "predmet"),
    *("küldve", "címzett", "tárgy", "отправлено", "дата", "кому", "тема", "gönderildi", "tarih"),
    *("kime", "konu", "στάλθηκε", "προς", "θέμα", "送信日時", "宛先", "件名", "发送时间", "收件人"),
    *("主题", "보낸 날짜", "받는 사람", "제목"),
    *("envoyé le", "sujet", "pour", "copie à", "adresat", "dátum", "päiväys", "către", "subiect"),
    *("importance", "priorität", "wichtigkeit", "priorité", "attachments", "anlagen"),
    "pièces jointes",
    *("נשלח", "תאריך", "אל", "נושא", "التاريخ", "إلى", "الموضوع"),
}
_LABEL = re.compile(r"\W{0,3}(\w[\w .-]{0,18}?)\*?\s?[:：]\*?(?=\s|$|\w)")
_LABELS = re.compile(
    rf"(?<!\S)\*?({'|'.join(sorted(map(re.escape, _FROM | _OTHERS), key=len, reverse=True))})"
    r"\*?\s?[:：]\*?\s",
    re.IGNORECASE,
)
_CUT = re.compile(
    r"\s*(?:[-_*=]{3,}\s*(\w[\w '’.,:/@<>-]{2,100}[\w>])\s*[-_*=]{3,}|(?:begin forwarded message"
    r"|anfang der weitergeleiteten nachricht|d[ée]but du message (?:réexpédié|transféré)"
    r"|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht)\s?:)\s*",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s*-{3,}\s*(?:end(?: of)?|ende der) .*(?:message|mail|nachricht)\W*-{3,}\s*", re.I
)
_MAIL = re.compile(
    r"(?:\w+ )?(?:message|mail|nachricht|mensaje|mensagem|messaggio|bericht|besked|melding|viesti|"
    r"meddelande|сообщение|письмо|wiadomość|zpráva|správa|üzenet|mesaj|ileti|μήνυμα)"
    r"(?: \w[\w'’]*)?",
    re.IGNORECASE,
)
_MAILBOX = re.compile(r"[<\[(]*(?:mailto:)?[^\s<\[(]+@[^\s>\])]+[>\])]*")
_MOMENT = re.compile(
    r"^.*(?:\d[:.h]\d{2}(?::\d{2})?|\b\d{4}\b|\d[./-]\d{2,4}|\b\d{1,2}(?=,\s))(?:\s?[ap]\.?m\b\.?"
    r"|\s*(?:GMT|UTC|CES?T|E[SD]T|P[SD]T|BST|MES?Z(?: hat)?)\b|\s*[+-]\d{1,2}:?(?:\d\d)?"
    r"|\s*Uhr\b|\s*г\.)*[\s,;:)]*",
    re.IGNORECASE | re.DOTALL,
)
_AROUND = " \t,，;:.()<>[]\"'“”„«»|-"
_NOBODY = {"i", "you", "he", "she", "they", "we", "it", "ich", "er", "sie", "wir", "je", "vous"}
_LEADS = re.compile(
    r"(?i)^(?:(?:here is )?what|as|and|but|then|yesterday|gestern|in article|uns|mir|ons|oss"
    r"|użytkownik|пользователь|от|keltezéssel"
    r"|(?:on|am|op|den|le) \w+(?:day|tag|woch|dag|di))\b,?\s*|\s(?:nous|nos|ci)$"
)
_WHEN = re.compile(r"\s*(?:\b(?:on|le|am|den)\b|于|\d)")
_DATED = re.compile(r"\s*(?:On|Am|Le|El|Il|Op) \w{2,9}\b\.?,? .*")
_BEHALF = re.compile(
    r"^(?:on behalf of|im auftrag von|de la part de|en nombre de|em nome de|per conto di|namens) "
    r"| on behalf of$",
    re.IGNORECASE,
)
_OF_JOURNEYS = _FROM | {"to", "date", "à", "a", "fecha", "data"}
_LEAST_HEADERS, _BELOW, _NEAR, _READ_AHEAD = 2, 0.5, 40, 200


class _Quoted(NamedTuple):
    whose: str | None = None
    """None for the sender's words, "" if unknown."""
    mail: bool = False


class _Quotes(dict[float, _Quoted]):
    """Who is quoted, by depth of marks; half a depth more below another mail's headers."""

    def note(self, depth: float, name: str, *, mail: bool = False) -> None:
        self.forget(depth)
        self[depth] = _Quoted(name, mail and bool(name))

    def forget(self, least: float) -> None:
        for deep in [deep for deep in self if deep >= least]:
            del self[deep]

    def at(self, depth: int) -> _Quoted:
        return self.get(depth + _BELOW, self.get(depth, _Quoted("")) if depth else _Quoted())


def quoted_blocks(lines: Sequence[MailLine]) -> list[Block]:
    blocks: list[Block] = []
    group: list[str] = []
    quotes, of_group, at = _Quotes(), _Quoted(), 0

    def end_group() -> None:
        blocks.extend(_quoted(block, of_group) for block in text_blocks(group))
        group.clear()

    while at < len(lines):
        line = lines[at]
        taken = _introduction(lines, at, quotes) if line.text.strip() else 0
        if taken:
            end_group()
            at += taken
            continue
        at += 1
        whose = quotes.at(line.depth)
        if line.block is not None:
            end_group()
            blocks.append(_quoted(line.block, whose))
            if line.text.strip():
                quotes.forget(line.depth + 1)
        else:
            if line.text.strip() and whose != of_group:
                end_group()
                of_group = whose
            group.append(line.text)
    end_group()
    return blocks


def _quoted(block: Block, of: _Quoted) -> Block:
    return replace(block, quoted=of.whose, mail=of.mail)


def _introduction(lines: Sequence[MailLine], at: int, quotes: _Quotes) -> int:
    """Notes who is quoted; returns how many lines say so."""
    depth = lines[at].depth
    if _END.fullmatch(lines[at].text):
        quotes.forget(depth + _BELOW)
        return 1
    if _is_cut(lines, at):
        quotes.note(depth + _BELOW, "")
        return 1
    taken, name = headers_at(lines, at)
    if taken:
        among = any(_AMONG.search(line.text) for line in lines[max(0, at - _NEAR) : at])
        name = "" if among else _dated(name, lines[at : at + taken])
        quotes.note(depth + _BELOW, name, mail=True)
        return taken
    taken, name = _attribution(lines, at)
    if taken:
        name = _dated(name, lines[at : at + taken])
        level = _level_below(lines[at + taken : at + taken + _READ_AHEAD], depth)
        # one that a mail program wrote has an address, or a time and a day
        text = " ".join(line.text for line in lines[at : at + taken])
        told = _TOLD.search(text) or _NO_NAME.match(name)
        timed = CLOCK.search(text) and DAY.search(text) and not told
        made = bool(_ADDRESS.search(text) or timed)
        if not (level or made):
            return 0
        quotes.note(level or depth + _BELOW, name, mail=made)
    return taken


def _level_below(lines: Sequence[MailLine], depth: int) -> int:
    """Least depth of quoted lines right below, or 0: programs may mark a whole mail once more, but
    not the line that introduces it."""
    filled = (line.depth for line in lines if line.text.strip())
    return min(takewhile(lambda level: level > depth, filled), default=0)


def _dated(name: str, lines: Sequence[MailLine]) -> str:
    """A name, if any, with the day in headers or "A Reader wrote:"."""
    texts = [_FIGURES.sub(r"\1\3\6.\2\4\5.20\7", line.text.strip()) for line in lines]
    found = ((_header(text), text) for text in texts)
    days = (iso_date(value) or (date_in_line(text) if CLOCK.search(value) or not of else "")
            for (of, value), text in found)  # fmt: skip
    day = next(filter(None, days), "")
    return f"{name}, {written(day)}" if name and day else name


def _is_cut(lines: Sequence[MailLine], at: int) -> bool:
    """Whether another mail begins below."""
    cut = _CUT.fullmatch(lines[at].text)
    if cut is None or not cut[1] or (cut[0].lstrip()[0] == "-" and _MAIL.fullmatch(cut[1])):
        return cut is not None
    below = next((n for n in range(at + 1, len(lines)) if lines[n].text.strip()), at)
    return bool(headers_at(lines, below)[0])


def _header(text: str) -> tuple[str, str]:
    """Lower-case name and value; ("", "") if unknown."""
    found = _LABEL.match(text)
    known = found is not None and found[1].lower() in _FROM | _OTHERS
    return (found[1].lower(), text[found.end() :]) if found and known else ("", "")


def headers_at(lines: Sequence[MailLine], at: int) -> tuple[int, str]:
    """Number of another mail's header lines, and its sender, who comes first or needs an address or
    time. A journey has "From", "To", "Date", no address."""
    first, depth = lines[at].text.strip(), lines[at].depth
    above = lines[at - 1].text.strip() if at else ""
    if not (begins := _header(first)[0]) or _header(above)[0]:
        return 0, ""
    within = list(_LABELS.finditer(first))
    labels = {one[1].lower() for one in within}
    many = len(within) > _LEAST_HEADERS and (labels - _OF_JOURNEYS or _ADDRESS.search(first))
    if begins in _FROM and many:
        return 1, _mailbox(_header(first[: within[1].start()])[1])  # all in one block of HTML
    taken, sender, above = 0, "", ""
    for number, line in enumerate(lines[at : at + 20], start=1):
        text = line.text.strip()
        name, value = _header(text) if line.depth == depth else ("", "")
        if name:
            taken, sender = number, sender or (_mailbox(value) if name in _FROM else "")
            labels.add(name)
        elif text and not (line.text.startswith((" ", "\t", "<")) or above.endswith((",", ";"))):
            break
        above = text
    shown = " ".join(line.text for line in lines[at : at + taken])
    address = _ADDRESS.search(shown)
    sure = begins in _FROM or address or CLOCK.search(shown)
    of_mail = len(labels - _FROM) >= _LEAST_HEADERS and (address or labels - _OF_JOURNEYS)
    return (taken, sender) if of_mail and sure and re.search(r"[^\W\d_]", sender) else (0, "")


def _attribution(lines: Sequence[MailLine], at: int) -> tuple[int, str]:
    text = ""
    for number, line in enumerate(lines[at : at + _LINES], start=1):
        if not line.text.strip() or line.depth != lines[at].depth:
            break
        if text and (line.block or not re.search(r"\d.*[^.!?]$", text)):
            break  # what stands there is a line of its own
        text = f"{text} {clean(line.text)}".strip()
        if len(text) > _MAX_INTRODUCTION_CHARS:
            break
        says = _VERB.search(text) or (_ADDRESS.search(text) and CLOCK.search(text))
        if says and (text.endswith((":", "：")) or _UNMARKED.search(text)):
            return number, _author(text.strip("-:： "))
    return 0, ""


def _author(text: str) -> str:
    verb = _VERB.search(text)
    before, after = (text[: verb.start()], text[verb.end() :]) if verb else (text, "")
    bare = [_MAILBOX.sub(" ", part) for part in (after, before)]
    moved = [_MOMENT.sub("", part) for part in bare]
    bare[1] = _DATED.sub("", bare[1])
    parts = _WHEN.split(moved[0], maxsplit=1)[0], moved[1], _WHEN.split(bare[1], maxsplit=1)[0]
    told, by, other = (_LEADS.sub("", part.strip(_AROUND)).strip(_AROUND) for part in parts)
    if by and (_TOLD.search(text) or (told[:1].islower() and by[:1].isupper())):
        told = ""  # to whom, or how
    if name := told or by or other:
        return "" if name.lower() in _NOBODY else name + ")" * (name.count("(") > name.count(")"))
    address = _MAILBOX.search(text)
    return address[0].strip("<>[]()") if address else ""


def _mailbox(text: str) -> str:
    name = clean(_MAILBOX.sub(" ", text)).strip(" ,;*()<>[]\"'")
    return _BEHALF.sub("", name) or parseaddr(text)[1] or text.strip(" *")
