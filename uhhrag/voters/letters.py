"""A language model that says by a letter whether a text supports a statement."""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from uhhrag.protocols import LLM, Entailment, Template
from uhhrag.records import LETTERS, PickOne, Reply
from uhhrag.voters.calibration import NONE, Calibration

STEP = "entails_constrained"


def by_letters(llm: LLM, template: Template, calibration: Calibration = NONE) -> Entailment:
    """Thread-safe. Without probabilities a reply counts fully; other text is neither."""
    lock = Lock()

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        prompts = [template(premise=text, hypothesis=statement) for text, statement in pairs]
        with lock:
            replies = llm(prompts, PickOne(LETTERS))
        return [_shares(reply, calibration) for reply in replies]

    return entailment


def _shares(reply: Reply, calibration: Calibration) -> tuple[float, float, float]:
    if reply.logprobs:
        yes, no, neither = calibration(reply.logprobs)
        return yes, no, neither
    entails, contradicts, _ = LETTERS
    yes, no = float(reply.text == entails), float(reply.text == contradicts)
    return yes, no, 1.0 - yes - no
