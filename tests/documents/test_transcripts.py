"""Subtitles and transcripts: each sentence with the second at which it is said."""

from __future__ import annotations

import time

import pytest

from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.plain.chats import _days
from uhhrag.documents.plain.text import read_text_file
from uhhrag.documents.plain.transcripts import read_subtitles
from uhhrag.records import Source

SRT = """1
00:00:00,500 --> 00:00:03,000
<i>The harbour was dredged</i>

2
00:00:03,100 --> 00:00:06,000
in the spring of 2019. It cost
19 million.

3
00:12:31,000 --> 00:12:33,000
- Who paid for it?
- The county did.

4
00:12:34,000 --> 00:12:35,000
[applause]
"""


def placed(path, reader=read_subtitles):
    document, *_ = reader(path)
    assert isinstance(document, Document)
    places = [Source("", number=n, unit=document.unit).place for n in document.pages]
    return list(zip(document.lines, places, strict=True))


@pytest.mark.parametrize("content", [SRT.encode(), SRT.replace("\n", "\r\n").encode("utf-8-sig")])
def test_sentences_of_subtitles_have_the_time_of_their_cue(tmp_path, content):
    (tmp_path / "a.srt").write_bytes(content)
    assert placed(tmp_path / "a.srt") == [
        ("The harbour was dredged in the spring of 2019.", "at 00:00:01"),
        ("It cost 19 million.", "at 00:00:03"),
        ("Who paid for it?", "at 00:12:31"),
        ("The county did.", "at 00:12:31"),
    ]


def test_webvtt_has_voices_and_neither_notes_nor_styles(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT - council\n\nSTYLE\n::cue { color: red }\n\n"
        "NOTE 00:01.000 --> 00:02.000\nno text\n\n"
        "intro\n01:02.000 --> 01:04.000 align:start\n"
        "<v Ada Lie>The pool &amp; the <b>bath</b> are open.\n\n"
        "01:05.000 --> 01:07.000\n<v.loud P. Moe>They are not.\n"
    )
    assert placed(tmp_path / "a.vtt") == [
        ("Ada Lie: The pool & the bath are open.", "at 00:01:02"),
        ("P. Moe: They are not.", "at 00:01:05"),
    ]


def test_who_goes_on_after_a_cue_is_named_once(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada Lie>The council did</v>\n\n"
        "00:03.000 --> 00:05.000\n<v Ada Lie>not approve it.</v> <v Bo>No.</v>\n\n"
        "00:09.000 --> 00:10.000\n<v Bo>Never.</v>\n"
    )
    assert [line for line, _ in placed(tmp_path / "a.vtt")] == [
        *("Ada Lie: The council did not approve it.", "Bo: No.", "Bo: Never.")
    ]


def test_every_sentence_of_a_voice_has_its_name(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Ada Lie>It is shut. It cost 5.\n\n"
        "00:03.000 --> 00:05.000\n<v Ada Lie>It was sold. <v Bo>No. Never.\n"
    )
    assert [line for line, _ in placed(tmp_path / "a.vtt")] == [
        *("Ada Lie: It is shut.", "Ada Lie: It cost 5.", "Ada Lie: It was sold."),
        *("Bo: No.", "Bo: Never."),
    ]


def test_names_that_begin_most_cues_are_those_of_all_sentences(tmp_path):
    said = "Ada Lie: It is shut. It cost 5.", "Ada Lie: It was sold.", "Bo Vik: No. Never: not so."
    cues = (f"00:0{at}.000 --> 00:0{at + 1}.000\n{one}" for at, one in enumerate(said))
    (tmp_path / "a.vtt").write_text("\n\n".join(("WEBVTT", *cues)))
    assert [line for line, _ in placed(tmp_path / "a.vtt")] == [
        *("Ada Lie: It is shut.", "Ada Lie: It cost 5.", "Ada Lie: It was sold."),
        *("Bo Vik: No.", "Bo Vik: Never: not so."),
    ]


def test_what_nobody_is_named_for_after_a_pause_is_nobodys(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Bo>It is shut.\n\n"
        "00:09.000 --> 00:12.000\nIt was filmed in May. It was sold.\n"
    )
    found = [line for line, _ in placed(tmp_path / "a.vtt")]
    assert found == ["Bo: It is shut.", "It was filmed in May.", "It was sold."]


def test_a_long_word_of_capitals_is_read_in_time(tmp_path):
    (tmp_path / "a.srt").write_text(f"1\n00:00:01,000 --> 00:00:02,000\n{'A' * 2_000}\n")
    begun = time.process_time()
    assert placed(tmp_path / "a.srt")
    assert time.process_time() - begun < 5


def test_every_window_of_a_voice_has_its_name(tmp_path):
    cues = (
        f"00:0{at}.000 --> 00:0{at + 1}.000\n<v Bo>it was not sold to any of {at} towns or ships"
        for at in range(8)
    )
    (tmp_path / "a.vtt").write_text("\n\n".join(("WEBVTT", *cues)))
    found = [line for line, _ in placed(tmp_path / "a.vtt")]
    assert [line.count("Bo: ") for line in found] == [1] * len(found) == [1] * 3


def test_a_caption_that_grows_is_read_once(tmp_path):
    said = ("It was", "It was not sold", "in 2019.")
    cues = (f"00:0{at}.000 --> 00:0{at + 1}.000\n{line}\n" for at, line in enumerate(said))
    (tmp_path / "a.vtt").write_text("\n".join(("WEBVTT\n", *cues)))
    assert [line for line, _ in placed(tmp_path / "a.vtt")] == ["It was not sold in 2019."]


def test_a_rolling_caption_is_read_once_and_cut_into_windows_which_is_said(tmp_path):
    said = [f"line {number} of what they said on that day" for number in range(40)]
    cues = [
        f"{at}\n00:00:{at:02},000 --> 00:00:{at + 1:02},000\n{before}\n{line}\n"
        for at, (before, line) in enumerate(zip(["", *said], said, strict=False))
    ]
    (tmp_path / "a.srt").write_text("\n".join(cues).replace(",000\n\n", ",000\n"))
    document, clause = read_subtitles(tmp_path / "a.srt")
    assert " ".join(document.lines) == " ".join(said)
    assert len(document.lines) == 10
    assert document.pages[:3] == (1, 4, 8)
    assert clause == "has hardly a full stop; it was cut into windows of some 30 words"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Council, 4 May\n[00:00:04] Ms. Ek: The roof leaks.\n[00:12:31] Mr. Vik: It does not.\n"
            "[01:00:00] Ms. Ek: It does.",
            ["", "at 00:00:04", "at 00:12:31", "at 01:00:00"],
        ),
        ("0:05\nIt rained.\n0:41\nIt poured.\n1:02:03\nIt ended.",
         ["at 00:00:05", "at 00:00:41", "at 01:02:03"]),
        ("10:30 Opening\n11:00 Coffee\n12:15 Lunch\n13:00 The mayor speaks.", None),
        ("[10:30] Ada: It rained.\n[11:00] Bo: It did.\n[12:15] Ada: No.", None),
        ("The vote was 3:10 to one.\nIt rained.\nIt poured.", None),
    ],
)  # fmt: skip
def test_a_text_whose_lines_begin_with_times_is_a_transcript(tmp_path, text, expected):
    (tmp_path / "a.txt").write_text(text)
    document, *_ = read_text_file(tmp_path / "a.txt")
    if expected is None:
        assert not document.unit
        return
    found = [place for _, place in placed(tmp_path / "a.txt", read_text_file)]
    assert found == expected  # what stands above all times has none
    assert not any(":" in line and line[0].isdigit() for line in document.lines)


def test_what_stands_above_a_transcript_is_a_paragraph_of_its_own(tmp_path):
    (tmp_path / "a.txt").write_text("Council\n0:00 It rained.\n0:02 It did.\n0:04 It poured.\n")
    document, *_ = read_text_file(tmp_path / "a.txt")
    assert document.lines[:2] == ("Council", "It rained.")


def test_what_is_no_subtitles_says_so(tmp_path):
    (tmp_path / "a.srt").write_text("It rained.")
    with pytest.raises(Unreadable, match="has no cue with a time"):
        list(read_subtitles(tmp_path / "a.srt"))


@pytest.mark.parametrize(
    ("said", "read_as"),
    [
        ("The council\n\ndid not approve it.", ["The council did not approve it."]),
        ("It is shut.\n2\n00:00:05,000 --> 00:00:06,000\nNow.", ["It is shut.", "Now."]),
        ("Rooms #4 and #5 are closed.", ["Rooms #4 and #5 are closed."]),
        ("(not the mayor) signed it.", ["(not the mayor) signed it."]),
        ("[Ann Lie]: The EU (EU) did (NOT) pay.", ["Ann Lie: The EU (EU) did (NOT) pay."]),
        (">> LIE: Is it shut? >> BERG: No.", ["LIE: Is it shut?", "BERG: No."]),
        (
            "-5 degrees in Oslo.\n- Yes. –10 in Bodø.",
            ["-5 degrees in Oslo.", "Yes.", "–10 in Bodø."],
        ),
        ("The fee is 10 crowns (not 12).", ["The fee is 10 crowns (not 12)."]),
        ("[The mayor] did [not] sign [it].", ["[The mayor] did [not] sign [it]."]),
        ("It was < 5 degrees and > 2 here.", ["It was < 5 degrees and > 2 here."]),
        (
            "[rain] [wind] It rained [coughs] here. [thunder]\n# They sing #\n♪ la ♪ Yes. ♪ lo ♪\n"
            "(sings)",
            ["It rained here.", "Yes."],
        ),
        (
            "{\\an8}<c.loud>It</c> <00:00:02.000>did <FONT color='x'>not</FONT> rain.",
            ["It did not rain."],
        ),
    ],
)
def test_what_is_said_is_kept_and_what_is_heard_left_out(tmp_path, said, read_as):
    (tmp_path / "a.srt").write_text(f"1\n00:00:01,000 --> 00:00:04,000\n{said}\n")
    assert [line for line, _ in placed(tmp_path / "a.srt")] == read_as


def test_lines_after_a_note_of_webvtt_belong_to_it(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT\nKind: captions\n\nLanguage: en\n\n00:01.000 --> 00:02.000\nIt rained.\n\n"
        "NOTE by Ada\n\nand Bo\n\n00:03.000 --> 00:04.000\nIt\n \npoured.\n"
    )
    assert [line for line, _ in placed(tmp_path / "a.vtt")] == ["It rained.", "It poured."]


def test_a_name_marked_by_webvtt_may_have_commas_and_brackets_and_is_said_once(tmp_path):
    (tmp_path / "a.vtt").write_text(
        "WEBVTT\n\n00:01.000 --> 00:03.000\n<v Berg, Anna>The pool does not</v>\n\n"
        "00:03.000 --> 00:05.000\n<v Berg, Anna>leak.</v>\n\n"
        "00:05.000 --> 00:07.000\n<v Holm, Bo (Town)>It does.</v>\n"
    )
    lines = [line for line, _ in placed(tmp_path / "a.vtt")]
    assert lines == ["Berg, Anna: The pool does not leak.", "Holm, Bo (Town): It does."]


@pytest.mark.parametrize(
    "head",
    ["{0}  {1}  \n", "{0} ({1}):\n", "[{0}] 00:0{1}\n", "{0}:  [{1}]\n", "[{1}] {0}: ",
     "[{1} --> 0:59.000]  {0}: ", "{1} - 1:02 {0}: ", "[{1}] {0}\n", "{1} {0}\n", "{0}\n{1}\n",
     "{1} From {0} to Everyone:\n\t", "{1}\t From {0} : "],
)  # fmt: skip
def test_speaker_and_time_are_told_in_the_forms_of_many_programs(tmp_path, head):
    said = (
        ("Ada Lie", "0:03", "It rained."),
        ("Bo", "0:41", "It did."),
        ("Ada Lie", "0:52", "No."),
    )
    (tmp_path / "a.txt").write_text("\n\n".join(head.format(*one) + one[2] for one in said))
    assert placed(tmp_path / "a.txt", read_text_file) == [
        ("Ada Lie: It rained.", "at 00:00:03"),
        ("Bo: It did.", "at 00:00:41"),
        ("Ada Lie: No.", "at 00:00:52"),
    ]


def test_times_of_a_pasted_chat_may_be_of_the_afternoon(tmp_path):
    text = "Ada Lie  11:59 AM\nIt rained.\nBo  1:02 PM\nIt did.\nAda Lie  1:03 PM\nNo.\n"
    (tmp_path / "a.txt").write_text(text)
    assert placed(tmp_path / "a.txt", read_text_file) == [
        ("Ada Lie: It rained.", "at 11:59"),
        ("Bo: It did.", "at 13:02"),
        ("Ada Lie: No.", "at 13:03"),
    ]


def test_the_day_above_a_transcript_is_no_speaker(tmp_path):
    said = "Ada Lie   0:03\nIt rained.\n\nBo   0:41\nIt did.\n\nAda Lie   0:52\nNo.\n"
    (tmp_path / "a.txt").write_text(f"Board\nMay 21, 2024, 10:00AM\n32m 10s\n\n{said}")
    (document,) = read_text_file(tmp_path / "a.txt")
    assert isinstance(document, Document)
    assert document.lines[1:] == ("Ada Lie: It rained.", "Bo: It did.", "Ada Lie: No.")


def test_subtitles_that_were_saved_as_text_are_read_as_such(tmp_path):
    for name in ("a.srt", "a.txt"):
        (tmp_path / name).write_text(SRT)
    assert placed(tmp_path / "a.txt", read_text_file) == placed(tmp_path / "a.srt")


@pytest.mark.parametrize(
    ("stamp", "days"),
    [
        ("{}.05.2024, 14:03 - ", ("3 May 2024", "4 May 2024")),
        ("\u200e[{}/05/24, 2:03:11\u202fPM] ", ("3/05/24", "4/05/24")),
        ("[2024-05-0{} 14:03] ", ("3 May 2024", "4 May 2024")),
    ],
)
def test_each_day_of_a_chat_is_a_document_and_each_message_has_its_time(tmp_path, stamp, days):
    first, last = map(stamp.format, (3, 4))
    said = ("Info: I think they sold it", "Bo: no\nIt was lent.", "Bo left", "Info: Yes")
    lines = (first + said[0], first + said[1], first + said[2], last + said[3])
    (tmp_path / "chat.txt").write_text("\n".join(lines))
    before, after, *clauses = read_text_file(tmp_path / "chat.txt")
    assert clauses == [
        f"does not tell the order of day and month in {one}, so its days have no dates"
        for one in days[:1]
        if "/" in one
    ]
    assert isinstance(before, Document)
    assert isinstance(after, Document)
    assert before.lines == (days[0], said[0], "Bo: no", "Bo: It was lent.", said[2])
    assert after.lines == (days[1], said[3])
    assert {place for _, place in placed(tmp_path / "chat.txt", read_text_file)} == {"at 14:03"}
    assert (before.sections, after.sections) == (((0, days[0]),), ((0, days[1]),))
    dates = [(one.date, one.dated_by) for one in (before, after)]
    assert dates in ([("2024-05-03", ""), ("2024-05-04", "")], [("", "")] * 2)
    assert before.key != after.key


def test_what_a_chat_program_says_is_nobodys_message(tmp_path):
    said = (
        "Messages and calls are end-to-end encrypted. No one outside of this chat can read them.",
        *("Bo: <Media omitted>", "Kari: The media omitted it.", "Bo: \u200eimage omitted"),
        *("Bo: This message was deleted", "Kari: It was sold. <This message was edited>"),
        *("Bo: a.jpg (file attached)", "Kari: No", "Kari: No"),
    )
    (tmp_path / "a.txt").write_text("".join(f"03.05.2024, 14:03 - {one}\n" for one in said))
    document, *_ = read_text_file(tmp_path / "a.txt")
    assert isinstance(document, Document)
    assert document.lines[1:-2] == ("Kari: The media omitted it.", "Kari: It was sold.")


def test_measures_with_day_and_time_are_a_table_and_no_chat(tmp_path):
    rows = ("Moment             Rain   Wind", *(f"2024-05-0{n} 14:03   1.{n}   7.5" for n in "123"))
    (tmp_path / "a.txt").write_text("\n".join(rows))
    document, *_ = read_text_file(tmp_path / "a.txt")
    assert document.lines[1] == "Moment: 2024-05-01 14:03; Rain: 1.1; Wind: 7.5"


@pytest.mark.parametrize(
    "text",
    [
        "Race\n\nAda Lie 0:58\nClub: Ostvik\nBo Moe 1:02\nClub: Lunde\nCy Dahl 1:10\nClub: Lunde\n",
        "00:00-01:00 12 calls\n01:00-02:00 8 calls\n02:00-03:00 3 calls\n",
        "1.5.2024 10:00 Board: budget\n2.5.2024 10:00 Board: fees\n3.5.2024 10:00 Board: trips\n",
        "1.5.2024, 10:00 - Board: fees\n2.5.2024, 9:00 - Trip: lake\n3.5.2024, 9:00 - Fair: art\n",
        f"A guide.\n\n{SRT}\n" + "Lines are short.\n" * 30,
        "Night bus\n\n0:05 Ostvik harbour\n0:20 Lunde\n0:41 Varnby\nIt does not run in July.\n",
        "".join(f"[2024-05-03 10:0{n}:11] INFO: pump {n} started\n" for n in range(4)),
    ],
)
def test_results_hours_agendas_and_examples_are_no_transcript(tmp_path, text):
    (tmp_path / "a.txt").write_text(text)
    document, *_ = read_text_file(tmp_path / "a.txt")
    assert isinstance(document, Document)
    assert not document.unit


@pytest.mark.parametrize(
    "stamp",
    [
        *("[10:0{}] kari: ", "2024-05-03 10:0{}:11 INFO ", "2024-05-03 10:0{}:11,123 INFO "),
        "2024-05-03T10:0{}:11Z INFO ",
        *("May 13 10:0{}:11 host kari: ", "03/May/2024:10:0{}:11 "),
    ],
)
@pytest.mark.parametrize("end", ["although he pulled it", "for he did not"])
def test_each_line_of_a_log_stands_alone(tmp_path, stamp, end):
    text = [f"{stamp.format(n)}the pump did not start, {end}" for n in range(3)]
    (tmp_path / "a.txt").write_text("\n".join(text))
    document, *_ = read_text_file(tmp_path / "a.txt")
    assert document.lines == (*text,)


def test_days_of_a_chat_may_be_of_another_century():
    assert _days(["1/5/1994", "13/5/1994"])["1/5/1994"] == "1994-05-01"


def test_a_window_of_a_transcript_spans_a_minute_at_most(tmp_path):
    text = "0:05\nwelcome to the show\n0:12\ntoday we talk\n1:02:31\nit cost 19 million\n"
    (tmp_path / "a.txt").write_text(text)
    found = placed(tmp_path / "a.txt", read_text_file)
    assert [line for line, _ in found] == [
        "welcome to the show today we talk",
        "it cost 19 million",
    ]
    assert found[1][1].endswith("1:02:31")
