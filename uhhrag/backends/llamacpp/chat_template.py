"""A model's turn markers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from types import FrameType
from typing import Any

from jinja2.sandbox import ImmutableSandboxedEnvironment

from uhhrag.errors import ModelError

_MOST_STEPS = 20_000
"""Most lines of Python; real templates take some hundred."""
_MESSAGE = "\N{SYMBOL FOR UNIT SEPARATOR}message\N{SYMBOL FOR UNIT SEPARATOR}"


def wrap_in_chat(template: str | None, *, bos: str, eos: str) -> tuple[str, str]:
    """The text before and after a message; without a template only `bos`. No clock, to be
    reproducible. Raises ModelError for an unusable template.

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
        if next(steps) > _MOST_STEPS:
            raise RuntimeError(f"it takes more than {_MOST_STEPS:,} steps")
        return step

    sys.settrace(step)
    try:
        yield
    finally:
        sys.settrace(before)
