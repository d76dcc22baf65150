"""Text as plain tokens, so that no page forges a turn or call: llama.cpp always reads "user
defined" ones, as Qwen's `<tool_call>`."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import llama_cpp as ll

from uhhrag.backends.llamacpp.sequences import Tokens

_USER_DEFINED = 16
"""LLAMA_TOKEN_ATTR_USER_DEFINED of llama.h."""
_LIKE_A_MARK = re.compile(r"<\S+>|\[\S+\]|\{\S+\}")


def marks(vocab: Any, chat_template: str) -> re.Pattern[str] | None:
    """User-defined tokens that look like marks or are in the template."""
    names = []
    for token in range(ll.llama_vocab_n_tokens(vocab)):
        if ll.llama_vocab_get_attr(vocab, token) & _USER_DEFINED:
            name = ll.llama_vocab_get_text(vocab, token).decode("utf-8", errors="replace")
            stands_there = name.strip() and name in chat_template
            if len(name) > 1 and (stands_there or _LIKE_A_MARK.fullmatch(name)):
                names.append(re.escape(name))
    # A look-ahead finds overlapping marks.
    return re.compile(f"(?={'|'.join(names)})") if names else None


def plain_tokens(vocab: Any, text: str, marked: re.Pattern[str] | None) -> Tokens:
    """Every mark is cut after its first character."""
    cuts = [match.start() + 1 for match in marked.finditer(text)] if marked else []
    edges = [0, *cuts, len(text)]
    pieces = (text[start:end] for start, end in pairwise(edges))
    return tuple(token for piece in pieces for token in tokens(vocab, piece))


def first_tokens(options: Sequence[str], tokenize: Callable[[str], Tokens]) -> list[list[int]]:
    """Of each option: SentencePiece puts a space before a text, which a reply on a new line lacks.

    >>> ids = {"\\n": (1, 2), "A": (40,), "\\nA": (1, 2, 41), "B": (50,), "\\nB": (1, 2, 50)}
    >>> first_tokens("AB", ids.__getitem__)
    [[40, 41], [50]]
    """
    line, firsts = tokenize("\n"), []
    for option in options:
        below = tokenize(f"\n{option}")
        own = below[len(line) :] if below[: len(line)] == line else ()
        firsts.append(list(dict.fromkeys((*tokenize(option)[:1], *own[:1]))))
    return firsts


def tokens(vocab: Any, text: str, *, special: bool = False) -> Tokens:
    """`special` reads names of control tokens as such."""
    raw = text.encode("utf-8", errors="replace")
    room = len(raw) + 8
    buffer = (ll.llama_token * room)()
    n = ll.llama_tokenize(vocab, raw, len(raw), buffer, room, False, special)
    return tuple(buffer[:n])


def spelt(vocab: Any, token: int) -> bytes:
    buffer = ctypes.create_string_buffer(256)
    n = ll.llama_token_to_piece(vocab, token, buffer, 256, 0, True)
    return buffer.raw[: max(n, 0)]
