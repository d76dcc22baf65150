"""Admits this machine's own pages, or whoever has the token. Host and Origin are checked: foreign
pages can reach 127.0.0.1 under any name (DNS rebinding)."""

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
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from uhhrag.documents.collections import MAX_FILE_BYTES
from uhhrag.documents.draft import MAX_DRAFT_BYTES
from uhhrag.errors import UsageError

TOKEN_CHARS = 16
MAX_BYTES = 256 * 1024
MAX_DRAFT_FORM_BYTES = MAX_DRAFT_BYTES + 2**21
DRAFTS = re.compile(r"/drafts(/\d+/checks)?")
GIVEN = re.compile(r"/collections/[0-9a-f]{8}/files/.+", re.DOTALL)
"""Where documents are PUT."""
OPEN = ("/enter", "/assets/style.css")
"""Served without the token."""
PROGRAMS = ("/api/", "/v1/", "/mcp")
"""Path prefixes for programs."""
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
_USUAL = {"http": ":80", "https": ":443"}
_NO_TOKEN = 401
_NOT_HERE = "This server has another address; `uhhrag serve --address` gives a desk this one."
_NOT_OURS = "Only pages of this server may change something; --address says where they are."
WRONG_TOKEN_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Access:
    host: str
    port: int
    token: str = ""
    """Asked of visitors, "" for none."""
    origin: str = ""
    """As browsers see it behind a proxy: "https://desk.example.org"; "" if direct."""

    @property
    def cookie(self) -> str:
        """By token, since browsers share cookies among ports."""
        return f"uhhrag-{ticket(self.token)[:8]}"

    @property
    def address(self) -> str:
        name = "localhost" if self.everywhere else self.host
        name = f"[{name}]" if ":" in name else name
        return f"{self.origin or f'http://{name}:{self.port}'}/"

    @property
    def everywhere(self) -> bool:
        listening = _address(self.host)
        return listening is not None and listening.is_unspecified

    @property
    def only_here(self) -> bool:
        return is_loopback(self.host) and is_loopback(_name_in(self.origin) or self.host)


def origin_of(address: str) -> str:
    """As browsers send it. Raises UsageError.

    >>> origin_of("https://Desk.example.org:443/"), origin_of("http://[::1]:9000"), origin_of("")
    ('https://desk.example.org', 'http://[::1]:9000', '')
    """
    scheme, _, host = address.lower().rstrip("/").partition("://")
    if address and not (scheme in _USUAL and _name(host)):
        raise UsageError(
            f"--address {address}: is not what a browser opens; "
            "give scheme and name without a path, as https://desk.example.org/"
        )
    return f"{scheme}://{host.removesuffix(_USUAL[scheme])}" if address else ""


def check_access(host: str, token: str, origin: str = "") -> None:
    """Raises UsageError for a short token, or a public host or origin without one."""
    if token and len(token) < TOKEN_CHARS:
        raise UsageError(
            f"--token has {len(token)} characters, which can be guessed; give {TOKEN_CHARS} or more"
        )
    for option, name in (("--host", host), ("--address", _name_in(origin) or host)):
        if not token and not is_loopback(name):
            raise UsageError(
                f"{option} {name} can be reached by others; give a --token that they must know"
            )


def is_loopback(host: str) -> bool:
    """
    >>> is_loopback("127.0.0.1"), is_loopback("::1"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    address = _address(host)
    return address.is_loopback if address else host == "localhost"


def own_host(access: Access, host: str) -> bool:
    """Whether a Host header names this server. On all addresses, any IP does, but no foreign name,
    which DNS can lead here; ports differ in containers and tunnels."""
    name = _name(host.strip().lower())
    if name and name in (access.host.lower(), _name_in(access.origin)):
        return True
    if access.everywhere:
        return bool(_address(name)) or name in {"localhost", socket.gethostname().lower()}
    return is_loopback(access.host) and is_loopback(name)


def _name(host: str) -> str:
    """Without its port; "" if malformed."""
    match = re.fullmatch(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?", host)
    return match[1].strip("[]") if match else ""


def _name_in(origin: str) -> str:
    return _name(origin.partition("://")[2])


def own_origin(access: Access, headers: Mapping[str, str]) -> bool:
    """True without Origin."""
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    if origin is None:
        return True
    # Equal to the Host, which was checked, not just another name of this machine.
    own = access.origin or f"http://{headers.get('host', '').strip().lower()}"
    return origin.lower() == own


def ticket(token: str) -> str:
    return hmac.new(token.encode(), b"uhhrag ticket", hashlib.sha256).hexdigest()


def may_enter(access: Access, headers: Mapping[str, str]) -> bool:
    """By cookie or Bearer."""
    if not access.token:
        return True
    cookie = cookie_parser(headers.get("cookie", "")).get(access.cookie, "")
    _, _, bearer = headers.get("authorization", "").partition("Bearer ")
    return same(cookie, ticket(access.token)) or same(bearer, access.token)


def same(received: str, expected: str) -> bool:
    return hmac.compare_digest(received.encode(), expected.encode())


def refusal(path: str, status: int, reason: str) -> Response:
    if path.startswith(PROGRAMS):
        return not_done(status, reason)
    return PlainTextResponse(f"{reason}\n", status)


def not_done(status: int, reason: str) -> Response:
    return JSONResponse({"error": reason}, status)


def too_long(path: str, most: int) -> Response:
    return refusal(path, 413, f"That is too long: at most {most:,} bytes are taken here at a time.")


class Guard:
    """Refuses requests and adds HEADERS."""

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
            await asyncio.sleep(WRONG_TOKEN_SECONDS)
        await (refusal or self._app)(scope, receive, guarded)

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        path = scope["path"]
        if len(headers.getlist("host")) != 1 or not own_host(self._access, headers["host"]):
            return refusal(path, 421, _NOT_HERE)
        changes = scope["method"] not in ("GET", "HEAD")
        if changes and not own_origin(self._access, headers):
            return refusal(path, 403, _NOT_OURS)
        if changes and not _small(headers, most := max_bytes_of(scope["method"], path)):
            return too_long(path, most)
        if path in OPEN or may_enter(self._access, headers):
            return None
        if changes or "authorization" in headers or path.startswith(PROGRAMS):
            return refusal(path, _NO_TOKEN, "The token is needed.")
        return RedirectResponse("/enter", 303)


def max_bytes_of(method: str, path: str) -> int:
    if method == "PUT" and GIVEN.fullmatch(path):
        return MAX_FILE_BYTES
    return MAX_DRAFT_FORM_BYTES if DRAFTS.fullmatch(path) else MAX_BYTES


def _small(headers: Headers, most: int) -> bool:
    length = headers.get("content-length", "")
    if not length and "transfer-encoding" not in headers:
        return True  # there is no body, as where an assistant deletes its session
    return length.isdecimal() and len(length) < 12 and int(length) <= most


def _address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return None
