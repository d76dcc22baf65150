"""Which mails of a thread may deny what one of them says."""

from __future__ import annotations

from uhhrag.evidence.mail_threads import replies_to
from uhhrag.records import Page


def replies(page: Page, *found: int) -> list[str]:
    """What is read of each reply."""
    texts = replies_to(page, found)
    assert all(text.startswith('Ann Lee wrote: "') for text in texts)
    return [text.partition(" Jo Park replied: » ")[2].removesuffix(" «") for text in texts]


def thread(*lines: tuple[str | None, str]) -> Page:
    quoted = tuple((at, who) for at, (who, _) in enumerate(lines) if who is not None)
    mails = tuple(at for at, who in quoted if who)
    return Page("", tuple(text for _, text in lines), quoted=quoted, mails=mails)


def test_every_mail_above_replies_to_a_quoted_one_and_headers_are_not_read() -> None:
    page = thread((None, "From: Press; To: Ada"), (None, "No."), ("Ada", "Really?"), ("Bo", "Ow."))
    assert replies(page, 3) == ["No.", "Really?"]
    assert replies(page, 2) == ["No."]


def test_an_answer_below_the_quoted_words_is_a_reply_and_more_of_the_same_mail_is_none() -> None:
    page = thread((None, "Hi."), ("Ada", "It leaks."), (None, "Yes."), ("Ada", "A lot."))
    assert replies(page, 1) == ["Hi.", "Yes."]
    assert replies(page, 3) == ["Hi.", "Yes."]


def test_the_last_words_of_the_sender_may_deny_all_that_was_quoted() -> None:
    page = thread(
        *((None, "Hi."), ("Ada", "It leaks."), (None, "Thanks."), ("Ada", "It stinks.")),
        *((None, "Hm."), ("Ada", "It is closed."), (None, "All of this is wrong.")),
    )
    assert replies(page, 1) == ["Hi.", "Thanks.", "All of this is wrong."]


def test_of_a_long_reply_its_beginning_is_read_and_what_speaks_of_the_same() -> None:
    told = ((None, f"Point {number} {'is long ' * 12}.") for number in range(9))
    page = thread(*told, (None, "The pool is dry."), (None, "So no."), ("Ada", "The pool leaks."))
    (text,) = replies(page, 11)
    assert text.startswith("Point 0 is long")
    assert text.endswith("The pool is dry. So no.")
    assert len(text) <= 360


def test_quoted_words_that_are_no_mail_with_a_known_sender_have_no_replies() -> None:
    assert not replies_to(thread((None, "No."), ("", "It leaks.")), [1])
