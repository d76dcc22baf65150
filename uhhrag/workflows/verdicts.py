from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag.errors import ClaimsFailed
from uhhrag.records import Failure, Verdict
from uhhrag.runs.trace import TRACE
from uhhrag.system.terminal import quantity
from uhhrag.views.answer import verdict_fields
from uhhrag.views.run_view import ClaimView
from uhhrag.workflows.table import Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdicts(Table):
    """One result per claim, in order."""

    results: tuple[Verdict | Failure, ...]
    folder: Path
    signature: str
    """What the numbers depend on."""
    warnings: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Verdict | Failure]:
        return iter(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __getitem__(self, position: int) -> Verdict | Failure:
        return self.results[position]

    @property
    def verdicts(self) -> tuple[Verdict, ...]:
        return tuple(result for result in self.results if isinstance(result, Verdict))

    @property
    def failures(self) -> tuple[Failure, ...]:
        return tuple(result for result in self.results if isinstance(result, Failure))

    @property
    def rows(self) -> list[dict[str, Any]]:
        """`verdict_fields`, counts, best sentence, error."""
        return [verdict_row(result) for result in self.results]

    @property
    def trace(self) -> Path:
        return self.folder / TRACE

    def require_all(self) -> None:
        if self.failures:
            raise ClaimsFailed(
                f"no verdict on {len(self.failures)} of {quantity(len(self.results), 'claim')}; "
                f"the reason of each stands in {self.trace} as error; run the same command again "
                "to try just those"
            )


def verdict_row(result: Verdict | Failure) -> dict[str, Any]:
    verdict = result if isinstance(result, Verdict) else None
    evidence: Sequence[Any] = verdict.evidence if verdict else ()
    best = evidence[0] if evidence else None
    return {
        "claim_id": result.claim.id,
        "claim": result.claim.text,
        **verdict_fields(ClaimView(result.claim, verdict)),
        "votes": len(verdict.votes) if verdict else 0,
        "evidence": len(evidence),
        "sentence": best.found if best else None,
        "url": best.urls[0] if best and best.urls else None,
        "error": result.error if isinstance(result, Failure) else None,
    }
