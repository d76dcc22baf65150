"""A draft in Word as its author laid it out, with a comment beside each claim."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby
from typing import Any

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.views.html_text import clean
from uhhrag.views.run_view import ClaimView, annotated, draft_cautions, unchecked

_MAX_LEVEL = 9
Paragraph = Sequence[tuple[DraftSentence, ClaimView | None]]
Comment = Callable[[ClaimView, str], str]


def add_draft(document: Any, draft: Draft, claims: Sequence[ClaimView], comment: Comment) -> None:
    levels, rows = dict(draft.headings), set(draft.rows)
    if draft.title and draft.title != draft.sentences[0].text:  # else its headline follows
        document.add_heading(clean(draft.title), level=0)
    for caution in draft_cautions(draft):
        document.add_paragraph().add_run(clean(caution)).bold = True
    paragraphs = annotated(draft, claims)
    for of_table, several in groupby(paragraphs, lambda one: one[0][0].paragraph in rows):
        if of_table:
            _add_table(document, list(several), comment)
            continue
        for sentences in several:
            level = levels.get(sentences[0][0].paragraph, 0)
            style = f"Heading {min(level, _MAX_LEVEL)}" if level else None
            into = document.add_paragraph(style=style)
            for at, (one, view) in enumerate(sentences):
                if at:
                    into.add_run(" ")
                _remark(document, [into.add_run(clean(one.text))], one, view, comment)
    left = unchecked(draft)
    if left:
        document.add_heading("Sentences without a check", level=2)
    for text, why in left:
        document.add_paragraph(clean(f"{text} ({why})"), style="List Bullet")
    document.add_page_break()


def _remark(
    document: Any, runs: Any, sentence: DraftSentence, view: ClaimView | None, comment: Comment
) -> None:
    if view:
        said = clean(comment(view, sentence.text))
        document.add_comment(runs, text=said, author="uhhrag", initials="u")


def _add_table(document: Any, rows: Sequence[Paragraph], comment: Comment) -> None:
    said = [" ".join(one.text for one, _ in row) for row in rows]
    first = cells_of(said[0], ())
    head = () if ": " in said[0] else first
    texts = [first, *(cells_of(text, head) for text in said[1:])]
    table = document.add_table(len(rows), max(map(len, texts)), style="Table Grid")
    for row, cells, sentences in zip(table.rows, texts, rows, strict=True):
        places = row.cells
        runs = [
            place.paragraphs[0].add_run(clean(text))
            for place, text in zip(places, cells, strict=False)
        ]
        for one, view in sentences:
            _remark(document, runs[:1], one, view, comment)


def cells_of(row: str, head: Sequence[str]) -> list[str]:
    """Cells of a row that was read as a sentence; `head` has the columns' names.

    >>> cells_of("Item: Trams; 2023: 42", ["Item", "2023"]), cells_of("Complaints: 103", [])
    (['Trams', '42'], ['Complaints', '103'])
    >>> cells_of("Item; 2023", []), cells_of("Trams: new; 2023: 42", ["Trams: new", "42"])
    (['Item', '2023'], ['Trams: new', '2023: 42'])
    """
    parts = row.split("; ")
    named = [part.partition(": ") for part in parts]
    values = {name: value for name, mark, value in named if mark}
    if head and len(values) == len(parts) and values.keys() <= set(head):
        return [values.get(name, "") for name in head]
    return [part for part in named[0] if part != ": "] if len(parts) == 1 else parts
