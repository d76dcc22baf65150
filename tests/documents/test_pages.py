"""What web pages hold beside their paragraphs: captions, forms, chats."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag.documents.document import Document
from uhhrag.documents.web.html import read_html

STORY = (
    "The bridge at Lunde was closed for repairs in May and opened again in the first week of June."
)
TEXT = f"<p>{STORY}</p><p>{STORY} So it was said, and so it is.</p>"


def page(folder: Path, body: str) -> Document:
    (folder / "a.html").write_text(f"<html><body><article><h1>Lunde</h1>{body}</article></html>")
    return next(one for one in read_html(folder / "a.html") if isinstance(one, Document))


@pytest.mark.parametrize(
    "caption",
    [
        "<div class=wp-caption><a href=a><img src=a></a><p class=wp-caption-text>{}</p></div>",
        "<div><a href=a><img src=a></a><p class=caption><span id=a class=b>{}</span></p></div>",
        "<div><img src=a><br><span class=pb-caption>{}</span></div>",
        "<div class=box><div class=media-caption>{}</div></div>",
    ],
)
def test_a_caption_is_told_by_its_class(tmp_path, caption):
    shown = caption.format("The old bridge in 1961")
    other = "<div class=box><a href=a><img src=a></a><p>Ten boats of the year</p></div>"
    lines = page(tmp_path, f"{TEXT}{shown}{other}{TEXT}").lines
    assert "The old bridge in 1961" in lines
    assert "Ten boats of the year" not in lines


def test_what_a_form_groups_is_read_with_its_name_and_what_is_chosen(tmp_path):
    groups = (
        "<fieldset><legend>Was the quay dredged?</legend><label><input type=radio name=a> Yes"
        "</label><label><input type=radio name=a checked> No</label></fieldset><fieldset><legend>"
        "Who paid</legend><p><input type=radio id=b><label for=b>The county</label></p><p><input "
        "type=radio id=c checked><label for=c>The state</label></p></fieldset>"
    )
    shown = ("Was the quay dredged?", "☒ No", "Who paid", "☐ The county", "☒ The state")
    found = page(tmp_path, f"{TEXT}<form>{groups}{TEXT}{TEXT}</form>")
    assert found.lines[4:-6] == shown
    assert [name for _, name in found.sections][-1] == "Lunde – Who paid"
    assert page(tmp_path, f"{TEXT}{groups}").lines[-5:] == shown


_TELEGRAM = (
    '<div class="history"><div class="message service"><div class="body details">21 May 2024</div>'
    '</div><div class="message default clearfix"><div class="userpic"><div class="initials">A</div>'
    '</div><div class="body"><div class="date details" title="21.05.2024 10:30:05 UTC+02:00">10:30'
    '</div><div class="from_name">Ann Lie </div><div class="text">It is sold. It was old.</div>'
    '</div></div><div class="message default clearfix joined"><div class="body"><div class="date '
    'details" title="22.05.2024 09:01:05 UTC+02:00">09:01</div><div class="reply_to details">In '
    'reply to <a href="#a">this message</a></div><div class="text">No.<br>Not sold.</div></div>'
    '</div><div class="message default clearfix"><div class="body"><div class="date details" '
    'title="22.05.2024 09:03:05 UTC+02:00">09:03</div><div class="from_name">Bo</div><div '
    'class="forwarded body"><div class="from_name">Cid <span class="date details" '
    'title="20.05.2024 09:00:00">20.05.2024</span></div><div class="text">It sank. So it was.'
    "</div></div></div></div></div>"
)
_DISCORD = (
    '<div class="chatlog"><div class="chatlog__message-container"><div class="chatlog__header">'
    '<span class="chatlog__author">Ann Lie</span><span class="chatlog__timestamp" title="Tuesday, '
    'May 21, 2024 10:30 AM">5/21/2024</span></div><div class="chatlog__content">It is sold. It was '
    'old.</div></div><div class="chatlog__message-container"><div class="chatlog__message-aside">'
    '<div class="chatlog__short-timestamp" title="Wednesday, May 22, 2024 9:01 AM">9:01 AM</div>'
    '</div><div class="chatlog__content">No.<br>Not sold.</div></div><div '
    'class="chatlog__message-container"><div class="chatlog__reply"><div>Ann Lie</div>No.</div>'
    '<div class="chatlog__header"><span class="chatlog__author">Bo</span><span '
    'class="chatlog__timestamp" title="Wednesday, May 22, 2024 9:03 AM">5/22</span></div><div '
    'class="chatlog__forwarded"><div class="chatlog__content">It sank. So it was.</div></div></div>'
    "</div>"
)


@pytest.mark.parametrize("chat", [_TELEGRAM, _DISCORD])
def test_each_message_of_an_exported_chat_has_its_writer_and_its_day(tmp_path, chat):
    (tmp_path / "a.html").write_text(f"<html><body>{chat}</body></html>")
    first, second = read_html(tmp_path / "a.html")
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert first.lines == ("21 May 2024", "Ann Lie: It is sold.", "Ann Lie: It was old.")
    assert second.lines == (
        *("22 May 2024", "Ann Lie: No.", "Ann Lie: Not sold."),
        *("It sank.", "So it was."),
    )
    assert (first.date, second.date) == ("2024-05-21", "2024-05-22")
    assert (first.pages, second.pages[1:]) == ((631, 631, 631), (542, 542, 544, 544))
    whose = "Cid 20.05.2024" if chat == _TELEGRAM else ""
    assert second.quoted == ((3, whose), (4, whose))


@pytest.mark.parametrize(
    ("told", "day"),
    [
        ("<div class=date>Published: 03/04/2024</div>", ""),
        ("<div class=date>Published: 03/04/2024, on 3 April</div>", "2024-04-03"),
        ("<div class=date>Published: 03/04/2024</div><time datetime=2024-03-04>", "2024-03-04"),
        ("<div class=date>Published: 23/04/2024</div>", "2024-04-23"),
    ],
)
def test_a_day_in_figures_that_may_be_of_another_month_is_no_date(tmp_path, told, day):
    assert page(tmp_path, f"{told}{TEXT}").date == day


def test_each_sentence_of_a_turn_on_a_page_has_its_speaker(tmp_path):
    said = (
        "<b>Ann Berg:</b> No. It was old.",
        "<b>Bo Moe:</b> Yes. It is.",
        "<b>Ann Berg:</b> So.",
    )
    lines = page(tmp_path, "".join(f"<p>{one}</p>" for one in said)).lines
    assert lines[1:3] == ("Ann Berg: No.", "Ann Berg: It was old.")
    assert lines[3:] == ("Bo Moe: Yes.", "Bo Moe: It is.", "Ann Berg: So.")


def test_parts_of_a_page_that_look_like_its_text_are_read(tmp_path):
    part = "<div class=story-body><div class=row><div class='col a'>{}</div></div></div>"
    said = "<h2>Part {0}</h2><p>In year {0} the quay was not sold to anybody at all.</p>"
    later = "".join(part.format(said.format(n)) for n in range(2))
    teaser = "<div class=more><p>Ten boats that nobody has ever seen in Lunde.</p></div>"
    table = "<div class=b><table><tr><th>Year<th>Ships<tr><td>2019<td>14</table></div>"
    (tmp_path / "a.html").write_text(
        f"<html><body><h1>Lunde</h1>{part.format(TEXT * 3)}{teaser}{table}{later}{teaser}"
        f"{table.replace('14', '15')}</body></html>"
    )
    found = next(one for one in read_html(tmp_path / "a.html") if isinstance(one, Document))
    assert [line for line in found.lines if STORY not in line][3:] == [
        *("Year; Ships", "Year: 2019; Ships: 14"),
        *("Part 0", "In year 0 the quay was not sold to anybody at all."),
        *("Part 1", "In year 1 the quay was not sold to anybody at all."),
    ]
