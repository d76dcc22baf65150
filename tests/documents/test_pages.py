"""What web pages hold beside their paragraphs: captions, forms, chats."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag.documents.document import Document
from uhhrag.documents.headings import sections_in
from uhhrag.documents.web.html import read_html
from uhhrag.documents.whose_words import quoted_in

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


def test_names_alone_above_their_words_are_those_of_speakers_with_their_parties(tmp_path):
    said = (
        ("The Minister for Ports (Ms Ada Lind)", "The bridge costs four million."),
        ("Per Holm", "The town says nine million."),
        ("Ada Lind", "That was withdrawn in May."),
        ("Per Holm", "It was not withdrawn."),
        ("Ada Lind", "It was, as you know."),
    )
    turn = "<div class=turn><div class=member>{}</div>{}<p>{}</p></div>"
    party = "<div class=party>(Vik) (Lab)</div>"
    turns = (turn.format(name, party * (at == 1), text) for at, (name, text) in enumerate(said))
    lines = page(tmp_path, "".join(turns)).lines
    assert [one for one in lines if one not in ("Lunde", "(Vik) (Lab)")] == [*map(": ".join, said)]


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


@pytest.mark.parametrize(
    ("boxes", "lines"),
    [
        (
            "<div><div class='r head'><div>Port</div><div>Boats</div><div>Catch</div></div>"
            "<div class=r><div>Lunde</div><div>12</div><div>1,204</div></div>"
            "<div class=r><div>Aas</div><div>7</div><div>980</div></div></div>",
            ("Port; Boats; Catch", "Port: Lunde; Boats: 12; Catch: 1,204",
             "Port: Aas; Boats: 7; Catch: 980"),
        ),
        (
            "<div class=row><div class=a>Yard</div><div class=b>Lunde Yard</div></div><div class="
            "row><div class=a>Speed</div><div class=b>18 knots</div></div><div class=row><div "
            "class=a>Crew</div><div class=b>24</div></div>",
            ("Yard: Lunde Yard", "Speed: 18 knots", "Crew: 24"),
        ),
        (
            "<div><div class=f><span>900 t</span><span>weight</span></div><div class=f><span>38 m"
            "</span><span>width</span></div><div class=f><span>4,200</span><span>homes</span></div>"
            "</div>",
            ("weight: 900 t", "width: 38 m", "homes: 4,200"),
        ),
        (
            "<ul>" + "".join(
                f"<li class=r><span class=a>{a}</span><span class=b>{b}</span>"
                f"<span class=c>{c}</span></li>"
                for a, b, c in (("Lunde", 14, 9), ("Aas", 7, 98), ("Vik", 3, 1))
            ) + "</ul>",
            ("Lunde; 14; 9", "Aas; 7; 98", "Vik; 3; 1"),
        ),
        (
            "<div style='display: table'>" + "".join(
                f"<div style='display: table-row'><div>{name}</div><div>{built}</div></div>"
                for name, built in (("Skarv", "2019"), ("Tarva", "2011"), ("Vik", "1988"))
            ) + "</div>",
            ("Skarv: 2019", "Tarva: 2011", "Vik: 1988"),
        ),
        (
            "<div class='field'><div class='field__label'>Built</div><div class='field__item'>1988"
            "</div></div>",
            ("Built: 1988",),
        ),
    ],
)  # fmt: skip
def test_rows_of_boxes_are_a_table_or_names_with_their_values(tmp_path, boxes, lines):
    assert page(tmp_path, f"{TEXT}{boxes}{TEXT}").lines[4:-3] == lines


def test_rows_of_boxes_with_links_or_sentences_are_no_table(tmp_path):
    row = "<div class=r><div>{0}</div><div>It was said on day {0}, and so it is.</div></div>"
    lines = page(tmp_path, TEXT + "".join(map(row.format, "abc")) + TEXT).lines
    assert not any(line.startswith("a: ") for line in lines)


def test_items_of_words_in_several_styles_are_no_table(tmp_path):
    items = "".join(f"<li><b>{one} </b><i>was mended</i></li>" for one in ("Quay", "Pier", "Mole"))
    lines = page(tmp_path, f"{TEXT}<p>They say:</p><ul>{items}</ul>{TEXT}").lines
    assert {"Quay was mended", "Pier was mended", "Mole was mended"} <= {*lines}


@pytest.mark.parametrize(
    "counter", ["data-to-value=1500 data-from-value=0", "data-target=1500", "data-count=1500"]
)
def test_a_figure_to_which_a_script_counts_from_0_is_read(tmp_path, counter):
    count = f"<p>They have made <span class=n {counter}>0</span> jobs in the town since May.</p>"
    lines = page(tmp_path, f"{TEXT}{count}<p>Of <b>0</b> jobs nothing is known to us.</p>").lines
    assert lines[4:] == (
        "They have made 1500 jobs in the town since May.",
        "Of 0 jobs nothing is known to us.",
    )


@pytest.mark.parametrize(
    "teaser",
    [
        "<p><strong>Also read | <a href=a>The bridge fell, says the union</a></strong></p>",
        "<p>Don’t miss: <a href=a>The bridge fell, says the union</a></p>",
        "<p><em>Related – <a href=a>The bridge fell, says the union</a></em></p>",
        "<aside class=newsletter-signup><h3>Sign up to our letter</h3><p>Get what happens on the "
        "bridge sent to you every morning.</p></aside>",
    ],
)
def test_what_leads_to_other_articles_is_no_text(tmp_path, teaser):
    assert page(tmp_path, f"{TEXT}{teaser}{TEXT}").lines == page(tmp_path, TEXT + TEXT).lines


def test_questions_and_their_answers_are_read(tmp_path):
    pair = (
        "<div class=item><h2><button aria-expanded=false>Who pays for {0}?</button></h2><div class="
        "'accordion collapse'><div class=body>The board pays for {0} in full.</div></div></div>"
    )
    more = "<p>Not this year. A rise of 2% is planned for 2026.</p></details>"
    pairs = "".join(map(pair.format, ("pipes", "roads")))
    text = f"<h1>Water</h1><p>{STORY}</p>{pairs}<details><summary>Will it rise?</summary>{more}"
    (tmp_path / "a.html").write_text(f"<nav><a href=a>Home</a></nav><div>{text}</div>")
    (found,) = read_html(tmp_path / "a.html")
    assert [line for line in found.lines if "pipes" in line or "roads" in line] == [
        "Who pays for pipes?",
        "The board pays for pipes in full.",
        "Who pays for roads?",
        "The board pays for roads in full.",
    ]


def test_a_shared_post_within_an_article_is_anothers_words(tmp_path):
    post = (
        "<figure><blockquote class=twitter-tweet><p>The bridge fell!!</p>— Storm Chaser (@chaser) "
        "<a href=a>May 3, 2024</a></blockquote></figure><p>That is not true, said the police.</p>"
    )
    found = page(tmp_path, f"{TEXT}{post}{TEXT}")
    at = found.lines.index("The bridge fell!!")
    assert found.lines[at + 2] == "That is not true, said the police."
    assert [n for n, _ in found.quoted] == [at, at + 1]
    assert _whose(found)[at] == "Storm Chaser (@chaser) May 3, 2024"


def _whose(found: Document) -> dict[int, str]:
    return dict(quoted_in(found, sections_in(found)))


def test_whose_a_quotation_is_tells_its_cite(tmp_path):
    quote = "<blockquote><p>It fell at six.</p><cite>Siri Vik, mayor</cite></blockquote>"
    title = "<blockquote><p>It is in <cite>The Post</cite>.</p></blockquote>"
    found = page(tmp_path, f"{TEXT}{quote}{TEXT}{title}{TEXT}")
    assert _whose(found)[found.lines.index("It fell at six.")] == "Siri Vik, mayor"
    assert _whose(found)[found.lines.index("It is in The Post.")] == ""


def test_all_posts_of_a_thread_are_read(tmp_path):
    names = (
        "<div><a href=a><span>Storm Chaser</span></a></div><div><a href=a><span>@chaser99</span>"
        "</a><span>·</span><a href=b><time datetime=2024-02-03T08:00:00.000Z>Feb 3</time></a></div>"
    )
    said = {
        "The bridge at Lunde has collapsed. Stay away from the river.": names,
        "The bridge is open. It has not been damaged by the storm.": names,
        "I saw it fall with my own eyes this morning.": "<a href=a><span>Bo</span></a>",
    }
    post = (
        "<div><article data-testid=tweet><div data-testid=User-Name>{}</div><div data-testid="
        "tweetText><span>{}</span></div></article></div>"
    )
    posts = "".join(post.format(name, text) for text, name in said.items())
    (tmp_path / "a.html").write_text(f"<main><h2>Post</h2><div>{posts}</div></main>")
    (found,) = read_html(tmp_path / "a.html")
    assert [line for line in found.lines if line.endswith(".")] == [
        sentence for text in said for sentence in text.replace(". ", ".|").split("|")
    ]


def test_the_day_of_a_page_is_not_cut_by_marks(tmp_path):
    told = (
        "<div class=metadata><dl><dt>From:</dt><dd>Rivers Agency</dd><dt>Published</dt>"
        "<dd>4 March 2021</dd><dt>Updated</dt><dd>18 April 2024</dd></dl></div>"
    )
    text = f"<p>Permits bought before 1 April 2024 keep the old price.</p>{TEXT}"
    assert page(tmp_path, told + text).date == "2021-03-04"


@pytest.mark.parametrize("name", ["sr-only", "visually-hidden", "govuk-visually-hidden"])
def test_what_only_screen_readers_say_is_not_read(tmp_path, name):
    caption = f"<figcaption><span class={name}>Image caption, </span><p>The bridge</p></figcaption>"
    body = f"<p><b><span class={name}>Warning</span>You can be fined for it in May.</b></p>"
    lines = page(tmp_path, f"{TEXT}<figure><img src=a>{caption}</figure>{body}{TEXT}").lines
    assert lines[4:6] == ("The bridge", "You can be fined for it in May.")


def test_a_link_among_terms_ends_them_not(tmp_path):
    terms = "".join(
        f"<div class=row><dt>{name}</dt><dd>{value}</dd><dd><a href=a>Change</a></dd></div>"
        for name, value in (("Age", "13 or older"), ("Season", "March to June"))
    )
    more = "<details><summary>If you are over 66</summary><div>You pay less.</div></details>"
    lines = page(tmp_path, f"<div>{TEXT}{TEXT}<dl>{terms}</dl></div>{more}").lines
    assert {"Age: 13 or older", "Season: March to June"} <= {*lines}


def test_a_box_keeps_its_heading_and_an_entry_its_time(tmp_path):
    box = "<aside><h4>The bridge in figures</h4><p>Built: 1931</p></aside>"
    entry = "<p><a href=a><time>11.40 GMT</time></a></p><h2>It reopens</h2>"
    lines = page(tmp_path, f"{TEXT}{box}{entry}{TEXT}").lines
    assert lines[4:8] == ("The bridge in figures", "Built: 1931", "11.40 GMT", "It reopens")
