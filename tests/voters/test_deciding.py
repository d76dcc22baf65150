"""Which sentence of what was read together is cited."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from uhhrag.protocols import Entailment
from uhhrag.records import Claim, Evidence, Label, Origin, Place, Source, Vote
from uhhrag.rules.learned import Stance
from uhhrag.voters.deciding import citing

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


def reads(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
    return [(0.9, 0.0, 0.1) if "2019" in text else (0.2, 0.5, 0.3) for text, _ in pairs]


def cites(entailment: Entailment, label: Label, claim: Claim = CLAIM) -> tuple[Evidence, Vote]:
    (cited,), (vote,) = citing(entailment, claim, [PIECE], [voted(label)])
    return cited, vote


def test_the_sentence_that_takes_the_side_most_surely_is_cited_at_its_own_place() -> None:
    cited, vote = cites(reads, Label.SUPPORTED)
    assert (cited.sentence, cited.places) == ("It was sold in 2019.", (Place(0, 7),))
    assert cited.sources[0].section == "Sale"
    assert (cited.answer, cited.read, cited.retrieval_score) == (PIECE.answer, PIECE.read, 0.8)
    assert vote == replace(voted(Label.SUPPORTED), alone=(0.9, 0.5))
    refuting, _ = cites(reads, Label.REFUTED)
    assert (refuting.sentence, refuting.beside) == ("The ferry was old.", ())


def test_each_found_sentence_is_read_after_its_lead_and_may_take_a_side_alone() -> None:
    read: list[str] = []

    def remember(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        read.extend(text for text, _ in pairs)
        return reads(pairs)

    cited, vote = cites(remember, Label.NOT_ENOUGH)
    assert read[1] == "Ferry. Sale. The ferry was old. » It was sold in 2019. «"
    assert (cited.sentence, vote.label, vote.alone) == (
        *("It was sold in 2019.", Label.NOT_ENOUGH),
        (0.9, 0.5),
    )
    unsure, _ = cites(lambda pairs: [(0.3, 0.3, 0.4)] * len(pairs), Label.NOT_ENOUGH)
    assert unsure.sentence == "The ferry was old."


def nothing(pairs: Sequence[tuple[str, str]]) -> list[Stance]:
    assert not pairs
    return []


def test_what_is_quoted_or_found_as_a_sentence_is_not_read_again() -> None:
    quoted = replace(PIECE, sources=(Source("file:b.txt", quoted="Ann"),))
    for item in (quoted, replace(PIECE, read="", beside=())):
        _, (vote,) = citing(nothing, CLAIM, [item], [voted(Label.REFUTED)])
        assert vote.alone == ()


def test_a_sentence_that_refers_back_does_not_decide_for_the_one_that_says_it() -> None:
    claim = Claim(0, "The ferry was old.")
    for first, expected in ((0.8, "The ferry was old."), (0.3, "It was sold in 2019.")):
        stances = [(first, 0.1, 0.1), (0.9, 0.0, 0.1)]
        cited, _ = cites(lambda _, known=stances: known, Label.SUPPORTED, claim)
        assert cited.sentence == expected
