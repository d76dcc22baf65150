"""A desk with stand-ins for the models, on a port of its own, in a thread or as a program.

As a program, `python -m tests.support.serving FOLDER`, it says its port and casts one vote, so
that it can be killed in the middle of a claim."""

from __future__ import annotations

import contextlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import uvicorn

from tests.support.small_run import LLM as SCRIPTED
from tests.support.small_run import METHOD, corpus_for, run_all, with_llm
from tests.support.waiting import until
from uhhrag.exports.claim_review import Publisher
from uhhrag.serve import server
from uhhrag.serve.access import Access
from uhhrag.serve.app import App
from uhhrag.serve.database import FILE, open_database
from uhhrag.serve.routes import make_asgi
from uhhrag.serve.targets import Target
from uhhrag.serve.worker import Queue
from uhhrag.views.run_view import RunView
from uhhrag.wiring.checked_claims import CheckedBefore, nearest_of
from uhhrag.workflows.serve import run_view

TARGET = "docs"
NOTHING_CHECKED = nearest_of((), None)


@dataclass
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str


@dataclass
class Served:
    """A running desk, and how to speak to it."""

    app: App
    port: int
    cookies: dict[str, str] = field(default_factory=dict)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def get(self, path: str, **headers: str) -> Answer:
        return self.send("GET", path, None, **headers)

    def post(self, path: str, form: Mapping[str, Any], **headers: str) -> Answer:
        return self.send("POST", path, urlencode(form, doseq=True), **headers)

    def send(self, method: str, path: str, body: str | None, **headers: str) -> Answer:
        return spoken(self.port, method, path, body, **headers)

    def picture(self, path: str) -> bytes:
        headers, content = self.download(path)
        assert headers["content-type"] == "image/png"
        return content

    def download(self, path: str) -> tuple[Mapping[str, str], bytes]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=60)
        with contextlib.closing(connection):
            connection.request("GET", path)
            answer = connection.getresponse()
            return dict(answer.getheaders()), answer.read()

    def events(self, path: str) -> Iterator[str]:
        """The lines of a stream of events, as they come."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=20)
        with contextlib.closing(connection):
            connection.request("GET", path)
            answer = connection.getresponse()
            assert answer.headers["content-type"].startswith("text/event-stream")
            assert answer.headers["x-accel-buffering"] == "no"  # or a proxy keeps them to the end
            for line in answer:
                yield line.decode()

    def review(self, key: str, **form: Any) -> Answer:
        hidden: dict[str, Any] = {**fields(self.get(f"/claims/{key}").body)}
        view = self.app.find(key)
        signed = {"label": view.machine_label if view else "", "reviewer": "Ada"}
        hidden = {k: v for k, v in hidden.items() if not k.startswith(("keep-", "mark-"))} | signed
        return self.post(f"/claims/{key}/review", {**hidden, **form})

    def ask(self, claim: str, **form: Any) -> str:
        """The path of the claim's page."""
        hidden = {"token_of_form": token(self.get("/").body, "/checks")}
        answer = self.post("/checks", {**hidden, "claim": claim, "target": TARGET, **form})
        assert answer.status == 303, answer.body
        return answer.headers["location"]

    def ask_again(self, path: str) -> str:
        """A claim's page, once it is checked again."""
        again = {"token_of_form": token(self.get(path).body, f"{path}/again")}
        assert self.post(f"{path}/again", again).status == 303
        return self.settled(path)

    def settled(self, path: str) -> str:
        """The claim's page, once it is decided or failed."""

        def page() -> str:
            shown = self.get(path).body
            return "" if "data-watch" in shown else shown

        return until(page)


def spoken(port: int, method: str, path: str, body: str | None, **headers: str) -> Answer:
    connection = HTTPConnection("127.0.0.1", port, timeout=20)
    try:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        if body is not None:
            given.setdefault("content-type", "application/x-www-form-urlencoded")
        connection.request(method, path, body, given)
        answer = connection.getresponse()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return Answer(answer.status, found, answer.read().decode())
    finally:
        connection.close()


def token(page: str, action: str) -> str:
    """The secret of a page's form that leads to `action`."""
    _, there, form = page.partition(f'action="{action}"')
    assert there, action
    return fields(form.partition("</form>")[0])["token_of_form"]


def fields(page: str) -> dict[str, str]:
    """The hidden fields of a page."""
    found: dict[str, str] = {}

    class Hidden(HTMLParser):
        def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
            given = {name: value or "" for name, value in attributes}
            if tag == "input" and given.get("type") == "hidden":
                found[given["name"]] = given["value"]

    Hidden().feed(page)
    return found


@contextlib.contextmanager
def desk_of(
    folder: Path,
    *,
    token: str = "",
    origin: str = "",
    method: Any = METHOD,
    run: bool = True,
    read: Callable[[], RunView] | None = None,
    targets: Mapping[str, Target] | None = None,
    checked_before: CheckedBefore = NOTHING_CHECKED,
    **more: Any,
) -> Iterator[Served]:
    """The desk of a small run, its questions answered by scripted models."""
    run = run and read is None
    if run and not (folder / "run.json").exists():
        list(run_all(folder))
    read = read or (run_view(folder) if run else lambda: RunView("empty", {}, ()))
    choice = {TARGET: Target("The folder", lambda _: (corpus_for, method))}
    with open_database(folder / FILE) as desk:
        listening = server.listen("127.0.0.1", 0)
        port = listening.getsockname()[1]
        queue = Queue(desk, lambda: app.targets)
        access = Access("127.0.0.1", port, token, origin)
        app = App(
            database=desk,
            queue=queue,
            fixed=choice if targets is None else targets,
            read=read,
            access=access,
            publisher=Publisher("The Varnby Gazette"),
            checked_before=checked_before,
            **more,
        )
        running = uvicorn.Server(server.config_of(make_asgi(app)))
        listening.listen(16)
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        queue.start()
        until(lambda: running.started)
        yield Served(app, port)
        running.should_exit = True
        running.force_exit = True
        queue.stop(5)
        thread.join(10)
        listening.close()


def gated(allowed: threading.Semaphore) -> Any:
    """The scripted models; each call for votes waits until `allowed` lets it pass. The first call
    is for one vote, the second for the other two."""

    def voter(prompts: Any, ask: Any, /) -> Any:
        allowed.acquire(timeout=30)
        return SCRIPTED(prompts, ask)

    return with_llm(voter=voter)


if __name__ == "__main__":
    with desk_of(Path(sys.argv[1]), method=gated(threading.Semaphore(1))) as served:
        print(served.port, flush=True)  # noqa: T201
        threading.Event().wait(60)
