"""Parts of web pages that are shown but do not stand where paragraphs stand, and others that stand
there but are not shown."""

from __future__ import annotations

from html import escape
from pathlib import Path

import pytest

from uhhrag.documents.bundles.web_archive import read_mhtml
from uhhrag.documents.document import Document
from uhhrag.documents.headings import sections_in
from uhhrag.documents.web.html import read_html

STORY = (
    "The council of Lunde met on Monday to settle the budget of the coming year, and its members "
    "spoke for three hours before they voted. The mayor said that the bridge over the river would "
    "be repaired before winter, and that no tax would rise."
)
SAFE = "“The bridge is safe and it stays open,” said Ada Berg, the engineer."


def page(folder: Path, body: str, below: str = "", name: str = "a.html") -> Document:
    article = f"<article><h1>Lunde</h1><p>{STORY}</p>{body}<p>{STORY} So it was.</p></article>"
    (folder / name).write_text(f"<html lang=en><body><main>{article}{below}</main></body></html>")
    return next(one for one in read_html(folder / name) if isinstance(one, Document))


def more(document: Document) -> list[str]:
    """Its lines but for those of every page here."""
    known = ("Lunde", "The council of", "The mayor said", "So it was")
    return [line for line in document.lines if not line.startswith(known)]


TABLE = "<table><thead><tr>{}</tr></thead><tr><td>Os</td><td>31</td></tr></table>"
HEAD = "<th>Town</th><th>Cases</th>"


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        (  # words that a click explains
            "<p>It sets a <button aria-haspopup=dialog>carbon <i>budget</i></button> of 40 t.</p>"
            "<p>Share it: <button>Mail</button> <button>Chat</button></p>",
            ["It sets a carbon budget of 40 t.", "Share it:"],
        ),
        (  # words that only a pointer shows
            "<p>A <span class=tooltip>fjord<span class=tooltiptext>A long inlet</span></span> is "
            "deep there.</p>",
            ["A fjord is deep there."],
        ),
        (  # signs in whose place screen readers say a word
            "<p>It was <span aria-hidden=true>▲</span> <span class=sr-only>up</span> 5%.</p>",
            ["It was up 5%."],
        ),
        (  # columns that are sorted by their names
            TABLE.format("<th><button>Town</button></th><th><button>Cases</button></th>"),
            ["Town; Cases", "Town: Os; Cases: 31"],
        ),
        (  # a frame with the table of a chart
            f"<iframe srcdoc='{escape(f'<html><body><style>p{{}}</style>{TABLE.format(HEAD)}')}'>"
            "</iframe><iframe srcdoc='&lt;p&gt;Buy ten boats now.'></iframe>",
            ["Town; Cases", "Town: Os; Cases: 31"],
        ),
        (  # captions that stand in no <figcaption>
            "<div class=b><figure><img src=a><div class=c><div class=d>It stood open in May 1961."
            "</div></div></figure></div><div class=b><div class=e><a href=a><img src=b></a>"
            "<div class=thumbcaption>The bridge in 1962</div></div></div>",
            ["It stood open in May 1961.", "The bridge in 1962"],
        ),
        (  # a reader's comment amid the text
            "<div class=top-comment><h2>Top comment</h2><p>I heard that the bridge fell down.</p>"
            "</div>",
            [],
        ),
        (  # a box of a blog's sidebar amid the text
            "<aside class='widget widget_text'><p>“Bridges”, my book, is out in May.</p></aside>",
            [],
        ),
        (  # a mark with letters, which its note does not begin with
            TABLE.format(HEAD).replace("Os", "Os<a class=footnote-ref href=#n>a</a>")
            + "<section class=footnotes><p id=n>Closed in May.</p></section>",
            ["Town; Cases", "Town: Os; Cases: 31", "Os: Closed in May."],
        ),
    ],
)
def test_what_a_page_shows_amid_its_text_is_read_and_nothing_else(tmp_path, body, lines):
    assert more(page(tmp_path, body)) == lines


def test_paragraphs_that_begin_with_a_quotation_mark_are_no_teasers(tmp_path):
    part = "<div class=row><div class=grid><div class=article__body>{}</div></div></div>"
    told = [f"<p>In {town}, {STORY}</p>" for town in ("Os", "Vik", "Moss", "Bergen", "Lom")]
    parts = ("".join(told * 2), f"<p>It was so.</p><p>{SAFE}</p>", "".join(told[:2]))
    (tmp_path / "a.html").write_text(
        f"<html><body><div><h1>Lunde</h1>{''.join(map(part.format, parts))}</div></body></html>"
    )
    (found,) = read_html(tmp_path / "a.html")
    assert SAFE in found.lines


def test_the_rating_below_a_claim_is_read_in_its_section(tmp_path):
    claim = "<div class=a><h3>Claim</h3><div><p>The bridge was shut by the king.</p></div></div>"
    rating = (
        "<div class=rating-wrapper><h3>Rating</h3><div class=media-list><div class='media rating'>"
        "<figure><a href=a><img alt=''></a></figure><div class=media-body><h5>Unproven</h5>"
        "<a href=b>About this rating</a></div></div></div></div>"
    )
    text = f"<h1>Was the bridge shut?</h1><div><p>{STORY}</p></div>{claim}{rating}"
    rest = f"<div class=d><h3>Origin</h3><div class=content>{f'<p>{STORY}</p>' * 4}</div></div>"
    (tmp_path / "a.html").write_text(f"<html><body><article>{text}{rest}</article></body></html>")
    (found,) = read_html(tmp_path / "a.html")
    at = found.lines.index("Unproven")
    assert found.lines[at - 1] == "Rating"
    assert dict(sections_in(found))[at].endswith("Rating – Unproven")


@pytest.mark.parametrize("name", ["Post-module__x1__footnotes", "endnotes"])
def test_notes_below_an_article_are_read(tmp_path, name):
    notes = f"<div class={name}><ol><li>See page four for all the sums</li></ol></div>"
    assert more(page(tmp_path, "", notes)) == ["See page four for all the sums"]


def test_what_a_page_sends_behind_its_frame_is_read_in_its_place(tmp_path):
    waits = '<div><!--$?--><template id="B:0"></template><p>Loading…</p><!--/$--></div>'
    sent = '<div hidden id="S:0"><p>The port counted 412 ships.</p><template id="P:1"></template>'
    late = '</div><div hidden id="S:1"><p>It had counted 206 before.</p></div>'
    calls = '<script>$RS("S:1","P:1");$RC("B:0","S:0")</script>'
    found = page(tmp_path, waits, f"{sent}{late}{calls}")
    assert more(found) == ["The port counted 412 ships.", "It had counted 206 before."]
    assert found.lines[-1] == "So it was."


def test_tables_of_frames_are_read_from_the_folder_beside_a_page_and_in_an_mhtml(tmp_path):
    shown = f"<html><body><h3>Cases</h3>{TABLE.format(HEAD)}</body></html>"
    (tmp_path / "b_files").mkdir()
    (tmp_path / "b_files" / "resource.html").write_text(shown)
    found = page(tmp_path, "<iframe src='./b_files/resource.html'></iframe>", "", "b.html")
    assert more(found) == ["Cases", "Town; Cases", "Town: Os; Cases: 31"]
    part = "--b\r\nContent-Type: text/html\r\nContent-ID: <{}>\r\n\r\n{}\r\n"
    text = f"<p>{STORY}</p><iframe src=cid:f2@mhtml></iframe><p>{STORY}</p>"
    (tmp_path / "a.mhtml").write_text(
        'MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary="b"\r\n\r\n'
        + part.format("f1@mhtml", text)
        + part.format("f2@mhtml", shown)
        + "--b--\r\n"
    )
    (saved,) = read_mhtml(tmp_path / "a.mhtml")
    assert more(saved) == ["Cases", "Town; Cases", "Town: Os; Cases: 31"]
    bare = (tmp_path / "a.mhtml").read_text().replace("<f2@mhtml>", "f2@mhtml")
    (tmp_path / "c.mhtml").write_text(bare)
    (saved,) = read_mhtml(tmp_path / "c.mhtml")
    assert more(saved) == ["Cases", "Town; Cases", "Town: Os; Cases: 31"]
