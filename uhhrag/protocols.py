"""What can be replaced: each protocol is one callable; fakes are in `backends/fakes.py`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from uhhrag.records import (
    Ask,
    Ballots,
    Claim,
    Decision,
    Evidence,
    Finding,
    Hit,
    Label,
    Page,
    Prompt,
    Reply,
    Vote,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    def __call__(self, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Unit vectors, shape (len(texts), dimension), each independent of the other texts."""
        ...


LLM = Callable[[Sequence[Prompt], Ask], list[Reply]]
"""In order; shared starts are computed once. For `PickOne` without probabilities, the text is the
option read from the reply, or the reply. Raises ModelError for `Represent` without hidden
states."""
Writer = Callable[[Sequence[str]], list[str]]
"""Outputs of a sequence-to-sequence model."""
Classifier = Callable[[Sequence[str]], list[dict[str, float]]]
"""Probabilities by class, for each text."""
Search = Callable[[str, int], list[Hit]]
"""Of a query and a number: so many passages nearest to it, best first."""
NumberedDocuments = Callable[[int], Page | None]
"""See `Place` for numbers."""
Entailment = Callable[[Sequence[tuple[str, str]]], list[tuple[float, float, float]]]
"""Of (premise, hypothesis): probabilities of entailment, contradiction and neither."""


class PageSource(Protocol):
    """A claim's pages."""

    def __call__(self, claim: Claim, /) -> Iterable[Page]: ...


class Template(Protocol):
    def __call__(self, **slots: str) -> Prompt: ...


class Relevance(Protocol):
    def __call__(self, query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        """Shape (len(texts),), each independent of the other texts; higher is better."""
        ...


@dataclass(frozen=True, slots=True)
class Reranker:
    relevance: Relevance
    tokens: Callable[[str], int]
    limit: int
    """Tokens of query and text."""


@dataclass(frozen=True, slots=True)
class Tools:
    embed: Embedder
    llm: LLM | None
    """None if questions come from a template."""
    prompts: Callable[[str], Template]
    reranker: Reranker | None = None
    entailment: Entailment | None = None
    """None if the language model checks entailment."""
    writers: Mapping[str, Writer] = field(default_factory=dict)
    """By the option that names the folder, as `classifiers`."""
    classifiers: Mapping[str, Classifier] = field(default_factory=dict)
    mixed: bool = False
    """The model asks about the nearer half of passages."""


def no_documents(number: int, /) -> None:
    """No document is kept."""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    search: Search
    document: NumberedDocuments = no_documents
    removed: Mapping[str, int] = field(default_factory=dict)
    """Passages by limit."""
    kept: Mapping[str, int] = field(default_factory=dict)
    """Passages on which a limit could not decide, by `UNDATED`."""


Approach = Callable[[Claim, EvidenceSource, Tools, int, Any], Finding]
"""Of a claim, its corpus, the tools, `top` and options: at most `top` pieces, or those for `top`
questions, best first."""
VerdictRule = Callable[[Sequence[Vote]], Label]


@dataclass(frozen=True, slots=True)
class VotingModels:
    llm: LLM | None = None
    verifier: Entailment | None = None


OnVote = Callable[[Sequence[Vote]], None]
"""Gets all votes on a claim so far."""
Voter = Callable[[Claim, Sequence[Evidence], VotingModels, OnVote | None], Ballots]
"""There is at least one piece of evidence; rule and prompts are bound."""
Joining = Callable[[Claim, Sequence[Evidence], Ballots], Decision]
"""By a rule or a learned verdict."""
