"""One question at a time to an HTTP server: where it may stand, and what may go wrong.

Text of a claim goes nowhere else: no proxy is used, no redirect followed, and a server that is not
on this machine must be allowed by name. The API key comes from the environment and is in no
message.
"""

from __future__ import annotations

import http.client
import ipaddress
import os
import ssl
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import orjson

from uhhrag.errors import ModelError, UsageError

API_KEY = "UHHRAG_API_KEY"
"""The environment variable with the key that servers are shown, where they want one."""
_LARGEST = 2**24
"""Bytes of a reply that are read."""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a server is: `path` is what stands before /models and /chat/completions, `model` the
    name after a # in the address, "" where there is none."""

    scheme: str
    host: str
    port: int | None
    path: str
    model: str

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        port = f":{self.port}" if self.port else ""
        return f"{self.scheme}://{host}{port}{self.path}"


def read_address(url: str, *, allow_remote: bool) -> Address:
    """An address as `--llm` takes it. Raises UsageError for one that is none, that holds a
    password, or that is not on this machine while that is not allowed.

    >>> str(read_address("http://127.0.0.1:8080/v1/#tiny", allow_remote=False))
    'http://127.0.0.1:8080/v1'
    """
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname
    except ValueError as error:
        raise UsageError(f"--llm {url} is no address of a server ({error})") from None
    if parts.scheme not in ("http", "https") or not host:
        raise UsageError(f"--llm {url} is no address; they read http://127.0.0.1:8080/v1")
    if parts.username or parts.password or parts.query:
        raise UsageError(
            f"--llm takes no password and no ? in the address of {host}; a key comes from the "
            f"environment variable {API_KEY}"
        )
    if not allow_remote and not is_here(host):
        raise UsageError(
            f"{host} is not this machine, and the claims and their evidence would be sent to it; "
            "if they may be, give --allow-remote"
        )
    return Address(parts.scheme, host, port, parts.path.rstrip("/"), parts.fragment)


def is_here(host: str) -> bool:
    """Whether a name or number always means this machine; nothing is looked up.

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
    """A server answered with another status than 200."""


def exchange(address: Address, what: str, body: Any = None, *, timeout: float) -> dict[str, Any]:
    """The JSON object a server answers with; `body` is posted as JSON, without one the address is
    read. `timeout` is in seconds without a byte. Raises Refused for a status other than 200,
    ModelError for anything else than a JSON object."""
    key = os.environ.get(API_KEY, "")
    headers = {"Accept": "application/json", "Connection": "close"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    sent = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        sent = orjson.dumps(body)
    connection = _connection(address, timeout)
    try:
        connection.connect()
        _require_here(address, connection)
        connection.request("POST" if sent else "GET", f"{address.path}{what}", sent, headers)
        response = connection.getresponse()
        content = response.read(_LARGEST + 1)
        missing = response.length if len(content) <= _LARGEST else 0
    except TimeoutError:
        raise ModelError(f"{address} did not answer within {timeout:g} s") from None
    except (OSError, http.client.HTTPException, ValueError) as error:
        raise ModelError(f"{address} cannot be asked: {_reason(error)}") from None
    finally:
        connection.close()
    if missing:
        raise ModelError(f"{address} broke off {missing:,} bytes before the end of its reply")
    return _object(address, response.status, content, lambda text: text.replace(key or "\0", "…"))


def _connection(address: Address, timeout: float) -> http.client.HTTPConnection:
    if address.scheme == "http":
        return http.client.HTTPConnection(address.host, address.port, timeout=timeout)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(address.host, address.port, timeout=timeout, context=context)


def _require_here(address: Address, connection: http.client.HTTPConnection) -> None:
    """A name that means this machine may still be looked up as another."""
    found = connection.sock.getpeername()[0]
    if is_here(address.host) and not is_here(found):
        raise ModelError(f"{address.host} was looked up as {found}, which is not this machine")


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__} {error}".strip()


def _object(
    address: Address, status: int, content: bytes, safe: Callable[[str], str]
) -> dict[str, Any]:
    if status != http.client.OK:
        said = safe(content[:300].decode("utf-8", errors="replace")).strip() or "nothing"
        raise Refused(f"{address} answered with status {status}: {said}")
    if len(content) > _LARGEST:
        raise ModelError(f"{address} sent more than {_LARGEST:,} bytes for one reply")
    try:
        found = orjson.loads(content)
    except ValueError:
        found = None
    if not isinstance(found, dict):
        said = safe(content[:60].decode("utf-8", errors="replace"))
        raise ModelError(f"{address} sent something that is no JSON object: {said!r}")
    return found
