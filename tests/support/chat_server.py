"""A server on loopback that speaks as much of OpenAI's protocol as the program asks for."""

from __future__ import annotations

import json
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class FakeServer:
    """`says` makes a reply of a prompt's text. With `logprobs`, the letters of `letters` and
    what else is in `listed` come with log-probabilities. `fails` (by words of a prompt) makes it
    misbehave: status, raw bytes, "cut", "hang", "lost" (once) or "redirect". `strict` refuses
    unknown fields."""

    says: Callable[[str], str] = lambda text: "A"
    models: tuple[str, ...] = ("tiny",)
    logprobs: bool = True
    refuses_logprobs: bool = False
    strict: bool = False
    listed: tuple[str, ...] = ("A", "B", "C", "D", "The")
    fails: dict[str, Any] = field(default_factory=dict)
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    seconds: float = 0.0
    connections: list[Any] = field(default_factory=list)
    url: str = ""

    def reply(self, body: dict[str, Any]) -> tuple[int, Any]:
        self.asked.append(body)
        text = body["messages"][0]["content"]
        for words, how in self.fails.items():
            if words in text:
                return (how, {"error": "struck"}) if isinstance(how, int) else (200, how)
        if self.strict and not body.keys() <= STANDARD:
            return 422, {"error": f"extra fields {sorted(body.keys() - STANDARD)}"}
        if body.get("logprobs") and self.refuses_logprobs:
            return 500, {"error": "logprobs is not supported"}
        time.sleep(self.seconds)
        return 200, self._completion(body, self.says(text))

    def _completion(self, body: dict[str, Any], said: str) -> dict[str, Any]:
        choice: dict[str, Any] = {
            "index": 0,
            "message": {"role": "assistant", "content": said},
            "finish_reason": "stop",
        }
        if body.get("logprobs") and self.logprobs:
            first = said[:1]
            others = [t for t in self.listed if t != first]
            rest = [{"token": t, "logprob": math.log(0.1 / len(others))} for t in others]
            top = [{"token": first, "logprob": math.log(0.9)}, *rest]
            choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
        return {
            "object": "chat.completion",
            "choices": [choice],
            "usage": {"prompt_tokens": 7, "completion_tokens": len(said.split())},
        }


STANDARD = {
    *("model", "messages", "max_tokens", "temperature", "stream", "stop", "seed", "top_p"),
    *("logprobs", "top_logprobs"),
}


@contextmanager
def running(server: FakeServer) -> Iterator[FakeServer]:
    listening = ThreadingHTTPServer(("127.0.0.1", 0), _handler(server))
    listening.daemon_threads = True
    server.url = f"http://127.0.0.1:{listening.server_port}/v1"
    thread = threading.Thread(target=listening.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        listening.shutdown()
        listening.server_close()
        for connection in server.connections:
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)


def _handler(server: FakeServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def setup(self) -> None:
            super().setup()
            server.connections.append(self.connection)

        def log_message(self, *_: object) -> None:
            pass

        def do_GET(self) -> None:
            server.keys.append(self.headers.get("Authorization"))
            listed = [
                {"id": name, "object": "model", "created": time.time()} for name in server.models
            ]
            self._send(200, {"object": "list", "data": listed})

        def do_POST(self) -> None:
            server.keys.append(self.headers.get("Authorization"))
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            self._send(*server.reply(body))

        def _send(self, status: int, content: Any) -> None:
            self.close_connection = self.close_connection or content in ("hang", "redirect", "cut")
            if content == "hang":
                time.sleep(2)
                return
            if content == "lost":  # once: the next question of these words is answered
                server.fails.clear()
                self.close_connection = True
                return
            if content == "redirect":
                self.send_response(307)
                self.send_header("Location", "http://198.51.100.1/v1")
                self.end_headers()
                return
            raw = content if isinstance(content, bytes) else json.dumps(content).encode()
            cut = content == "cut"
            self.send_response(status)
            self.send_header("Content-Length", str(len(raw) + 100 * cut))
            self.end_headers()
            self.wfile.write(raw)

    return Handler
