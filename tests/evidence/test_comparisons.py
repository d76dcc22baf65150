"""What is said of a table's figures, by value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import pytest

from uhhrag.evidence.comparisons import comparison
from uhhrag.evidence.row_facts import facts_of_rows
from uhhrag.evidence.windows import of_rows
from uhhrag.records import Evidence, Page, Place
from uhhrag.text.figures import amount_of, figure_in
from uhhrag.text.superlatives import superlative_in

_CLUBS = (
    "Club: Harriers; Town: Ashby; 2023: 320; 2024: 300",
    "Club: Fen Striders; Town: Melford; 2023: 90; 2024: 110",
    "Club: Mill Lane; Town: Corby; 2023: 150; 2024: 301",
    "Club: Total; 2023: 560; 2024: 711",
)


def _forms(line: int, claim: str, lines: Sequence[str] = _CLUBS) -> tuple[str, ...]:
    table = comparison(lines, line, claim)
    assert table
    return tuple(form for cell in table.cells(line) for form in cell.forms)


@pytest.mark.parametrize(
    ("line", "claim", "forms"),
    [
        (1, "Fen Striders scored more in 2024 than in 2023.", ["2024: 110 (up from 90 in 2023)"]),
        (0, "Harriers fell from 2023 to 2024.", ["2024: 300 (down from 320 in 2023)"]),
        (1, "Fen Striders scored less in 2023 than in 2024.", ["2023: 90 (less than 2024: 110)"]),
        (1, "Fen Striders won fewer in 2023 than Mill Lane.", ["2023: 90 (less than Mill Lane)"]),
        (2, "Fen Striders won fewer in 2023 than Mill Lane.", []),  # said of the first named
        (0, "In 2023 Harriers had more than twice as many as Mill Lane.",
         ["2023: 320 (more than twice that of Mill Lane)"]),
        (2, "Mill Lane had double the points of Harriers in 2024.",
         ["2024: 301 (less than twice that of Harriers)"]),
        (0, "Harriers beat Mill Lane by over 200 points in 2023.",
         ["2023: 320 (by less than 200 more than Mill Lane)"]),
        (2, "Mill Lane doubled its points between 2023 and 2024.",
         ["2024: 301 (more than twice that of 2023: 150)"]),
        (0, "Harriers had more than 310 points in 2024.", []),  # read with its own figure
        (1, "Fen Striders gained twenty points in 2024.",
         ["2024: 110 (by exactly 20 more than 2023: 90)"]),
        (1, "Fen Striders went from 90 to 120 points in 2024.", []),
    ],
)  # fmt: skip
def test_a_row_is_compared_as_the_claim_asks(line: int, claim: str, forms: list[str]) -> None:
    said = [form.split("; ", 2)[2] for form in _forms(line, claim)]
    assert [form for form in said if "of all" not in form and "neither" not in form] == forms


_YEARS = (
    "Year: 2021; Deaths: 14; Injured: 3",
    "Year: 2022; Deaths: 11; Injured: 5",
    "Year: 2023; Deaths: 19; Injured: 5",
    "Year: Total; Deaths: 44; Injured: 13",
)
_PAIRS = tuple(
    f"Country: {country}; Year: {year}; Ships: {ships}; Ports: 3"
    for country, counts in (("Norway", (14, 9, 12)), ("Denmark", (4, 5, 6)), ("Latvia", (7, 7, 8)))
    for year, ships in zip((2021, 2022, 2023), counts, strict=True)
)
_GOODS = tuple(
    f"Goods: {goods}; Partner: {partner}; Tonnes: {tonnes}"
    for goods, partner, tonnes in (
        ("Timber", "India", 79),
        ("Timber", "China", 51),
        ("Ore", "China", 520),
        ("Ore", "Japan", 96),
    )
)
_MONTHS = ("Month: January 2024; Rides: 288,100", "Month: February 2024; Rides: 271,500",
           "Month: March 2024; Rides: 301,200")  # fmt: skip


@pytest.mark.parametrize(
    ("lines", "claim", "forms"),
    [
        (_YEARS, "Deaths fell from 2021 to 2023.", ["2023; Deaths: 19 (up from 14 in 2021)"]),
        (_YEARS, "There were fewer deaths in 2021 than in 2023.",
         ["2021; Deaths: 14 (less than 2023)"]),
        (_YEARS, "There were more deaths in 2022 than a year earlier.",
         ["2022; Deaths: 11 (down from 14 in 2021)"]),
        (_YEARS, "Between 2021 and 2023 the most deaths were in 2021.",
         ["2021; Deaths: 14 (not the most of all)"]),
        (_YEARS, "Deaths have fallen since 2021.", ["2023; Deaths: 19 (up from 14 in 2021)"]),
        (_YEARS, "The number of injured has more than doubled since 2021.",
         ["2023; Injured: 5 (less than twice that of 2021)"]),
        (_YEARS, "As many were injured in 2023 as in 2022.",
         ["2023; Injured: 5 (the same as 2022)"]),
        (_YEARS, "Deaths rose by more than 10 between 2022 and 2023.",
         ["2023; Deaths: 19 (by less than 10 more than 2022)"]),
        (_PAIRS, "Norway had fewer ships in 2023 than in 2021.",
         ["Norway; Year: 2023; Ships: 12 (down from 14 in 2021)"]),
        (_PAIRS, "In 2022 Latvia had more ships than Norway.",
         ["Latvia; Year: 2022; Ships: 7 (less than Norway)"]),
        (_PAIRS, "In 2022 Norway had the most ships.",
         ["Norway; Year: 2022; Ships: 9 (the most of all)"]),
        (_CLUBS, "Harriers won less than half of all points in 2024.",
         ["Harriers; Town: Ashby; 2024: 300 (less than half of the total)"]),
        (_CLUBS, "In 2024 Mill Lane won over 40 % of the points.",
         ["Mill Lane; Town: Corby; 2024: 301 (more than 40 % of the total)"]),
        (_GOODS, "China took more timber than India.",
         ["Timber; Partner: China; Tonnes: 51 (less than India)"]),
        (_MONTHS, "In March 2024 there were more rides than in January.",
         ["March 2024; Rides: 301,200 (up from 288,100 in January 2024)"]),
        (_MONTHS, "There were more rides in March than in February.",
         ["March 2024; Rides: 301,200 (up from 271,500 in February 2024)"]),
    ],
)  # fmt: skip
def test_rows_of_times_are_compared(lines: Sequence[str], claim: str, forms: list[str]) -> None:
    table = comparison(lines, 1, claim)
    assert table
    first = next(iter(table.named))
    assert [form.split(": ", 1)[1] for form in _forms(first, claim, lines)] == forms


def test_a_row_of_a_time_that_the_claim_states_is_read_alone() -> None:
    table = comparison(_YEARS, 0, "In May 2022 eleven people died.")
    assert table
    assert [*table.named] == [1]
    assert comparison(_CLUBS, 0, "In 2023 it rained.").named == {}


def test_without_another_row_a_row_is_compared_with_all_but_totals() -> None:
    forms = _forms(2, "No club had as many points in 2024 as Mill Lane.")
    assert forms[-1] == "Club: Mill Lane; Town: Corby; 2024: 301 (the most of all)"
    assert _forms(3, "The clubs had 711 points in all in 2024.") == ()


def test_a_row_without_figures_is_read_as_it_stands() -> None:
    lines = (*_CLUBS[:3], "Club: Ash Vale; Town: Derby; 2023: –; 2024: n/a")
    assert _forms(0, "Ash Vale scored more than Harriers in 2024.", lines) == ()
    page = Page("file:a.csv", lines)
    found = {Place(0, 0): Evidence("q", lines[0], places=(Place(0, 0),))}
    told, _ = of_rows(found, {0: page}.get, "Ash Vale scored more than Harriers in 2024.")
    assert not any(cell.forms for item in told.values() for cell in item.cells)


def test_the_column_of_most_words_is_meant() -> None:
    rents = tuple(
        f"Borough: {name}; Two bedrooms: £{rent}; Yearly change, two bedrooms: +{change}%"
        for name, rent, change in (("Low Tarn", 865, 9.7), ("Dock", 1080, 8.4), ("Quay", 990, 2))
    )
    said = _forms(0, "Low Tarn saw the steepest yearly rise in two-bedroom rents.", rents)
    assert said == ("Borough: Low Tarn; Yearly change, two bedrooms: +9.7% (the steepest of all)",)


_SHIPS = (
    "Ship: Marram; Built: 1987; Length (m): 49.2; Knots: 11; Change: -3%",
    "Ship: Tystie; Built: 1994; Length (m): 43.7; Knots: 10.5; Change: +2%",
    "Ship: Bonxie; Built: 2003; Length (m): 96.5; Knots: 17; Change: -9%",
    "Ship: Tern; Built: 2021; Length (m): 96.5; Knots: 18; Change: 0%",
)


@pytest.mark.parametrize(
    ("line", "claim", "form"),
    [
        (0, "The Marram was built earlier than any other.", "Built: 1987 (the earliest of all)"),
        (1, "The Tystie is the oldest ship ever built.", "Built: 1994 (not the oldest of all)"),
        (1, "The Tystie has the second-lowest length.", "(m): 43.7 (not the second lowest of all)"),
        (0, "Of all four ships, the Marram has the second lowest length.",
         "(m): 49.2 (the second lowest of all)"),
        (3, "The Tern was built later than any of the four.", ""),
        (2, "The Bonxie has the greatest length.", ""),  # two have
        (3, "The Tern is the fastest in knots.", "Knots: 18 (the fastest of all)"),
        (2, "The Bonxie saw the steepest drop in change.", "Change: -9% (the steepest of all)"),
        (0, "The Marram saw the steepest drop in change.", "Change: -3% (not the steepest of all)"),
        (0, "The Marram is the newest in length.", ""),  # tells nothing of metres
        (0, "At least the Marram has its length.", ""),
    ],
)  # fmt: skip
def test_a_superlative_is_said_in_the_claims_own_word(line: int, claim: str, form: str) -> None:
    said = _forms(line, claim, _SHIPS)
    assert [one for one in said if not one.endswith(form)] == []
    assert bool(said) == bool(form)


def test_speeds_and_durations_have_orders_of_their_own() -> None:
    fastest = superlative_in("The Tern is the fastest.")
    assert fastest
    columns = ("Knots 18", "Speed 9 m/s", "Crossing 62 min", "Time 62", "Crossing 62")
    assert [fastest.order(column, [Fraction(9)]) for column in columns] == [1, 1, -1, -1, 0]
    oldest = superlative_in("Fen was the oldest.")
    assert oldest
    assert [oldest.order(c, [Fraction(31)]) for c in ("Age 31", "Seats 31")] == [1, 0]


def test_what_rose_most_between_two_columns_is_said_of_the_change() -> None:
    claim = "Of the three clubs {} gained the most between 2023 and 2024."
    lost, most = _forms(0, claim.format("Harriers")), _forms(2, claim.format("Mill Lane"))
    assert lost[0].endswith("2024: 300 (down from 320 in 2023, by the most of all)")
    assert most[0].endswith("2024: 301 (up from 150 in 2023, by the most of all)")
    less = _forms(1, claim.format("Fen Striders"))
    assert less[0].endswith("2024: 110 (up from 90 in 2023, not by the most of all)")


def test_without_a_named_column_each_figure_has_a_cell() -> None:
    table = comparison(_SHIPS, 0, "The Marram is the heaviest ship.")
    assert table
    cells = table.cells(0)
    assert [cell.text for cell in cells][:2] == [
        "Ship: Marram; Built: 1987",
        "Ship: Marram; Length (m): 49.2",
    ]
    assert not any(cell.named for cell in cells)


def test_rows_of_another_table_below_are_others() -> None:
    lines = ("Income: Fees; 2024: 90", "Income: Gifts; 2024: 80", "Spending: Staff; 2024: 95")
    table = comparison(lines, 0, "Fees brought the most money in 2024.")
    assert table and [*table.rows] == [0, 1]


def test_a_series_is_compared_in_its_own_order() -> None:
    lines = ("Rent: Quay; 2023-24: 94; 2022-23: 187", "Rent: Lock; 2023-24: 5; 2022-23: 6")
    assert "Rent: Quay; 2023-24: 94 (down from 187 in 2022-23)" in _forms(
        0, "The quay earned less in 2023-24 than in the year before.", lines
    )


def test_columns_are_compared_in_the_order_of_the_claim() -> None:
    prices = ("Paint: white; Garrow: 34.99; Tibbet: 29.50", "Paint: red; Garrow: 5; Tibbet: 6")
    assert _forms(0, "Garrow asked less than Tibbet for white paint.", prices) == (
        "Paint: white; Garrow: 34.99 (more than Tibbet: 29.50)",
    )


@pytest.mark.parametrize(
    ("row", "other", "claim"),
    [
        ("Fen; Wait (days): 20", "Ash; Wait (days): 9", "Fen waits by 2 weeks longer than Ash."),
        ("Fen; Orders: 55.8", "Ash; Orders: 42.5", "Fen has orders of more than 50 million."),
        ("Fen; Orders: 1.234", "Ash; Orders: 987", "Fen has more orders than Ash."),
        ("Fen; Ready: 3 May", "Ash; Ready: 12 April", "Fen is ready later than Ash."),
        ("Fen; Wait: 2 weeks", "Ash; Wait: 9 days", "Fen waits less than Ash."),
    ],
)
def test_what_may_be_counted_otherwise_is_not_compared(row: str, other: str, claim: str) -> None:
    table = comparison([f"Club: {row}", f"Club: {other}"], 0, claim)
    assert table is None or not any(cell.forms for cell in table.cells(0))


def test_what_is_no_row_of_figures_has_no_table() -> None:
    assert comparison(("Club; 2023; 2024", *_CLUBS), 0, "Harriers won in 2024.") is None
    assert comparison(("They won: 3 times.",), 0, "They won.") is None
    assert comparison(("Club: Fen; Town: Ashby",), 0, "Fen won.") is None


@pytest.mark.parametrize("cell", ["9:15", "2024-05-01", "9 to 5", "A10", "Mink 2016", "closed", ""])
def test_other_cells_are_no_figures(cell: str) -> None:
    assert figure_in(cell) is None


@pytest.mark.parametrize(
    ("claim", "amount"),
    [
        ("Sales rose by 12 per cent in 2024.", ("SHARE", "12 %")),
        ("The turnout was over 40%.", ("FIGURE", "40 %")),
        ("It grew by four posts.", ("GAP", "4")),
        ("They sold at least 1,200 more tickets.", ("GAP", "1,200")),
        ("Sales rose slightly to 12 per cent.", None),
        ("It fell by 4 to a low.", ("GAP", "4")),
        ("Rents rose in May, to £400.", None),
        ("The fee was cut to £400.", None),
        ("Up to 40 came.", ("FIGURE", "40")),
        ("It tripled.", ("TIMES", "3 times")),
        ("Less than a quarter of it is spent.", ("TIMES", "a quarter")),
        ("It opened at 9:15 on 4 May and closed on 5 May.", None),
        ("In 2024 it was the best of all.", None),
    ],
)
def test_the_amount_of_a_claim(claim: str, amount: tuple[str, str] | None) -> None:
    found = amount_of(claim, ())
    assert (found and (found.kind.name, found.text)) == amount


@pytest.mark.parametrize("moved", ["fell to 110", "rose to 110", "rose"])
def test_a_figure_that_something_rose_to_is_compared_with_that_before(moved: str) -> None:
    told = "Club: Fen Striders; Town: Melford; 2024: 110 (up from 90 in 2023)"
    assert _forms(1, f"The points of Fen Striders {moved} in 2024.") == (told,)


def test_rows_that_the_claim_names_are_read_in_place_of_others() -> None:
    page = Page("file:a.csv", _CLUBS, title="Clubs")
    found = {Place(0, 1): Evidence("q", _CLUBS[1], places=(Place(0, 1),))}
    told, alone = of_rows(found, {0: page}.get, "Harriers scored more in 2023 than in 2024.")
    assert [(place.line, item.answer) for place, item in told.items()] == [(0, _CLUBS[0])]
    assert alone == {Place(0, 0)}
    assert told[Place(0, 0)].sources[0].title == "Clubs"
    first, _ = told[Place(0, 0)].cells
    assert first.text == "Club: Harriers; Town: Ashby; 2023: 320"
    assert first.forms == ("Club: Harriers; Town: Ashby; 2023: 320 (more than 2024: 300)",)


def test_where_it_names_none_those_found_stay() -> None:
    page = Page("file:a.csv", _CLUBS)
    found = {Place(0, 1): Evidence("q", _CLUBS[1], places=(Place(0, 1),))}
    told, alone = of_rows(found, {0: page}.get, "One club had the most points in 2024.")
    assert ([*told], alone) == ([Place(0, 1)], set())


_SAILINGS = (
    "Route: Halden-Skarn; Month: Jun 2025; Cancelled: 6; Cancelled a year ago: 2",
    "Route: Halden-Skarn; Month: Jul 2025; Cancelled: 11; Cancelled a year ago: 11",
    "Route: Halden-Lund; Month: Jun 2025; Cancelled: 2; Cancelled a year ago: 4",
    "Route: Halden-Lund; Month: Jul 2025; Cancelled: 3; Cancelled a year ago: 1",
)
_CRASHES = (
    "Date: 2 Oct 2017; Station: Morvik; Hurt: 4",
    "Date: 29 Nov 2021; Station: Lissen; Hurt: 2",
    "Date: 14 Dec 2021; Station: Lissen; Hurt: 1",
    "Date: 3 Dec 2017; Station: Lissen; Hurt: 12",
)
_PLAYS = (
    "Play: Three Brothers; Director: Marcus Idle; Nights: 18",
    "Play: Night Ferry (studio); Director: Marcia Idle; Nights: 12",
)


@pytest.mark.parametrize(
    ("lines", "claim", "named"),
    [
        (_SAILINGS, "None of the sailings to Skarn in July 2025 was cancelled.", [1]),
        (_SAILINGS, "Lund had three sailings cancelled in July 2025.", [3]),
        (_PLAYS, "Marcus Idle directed Night Ferry.", [1]),
        (_PLAYS, "Marcus Idle directed it.", [0]),
        (_PLAYS, "A play had 18 nights.", [0]),
        (_CRASHES, "Nobody was hurt in a crash in November 2021.", [1]),
        (_CRASHES, "Nobody was hurt in a crash in 2017.", []),
        (_PLAYS, "A play had more than 18 nights.", []),
    ],
)
def test_rows_are_named_by_what_tells_them_apart(
    lines: Sequence[str], claim: str, named: list[int]
) -> None:
    table = comparison(lines, 0, claim)
    assert table
    assert [*table.named] == named


@pytest.mark.parametrize(
    ("line", "claim", "forms"),
    [
        (0, "More sailings to Skarn were cancelled in June 2025 than a year before.",
         ["Cancelled: 6 (up from 2 a year ago)"]),
        (3, "Cancelled sailings to Lund in July 2025 tripled within a year.",
         ["Cancelled: 3 (exactly 3 times that of Cancelled a year ago)"]),
        (2, "A year ago 4 sailings to Lund were cancelled in June 2025.", []),
    ],
)  # fmt: skip
def test_a_figure_is_compared_with_the_same_a_year_ago(
    line: int, claim: str, forms: list[str]
) -> None:
    head = "; ".join(_SAILINGS[line].split("; ")[:2])
    assert [*_forms(line, claim, _SAILINGS)] == [f"{head}; {form}" for form in forms]


_GUESTS = (
    "Region: Coast; Nights: 1,402; Change %: -1; of which from abroad: 402; Beds: 90",
    "Region: Capital; Nights: 934; Change %: 8.5; of which from abroad: 641; Beds: 40",
    "Region: All regions; Nights: 2,336; Change %: 3; of which from abroad: 1,043; Beds: 130",
)
_PACKS = ("Batch: A; Made: 950; Sold: 350", "Batch: All; Made: 6,500; Sold: 2,300")


@pytest.mark.parametrize(
    ("lines", "line", "claim", "forms"),
    [
        (_GUESTS, 1, "More than two thirds of guests in the Capital were from abroad.",
         ["of which from abroad: 641 (more than two thirds of Nights)"]),
        (_GUESTS, 2, "Three quarters of guests were from abroad.",
         ["of which from abroad: 1,043 (less than three quarters of Nights)"]),
        (_GUESTS, 1, "The Capital had more than half of all beds.",
         ["Beds: 40 (less than half of the total)"]),
        (_PACKS, 1, "Of the packs, over a third are sold.",
         ["Sold: 2,300 (more than a third of Made)"]),
    ],
)  # fmt: skip
def test_a_share_is_measured_in_the_column_of_the_whole(
    lines: Sequence[str], line: int, claim: str, forms: list[str]
) -> None:
    table = comparison(lines, 0, claim)
    assert table
    assert [*table.named] == [line]
    head = lines[line].partition("; ")[0]
    assert [*_forms(line, claim, lines)] == [f"{head}; {form}" for form in forms]


_PLANS = [
    "Measure: Meters; 2023 – Target: 90; 2023 – Actual: 93; 2024 – Target: 95; 2024 – Actual: 88",
    "Measure: Leaks; 2023 – Target: 20; 2023 – Actual: 24; 2024 – Target: 19; 2024 – Actual: 22",
]


def test_what_came_of_a_plan_is_compared_with_the_plan_that_a_claim_names() -> None:
    forms = _forms(0, "Fewer meters were fitted in 2024 than its target.", _PLANS)
    assert "Measure: Meters; 2024 – Actual: 88 (less than 2024 – Target: 95)" in forms


_ROOFS = [
    "Scheme: Hall roof; Approved: £890,000; Spent to 31 March 2024: £905,500; Homes: 3",
    "Scheme: Pool; Approved: £95,000; Spent to 31 March 2024: £40,000; Homes: 9",
    "Scheme: Wall; Approved: £99,000; Spent to 31 March 2024: £40,500; Homes: 2",
]
_WARDS = ["Ward: Elm; Beds: 42; Closed: 24; Nurses: 9", "Ward: Oak; Beds: 36; Closed: 6; Nurses: 7"]


@pytest.mark.parametrize(
    ("lines", "claim", "forms"),
    [
        (_ROOFS, "The Hall roof cost less than was approved.",
         ("Scheme: Hall roof; Spent to 31 March 2024: £905,500 (more than Approved: £890,000)",)),
        (_ROOFS, "The Hall roof had the highest approved sum.",
         ("Scheme: Hall roof; Approved: £890,000 (the highest of all)",)),
        (_ROOFS, "The Hall roof had above the approved number of homes.", ()),  # nor a rank
        (_ROOFS, "The state pays more than half of the cost of the Hall roof.", ()),
        (_ROOFS, "Less than half of what was approved for the Pool has been spent.",
         ("Scheme: Pool; Spent to 31 March 2024: £40,000 (less than half of Approved)",)),
        (_WARDS, "More than half of the beds of Elm are closed.",
         ("Ward: Elm; Closed: 24 (more than half of Beds)",)),
        (_WARDS, "More than half of the beds of Elm have lamps.", ()),
        (["Club: Fen; Income (£000): 1,310; Debt (£000): 1,425", "Club: Ash; Income (£000): 212"],
         "The income of Fen was £100,000 less than its debt.",
         ("Club: Fen; Income: £1,310,000 (by about 100,000 less than Debt: £1,425,000)",)),
    ],
)  # fmt: skip
def test_what_was_done_and_a_part_are_compared_if_the_claim_asks_for_them(
    lines: list[str], claim: str, forms: tuple[str, ...]
) -> None:
    table = comparison(lines, 0, claim)
    assert table
    (line,) = table.named
    assert _forms(line, claim, lines) == forms


@pytest.mark.parametrize(
    ("claim", "met"),
    [
        ("In 2024 only one measure exceeded its target.", True),
        ("Every measure exceeded its target in 2024.", False),
        ("In 2024 only one measure fell short of its target.", None),
    ],
)
def test_rows_whose_outcome_exceeds_the_plan_are_counted(claim: str, met: bool | None) -> None:
    table = comparison(_PLANS, 0, claim)
    assert table is not None
    (fact,) = facts_of_rows(table, claim)
    assert fact.met is met
    assert fact.text.endswith("1 of the 2 measures (Meters) than 2024 – Target.")


def test_rows_are_named_without_their_codes_and_apart_from_rows_of_the_same_name() -> None:
    sites = [f"Site: S{at} {name}; Fish: {at}" for at, name in enumerate(("Weir", "Ford"), 1)]
    assert _forms(0, "Fewer fish were seen at the weir than at the ford.", sites) == (
        "Site: S1 Weir; Fish: 1 (less than Ford)",
    )
    fares = ["Fare: Single; Days: Mon-Fri; Price: 4", "Fare: Single; Days: Sat-Sun; Price: 3"]
    fares += [f"Fare: {name}; Days: all; Price: 9" for name in ("Group", "Child", "Dog", "Night")]
    assert _forms(0, "A single costs more on weekdays.", fares) == (
        "Fare: Single; Days: Mon-Fri; Price: 4 (more than Single, Sat-Sun)",
    )


def test_of_columns_that_a_claim_names_alike_that_of_all_is_meant() -> None:
    lines = [
        "Year: 2022; New cases (Energy): 9; New cases (Total): 30; Closed: 7",
        "Year: 2023; New cases (Energy): 12; New cases (Total): 28; Closed: 8",
    ]
    table = comparison(lines, 1, "More new cases came in 2023 than in 2022.")
    assert table is not None
    assert table.cells(1)[0].forms == ("Year: 2023; New cases (Total): 28 (down from 30 in 2022)",)
    table = comparison(lines, 1, "More new energy cases came in 2023 than in 2022.")
    assert table is not None
    assert table.columns(1) == ["New cases (Energy)"]


def test_rows_of_times_may_have_words_in_brackets_and_a_row_of_a_target() -> None:
    lines = [
        "Quarter: Q4 2022 (from May); Accounts: 41",
        "Quarter: Q1 2023; Accounts: 87",
        "Quarter: Q2 2023; Accounts: 93",
        "Quarter: Target; Accounts: 99",
    ]
    table = comparison(lines, 0, "The first quarter of 2023 had the most accounts.")
    assert table is not None
    assert table.named == {1: "Q1 2023"}
    assert table.cells(1)[0].forms == ("Quarter: Q1 2023; Accounts: 87 (not the most of all)",)


def test_a_total_without_a_cell_of_the_two_columns_that_tell_rows_apart_is_none_of_them() -> None:
    lines = [
        "Site: Ald; Lead: Kenyon; Pupils: 44",
        "Site: Ald; Lead: Osei; Pupils: 38",
        "Site: Bram; Lead: Osei; Pupils: 12",
        "Site: Bram; Lead: Kenyon; Pupils: 51",
        "Site: Total; Pupils: 145",
    ]
    table = comparison(lines, 0, "Of the total of 145 pupils, Kenyon taught 51 at Bram.")
    assert table is not None
    assert table.named == {3: "Bram"}
