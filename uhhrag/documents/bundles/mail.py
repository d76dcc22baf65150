"""EML, mbox: headers, text, quotes, enclosed mails. Attachments are documents with the sender's
date."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses, parsedate_to_datetime
from mimetypes import guess_extension
from pathlib import Path, PurePosixPath

from uhhrag.documents.blocks import Block, document_of
from uhhrag.documents.bundles.calendars import event_lines
from uhhrag.documents.bundles.mailboxes import is_deleted, messages
from uhhrag.documents.document import Document, Unreadable, some
from uhhrag.documents.parts import part_documents, tried
from uhhrag.documents.plain.mail_lines import MailLine, flowed, text_lines_of
from uhhrag.documents.plain.mail_quotes import quoted_blocks
from uhhrag.documents.segmentation import clean, decoded
from uhhrag.documents.web.html import page_text
from uhhrag.documents.web.nodes import blocks_of
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import first_of
from uhhrag.text.characters import text_lines
from uhhrag.text.dates import OF_FILE, written
from uhhrag.text.encodings import decode

_HEADERS = ("from", "to", "cc", "date", "subject")
_OF_MAILS = {*_HEADERS, "received", "message-id", "return-path", "mime-version"}
_DEEPEST, _RECIPIENTS, _MAX_FIELD_CHARS = 20, 10, 1_000
_READ = {"text/html", "text/plain", "text/markdown", "text/x-markdown"}
_CALENDARS = {"text/calendar", "application/ics"}
_SIGNATURES = {
    *("application/pgp-signature", "application/pgp-keys"),
    *("application/pkcs7-signature", "application/x-pkcs7-signature"),
}
_SEALED = {"application/pkcs7-mime", "application/x-pkcs7-mime"}
"""Encrypted, or signed so that the text is hidden."""
_RECIPIENT = re.compile(r"[^@]{1,300}@[^,;]*[,;]?\s*")
_FAULTS = (ValueError, TypeError, LookupError, OverflowError, MessageError)


def read_mail(path: Path) -> Iterator[Document | str]:
    """The mail, then its attachments. Raises Unreadable."""
    yield from _read(path.read_bytes())


def read_mbox(path: Path) -> Iterator[Document | str]:
    """Raises Unreadable if no mail is read."""
    unread: list[str] = []
    found = False
    with path.open("rb") as stream:
        for number, raw in enumerate(messages(stream), start=1):
            name = f"mail {number}"
            results = ["is deleted; not read"] if is_deleted(raw) else _read(raw)
            for document in tried(results, name, unread):
                found = True
                yield replace(document, key="#".join(filter(None, (name, document.key))))
    if not found:
        raise Unreadable("is not a mailbox (mbox), or is damaged")
    yield from unread


def _read(raw: bytes) -> Iterator[Document | str]:
    try:
        message = message_from_bytes(raw.removeprefix(BOM_UTF8).lstrip())
    except RecursionError as error:
        raise Unreadable("is nested too deeply") from error
    if not _OF_MAILS.intersection(name.lower() for name in message.keys()):  # noqa: SIM118
        raise Unreadable("is not a mail, or is damaged")
    mail = _Mail()
    subject, sender, day = _about(message)
    yield document_of(mail.read(message, 0), title=subject, author=sender, date=day)
    yield from mail.faults
    unread: list[str] = []
    with spare_folder() as spare:
        for name, content, enclosing in mail.attached:
            subject, sender, day = _about(enclosing)
            of = f"attachment {name} of the mail “{subject}” by {sender}"
            parts = part_documents([content], name, len(content), spare)
            for document in tried(parts, name, unread):
                note = "; ".join(filter(None, (document.note, of)))
                dated = document.date and document.dated_by != OF_FILE
                date, by = (document.date, document.dated_by) if dated else (day, "")
                yield replace(document, note=note, date=date, dated_by=by)
    if unread:
        names = first_of(unread, between="; ")
        yield f"{some(len(unread), 'attachment')} not read, or not all of it: {names}"


@dataclass(slots=True)
class _Mail:
    attached: list[tuple[str, bytes, Message]] = field(default_factory=list)
    """Names, bytes and mails; no inline pictures or signatures."""
    faults: list[str] = field(default_factory=list)
    """Clauses on lost text."""
    events: list[tuple[str, str]] = field(default_factory=list)
    """With their descriptions."""
    mail: Message = field(default_factory=Message)
    """The one that is being read."""

    def read(self, message: Message, depth: int) -> Iterator[Block]:
        """Headers as one line, body, events."""
        fields = _headers(message).items()
        outer, self.events, self.mail = (self.events, self.mail), [], message
        yield Block("; ".join(f"{name.capitalize()}: {text}" for name, text in fields))
        body = self._body(message, depth)
        yield from body
        said = clean(_words(body)) if self.events else ""
        for line, about in dict.fromkeys(self.events):
            yield Block(line if clean(about) in said else f"{line}; About: {about}")
        self.events, self.mail = outer

    def _enclosed(self, message: Message, depth: int) -> Iterator[Block]:
        _, sender, day = _about(message)
        whose = f"{sender}, {written(day)}" if sender and day else sender
        for block in self.read(message, depth):
            own = block.quoted is None
            yield replace(block, quoted=whose, mail=bool(whose)) if own else block

    def _body(self, part: Message, depth: int) -> list[Block]:
        if depth > _DEEPEST:
            raise Unreadable("is nested too deeply")
        kind = part.get_content_type()
        if part.is_multipart():
            parts = [one for one in part.get_payload() if isinstance(one, Message)]
            if kind == "multipart/alternative":
                parts = [one for one in parts if not _is_other_text(one)] or parts
            if kind == "message/rfc822":
                return [block for mail in parts for block in self._enclosed(mail, depth + 1)]
            bodies = [self._body(one, depth + 1) for one in parts]
            if kind == "multipart/alternative":
                return _fullest(bodies)
            return [block for body in bodies for block in body]
        if kind in _CALENDARS:
            self.events += event_lines(decode(payload(part), part.get_content_charset("")).text)
            return []
        name = _file_name(part)
        if (kind in _READ and not name) or part.get_content_maintype() == "multipart":
            return self._text_of(part, html=kind == "text/html")
        if _is_other_text(part):
            name = f"attachment{_ending(kind)}"
        logo = part.get_content_maintype() == "image" and not _is_attached(part)
        if name and not logo and kind not in _SIGNATURES:
            self.attached.append((name, _content(part), self.mail))
        return []

    def _text_of(self, part: Message, *, html: bool) -> list[Block]:
        read = page_text if html else decoded
        content = read(payload(part), part.get_content_charset(""))
        self.faults += filter(None, [content.fault])
        if html:
            blocks = blocks_of(content.text)
            lines = [MailLine(one.text, int(one.quoted is not None), one) for one in blocks]
        else:
            lines = text_lines_of(text_lines(content.text))
            if part.get_param("format") == "flowed":
                lines = flowed(lines, joined=part.get_param("delsp") == "yes")
        return quoted_blocks(lines)


def _about(message: Message) -> tuple[str, str, str]:
    """Subject, sender, day."""
    fields = _headers(message)
    day = mail_day(_raw(message).get("date", ""))
    return fields.get("subject", ""), _names(fields.get("from", "")), day


def payload(part: Message) -> bytes:
    raw = part.get_payload(decode=True)
    return raw if isinstance(raw, bytes) else b""


def _content(part: Message) -> bytes:
    raw, charset = payload(part), part.get_content_charset("")
    is_text = part.get_content_maintype() == "text" and charset
    return decode(raw, charset).text.encode("utf-8", "replace") if is_text else raw


def _fullest(bodies: list[list[Block]]) -> list[Block]:
    """The last, which mail programs show, at least half as long as the longest."""
    sized = [(len(_words(body)), body) for body in bodies]
    most = max((size for size, _ in sized), default=0)
    return next((body for size, body in reversed(sized) if 2 * size >= most), [])


def _words(body: Iterable[Block]) -> str:
    return " ".join(block.words for block in body)


def _file_name(part: Message) -> str:
    """Or "attachment" if unnamed; "" for inline texts and pictures."""
    try:
        name = _unfolded(part.get_filename() or "")[-_MAX_FIELD_CHARS:]
    except _FAULTS:
        name = ""
    ending = _ending(part.get_content_type())
    within = part.get_content_maintype() in ("text", "image") and not _is_attached(part)
    return PurePosixPath(name.replace("\\", "/")).name or ("" if within else f"attachment{ending}")


def _ending(kind: str) -> str:
    return ".p7m" if kind in _SEALED else guess_extension(kind) or ""


def _is_other_text(part: Message) -> bool:
    kind = part.get_content_type()
    return kind.startswith("text/") and kind not in _READ | _CALENDARS and not _file_name(part)


def _is_attached(part: Message) -> bool:
    return part.get_content_disposition() == "attachment"


def _headers(message: Message) -> Mapping[str, str]:
    """As mail programs show them."""
    raw = _raw(message)
    fields = {name: _unfolded(raw[name]) for name in _HEADERS if name in raw}
    for name in {"to", "cc"} & fields.keys():
        each = _RECIPIENT.findall(fields[name])
        if len(each) > _RECIPIENTS:
            shown = "".join(each[:_RECIPIENTS]).rstrip(",; ")
            fields[name] = f"{shown} and {len(each) - _RECIPIENTS} more"
    if day := mail_day(raw.get("date", "")):
        fields["date"] = written(day)
    return {name: text[:_MAX_FIELD_CHARS] for name, text in fields.items() if text}


def _raw(message: Message) -> Mapping[str, str]:
    """By lower-case name, the first of several."""
    return {name.lower(): value for name, value in reversed([*message.raw_items()])}


def _unfolded(raw: str) -> str:
    text = decode(raw.encode("utf-8", "surrogateescape")).text
    with suppress(*_FAULTS):
        text = str(make_header(decode_header(text)))
    return clean(text)


def _names(addresses: str) -> str:
    """
    >>> _names("Ada Writer <a@b.example>, c@d.example")
    'Ada Writer, c@d.example'
    """
    pairs = getaddresses([addresses])
    return ", ".join(filter(None, (name or address for name, address in pairs))) or addresses


def mail_day(header: str) -> str:
    """
    >>> mail_day("Fri, 3 May 2019 14:02:00 +0200"), mail_day("tomorrow")
    ('2019-05-03', '')
    """
    try:
        return parsedate_to_datetime(header).date().isoformat()
    except _FAULTS:
        return ""
