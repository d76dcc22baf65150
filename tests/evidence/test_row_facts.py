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
        (tuple(line.replace("Route:", "Route *:") for line in _ROUTES),
         "No route carried more than 31,000 passengers in 2023.",
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
        (_MONTHS[:3], "Homes with three bedrooms are empty for 61 months."),
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
        ("Fewer than half of the four ships were detained.", False),
        ("Half of the ships were detained.", True),
        ("At least 40 per cent of the ships were detained.", True),
    ],
)
def test_rows_that_say_yes_are_counted(claim: str, met: bool | None) -> None:
    table = comparison(_SHIPS, 0, claim)
    assert table is not None
    (fact,) = facts_of_rows(table, claim)
    assert fact == RowsFact("In 2 of the 4 ships (Skua and Petrel), Detained is yes.", met)


def test_rows_with_numbers_are_counted_by_what_their_columns_call_them() -> None:
    lines = [
        "No.: 1; Vessel: Skua; Crew: 4; Held after 18 hours: yes",
        "No.: 2; Vessel: Aldane; Crew: 7; Held after 18 hours: no",
        "No.: 3; Vessel: Petrel; Crew: 3; Held after 18 hours: yes",
    ]
    claim = "Three vessels were held after 18 hours."
    table = comparison(lines, 0, claim)
    assert table is not None
    (fact,) = facts_of_rows(table, claim)
    assert fact == RowsFact("In 2 of the 3 rows (1 and 3), Held after 18 hours is yes.", met=False)


_CATCH = (
    "Catch: Cod (t); 2021: 90; 2022: 40; 2023: 70",
    "Catch: Ling (t); 2021: 5; 2022: 7; 2023: 9",
)


@pytest.mark.parametrize(
    ("claim", "line", "said"),
    [
        ("The catch of ling rose year after year through 2023.", 1,
         "From 2021 to 2023, Ling (t) rose in all 2 periods."),
        ("The catch of cod was lowest in 2022.", 0,
         "Period: 2022; Cod (t): 40 (the lowest of all)"),
        ("The catch of cod was higher in 2021 than in 2023.", 0,
         "Period: 2021; Cod (t): 90 (more than 2023)"),
        ("More cod than ling was landed in 2021.", 0,
         "Catch: Cod (t); 2021: 90 (more than Ling (t))"),
    ],
)  # fmt: skip
def test_a_row_whose_columns_are_times_is_compared_over_them(
    claim: str, line: int, said: str
) -> None:
    page, at = Page("file:a.csv", _CATCH), Place(0, line)
    told, _ = of_rows({at: Evidence("q", _CATCH[line], places=(at,))}, {0: page}.get, claim)
    forms = [form for cell in told[at].cells for form in cell.forms]
    assert [*(fact.text for fact in told[at].facts), *forms][:1] == [said]


def test_only_some_rows_are_not_told_from_others_that_the_claim_may_name_in_part() -> None:
    lines = [
        "Crop: Oilseed rape; Price 2023: 372; Price 2024: 418",
        "Crop: Linseed; Price 2023: 455; Price 2024: 470",
        "Crop: Oats; Price 2023: 203; Price 2024: 196",
    ]
    for claim, met in (
        ("Rape and linseed were the only crops whose price rose from 2023 to 2024.", None),
        ("Linseed was the only crop whose price rose from 2023 to 2024.", False),
    ):
        table = comparison(lines, 0, claim)
        assert table is not None
        assert [fact.met for fact in facts_of_rows(table, claim)] == [met]


@pytest.mark.parametrize(("claim", "met"), [
    ("Four businesses were rated 5.", False),
    ("Two businesses got the rating 5.", True),
    ("No business was rated 1.", True),
])  # fmt: skip
def test_rows_of_a_class_that_is_a_figure_are_counted(claim: str, met: bool) -> None:
    ratings = (5, 4, 5, 4, 3, 3)
    lines = [f"Business: {'ABCDEF'[n]} Café; Rating: {one}" for n, one in enumerate(ratings)]
    table = comparison(lines, 0, claim)
    assert table is not None
    (fact,) = facts_of_rows(table, claim)
    assert fact.met is met
