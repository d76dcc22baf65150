"""Mails and books: the text in reading order, what they say of themselves, what is not read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from tests.support.packed_documents import CHAPTER, MAIL, write_epub, write_zip
from uhhrag.documents.bundles.epub import read_epub
from uhhrag.documents.bundles.mail import read_mail
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.web.nodes import blocks_of

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def mail(folder: Path, content: str | bytes) -> list[Document | str]:
    file = folder / "a.eml"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return list(read_mail(file))


def nested(times: int) -> str:
    opened = "".join(
        f"Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n" for n in range(times)
    )
    return f"From: a@b.example\n{opened}Content-Type: text/plain\n\nDeep.\n"


def test_a_mail_has_its_headers_its_text_and_the_names_of_its_attachments(tmp_path):
    head = (
        "From: Ada Wríter <ada@b.example>; To: Bo <bo@b.example>, C <c@c.example>; "
        "Date: 3 May 2019; Subject: The harbour of Varnby"
    )
    assert mail(tmp_path, MAIL) == [
        Document(
            (
                head,
                "The harbour in Köln was dredged in spring.",
                "It took weeks.",
                "Did it rain?",
                "asked the clerk.",
            ),
            title="The harbour of Varnby",
            author="Ada Wríter",
            date="2019-05-03",
            starts=(0, 1, 3),
            quoted=((3, ""), (4, "")),
        ),
        "1 attachment is not read, or not all of it: report 2019.pdf is text; rename it .txt",
    ]


@pytest.mark.parametrize(
    ("kind", "names"),
    [
        ("application/zip; name=all.zip", ["all.zip is text; rename it .txt"]),
        ("application/ms-tnef; name=winmail.dat", ["winmail.dat is of no kind that is read"]),
        *(
            (
                f"application/{kind}pkcs7-mime",
                ["attachment.p7m is a signed or encrypted mail; save its text from a mail program"],
            )
            for kind in ("", "x-")
        ),
        ("text/plain; name=a.log", ["a.log is of no kind that is read"]),
        ("application/pgp-signature; name=signature.asc", []),
        ("image/png; name=logo.png", []),
    ],
)
def test_every_attachment_but_logos_and_signatures_is_named(tmp_path, kind, names):
    content = (
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nSee it.\n"
        f"--x\nContent-Type: {kind}\n\nx\n--x--\n"
    )
    found, *faults = mail(tmp_path, content)
    assert found.lines[1:] == ("See it.",)
    assert [fault.rpartition(": ")[2] for fault in faults] == names


def test_a_mark_of_utf_8_or_an_empty_line_before_the_headers_of_a_mail_is_none_of_it(tmp_path):
    (found,) = mail(tmp_path, "\ufeff\r\nFrom: a@b.example\r\n\r\nIt rained.\r\n")
    assert found.lines == ("From: a@b.example", "It rained.")


def test_a_mail_of_html_alone_is_read_with_its_tables(tmp_path):
    body = "<style>p {}</style><p>Dear&nbsp;all,<br><br>It rained.</p><table><tr><td>a<td>b</table>"
    (found,) = mail(tmp_path, f"From: a@b.example\nContent-Type: text/html\n\n{body}")
    assert found.lines == ("From: a@b.example", "Dear all,", "It rained.", "a | b")


def test_headings_and_tables_of_the_html_of_a_mail_are_told_apart(tmp_path):
    cells = (("Ship", "Built"), ("Skarv", "2019"))
    rows = "".join(
        f"<tr>{''.join(f'<td><p class=x>{cell}</p></td>' for cell in row)}</tr>" for row in cells
    )
    table = f"<table>\n<tbody>{rows}</tbody></table>"
    layout = f"<table><tr><td>A logo</td></tr><tr><td><h2>Ferries</h2>{table}</td></tr></table>"
    (found,) = mail(tmp_path, f"From: a@b.example\nContent-Type: text/html\n\n{layout}")
    assert found.lines[1:] == ("A logo", "Ferries", "Ship; Built", "Ship: Skarv; Built: 2019")
    assert found.sections == ((2, "Ferries"),)


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<table><tr><td>a<td>b<tr><td>c<td>d", [("a", "b"), ("c", "d"), ()]),
        ("<table><tr><td>a<td>b</table>", ["a | b"]),
        ("<table><td>a<td>b</table>", ["a", "b"]),
        ("<table><caption>x</caption><tr><td>a<td>b<tr><td>c</table>", ["x", "a | b", "c"]),
        ("<table><tr><td><p>a<p>b<td>c<tr><td>d<td>e</table>", ["a", "b", "c", "d | e"]),
        ("<table><tr><td><h2>a</h2><td>c<tr><td>d<td>e</table>", ["a", "c", "d | e"]),
        (f"<table><tr><td>a<td>{'b' * 301}<tr><td>c<td>d</table>", ["a", "b" * 301, "c | d"]),
        ("<table>a<tr>b<td>c</table></table><td>d", ["a", "b", "c", "d"]),
        ("<table>" * 300 + "<tr><td>a", ["a"]),
    ],
)
def test_tables_of_html_are_of_data_or_layout(html, blocks):
    assert [block.cells or block.text or () for block in blocks_of(html)] == blocks


def test_the_html_of_a_mail_is_read_where_its_plain_text_says_little(tmp_path):
    content = (
        "From: a@b.example\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nSee HTML.\n"
        "--x\nContent-Type: text/html\n\n<p>The harbour was dredged in spring.</p>\n--x--\n"
    )
    assert mail(tmp_path, content)[0].lines[1:] == ("The harbour was dredged in spring.",)


def test_unnamed_parts_of_other_kinds_of_text_are_read_or_named(tmp_path):
    head = 'From: A <a@b.example>\nMIME-Version: 1.0\nContent-Type: multipart/{}; boundary="b"\n\n'
    parts = (
        "--b\nContent-Type: text/plain\n\nThe pool is shut.\n"
        "--b\nContent-Type: text/{}\n\nIt leaks 400 litres.\n--b--\n"
    )
    found = []
    for kind, part in (("mixed", "markdown"), ("mixed", "enriched"), ("alternative", "enriched")):
        (tmp_path / "a.eml").write_text(head.format(kind) + parts.format(part))
        document, *clauses = read_mail(tmp_path / "a.eml")
        found.append((*document.lines[1:], *clauses))
    assert found == [
        ("The pool is shut.", "It leaks 400 litres."),
        (
            "The pool is shut.",
            "1 attachment is not read, or not all of it: attachment is of no kind that is read",
        ),
        ("The pool is shut.",),
    ]


CALENDAR = (
    "BEGIN:VCALENDAR\r\nMETHOD:{}\r\nBEGIN:VTIMEZONE\r\nBEGIN:STANDARD\r\nDTSTART:16010101T000000\r\n"
    "END:STANDARD\r\nEND:VTIMEZONE\r\nBEGIN:VEVENT\r\nSUMMARY;LANGUAGE=en:Fees\\, fares\\nand\r\n"
    "  tolls\r\nDTSTART{}\r\nDTEND{}\r\nLOCATION:Hall\r\nBEGIN:VALARM\r\nSUMMARY:Soon\r\n"
    "END:VALARM\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
)


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (
            ("REQUEST", ";TZID=Europe/Oslo:20240514T100000", ":20240514T093000Z"),
            "Event: Fees, fares and tolls; Start: 14 May 2024 10:00 (Europe/Oslo); End: 14 May "
            "2024 09:30 UTC; Place: Hall",
        ),
        (
            ("CANCEL", ";VALUE=DATE:20240514", ";VALUE=DATE:20240516"),
            "Cancelled; Event: Fees, fares and tolls; Start: 14 May 2024; End: 15 May 2024; Place: "
            "Hall",
        ),
    ],
)
@pytest.mark.parametrize("around", ["alternative", "mixed"])
def test_the_event_of_an_invitation_is_read(tmp_path, given, shown, around):
    content = (
        f"From: a@b.example\nContent-Type: multipart/{around}; boundary=b\n\n--b\n\nPlease come.\n"
        f"--b\nContent-Type: text/calendar; charset=utf-8\n\n{CALENDAR.format(*given)}\n--b--\n"
    )
    (found,) = mail(tmp_path, content)
    assert found.lines[1:] == ("Please come.", shown)


def test_a_mail_whose_parts_are_not_parted_is_read_as_text(tmp_path):
    content = "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\nThe pool is shut.\n"
    assert mail(tmp_path, content)[0].lines[1:] == ("The pool is shut.",)


def test_an_unnamed_file_within_a_mail_is_named(tmp_path):
    content = (
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nSee it.\n"
        "--b\nContent-Type: application/pdf\n\nno\n--b--\n"
    )
    _, fault = mail(tmp_path, content)
    assert fault.endswith("attachment.pdf is text; rename it .txt")


def test_the_encoding_that_only_the_html_of_a_mail_declares_counts(tmp_path):
    body = "<meta charset=iso-8859-2><p>Łódź.</p>".encode("iso-8859-2")
    (found,) = mail(tmp_path, b"From: a@b.example\nContent-Type: text/html\n\n" + body)
    assert found.lines[1] == "Łódź."


def test_an_enclosed_mail_is_read_with_its_own_headers(tmp_path):
    content = f"From: x@y.example\nContent-Type: message/rfc822\n\n{MAIL}"
    found, fault = mail(tmp_path, content)
    assert found.lines[0] == "From: x@y.example"
    assert found.lines[1].startswith("From: Ada Wríter")
    assert (found.author, found.date) == ("x@y.example", "")
    assert "report 2019.pdf" in fault


@pytest.mark.parametrize(
    ("header", "title"),
    [
        (b"Subject: =?utf-8?q?K=C3=B6ln?=", "Köln"),
        ("Subject: Köln".encode(), "Köln"),
        ("Subject: Köln".encode("latin-1"), "Köln"),
        (b"Subject: =?nonesuch?q?x?=", "=?nonesuch?q?x?="),
        (b"Subject: =?utf-8?b?broken", "=?utf-8?b?broken"),
        (b"Subject: One\nSubject: Two", "One"),
    ],
)
def test_a_subject_is_decoded_or_left_as_it_stands(tmp_path, header, title):
    assert mail(tmp_path, header + b"\n\nText.")[0].title == title


@pytest.mark.parametrize("day", ["nonsense", "Fri, 99 May 2019 14:02:00", "", "\x80"])
def test_a_mail_without_a_date_that_can_be_read_has_none(tmp_path, day):
    assert mail(tmp_path, f"From: a@b.example\nDate: {day}\n\nText.")[0].date == ""


def test_many_recipients_are_cut_short(tmp_path):
    everybody = ", ".join(f"p{n}@b.example" for n in range(500))
    found = mail(tmp_path, f"From: a@b.example\nTo: {everybody}\n\nText.")[0]
    assert len(found.lines[0]) < 1200
    assert found.lines[0].endswith("p9@b.example and 490 more")
    named = ", ".join(f'"Lie, P{n}" <p{n}@b.example>' for n in range(12))
    found = mail(tmp_path, f"From: a@b.example\nTo: {named}\n\nText.")[0]
    assert found.lines[0].endswith("<p9@b.example> and 2 more")


@pytest.mark.parametrize(
    ("content", "why"),
    [
        ("", "is not a mail"),
        ("Just a text.", "is not a mail"),
        (b"\x00\xff" * 100, "is not a mail"),
        (nested(30), "is nested too deeply"),
        (nested(3000), "is nested too deeply"),
    ],
)
def test_what_is_no_mail_is_refused_in_one_clause(tmp_path, content, why):
    with pytest.raises(Unreadable, match=why):
        mail(tmp_path, content)


def test_the_chapters_of_a_book_come_in_reading_order_with_their_paragraphs(tmp_path):
    chapters = {"b%20c.xhtml": CHAPTER.replace("{heading}", "Rain"), "a.xhtml": "<p>The end.</p>"}
    first, second = read_epub(write_epub(tmp_path / "a.epub", chapters))
    assert first == Document(
        ("Rain", "It rained all night.", "Nobody slept.", "Then it stopped."),
        (1, 2, 2, 3),
        title="The Harbour",
        author="A. Uthor",
        date="2019-05-03",
        key="1",
        unit="Rain, paragraph",
        starts=(0, 1, 3),
        sections=((0, "Rain"),),
    )
    assert (second.lines, second.unit) == (("The end.",), "section 2, paragraph")


def test_chapters_that_are_missing_or_protected_are_named_and_the_others_read(tmp_path):
    encrypted = '<encryption><CipherReference URI="OEBPS/b.xhtml"/></encryption>'
    chapters = {
        "a.xhtml": "<p>One.</p>",
        "b.xhtml": "<p>Two.</p>",
        "%2e%2e/%2e%2e/c.xhtml": "",
        "d.xhtml": "\x00 no text",
    }
    file = write_epub(tmp_path / "a.epub", chapters, {"META-INF/encryption.xml": encrypted})
    document, fault = read_epub(file)
    assert document.lines == ("One.",)
    assert fault.endswith(
        "3 files are missing, protected or damaged: OEBPS/b.xhtml, ../c.xhtml, OEBPS/d.xhtml"
    )


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"META-INF/container.xml": "<container>"}, "is not an EPUB book, or is damaged"),
        ({"META-INF/container.xml": "<container/>"}, "is not an EPUB book, or is damaged"),
        ({"OEBPS/content.opf": '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'}, "declares a document"),
        ({"OEBPS/content.opf": "<package/>"}, "has no text"),
        ({"OEBPS/a.xhtml": b" " * 2**25}, "would unpack to"),
        (
            {"OEBPS/a.xhtml": "<!DOCTYPE html><html><body><script>x</script></body></html>"},
            "no text",
        ),
        (
            {"META-INF/encryption.xml": '<e><CipherReference URI="OEBPS/a.xhtml"/></e>'},
            "is protected against copying",
        ),
    ],
)
def test_a_hostile_book_is_refused_in_one_clause(tmp_path, more, why):
    file = write_epub(tmp_path / "a.epub", {"a.xhtml": "<p>One.</p>"}, more)
    with pytest.raises(Unreadable, match=why):
        list(read_epub(file))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("plain &amp; simple", ["plain & simple"]),
        ("<p>a<p>b<div>c<span>d</span></div>e", ["a", "b", "cd", "e"]),
        ("<head><title>t</title><body>b", ["b"]),
        ("a<noscript><div></noscript>b", ["ab"]),
        ("<figure><figcaption>a</figcaption>b</figure>", ["b", "a"]),
        ("a&#12;b<b>c</b>&#x1F;d<s>x</s>&#31e&#xfdd0;f&#65;\f", ["abcdefA"]),
        ("<pre>a\n\nb</pre>", ["a", "b"]),
        ("<![nonesuch[x]]><p>a", None),
        ("<script>x</scrip><p>a", []),
        ("<" * 1000, None),
        ('<!DOCTYPE x [<!ENTITY a "b">]><p>&a;</p>', None),
    ],
)
def test_blocks_of_html_that_is_good_or_broken(text, blocks):
    found = [block.text for block in blocks_of(text)]
    assert blocks is None or found == blocks


def test_numbers_of_printed_pages_and_the_contents_of_a_book_are_no_text(tmp_path):
    page = (
        "<html xmlns:epub='x'><body><p>It cost <span epub:type='pagebreak'>5</span>19 crowns.</p>"
        "</body></html>"
    )
    book = write_epub(tmp_path / "a.epub", {"a.xhtml": page, "nav.xhtml": "<p>Contents</p>"})
    with zipfile.ZipFile(book) as packed:
        members: dict[str, str | bytes] = {name: packed.read(name) for name in packed.namelist()}
    package = bytes(members["OEBPS/content.opf"])
    members["OEBPS/content.opf"] = package.replace(b'href="nav', b'properties="nav" href="nav')
    (found,) = read_epub(write_zip(tmp_path / "b.epub", members))
    assert isinstance(found, Document)
    assert found.lines == ("It cost 19 crowns.",)


@pytest.mark.parametrize("plain", ["Please view this mail in HTML.", "The pool leaks."])
def test_of_two_forms_of_a_mail_that_one_is_read_which_programs_show(tmp_path, plain):
    content = (
        f"From: a@b.example\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\n{plain}\n"
        "--x\nContent-Type: text/html\n\n<p>The pool does <b>not</b> leak.</p>\n--x--\n"
    )
    assert mail(tmp_path, content)[0].lines[1:] == ("The pool does not leak.",)


def test_what_an_invitation_says_beside_the_mail_is_read_once(tmp_path):
    event = "BEGIN:VEVENT\r\nSUMMARY:Fees\r\nDESCRIPTION:{}\r\nEND:VEVENT\r\n"
    calendar = event.format("Please come.") + event.format("The mayor will not\r\n  come.")
    content = (
        "From: a@b.example\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nPlease come.\n"
        f"--b\nContent-Type: text/calendar\n\n{calendar}\n--b--\n"
    )
    assert mail(tmp_path, content)[0].lines[1:] == (
        "Please come.",
        "Event: Fees",
        "Event: Fees; About: The mayor will not come.",
    )
