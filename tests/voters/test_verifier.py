from __future__ import annotations

import math
from dataclasses import replace

import pytest

from uhhrag.evidence.mail_threads import DENIAL
from uhhrag.records import NO_ANSWER, Claim, Evidence, Label, Origin, Source, Vote
from uhhrag.rules.rules import RULES
from uhhrag.voters.both import pooled, vote_of_reading
from uhhrag.voters.calibration import NONE, Calibration
from uhhrag.voters.opening import takes_sides
from uhhrag.voters.stances import readings
from uhhrag.voters.verifier import votes_on

CLAIM = Claim(0, "It rained.")
MAJORITY, BASELINE = RULES["majority"], RULES["baseline"]
READ = {"Wet.": (0.7, 0.1, 0.2), "Dry.": (0.1, 0.6, 0.3), "Blue.": (0.1, 0.05, 0.85)}


def entailment(pairs):
    assert all(claim == CLAIM.text for _, claim in pairs)
    return [READ[premise] for premise, _ in pairs]


def evidence(*answers: str) -> list[Evidence]:
    return [Evidence("Did it rain?", answer) for answer in answers]


def cast(entailment, pieces, rule, calibration=NONE):
    return votes_on(readings(entailment, CLAIM.text, pieces), rule, calibration)


def test_each_piece_gets_the_side_it_takes_with_its_probability_among_the_sides():
    votes = cast(entailment, evidence("Wet.", "Dry.", "Blue."), MAJORITY)
    assert [vote.label for vote in votes] == [Label.SUPPORTED, Label.REFUTED, Label.SUPPORTED]
    assert votes[0].probability == pytest.approx(7 / 8)
    assert votes[1].probability == pytest.approx(6 / 7)
    assert [vote.reply for vote in votes] == ["A", "B", "C"]
    assert votes[2].options["C"] == pytest.approx(math.log(0.85))


def test_a_rule_that_lets_votes_say_nothing_hears_it():
    votes = cast(entailment, evidence("Wet.", "Blue."), BASELINE)
    assert [vote.label for vote in votes] == [Label.SUPPORTED, Label.NOT_ENOUGH]


def test_a_question_without_an_answer_is_not_read_and_says_nothing():
    votes = cast(entailment, evidence("Wet.", NO_ANSWER), BASELINE)
    assert votes[1].label is Label.NOT_ENOUGH
    assert votes[1].reply == "C"


def test_a_passage_that_only_asks_is_not_read_and_says_nothing():
    votes = cast(entailment, evidence("Wet.", "Did it rain?"), BASELINE)
    assert votes[1].label is Label.NOT_ENOUGH


def test_a_calibration_moves_the_border_between_the_sides():
    fitted = Calibration(1.0, (0.0, 3.0))
    votes = cast(entailment, evidence("Wet."), MAJORITY, fitted)
    assert votes[0].label is Label.REFUTED


@pytest.mark.parametrize(("rule", "able"), [("majority", True), ("weighted", True), ("all", False),
                                            ("six-point", False), ("early", False)])  # fmt: skip
def test_the_verifier_votes_where_a_vote_is_on_one_piece_and_for_a_side(rule, able):
    assert takes_sides(RULES[rule]) is able


def letters(*shares: float) -> Vote:
    options = dict(zip("ABC", map(math.log, shares), strict=True))
    likeliest = max(options, key=options.__getitem__)
    return Vote(Label.REFUTED, Origin.CONSTRAINED, likeliest, 0.5, options)


def test_two_voters_count_alike_whatever_their_options_add_up_to():
    ours, theirs = letters(0.8, 0.1, 0.1), letters(0.02, 0.04, 0.04)
    (vote,) = pooled([ours], [theirs], MAJORITY, NONE)
    first, second = (0.8 * 0.2) ** 0.5, (0.1 * 0.4) ** 0.5
    assert vote.label is Label.SUPPORTED
    assert vote.probability == pytest.approx(first / (first + second))
    assert vote.options["C"] == pytest.approx(math.log(second))


def test_a_reading_is_pooled_as_a_vote_over_the_same_options():
    shares = {Label.SUPPORTED: 0.6, Label.REFUTED: 0.1, Label.NOT_ENOUGH: 0.2}
    reading = {label: math.log(shares.get(label, 0.1)) for label in Label}
    vote = vote_of_reading(reading)
    assert vote.label is Label.SUPPORTED
    assert {k: math.exp(v) for k, v in vote.options.items()} == pytest.approx(
        {"A": 0.6, "B": 0.1, "C": 0.3}
    )
    (both,) = pooled([letters(0.1, 0.3, 0.6)], [vote], MAJORITY, NONE)
    assert both.label is Label.SUPPORTED
    assert both.probability == pytest.approx(0.06**0.5 / (0.06**0.5 + 0.03**0.5))


def test_a_reply_without_probabilities_leaves_the_other_voter_alone():
    read = Vote(Label.REFUTED, Origin.READ, "B")
    ours = letters(0.8, 0.1, 0.1)
    assert pooled([ours], [read], MAJORITY, NONE) == (ours,)
    assert pooled([read], [ours], MAJORITY, NONE) == (ours,)


def test_a_passage_is_read_after_its_heading_too_once():
    def read(*sources: Source) -> str:
        seen: list[str] = []

        def entail(pairs):
            seen.extend(text for text, _ in pairs)
            return [(0.2, 0.2, 0.6)] * len(pairs)

        readings(entail, "It rains.", [replace(evidence("Wet.")[0], sources=sources)], titled=True)
        return seen[0]

    titled = Source("u", "Ferries", section="Fares")
    assert read(titled) == "Ferries. Fares. » Wet. «"
    assert read(replace(titled, section="Ferries")) == "Ferries. » Wet. «"
    assert read(Source("w"), Source("v", section="Ships"), titled) == "Ships. » Wet. «"


def test_a_passage_is_read_after_the_title_of_its_document():
    read = []

    def entailment(pairs):
        read.extend(pairs)
        return [(0.2, 0.2, 0.6)] * len(pairs)

    titled = replace(evidence("Wet.")[0], sources=(Source("u", "Rain in Lunde"),))
    for by_title in (False, True):
        pieces = (titled, *evidence("Dry."))
        readings(entailment, CLAIM.text, pieces, titled=by_title)
    texts = [text for text, _ in read]
    assert texts == ["Wet.", "Dry.", "Rain in Lunde. » Wet. «", "Dry."]


@pytest.mark.parametrize(
    ("title", "before", "expected"),
    [
        ("", "The ferry sails.", "The ferry sails. » It is old. «"),
        ("Ferries", "The ferry sails.", "Ferries. The ferry sails. » It is old. «"),
        ("Ferries", "", "Ferries. » It is old. «"),
        ("", "", "It is old."),
    ],
)
def test_a_passage_that_begins_with_a_pronoun_is_read_after_the_sentence_before_it(
    title, before, expected
):
    read = []

    def entailment(pairs):
        read.extend(text for text, _ in pairs)
        return [(0.2, 0.2, 0.6)] * len(pairs)

    sources = (Source("u", title),)
    piece = replace(evidence("It is old.")[0], before=before, sources=sources)
    readings(entailment, CLAIM.text, (piece,), titled=True)
    assert read == [expected]


def test_what_a_document_quotes_says_nothing_unless_another_says_it_itself():
    quoted, own = Source("a", quoted="A Reader"), Source("b")
    pieces = [
        replace(evidence("It leaks.")[0], sources=sources)
        for sources in ((quoted,), (own,), (quoted, own), ())
    ]
    votes = cast(lambda pairs: [(0.9, 0.05, 0.05)] * len(pairs), pieces, BASELINE)
    assert [vote.reply for vote in votes] == ["C", "A", "A", "A"]


def of_mail(reply: str, sentence: str = "Wet.") -> Evidence:
    found = replace(evidence(sentence)[0], sources=(Source("a", quoted="A Reader"),))
    return replace(found, urls=("a",), replies=(reply,))


def with_replies(pairs):
    denied = {"No.": (0.9, 0.05, 0.05), "Thanks.": (0.1, 0.8, 0.1)}
    return [denied[text] if asked == DENIAL else READ[text] for text, asked in pairs]


def test_what_a_document_takes_back_says_nothing_and_a_draft_counts():
    notes = ("takes itself back: “VOID”", "calls itself a draft: “DRAFT”", "")
    pieces = [replace(evidence("Dry.")[0], sources=(Source("a", note=one),)) for one in notes]
    stances = [one.stance for one in readings(entailment, CLAIM.text, pieces)]
    assert [stance[1] > 0.5 for stance in stances] == [False, True, True]


def test_a_quoted_mail_says_what_it_says_unless_one_of_the_replies_to_it_denies_it():
    pieces = [
        of_mail("Thanks."),
        of_mail("No."),
        replace(of_mail("No."), replies=("Thanks.", "No.")),
    ]
    votes = cast(with_replies, pieces, BASELINE)
    assert [vote.reply for vote in votes] == ["A", "C", "C"]


@pytest.mark.parametrize(("url", "reply"), [("a", "C"), ("b", "A")])
def test_a_quoted_mail_says_nothing_where_the_words_of_the_mail_that_quotes_it_do(url, reply):
    own = replace(evidence("Dry.")[0], urls=(url,), sources=(Source(url),))
    silent = replace(evidence("Blue.")[0], urls=("a",), sources=(Source("a"),))
    votes = cast(with_replies, [of_mail("Thanks."), own, silent], BASELINE)
    assert [vote.reply for vote in votes] == [reply, "B", "C"]
