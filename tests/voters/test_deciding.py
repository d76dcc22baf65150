"""Which sentence of what was read together is cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from uhhrag.records import Claim, Evidence, Label, Origin, Place, RowFigure, Source, Vote
from uhhrag.rules.learned import Stance
from uhhrag.voters.deciding import citing
from uhhrag.voters.stances import PieceReading, readings

CLAIM = Claim(0, "The ferry was sold.")
BESIDE = Evidence(
    "Q?",
    "It was sold in 2019.",
    ("file:b.txt",),
    sources=(Source("file:b.txt", title="Ferry", section="Sale"),),
    places=(Place(0, 7),),
    before="The ferry was old.",
)
PIECE = Evidence(
    "Q?",
    "The ferry was old. It was sold in 2019.",
    ("file:b.txt",),
    retrieval_score=0.8,
    sentence="The ferry was old.",
    places=(Place(0, 6),),
    read="Ferry. » The ferry was old. « » It was sold in 2019. «",
    beside=(BESIDE,),
)


def voted(label: Label) -> Vote:
    return Vote(label, Origin.OWN, "")


def cited(label: Label, old: Stance = (0.2, 0.5, 0.3)) -> Evidence:
    read = PieceReading((0.4, 0.4, 0.2), (old, (0.9, 0.0, 0.1)))
    (item,) = citing([PIECE], [voted(label)], [read])
    return item


def test_the_sentence_that_takes_the_side_most_surely_is_cited_at_its_own_place() -> None:
    supporting = cited(Label.SUPPORTED)
    assert (supporting.sentence, supporting.places) == ("It was sold in 2019.", (Place(0, 7),))
    assert supporting.sources[0].section == "Sale"
    same = supporting.answer, supporting.read, supporting.retrieval_score
    assert same == (PIECE.answer, PIECE.read, 0.8)
    refuting = cited(Label.REFUTED)
    assert (refuting.sentence, refuting.beside) == ("The ferry was old.", ())
    assert cited(Label.NOT_ENOUGH).sentence == "The ferry was old."


def test_a_sentence_that_refers_back_does_not_decide_for_the_one_that_says_it() -> None:
    assert cited(Label.SUPPORTED, (0.8, 0.1, 0.1)).sentence == "The ferry was old."
    assert cited(Label.SUPPORTED, (0.3, 0.1, 0.6)).sentence == "It was sold in 2019."


def test_a_passage_is_read_and_its_sentences_alone_and_the_one_that_says_most_counts() -> None:
    texts: list[str] = []

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        texts.extend(text for text, _ in pairs)
        return [
            (0.8, 0.1, 0.1) if "« »" not in t and "2019" in t else (0.2, 0.2, 0.6) for t, _ in pairs
        ]

    alone = "Ferry. Sale. The ferry was old. » It was sold in 2019. «"
    (read,) = readings(entailment, CLAIM.text, [PIECE])
    assert texts == [PIECE.read, "The ferry was old.", alone]
    assert read.stance == pytest.approx((0.5, 0.15, 0.35))
    assert read.alone == ((0.2, 0.2, 0.6), (0.8, 0.1, 0.1))


@pytest.mark.parametrize("nothing", [0.94, 0.96])
def test_sentences_of_what_surely_says_nothing_or_is_quoted_are_not_read(
    nothing,
) -> None:
    quoted = replace(PIECE, sources=(Source("file:b.txt", quoted="Ann"),))
    pieces = [PIECE, quoted, replace(PIECE, read="", beside=())]
    stance = (1 - nothing, 0.0, nothing)
    read = readings(lambda pairs: [stance] * len(pairs), CLAIM.text, pieces)
    assert [len(one.alone) for one in read] == [2 * (nothing < 0.95), 0, 0]


def test_a_passage_found_by_a_question_counts_as_a_whole() -> None:
    asked = replace(PIECE, sentence="Was it sold?", beside=())
    (read,) = readings(lambda pairs: [(0.8, 0.1, 0.1)] * len(pairs), CLAIM.text, [asked])
    assert read.stance == pytest.approx((0.8, 0.1, 0.1))


def test_an_answer_is_read_alone_with_its_question_of_which_no_figures_count() -> None:
    texts: list[str] = []

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        texts.extend(f"{text} {claim}" for text, claim in pairs)
        return [(0.4, 0.4, 0.2)] * len(pairs)

    headed = (replace(BESIDE.sources[0], section="Sale – Did 300 people come?"),)
    answer = replace(
        PIECE, sentence="No, 280.", before="Did 300 people come?", sources=headed, beside=()
    )
    readings(entailment, "More than 290 people came.", [answer])
    assert texts[1:] == [
        f"Ferry. Sale. » Did 300 people come? No, 280. « {claim}"
        for claim in ("More than 290 people came.", "280 people came.")
    ]


def test_a_sentence_whose_figures_are_compared_decides_for_its_passage() -> None:
    claim = "The ferry was sold before 2015."

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [
            (0.95, 0.02, 0.03) if "in 2019" in text and "in 2019" in said else (0.6, 0.3, 0.1)
            for text, said in pairs
        ]

    (read,) = readings(entailment, claim, [PIECE])
    assert read.stance[1] > 0.8
    assert read.forms == ("", "in 2019: not before 2015")


@pytest.mark.parametrize(
    ("sentence", "about", "told"),
    [
        ("It carries 240 people.", {"date": "2024-09-24"}, False),
        ("It carries 240 people.", {"date": "2022-09-24"}, True),
        ("It carries 240 people.", {"date": "2024-09-24", "dated_by": "file"}, True),
        ("It carries 240 people.", {"date": "2024-09-24", "title": "Ferries in 2022"}, True),
        ("It carries 240 people.", {}, True),
        ("In 2022 it carried 240 people.", {"date": "2024-09-24"}, True),
        ("Last year it carried 240 people.", {"date": "2023-09-24"}, True),
    ],
)
def test_figures_of_another_year_are_not_compared(sentence, about, told) -> None:
    found = replace(PIECE, sentence=sentence, beside=(), sources=(Source("file:b.txt", **about),))

    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [(0.95, 0.02, 0.03) if "240" in said else (0.6, 0.3, 0.1) for _, said in pairs]

    (read,) = readings(entailment, "In 2022 the ferry carried more than 200 people.", [found])
    assert read.forms == ("240: more than 200" if told else "",)


_ROW = Evidence(
    "Q?",
    "Bike: Electric; Hour: 90; Weight: 24 kg",
    ("file:b.csv",),
    sentence="Bike: Electric; Hour: 90; Weight: 24 kg",
    read="» Bike: Electric; Hour: 90; Weight: 24 kg «",
    cells=(
        RowFigure("Electric; Hour: 90", ("Electric; Hour: 90 (the heaviest of all)",), named=False),
        RowFigure(
            "Electric; Weight: 24 kg", ("Electric; Weight: 24 kg (not the heaviest)",), named=False
        ),
    ),
)


@pytest.mark.parametrize(
    ("silent", "stance", "told"),
    [
        ((0.85, 0.2), (0.05, 0.9, 0.05), "Electric; Weight: 24 kg (not the heaviest)"),
        ((0.3, 0.6), (0.9, 0.05, 0.05), "Electric; Hour: 90 (the heaviest of all)"),
        ((0.95, 0.93), (0.4, 0.3, 0.3), ""),
    ],
)
def test_of_a_row_the_figure_that_says_most_is_compared(
    silent: tuple[float, float], stance: Stance, told: str
) -> None:
    def entailment(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        return [said(text) for text, _ in pairs]

    def said(text: str) -> Stance:
        if "heaviest" in text:
            return (0.05, 0.9, 0.05) if "not" in text else (0.9, 0.05, 0.05)
        if "Hour" in text and "Weight" in text:
            return (0.4, 0.3, 0.3)
        nothing = silent["Weight" in text]
        return ((1 - nothing) / 2, (1 - nothing) / 2, nothing)

    (read,) = readings(entailment, "The electric bike is the heaviest.", [_ROW], titled=True)
    assert read.stance == pytest.approx(stance)
    (item,) = citing([_ROW], [voted(Label.REFUTED)], [read])
    assert item.compared == tuple(filter(None, [told]))
    assert item.cells == ()
