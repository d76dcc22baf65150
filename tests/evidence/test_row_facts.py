"""What is said of many rows of a table, by value."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from uhhrag.evidence.comparisons import comparison
from uhhrag.evidence.row_facts import facts_of_rows
from uhhrag.evidence.windows import in_windows, of_rows
from uhhrag.records import Evidence, Page, Place, RowsFact
from uhhrag.voters.stances import readings

_ROUTES = (
    "Route: 14; Passengers 2022: 18200; Passengers 2023: 17100; On time (%): 84; Grade: Good",
    "Route: 21; Passengers 2022: 9400; Passengers 2023: 9050; On time (%): 91; Grade: Good",
    "Route: 33; Passengers 2022: 22150; Passengers 2023: 23900; On time (%): 78; Grade: Weak",
    "Route: 40; Passengers 2022: 31200; Passengers 2023: 30800; On time (%): 88; Grade: Good",
    "Route: Total; Passengers 2022: 80950; Passengers 2023: 80850",
)
_YEARS = tuple(
    f"Year: {year}; Visits: {visits}; Closed days: {days}"
    for year, visits, days in ((2020, 141, 0), (2021, 178, 4), (2022, 236, 0), (2023, 230, 1))
)
_MONTHS = tuple(
    f"Month: {month} 2023; Rainfall (mm): {rain}"
    for month, rain in (("January", 112), ("February", 64), ("March", 88), ("April", 51))
)
_PAIRS = tuple(
    f"Harbour: {harbour}; Year: {year}; Cod (t): {cod}"
    for harbour, cods in (("Skagen", (640, 580, 510)), ("Thyboron", (410, 430, 455)))
    for year, cod in zip((2021, 2022, 2023), cods, strict=True)
)
_FLAGS = tuple(
    f"Ship: {ship}; Defects: {defects}; Detained: {detained}"
    for ship, defects, detained in (
        ("Alk", 0, "no"), ("Corvo", 14, "yes"), ("Tern", 1, "no"), ("Gull", 9, "yes")
    )
)  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "claim", "text", "met"),
    [
        (_ROUTES, "No route carried more than 31,000 passengers in 2023.",
         "In none of the 4 routes, Passengers 2023 was more than 31,000.", True),
        (_ROUTES, "Every route was on time at least 80 per cent of the time.",
         "In 3 of the 4 routes (14, 21 and 40), On time (%) was at least 80 per cent.", False),
        (_ROUTES, "Most routes had over 20,000 passengers in 2023.",
         "In 2 of the 4 routes (33 and 40), Passengers 2023 was over 20,000.", False),
        (_ROUTES, "Two of the four routes had over 20,000 passengers in 2023.",
         "In 2 of the 4 routes (33 and 40), Passengers 2023 was over 20,000.", True),
        (_ROUTES, "Only routes 33 and 21 carried over 20,000 passengers in 2023.",
         "In 2 of the 4 routes (33 and 40), Passengers 2023 was over 20,000.", False),
        (_ROUTES, "All routes but route 33 lost passengers between 2022 and 2023.",
         "From 2022 to 2023, Passengers rose in 1 of the 4 routes (33) and fell in 3 of the 4 "
         "routes (14, 21 and 40).", True),
        (_ROUTES, "Not all routes were graded good.",
         "In 3 of the 4 routes (14, 21 and 40), Grade is Good.", True),
        (_ROUTES, "All routes with a good grade are long.",
         "In 3 of the 4 routes (14, 21 and 40), Grade is Good.", None),
        (_FLAGS, "No ship had more than 12 defects.",
         "In 1 of the 4 ships (Corvo), Defects was more than 12.", False),
        (_ROUTES, "Routes 14 and 21 together carried 26,150 passengers in 2023.",
         "14 and 21 together: Passengers 2023 26,150.", True),
        (_ROUTES, "The two busiest routes together carried under half of all passengers in 2023.",
         "40 and 33 together: Passengers 2023 54,700, 67.7 % of all.", False),
        (_YEARS, "The number of visits rose every year since 2020.",
         "From 2020 to 2023, Visits rose in 2 of the 3 years (2021 and 2022) and fell in 1 of the "
         "3 years (2023).", False),
        (_YEARS, "There were no closed days in two of the years.",
         "In 2 of the 4 years (2020 and 2022), Closed days was 0; in 2 of the 4 years (2021 and "
         "2023) it was not.", True),
        (_YEARS, "The number of visits never fell below 140.",
         "In none of the 4 years, Visits was below 140.", True),
        (_MONTHS, "In the first quarter of 2023 less than 250 mm of rain fell.",
         "January 2023, February 2023 and March 2023 together: Rainfall (mm) 264.", False),
        (_PAIRS, "Cod landings in Thyboron rose every year.",
         "From 2021 to 2023, Cod (t) rose in all 2 years.", True),
        (_PAIRS, "In 2023 the harbours landed 965 tonnes of cod together.",
         "Skagen and Thyboron together: Cod (t) 965.", True),
    ],
)  # fmt: skip
def test_what_is_so_of_many_rows(
    lines: Sequence[str], claim: str, text: str, met: bool | None
) -> None:
    table = comparison(lines, 0, claim)
    assert table
    assert [(fact.text, fact.met) for fact in facts_of_rows(table, claim)] == [(text, met)]


@pytest.mark.parametrize(
    ("lines", "claim"),
    [
        (_ROUTES, "Route 14 carried 17,100 passengers in 2023."),
        (_ROUTES, "No dog may ride for more than 20 minutes."),
        (_ROUTES, "On every route drivers went on strike for more than 3 days."),
        (_ROUTES, "No route carried more passengers in 2023 than route 40."),
        (_YEARS, "In every year since 2030 there were more than 100 visits."),
        (_YEARS, "Together they visited it."),
    ],
)
def test_without_rows_that_are_counted_nothing_is_said(lines: Sequence[str], claim: str) -> None:
    table = comparison(lines, 0, claim)
    assert table and facts_of_rows(table, claim) == ()


def test_one_row_stands_for_its_table_and_arithmetic_decides() -> None:
    page, claim = Page("file:a.csv", _ROUTES), "Every route had over 9,000 passengers in 2023."
    found = {Place(0, n): Evidence("q", _ROUTES[n], places=(Place(0, n),)) for n in (2, 0)}
    told, alone = of_rows(found, {0: page}.get, claim)
    assert [*told] == [*alone] == [Place(0, 2)]
    (item,) = in_windows([*found.values()], {0: page}.get, claim)
    fact = "In all 4 routes, Passengers 2023 was over 9,000."
    (read,) = readings(lambda pairs: [(0.2, 0.5, 0.3)] * len(pairs), claim, [item], titled=True)
    assert (read.stance[0] > 0.5, read.stance[1], read.forms) == (True, 0.0, (fact,))


@pytest.mark.parametrize(
    ("lines", "claim"),
    [
        (_PAIRS, "None of the cod of Skagen in 2022 was thrown away."),  # names one row
        (("Route: Total; Passengers: 5", "Route: All; Passengers: 5"), "Every route had 5."),
    ],
)
def test_one_row_or_totals_are_not_many_rows(lines: Sequence[str], claim: str) -> None:
    table = comparison(lines, 0, claim)
    assert table
    assert facts_of_rows(table, claim) == ()


_SHIPS = [
    "Ship: Skua; Crew: 4; Detained: yes",
    "Ship: Aldane; Crew: 7; Detained: no",
    "Ship: Petrel; Crew: 3; Detained: Yes",
    "Ship: Tirrane; Crew: 9; Detained: n/a",
]


@pytest.mark.parametrize(
    ("claim", "met"),
    [
        ("Two ships were detained.", True),
        ("Only one ship was detained.", False),
        ("No ship was detained.", False),
        ("Two ships were not detained.", None),
    ],
)
def test_rows_that_say_yes_are_counted(claim: str, met: bool | None) -> None:
    table = comparison(_SHIPS, 0, claim)
    assert table is not None
    (fact,) = facts_of_rows(table, claim)
    assert fact == RowsFact("In 2 of the 4 ships (Skua and Petrel), Detained is yes.", met)
