"""The seams: what can be swapped. Each is one callable, so a plain function fits.

Fakes of each stand in `backends/tiny.py`; the real ones beside it. What a seam's name or
hash is belongs to the settings, not to the callable.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from uhhrag.records import (
    Choose,
    Claim,
    Evidence,
    Generate,
    Hit,
    Label,
    Passage,
    Prompt,
    Reply,
    Vote,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Rows of unit length, shape (len(texts), dimension), in the order of `texts`.
        The vector of a text does not depend on the other texts of the call."""
        ...


class LLM(Protocol):
    def __call__(self, prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
        """One reply a prompt, in order. The prompts of one call should share what they can
        (instructions, claim) at their start: a backend computes a shared start only once."""
        ...


class Prefilter(Protocol):
    def __call__(self, query: str, passages: Sequence[Passage], size: int, /) -> list[Hit]:
        """The best `size` passages for the query, best first; ties keep the order of
        `passages`; fewer when there are fewer."""
        ...


class Search(Protocol):
    def __call__(self, query: str, top: int, /) -> list[Hit]:
        """The `top` passages of one claim's index nearest to the query by cosine, best first."""
        ...


class Template(Protocol):
    def __call__(self, **slots: str) -> Prompt:
        """The template with its slots filled."""
        ...


@dataclass(frozen=True, slots=True)
class Kit:
    """What an approach works with. `llm` is None where questions come from a template."""

    embed: Embedder
    llm: LLM | None
    prompts: Callable[[str], Template]


Approach = Callable[[Claim, Search, Kit, int], tuple[Evidence, ...]]
VerdictRule = Callable[[Sequence[Vote]], Label]
