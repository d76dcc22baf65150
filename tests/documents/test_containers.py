"""Files that hold files: mailboxes and zips; and kinds that say how to convert them."""

from __future__ import annotations

import io
import zipfile

import pytest

from tests.support.documents import write_docx
from tests.support.packed_documents import write_zip
from uhhrag.documents.bundles.mail import read_mbox
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.first_bytes import HOW, read_unread
from uhhrag.documents.parts import read_zip
from uhhrag.documents.reader_process import _record

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def mail(sender: str, text: str) -> str:
    return (
        f"From {sender} Mon May 13 16:40:00 2024\nFrom: {sender}\nSubject: Pool\n"
        f"Date: Mon, 13 May 2024 16:40:00 +0200\n\n{text}\n\n"
    )


def documents(results: list[Document | str]) -> list[Document]:
    return [one for one in results if isinstance(one, Document)]


def test_each_mail_of_a_mailbox_is_a_document_of_its_sender(tmp_path):
    file = tmp_path / "a.mbox"
    file.write_text(
        mail("ann@a.example", "It leaks.\n>From here on it is dry.")
        + mail("bo@a.example", "No.\nFrom above it looks dry.\n\nIt is not.")
    )
    first, second = read_mbox(file)
    assert (first.author, first.key, first.date) == ("ann@a.example", "mail 1", "2024-05-13")
    assert first.lines[1:] == ("It leaks.", "From here on it is dry.")
    assert (second.author, second.key) == ("bo@a.example", "mail 2")
    assert second.lines[1:] == ("No.", "From above it looks dry.", "It is not.")


@pytest.mark.parametrize(
    "sentence",
    [
        "From 10:00 on the pool is shut.\nNobody may swim.",
        "From Monday on these are the fees.\nAdults: 5 crowns.",
    ],
)
def test_a_sentence_that_begins_with_from_begins_no_mail(tmp_path, sentence):
    file = tmp_path / "a.mbox"
    file.write_text(mail("ann@a.example", f"Hello.\n\n{sentence}") + mail("bo@a.example", "No."))
    first, second = read_mbox(file)
    assert " ".join(first.lines[1:]) == f"Hello. {sentence}".replace("\n", " ")
    assert second.lines[1:] == ("No.",)


@pytest.mark.parametrize("mark", ["X-Mozilla-Status: 0009", "X-Gmail-Labels: Seen,\n Old,Trash"])
def test_a_mail_that_a_program_shows_no_more_is_named(tmp_path, mark):
    file = tmp_path / "a.mbox"
    deleted = mail("ann@a.example", "It leaks.").replace("Subject", f"{mark}\nSubject")
    kept = mail("bo@a.example", f"No. {mark}")
    file.write_text(deleted + kept.replace("Subject", "X-Gmail-Labels: Trash bins\nSubject"))
    document, fault = read_mbox(file)
    assert (document.key, fault) == ("mail 2", "mail 1: is deleted; not read")


def test_a_mail_of_a_mailbox_that_cannot_be_read_is_named_and_the_others_are_read(tmp_path):
    file = tmp_path / "a.mbox"
    file.write_text("From x\nno headers here\n\n" + mail("ann@a.example", "It leaks."))
    document, fault = read_mbox(file)
    assert (document.key, fault) == ("mail 2", "mail 1 is not a mail, or is damaged")


@pytest.mark.parametrize("content", ["", "It rained.\n", "From the mayor we heard nothing.\n"])
def test_what_is_no_mailbox_says_so(tmp_path, content):
    (tmp_path / "a.mbox").write_text(content)
    with pytest.raises(Unreadable, match="is not a mailbox"):
        list(read_mbox(tmp_path / "a.mbox"))


def test_the_members_of_a_zip_are_read_each_by_its_kind(tmp_path):
    word = write_docx(tmp_path / "w.docx", ["The bridge is shut."]).read_bytes()
    file = write_zip(
        tmp_path / "a.zip",
        {
            "minutes 2024-05-13.txt": "It rained.",
            "deep/table.csv": "Year,Rain\n2019,14\n",
            "deep/w.docx": word,
            ".hidden.txt": "No.",
            "__MACOSX/x.txt": "No.",
            "deep/": "",
        },
    )
    text, table, document = documents([*read_zip(file)])
    assert (text.key, text.lines, text.date) == (
        "minutes 2024-05-13.txt",
        ("It rained.",),
        "2024-05-13",
    )
    assert (table.key, table.lines[1]) == ("deep/table.csv", "Year: 2019; Rain: 14")
    assert (document.key, document.lines) == ("deep/w.docx", ("The bridge is shut.",))


def test_what_of_a_zip_is_not_read_is_named(tmp_path):
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as packed:
        packed.writestr("a.txt", "It rained.")
    members = {"a.txt": "It rained.", "in.zip": inner.getvalue(), "x.exe": "MZ", "b.pdf": "none"}
    document, inner_one, *faults = read_zip(write_zip(tmp_path / "a.zip", members))
    assert (document.key, inner_one.key) == ("a.txt", "in.zip#a.txt")
    assert faults == ["x.exe is of no kind that is read", "b.pdf is text; rename it .txt"]


@pytest.mark.parametrize(
    ("members", "why"),
    [
        ({}, "is empty"),
        ({"in.zip": b"PK"}, "has no document; in.zip is not a zip, or is damaged"),
        ({"a.txt": b" " * 2**26}, "would unpack to 67,108,864 bytes, files: 1; refused"),
        ({f"{n}.txt": b"" for n in range(10_001)}, "files: 10,001; refused"),
    ],
)
def test_a_zip_without_documents_or_with_a_bomb_is_refused(tmp_path, members, why):
    with pytest.raises(Unreadable, match=why):
        list(read_zip(write_zip(tmp_path / "a.zip", members)))


def test_a_member_whose_name_leads_out_of_the_zip_stays_in_it(tmp_path):
    (tmp_path / "in").mkdir()
    file = write_zip(tmp_path / "in" / "a.zip", {"../../out.txt": "It rained."})
    (document,) = read_zip(file)
    assert document.key == "out.txt"
    assert not list(tmp_path.rglob("out.txt"))


@pytest.mark.parametrize("ending", HOW)
def test_a_kind_that_is_not_read_says_how_to_convert_it(tmp_path, ending):
    file = tmp_path / f"minutes{ending.upper()}"
    file.write_bytes(b"\xd0\xcf\x11\xe0 old")
    with pytest.raises(Unreadable, match=r"^is an? .*; (open|save|export|unpack)"):
        read_unread(file)


def test_a_letter_in_a_zip_has_the_title_and_date_that_it_has_in_a_folder(tmp_path):
    letter = "Statement on the pool\n\n15 March 2023\n\nThe pool leaks.\n"
    members = {"a/2019-05-01 letter.txt": letter, "b/letter.txt": letter}
    found = [*read_zip(write_zip(tmp_path / "2020-01-01.zip", members))]
    records = [_record(one, "2020-01-01.zip") for one in documents(found)]
    titles = {record["title"] for record in records}
    assert titles == {"Statement on the pool"}
    dates = [(record["date"], record["dated_by"]) for record in records]
    assert dates == [("2019-05-01", "name"), ("2023-03-15", "text")]
