"""Notes of tables belong to the rows that bear their marks."""

from __future__ import annotations

from dataclasses import replace

import pytest

from uhhrag.evidence.replies import read_after
from uhhrag.evidence.table_notes import notes_of, rows_noted
from uhhrag.evidence.windows import in_windows, of_rows
from uhhrag.records import Evidence, Page, Place
from uhhrag.voters.stances import readings

_PAGE = Page(
    "file:a.docx",
    (
        "Car park: Gull Lane*; Spaces: 120; Note: 3",
        "Car park: Field; Spaces: 46 (a); Note: 12",
        "Car park: Quay; Spaces: 90**; Note: –",
        "* Closed for eleven weeks.",
        "(a) Without the verge.",
        "3. Paid for by the port.",
        "** Estimated.",
        "(b) Of no row.",
    ),
)


@pytest.mark.parametrize(
    ("note", "row", "before"),
    [
        (3, 0, "Car park: Gull Lane*:"),
        (4, 1, "Car park: Field; Spaces: 46 (a):"),
        (5, 0, "Car park: Gull Lane*:"),
        (6, 2, "Car park: Quay; Spaces: 90**:"),
    ],
)
def test_a_note_is_read_after_the_row_that_bears_its_mark(note: int, row: int, before: str) -> None:
    assert rows_noted(_PAGE, note) == [row]
    assert note in notes_of(_PAGE, row)
    assert read_after(_PAGE, note) == before


def test_a_mark_of_no_row_or_of_many_says_nothing_of_rows() -> None:
    assert rows_noted(_PAGE, 7) == []
    lines = (*(f"Town: T{n}; Cars: {n} (p)" for n in range(5)), "(p) Provisional.")
    assert rows_noted(Page("", lines), 5) == []
    assert rows_noted(Page("", ("* It stands alone.",)), 0) == []
    lines = ("Site: Vik 1); Kind: Stage (11)", "Site: Ost; Kind: Stage (21)", "1) Closed in May.")
    assert rows_noted(Page("", lines), 2) == [0]


def test_the_verifier_reads_the_row_within_the_note_and_the_notes_of_a_row_that_is_named() -> None:
    claim = "Gull Lane was closed for eleven weeks."
    found = Evidence("q", _PAGE.lines[3], places=(Place(0, 3),), before="Car park: Gull Lane*:")
    (item,) = in_windows([found], {0: _PAGE}.get, claim)
    said = "» Car park: Gull Lane*: * Closed for eleven weeks. «"
    assert said in item.read
    assert "Car park: Gull Lane*: * Closed for eleven weeks." in item.answer
    seen: list[str] = []

    def entail(pairs: list[tuple[str, str]]) -> list[tuple[float, float, float]]:
        seen.extend(read for read, _ in pairs)
        return [(0.4, 0.2, 0.4)] * len(pairs)

    readings(entail, claim, [item], titled=True)
    assert seen[1:] == ["Car park: Gull Lane*: * Closed for eleven weeks."]
    row = replace(found, answer=_PAGE.lines[0], places=(Place(0, 0),), before="")
    told, _ = of_rows({Place(0, 0): row}, {0: _PAGE}.get, claim)
    assert [place.line for place in told] == [0, 3, 5]
