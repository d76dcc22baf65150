"""A draft with the verdicts on its claims, as the pages show it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.views.claim_row import ClaimRow
from uhhrag.views.run_view import ClaimView


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    """A sentence of a draft, its position there, and its claim with the verdict, None where it was
    not checked or the check is not done."""

    position: int
    sentence: DraftSentence
    view: ClaimView | ClaimRow | None


def annotated(
    draft: Draft, views: Iterable[ClaimView | ClaimRow]
) -> Iterator[tuple[AnnotatedSentence, ...]]:
    """The paragraphs of a draft, each sentence with that of the claims whose id is the number of
    its check."""
    by_id = {view.claim.id: view for view in views}
    position = 0
    for paragraph in draft.paragraphs():
        yield tuple(
            AnnotatedSentence(at, one, None if one.check is None else by_id.get(one.check))
            for at, one in enumerate(paragraph, start=position)
        )
        position += len(paragraph)
