"""Verdicts and runs for terminals of 80 columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from uhhrag.documents.draft import Draft
from uhhrag.evidence.unusable import unusable_questions
from uhhrag.records import Claim, Evidence, Failure, Label, Verdict
from uhhrag.rules.label_words import UNCLEAR, WORDS
from uhhrag.system.terminal import WIDTH, printable, quantity, wrapped
from uhhrag.views.answer import id_beside
from uhhrag.views.claim_summary import scored_sentence
from uhhrag.views.review import SIDES
from uhhrag.views.run_view import RunView, unchecked

_LINES = 3
"""Lines shown of a sentence; a store's can have 450,000 characters."""


def opening(signature: str, left: int, total: int) -> str:
    done = f"; {total - left} of {total} are done already" if left < total else ""
    parts = wrapped(signature.replace("|", " | "), "  ")
    return f"{quantity(left, 'claim')} to decide{done}\n{parts}"


def show(result: Verdict | Failure) -> str:
    if isinstance(result, Failure):
        return f"\n{_claim(result.claim)}\n{wrapped(result.error, '  no verdict: ')}"
    best = _best(result)
    told = scored_sentence(result) if best else str(result.label)
    lines = [f"\n{_claim(result.claim)}", wrapped(told, "  ")]
    if result.leaning:
        lines.append(f"  the votes lean to {result.leaning}, but not clearly enough")
    if best:
        lines += [wrapped(best.question, "  Q: ", _LINES), wrapped(best.answer, "  A: ", _LINES)]
        lines += [f"  {printable(url)}" for url in best.urls[:1]]
    else:
        lines.append("  no evidence was found in the store")
    if result.removed:
        counts = ", ".join(f"{number} by {limit}" for limit, number in result.removed.items())
        lines.append(f"  passages that the limits removed: {counts}")
    return "\n".join(lines)


def _claim(claim: Claim) -> str:
    return wrapped(claim.text, f"{claim.id}. ", _LINES)


def _best(verdict: Verdict) -> Evidence | None:
    """What says most for the verdict's side, then the best-ranked; else the first with its label,
    else the first."""
    label = verdict.leaning or verdict.label
    pairs = zip(verdict.evidence, verdict.votes, strict=True) if verdict.vote_per_piece else ()
    agreeing = [(item, vote) for item, vote in pairs if vote.label is label]
    if not agreeing:
        return next(iter(verdict.evidence), None)
    sure = max(agreeing, key=lambda one: (not one[1].says_nothing, one[1].probability or 0.0))
    return (sure if label in SIDES else agreeing[0])[0]


def summary(run: RunView, folder: Path) -> str:
    verdicts = [view.verdict for view in run.claims if view.verdict]
    labels = Counter(verdict.label for verdict in verdicts)
    origins = Counter(vote.origin for verdict in verdicts for vote in verdict.votes)
    mix = ", ".join(f"{label} {labels[label]}" for label in Label if labels[label])
    votes = ", ".join(f"{n} {origin}" for origin, n in origins.most_common())
    stages = ", ".join(f"{stage} {mean:.2f}" for stage, mean in run.stages().items())
    lines = [
        "\n" + wrapped(mix or "none", f"{quantity(len(verdicts), 'claim')} decided: "),
        f"{quantity(run.failed, 'claim')} failed" if run.failed else "",
        wrapped(votes or "none", f"{quantity(origins.total(), 'vote')}: "),
        wrapped(unusable, "") if (unusable := unusable_questions(verdicts)) else "",
        wrapped(stages, "seconds per claim: ") if stages else "",
        f"{printable(str(folder))}: predictions.json, trace.jsonl, run.json",
    ]
    return "\n".join(filter(None, lines))


def overview(answers: Sequence[Mapping[str, Any]]) -> str:
    """Counts of verdicts, then a line each: number, verdict, beginning of the claim."""
    told = (*WORDS.items(), (None, "without a verdict"))
    kinds = Counter(UNCLEAR if one["leans"] else one["label"] for one in answers)
    counts = [f"{kinds[kind]} {words}" for kind, words in told if kinds[kind]]
    said = [one["verdict"] or "no verdict" for one in answers]
    wide = max(map(len, said))
    lines = [
        f"{number:>4}. {verdict:<{wide}} {id_beside(number, answer)} {printable(answer['claim'])}"
        for number, (verdict, answer) in enumerate(zip(said, answers, strict=True), start=1)
    ]
    return "\n".join(
        [
            f"All claims: {', '.join(counts)}",
            *(f"{one[: WIDTH - 1]}…" if len(one) > WIDTH else one for one in lines),
        ]
    )


def left_out(draft: Draft) -> str:
    """Sentences without a check, with the reasons, or ""."""
    left = unchecked(draft)
    if not left:
        return ""
    lines = [f"Not checked ({quantity(len(left), 'sentence')}):"]
    return "\n".join([*lines, *(wrapped(f"{why}: {text}", "  - ", 2) for text, why in left)])
