"""JSON over HTTP: no proxy or redirects, remote servers only if allowed; no message has the key."""

from __future__ import annotations

import ipaddress
import os
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import orjson
import urllib3
from urllib3.util import SKIP_HEADER

from uhhrag.errors import ModelError, UsageError

API_KEY = "UHHRAG_API_KEY"
"""Bearer unless it has a scheme, as in "ApiKey …"."""
_MAX_REPLY_BYTES = 2**24
"""Most bytes of a reply."""


@dataclass(frozen=True, slots=True)
class Address:
    scheme: str
    host: str
    port: int | None
    path: str
    """Before /models and /chat/completions."""
    model: str
    """The name after #, or ""."""

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{host}{port}{self.path}"


def read_address(url: str, option: str = "--llm", *, allow_remote: bool) -> Address:
    """Raises UsageError if invalid, with a password or query, or remote and not allowed.

    >>> str(read_address("http://127.0.0.1:8080/v1/#tiny", allow_remote=False))
    'http://127.0.0.1:8080/v1'
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise UsageError(f"{option} {url} is not the address of a server ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"{option} {url} is not an address; they read http://127.0.0.1:8080/v1")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            f"{option} takes no password and no ? in the address of {host}; a key comes from the "
            f"environment variable {API_KEY}"
        )
    if not allow_remote and not is_here(host):
        raise UsageError(
            f"{host} is not this machine, and the claims and their evidence would be sent to it; "
            "if they may be, give --allow-remote"
        )
    return Address(parts.scheme, host, port, parts.path.rstrip("/"), parts.fragment)


def is_here(host: str) -> bool:
    """Decided without look-up.

    >>> is_here("localhost"), is_here("::1"), is_here("127.0.0.53"), is_here("localhost.example")
    (True, True, True, False)
    """
    if host == "localhost":
        return True
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return False
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


class Refused(ModelError):
    """A status other than 200."""


def exchange(
    address: Address, endpoint: str, body: Any = None, *, timeout: float
) -> dict[str, Any]:
    """`timeout`: seconds without a byte. Raises Refused, ModelError for anything but a JSON object,
    UsageError for an impossible key."""
    key = os.environ.get(API_KEY, "").strip()
    if not (key.isascii() and key.isprintable()):  # the library would name it in its error
        raise UsageError(f"{API_KEY} has characters that no key has; set it again")
    headers = {"Accept": "application/json", "User-Agent": SKIP_HEADER}
    if key:
        headers["Authorization"] = key if " " in key else f"Bearer {key}"
    if body is not None:
        headers["Content-Type"] = "application/json"
    sent = None if body is None else orjson.dumps(body)
    try:
        response = _respond(address, f"{address.path}{endpoint}", sent, headers, timeout)
        try:
            # Not decompressed: compression was not asked for and could hide a huge reply.
            content = response.read(_MAX_REPLY_BYTES + 1, decode_content=False)
            missing = (response.length_remaining or 0) if len(content) <= _MAX_REPLY_BYTES else 0
        finally:
            response.close()  # only of a connection with something left to read
    except (OSError, urllib3.exceptions.HTTPError, ValueError) as error:
        raise ModelError(f"{address} {_fault(error, timeout)}") from None
    if missing:
        raise ModelError(f"{address} broke off {missing:,} bytes before the end of its reply")
    return _object(address, response.status, content, lambda text: text.replace(key or "\0", "…"))


def _respond(
    address: Address, path: str, sent: bytes | None, headers: dict[str, str], timeout: float
) -> urllib3.BaseHTTPResponse:
    pool = _pool(address.scheme, address.host, address.port)

    def ask() -> urllib3.BaseHTTPResponse:
        return pool.urlopen(
            "GET" if sent is None else "POST",
            path,
            sent,
            headers,
            retries=False,
            redirect=False,
            timeout=urllib3.Timeout(connect=timeout, read=timeout),
            preload_content=False,
            enforce_content_length=False,
        )

    try:
        return ask()
    except urllib3.exceptions.ProtocolError as error:
        # Servers close idle connections, which shows only at the next request.
        if not any(isinstance(cause, ConnectionError) for cause in error.args):
            raise
        return ask()


@lru_cache(maxsize=32)
def _pool(scheme: str, host: str, port: int | None) -> urllib3.HTTPConnectionPool:
    if scheme == "http":
        pool = urllib3.HTTPConnectionPool(host, port)
    else:
        pool = urllib3.HTTPSConnectionPool(host, port, ssl_context=ssl.create_default_context())
    pool.ConnectionCls = _staying_here(pool.ConnectionCls)
    return pool


def _staying_here(kind: Any) -> Any:
    """Refuses a local name that resolved elsewhere, before anything is sent."""

    class _Here(kind):  # type: ignore[misc]
        def connect(self) -> None:
            super().connect()
            peer = self.sock.getpeername()[0] if self.sock else ""
            if is_here(self.host) and not is_here(peer):
                self.close()
                raise ModelError(f"{self.host} was looked up as {peer}, which is not this machine")

    return _Here


def _fault(error: Exception, timeout: float) -> str:
    refused = isinstance(error, urllib3.exceptions.NewConnectionError)  # which is a TimeoutError
    if isinstance(error, urllib3.exceptions.TimeoutError) and not refused:
        return f"did not answer within {timeout:g} s"
    for cause in (error, error.__cause__, *error.args):
        if isinstance(cause, OSError) and cause.strerror:
            return f"cannot be asked: {cause.strerror}; check that a server runs at this address"
    return f"cannot be asked: {type(error).__name__} {error}".rstrip()


def _object(
    address: Address, status: int, content: bytes, safe: Callable[[str], str]
) -> dict[str, Any]:
    if status != HTTPStatus.OK:
        start = safe(content[:300].decode("utf-8", errors="replace")).strip() or "nothing"
        raise Refused(f"{address} answered with status {status}: {start}")
    if len(content) > _MAX_REPLY_BYTES:
        raise ModelError(f"{address} sent more than {_MAX_REPLY_BYTES:,} bytes for one reply")
    try:
        value = orjson.loads(content)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        start = safe(content[:60].decode("utf-8", errors="replace"))
        raise ModelError(f"{address} sent something that is not a JSON object: {start!r}")
    return value
