"""Who may use the server: its own pages on this machine, or anybody who has the token.

A web page elsewhere can make a browser send requests to 127.0.0.1, under a name of its own choosing
(DNS rebinding). So the Host must be an address or a name of this machine, a request that changes
something must come from a page of ours, and with a token nothing is shown before it was given.
"""

from __future__ import annotations

import asyncio
import hashlib
import hmac
import ipaddress
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uhhrag.documents.collections import LARGEST_FILE
from uhhrag.documents.draft import LARGEST_DRAFT
from uhhrag.errors import UsageError

SHORTEST = 16
"""The least number of characters of a token: shorter ones can be guessed."""
LARGEST = 256 * 1024
"""The most bytes of a request that changes something, but for a file."""
LARGEST_UPLOAD = LARGEST_DRAFT + 2**21
"""The most bytes of a request that brings a file: a draft, and what else is in the form."""
UPLOADS = ("/drafts",)
"""The paths that take a file."""
GIVEN = re.compile(r"/collections/[0-9a-f]{8}/files/.+", re.DOTALL)
"""Where a document is put."""
OPEN = ("/enter", "/assets/style.css")
"""The paths that are served before the token is given."""
HEADERS = {
    "content-security-policy": "default-src 'none'; style-src 'self'; script-src 'self'; "
    "img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    # no-referrer would make browsers say "null" for the origin of a form.
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}


_NO_TOKEN = 401
PENALTY = 1.0
"""Seconds until a wrong token is refused."""


@dataclass(frozen=True, slots=True)
class Access:
    """Where the server listens, and the token that visitors need; "" for none."""

    host: str
    port: int
    token: str = ""

    @property
    def cookie(self) -> str:
        """The name of its cookie. Browsers send cookies to all ports of a machine, so that two
        desks need two names."""
        return f"uhhrag-{self.port}"

    @property
    def address(self) -> str:
        """The address to open in a browser."""
        return f"http://{f'[{self.host}]' if ':' in self.host else self.host}:{self.port}/"


def check_access(host: str, token: str) -> None:
    """Raises UsageError for a host that others can reach without a good token."""
    if token and len(token) < SHORTEST:
        raise UsageError(
            f"--token has {len(token)} characters, which can be guessed; give {SHORTEST} or more"
        )
    if not token and not is_loopback(host):
        raise UsageError(
            f"--host {host} can be reached by others; give a --token that they must know"
        )


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a host: a loopback address, or `localhost`.

    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    address = _address(host)
    return address.is_loopback if address else host == "localhost"


def own_host(access: Access, host: str) -> bool:
    """Whether a Host header names this server. That is the host it listens on; another loopback
    name where it listens on one; any address and the machine's own name where it listens on all.
    A name that somebody else's DNS points here is none of these."""
    match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?", host.strip().lower())
    if not match or int(match[2] or 80) != access.port:
        return False
    name, listening = match[1].strip("[]"), _address(access.host)
    if name == access.host.lower():
        return True
    everywhere = listening is not None and listening.is_unspecified
    if everywhere:
        return bool(_address(name)) or name in {"localhost", socket.gethostname().lower()}
    return is_loopback(access.host) and is_loopback(name)


def own_origin(access: Access, headers: Mapping[str, str]) -> bool:
    """Whether a request that changes something comes from a page of this server. Browsers name the
    origin, so a request without one does not come from a browser."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    # The same as the Host, which was found to be ours, and not only another name of this machine.
    return origin.lower() == f"http://{headers.get('host', '').strip().lower()}"


def ticket(token: str) -> str:
    """The cookie of a browser that gave the token: 64 hex digits."""
    return hmac.new(token.encode(), b"uhhrag ticket", hashlib.sha256).hexdigest()


def may_enter(access: Access, headers: Mapping[str, str]) -> bool:
    """Whether a request shows the token, by its cookie or by `Authorization: Bearer TOKEN`. Always
    true where the server has none."""
    if not access.token:
        return True
    cookie = cookie_parser(headers.get("cookie", "")).get(access.cookie, "")
    _, _, bearer = headers.get("authorization", "").partition("Bearer ")
    return same(cookie, ticket(access.token)) or same(bearer, access.token)


def same(received: str, expected: str) -> bool:
    """Whether two secrets are equal, in a time that does not depend on where they differ."""
    return hmac.compare_digest(received.encode(), expected.encode())


class Guard:
    """ASGI middleware: refuses who may not speak to the app, adds HEADERS to every answer."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self._app = app
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refusal = self._refusal(scope, headers := Headers(scope=scope))
        if refusal and refusal.status_code == _NO_TOKEN and "authorization" in headers:
            await asyncio.sleep(PENALTY)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if len(headers.getlist("host")) != 1 or not own_host(self._access, headers["host"]):
            return PlainTextResponse("This server has another address.\n", 421)
        changes = scope["method"] not in ("GET", "HEAD")
        if changes and not own_origin(self._access, headers):
            return PlainTextResponse("Only pages of this server may change something.\n", 403)
        if changes and not _small(headers, _most(scope["method"], scope["path"])):
            return PlainTextResponse("That is too long.\n", 413)
        if scope["path"] in OPEN or may_enter(self._access, headers):
            return None
        if changes or "authorization" in headers:
            return PlainTextResponse("The token is needed.\n", _NO_TOKEN)
        return RedirectResponse("/enter", 303)


def _most(method: str, path: str) -> int:
    """The most bytes that a request for a path may bring."""
    if method == "PUT" and GIVEN.fullmatch(path):
        return LARGEST_FILE
    return LARGEST_UPLOAD if path in UPLOADS else LARGEST


def _small(headers: Headers, most: int) -> bool:
    length = headers.get("content-length", "")
    return length.isdecimal() and len(length) < 12 and int(length) <= most


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
