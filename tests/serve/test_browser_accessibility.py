"""Every page of the desk and its reports by axe-core, light and dark, on four widths.

A scheme has colours of its own and a width a layout: each is looked at once, and all pairs of them
by `scripts/test --all`. UHHRAG_PICTURES=FOLDER keeps a picture of each page, to be looked at."""

from __future__ import annotations

import io
import os
import re
from functools import partial
from pathlib import Path
from typing import ClassVar

import pytest

from tests.serve.test_library import ReadLoaded, give, library_desk, made, send
from tests.serve.test_welcome import ONE, TWO
from tests.support.axe import violations
from tests.support.browser import opener
from tests.support.packed_documents import write_epub, write_odt, write_xlsx
from tests.support.serving import fields, token
from tests.support.waiting import until
from uhhrag.archive import updating
from uhhrag.documents import changed
from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.documents.ocr import Tesseract
from uhhrag.serve import draft_table
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.wiring import nltk_data

pytestmark = pytest.mark.browser

MINUTES = """The council met on Tuesday.
The harbour was dredged in 2019, at a cost of 2 million.
The bridge at Varnby was closed in 2018.
Nobody objected.
"""
CLAIM = "The harbour at Varnby was dredged in 2019."
WIDTHS = (1400, 800, 390, 320)
LOOKS = [("light", 1400), ("dark", 390)]
REST = [(s, w) for s in ("light", "dark") for w in WIDTHS if (s, w) not in LOOKS]
TABLE = "Port,Ships called,Largest ship\nVarnby,14,Havørn\nLunde,1203,\n"
ROWS = tuple(tuple(line.split(",")) for line in TABLE.splitlines())
SHOWN = """for (const part of document.querySelectorAll('*')) {
  if (part.tagName === 'DETAILS') part.open = true;
  part.style.contentVisibility = 'visible';
}"""
"""Opens all that is folded, and lays out what is outside of the window: colours that axe-core reads
at a place that moves are those of another part."""
MAIL = f"""From: Ada Writer <ada@b.example>
To: Bo <bo@b.example>
Date: Fri, 3 May 2019 14:02:00 +0200
Subject: The harbour
Content-Type: multipart/mixed; boundary=x

--x

{CLAIM}
--x
Content-Type: application/zip; name=everything.zip

x
--x--
"""


class ReadScans(ReadLoaded):
    """Reads a scan as if Tesseract had recognised the claim on it."""

    recognised: ClassVar = {"recognised": {"1": ((CLAIM,), 87)}, "ocr": "tesseract 5"}

    def read(self, file, state, spool):
        self.more = self.recognised if file.kind == "picture" else {}
        return super().read(file, state, spool)


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A desk in use, and its pages by name."""
    words = nltk_data.load_nltk_data()
    folder = tmp_path_factory.mktemp("desk")
    models = ModelFetch((ONE, TWO), lambda: None)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(updating, "ReadingProcess", ReadScans)
        patch.setattr(changed, "find_tesseract", lambda: Tesseract("tesseract", "5", ("eng",)))
        patch.setenv("UHHRAG_HOME", str(folder / "models"))
        with library_desk(folder / "home", data=lambda: words, models=models) as desk:
            yield desk, _filled(desk, folder)


def _archive(desk, folder: Path) -> str:
    """A collection of one document of each further format, all with the same sentence."""
    page = f"<html><body><h2>The harbour</h2><p>{CLAIM}</p></body></html>"
    files = {
        "csv": f"{CLAIM}\n{TABLE}".encode(),
        "eml": MAIL.encode(),
        "epub": write_epub(folder / "a.epub", {"a.xhtml": page}).read_bytes(),
        "odt": write_odt(folder / "a.odt", f"<text:p>{CLAIM}</text:p>").read_bytes(),
        "png": _scan(),
        "rtf": rf"{{\rtf1\ansi {CLAIM}\par}}".encode(),
        "xlsx": write_xlsx(folder / "a.xlsx", {"Ports": [(CLAIM,), *ROWS]}).read_bytes(),
    }
    collection = made(desk, "Archive")
    for ending, content in files.items():
        give(desk, collection, f"a {ending}.{ending}", content)
    send(desk, collection, "read")
    return collection


def _scan() -> bytes:
    from PIL import Image, ImageDraw, ImageFont

    picture, packed = Image.new("L", (1240, 400), 255), io.BytesIO()
    ImageDraw.Draw(picture).text((60, 80), CLAIM, fill=0, font=ImageFont.load_default(44))
    picture.save(packed, "PNG")
    return packed.getvalue()


def _asked(desk, collection: str) -> str:
    """The page of a claim that was checked against a collection."""
    key = collection.rpartition("/")[2]
    until(lambda: key in desk.app.targets)
    hidden = {"token_of_form": token(desk.get("/").body, "/checks"), "target": key}
    where = desk.post("/checks", {**hidden, "claim": CLAIM}).headers["location"]
    desk.settled(where)
    return str(where)


def _saved(desk, path: str, file: Path) -> str:
    """The address of an exported page on the disk."""
    file.write_text(desk.get(path).body)
    return file.as_uri()


def _filled(desk, folder: Path) -> dict[str, str]:
    collection = made(desk)
    give(desk, collection, "minutes 2020-11-03.txt", MINUTES.encode())
    give(desk, collection, "letter.pdf", b"not a PDF")
    send(desk, collection, "read")
    key = collection.rpartition("/")[2]
    until(lambda: key in desk.app.targets)
    hidden = {"token_of_form": token(desk.get("/").body, "/checks"), "target": key}
    about = {"date": "2020-11-04", "speaker": "The mayor"}
    for text in (CLAIM, "The bridge is open.", "Die Brücke ist seit März gesperrt."):
        answer = desk.post("/checks", {**hidden, "claim": text, **about})
        desk.settled(answer.headers["location"])
    for label, note in (("Supported", "Page 2."), ("Refuted", "Read again.")):
        more = {"note": note, "reviewer": "Ada", "appearance": "https://news.example/a"}
        desk.review("check-1", label=label, **more)
    sentences = (
        DraftSentence(CLAIM, 0),
        DraftSentence("Will it open again?", 0, "a question"),
        DraftSentence("The council met on Tuesday.", 1),
    )
    drafts = [draft_table.add(desk.app.database, Draft("a.txt", sentences), key) for _ in range(2)]
    ticks = {**fields(desk.get(f"/drafts/{drafts[0]}").body), "sentence": ["0", "2"]}
    desk.post(f"/drafts/{drafts[0]}/checks", ticks)
    until(lambda: "2 of 2 done" in desk.get(f"/drafts/{drafts[0]}").body)
    many = _asked(desk, _archive(desk, folder))
    links = dict.fromkeys(re.findall(rf"{many}/pieces/\d+/sources/\d+", desk.get(many).body))
    sources = {f"source-{number}": link for number, link in enumerate(links)}
    assert sources
    return {
        "list": "/",
        "claim": "/claims/check-1",
        "claim-in-german": "/claims/check-3",
        "source": "/claims/check-1/pieces/1/sources/0",
        "claim-in-many-formats": many,
        **sources,
        "draft-to-choose": f"/drafts/{drafts[1]}",
        "draft-checked": f"/drafts/{drafts[0]}",
        "collections": "/collections",
        "collection": collection,
        "welcome": "/welcome",
        "report": _saved(desk, "/export/report.html", folder / "report.html"),
        "draft-report": _saved(desk, f"/drafts/{drafts[0]}/export/report.html", folder / "d.html"),
        "not-found": "/claims/none",
    }


@pytest.mark.parametrize(
    ("scheme", "width"), [*LOOKS, *(pytest.param(*one, marks=pytest.mark.heavy) for one in REST)]
)
def test_no_page_breaks_a_rule_or_sticks_out(browser, pages, scheme, width):
    desk, paths = pages
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    found = {}
    with opener(browser) as opened:
        page = opened("about:blank", **options)
        for name, path in paths.items():
            page.set_viewport_size(options["viewport"])
            page.goto(path if path.startswith("file:") else desk.address + path)
            _keep(page, f"{name}-{scheme}-{width}")
            page.evaluate(SHOWN)
            found[name] = [*violations(page), *filter(None, map(partial(sticks_out, page), WIDTHS))]
    assert not any(found.values()), found


def sticks_out(page, width: int) -> str:
    page.set_viewport_size({"width": width, "height": 900})
    wide = page.evaluate("document.documentElement.scrollWidth")
    return f"is {wide} wide in a window of {width}" if wide > width else ""


def _keep(page, name: str) -> None:
    if folder := os.environ.get("UHHRAG_PICTURES"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)
