"""A user's own document opens read-only at the place that a piece of evidence cites."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.documents import write_pdf
from tests.support.doubles import load_nltk_data
from tests.support.pages import HOSTILE, Page
from tests.support.serving import desk_of
from tests.support.small_run import METHOD
from uhhrag.documents.pdf import read_pdf
from uhhrag.protocols import Corpus
from uhhrag.records import Hit, Passage
from uhhrag.records import Page as Document
from uhhrag.serve.corpora import Target
from uhhrag.serve.own_documents import Sources

SENTENCE = "The bridge at Varnby opened to traffic in May."
PNG = b"\x89PNG\r\n\x1a\n"


def desk_over(tmp_path: Path, *documents: Document):
    """A desk on which every claim finds the sentence, cited from all the documents."""
    passage = Passage(SENTENCE, tuple(document.url for document in documents))
    corpus = Corpus(lambda query, top, /: [Hit(passage, 0.9)])
    folder = tmp_path / "docs"
    folder.mkdir(exist_ok=True)
    sources = Sources({d.url: (d,) for d in documents}, folder, load_nltk_data())
    targets = {"docs": Target("The folder", lambda: (lambda claim: corpus, METHOD))}
    return desk_of(tmp_path / "run", targets=targets, sources=sources)


def own(name: str, *lines: str, **more: object) -> Document:
    return Document(f"file:{quote(name)}", lines, file=quote(name), **more)


def test_a_text_opens_with_the_sentence_marked_and_escaped(tmp_path):
    note = own("a note.txt", HOSTILE, SENTENCE, "The mayor spoke.", date="2020-05-03")
    with desk_over(tmp_path, note) as served:
        path = served.ask("The bridge is open.")
        link = next(
            a["href"] for a in Page(served.settled(path)).all("a") if "/sources/" in a["href"]
        )
        assert link == f"{path}/pieces/1/sources/0#sentence"
        shown = Page(served.get(link.partition("#")[0]).body)
    assert ("mark", SENTENCE) in shown.texts
    assert "<script>alert(1)</script>" in shown.text()
    assert shown.all("img") == shown.all("script") == []
    assert "a note.txt 3 May 2020 ·" in shown.text()


def test_a_saved_page_is_offered_beside_its_web_address(tmp_path):
    saved = Document("https://a.example/x", (SENTENCE,), file="saved.html")
    with desk_over(tmp_path, saved) as served:
        page = Page(served.settled(served.ask("The bridge is open.")))
    assert {"https://a.example/x", "/claims/check-1/pieces/1/sources/0#sentence"} <= {
        a["href"] for a in page.all("a")
    }


def test_a_page_of_a_pdf_is_drawn_with_the_sentence_marked(tmp_path):
    (tmp_path / "docs").mkdir()
    file = tmp_path / "docs" / "plan.pdf"
    write_pdf(file, [["An opening page."], [SENTENCE, "It cost much."]])
    load_nltk_data()
    (read,) = read_pdf(file)
    with desk_over(tmp_path, own("plan.pdf", *read.lines, numbers=read.pages)) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        shown = Page(served.get(f"{path}/pieces/1/sources/0").body)
        (picture,) = shown.all("img")
        drawn = served.picture(picture["src"])
        file.unlink()
        assert served.get(f"{path}/pieces/1/sources/0").status == 200
        assert served.get(picture["src"]).status == 404
    assert drawn.startswith(PNG)
    assert "page 2" in picture["alt"].lower()


@pytest.mark.parametrize("name", ["../secret.pdf", "%2e%2e/secret.pdf", "link.pdf", "/etc/passwd"])
def test_nothing_outside_the_folder_is_read(tmp_path, name):
    folder = tmp_path / "docs"
    folder.mkdir()
    write_pdf(tmp_path / "secret.pdf", [[SENTENCE]])
    (folder / "link.pdf").symlink_to(tmp_path / "secret.pdf")
    document = Document(f"file:{name}", (SENTENCE,), file=name, numbers=(1,))
    with desk_over(tmp_path, document) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        assert served.get(f"{path}/pieces/1/sources/0/page.png").status == 404


@pytest.mark.parametrize(
    "rest", ["pieces/0/sources/0", "pieces/2/sources/0", "pieces/1/sources/1", "pieces/x/sources/0"]
)
def test_only_what_is_cited_can_be_opened(tmp_path, rest):
    with desk_over(tmp_path, own("note.txt", SENTENCE)) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        assert served.get(f"{path}/{rest}").status == 404
        assert served.get(f"/claims/check-9/{rest}").status == 404
