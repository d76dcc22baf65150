"""Documents that say of themselves that they are a draft, or no longer valid, and look-alikes."""

import pytest

from uhhrag.documents.document import Document
from uhhrag.documents.reader_process import _record
from uhhrag.documents.standing import standing
from uhhrag.records.pages import DRAFT, TAKEN_BACK

BACK = (
    ("Invoice 1004", "CANCELLED AND REPLACED"),
    ("Invoice 1004", "Cancelled and replaced by invoice 1005 of 3 June 2024."),
    ("Invoice 1004 (cancelled)", "To: the council"),
    ("Purchase order 77", "CANCELLED"),
    ("Framework agreement (DRAFT v1)", "Superseded."),
    ("Code of conduct", "SUPERSEDED – DO NOT USE"),
    ("Code of conduct", "Superseded by version 3 of 1 May 2024"),
    ("Code of conduct (superseded)", "It holds for all."),
    ("Bee keeping", "This document has been superseded by the guide of May 2023."),
    ("Bee keeping", "Please note: this guidance was withdrawn on 3 May 2024."),
    ("[Withdrawn] Guidance for ferries", "How to board."),
    ("Bee keeping", "THIS VERSION IS OBSOLETE"),
    ("Bee keeping", "Status: Superseded"),
    ("Bee keeping", "Document status: withdrawn"),
    ("RETRACTED: Bees and their queens", "We count bees."),
    ("RETRACTED ARTICLE: Bees and their queens", "We count bees."),
    ("Bees and their queens", "This article has been retracted at the authors’ request."),
    ("Certificate of origin", "VOID"),
    ("Terms of hire", "Null and void."),
    ("Terms of hire", "Replaced by document 12/2024."),
    ("Regulation 12", "No longer in force"),
    ("Terms of hire", "This edition is replaced by the edition of 2024."),
)
DRAFTS = (
    ("Audit of the ferry: draft for comment", "It sails."),
    ("Audit of the ferry", "Draft for comment, 5 February 2024."),
    ("Framework agreement (DRAFT v1)", "It is made between us."),
    ("Framework agreement", "Draft of 11 January 2022."),
    ("Framework agreement", "Not signed."),
    ("Minutes of 1 March 2022 (unapproved draft)", "Present: Ann Lee."),
    ("Minutes of 1 March 2022 (unapproved)", "Present: Ann Lee."),
    ("Draft minutes of the meeting of 1 March 2022", "Present: Ann Lee."),
    ("Unconfirmed minutes", "Present: Ann Lee."),
    ("DRAFT: Ferry plan", "It sails."),
    ("Ferry plan – second draft", "It sails."),
    ("Ferry plan", "DRAFT"),
    ("Ferry plan", "Draft 3"),
    ("Ferry plan", "DRAFT – NOT FOR CITATION"),
    ("Ferry plan", "Working draft, not for publication"),
    ("Ferry plan", "This is a draft and may change."),
    ("Ferry plan", "These minutes are subject to approval at the next meeting."),
    ("Ferry plan", "This report has not yet been approved by the board."),
    ("Lease of a shop", "SUBJECT TO CONTRACT"),
    ("Lease of a shop", "Unsigned copy"),
    ("Passengers in 2024", "Provisional figures"),
    ("Passengers in 2024 (provisional)", "It sails."),
    ("Draft Budget 2025/26", "We spend less."),
    ("Ferry plan", "Status: draft"),
    ("Ferry plan", "For discussion only"),
)
NEITHER = (
    ("Council news", "The draft was superseded by the agreement of 14 March."),
    ("Council news", "The council withdrew the draft."),
    ("Fair cancelled", "CANCELLED"),
    ("Summer fair 2024", "This event has been cancelled."),
    ("Notice of a meeting", "CANCELLED: meeting of 3 May"),
    ("Meeting of 3 May (cancelled)", "It was to begin at 7 pm."),
    ("Circular 12", "This circular cancels and replaces that of 3 May 2019."),
    ("Code of conduct", "Supersedes: version 2"),
    ("Code of conduct", "This version replaces all earlier ones."),
    ("Voucher", "Void where prohibited."),
    ("Certificate", "This certificate is void if altered."),
    ("Draft report warns of floods", "The coast is at risk."),
    ("Draft law passes committee", "It was a close vote."),
    ("Draft: the best beers of the north", "We tried nine."),
    ("Draft horses of Lunde", "They are strong."),
    ("Withdrawn standards", "A list of those of 2023."),
    ("Superseded products", "A list of those of 2023."),
    ("Planning application 12/2024", "Status: Withdrawn"),
    ("Press release", "For comment, call the press office."),
    ("Ferry plan", "Comments on the draft are welcome until May."),
    ("Ferry plan", "It was approved, not signed, by the mayor."),
    ("The old bridge", "Replaced by a tunnel in 1932."),
    ("The old bridge", "This bridge was replaced by a tunnel."),
    ("Cancelled flights", "What are my rights?"),
    ("Ferry plan", "An earlier draft was withdrawn."),
    ("Provisional licences", "How to apply for one."),
    ("Red Rum (withdrawn)", "Odds are 7 to 2."),
    ("Ferry plan", "The plan is void of detail."),
    ("Minutes of 10 May", "The minutes of 1 March were approved."),
    ("Timetable", "The 7.40 is cancelled on Sundays."),
)


@pytest.mark.parametrize(
    ("lines", "kind"),
    [(one, kind) for some, kind in ((BACK, TAKEN_BACK), (DRAFTS, DRAFT)) for one in some],
)
def test_a_document_says_what_it_is(lines: tuple[str, str], kind: str) -> None:
    assert standing(*lines[:1], lines).partition(":")[0] == kind


@pytest.mark.parametrize("lines", NEITHER)
def test_words_about_something_else_do_not_count(lines: tuple[str, str]) -> None:
    assert standing(lines[0], lines) == ""


def test_a_mail_about_a_draft_is_none() -> None:
    assert standing("Draft agreement", ["From: Ann Lee", "DRAFT", "It is superseded."]) == ""


def test_only_first_lines_count() -> None:
    assert standing("Rules", [*["It sails."] * 8, "SUPERSEDED"]) == ""


def test_the_note_of_a_document_says_so_beside_others() -> None:
    lines = ("Invoice 1004", "CANCELLED AND REPLACED", "Meters: 6,600")
    read = _record(Document(lines, note="with tracked changes"), "a.docx")
    assert read["note"] == "with tracked changes; takes itself back: “CANCELLED AND REPLACED”"
    assert "note" not in _record(Document(lines[::2]), "a.docx")
    assert "note" not in _record(Document(lines, unit="row"), "a.csv")
