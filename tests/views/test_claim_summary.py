"""The head of a claim's page: what it says first, and on which side each piece stands."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import docx
import pytest

from tests.support.pages import Page, claim_view, evidence, run_view, vote
from uhhrag.evidence.steps import constant_question
from uhhrag.exports import tables
from uhhrag.exports.docx_export import as_docx
from uhhrag.records import Label, Origin, Source, Verdict, Vote
from uhhrag.rules.rules import LABEL_OPTIONS
from uhhrag.runs.run_folder import SEARCHED, read_part, write_part
from uhhrag.text.repetition import QUOTES, REPEATS
from uhhrag.views import html_pages
from uhhrag.views.claim_row import row_of
from uhhrag.views.claim_summary import (
    deciding_piece,
    near_even,
    scored_sentence,
    summary_of,
    verdict_sentence,
)
from uhhrag.views.review import PieceSide, Review
from uhhrag.views.run_view import ClaimView
from uhhrag.views.searched import Documents
from uhhrag.views.verdict_text import show

SILENT = replace(vote(Label.REFUTED, 0.55), reply="C")
TEXTS = ("It rained in May.", "It was dry.", "Rain fell.", "Snow is white.", "It poured.")
VOTES = (
    vote(Label.SUPPORTED, 0.7),
    vote(Label.REFUTED, 0.8),
    vote(Label.SUPPORTED, 0.9),
    SILENT,
    vote(Label.REFUTED, 0.55),
)


def decided(**more: object) -> ClaimView:
    items = tuple(evidence(text) for text in TEXTS)
    parts = {"evidence": items, "votes": VOTES, **more}
    verdict = replace(claim_view().verdict, **parts)
    return replace(claim_view(), verdict=verdict)


def test_pieces_stand_by_their_side_that_of_the_verdict_first_and_keep_their_numbers():
    summary = summary_of(decided())
    pieces = [(group.title, [piece.number for piece in group.pieces]) for group in summary.groups]
    assert pieces == [("Against", [2, 5]), ("For", [3, 1]), ("Says nothing", [4])]
    assert [(side.title, side.pieces[0].item.answer) for side in summary.strongest] == [
        ("Strongest against", "It was dry."),
        ("Strongest for", "Rain fell."),
    ]


def test_after_the_surest_piece_those_nearest_to_the_claim_come_first():
    verdict = decided().verdict
    sides = [VOTES[1], VOTES[1], replace(VOTES[1], probability=0.99), SILENT, SILENT]
    near = [0.5, 0.9, 0.1, 0.2, 0.8]
    pairs = zip(verdict.evidence, near, strict=True)
    items = tuple(replace(item, retrieval_score=score) for item, score in pairs)
    view = replace(decided(), verdict=replace(verdict, evidence=items, votes=tuple(sides)))
    pieces = {g.title: [piece.number for piece in g.pieces] for g in summary_of(view).groups}
    assert pieces == {"Against": [3, 2, 1], "Says nothing": [5, 4]}


def test_a_probability_stands_only_on_the_side_of_its_vote():
    review = Review(Label.SUPPORTED, marks={1: PieceSide.SUPPORTS}, reviewer="Ada")
    view = replace(decided(), review=review)
    strongest = {side.title: side.pieces[0] for side in summary_of(view).strongest}
    piece = strongest["Strongest for"]
    assert (piece.number, piece.moved) == (2, True)
    page = Page(html_pages.report(run_view(view))).text()
    assert "Piece 2 , by the reviewer’s mark" in page
    assert "Piece 2 , 0.80" not in page


@pytest.mark.parametrize(
    ("label", "for_it", "against", "sentence"),
    [
        (Label.REFUTED, 6, 1, "Refuted by 1 of 7 pieces (piece 7); 6 for it."),
        (Label.SUPPORTED, 1, 2, "Supported by 1 of 3 pieces (piece 1); 2 against it."),
        (Label.SUPPORTED, 3, 0, "Supported by 3 of 3 pieces (above all piece 1)."),
        (Label.REFUTED, 2, 0, "Refuted, though none of 2 pieces says so alone; 2 for it."),
        (Label.NOT_ENOUGH, 1, 1, "Not Enough Evidence: of 2 pieces 1 for it and 1 against it."),
        (Label.NOT_ENOUGH, 0, 0, "Not Enough Evidence: no piece takes a side."),
    ],
)
def test_no_headline_contradicts_its_counts(label, for_it, against, sentence):
    votes = tuple(
        vote(side, 0.9) for side in [Label.SUPPORTED] * for_it + [Label.REFUTED] * against
    )
    votes = votes or (vote(Label.NOT_ENOUGH, 0.9),) * 3
    items = tuple(decided().verdict.evidence[0] for _ in votes)
    probabilities = {one: 0.9 if one is label else 0.03 for one in Label}
    verdict = replace(
        decided().verdict, label=label, votes=votes, evidence=items, probabilities=probabilities
    )
    assert verdict_sentence(replace(decided(), verdict=verdict)).startswith(sentence)


def written(label: Label, origin: Origin = Origin.READ) -> Vote:
    """Without a probability."""
    return Vote(label, origin, "The claim says: ...")


DEFAULT = written(Label.REFUTED, Origin.DEFAULTED)
READ = written(Label.REFUTED)
UNSURE = written(Label.NOT_ENOUGH, Origin.DEFAULTED)


@pytest.mark.parametrize(
    ("votes", "sentence"),
    [
        ((DEFAULT,) * 3, "Refuted by default: none of 3 replies could be read."),
        ((DEFAULT,), "Refuted by default: the only reply could not be read."),
        ((UNSURE,), "Not Enough Evidence by default: the only reply could not be read."),
        ((READ,) * 3, "Refuted by 3 of 3 pieces."),
        ((READ, UNSURE), "Refuted by 1 of 2 pieces (piece 1); 1 without a side; 1 of 2 votes by "
         "default, for want of a readable reply."),
        ((DEFAULT, vote(), vote()), "Refuted by 3 of 3 pieces (above all piece 2); 1 of 3 votes by "
         "default, for want of a readable reply."),
        ((), "Not Enough Evidence: the approach reaches no verdict of its own, and no vote was "
         "cast."),
    ],
)  # fmt: skip
def test_what_nobody_voted_is_not_told_as_a_vote(votes, sentence):
    label = Label.REFUTED if votes and votes[0] != UNSURE else Label.NOT_ENOUGH
    items = decided().verdict.evidence[: len(votes) or 5]
    view = decided(
        label=label, votes=votes, evidence=items, vote_per_piece=len(votes) == len(items)
    )
    assert scored_sentence(view.verdict).removesuffix(" Confidence 0.80.") == sentence
    assert verdict_sentence(view) == scored_sentence(view.verdict)
    assert sentence in summary_of(view).sentence
    assert sentence in Page(html_pages.report(run_view(view))).text()
    assert sentence in " ".join(show(view.verdict).split())


def test_a_reply_that_could_not_be_read_decides_nothing():
    view = decided(votes=(DEFAULT,) * 5)
    assert (deciding_piece(view), summary_of(view).strongest) == (None, ())
    view = decided(votes=(*(DEFAULT,) * 4, READ))
    assert deciding_piece(view).number == 5


def test_one_vote_over_everything_says_how_many_of_its_samples_could_not_be_read():
    view = decided(votes=(READ, UNSURE, READ), vote_per_piece=False)
    assert verdict_sentence(view) == (
        "Refuted, judged from 5 pieces of evidence together; 1 of 3 votes by default, for want of "
        "a readable reply."
    )


def test_a_question_stands_once():
    asked = [piece.asked for group in summary_of(decided()).groups for piece in group.pieces]
    assert asked == ["Did it rain?", "", "", "", ""]


def test_the_sentence_counts_the_sides_and_says_its_doubt():
    assert verdict_sentence(decided()) == (
        "Unclear, leans refuted by 2 of 5 pieces (above all piece 2); 2 for it and 1 without a "
        "side; the rule takes each at its likelier side: 3 refuted, 2 supported; 2 of 5 votes are "
        "near even. Confidence 0.46, more likely wrong than right."
    )
    verdict = decided().verdict
    two = replace(verdict, votes=(VOTES[1], VOTES[4]), evidence=verdict.evidence[:2])
    assert "; 1 of 2 votes is near even." in verdict_sentence(replace(decided(), verdict=two))
    leaning = decided(label=Label.NOT_ENOUGH, leaning=Label.REFUTED)
    assert verdict_sentence(leaning).startswith("Unclear, leans refuted by 2")


def sure(*probabilities: float) -> Verdict:
    """Refuted by a vote of each probability."""
    votes = tuple(vote(Label.REFUTED, probability) for probability in probabilities)
    return replace(decided().verdict, votes=votes, evidence=decided().verdict.evidence[:1])


@pytest.mark.parametrize(
    ("probability", "doubt"),
    [
        (0.36, "0.36, more likely wrong than right."),
        (0.496, "0.50, hardly more likely right than wrong."),
        (0.59, "0.59, hardly more likely right than wrong."),
        (0.6, "0.60."),
    ],
)
def test_a_doubtful_confidence_is_told_as_what_it_is(probability, doubt):
    view = replace(decided(), verdict=sure(probability))
    assert verdict_sentence(view).endswith(f" Confidence {doubt}")


def test_a_learned_verdict_of_a_low_share_is_told_as_what_it_is_too():
    shares = dict.fromkeys(Label, 0.2) | {Label.REFUTED: 0.4}
    view = replace(decided(), verdict=replace(sure(0.9), probabilities=shares))
    assert verdict_sentence(view).endswith(" Confidence 0.40, more likely wrong than right.")


def test_people_are_shown_unclear_where_the_label_that_is_scored_has_the_same_counts():
    verdict = decided().verdict
    shown, scored = verdict_sentence(decided()), scored_sentence(verdict)
    assert shown.replace("Unclear, leans refuted", "Refuted") == scored
    assert scored.startswith("Refuted by 2 of 5 pieces (above all piece 2); 2 for it and 1 ")
    leaning = replace(verdict, label=Label.NOT_ENOUGH, leaning=Label.REFUTED)
    assert scored_sentence(leaning).startswith(
        "Not Enough Evidence: of 5 pieces 2 for it, 2 against it and 1 without a side; the rule"
    )


def test_sides_are_counted_as_the_rule_takes_them_only_if_it_gives_silent_votes_one():
    silent = replace(SILENT, label=Label.NOT_ENOUGH)
    votes = tuple(silent if one is SILENT else one for one in VOTES)
    assert "the rule takes" not in verdict_sentence(decided(votes=votes))
    sided = tuple(one for one in VOTES if one is not SILENT)
    items = decided().verdict.evidence[:4]
    assert "the rule takes" not in verdict_sentence(decided(votes=sided, evidence=items))


def test_without_evidence_the_sentence_says_so():
    bare = Verdict(claim_view().claim, Label.NOT_ENOUGH, (), ())
    assert "nothing that was searched" in verdict_sentence(ClaimView(bare.claim, bare))
    assert summary_of(ClaimView(bare.claim, bare)).groups == ()


def test_the_question_that_is_asked_of_every_claim_is_not_shown():
    view = decided()
    same = tuple(replace(e, question=constant_question(view.claim)) for e in view.verdict.evidence)
    view = replace(view, verdict=replace(view.verdict, evidence=same))
    assert {piece.asked for group in summary_of(view).groups for piece in group.pieces} == {""}
    assert "What do reliable sources say" not in Page(html_pages.report(run_view(view))).text()


def test_a_vote_that_says_nothing_leans_to_a_side_or_nowhere():
    for label, leans in ((Label.REFUTED, True), (Label.NOT_ENOUGH, False)):
        votes = (replace(SILENT, label=label),) * len(VOTES)
        view = replace(decided(), verdict=replace(decided().verdict, votes=votes))
        shown = Page(html_pages.report(run_view(view))).text()
        assert ("says nothing leans refuted" in shown) is leans
        assert "leans not enough" not in shown


def test_words_that_a_document_quotes_take_no_side():
    told = (Source("file:a.eml", author="Press Office", quoted="A Reader"),)
    items = tuple(replace(item, sources=told) for item in decided().verdict.evidence)
    votes = (replace(SILENT, label=Label.NOT_ENOUGH),) * len(VOTES)
    view = replace(decided(), verdict=replace(decided().verdict, evidence=items, votes=votes))
    shown = Page(html_pages.report(run_view(view))).text()
    assert shown.count("No side: quoted words") == len(VOTES)
    assert "The vote was read from" not in shown
    assert "What the model gave each answer" not in shown


def test_one_vote_over_everything_has_no_sides_and_no_coin():
    cast = Vote(Label.CONFLICTING, VOTES[0].origin, "D", 0.4, meanings=LABEL_OPTIONS)
    together = replace(decided().verdict, votes=(cast,), vote_per_piece=False)
    summary = summary_of(replace(decided(), verdict=together))
    assert [(group.title, len(group.pieces)) for group in summary.groups] == [("Evidence", 5)]
    assert (summary.strongest, near_even(cast)) == ((), False)
    assert "5 pieces of evidence together" in summary.sentence


def test_a_page_begins_with_the_answer_and_ends_with_what_was_searched():
    documents = Documents(2, 3, 1200, {"scan.pdf": "has no text"}, 4, {".doc": 3, ".zip": 1})
    documents = replace(documents, partly={"a.eml": "1 attachment is not read"})
    run = run_view(decided(removed={"date": 12}), documents=documents)
    shown = Page(html_pages.report(run)).text()
    places = [
        shown.index(text)
        for text in (
            "Unclear, leans refuted by 2 of 5 pieces",
            "Strongest against The year was dry. It was dry.",  # "it" is said
            "Strongest for Rain fell.",
            "Against 2",
            "For 2",
            "Says nothing 1",
            "What was searched 1,200 sentences of 3 documents in 2 files.",
            "Could not be read: scan.pdf : has no text",
            "Read in part: a.eml : 1 attachment is not read",
            "Left out: 4 files (removed, links, or of kinds that are not read: 3 .doc, 1 .zip).",
            "12 passages of documents dated after the last day allowed were left out.",
            "Figures of the run",
        )
    ]
    assert places == sorted(places)


def test_a_persons_verdict_is_the_badge_and_is_what_counts():
    review = Review(Label.SUPPORTED, (), "", "2026-01-01T10:00:00")
    view = decided()
    assert (replace(view, review=review).label, view.label) == (Label.SUPPORTED, "Unclear")
    run = run_view(replace(view, review=review))
    assert run.mix()[Label.SUPPORTED] == 1
    shown = Page(html_pages.report(run)).text()
    assert "supported machine: unclear, leans refuted 0.46" in shown
    assert "The reviewer’s verdict: supported. The machine’s: Unclear, leans refuted by" in shown
    marks = dict.fromkeys(range(5), PieceSide.SUPPORTS)  # the machine's verdict stays by its votes
    marked = replace(view, review=replace(review, marks=marks))
    assert verdict_sentence(marked) == verdict_sentence(view)
    assert [len(group.pieces) for group in summary_of(marked).groups] == [5]
    stale = replace(view, review=replace(review, stale=True))
    assert (stale.label, run_view(stale).mix()["Unclear"]) == ("Unclear", 1)
    assert run_view(stale).mix()[Label.REFUTED] == 0


def test_a_run_folder_says_what_was_searched(tmp_path):
    documents = Documents(2, 3, 40, {"scan.pdf": "has no text"}, 4, {".csv": 4})
    file = tmp_path / SEARCHED
    assert read_part(file, Documents) is None
    write_part(file, documents)
    assert read_part(file, Documents) == documents


def test_the_deciding_piece_is_the_surest_on_the_verdicts_side():
    assert deciding_piece(decided()).number == 2
    assert deciding_piece(decided(label=Label.NOT_ENOUGH)) is None
    verdict = decided().verdict
    items = [replace(one, urls=(f"https://{n}.example",)) for n, one in enumerate(verdict.evidence)]
    view = replace(decided(), verdict=replace(verdict, evidence=tuple(items)))
    (row,) = csv.DictReader(io.StringIO(tables.as_csv(run_view(view))))
    assert (row["first_url"], row["deciding_url"]) == ("https://0.example", "https://1.example")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Heavily it rained in May.", (0, 0)),
        ("Rain fell!", (2, 1)),  # a page has the strongest twice
        ("“It rained in May”, says somebody who was there.", (1, 1)),
    ],
)
def test_that_a_piece_has_words_of_the_claim_is_said_on_the_page_and_in_word(text, told):
    view = decided()
    claim = replace(view.claim, text=text)
    view = replace(view, claim=claim, verdict=replace(view.verdict, claim=claim))
    word = docx.Document(io.BytesIO(as_docx(run_view(view))))
    shown = Page(html_pages.report(run_view(view))).text()
    written = "\n".join(one.text for one in word.paragraphs)
    said = QUOTES if "“" in text else REPEATS
    assert tuple(one.count(said) for one in (shown, written)) == told


OWN = Source("file:reply.eml", author="Press Office, Hill Trust")


@pytest.mark.parametrize(
    ("votes", "sources", "speaker", "said"),
    [
        (
            (Label.SUPPORTED, Label.REFUTED),
            (OWN, replace(OWN, author="A. Finch")),
            "Press Office",
            True,
        ),
        ((Label.SUPPORTED, Label.SUPPORTED), (OWN, OWN), "The press office", True),
        (
            (Label.SUPPORTED, Label.SUPPORTED),
            (OWN, replace(OWN, quoted="A. Finch")),
            "Press Office",
            False,
        ),
        (
            (Label.SUPPORTED, Label.REFUTED),
            (replace(OWN, author="A. Finch"), OWN),
            "Press Office",
            False,
        ),
        ((Label.SUPPORTED, Label.REFUTED), (replace(OWN, author=""), OWN), "Press Office", False),
        ((Label.SUPPORTED, Label.SUPPORTED), (OWN, OWN), None, False),
        ((Label.REFUTED, Label.REFUTED), (OWN, OWN), "Press Office", False),
    ],
)
def test_that_only_the_speakers_own_words_support_a_claim_is_said_with_the_verdict(
    votes, sources, speaker, said
):
    view = claim_view(label=votes[0])
    claim = replace(view.claim, speaker=speaker)
    items = tuple(evidence(one.url, urls=(one.url,), sources=(one,)) for one in sources)
    cast = tuple(vote(label, 0.9) for label in votes)
    verdict = replace(view.verdict, claim=claim, evidence=items, votes=cast, label=votes[0])
    view = replace(view, claim=claim, verdict=verdict)
    sentence = " Only the speaker’s own words support it."
    assert (view.only_speaker, row_of(view).only_speaker) == (said, said)
    assert (sentence in verdict_sentence(view)) == said
    page = Page(html_pages.report(run_view(view))).text()
    assert (page.lower().count(sentence.strip(" .").lower()) >= 2) == said
    denied = replace(view, review=Review(Label.REFUTED, reviewer="Ada"))
    page = Page(html_pages.report(run_view(denied))).text()
    assert page.lower().count(sentence.strip(" .").lower()) == said  # the machine's alone
    (row,) = csv.DictReader(io.StringIO(tables.as_csv(run_view(view))))
    assert (row["only_speaker"], tables.claim_object(view)["only_speaker"]) == (str(said), said)


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (["“It fell every year,” Mr Caddick said."], "Mr Caddick"),
        (
            ["“It fell every year,” Mr Caddick said.", 'Martin Caddick added: "It fell."'],
            "Mr Caddick",
        ),
        (["“It fell every year,” Mr Caddick said.", "It fell from 9 to 4."], ""),
        (["“It fell every year,” Mr Caddick said.", "“It fell,” said Ada Lie."], ""),
        (["Mr Caddick said that it fell."], ""),
    ],
)
def test_that_one_persons_quoted_words_alone_support_a_claim_is_said(texts, said):
    view = claim_view(label=Label.SUPPORTED)
    items = tuple(evidence(text, urls=(OWN.url,), sources=(OWN,)) for text in texts)
    cast = tuple(vote(Label.SUPPORTED, 0.9) for _ in texts)
    verdict = replace(view.verdict, evidence=items, votes=cast, label=Label.SUPPORTED)
    view = replace(view, verdict=verdict)
    told = f" Only words of {said}, in quotation marks, support it."
    assert view.only_quoted == said
    assert (told in verdict_sentence(view)) == bool(said)
