"""Feeds: a document for each entry, with its own day, author and address."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uhhrag.documents.bundles.feeds import read_feed
from uhhrag.documents.document import Document, Unreadable
from uhhrag.documents.listing import list_documents

pytestmark = pytest.mark.usefixtures("nltk_loaded")
ENTRY = {
    "title": "Ferry sold?",
    "url": "https://lunde.example/2",
    "date_published": "2024-03-01T10:00:00Z",
    "authors": [{"name": "Ada Lind"}],
    "content_html": "The ferry was <b>not</b> sold. <i>It</i> stays.",
}
RSS = (
    "<rss version='2.0' xmlns:content='http://purl.org/rss/1.0/modules/content/' "
    "xmlns:dc='http://purl.org/dc/elements/1.1/' xmlns:media='http://search.yahoo.com/mrss/'>"
    "<channel><title>Lunde Post</title><item><title>Ferry sold?</title>"
    "<link>https://lunde.example/2</link><pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate>"
    "<dc:creator>Ada Lind</dc:creator><description>Short.</description>"
    "<media:content url='a.png'><media:title>A boat.</media:title></media:content>"
    "<content:encoded><![CDATA[The ferry was <b>not</b> sold.<p>It stays.]]></content:encoded>"
    "</item><item><description>&lt;p&gt;It rained.</description></item></channel></rss>"
)
ATOM = (
    "<feed xmlns='http://www.w3.org/2005/Atom'><title>Lunde Post</title><entry><title>Ferry sold?"
    "</title><link rel='self' href='https://x.example'/><link href='https://lunde.example/2'/>"
    "<published>2024-03-01T10:00:00Z</published><author><name>Ada Lind</name></author><content "
    "type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'><p>The ferry was <b>not</b> sold.</p>"
    "<p>It stays.</p></div></content></entry><entry><summary type='text'>It rained.</summary>"
    "</entry></feed>"
)
FEED = {"version": "https://jsonfeed.org/version/1.1", "title": "Lunde Post"}
FILES = {
    "a.rss": RSS,
    "b.xml": f"\ufeff<?xml version='1.0'?>\n{RSS}",
    "c.atom": ATOM,
    "d.json": json.dumps({**FEED, "items": [ENTRY, {"content_text": "It rained."}]}),
}


def read(folder: Path, name: str, text: str) -> list[Document | str]:
    (folder / name).write_text(text)
    return list(read_feed(folder / name))


@pytest.mark.parametrize("name", FILES)
def test_an_entry_of_a_feed_is_a_document(tmp_path, name):
    first, second = read(tmp_path, name, FILES[name])
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert first.lines == ("The ferry was not sold.", "It stays.")
    said = (first.title, first.author, first.date, first.url, first.site)
    known = ("Ferry sold?", "Ada Lind", "2024-03-01", "https://lunde.example/2", "Lunde Post")
    assert said == known
    assert second.lines == ("It rained.",)


@pytest.mark.parametrize(
    ("name", "text", "why"),
    [
        ("a.xml", "<urlset><url/></urlset>", "is XML of a kind that is not read"),
        ("a.rss", "<rss><channel>", "is not a feed, or is damaged"),
        ("a.json", '{"a": ', "is not JSON, or is damaged"),
        ("a.json", "[1, 2]", "is JSON of a kind that is not read"),
        ("a.json", '{"items": [{}]}', "has no document; item 1 has no text"),
        ("a.json", '{"items": []}', "is empty"),
    ],
)
def test_what_is_no_feed_is_told(tmp_path, name, text, why):
    with pytest.raises(Unreadable, match=why):
        read(tmp_path, name, text)


def test_an_entry_without_text_is_told(tmp_path):
    *_, said = read(tmp_path, "a.json", '{"items": [{"content_text": "It rained."}, {}]}')
    assert str(said).startswith("item 2 has no text")


def test_only_feeds_are_documents_of_those_in_xml_and_json(tmp_path):
    others = {"x.xml": "<urlset/>", "y.json": '{"description": "It rained."}', "y.atom": "<feed/>"}
    for name, text in {**FILES, **others}.items():
        (tmp_path / name).write_text(text)
    listed = list_documents(tmp_path)
    assert [one.name for one in listed.files] == [*FILES, "y.atom"]
    assert listed.other == {".xml": 1, ".json": 1}


def test_names_are_shown_without_markup_and_an_entry_is_read_by_what_it_has(tmp_path):
    item = "<item><title>{}</title>{}</item>"
    media = "<media:group><media:description>The ferry sailed.</media:description></media:group>"
    items = item.format("A&amp;amp;B &lt;b&gt;merge&lt;/b&gt;", media) + item.format("It sank.", "")
    head = "<rss version='2.0' xmlns:media='http://search.yahoo.com/mrss/'><channel>"
    text = f"{head}<title>Lunde &amp;amp; Vik</title>{items}</channel></rss>"
    first, second = read(tmp_path, "a.rss", text)
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.title, first.site, first.lines) == (
        "A&B merge",
        "Lunde & Vik",
        ("The ferry sailed.",),
    )
    assert (second.title, second.lines) == ("It sank.", ("It sank.",))


def test_each_page_of_a_wikis_export_is_a_document(tmp_path):
    revision = "<revision><timestamp>{}-01-02T00:00:00Z</timestamp><text>{}</text></revision>"
    pages = (
        f"<page><title>Lunde</title>{revision.format(2019, 'Old.')}"
        f"{revision.format(2020, 'It has 4,120 people.')}</page>"
        f"<page><title>Vik</title><redirect title='Lunde'/>{revision.format(2020, 'No.')}</page>"
        f"<page><title>Ost</title>{revision.format(2021, '')}</page>"
    )
    text = f"<mediawiki xmlns='http://www.mediawiki.org/xml/export-0.10/'>{pages}</mediawiki>"
    lunde, ost = read(tmp_path, "a.xml", text)
    assert isinstance(lunde, Document)
    assert (lunde.title, lunde.date, lunde.lines) == (
        "Lunde",
        "2020-01-02",
        ("It has 4,120 people.",),
    )
    assert ost == "page Ost has no text"
