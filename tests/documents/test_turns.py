"""Transcripts without times: each sentence has its speaker."""

from __future__ import annotations

import pytest

from tests.support.documents import write_docx
from uhhrag.documents.document import Document
from uhhrag.documents.docx import read_docx
from uhhrag.documents.text import plain_document

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
