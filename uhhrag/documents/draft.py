"""Articles to check."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import count, groupby
from pathlib import Path
from typing import Any

import orjson

from uhhrag.documents.changed import require_readers
from uhhrag.documents.document import CLOCK, HEADING_SEPARATOR, OF_TABLE, TIMES
from uhhrag.documents.formats import ENDINGS as DOCUMENTS
from uhhrag.documents.formats import FORMATS, HOW, kind_of
from uhhrag.documents.listing import DocumentFile
from uhhrag.documents.reader_client import ReadingProcess
from uhhrag.errors import InputError
from uhhrag.system.machine_cache import changed_ns
from uhhrag.system.spare import spare_folder
from uhhrag.text.claim_spotting import Unchecked, why_not_a_claim
from uhhrag.text.fragments import is_ended, is_heading, is_question
from uhhrag.text.language import NOT_ENGLISH, other_language
from uhhrag.text.list_marks import without_marks
from uhhrag.text.pronouns import doubt

MAX_DRAFT_BYTES = 16 * 2**20
"""Bytes; a book has less."""
_DRAFTS = (row for row in FORMATS.values() if row.draft and not row.many)
ENDINGS = tuple(ending for row in _DRAFTS for ending in row.endings)
"""Of files that can be drafts."""
_LABEL = re.compile(
    r"(?!(?i:false|fake|untrue|incorrect|wrong|claim|myth|rumou?r)s?:)"
    r"([A-Z]\d{0,2}|[^\W\d_a-z][\w.’'-]+(?: [\w.’'()-]+){0,4}):\s+(?=\S)"
)
"""Who speaks: "A: ", "Ms Marsh: "."""
_ATTACHED = "what is attached to it is not looked at"
_HEAD = "the head of the mail"


@dataclass(frozen=True, slots=True)
class DraftSentence:
    text: str
    paragraph: int
    """From 0."""
    why: str = ""
    """Why it is no claim, or ""."""
    check: int | None = None
    """Claim id in a run, or check number on the desk; None if unchecked."""
    date: str | None = None
    """Of the claim, like `speaker`; None if unknown."""
    speaker: str | None = None
    given_id: str = ""
    """As of `Claim`."""
    bare: str = ""
    """Without a list's mark or a speaker's name at its head; "" if it has neither."""

    @property
    def claim(self) -> str:
        return self.bare or self.text


@dataclass(frozen=True, slots=True)
class Draft:
    name: str
    sentences: tuple[DraftSentence, ...]
    title: str = ""
    language: str = ""
    """Its language, "" for English or if unclear."""
    partly: str = ""
    """What was not read, or ""."""
    headings: tuple[tuple[int, int], ...] = ()
    """Paragraphs that are headings, with their levels from 1."""
    rows: tuple[int, ...] = ()
    """Paragraphs that are rows of tables."""

    @property
    def claims(self) -> tuple[DraftSentence, ...]:
        return tuple(sentence for sentence in self.sentences if not sentence.why)

    def paragraphs(self) -> Iterator[tuple[DraftSentence, ...]]:
        for _, sentences in groupby(self.sentences, key=lambda one: one.paragraph):
            yield tuple(sentences)


def read_draft(path: Path, name: str = "") -> Draft:
    """Raises InputError if unreadable, UsageError for a missing package."""
    called = name or path.name
    try:
        status = path.stat()
    except OSError as error:
        raise InputError(
            f"{called}: cannot be read: {error.strerror}; give a file that is there and may be read"
        ) from error
    if path.is_dir():
        raise InputError(
            f"{called}: is a folder; give the file of a draft here, a folder of documents by --docs"
        )
    if (ending := path.suffix.lower()) not in ENDINGS:
        raise InputError(f"{called}: {why_no_draft(ending, ENDINGS)}")
    kind = kind_of(path)
    require_readers([kind])
    if not path.is_file():
        raise InputError(f"{called}: is not a file; give the file of a draft")
    if status.st_size > MAX_DRAFT_BYTES:
        raise InputError(
            f"{called}: has {status.st_size:,} bytes; a draft may have {MAX_DRAFT_BYTES:,}; "
            "split it"
        )
    file = DocumentFile(path.name, path, kind, status.st_size, changed_ns(status))
    with spare_folder() as spare, ReadingProcess() as reader:
        spool = spare / "record"
        answer = reader.read(file, {}, spool, draft=True)
        if "why" in answer:
            raise InputError(f"{called}: {answer['why']}")
        records = [*map(orjson.loads, spool.read_bytes().splitlines())]
    days = [one for one in records if one.get("unit") == CLOCK]
    record = _in_one(days) if days else records[0]
    partly = [_ATTACHED] if len(records) > max(1, len(days)) else []
    partly += filter(None, [answer["partly"]])
    head = _HEAD if kind == "mail" else ""
    return replace(_draft(called, record, head), partly="; ".join(partly))


def why_no_draft(ending: str, kinds: Sequence[str]) -> str:
    one_of = f"give one of {' '.join(kinds)}"
    if ending in DOCUMENTS and ending not in HOW:
        return f"is read as a document, not as a draft; add it to the documents, or {one_of}"
    return HOW.get(ending, f"is of no kind that is read; {one_of}")


def read_list(path: Path, name: str, most: int | None) -> Draft:
    """At most `most` claims, a paragraph each, verbatim. Raises InputError."""
    with spare_folder() as spare, ReadingProcess() as reader:
        claims, left = reader.claims(path, name, most, spare / "claims")
    listed = (
        DraftSentence(one.text, one.id, date=one.date, speaker=one.speaker, given_id=one.given_id)
        for one in claims
    )
    return Draft(name, tuple(listed), partly=left)


def _draft(name: str, record: Mapping[str, Any], head: str) -> Draft:
    """`head`: why the first paragraph is no claim, or ""."""
    lines, starts = record["url2text"], {0, *record["starts"]}
    said = without_marks(lines)
    speakers = _speakers(said, starts)
    sentences = []
    paragraph = -1
    for at, line in enumerate(lines):
        paragraph += at in starts
        label = _LABEL.match(said[at])
        bare = said[at][label.end() :] if label and label[1] in speakers else said[at]
        why = (not paragraph and head) or _why(bare)
        sentences.append(DraftSentence(line, paragraph, why, bare=bare if bare != line else ""))
    if not head and record.get("unit") not in TIMES and _has_headline(sentences, record["headed"]):
        sentences[0] = replace(sentences[0], why=str(Unchecked.HEADLINE))
    language = other_language(" ".join(lines))
    rows = (sentences[at].paragraph for at, kind in record["items"] if kind == OF_TABLE)
    headings = tuple(_headings(sentences, record["headed"]))
    draft = Draft(name, tuple(sentences), record["title"], language)
    return replace(draft, headings=headings, rows=tuple(rows))


def _speakers(lines: Sequence[str], starts: Set[int]) -> set[str]:
    """Labels of turns: letters, those that mostly ask or answer, all if one recurs within its turn,
    as in transcripts."""
    turns = [(label[1], at) for at, line in enumerate(lines) if (label := _LABEL.match(line))]
    talk = any(at not in starts and lines[at - 1].startswith(f"{name}:") for name, at in turns)
    asked: dict[str, list[bool]] = defaultdict(list)
    for name, at in turns:
        asked[name].append(talk or any(map(is_question, lines[max(0, at - 1) : at + 2])))
    often = {one for one, told in asked.items() if 1 < len(told) <= 2 * sum(told)}
    return often | {one for one in asked if not one[1:] or one[1:].isdecimal()}


def _has_headline(sentences: Sequence[DraftSentence], headed: Sequence[tuple[int, str]]) -> bool:
    """Whether claims follow a lone first line set as a heading, or without the full stop that ends
    most of them."""
    alone = len([one for one in sentences if not one.paragraph]) == 1 and not sentences[0].why
    below = [one for one in sentences[1:] if not one.why]
    styled = any(at == 0 for at, _ in headed)
    ended = sum(is_ended(one.text) for one in below)
    named = styled or (not is_ended(sentences[0].text) and 2 * ended > len(below))
    return alone and bool(below) and named


def _headings(
    sentences: Sequence[DraftSentence], headed: Sequence[tuple[int, str]]
) -> Iterator[tuple[int, int]]:
    """Includes a short first line, which a word processor may only show as a heading."""
    named = [(sentences[at], name.split(HEADING_SEPARATOR)) for at, name in headed]
    # The others name the rows below them.
    found = [(one.paragraph, len(parts)) for one, parts in named if parts[-1] == one.text]
    first = [one for one in sentences if not one.paragraph]
    short = len(first) == 1 and first[0].why == Unchecked.FRAGMENT and is_heading(first[0].text)
    if short or (first and first[0].why == Unchecked.HEADLINE):
        below = [(at, level) for at, level in found if at]
        beside = any(level == 1 for _, level in below)
        found = [(0, 1), *((at, level + beside) for at, level in below)]
    yield from found


def _in_one(days: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """Days of a chat as one record."""
    lines: list[str] = []
    starts: list[int] = []
    for day in days:
        starts += [len(lines) + start for start in day["starts"]]
        lines += day["url2text"]
    return {**days[0], "url2text": lines, "starts": starts}


def _why(sentence: str) -> str:
    language = other_language(sentence)
    if not language:
        return str(why_not_a_claim(sentence) or doubt(sentence))
    return language if language == NOT_ENGLISH else f"{language}, {NOT_ENGLISH}"


def with_checks(draft: Draft, checks: Mapping[int, int | None]) -> Draft:
    """`checks`: check numbers by sentence position."""
    sentences = list(draft.sentences)
    for position, number in checks.items():
        sentences[position] = replace(sentences[position], check=number)
    return replace(draft, sentences=tuple(sentences))


def numbered(draft: Draft, date: str | None, speaker: str | None) -> Draft:
    """Numbers claims from 0."""
    number = count()
    sentences = (
        one if one.why else replace(one, check=next(number), date=date, speaker=speaker)
        for one in draft.sentences
    )
    return replace(draft, sentences=tuple(sentences))
