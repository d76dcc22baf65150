from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

from uhhrag.documents.draft import Draft, DraftSentence
from uhhrag.text.pronouns import unnamed
from uhhrag.views.review import Reviewed

V = TypeVar("V", bound=Reviewed)


def annotated(draft: Draft, views: Iterable[V]) -> Iterator[list[tuple[DraftSentence, V | None]]]:
    """Its paragraphs; None with sentences that were not checked, or not yet."""
    by_id = {view.claim.id: view for view in views}
    for paragraph in draft.paragraphs():
        yield [(one, None if one.check is None else by_id.get(one.check)) for one in paragraph]


def unchecked(draft: Draft, views: Iterable[Reviewed]) -> list[tuple[str, str]]:
    """Sentences without a check, each with the reason."""
    every = (pair for paragraph in annotated(draft, views) for pair in paragraph)
    left = (one for one, view in every if view is None and one.check is None)
    return [(one.text, one.why or doubt(one.text) or "not chosen") for one in left]


def doubt(text: str) -> str:
    """Why a sentence is not ticked; "" for none."""
    head = unnamed(text)
    return f"does not say who or what “{head}” is" if head else ""


def decided(draft: Draft, views: Iterable[Reviewed]) -> int:
    every = (view for paragraph in annotated(draft, views) for _, view in paragraph)
    return sum(view is not None and view.machine_label is not None for view in every)


def draft_cautions(draft: Draft) -> list[str]:
    cautions = [f"Not all of it was read: {draft.partly}."] if draft.partly else []
    if draft.language:
        cautions.append(
            f"This draft looks {draft.language}. uhhrag was made and measured for English; do not "
            "rely on its verdicts."
        )
    return cautions
