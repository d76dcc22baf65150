"""Chats: a document a day; each sentence has its writer and its minute."""

from __future__ import annotations

from uhhrag.documents.document import Document
from uhhrag.documents.draft import read_draft
from uhhrag.documents.plain.text import read_text_file
from uhhrag.documents.reader_process import _record


def test_a_message_has_its_own_day_and_each_of_its_sentences_its_writer(tmp_path):
    days = (("30.04.2024", "The bell was cast in 1802. It is cracked."), ("02.05.2024", "No."))
    lines = [f"{day}, 00:0{n} - Bo Moe: {said}" for n in (0, 1) for day, said in days]
    (tmp_path / "a.txt").write_text("\n".join(lines[::2] + lines[1::2]))
    found = [one for one in read_text_file(tmp_path / "a.txt") if isinstance(one, Document)]
    records = [_record(one, "a.txt") for one in found]
    shown = [(one["url"], one["date"], one.get("dated_by", "")) for one in records]
    assert shown == [
        ("file:a.txt#2024-04-30", "2024-04-30", ""),
        ("file:a.txt#2024-05-02", "2024-05-02", ""),
    ]
    said = ("Bo Moe: The bell was cast in 1802.", "Bo Moe: It is cracked.")
    assert records[0]["url2text"][:3] == ("30 April 2024", *said)


def test_a_chat_whose_days_cannot_be_told_has_no_date_of_its_file_or_of_what_is_said(tmp_path):
    said = [f"0{n}/05/2024, 09:00 - Bo: It opened on 3 May 1961." for n in (1, 1, 2)]
    (tmp_path / "a.txt").write_text("\n".join(said))
    found = [one for one in read_text_file(tmp_path / "a.txt") if isinstance(one, Document)]
    assert [_record(one, "chat 2024-06-01.txt")["date"] for one in found] == ["", ""]


def test_a_chat_is_one_draft(tmp_path):
    days = ("30.04.2024", "02.05.2024")
    said = [f"{day}, 09:0{n} - Bo: The pool leaked in {n}." for n, day in enumerate(days * 2)]
    (tmp_path / "a.txt").write_text("\n".join(sorted(said, key=lambda one: one[3:5])))
    draft = read_draft(tmp_path / "a.txt")
    texts = [one.text for one in draft.sentences]
    assert texts == [
        *("30 April 2024", "Bo: The pool leaked in 0.", "Bo: The pool leaked in 2."),
        *("2 May 2024", "Bo: The pool leaked in 1.", "Bo: The pool leaked in 3."),
    ]
    assert [one.paragraph for one in draft.sentences] == [*range(6)]
    assert draft.partly == ""


def test_a_name_alone_beside_the_time_writes_what_stands_below(tmp_path):
    (tmp_path / "a.txt").write_text(
        f"{'=' * 9}\nGuild: Lunde\n{'=' * 9}\n\n[05/21/2024 10:30 AM] ann_lie\nIt is sold. It was "
        "old.\n\n[05/21/2024 10:31 AM] bo (pinned)\nIt is: not\nsold.\n\n{Reactions}\n👍 (2)\n\n"
        f"[05/22/2024 9:01 AM] ann_lie\nSo it is.\n\n{'=' * 9}\nExported 3 message(s)\n{'=' * 9}\n"
    )
    first, second = read_text_file(tmp_path / "a.txt")
    assert first.lines == (
        *("21 May 2024", "Guild: Lunde", "ann_lie: It is sold.", "ann_lie: It was old."),
        *("bo: It is: not", "bo: sold.", "bo: 👍 (2)"),
    )
    assert (second.lines, second.date) == (("22 May 2024", "ann_lie: So it is."), "2024-05-22")
    assert second.pages == (542, 542)
