"""What a mail quotes is not its sender's: in the forms of many mail programs and languages."""

from __future__ import annotations

from html import escape

import pytest

from tests.support.documents import write_docx, write_pdf
from uhhrag.documents.bundles.mail import read_mail
from uhhrag.documents.document import Document
from uhhrag.documents.formats import FORMATS, imported, kind_of
from uhhrag.documents.plain.text import plain_document, read_text_file

pytestmark = pytest.mark.usefixtures("nltk_loaded")

HEAD = (
    "From: Press Office <press@brekkvik.example>\nTo: Desk <desk@paper.example>\n"
    "Date: Tue, 14 May 2024 09:12:00 +0200\nSubject: Re: Pool\nMIME-Version: 1.0\n"
    'Content-Type: text/{}; charset="utf-8"\nContent-Transfer-Encoding: 8bit\n\n'
)
OWN, QUOTED = "No, that is wrong.", "The pool leaks 400 litres an hour."


def mail(tmp_path, body: str, kind: str = "plain") -> Document:
    file = tmp_path / "a.eml"
    file.write_text(HEAD.format(kind) + body, encoding="utf-8")
    document = next(iter(read_mail(file)))
    assert isinstance(document, Document)
    return document


def whose(tmp_path, body: str, kind: str = "plain") -> dict[str, str | None]:
    """The lines of a mail below its headers, each with whose it is."""
    document = mail(tmp_path, body, kind)
    quoted = {at: who.partition(", 1")[0] for at, who in document.quoted}  # without the day
    return {line: quoted.get(at) for at, line in enumerate(document.lines) if at}


INTRODUCTIONS = (
    "On Mon, 13 May 2024 at 16:40, A Reader <reader@mail.example> wrote:",
    "On Mon, 13 May 2024 at 16:40, A Reader\n<reader@mail.example> wrote:",
    "On Monday, May 13, 2024, 04:40:12 PM GMT+2, A Reader <reader@mail.example> wrote:",
    "On 13/05/2024 16:40, A Reader wrote:",
    "On Sun, 12 May 2024, A Reader wrote:",
    "On Mon May 13, A Reader wrote:",
    "A Reader wrote on 13 May 2024 16:40:",
    "A Reader wrote on 13 May:",
    "A Reader <reader@mail.example> wrote:",
    "2024-05-13 16:40 GMT+02:00 A Reader <reader@mail.example>:",
    "Am Mo., 13. Mai 2024 um 16:40 Uhr schrieb A Reader <reader@mail.example>:",
    "Am 13.05.2024 um 16:40 schrieb A Reader:",
    "Le lun. 13 mai 2024 à 16:40, A Reader <reader@mail.example> a écrit :",
    "El lun, 13 may 2024 a las 16:40, A Reader (<reader@mail.example>) escribió:",
    "Il giorno lun 13 mag 2024 alle ore 16:40 A Reader <reader@mail.example> ha scritto:",
    "Em seg., 13 de mai. de 2024 às 16:40, A Reader <reader@mail.example> escreveu:",
    "Op ma 13 mei 2024 om 16:40 schreef A Reader <reader@mail.example>:",
    "Den mån 13 maj 2024 kl 16:40 skrev A Reader <reader@mail.example>:",
    "man. 13. mai 2024 kl. 16:40 skrev A Reader <reader@mail.example>:",
    "ma 13.5.2024 klo 16.40 A Reader (reader@mail.example) kirjoitti:",
    "pon., 13 maj 2024 o 16:40 A Reader <reader@mail.example> napisał(a):",
    "po 13. 5. 2024 v 16:40 odesílatel A Reader <reader@mail.example> napsal:",
    "пн, 13 мая 2024 г. в 16:40, A Reader <reader@mail.example>:",
    "A Reader <reader@mail.example> 于2024年5月13日周一 16:40写道：",
    "2024年5月13日(月) 16:40 A Reader <reader@mail.example>:",
    "\u200eOn 13 May 2024, at 16:40, A Reader <reader@mail.example> wrote:\u202c\u200e",
    "13.05.24 16:40, A Reader пише:",
    "Dnia 13 maja 2024 16:40 A Reader <reader@mail.example> napísal(a):",
    "Am Montag, 13. Mai 2024 um 16:40:03 MESZ hat A Reader <r@m.example> Folgendes geschrieben:",
    "On Mon, May 13, 2024 at 4:40 PM A Reader <reader.of.the.paper@mail.example\n> wrote:",
    "man. 13. mai 2024 kl. 16:40 skrev A Reader <reader.of.the.paper@mail.example\n>:",
    "On Mon, 13 May 2024 16:40:50 +0200 A Reader <reader@mail.example> wrote",
    "---- On Mon, 13 May 2024 16:40:50 +0200 A Reader <reader@mail.example> wrote ----",
    "W dniu 13.05.2024 o 16:40, użytkownik A Reader <reader@mail.example> napisał:",
    '2024.05.13. 16:40 keltezéssel, "A Reader" írta:',
    "2024年5月13日 16:40，A Reader <reader@mail.example> 写道：",
)


@pytest.mark.parametrize("introduction", INTRODUCTIONS)
def test_marked_lines_belong_to_whom_the_line_above_them_names(tmp_path, introduction):
    body = f"{OWN}\n\n{introduction}\n\n> {QUOTED}\n\nBest regards,\n"
    lines = whose(tmp_path, body)
    assert list(lines) == [OWN, QUOTED, "Best regards,"]
    assert (lines[OWN], lines["Best regards,"]) == (None, None)
    assert lines[QUOTED].removeprefix("odesílatel ") == "A Reader"


@pytest.mark.parametrize(
    ("introduction", "name"),
    [
        ("A reader writes to us:", "A reader"),
        ("The resident wrote to the paper as follows:", "The resident"),
        ("On Tuesday, Joan Pell wrote in her letter:", "Joan Pell"),
        ("As Ann Lie (Vik) wrote to us:", "Ann Lie (Vik)"),
        ("Joe wrote in message news:abc@x.example:", "Joe"),
        ("Ein Leser schrieb uns:", "Ein Leser"),
        ("Gestern schrieb uns ein Leser:", "ein Leser"),
        ("Un lecteur nous a écrit :", "Un lecteur"),
        ("En leser skrev til oss:", "En leser"),
        ("Am 13.5.24 um 16:40 schrieb areader:", "areader"),
        ("She writes to us:", ""),
        ("On 13 May 2024 at 16:40, you wrote:", ""),
        ("On Mon, May 13, 2024 at 4:40 PM, <reader@mail.example> wrote:", "reader@mail.example"),
    ],
)
def test_to_whom_somebody_wrote_is_not_who_wrote(tmp_path, introduction, name):
    assert whose(tmp_path, f"{OWN}\n\n{introduction}\n> {QUOTED}\n")[QUOTED] == name


@pytest.mark.parametrize(
    "introduction",
    [
        "-----Original Message-----\nFrom: A Reader <reader@mail.example>\nSent: Monday, May 13, "
        "2024 4:40 PM\nTo: Press Office\nSubject: Pool\n",
        "_______________________\nFrom: A Reader\nSent: Monday\nTo: Press\nSubject: Pool\n",
        "*From:* A Reader [mailto:reader@mail.example]\n*Sent:* Monday\n*To:* Press\n",
        "Von: A Reader <reader@mail.example>\nGesendet: Montag, 13. Mai 2024\nAn: Presse\n"
        "Betreff: Bad\n",
        "De : A Reader <reader@mail.example>\nEnvoyé : lundi\nÀ : Presse\nObjet : Piscine\n",
        "De: A Reader\nEnviado el: lunes\nPara: Prensa\nAsunto: Piscina\n",
        "Fra: A Reader\nSendt: mandag\nTil: Presse\nEmne: Basseng\n",
        "差出人: A Reader\n送信日時: 2024年5月13日\n宛先: Press\n件名: Pool\n",
        "---------- Forwarded message ---------\nFrom: A Reader <reader@mail.example>\n"
        "Date: Mon, 13 May 2024 at 16:40\nSubject: Pool\nTo: Press\n",
        "Begin forwarded message:\n\nFrom: A Reader <reader@mail.example>\nSubject: Pool\nDate: 13 "
        "May 2024\nTo: Press\n",
        "On Mon, 13 May 2024 at 16:40, A Reader <reader@mail.example> wrote:\n",
        "Date: Mon, 13 May 2024 16:40:45 +0400\nSubject: Pool\nFrom: A Reader\nTo: Press\n",
        "-------- Forwarded Message --------\nSubject: \tPool\nDate: \tMon, 13 May 2024 16:40\n"
        "From: \tA Reader <reader@mail.example>\nTo: \tPress <press@b.example>\n",
        "-------- Message d’origine --------\nDe : A Reader <r@m.example>\nDate : 13/05/24 16:40\n"
        "À : Presse\nObjet : Piscine\n",
        "-------- Message transféré --------\nSujet : \tPiscine\nDate : \tMon, 13 May 2024 16:40\n"
        "De : \tA Reader <reader@mail.example>\nPour : \tPress <press@b.example>\n",
        "-------- Messaggio Inoltrato --------\nOggetto: \tPool\nData: \tMon, 13 May 2024 16:40\n"
        "Mittente: \tA Reader <reader@mail.example>\nA: \tPress <press@b.example>\n",
        "Anfang der weitergeleiteten Nachricht:\n\nVon: A Reader <reader@mail.example>\nBetreff: "
        "Bad\nDatum: 13. Mai 2024 um 16:40:00 MESZ\nAn: Presse\n",
        "-----Original Message-----\nFrom: A Reader\nSent: Monday\nTo: Press\nImportance: High\n",
        "From: reader@mail.example On Behalf Of A Reader\nSent: Monday\nTo: Press\nSubject: Pool\n",
        "From: A Reader \n<reader@mail.example> \nSent: Monday\nTo: Press <p@b.example>;\n"
        "Desk <d@b.example>\nSubject: Pool\n",
    ],
)
def test_what_stands_below_the_headers_of_another_mail_is_its_senders(tmp_path, introduction):
    lines = whose(tmp_path, f"{OWN}\n\n{introduction}\n{QUOTED}\n\nYours, a reader\n")
    assert lines == {OWN: None, QUOTED: "A Reader", "Yours, a reader": "A Reader"}


def test_a_quote_within_a_quote_is_the_third_persons_and_answers_between_are_the_senders(tmp_path):
    lines = whose(
        tmp_path,
        "Hello,\n\nOn Mon, 13 May 2024 at 16:40, A Reader <reader@mail.example> wrote:\n"
        "> Is the pool new?\n\nIt is old.\n\n> Did it cost 90 million?\n>\n"
        "> On Sun, 12 May 2024, B Reader wrote:\n>> It leaks.\n> I doubt that.\n\nNo.\n",
    )
    assert lines == {
        "Hello,": None,
        "Is the pool new?": "A Reader",
        "It is old.": None,
        "Did it cost 90 million?": "A Reader",
        "It leaks.": "B Reader",
        "I doubt that.": "A Reader",
        "No.": None,
    }


@pytest.mark.parametrize(
    ("introduction", "of_mail"),
    [
        ("On Mon, 13 May 2024 at 16:40, A Reader <reader@mail.example> wrote:", True),
        ("On 13/05/2024 16:40, A Reader wrote:", True),
        ("A Reader wrote:", False),
        ("On 13 May 2024 at 16:40 the harbour office wrote:", False),
        ("", False),
    ],
)
def test_only_what_a_mail_program_introduces_is_a_quoted_mail(tmp_path, introduction, of_mail):
    document = mail(tmp_path, f"{OWN}\n\n{introduction}\n> {QUOTED}\n\nYours, the office\n")
    assert [document.lines[at] for at in document.mails] == [QUOTED] * of_mail
    assert [document.lines[at] for at, _ in document.quoted] == [QUOTED]


def test_marks_are_one_more_than_the_line_that_introduces_them_tells(tmp_path):
    at = "On Mon, 13 May 2024 at 16:40, {} wrote:"
    thread = (
        f"{at.format('A Reader')}\n> Hm.\n\n{at.format('B Reader')}\n> > It leaks.\n> > A lot.\n"
    )
    assert whose(tmp_path, f"{OWN}\n\n{thread}") == {
        OWN: None,
        "Hm.": "A Reader",
        "It leaks.": "B Reader",
        "A lot.": "B Reader",
    }
    nested = f"{at.format('A Reader')}\n>> It leaks.\n> I doubt that.\n"
    assert whose(tmp_path, f"{OWN}\n\n{nested}") == {
        OWN: None,
        "It leaks.": "",
        "I doubt that.": "A Reader",
    }


def test_what_stands_below_headers_is_a_quoted_mail_if_these_name_its_sender(tmp_path):
    headers = "-----Original Message-----\nFrom: {}\nSent: Monday\nTo: Press\nSubject: Pool\n"
    document = mail(tmp_path, f"{OWN}\n\n{headers.format('A Reader')}\n{QUOTED}\n")
    assert [document.lines[at] for at in document.mails] == [QUOTED]
    assert not mail(tmp_path, f"{OWN}\n\n-----Original Message-----\n\n{QUOTED}\n").mails


@pytest.mark.parametrize(
    "body",
    [
        "In 2019 the mayor wrote:\nThe pool is closed.\n",
        "From: Monday on the pool is closed.\nThe mayor said so.\n",
        "The report says:\n\nThe pool is closed at 16:40.\n",
        "Date: 14 May\nTo: all\nThe pool is closed.\n",
        "Date: 14 May\nFrom: 10\nTo: 12\nSubject: Pool\n\nThe pool is closed.\n",
        "TO: All\nFROM: The mayor\nDATE: 14 May\nSUBJECT: Pool\n\nThe pool is closed.\n",
        "=== Opening hours ===\n\nThe pool is closed.\n\n--- Message from the mayor ---\nNo.\n",
        "The pool is closed for\n>5 days a year.\n",
        "From: Oslo\nTo: Lunde\nDate: 14 May\n\nThe bus was late.\n",
        "On 13 May 2024 at 16:40 the mayor wrote on her page:\n\nIt leaks.\n\nShe is wrong.\n",
        "On 13 May 2024 at 16:40 the harbour office wrote:\n\nIt leaks.\n\nIt is wrong.\n",
        "--- SUMMER CONCERT ---\nDate: 14 May 2024\nPlace: The pool\n\nIt is free.\n",
    ],
)
def test_words_of_the_sender_stay_the_senders(tmp_path, body):
    lines = whose(tmp_path, body)
    assert set(lines.values()) == {None}
    assert lines


@pytest.mark.parametrize(
    "quote",
    [
        f'<div class="gmail_quote"><div>On Mon, 13 May 2024 at 16:40, A Reader &lt;<a href="x">r@m'
        f"</a>&gt; wrote:<br></div><blockquote><p>{QUOTED}</p></blockquote></div>",
        f"<blockquote type='cite'><div>On 13 May 2024, at 16:40, A Reader &lt;r@m.example&gt; "
        f"wrote:</div><br><div>{QUOTED}</div></blockquote>",
        f"<div id='divRplyFwdMsg'><b>From:</b> A Reader &lt;r@m.example&gt;<br><b>Sent:</b> Monday"
        f"<br><b>To:</b> Press<br><b>Subject:</b> Pool</div><div>{QUOTED}</div>",
        f"<p>Von: A Reader</p><p>Gesendet: Montag</p><p>An: Presse</p><p>Betreff: Bad</p>"
        f"<p>{QUOTED}</p>",
    ],
)
def test_quotes_of_html_are_told_from_the_senders_words(tmp_path, quote):
    lines = whose(tmp_path, f"<html><body><p>{OWN}</p>{quote}</body></html>", "html")
    assert lines == {OWN: None, QUOTED: "A Reader"}


@pytest.mark.parametrize("program", ["gmail", "protonmail"])
def test_answers_between_quotes_are_the_senders(tmp_path, program):
    body = (
        f"<div>See below.</div><div class={program}_quote><div>On Sun, Mar 3, 2024 at 8:15 PM Ada "
        "&lt;a@b.example&gt; wrote:</div><blockquote><div>Did it cost 2 million?</div></blockquote>"
        "<div>It cost 200,000.</div><blockquote><div>Has he left?</div></blockquote>"
        "<div>He is in office.</div></div>"
    )
    assert whose(tmp_path, body, "html") == {
        "See below.": None,
        "Did it cost 2 million?": "Ada, 3 March 2024",
        "It cost 200,000.": None,
        "Has he left?": "",
        "He is in office.": None,
    }


@pytest.mark.parametrize("zero", ["0", "0px"])
def test_what_a_mail_program_indents_is_the_senders(tmp_path, zero):
    style = f"margin: {zero} {zero} {zero} 40px; border: none; padding: 0px;"
    html = (
        f"<html><body><p>{OWN}</p><blockquote style='{style}'>It is new.</blockquote></body></html>"
    )
    assert whose(tmp_path, html, "html") == {OWN: None, "It is new.": None}


@pytest.mark.parametrize("cut", ["----- Original Message -----", "---- Message transféré ----"])
def test_what_stands_below_a_line_that_parts_mails_is_somebody_elses(tmp_path, cut):
    lines = whose(tmp_path, f"{OWN}\n\n{cut}\n\nHi John,\n\n{QUOTED}\n")
    assert lines == {OWN: None, "Hi John,": "", QUOTED: ""}


@pytest.mark.parametrize("mark", ["Reader> ", "AR> ", "|> "])
def test_quotes_under_a_name_or_a_bar_are_somebody_elses(tmp_path, mark):
    assert whose(tmp_path, f"{mark}{QUOTED}\n\n{OWN}\n") == {QUOTED: "", OWN: None}


def test_a_sign_before_a_figure_is_kept(tmp_path):
    assert [*whose(tmp_path, "Of them\n>50% did not pay.\n")] == ["Of them", ">50% did not pay."]


def test_a_later_quote_of_the_senders_is_not_given_to_whom_was_quoted_before(tmp_path):
    quote = f"<div>On 13 May 2024, at 16:40, A Reader wrote:</div><blockquote>{QUOTED}</blockquote>"
    html = f"{quote}<p>{OWN}</p><blockquote>It costs 5 crowns by law.</blockquote>"
    lines = whose(tmp_path, f"<html><body>{html}</body></html>", "html")
    assert lines == {QUOTED: "A Reader", OWN: None, "It costs 5 crowns by law.": ""}


@pytest.mark.parametrize(
    ("charset", "text"),
    [("iso-8859-1", b"\x80450 \x96 not \x80540."), ("us-ascii", b"\x93450\x94 \xa35.")],
)
def test_a_mail_is_read_in_the_encoding_that_mail_programs_mean(tmp_path, charset, text):
    head = HEAD.format("plain").replace("utf-8", charset).encode()
    (tmp_path / "a.eml").write_bytes(head + b"The county\x92s fee is " + text)
    (document,) = read_mail(tmp_path / "a.eml")
    assert document.lines[1] == "The county’s fee is " + text.decode("cp1252")


def test_bytes_of_a_mail_that_are_no_text_are_said(tmp_path):
    (tmp_path / "a.eml").write_bytes(HEAD.format("plain").encode() + b"It cost \xff5. " + b"x" * 99)
    _, fault = read_mail(tmp_path / "a.eml")
    assert fault == "1 byte is no character in utf-8 and stands as \ufffd; save it as UTF-8"


@pytest.mark.parametrize("charset", ["u\u2019f-8", "ut\0f-8"])
def test_a_charset_that_nobody_knows_damages_no_mail(tmp_path, charset):
    subject = f"=?{charset}?Q?Pool?="
    body = HEAD.format("plain").replace("utf-8", charset).replace("Re: Pool", subject)
    (tmp_path / "a.eml").write_bytes((body + OWN + " Zürich.").encode())
    document = next(iter(read_mail(tmp_path / "a.eml")))
    assert document.lines[-2:] == (OWN, "Zürich.")


def test_below_the_end_of_a_forwarded_mail_the_sender_speaks_again(tmp_path):
    introduction = (
        "----- Forwarded message from A Reader <r@m.example> -----\n\nDate: 13 May 2024 16:40\n"
        "From: A Reader <r@m.example>\nSubject: Pool\n"
    )
    end = "----- End forwarded message -----"
    lines = whose(tmp_path, f"See this.\n\n{introduction}\n{QUOTED}\n\n{end}\n\n{OWN}\n")
    assert lines == {"See this.": None, QUOTED: "A Reader", OWN: None}


THREAD = (
    "From: Press Office <press@brekkvik.example>",
    "Sent: Tuesday, 14 May 2024 09:12",
    "To: Desk <desk@paper.example>",
    "Subject: Pool",
    OWN,
    "From: A Reader <reader@mail.example>",
    "Sent: Monday, 13 May 2024 16:40",
    "To: Press Office",
    "Subject: Pool",
    QUOTED,
)


@pytest.mark.parametrize("ending", ["txt", "pdf", "docx", "rtf", "htm"])
def test_a_mail_that_was_saved_or_printed_quotes_as_one_does(tmp_path, ending):
    file = tmp_path / f"mail.{ending}"
    if ending == "txt":
        file.write_text("\n".join(THREAD[:4]) + f"\n\n{OWN}\n\n" + "\n".join(THREAD[5:]))
    elif ending == "pdf":
        write_pdf(file, [list(THREAD)])
    elif ending == "docx":
        write_docx(file, list(THREAD))
    elif ending == "rtf":
        file.write_text("{\\rtf1 " + "".join(f"{line}\\par\n" for line in THREAD) + "}")
    else:
        file.write_text("".join(f"<p>{escape(line)}</p>" for line in THREAD))
    document = next(iter(imported(FORMATS[kind_of(file)].reader)(file)))
    assert isinstance(document, Document)
    quoted = dict(document.quoted)
    whose = {line: quoted.get(at) for at, line in enumerate(document.lines)}
    assert (whose[OWN], whose[QUOTED], whose[THREAD[0]]) == (None, "A Reader, 13 May 2024", None)


def test_each_mail_of_a_printed_thread_is_its_senders_own_words(tmp_path):
    mails = (
        "A Reader <reader@mail.example> Mon, 13 May 2024 at 16:40",
        QUOTED,
        "Press Office <press@brekkvik.example> Tue, 14 May 2024 at 09:12",
        OWN,
        "On Mon, 13 May 2024 at 16:40, A Reader <reader@mail.example> wrote:",
        QUOTED,
        "Press Office <press@brekkvik.example> Tue, 14 May 2024 at 09:20",
        "The pool is tight.",
    )
    (tmp_path / "a.txt").write_text("\n\n".join(mails))
    document = next(iter(read_text_file(tmp_path / "a.txt")))
    assert isinstance(document, Document)
    assert [document.lines[at] for at, _ in document.quoted] == [QUOTED]
    assert document.quoted[0] == (4, "A Reader, 13 May 2024")


def test_a_text_that_is_no_mail_goes_on_behind_a_mail_that_it_cites():
    lines = ["The judge read the exhibits.", *THREAD[5:], "The claim is dismissed."]
    more = [f"Paragraph {number} says more." for number in range(20)]
    document = plain_document("\n\n".join([*more, *lines]))
    assert document.quoted == ()


def test_a_register_of_journeys_is_no_mail():
    journeys = "\n\n".join(
        f"From: Town {n}\nTo: Lunde\nDate: {n + 1} May 2024\n\nThe bus was late." for n in range(3)
    )
    document = plain_document(journeys)
    assert document.quoted == ()
    assert " ".join(document.lines).count("From: Town") == 3


def test_headers_without_address_and_receiver_begin_a_mail(tmp_path):
    headers = "From: A Reader\nSent: 13 May 2024 16:40\nSubject: Pool"
    found = whose(tmp_path, f"{OWN}\n\n{headers}\n\n{QUOTED}\n")
    assert found == {OWN: None, QUOTED: "A Reader"}


def test_a_line_of_stars_in_a_mail_is_no_cut(tmp_path):
    body = f"{OWN}\n\n*** Concert, 12 May ***\nDate: Sunday\n\nIt is free.\n"
    assert set(whose(tmp_path, body).values()) == {None}


@pytest.mark.parametrize(
    "introduction",
    ["Am 13.05.24 um 16:40 schrieb A Reader:", "On 5/13/24 16:40, A Reader wrote:"],
)
def test_a_day_in_figures_is_that_of_a_quoted_mail(tmp_path, introduction):
    (tmp_path / "a.eml").write_text(f"{HEAD.format('plain')}{OWN}\n\n{introduction}\n> {QUOTED}\n")
    document = next(iter(read_mail(tmp_path / "a.eml")))
    assert isinstance(document, Document)
    assert document.quoted == ((2, "A Reader, 13 May 2024"),)


def test_answers_among_the_questions_below_headers_are_not_the_askers(tmp_path):
    headers = "From: A Reader <r@m.example>\nSent: Monday, 13 May 2024 16:40\nTo: B\nSubject: Pool"
    body = f"See my answers in red below.\n\n{headers}\n\nDoes it leak?\n\n{OWN}\n"
    found = whose(tmp_path, body)
    assert found == {"See my answers in red below.": None, "Does it leak?": "", OWN: ""}


def test_a_line_that_ends_in_wrote_is_the_senders_without_an_address_before(tmp_path):
    said = "On 3 May 2024 at 10:00 the mayor told reader@mail.example what she wrote"
    lines = whose(tmp_path, f"{said}\n\n{QUOTED}\n")
    assert lines == {said: None, QUOTED: None}


@pytest.mark.parametrize(
    ("headers", "whose_words"),
    [
        (
            "De : A Reader<mailto:a@m.example>\nEnvoyé le :lundi 13 mai 2024 16:40\n"
            "À : press@m.example\nObjet :La piscine\n",
            "A Reader, 13 May 2024",
        ),
        (
            "From: A Reader [mailto:a@m.example] On Behalf Of b@m.example\n"
            "Sent: Monday, May 13, 2024 4:40 PM\nTo: Press <press@m.example>\nSubject: Pool\n",
            "A Reader, 13 May 2024",
        ),
    ],
)
def test_headers_of_another_mail_tell_its_sender_and_day(tmp_path, headers, whose_words):
    document = mail(tmp_path, f"{OWN}\n\n{headers}\n{QUOTED}\n")
    assert [(document.lines[at], who) for at, who in document.quoted] == [(QUOTED, whose_words)]
