"""Claims with figures of a text in place of their own, by value."""

from __future__ import annotations

import time

import pytest

from uhhrag.text.conditions import conditions
from uhhrag.text.restatements import restated

_MET, _FAILED, _VAGUE = True, False, None


@pytest.mark.parametrize(
    ("claim", "text", "figure", "met"),
    [
        # amounts
        ("More than 300 people came.", "On Friday 312 visitors came.", "312 people came.", _MET),
        ("No more than 300 came.", "On Friday 312 came.", "312 came.", _FAILED),
        ("At least a dozen men came.", "Eleven men came.", "Eleven men came.", _FAILED),
        ("It cost more than £2 million.", "It cost £2.1m.", "It cost £2.1m.", _MET),
        ("Some 300 came.", "In all 312 came.", "312 came.", _MET),
        ("Nearly 300 came.", "In all 340 came.", "340 came.", _FAILED),
        ("About 25,000 came.", "We counted 24,610.", "24,610 came.", _MET),
        ("300 or more came.", "In all 299 came.", "299 came.", _FAILED),
        ("More than 300 came.", "More than 200 came.", "More than 200 came.", _VAGUE),
        ("More than 300 came.", "Fewer than 200 came.", "Fewer than 200 came.", _FAILED),
        ("She is over 40.", "Ann Lee, aged 47, came.", "She is 47.", _MET),
        # shares
        ("Fewer than half of the eels came.", "Of 186 eels, 114 came.",
         "114 of 186 of the eels came.", _FAILED),
        ("A majority of the men voted.", "There were 468 men, of whom 291 voted.",
         "291 of 468 of the men voted.", _MET),
        ("More than 250 men voted.", "There were 468 men, of whom 291 voted.", "291 men voted.",
         _MET),
        ("Under a third were on the bus.", "Complaints: 1,037, of which 388 were on it.",
         "388 of 1,037 were on the bus.", _FAILED),
        ("Less than a tenth were women.", "Year: 2024; Persons: 1,947; of whom women: 170",
         "170 of 1,947 were women.", _MET),
        ("Most of them voted.", "41 per cent voted.", "41 per cent of them voted.", _FAILED),
        ("Roughly a third of the cars sped.", "One in three sped.",
         "One in three of the cars sped.", _MET),
        ("More than ten per cent of the first 20,000 did not send a reading.",
         "Of the first 20,000 meters, 2,150 did not send a reading in May.",
         "2,150 of 20,000 of the first 20,000 did not send a reading.", _MET),
        ("Under a tenth of the 20,000 meters sent nothing.", "2,150 of the 20,000 sent nothing.",
         "2,150 of the 20,000 of the 20,000 meters sent nothing.", _FAILED),
        ("Over 300 did not come, and nobody wrote.", "In all 312 stayed away.",
         "312 did not come, and nobody wrote.", _MET),
        ("It did not cost more than £300.", "It cost £312.", "", _VAGUE),
        ("After 2019 no ferry sailed.", "In 2021 a ferry sailed.", "", _VAGUE),
        # changes
        ("The rent rose by more than half.", "It was £22 and will be £28.",
         "The rent rose from £22 to £28.", _FAILED),
        ("Output almost doubled.", "Output rose from 310 to 600.", "Output rose from 310 to 600.",
         _MET),
        ("The rent doubled.", "£22 until now, it will be £28.", "The rent rose from £22 to £28.",
         _FAILED),
        # ranges
        ("Between 300 and 400 came.", "In all 312 came.", "312 came.", _MET),
        ("It cost between £2,000 and £3,000.", "It cost £1,900.", "It cost £1,900.", _FAILED),
        ("It was built between 2010 and 2015.", "Built in May 2009.", "It was built in May 2009.",
         _FAILED),
        ("It was shut between 2010 and 2015.", "Shut from 2009 to 2020.", "", _VAGUE),
        # durations
        ("She taught for over ten years.", "She taught from 1950 to 1959.",
         "She taught from 1950 to 1959.", _FAILED),
        ("The trial took less than a fortnight.", "It took 11 days.", "The trial took 11 days.",
         _MET),
        ("The meeting took less than two hours.", "It began at 7.30 pm and ended at 9.50 pm.",
         "The meeting took from 7.30 pm to 9.50 pm.", _FAILED),
        ("He wrote within three weeks.", "He wrote three weeks later.", "He wrote three weeks.",
         _MET),
        # dates and times
        ("The depot opened before May 2019.", "It opened on 4 May 2019.",
         "The depot opened on 4 May 2019.", _FAILED),
        ("It closed by the end of 2019.", "It closed in May 2019.", "It closed in May 2019.", _MET),
        ("It closed by 2019.", "It closed in the 1990s.", "It closed in the 1990s.", _MET),
        ("It was built in the 19th century.", "Built in 1887.", "It was built in 1887.", _MET),
        ("It shut in the 1990s.", "Built in 1887, shut in 1987.", "It shut in 1987.", _FAILED),
        ("It closed after May 2019.", "It closed in 2019.", "It closed in 2019.", _VAGUE),
        ("It ended before June.", "It ended on 9 May 2021.", "It ended on 9 May 2021.", _MET),
        ("It shuts before noon.", "Open until 11.30 am.", "It shuts at 11.30 am.", _MET),
        ("They left after six in the evening.", "They left at 17:45.", "They left at 17:45.",
         _FAILED),
        # two figures of the text
        ("More crews came by March than last year.", "We have 112 crews; last year it was 97.",
         "112 crews came by March.", _MET),
        ("The lamp was lighter than the old one.", "It has 5.2 kg, the old one 1.6.",
         "The lamp was 5.2.", _FAILED),
        ("More crews came before June than last year.", "By 9 May 112 came, last year 97.",
         "112 crews came on 9 May.", _MET),
        ("The shop opened before the barge came.", "The barge came in 1961, the shop in 1954.",
         "The shop opened in 1954.", _MET),
        # by or to a figure
        ("Rents rose by 5%.", "Rents rose slightly, to 5 per cent.", "Rents rose to 5%.", _FAILED),
        ("The fare fell to £3.", "The fare fell by £3 to £7.", "The fare fell by £3.", _FAILED),
        ("The fare fell by £3.", "The fare fell by £3 from £10.", "", None),
        ("The fare fell to £3.", "The fare fell from £10 to £3.", "", None),
        ("The fare fell to £3.", "It costs £3 to get in.", "", None),
        # figures in names of columns
        ("More than 52 weeks were lost.", "Ward: Ash; Over 52 weeks: 143", "", None),
    ],
)  # fmt: skip
def test_a_figure_stands_for_what_the_claim_says_of_one(
    claim: str, text: str, figure: str, met: bool | None
) -> None:
    told = restated(claim, text)
    assert dict(one[:2] for one in told)[figure] is met if figure else not told


@pytest.mark.parametrize(
    "claim",
    [
        "In all 312 people came.",
        "It opened on 4 May 2019.",
        "It did not cost more than £300.",
        "About three quarters of an hour went by.",
        "The flood of 2014 was the worst.",
        "She won by the casting vote.",
    ],
)
def test_a_claim_that_compares_nothing_is_read_as_it_stands(claim: str) -> None:
    assert conditions(claim) == ()


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("It cost more than £300.", "In all 312 people came."),
        ("It opened before 2019.", "In all 312 people came."),
        ("More than half of them came.", "In the second half 312 people came."),
        ("It has fewer than 90 people more.", "It has 640 people."),
        ("It has more people than houses.", "Village: Fen; People: 431; Houses: 189"),
        ("He moved before the war.", "Born in 1920, he moved in 1946."),
        ("More than one man was hurt.", "In all 20 were hurt; 31 were not."),
        ("More men came than women.", "We counted 30 men, 20 women and 10 dogs."),
    ],
)
def test_figures_of_other_kinds_stand_for_nothing(claim: str, text: str) -> None:
    assert restated(claim, text) == []


def test_a_day_that_does_not_exist_is_no_date() -> None:
    assert restated("It opened before 1 June 2019.", "It opened on 31 June 2019.") == []


def test_many_figures_take_no_time() -> None:
    text = "; ".join(f"Line {n}: {n + 3},{n % 900 + 100}" for n in range(3000))
    claim = "More than 300 came by 2019, over 20 of them for at least ten days, most of them free."
    start = time.perf_counter()
    assert len(restated(claim, text)) <= 6
    assert time.perf_counter() - start < 5


def test_no_number_is_too_long_and_no_claim() -> None:
    assert restated("Over 300 came.", f"In all {'9' * 500} came, and {'9' * 40} more.") == []
    start = time.perf_counter()
    assert conditions("more than 300 before 2019 " * 5000) == ()
    assert time.perf_counter() - start < 1
