"""A user's own document opens read-only at the place that a piece of evidence cites."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.support.corpora import follow, read_here
from tests.support.documents import write_pdf
from tests.support.doubles import load_nltk_data
from tests.support.pages import HOSTILE, Page
from tests.support.serving import desk_of
from tests.support.small_run import METHOD
from uhhrag.archive.snapshot import ArchivePages, open_snapshot
from uhhrag.documents.pdf.reader import read_pdf
from uhhrag.protocols import EvidenceSource
from uhhrag.records import Hit, Passage, Place
from uhhrag.records import Page as Document
from uhhrag.serve.targets import Sources, Target, key_of
from uhhrag.views.html_pages import asset

pytestmark = pytest.mark.slow

SENTENCE = "The bridge at Varnby opened to traffic in May."
PNG = b"\x89PNG\r\n\x1a\n"


def desk_over(tmp_path: Path, *documents: Document, key: str = "docs"):
    """A desk on which every claim finds the sentence, cited from all the documents."""
    places = tuple(
        Place(number, document.lines.index(SENTENCE) if SENTENCE in document.lines else 0)
        for number, document in enumerate(documents)
    )
    passage = Passage(SENTENCE, tuple(document.url for document in documents), places)
    corpus = EvidenceSource(lambda query, top, /: [Hit(passage, 0.9)], documents.__getitem__)
    folder = tmp_path / "docs"
    folder.mkdir(exist_ok=True)
    sources = Sources({d.url: (d,) for d in documents}, lambda page: folder)
    targets = {key: Target("The folder", lambda _: (lambda claim: corpus, METHOD))}
    return desk_of(tmp_path / "run", targets=targets, sources=sources)


def own(name: str, *lines: str, **more: object) -> Document:
    return Document(f"file:{quote(name)}", lines, file=quote(name), **more)


def test_a_text_opens_with_the_sentence_marked_and_escaped(tmp_path):
    lines, quoted = (HOSTILE, SENTENCE, "The mayor spoke."), ((2, "A Reader"),)
    note = own("a note.txt", *lines, date="2020-05-03", quoted=quoted)
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
    assert "The mayor spoke. (words of A Reader)" in shown.text()


def test_a_sentence_that_moved_is_marked_where_it_stands_now(tmp_path):
    with desk_over(tmp_path, own("a.txt", SENTENCE)) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        pages = served.app.sources.pages
        for lines, marked in (
            (("A line above.", SENTENCE), [("mark", SENTENCE)]),
            (("Another.", SENTENCE, SENTENCE), []),
            (("Another.",), []),
        ):
            pages["file:a.txt"] = (own("a.txt", *lines),)
            shown = Page(served.get(f"{path}/pieces/1/sources/0").body)
            assert [text for text in shown.texts if text[0] == "mark"] == marked
            assert ("is not where it was" in shown.text()) == (not marked)


def test_the_documents_of_another_folder_are_not_those_of_a_claim(tmp_path):
    other = tmp_path / "other"
    with desk_over(tmp_path, own("a.txt", SENTENCE)) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
    assert key_of(tmp_path) != key_of(other)
    with desk_over(tmp_path, own("a.txt", SENTENCE), key=key_of(other)) as served:
        assert served.get(f"{path}/pieces/1/sources/0").status == 404
        assert "Check it again" not in served.get(path).body


def test_the_headings_of_a_document_stand_out(tmp_path):
    note = own(
        "a.md", "Bridges <2>", SENTENCE, "Roads", sections=((0, "Bridges <2>"), (2, "Roads"))
    )
    with desk_over(tmp_path, note) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        shown = Page(served.get(f"{path}/pieces/1/sources/0").body)
    levels = [p.get("aria-level") for p in shown.all("p") if p.get("role") == "heading"]
    assert levels == ["2", "2"]


def test_a_saved_page_is_offered_beside_its_web_address(tmp_path):
    saved = Document("https://a.example/x", (SENTENCE,), file="saved.html")
    with desk_over(tmp_path, saved) as served:
        page = Page(served.settled(served.ask("The bridge is open.")))
    links = [a for a in page.all("a") if a["href"].startswith(("https:", "/claims/check-1/pieces"))]
    assert [a["href"] for a in links] == [
        "/claims/check-1/pieces/1/sources/0#sentence",
        "https://a.example/x",
    ]
    (rule,) = re.findall(r'a\[rel~="noreferrer"\]::before \{ content: "(.*?)"', asset("style.css"))
    assert (rule, "noreferrer" in links[1]["rel"], "rel" in links[0]) == ("web: ", True, False)


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


def test_a_row_of_a_table_is_shown_with_its_sheet_and_number(tmp_path):
    row = own("costs.xlsx", "Port; Cost", SENTENCE, numbers=(1, 7), unit="sheet <Costs>, row")
    with desk_over(tmp_path, row) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        shown = served.get(f"{path}/pieces/1/sources/0").body
    assert "Sheet <Costs>, row 7" in Page(shown).text()
    assert "<Costs>" not in shown


def test_a_transcript_in_a_zip_is_shown_under_its_own_name_with_times(tmp_path):
    said = Document(
        "file:a.zip#in/b.vtt", ("Welcome.", SENTENCE), file="a.zip", numbers=(0, 751), unit="time"
    )
    with desk_over(tmp_path, said) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        shown = Page(served.get(f"{path}/pieces/1/sources/0").body).text()
    assert "a.zip#in/b.vtt" in shown
    assert f"Welcome. At 00:12:31 {SENTENCE}" in shown


def test_a_scan_is_shown_as_a_picture_with_how_sure_ocr_was(tmp_path):
    from PIL import Image

    (tmp_path / "docs").mkdir()
    Image.new("L", (300, 200), 255).save(tmp_path / "docs" / "letter.png")
    scan = own("letter.png", SENTENCE, numbers=(1,), ocr=(87,))
    with desk_over(tmp_path, scan) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        shown = Page(served.get(f"{path}/pieces/1/sources/0").body)
        drawn = served.picture(shown.all("img")[0]["src"])
    assert "87 % sure of its words on average" in shown.text()
    assert drawn.startswith(PNG)


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


def corpus_of(tmp_path: Path, monkeypatch, *folders: str) -> Path:
    """A corpus of folders that each hold a PDF of the same name."""
    load_nltk_data()
    read_here(monkeypatch)
    for name in folders:
        (tmp_path / name).mkdir()
        write_pdf(tmp_path / name / "plan.pdf", [["An opening page."], [f"Of {name}.", SENTENCE]])
        follow(tmp_path / "corpus", tmp_path / name)
    return tmp_path / "corpus"


def desk_over_corpus(tmp_path: Path, corpus: Path):
    """A desk on which every claim finds the sentence, cited from the PDF."""
    pages = ArchivePages(open_snapshot(corpus))
    passage = Passage(SENTENCE, ("file:plan.pdf",), (Place(0, 2),))
    found = EvidenceSource(lambda query, top, /: [Hit(passage, 0.9)])
    targets = {"docs": Target("The corpus", lambda _: (lambda claim: found, METHOD))}
    sources = Sources(pages, pages.folder_of)
    return desk_of(tmp_path / "run", targets=targets, sources=sources)


def test_a_document_of_a_corpus_opens_at_the_place(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, monkeypatch, "first")
    with desk_over_corpus(tmp_path, corpus) as served:
        path = served.ask("The bridge is open.")
        links = {a["href"] for a in Page(served.settled(path)).all("a")}
        assert f"{path}/pieces/1/sources/0#sentence" in links
        shown = Page(served.get(f"{path}/pieces/1/sources/0").body)
        assert ("mark", SENTENCE) in shown.texts
        (picture,) = shown.all("img")
        assert served.picture(picture["src"]).startswith(PNG)
        write_pdf(tmp_path / "first" / "plan.pdf", [["An opening page."], ["Of another."]])
        changed = Page(served.get(f"{path}/pieces/1/sources/0").body)
        assert ("mark", SENTENCE) in changed.texts
        assert changed.all("img") == []  # the page of today says something else
        assert served.get(picture["src"]).status == 404


def test_a_damaged_document_of_a_corpus_is_said_to_be_damaged(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, monkeypatch, "first")
    with desk_over_corpus(tmp_path, corpus) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        (file,) = corpus.glob("segments/*/documents.jsonl")
        file.write_bytes(file.read_bytes().replace(b"bridge", b"brigde"))
        for address in ("sources/0", "sources/0/page.png"):
            answer = served.get(f"{path}/pieces/1/{address}")
            assert answer.status == 500
            assert "is damaged" in answer.body
            assert f"run: uhhrag archive repair {corpus}" in answer.body


def test_files_of_the_same_name_are_those_of_their_folders(tmp_path, monkeypatch):
    snapshot = open_snapshot(corpus_of(tmp_path, monkeypatch, "first", "second"))
    pages = ArchivePages(snapshot)
    of_name = {page.lines[1]: pages.folder_of(page) for page in pages["file:plan.pdf"]}
    assert of_name == {"Of first.": tmp_path / "first", "Of second.": tmp_path / "second"}
    assert (list(pages), len(pages)) == (["file:plan.pdf"], 1)


def test_a_document_that_was_taken_out_since_is_said_to_be(tmp_path):
    note = own("a note.txt", SENTENCE)
    with desk_over(tmp_path, note) as served:
        path = served.ask("The bridge is open.")
        served.settled(path)
        served.app.sources.pages.clear()
        for address in ("sources/0", "sources/0/page.png"):
            answer = served.get(f"{path}/pieces/1/{address}")
            said = "a note.txt was taken out of the documents since this claim was checked."
            assert (answer.status, said in answer.body) == (404, True)
        other = served.get(f"{path}/pieces/9/sources/0")
        assert (other.status, "There is no such page." in other.body) == (404, True)


def test_a_deleted_document_cannot_be_opened(tmp_path, monkeypatch):
    corpus = corpus_of(tmp_path, monkeypatch, "first")
    (tmp_path / "first" / "plan.pdf").unlink()
    (tmp_path / "first" / "note.txt").write_text(SENTENCE)
    follow(corpus, tmp_path / "first")
    pages = ArchivePages(open_snapshot(corpus))
    assert "file:plan.pdf" not in pages
    assert pages.get("file:plan.pdf") is None
    assert list(pages) == ["file:note.txt"]
