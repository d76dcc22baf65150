"""From good inputs to hostile ones: bytes changed, moved and cut, JSON with other values in it."""

from __future__ import annotations

import copy
import json
from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

_TOKENS = (
    *(b"", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\n", b"\r", b"\t\t\n", b"\x1b[31m", b"\x85"),
    *(b'"', b"{", b"}", b"[", b"]", b":", b",", b"null", b"NaN", b"-1", b"1e999", b"9" * 5000),
    *(b"[" * 3000, b'{"a":' * 3000, b"\\ud800", b"\\u0000", "\u2028é\U0001f600".encode()),
    *(b"../" * 9 + b"etc/passwd", b"/etc/passwd", b"$claim", b"${", b"$$", b"{{", b"{%", b"A" * 70),
    *(b"<|im_end|>", b"<script>", b"=1+1", b"PK\x03\x04", b"PAR1", b"\x00" * 64, b"\xff" * 8),
)
_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2**31, 2**63, 2**64, 10**40, 1e308, float("nan"), float("inf")),
    *(
        0.5,
        "",
        " ",
        "x",
        "0",
        "1",
        "-1",
        "\ud800",
        "\x00",
        "\x1b[31m",
        "../../etc/passwd",
        "é" * 300,
    ),
    *([], {}, [[]], [None], [0], [""], ["x", 1], {"a": 1}, {"": None}, [{}], [[[[[]]]]]),
    *("Supported", "Refuted", "Is it?", "Who said it?\n\nWhen was it?"),
)


def hostile(seeds: Sequence[bytes]) -> st.SearchStrategy[bytes]:
    """Inputs near to `seeds`, and some that are near to nothing."""
    seed = st.sampled_from(list(seeds))
    place = st.integers(0, 2**16)
    edit = st.tuples(
        st.integers(0, 6),
        place,
        st.integers(0, 40),
        st.sampled_from(_TOKENS) | st.binary(max_size=8),
    )
    edits = st.lists(edit, min_size=1, max_size=4)
    changed = st.builds(_edited, seed, edits)
    structured = [one for one in seeds if _parsed(one) is not None]
    if not structured:
        return st.one_of(changed, changed, changed, st.builds(_cut, seed, place), st.binary())
    twist = st.tuples(place, st.integers(0, 3), st.sampled_from(_VALUES) | st.text(max_size=6))
    twisted = st.builds(
        _twisted, st.sampled_from(structured), st.lists(twist, min_size=1, max_size=3)
    )
    cut = st.builds(_cut, seed, place)
    return st.one_of(twisted, twisted, changed, changed, cut, st.binary())


def _edited(seed: bytes, edits: Sequence[tuple[int, int, int, bytes]]) -> bytes:
    found = bytearray(seed)
    for kind, at, length, token in edits:
        at %= len(found) + 1
        end = at + length
        match kind:
            case 0:
                found[at:at] = token
            case 1:
                found[at:end] = token
            case 2:
                del found[at:end]
            case 3:
                found[at:at] = found[at:end]
            case 4 if at < len(found):
                found[at] ^= 1 << (length % 8)
            case 5 if at < len(found):
                found[at] = length * 6
            case _:
                found[at : at + len(token)] = token
    return bytes(found)


def _cut(seed: bytes, at: int) -> bytes:
    return seed[: at % (len(seed) + 1)]


def _parsed(seed: bytes) -> list[Any] | None:
    """The JSON values of a file of JSON or of JSON lines."""
    try:
        return [json.loads(seed)]
    except ValueError:
        pass
    try:
        return [json.loads(line) for line in seed.splitlines() if line.strip()] or None
    except ValueError:
        return None


def _twisted(seed: bytes, twists: Sequence[tuple[int, int, Any]]) -> bytes:
    values = _parsed(seed) or []
    for number, kind, value in twists:
        places = list(_places(values))
        if not places:
            break
        holder, key = places[number % len(places)]
        _twist(holder, key, kind, value)
    return b"\n".join(json.dumps(value).encode() for value in values)


def _twist(holder: Any, key: Any, kind: int, value: Any) -> None:
    if kind == 0:
        del holder[key]
    elif kind == 1 and isinstance(holder, list):
        holder.insert(key, holder[key])
    elif kind == 2 and isinstance(holder, dict):
        holder[str(value)[:9]] = holder.pop(key)
    else:
        holder[key] = copy.deepcopy(value)


def _places(value: Any) -> Any:
    """Every (container, key) below a value."""
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in list(pairs):
        yield value, key
        if isinstance(inner, dict | list):
            yield from _places(inner)
