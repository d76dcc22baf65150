from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.views.claim_row import ClaimRow
from uhhrag.views.run_view import ClaimView


@dataclass(frozen=True, slots=True)
class AnnotatedSentence:
    position: int
    sentence: DraftSentence
    view: ClaimView | ClaimRow | None
    """None if not checked, or not yet."""


def annotated(
    draft: Draft, views: Iterable[ClaimView | ClaimRow]
) -> Iterator[tuple[AnnotatedSentence, ...]]:
    by_id = {view.claim.id: view for view in views}
    position = 0
    for paragraph in draft.paragraphs():
        yield tuple(
            AnnotatedSentence(at, one, None if one.check is None else by_id.get(one.check))
            for at, one in enumerate(paragraph, start=position)
        )
        position += len(paragraph)


def decided(draft: Draft, views: Iterable[ClaimView | ClaimRow]) -> int:
    every = (one.view for paragraph in annotated(draft, views) for one in paragraph)
    return sum(view is not None and view.machine_label is not None for view in every)


def draft_cautions(draft: Draft) -> list[str]:
    cautions = [f"Not all of it was read: {draft.partly}."] if draft.partly else []
    if draft.language:
        cautions.append(
            f"This draft looks {draft.language}. uhhrag was made and measured for English; do not "
            "rely on its verdicts."
        )
    return cautions
