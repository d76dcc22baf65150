"""The end of a list of claims in a terminal: each with its verdict, and what was left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from uhhrag.documents.draft import Draft
from uhhrag.system.terminal import WIDTH, printable, quantity, wrapped
from uhhrag.text.pronouns import unnamed
from uhhrag.views.annotated import unchecked


def overview(answers: Sequence[Mapping[str, Any]]) -> str:
    """Number, verdict and the beginning of the claim, a line each."""
    said = [one["verdict"] or "no verdict" for one in answers]
    wide = max(map(len, said))
    lines = [
        f"{number:>4}. {verdict:<{wide}}  {printable(answer['claim'])}"
        for number, (verdict, answer) in enumerate(zip(said, answers, strict=True), start=1)
    ]
    return "\n".join(
        ["All claims:", *(f"{one[: WIDTH - 1]}…" if len(one) > WIDTH else one for one in lines)]
    )


def left_out(draft: Draft) -> str:
    """The sentences without a check, with the reason, and claims without a name; "" if none."""
    left = unchecked(draft, ())
    lines = [f"Not checked ({quantity(len(left), 'sentence')}):"] if left else []
    lines += [wrapped(f"{why}: {text}", "  - ", 2) for text, why in left]
    pointing = [str(n) for n, one in enumerate(draft.claims, start=1) if unnamed(one.text)]
    if pointing:
        words = ("Claims", "begin", "were") if pointing[1:] else ("Claim", "begins", "was")
        told = f"{words[0]} {', '.join(pointing)} {words[1]} with a pronoun and {words[2]} checked "
        lines += [
            "",
            wrapped(
                f"{told}as written: write into the draft who or what is meant, and check it again; "
                "the page of a draft in `uhhrag serve` has a field for it.",
                "",
            ),
        ]
    return "\n".join(lines).strip()
