"""What web pages hold beside their paragraphs: captions, forms, chats."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag.documents.document import Document
from uhhrag.documents.html import read_html

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
