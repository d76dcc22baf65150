"""The seams: what can be swapped. Each is one callable, so a plain function fits.

The fakes are in `backends/fakes.py`, the real ones beside it. The name and the fingerprint of what
is behind a seam belong to the settings, not to the callable.
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
        """Rows of unit length, shape (len(texts), dimension), in the order of `texts`.
        The vector of a text does not depend on the other texts of the call."""
        ...


class LLM(Protocol):
    def __call__(self, prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        """One reply per prompt, in order. The prompts of one call should share what they can
        (instructions, claim) at their start: a backend computes a shared start only once.

        A backend that cannot give the probabilities of a `Choose` gives none: then the reply's
        text is the option it read from what the model wrote, or all of that. One that cannot give
        the hidden state of a `Represent` raises ModelError."""
        ...


class Writer(Protocol):
    def __call__(self, texts: Sequence[str], /) -> list[str]:
        """What a sequence-to-sequence model makes of each text, in order."""
        ...


class Classifier(Protocol):
    def __call__(self, texts: Sequence[str], /) -> list[dict[str, float]]:
        """The probability of each of the model's classes, by its name, for each text in order."""
        ...


class Search(Protocol):
    def __call__(self, query: str, top: int, /) -> list[Hit]:
        """The `top` passages of one claim's index nearest to the query by cosine, best first."""
        ...


class NumberedDocuments(Protocol):
    def __call__(self, number: int, /) -> Page | None:
        """The document of this number (see `Place`), None where none is kept."""
        ...


class Template(Protocol):
    def __call__(self, **slots: str) -> Prompt:
        """The template with its slots filled."""
        ...


class Relevance(Protocol):
    def __call__(self, query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
        """How relevant each text is to the query, shape (len(texts),); higher is better. The
        score of a text does not depend on the other texts of the call."""
        ...


@dataclass(frozen=True, slots=True)
class Reranker:
    """A cross-encoder. `tokens` counts those of a text, and `limit` is how many of query and
    text together it reads."""

    relevance: Relevance
    tokens: Callable[[str], int]
    limit: int


class Entailment(Protocol):
    def __call__(self, pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        """For each pair of premise and hypothesis the probabilities that the premise entails the
        hypothesis, contradicts it, or does neither."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What an approach works with. `llm` is None where questions come from a template. Where
    `mixed` is true, the model writes questions for the nearer half of the passages only.
    `reranker` is None unless the approach's entry asks for one. `entailment` is None where the
    language model checks what follows from what. `writers` and `classifiers` are the models in
    folders that the approach's options name, by option."""

    embed: Embedder
    llm: LLM | None
    prompts: Callable[[str], Template]
    reranker: Reranker | None = None
    entailment: Entailment | None = None
    writers: Mapping[str, Writer] = field(default_factory=dict)
    classifiers: Mapping[str, Classifier] = field(default_factory=dict)
    mixed: bool = False


def no_documents(number: int, /) -> None:
    """The documents of what keeps none."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """What one claim is checked against: a search over its passages, and the documents they stand
    in, by the numbers in their places. `removed` counts the passages that each limit took away."""

    search: Search
    document: NumberedDocuments = no_documents
    removed: Mapping[str, int] = field(default_factory=dict)


class PageSource(Protocol):
    """A claim → the pages that it is checked against."""

    def __call__(self, claim: Claim, /) -> Iterable[Page]: ...


class Approach(Protocol):
    def __call__(
        self, claim: Claim, corpus: Corpus, tools: Tools, top: int, options: Any, /
    ) -> Finding:
        """Evidence on the claim, best first: at most `top` pieces, or as many as `top` questions
        bring. `options` is a record of the type that stands beside the approach in
        `APPROACHES`."""
        ...


VerdictRule = Callable[[Sequence[Vote]], Label]


@dataclass(frozen=True, slots=True)
class VotingModels:
    """The models that voters ask; None where the run's voter asks no such."""

    llm: LLM | None = None
    verifier: Entailment | None = None


OnVote = Callable[[Sequence[Vote]], None]
"""Is told of the votes on a claim as they are cast: each time of all so far, in order."""


class Voter(Protocol):
    def __call__(
        self,
        claim: Claim,
        evidence: Sequence[Evidence],
        models: VotingModels,
        on_vote: OnVote | None,
        /,
    ) -> Ballots:
        """The votes on a claim by its evidence, of which there is some. The rule and the prompts
        were bound when the voter was opened, by its row in `VOTERS`."""
        ...


Joining = Callable[[Claim, Sequence[Evidence], Ballots], Decision]
"""What the votes on a claim come to: a rule, or the learned verdict in its place."""
