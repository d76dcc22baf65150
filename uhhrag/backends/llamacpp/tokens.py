"""Turn markers, and text as plain tokens, so that no page forges a turn or call."""

from __future__ import annotations

import ctypes
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count, pairwise
from types import FrameType
from typing import Any

import llama_cpp as ll
from jinja2.sandbox import ImmutableSandboxedEnvironment

from uhhrag.backends.llamacpp.sequences import Tokens
from uhhrag.errors import ModelError
from uhhrag.records import Prompt

_MAX_STEPS = 20_000
"""Most lines of Python; real templates take some hundred."""
_MESSAGE = "\N{SYMBOL FOR UNIT SEPARATOR}message\N{SYMBOL FOR UNIT SEPARATOR}"
_USER_DEFINED = 16
"""LLAMA_TOKEN_ATTR_USER_DEFINED of llama.h."""
_LIKE_A_MARK = re.compile(r"<\S+>|\[\S+\]|\{\S+\}")


class ChatTokens:
    """A prompt as a user's turn."""

    def __init__(self, model: Any) -> None:
        self.vocab = ll.llama_model_get_vocab(model)
        raw = ll.llama_model_chat_template(model, None)
        template = raw.decode(errors="replace") if raw else None
        self._marks = marks(self.vocab, template or "")
        ends = ll.llama_vocab_bos(self.vocab), ll.llama_vocab_eos(self.vocab)
        bos, eos = map(self._piece, ends)
        self.before, self.after = wrap_in_chat(template, bos=bos, eos=eos)

    def head(self, prompt: Prompt) -> Tokens:
        return tokens(self.vocab, self.before, special=True) + self.plain(prompt.head)

    def body(self, prompt: Prompt) -> Tokens:
        return self.plain(prompt.body) + tokens(self.vocab, self.after, special=True)

    def plain(self, text: str) -> Tokens:
        """Control tokens are text: no claim or page ends a turn."""
        return plain_tokens(self.vocab, text, self._marks)

    def _piece(self, token: int) -> str:
        return spelt(self.vocab, token).decode("utf-8", errors="replace") if token >= 0 else ""


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
    """Cuts every mark after its first character."""
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


def wrap_in_chat(template: str | None, *, bos: str, eos: str) -> tuple[str, str]:
    """Text before and after a message; without a template only `bos`. No clock, to be reproducible.
    Raises ModelError for an unusable template.

    >>> wrap_in_chat("{% for m in messages %}[{{ m.content }}]{% endfor %}>", bos="", eos="")
    ('[', ']>')
    """
    if template is None:
        return bos, ""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
    )
    try:
        compiled = environment.from_string(template)
        with _bounded():
            text = compiled.render(
                messages=[{"role": "user", "content": _MESSAGE}],
                tools=None,  # as transformers gives them: a template may ask if they are not none
                documents=None,
                add_generation_prompt=True,
                enable_thinking=False,
                bos_token=bos,
                eos_token=eos,
            )
    except Exception as error:  # a template is a program of the model's author
        raise ModelError(f"the model's chat template cannot be used: {error}") from error
    if text.count(_MESSAGE) != 1:
        raise ModelError("the model's chat template does not show a user's message once")
    before, after = text.split(_MESSAGE)
    return before, after


@contextmanager
def _bounded() -> Iterator[None]:
    before, steps = sys.gettrace(), count()

    def step(frame: FrameType, event: str, given: object, /) -> Any:
        if next(steps) > _MAX_STEPS:
            raise RuntimeError(f"it takes more than {_MAX_STEPS:,} steps")
        return step

    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(before)
