"""Transcripts without times: each sentence has its speaker."""

from __future__ import annotations

import pytest

from tests.support.documents import write_docx
from uhhrag.documents.document import Document
from uhhrag.documents.office.docx import read_docx
from uhhrag.documents.plain.text import plain_document
from uhhrag.documents.web.html import read_html

TALK = """Transcript of the press conference

MARSH: The depot has cost us 36 million so far. Not a penny more.
BAINES (Courier): Your officers say 41 million.
MARSH: They are mistaken. No officer was
dismissed. It is so.
"""
SAID = (
    "Transcript of the press conference",
    "MARSH: The depot has cost us 36 million so far.",
    "MARSH: Not a penny more.",
    "BAINES (Courier): Your officers say 41 million.",
    "MARSH: They are mistaken.",
    "MARSH: No officer was dismissed.",
    "MARSH: It is so.",
)


def test_each_sentence_of_a_turn_has_its_speaker() -> None:
    assert plain_document(TALK).lines == SAID


def test_turns_of_a_word_document_have_their_speakers_too(tmp_path) -> None:
    texts = TALK.replace("was\n", "was ").splitlines()
    write_docx(tmp_path / "a.docx", list(filter(None, texts)))
    document = next(one for one in read_docx(tmp_path / "a.docx") if isinstance(one, Document))
    assert document.lines == SAID


def test_who_speaks_in_the_middle_of_a_full_paragraph_is_not_renamed() -> None:
    full = "It is the " + "long " * 12 + "road. We know it well, and so does the"
    text = (
        f"Anna Lie: {full}\nmayor. It is late.\nBo Moe: No. It is not.\nAnna Lie: {full} mayor.\n"
    )
    lines = plain_document(text).lines
    assert "Anna Lie: It is late." in lines
    assert "Bo Moe: It is not." in lines
    assert not [line for line in lines if line.count("Anna Lie: ") + line.count("Bo Moe: ") != 1]


@pytest.mark.parametrize(
    "text",
    [
        "Claim: It leaks. It is old.\n\nFact: It does not. It is new.\n\nClaim: No. It is.\n",
        "Mayor: Berg. She won.\n\nPort: Lunde. It is deep.\n\nSize: Small. It grew.\n",
        "It was a long talk. All came.\n\n" * 9
        + "Anna: Yes. No.\n\nBo: No. Yes.\n\nAnna: So. So.\n",
    ],
)
def test_labels_fields_and_prose_are_no_turns(text: str) -> None:
    names = ("Fact: It is", "Mayor: She", "Port: It is", "Anna: No.", "Claim: It is old")
    assert not [line for line in plain_document(text).lines if line.startswith(names)]


NAMED = """Talk with the board

Anna Lie
The ferry was sold. It was old.

It had been lent before.

Bo Moe, Mayor
It was not sold. It was repaired.

Anna Lie
So it was.

(They laugh.)

Cid Ree
I was there.

The pool
It is shut now, not open, in winter.

Bo Moe, Mayor
It cost 5 million. It was dear.

The board met in May.
"""


@pytest.mark.parametrize("between", ["\n", "\n\n"])
def test_what_stands_below_a_name_alone_is_said_by_it(between: str) -> None:
    text = "\n\n".join(part.replace("\n", between, 1) for part in NAMED.split("\n\n"))
    assert plain_document(text).lines == (
        "Talk with the board",
        *("Anna Lie: The ferry was sold.", "Anna Lie: It was old."),
        *("Anna Lie: It had been lent before.", "Bo Moe, Mayor: It was not sold."),
        *("Bo Moe, Mayor: It was repaired.", "Anna Lie: So it was.", "(They laugh.)"),
        *("Cid Ree: I was there.", "The pool", "It is shut now, not open, in winter."),
        *("Bo Moe, Mayor: It cost 5 million.", "Bo Moe, Mayor: It was dear."),
        "The board met in May.",
    )


def test_headings_that_do_not_recur_are_no_speakers() -> None:
    text = NAMED.replace("Anna Lie", "Fares", 1).replace("Bo Moe, Mayor", "Boats", 1)
    assert plain_document(text).lines[1:3] == ("Fares", "The ferry was sold.")


def test_each_sentence_of_a_line_of_a_chat_has_its_writer() -> None:
    text = "[10:00] <ann> It is sold. It was old.\n[10:01] <@bo> no\n[10:02] * ann nods\n"
    assert plain_document(f"{text}10:03:11 <ann> So it was. Bad.\n").lines == (
        *("[10:00] <ann> It is sold.", "<ann> It was old.", "[10:01] <@bo> no"),
        *("[10:02] * ann nods", "10:03:11 <ann> So it was.", "<ann> Bad."),
    )


def test_a_name_of_capitals_begins_a_paragraph_of_a_record() -> None:
    text = "1    Q.   What did it cost?\n2    A.   Five.  The county paid.\n"
    text += "3             MR. MOE:  Objection.\n4             THE COURT:  It is sustained.\n"
    assert plain_document(text).lines[1:] == (
        *("A. Five.", "The county paid.", "MR. MOE: Objection.", "THE COURT: It is sustained."),
    )


def test_a_name_with_its_time_is_said_of_what_stands_below_on_a_web_page(tmp_path) -> None:
    said = (("Host: (00:03)", "Will it rise?"), ("Bo Lie: (00:07)", "No. It will not rise."))
    turns = "".join(f"<p><b>{name}</b><br>{text}</p>" for name, text in said * 2)
    (tmp_path / "a.html").write_text(f"<article><h1>Talk</h1>{turns}<p>We agreed.</p></article>")
    (found,) = read_html(tmp_path / "a.html")
    turn = ("Host: Will it rise?", "Bo Lie: No.", "Bo Lie: It will not rise.")
    assert found.lines == ("Talk", *turn, *turn, "We agreed.")


def test_names_in_brackets_are_who_speaks() -> None:
    text = "[Ann Lie] Will it rise? When?\n[Bo Moe] No. It will not.\n[Ann Lie] Why is that?\n"
    assert plain_document(text).lines == (
        "[Ann Lie] Will it rise?",
        "[Ann Lie] When?",
        "[Bo Moe] No.",
        "[Bo Moe] It will not.",
        "[Ann Lie] Why is that?",
    )
