"""A draft: its paragraphs, its claims, and what cannot be one."""

from __future__ import annotations

import zipfile
from email.message import EmailMessage

import docx
import pytest

from tests.support.documents import LONG, write_docx, write_html, write_pdf
from uhhrag.documents import draft
from uhhrag.documents.draft import numbered, read_draft
from uhhrag.errors import InputError

pytestmark = pytest.mark.slow

TEXT = """The ferry terminal

The terminal opened on 12 May 2023. It cost 32 million euros.

Will the ships be full? We must build more.
"""


@pytest.fixture
def read(nltk_loaded):
    return read_draft


def test_a_text_has_its_paragraphs_and_its_claims(read, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(TEXT)
    found = read(file)
    assert [len(paragraph) for paragraph in found.paragraphs()] == [1, 2, 2]
    assert [one.text for one in found.claims] == ["The terminal opened on 12 May 2023."]
    assert [one.why for one in found.sentences[2:]] == [
        "does not say who or what “It” is",
        "a question",
        "a wish or a demand",
    ]
    assert (found.name, found.language) == ("a.txt", "")


def test_word_html_and_pdf_have_paragraphs_too(read, tmp_path):
    word = read(write_docx(tmp_path / "a.docx", ["It rained. It poured.", "The sun came out."]))
    assert [len(paragraph) for paragraph in word.paragraphs()] == [2, 1]
    page = read(write_html(tmp_path / "a.html"))
    assert page.title == "Harbour dredged"
    assert [len(paragraph) for paragraph in page.paragraphs()] == [1, 2, 1]
    pdf = read(write_pdf(tmp_path / "a.pdf", [["It rained all day long in Varnby."]]))
    assert [one.text for one in pdf.sentences] == ["It rained all day long in Varnby."]


def test_claims_are_numbered_and_dated(read, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(TEXT)
    found = numbered(read(file), "2023-06-01", "The mayor")
    assert [one.check for one in found.sentences] == [None, 0, None, None, None]
    assert {(one.date, one.speaker) for one in found.claims} == {("2023-06-01", "The mayor")}
    assert found.sentences[0].date is None


def test_what_is_attached_to_a_mail_is_named_as_not_looked_at(read, tmp_path):
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "Ada <ada@a.example>", "The terminal"
    mail.set_content("The terminal opened on 12 May 2023.")
    mail.add_attachment("It cost 32 million euros.", filename="cost.txt")
    (tmp_path / "a.eml").write_bytes(bytes(mail))
    found = read(tmp_path / "a.eml")
    assert [one.text for one in found.claims] == ["The terminal opened on 12 May 2023."]
    assert found.partly == "what is attached to it is not looked at"


def test_a_draft_in_another_language_says_so(read, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text("Der Fährhafen wurde im Mai eröffnet. Die Kosten waren sehr hoch.")
    found = read(file)
    assert (found.language, found.claims) == ("German", ())
    assert all("not English" in one.why for one in found.sentences)


@pytest.mark.parametrize("name", ["a.docx", "a.doc", "a.exe"])
def test_a_missing_file_is_said_to_be_missing_whatever_its_ending(read, tmp_path, name):
    with pytest.raises(InputError, match="cannot be read: No such file or directory; give"):
        read(tmp_path / name)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.jsonl", b"{}", "is read as a document, not as a draft; add it to the documents"),
        ("a.jpg", b"{}", "is read as a document, not as a draft; add it to the documents"),
        ("a.exe", b"MZ", "is of no kind that is read"),
        ("a.pages", b"PK", "export it as .docx or PDF"),
        ("a.txt", b"", "is empty"),
        ("a.pdf", b"no pdf", "is text; rename it .txt"),
        ("a.docx", b"PK\x03\x04 no", "is not a Word document"),
        ("a.docx", b"", "is empty"),
    ],
)
def test_what_is_no_draft_is_refused_in_one_line(read, tmp_path, name, content, why):
    file = tmp_path / name
    file.write_bytes(content)
    with pytest.raises(InputError, match=why) as refused:
        read(file)
    assert "\n" not in str(refused.value)


def test_what_is_too_large_or_a_folder_is_refused(read, tmp_path, monkeypatch):
    file = tmp_path / "a.txt"
    file.write_text(LONG)
    monkeypatch.setattr(draft, "MAX_DRAFT_BYTES", 20)
    with pytest.raises(InputError, match="a draft may have 20"):
        read(file)
    (tmp_path / "b.txt").mkdir()
    with pytest.raises(InputError, match="is a folder; give the file of a draft here"):
        read(tmp_path / "b.txt")
    with pytest.raises(InputError, match="a folder of documents by --docs"):
        read(tmp_path)
    with pytest.raises(InputError, match="cannot be read"):
        read(tmp_path / "c.txt")


def test_an_archive_that_would_fill_the_memory_is_refused(read, tmp_path):
    file = tmp_path / "a.docx"
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/document.xml", b"\0" * 2**27)
    with pytest.raises(InputError, match="would unpack to"):
        read(file)


def test_headings_and_rows_are_known(read, tmp_path):
    table = "<table><tr><th>Item<th>2023<tr><td>Trams<td>42</table>"
    file = tmp_path / "a.html"
    file.write_text(f"<h1>Depot</h1><p>It rained a lot.</p><h2>Costs</h2>{table}<p>It is so.</p>")
    found = read(file)
    assert (found.headings, found.rows) == (((0, 1), (2, 2)), (3, 4))
    text = tmp_path / "a.txt"
    text.write_text(TEXT)
    assert (read(text).headings, read(text).rows) == (((0, 1),), ())


HEADLINE, BELOW = "The Trust paid 7.9 million pounds for nothing", "The Trust bought 240 machines."


def test_the_headline_of_a_draft_is_no_claim_but_a_heading(read, tmp_path):
    word = docx.Document()
    for text, style in ((HEADLINE, "Title"), (BELOW, "Normal"), ("They are old.", "Normal")):
        word.add_paragraph(text, style)
    word.save(tmp_path / "a.docx")
    (tmp_path / "a.txt").write_text(f"{HEADLINE}\n\n{BELOW}\n")
    (tmp_path / "a.md").write_text(f"# {HEADLINE}.\n\n{BELOW}\n")
    for style in ("Heading 2", "Heading 3"):
        word.add_paragraph("Costs of it", style)
        word.add_paragraph(BELOW)
    word.save(tmp_path / "b.docx")
    assert read(tmp_path / "b.docx").headings == ((0, 1), (3, 2), (5, 3))
    for name in ("a.docx", "a.txt", "a.md"):
        found = read(tmp_path / name)
        assert found.claims[0].text == BELOW, name
        assert (found.sentences[0].why, found.headings) == ("the headline", ((0, 1),)), name


@pytest.mark.parametrize(
    "text",
    [
        HEADLINE,
        f"{HEADLINE}\n\nHow could it?\n",
        f"{HEADLINE}.\n\n{BELOW}\n",
        f"{HEADLINE}\n\n{BELOW[:-1]}\n\nThe machines are of 2019\n",
    ],
    ids=["alone", "without a claim below", "a sentence", "a list of claims"],
)
def test_a_first_line_that_is_a_claim_among_others_is_one(read, tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    assert read(tmp_path / "a.txt").claims[0].text.removesuffix(".") == HEADLINE


OPENED = "The terminal opened on 12 May 2023."
SPOKEN = [
    f"Q: When did it open?\n\nA: {OPENED} Prices rose.\n\nQ: Was it late?\n\nA: No.\n\nA: Two did.",
    f"Q1: When did it open?\n\nA1: {OPENED}\n\nQ2: Was it late?\n\nA2: Not yet.",
    f"ECHO: When did it open?\n\nMOE: {OPENED}\n\nECHO: Was it late?\n\nMOE: No, never.",
    f"We met Bo Moe.\n\nWhen did it open?\n\nMr Moe: {OPENED}\n\nWas it late?\n\nMr Moe: No.",
    f"Interviewer: When did it open?\n\nBo Moe (Mayor): {OPENED}\n\nInterviewer: And the ferry?"
    "\n\nBo Moe (Mayor): Never.",
    f"Question: When did it open?\n\nAnswer: {OPENED}\n\nQuestion: Was it late?\n\nAnswer: No.",
    f"MARSH: {OPENED} The depot cost 36 million.\n\nBAINES: Your officers say 41 million.\n\n"
    "MARSH: Your officers were mistaken. No officer was dismissed.\n\nBAINES: So it was said.",
]


@pytest.mark.parametrize("text", SPOKEN)
def test_who_speaks_is_no_part_of_the_claim_and_short_answers_are_none(read, tmp_path, text):
    file = tmp_path / "a.txt"
    file.write_text(text)
    found = read(file)
    claims = {one.claim: one.text for one in found.claims}
    assert claims.pop(OPENED).endswith(f": {OPENED}")
    assert all(len(claim.split()) > 2 and ": " not in claim for claim in claims)


KEPT = [
    "Libraries: Spending rose by 5 per cent.\n\nHousing: Spending fell by 2 per cent.\n\n"
    "Libraries: Visits rose by 9 per cent.",
    "Did it cost 6 million?\n\nFalse: the wall cost 6 million.\n\nWas it late?\n\n"
    "False: it was ten days late.",
    "Myth: Was it 6 million?\n\nMyth: The wall cost 6 million.",
    "Lunde: The council approved 6 million.\n\nThe wall was built in 2019.",
    "The mayor said: We spent 6 million.\n\nThe wall was built in 2019.",
    "Update, 10:15: The wall was built in 2019.\n\nUpdate, 10:30: The wall cost 6 million.",
]


@pytest.mark.parametrize("text", KEPT)
def test_a_topic_or_a_verdict_before_a_sentence_stays(read, tmp_path, text):
    file = tmp_path / "a.txt"
    file.write_text(text)
    assert not [one.text for one in read(file).sentences if one.bare]


def test_the_numbers_and_bullets_of_a_list_are_no_part_of_claims(read, tmp_path):
    file = tmp_path / "a.txt"
    file.write_text(f"The terminal\n\n1. {OPENED}\n\n2. The ferry was sold.\n\n- Lunde won 3-1.")
    found = read(file)
    assert [one.claim for one in found.claims] == [OPENED, "The ferry was sold.", "Lunde won 3-1."]
    assert [one.text for one in found.claims][:1] == [f"1. {OPENED}"]
