"""Rows of tables among evidence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from uhhrag.evidence.comparisons import ClaimedRows, comparison
from uhhrag.evidence.steps import locate
from uhhrag.protocols import NumberedDocuments
from uhhrag.records import Evidence, Page, Place


def of_rows(
    placed: Mapping[Place, Evidence], document: NumberedDocuments, claim: str
) -> tuple[dict[Place, Evidence], set[Place]]:
    """Rows with what compares their figures, and places to be read by themselves: of a table of
    which the claim names rows these, found or not, in place of others that were found."""
    told: dict[Place, Evidence] = {}
    alone: set[Place] = set()
    tables: list[tuple[int, ClaimedRows]] = []
    for place, item in placed.items():
        page, number = document(place.document), place.document
        table = next((t for at, t in tables if at == number and place.line in t.rows), None)
        if page and table is None and (table := comparison(page.lines, place.line, claim)):
            tables.append((number, table))
        if page is None or table is None:
            told[place] = item
            continue
        for line in table.named or (place.line,):
            at = Place(number, line)
            if at not in told:
                row = placed.get(at) or _row(item, page, at, document)
                told[at] = replace(row, cells=table.cells(line))
        alone.update(Place(number, line) for line in table.named)
    return told, alone


def _row(item: Evidence, page: Page, at: Place, document: NumberedDocuments) -> Evidence:
    """Evidence of another line, found by the same question."""
    urls = (page.url,) if page.url else ()
    row = replace(item, answer=page.lines[at.line], urls=urls, places=(at,), context="", before="")
    return locate([row], document)[0]
