"""A language model that says by a letter or word whether a text supports a statement."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock

from uhhrag.protocols import LLM, Entailment, Template
from uhhrag.records import LETTERS, PickOne, Prompt, Reply
from uhhrag.voters.calibration import NONE, Calibration

STEP = "entails_constrained"
MINICHECK_FORM = "Document: {}\nClaim: {}"
"""Of Bespoke-MiniCheck-7B; answered in `_WORDS`."""
_WORDS = ("Yes", "No")


def by_letters(llm: LLM, template: Template, calibration: Calibration = NONE) -> Entailment:
    """Thread-safe. Without probabilities a reply counts fully; other text is neither."""

    def prompt(text: str, statement: str) -> Prompt:
        return template(premise=text, hypothesis=statement)

    return _asking(llm, prompt, PickOne(LETTERS), lambda reply: _shares(reply, calibration))


def by_yes_or_no(llm: LLM) -> Entailment:
    """Likewise of MiniCheck's form; it never refutes."""

    def prompt(text: str, statement: str) -> Prompt:
        return Prompt("minicheck", "", MINICHECK_FORM.format(text, statement))

    return _asking(llm, prompt, PickOne(_WORDS), _supported)


def _asking(
    llm: LLM,
    prompt: Callable[[str, str], Prompt],
    ask: PickOne,
    read: Callable[[Reply], tuple[float, float, float]],
) -> Entailment:
    lock = Lock()

    def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
        prompts = [prompt(text, statement) for text, statement in pairs]
        with lock:
            replies = llm(prompts, ask)
        return [read(reply) for reply in replies]

    return entailment


def _shares(reply: Reply, calibration: Calibration) -> tuple[float, float, float]:
    if reply.logprobs:
        yes, no, neither = calibration(reply.logprobs)
        return yes, no, neither
    entails, contradicts, _ = LETTERS
    yes, no = float(reply.text == entails), float(reply.text == contradicts)
    return yes, no, 1.0 - yes - no


def _supported(reply: Reply) -> tuple[float, float, float]:
    yes = NONE(reply.logprobs)[0] if reply.logprobs else float(reply.text == _WORDS[0])
    return yes, 0.0, 1.0 - yes
