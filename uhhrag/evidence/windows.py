"""What a verifier reads of a document at once: sentences found, with their neighbours.

Title. Section. before » found « between » found too « after … » found farther down «"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from uhhrag.evidence.comparisons import ClaimedRows, comparison
from uhhrag.evidence.mail_threads import replies_to
from uhhrag.evidence.replies import reply_above
from uhhrag.evidence.row_facts import counts_rows, facts_of_rows
from uhhrag.evidence.series import over_time
from uhhrag.evidence.steps import locate
from uhhrag.evidence.table_notes import named_by, notes_of
from uhhrag.protocols import NumberedDocuments
from uhhrag.records import NO_ANSWER, Evidence, Page, Place, RowsFact
from uhhrag.records.pages import EARLIER_VERSION
from uhhrag.text.fragments import is_question
from uhhrag.text.marking import marked, unmarked
from uhhrag.text.pronouns import asked_apart, joined, lead

MAX_CHARS = 800
"""Characters: some 180 of the shipped verifier's 256 tokens."""
MAX_WINDOWS = 5
"""Per claim; found sentences of other sections are other passages."""
APART = 20
"""Lines between found sentences read together."""
AROUND = 2
"""Lines read on each side of a found sentence."""
GAP = "…"
_UNTOLD = RowsFact(NO_ANSWER)
"""Of a table whose rows a claim counts by what is not known; no row of it decides alone."""


@dataclass(frozen=True, slots=True)
class ReadWindow:
    document: int
    lines: tuple[int, ...]
    """Positions, in order."""
    found: tuple[int, ...]
    """Best first."""


def windows(
    found: Sequence[Place],
    document: NumberedDocuments,
    most: int = MAX_WINDOWS,
    longest: int = MAX_CHARS,
    alone: frozenset[Place] = frozenset(),
) -> list[ReadWindow]:
    """At most `most`, in order of their best places; those `alone` by themselves."""
    groups: list[tuple[int, Page, list[int]]] = []
    for place in found:
        page, line = document(place.document), place.line
        if page is None:
            continue
        own = (
            lines
            for number, _, lines in groups
            if number == place.document and alone.isdisjoint((place, Place(number, lines[0])))
        )
        near = next((lines for lines in own if _belongs(line, lines, page, longest)), None)
        if near is not None:
            near.append(line)
        elif len(groups) < most:
            groups.append((place.document, page, [line]))
    rooms = (0 if Place(number, lines[0]) in alone else longest for number, _, lines in groups)
    return [
        ReadWindow(number, _with_neighbours(lines, page, room), tuple(lines))
        for (number, page, lines), room in zip(groups, rooms, strict=True)
    ]


def in_windows(
    evidence: Sequence[Evidence], document: NumberedDocuments, claim: str
) -> tuple[Evidence, ...]:
    """Windows become answers, their best sentences `sentence`; evidence in no document is last."""
    placed: dict[Place, Evidence] = {}
    for item in evidence:
        if item.places and _is_line(item, document):
            corrected = _corrected(item, document)
            placed.setdefault(corrected.places[0], corrected)
    told, alone = of_rows(placed, document, claim)
    read = []
    for window in windows(list(told), document, alone=frozenset(alone)):
        page = document(window.document)
        first, *others = (told[Place(window.document, line)] for line in window.found)
        if page is not None:
            read.append(_widened(first, tuple(others), window, page))
    rest = (i for i in evidence if not (i.places and _is_line(i, document)))
    return (*read, *rest)


def of_rows(
    placed: Mapping[Place, Evidence], document: NumberedDocuments, claim: str
) -> tuple[dict[Place, Evidence], set[Place]]:
    """Rows with what compares their figures, and places to be read by themselves; rows that the
    claim names, found or not, replace others of their table."""
    told: dict[Place, Evidence] = {}
    alone: set[Place] = set()
    tables: list[tuple[int, ClaimedRows]] = []
    whole: list[ClaimedRows] = []
    for place, item in placed.items():
        page, number = document(place.document), place.document
        table = next((t for at, t in tables if at == number and place.line in t.rows), None)
        if page and table is None and (table := comparison(page.lines, place.line, claim)):
            tables.append((number, table))
            facts = facts_of_rows(table, claim)
            if not (facts or table.named) and counts_rows(table, claim):
                facts = (_UNTOLD,)
            if facts:
                told[place] = replace(item, facts=facts)
                alone.add(place)
                whole.append(table)
        if page is None or table is None:
            told[place] = item
            continue
        if any(table is one for one in whole):
            continue
        for line in table.named or (place.line,):
            at = Place(number, line)
            if at not in told:
                row = placed.get(at) or _row(item, page, at, document)
                told[at] = _told(row, table, line, claim)
            for note in notes_of(page, line):
                at = Place(number, note)
                told.setdefault(at, placed.get(at) or _row(item, page, at, document))
        alone.update(Place(number, line) for line in table.named)
    return told, alone


def _told(row: Evidence, table: ClaimedRows, line: int, claim: str) -> Evidence:
    """With what compares its figures with other rows or, alone, other times."""
    series = over_time(table.rows[line], claim) if len(table.named) < 2 else None
    if series and (facts := facts_of_rows(series, claim)):
        return replace(row, facts=facts)
    if series and series.named and line in table.named:
        return replace(row, cells=tuple(c for at in series.named for c in series.cells(at)))
    return replace(row, cells=table.cells(line))


def _corrected(item: Evidence, document: NumberedDocuments) -> Evidence:
    """In place of what a correction takes back, the sentence below with what is right."""
    place = item.places[0]
    page, below = document(place.document), place.line + 1
    if page is None or below == len(page.lines) or _taken_back(page, below) is None:
        return item
    return _row(item, page, Place(place.document, below), document)


def _taken_back(page: Page, line: int) -> str | None:
    """What a correction takes back above this line of its own words."""
    above = line and page.quoted_at(line - 1) == EARLIER_VERSION
    own = page.quoted_at(line) is None and page.heading(line) == page.heading(line - 1)
    return page.lines[line - 1] if above and own else None


def _row(item: Evidence, page: Page, at: Place, document: NumberedDocuments) -> Evidence:
    """Of another line, found by the same question."""
    urls = (page.url,) if page.url else ()
    row = replace(item, answer=page.lines[at.line], urls=urls, places=(at,), context="", before="")
    return locate([row], document)[0]


def _widened(
    item: Evidence, beside: tuple[Evidence, ...], window: ReadWindow, page: Page
) -> Evidence:
    said = (joined(_noted(page, n, window), _said(page, n, window)) for n in window.lines)
    lines, read = " ".join(_parts(window.lines, [*said])), window_text(window, page)
    answered = replies_to(page, window.found)
    # Read alone after what a pronoun refers to, the best sentence was not right more often.
    before = _taken_back(page, window.found[0]) or (
        item.before if "?" in item.before or item.before.endswith(":") else ""
    )
    found = replace(item, answer=lines, read=read, sentence=item.answer, before=before)
    return replace(found, beside=beside, replies=answered)


def _is_line(item: Evidence, document: NumberedDocuments) -> bool:
    place = item.places[0]
    page = document(place.document)
    return page is not None and page.holds(item.answer, place.line)


def window_text(window: ReadWindow, page: Page) -> str:
    """
    >>> ferry = Page("", ("It sails daily.", "Cars pay more.", "Dogs ride free."), title="Ferry")
    >>> window_text(ReadWindow(0, (0, 1), (1,)), ferry)
    'Ferry. It sails daily. » Cars pay more. «'
    >>> window_text(ReadWindow(0, (0, 1), (1,)), Page("", ("» It sank. «", "It sails » daily «.")))
    '" It sank. " » It sails " daily ". «'
    """
    asked = {n - 1 for n in window.found if _answers(page, n)}
    lines = [n for n in window.lines if n not in asked]
    texts = []
    for n in lines:
        before = _said(page, n - 1, window) if n - 1 in asked else ""
        said = joined(before or _noted(page, n, window), _said(page, n, window))
        texts.append(marked(said) if n in window.found else unmarked(said))
    parts = _parts(lines, texts)
    question = next((page.lines[n] for n in asked if page.heads(n)), "")
    titles = page.title, page.heading(window.found[0])[1]
    headings = lead(asked_apart(titles, question), "")
    return " ".join([unmarked(headings), *parts] if headings else parts)


def _noted(page: Page, line: int, window: ReadWindow) -> str:
    """What a found line is about if it is a table's note."""
    return named_by(page, line) if line in window.found else ""


def _answers(page: Page, line: int) -> bool:
    """Whether the line above asks and this one does not."""
    return line > 0 and is_question(page.lines[line - 1]) and not is_question(page.lines[line])


def _said(page: Page, line: int, window: ReadWindow) -> str:
    """After its author, if not the one who says the found lines.

    >>> page = Page("", ("Is it open?", "No."), quoted=((0, "Ada Lie"),))
    >>> _said(page, 0, ReadWindow(0, (0, 1), (1,)))
    'Ada Lie: "Is it open?"'
    """
    text, whose = page.lines[line], page.quoted_at(line)
    if whose in (None, EARLIER_VERSION, page.quoted_at(window.found[0])):
        return text
    return f'{whose or "Somebody else"}: "{text}"'


def _parts(lines: Sequence[int], texts: Sequence[str]) -> list[str]:
    parts: list[str] = []
    for place, text in enumerate(texts):
        if place and lines[place] - lines[place - 1] > 1:
            parts.append(GAP)
        parts.append(text)
    return parts


def _belongs(line: int, group: Sequence[int], page: Page, longest: int) -> bool:
    near = any(abs(line - other) <= APART for other in group)
    room = longest - sum(len(page.lines[other]) for other in group)
    return near and _is_like(page, line, group[0]) and len(page.lines[line]) <= room


def _is_like(page: Page, line: int, other: int, *, asked: bool = False) -> bool:
    """Same section and, unless found lines answer it, speaker."""
    same = asked or page.quoted_at(line) == page.quoted_at(other)
    return same and page.heading(line) == page.heading(other)


def _with_neighbours(found: Sequence[int], page: Page, longest: int) -> tuple[int, ...]:
    """First what found lines answer or correct, then lines between, then the nearest."""
    kept = set(found)
    room = longest - sum(len(page.lines[line]) for line in kept)
    ordered = sorted(found)
    answered = [reply_above(page, line) or _from_question(page, line) for line in found]
    questions = {lines[0] for lines in answered if lines}
    wanted = [n for lines in answered for n in lines]
    wanted += [n for a, b in pairwise(ordered) if b - a <= AROUND + 1 for n in range(a + 1, b)]
    for distance in range(1, AROUND + 1):
        wanted += [line - distance for line in found]
        wanted += [line + distance for line in found]
    for line in wanted:
        if line in kept or not 0 <= line < len(page.lines) or page.heads(line):
            continue  # its heading is read before all of them
        like = _is_like(page, line, found[0], asked=line in questions)
        if like and len(page.lines[line]) <= room:
            kept.add(line)
            room -= len(page.lines[line])
    return tuple(sorted(kept))


def _from_question(page: Page, line: int) -> range:
    """From a question, or what is taken back, shortly above; or empty."""
    above = range(line - 1, max(line - AROUND, 0) - 1, -1)
    if _taken_back(page, line) is not None:
        return range(line - 1, line)
    return range(next((n for n in above if is_question(page.lines[n])), line), line)
