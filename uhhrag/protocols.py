"""The protocols: what can be replaced. Each is one callable, so a plain function fits.

Names and fingerprints belong to the settings. Fakes are in `backends/fakes.py`.
"""

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


class LLM(Protocol):
    def __call__(self, prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        """One reply per prompt, in order; shared starts are computed once. For `Choose` without
        probabilities, the text is the option read from the reply, or the reply. Raises ModelError
        for `Represent` without hidden states."""
        ...


class Writer(Protocol):
    def __call__(self, texts: Sequence[str], /) -> list[str]:
        """The output of a sequence-to-sequence model for each text."""
        ...


class Classifier(Protocol):
    def __call__(self, texts: Sequence[str], /) -> list[dict[str, float]]:
        """The probabilities of the classes by name, for each text."""
        ...


class Search(Protocol):
    def __call__(self, query: str, top: int, /) -> list[Hit]:
        """The passages of a claim's index nearest to the query by cosine, best first."""
        ...


class NumberedDocuments(Protocol):
    def __call__(self, number: int, /) -> Page | None:
        """See `Place` for numbers."""
        ...


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
    """of a text"""
    limit: int
    """tokens of query and text"""


class Entailment(Protocol):
    def __call__(self, pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        """Probabilities of entailment, contradiction and neither, for each pair of premise and
        hypothesis."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What an approach works with."""

    embed: Embedder
    llm: LLM | None
    """None if questions come from a template"""
    prompts: Callable[[str], Template]
    reranker: Reranker | None = None
    entailment: Entailment | None = None
    """None if the language model checks entailment"""
    writers: Mapping[str, Writer] = field(default_factory=dict)
    """by the option that names the folder, as `classifiers`"""
    classifiers: Mapping[str, Classifier] = field(default_factory=dict)
    mixed: bool = False
    """the model asks about the nearer half of the passages only"""


def no_documents(number: int, /) -> None:
    """No document is kept."""


@dataclass(frozen=True, slots=True)
class EvidenceSource:
    """What one claim is checked against."""

    search: Search
    document: NumberedDocuments = no_documents
    removed: Mapping[str, int] = field(default_factory=dict)
    """passages removed by each limit"""


class PageSource(Protocol):
    """A claim's pages."""

    def __call__(self, claim: Claim, /) -> Iterable[Page]: ...


class Approach(Protocol):
    def __call__(
        self, claim: Claim, corpus: EvidenceSource, tools: Tools, top: int, options: Any, /
    ) -> Finding:
        """Evidence, best first: `top` pieces, or those for `top` questions, at most. `options` as
        in `APPROACHES`."""
        ...


VerdictRule = Callable[[Sequence[Vote]], Label]


@dataclass(frozen=True, slots=True)
class VotingModels:
    llm: LLM | None = None
    verifier: Entailment | None = None


OnVote = Callable[[Sequence[Vote]], None]
"""Called with all votes on a claim so far."""


class Voter(Protocol):
    def __call__(
        self,
        claim: Claim,
        evidence: Sequence[Evidence],
        models: VotingModels,
        on_vote: OnVote | None,
        /,
    ) -> Ballots:
        """The votes on a claim by its evidence, at least one piece; rule and prompts are bound."""
        ...


Joining = Callable[[Claim, Sequence[Evidence], Ballots], Decision]
"""How votes are joined: by a rule or a learned verdict."""
