"""Time our questions against llama-cpp-python used the obvious way, same model and sentences.

Obvious: one create_chat_completion a sentence, greedy, at most 48 tokens. Ours: the same prompts
with their shared start computed once, decoded together, each until its question mark. `all cores`
is the obvious way with every core used for generation, of which the library by itself uses half.
All take turns; fails where ours is not two and a half times as fast.

usage: scripts/bench questions [--llm NAME_OR_GGUF] [--claims N] [--evidence N] [--rounds N]
"""

import sys
from collections.abc import Sequence

from scripts.benchmarks.llm_sides import Case, Sides, arguments, cases, compared
from uhhrag.evidence.steps import ask_about, read_question
from uhhrag.prompts.templates import StepTemplate, load_prompts
from uhhrag.records import Hit, Passage

WANTED, TOKENS = 2.5, 48


def ours(sides: Sides, template: StepTemplate, items: Sequence[Case]) -> list[str]:
    found: list[str] = []
    for claim, evidence in items:
        hits = [Hit(Passage(piece.answer), 0.0) for piece in evidence]
        found += [piece.question for piece in ask_about(sides.ours, template, claim, hits)]
    return found


def obvious(
    sides: Sides, template: StepTemplate, items: Sequence[Case], *, all_cores: bool = False
) -> list[str]:
    sides.all_cores(given=all_cores)
    return [
        read_question(sides.complete(template(claim=claim.text, sentence=piece.answer), TOKENS))
        for claim, evidence in items
        for piece in evidence
    ]


def main() -> None:
    given = arguments(__doc__)
    items = cases(given)
    template = load_prompts()("ask_about")
    sides = Sides(given)
    before = sides.ours.tokens_computed
    pairs = list(zip(ours(sides, template, items), obvious(sides, template, items), strict=True))
    computed = sides.ours.tokens_computed - before
    print(f"questions {sum(a == b for a, b in pairs)} of {len(pairs)} are the same")
    faster = compared(
        given,
        items,
        "question",
        computed,
        lambda some: ours(sides, template, some),
        {
            "obvious": lambda: obvious(sides, template, items),
            "all cores": lambda: obvious(sides, template, items, all_cores=True),
        },
    )
    if faster < WANTED and not given.force:
        sys.exit(f"not {WANTED:g} times as fast as the obvious way")


if __name__ == "__main__":
    main()
