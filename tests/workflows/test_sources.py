"""Pages for a claim from a function of a program's own, and from an index of OpenSearch."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

import uhhrag
from tests.support.command import call
from tests.workflows.test_own_parts import EMBEDDER, agree
from uhhrag.archive.manifest import is_archive
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.errors import IndexFault, InputError, ModelError, UhhragError, UsageError
from uhhrag.records import Claim
from uhhrag.wiring.sources import HITS, SOURCES, open_engine

pytestmark = pytest.mark.slow

CLAIM = "The ferry of Lunde was sold in 2019."
PAGE = uhhrag.Page("https://a.example/ferry", ("The ferry was sold in 2019.",), title="Ferry")


def archive_of_mine(claim: Claim) -> list[uhhrag.Page]:
    return [PAGE] if "ferry" in claim.text else []


def archive_in(tmp_path: Path) -> Path:
    (archive,) = (one for one in (tmp_path / "work").glob("pages-*") if is_archive(one))
    return archive


def check(docs: Any, tmp_path: Path, claims: Any = CLAIM) -> Any:
    options = {"embedder": EMBEDDER, "voter": agree, "questions": "template"}
    return uhhrag.check(claims, docs, work=tmp_path / "work", **options)


def test_a_function_gives_the_pages_and_they_are_kept_as_they_were(tmp_path):
    checked = check(archive_of_mine, tmp_path)
    (verdict,) = checked
    assert verdict.evidence[0].urls == ("https://a.example/ferry",)
    assert verdict.evidence[0].sources[0].title == "Ferry"
    kept = open_snapshot(archive_in(tmp_path))
    assert kept.pages() == {0: PAGE}
    assert abs(kept.files[0].mtime_ns - time.time_ns()) < 60e9  # when it was asked


def test_a_word_changed_in_what_was_kept_is_found_and_decides_nothing(tmp_path):
    check(archive_of_mine, tmp_path)
    archive = archive_in(tmp_path)
    (file,) = archive.glob("segments/*/documents.jsonl")
    file.write_bytes(file.read_bytes().replace(b"sold in 2019", b"lost in 2019"))
    with pytest.raises(IndexFault, match=rf"is damaged.*run: uhhrag archive repair {archive}"):
        check(archive_of_mine, tmp_path)
    assert call("archive", "verify", archive)[0] == 4
    assert call("archive", "repair", archive)[0] == 0
    assert check(archive_of_mine, tmp_path)[0].evidence[0].answer == PAGE.lines[0]
    assert call("archive", "verify", archive)[0] == 0


def test_two_sources_of_one_name_do_not_share_their_verdicts(tmp_path):
    def other() -> Any:
        def archive_of_mine(claim: Claim) -> list[uhhrag.Page]:
            return [uhhrag.Page(PAGE.url, ("The ferry was sold in 1999.",), title="Ferry")]

        return archive_of_mine

    said = [check(docs, tmp_path)[0].evidence[0].answer for docs in (archive_of_mine, other())]
    assert said == [PAGE.lines[0], "The ferry was sold in 1999."]
    assert check(archive_of_mine, tmp_path)[0].evidence[0].answer == PAGE.lines[0]


def test_the_same_pages_are_not_decided_again_and_other_pages_are(tmp_path):
    first = check(archive_of_mine, tmp_path)
    assert check(archive_of_mine, tmp_path).folder == first.folder
    other = uhhrag.Page("https://a.example/b", ("The ferry was sold in 2020.",))
    assert check(lambda claim: [other], tmp_path).folder != first.folder


def test_a_source_that_gives_nothing_or_something_else_is_refused(tmp_path):
    with pytest.raises(InputError, match="the source gives no page"):
        check(archive_of_mine, tmp_path, claims="Whales sing.")
    with pytest.raises(InputError, match=r"the source gives dict; it is to give uhhrag\.Page"):
        check(lambda claim: [{"url": "x"}], tmp_path)
    nameless, text = uhhrag.Page("", PAGE.lines), uhhrag.Page("https://a.example", PAGE.lines[0])
    for page, field in ((nameless, "url"), (text, "lines")):
        said = f"the source gives a page that cannot be read: `{field}` is missing"
        with pytest.raises(InputError, match=said):
            check(lambda claim, page=page: [page], tmp_path)
    half = uhhrag.Page("https://a.example/half", ("\ud800 The ferry was sold.",))
    assert check(lambda claim: [half], tmp_path)[0].evidence[0].answer.startswith("\ufffd")


def test_a_source_that_raises_fails_the_claim_and_not_the_others(tmp_path):
    def mine(claim: Claim) -> Iterator[uhhrag.Page]:
        yield PAGE
        if claim.id == 1:
            raise ValueError("db down\nat once")

    checked = check(mine, tmp_path, claims=[CLAIM, "The ferry was sold.", "The ferry sank."])
    assert [row["error"] for row in checked.rows] == [
        None,
        "the source mine failed: ValueError: db down at once",
        None,
    ]
    assert [verdict.claim.id for verdict in checked.verdicts] == [0, 2]
    said = r"claim 0: the source broken failed: KeyError: 'key'; it gave no page for any claim"
    with pytest.raises(InputError, match=said):
        check(broken, tmp_path)


def broken(claim: Claim) -> list[uhhrag.Page]:
    raise KeyError("key")


class _Engine(BaseHTTPRequestHandler):
    answer: Any
    status: int
    asked: ClassVar[list[tuple[str, str, Any]]]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        key = self.headers.get("authorization", "")
        type(self).asked.append((self.path, key, body))
        content = json.dumps(self.answer).encode()
        self.send_response(self.status)
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *words: object) -> None:
        pass


@contextmanager
def engine(answer: Any, status: int = 200) -> Iterator[tuple[str, Any]]:
    """A server that answers as OpenSearch 2 does."""
    handler = type("Engine", (_Engine,), {"answer": answer, "status": status, "asked": []})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler
    finally:
        server.shutdown()
        server.server_close()


def hit(number: int, **fields: Any) -> dict[str, Any]:
    return {"_index": "news", "_id": f"a {number}", "_score": 1.5, "_source": fields}


FOUND = {
    "took": 2,
    "timed_out": False,
    "hits": {
        "total": {"value": 3, "relation": "eq"},
        "hits": [
            hit(
                1,
                headline="Ferry sold",
                body="The ferry was sold in 2019. It was old.\nA bridge follows.",
                url="https://gazette.example/ferry",
                published_at="2019-05-03T10:00:00Z",
                byline="Ada",
                views=3,
            ),
            hit(2, note="Lunde has a ferry, and nobody says for how long."),
            hit(3, views=4),
            "broken",
        ],
    },
}


def test_an_index_is_asked_for_each_claim_and_its_documents_are_read():
    with engine(FOUND) as (address, seen):
        pages = list(
            open_engine(f"{address}/news", allow_remote=False)(
                Claim(0, f"BREAKING: {CLAIM} #ferry")
            )
        )
    (asked,) = seen.asked
    assert asked[0] == "/news/_search"
    assert asked[2]["size"] == HITS
    assert asked[2]["query"]["multi_match"]["query"] == CLAIM
    assert pages[0].lines == ("The ferry was sold in 2019.", "It was old.", "A bridge follows.")
    assert (pages[0].title, pages[0].author, pages[0].date) == ("Ferry sold", "Ada", "2019-05-03")
    assert pages[0].url == "https://gazette.example/ferry"
    assert pages[1].url == f"{address}/news/_doc/a%202"
    assert len(pages) == 2


def test_an_engine_that_speaks_as_opensearch_does_is_read(tmp_path):
    osmem = pytest.importorskip("osmem_server", reason="osmem_server is not installed")
    documents = [one["_source"] for one in FOUND["hits"]["hits"][:2]]
    with (tmp_path / "news.ndjson").open("w") as seed:
        for number, fields in enumerate(documents):
            for one in ({"index": {"_index": "news", "_id": f"a {number}"}}, fields):
                seed.write(json.dumps(one) + "\n")
    with osmem.OsmemServer.start(seed=[seed.name], startup_timeout=300) as server:
        first, second = open_engine(f"{server.url}/news", allow_remote=False)(Claim(0, CLAIM))
        none = open_engine(f"{server.url}/none", allow_remote=False)
        with pytest.raises(ModelError, match="is there an index"):
            list(none(Claim(0, CLAIM)))
    assert (first.title, first.date) == ("Ferry sold", "2019-05-03")
    assert second.url == f"{server.url}/news/_doc/a%201"


def test_check_takes_its_address_and_the_key_stands_in_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_API_KEY", "ApiKey c2VjcmV0")
    with engine(FOUND) as (address, seen):
        (verdict,) = check(f"{address}/news", tmp_path)
    assert seen.asked[0][1] == "ApiKey c2VjcmV0"
    assert verdict.evidence[0].urls == ("https://gazette.example/ferry",)
    kept = [file for file in (tmp_path / "work").rglob("*") if file.is_file()]
    assert all(b"c2VjcmV0" not in file.read_bytes() for file in kept)


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://127.0.0.1:9200", "names no index"),
        ("http://news.example:9200/a", "is not this machine"),
        ("http://10.0.0.7:9200/a", "is not this machine"),
        ("http://me:secret@127.0.0.1/a", "takes no password"),
    ],
)
def test_an_address_that_may_not_be_asked_is_refused(url, reason):
    with pytest.raises(UsageError, match=reason) as refused:
        open_engine(url, allow_remote=False)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("answer", "status", "reason"),
    [
        ({"error": "index_not_found_exception"}, 404, "is there an index"),
        ({"hits": []}, 200, "does not answer as OpenSearch does"),
        ([1], 200, "not a JSON object"),
    ],
)
def test_what_is_no_index_is_said_in_a_line(answer, status, reason):
    with engine(answer, status) as (address, _), pytest.raises(UhhragError, match=reason) as fault:
        list(open_engine(f"{address}/news", allow_remote=False)(Claim(0, CLAIM)))
    assert "\n" not in str(fault.value)


def test_a_scheme_of_ones_own_is_a_row(tmp_path, monkeypatch):
    monkeypatch.setitem(SOURCES, "notes", lambda address, *, allow_remote: archive_of_mine)
    (verdict,) = check("notes://mine", tmp_path)
    assert verdict.evidence[0].urls == ("https://a.example/ferry",)
