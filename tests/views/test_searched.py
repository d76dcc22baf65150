"""What a claim's answer says of what was not found, one true thing with its headline."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from tests.support.pages import Page, claim_view, evidence, run_view, vote
from uhhrag.exports import tables
from uhhrag.records import Label, Source
from uhhrag.records.pages import DRAFT, TAKEN_BACK
from uhhrag.views import html_pages
from uhhrag.views.answer import answer_of, show_answer
from uhhrag.views.claim_summary import summary_of, verdict_sentence
from uhhrag.views.review import PieceSide, Review
from uhhrag.views.run_view import ClaimView
from uhhrag.views.searched import Documents, not_found, unread_notes

SAYS = "is read most likely as saying nothing for or against the claim"
QUOTED = (Source("file:a.eml", quoted="The mayor"),)
VOID = (Source("file:a.pdf", note=f"{TAKEN_BACK}: “SUPERSEDED”"),)


def silent(refutes: float = 0.2):
    """Of three options the last means that the evidence says nothing."""
    shares = {"A": 0.5 - refutes, "B": refutes, "C": 0.5}
    options = {option: math.log(share) for option, share in shares.items()}
    meanings = {"A": Label.SUPPORTED, "B": Label.REFUTED, "C": None}
    like = vote(Label.NOT_ENOUGH, 0.9)
    return replace(like, reply="C", options=options, meanings=meanings)


def view_of(label: Label, *pieces: tuple[float, bool, float], leaning: Label | None = None):
    """A verdict over pieces: similarity, whether quoted, what its vote gives to Refuted."""
    items = tuple(
        replace(evidence(f"Piece {n}."), retrieval_score=near, sources=QUOTED if quoted else ())
        for n, (near, quoted, _) in enumerate(pieces)
    )
    votes = tuple(silent(refutes) for _, _, refutes in pieces)
    base = claim_view().verdict
    probabilities = {**dict.fromkeys(Label, 0.3), label: 0.7}
    verdict = replace(base, label=label, leaning=leaning, evidence=items, votes=votes)
    return replace(claim_view(), verdict=replace(verdict, probabilities=probabilities))


def told(view: ClaimView) -> tuple[str, list[str]]:
    return verdict_sentence(view).partition(". Confidence")[0], not_found(view.verdict, None)


@pytest.mark.parametrize(
    ("pieces", "headline", "notes"),
    [
        (
            [(0.9, False, 0.2), (0.5, False, 0.2)],
            "Not Enough Evidence: no piece takes a side",
            [f"each passage {SAYS}"],
        ),
        (
            [(0.9, True, 0.2), (0.5, False, 0.2)],
            "Not Enough Evidence: no piece takes a side; the nearest piece is quoted and was not "
            "voted on",
            [f"the nearest passage is quoted and was not voted on; each other passage {SAYS}"],
        ),
        (
            [(0.9, True, 0.2), (0.5, False, 0.2), (0.4, True, 0.2)],
            "Not Enough Evidence: no piece takes a side; 2 of 3 pieces, the nearest among them, "
            "are quoted and were not voted on",
            [
                "2 of 3 passages, the nearest among them, are quoted and were not voted on; each "
                f"other passage {SAYS}"
            ],
        ),
        (
            [(0.9, False, 0.2), (0.5, True, 0.2)],
            "Not Enough Evidence: no piece takes a side; 1 of 2 pieces is quoted and was not "
            "voted on",
            [f"1 of 2 passages is quoted and was not voted on; each other passage {SAYS}"],
        ),
        (
            [(0.9, True, 0.2)],
            "Not Enough Evidence: the only piece is quoted and was not voted on",
            ["the only passage is quoted and was not voted on"],
        ),
    ],
)
def test_quoted_words_that_were_not_voted_on_are_not_said_to_say_nothing(pieces, headline, notes):
    assert told(view_of(Label.NOT_ENOUGH, *pieces)) == (headline, notes)


def test_a_label_that_no_piece_has_alone_names_the_nearest_and_nothing_denies_it():
    pieces = [(0.9, False, 0.3), (0.8, True, 0.1), (0.5, False, 0.4)]
    headline = (
        "though none of 3 pieces says so alone: piece 3 comes nearest; 2 without a side and 1 "
        "quoted and not voted on"
    )
    assert told(view_of(Label.REFUTED, *pieces)) == (f"Refuted, {headline}", [])
    leans = view_of(Label.NOT_ENOUGH, *pieces, leaning=Label.REFUTED)
    assert told(leans) == (f"Unclear, leans refuted, {headline}", [])


def test_quoted_pieces_are_a_group_of_their_own_until_a_person_marks_them():
    view = view_of(Label.NOT_ENOUGH, (0.9, True, 0.2), (0.5, False, 0.2))
    groups = {group.title: [p.number for p in group.pieces] for group in summary_of(view).groups}
    assert groups == {"Says nothing": [2], "Quoted, not voted on": [1]}
    page = Page(html_pages.report(run_view(view))).text()
    assert "Says nothing 1" in page
    assert "Quoted, not voted on 1" in page
    assert "the nearest piece is quoted and was not voted on" in page
    assert view.unasked == 1
    marked = replace(view, review=Review(marks={0: PieceSide.NOTHING}, reviewer="Ada"))
    assert [group.title for group in summary_of(marked).groups] == ["Says nothing"]
    assert marked.unasked == 0


def test_up_to_eight_files_that_could_not_be_read_are_named():
    about = Documents(9, 9, 90, dict.fromkeys(["a", "b", "c", "d"], "is empty"), 0)
    assert unread_notes(about) == ["4 files could not be read: a, b, c, d"]
    many = replace(about, unread=dict.fromkeys("abcdefghi", "is empty"))
    assert unread_notes(many) == ["9 files could not be read: a, b, c, d, e, f, g, h, …"]


def test_why_a_file_was_read_in_part_is_told_for_a_few_in_a_line_each():
    why = {
        "costs.xlsx": "hidden and not read: sheet Savings",
        "slides.pptx": "1 slide is hidden and not read: 3",
        "scan.pdf": "a part is left out; " * 20,
    }
    about = Documents(9, 9, 90, {}, 0, partly=why)
    first, second, long = unread_notes(about)
    assert first == "read in part: costs.xlsx: hidden and not read: sheet Savings"
    assert second == "read in part: slides.pptx: 1 slide is hidden and not read: 3"
    assert (len(long) < 200, long.endswith(" …")) == (True, True)
    more = replace(about, partly={**why, "d.csv": "1 row is cut", "e.csv": "1 row is cut"})
    assert unread_notes(more)[3:] == ["2 more files read in part: d.csv, e.csv"]


def test_pieces_of_a_document_that_takes_itself_back_are_told_apart_with_its_words():
    view = view_of(Label.NOT_ENOUGH, (0.9, False, 0.2), (0.5, True, 0.2), (0.4, True, 0.2))
    first, second, third = view.verdict.evidence
    items = (replace(first, urls=("file:a.pdf",), sources=VOID), second, third)
    view = replace(view, verdict=replace(view.verdict, evidence=items))
    assert told(view)[0] == (
        "Not Enough Evidence: each piece is quoted or taken back and was not voted on"
    )
    groups = {group.title: [p.number for p in group.pieces] for group in summary_of(view).groups}
    assert groups == {"Quoted, not voted on": [2, 3], "Taken back, not voted on": [1]}
    page = Page(html_pages.report(run_view(view))).text()
    assert page.count("No side: it takes itself back") == 1
    assert "takes itself back: “SUPERSEDED”" in page
    shown = show_answer(answer_of(view, {"signature": "x"}, Documents(1, 1, 3, {}, {})))
    assert "1. No side: it takes itself back" in shown
    assert "takes itself back: “SUPERSEDED”" in shown
    assert "takes itself back: “SUPERSEDED”" in tables.as_votes(run_view(view))


def test_the_summary_says_if_only_a_draft_decides():
    note = f"{DRAFT}: “Not signed.”"
    drafts = (replace(evidence("A."), sources=(Source("file:a.docx", note=note),)), evidence("B."))
    votes = (vote(Label.SUPPORTED, 0.9), silent())
    base = claim_view()
    verdict = replace(base.verdict, label=Label.SUPPORTED, evidence=drafts, votes=votes)
    only = "Only documents that call themselves a draft say so."
    assert only in verdict_sentence(replace(base, verdict=verdict))
    both = replace(verdict, votes=(votes[0], vote(Label.SUPPORTED, 0.9)))
    assert only not in verdict_sentence(replace(base, verdict=both))
