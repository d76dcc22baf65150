"""A hub on loopback that speaks as much of the protocol as a download needs."""

from __future__ import annotations

import hashlib
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


@dataclass
class FakeHub:
    """`files` by "repo/revision/path". Files in `large` are answered with a redirect, as those
    in large-file storage are; those in `cut` end after half their bytes, always. `newest` is the
    revision that "main" stands for."""

    files: dict[str, bytes]
    large: set[str] = field(default_factory=set)
    cut: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)
    newest: str = ""
    url: str = ""


@contextmanager
def running(hub: FakeHub) -> Iterator[FakeHub]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(hub))
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()


def _handler(hub: FakeHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def do_GET(self) -> None:
            self._answer(body=True)

        def _answer(self, body: bool) -> None:
            hub.asked.append(f"{self.command} {self.path}")
            stored = self.path.startswith("/stored/")
            key = re.sub(r"^/stored", "", self.path).lstrip("/").replace("/resolve/", "/")
            key = key.replace("/main/", f"/{hub.newest}/")
            content = hub.files.get(key)
            if content is None:
                self._head(404, {"X-Error-Code": "EntryNotFound", "Content-Length": "0"})
            elif key in hub.large and not stored:
                facts = {
                    "Location": f"{hub.url}/stored{self.path}",
                    "X-Linked-Size": str(len(content)),
                    "X-Linked-ETag": f'"{hashlib.sha256(content).hexdigest()}"',
                    "Content-Length": "0",
                }
                self._head(302, self._commit(key) | facts)
            else:
                self._send(key, content, body)

        def _commit(self, key: str) -> dict[str, str]:
            return {"X-Repo-Commit": key.split("/")[2]}

        def _send(self, key: str, content: bytes, body: bool) -> None:
            asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
            start = int(asked[1]) if asked else 0
            facts = {
                "ETag": f'"{hashlib.sha1(content, usedforsecurity=False).hexdigest()}"',
                "Content-Length": str(len(content) - start),
                "Accept-Ranges": "bytes",
            }
            if asked:
                facts["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
            self._head(206 if asked else 200, self._commit(key) | facts)
            if body:
                half = max(len(content) // 2, start)
                self.wfile.write(content[start:half] if key in hub.cut else content[start:])
                self.close_connection = key in hub.cut

        def _head(self, status: int, facts: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in facts.items():
                self.send_header(name, value)
            self.end_headers()

    return Handler
