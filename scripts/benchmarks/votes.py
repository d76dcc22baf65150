"""Time our votes against llama-cpp-python used the obvious way, on the same model and evidence.

Obvious: one create_chat_completion a piece of evidence with the paper's prompt, greedy, at most 32
tokens. Ours: the claim's shared start computed once, the evidence as sequences of one batch, the
label from the probabilities of three letters. `all cores` is the obvious way with every core used
for generation, of which the library by itself uses half; `letters` that with our prompt, whose
answer is one letter. All take turns; fails where a label differs from that of the same evidence
asked alone, or where ours is not five times as fast.

usage: scripts/bench votes [--llm NAME_OR_GGUF] [--claims N] [--evidence N] [--rounds N]
"""

import sys
from collections.abc import Sequence

from scripts.benchmarks.llm_sides import Case, Sides, arguments, cases, compared
from uhhrag.backends.llamacpp.model import LlamaCpp
from uhhrag.prompts.templates import StepTemplate, load_prompts
from uhhrag.records import Vote
from uhhrag.rules.rules import PAPER_DECODING, RULES, Decoding
from uhhrag.voters import calibration
from uhhrag.voters.language_model import cast

WANTED = 5.0


def votes(
    llm: LlamaCpp, template: StepTemplate, items: Sequence[Case], *, alone: bool
) -> list[Vote]:
    rule, none = RULES["majority"], calibration.NONE
    found: list[Vote] = []
    for claim, evidence in items:
        for group in [[piece] for piece in evidence] if alone else [evidence]:
            found += cast(llm, template, claim, group, rule, Decoding.CONSTRAINED, none)
    return found


def obvious(
    sides: Sides, template: StepTemplate, items: Sequence[Case], *, all_cores: bool = False
) -> None:
    sides.all_cores(given=all_cores)
    for claim, evidence in items:
        for piece in evidence:
            prompt = template(claim=claim.text, evidence=f"{piece.question} {piece.answer}")
            sides.complete(prompt, PAPER_DECODING.max_tokens)


def compare(together: list[Vote], alone: list[Vote]) -> int:
    """Prints how votes of a batch differ from those alone; gives the number of other labels."""
    pairs = list(zip(together, alone, strict=True))
    moved = max(abs(a.options[o] - b.options[o]) for a, b in pairs for o in a.options)
    margins = [abs(b.options["A"] - b.options["B"]) for a, b in pairs if a.label is not b.label]
    print(f"labels    {len(pairs) - len(margins)} of {len(pairs)} as alone, ", end="")
    print(f"log-probabilities within {moved:.2f}")
    for margin in margins:
        print(f"          another label where A and B were {margin:.3f} apart")
    return len(margins)


def main() -> None:
    given = arguments(__doc__)
    items = cases(given)
    prompts = load_prompts()
    letters, paper = prompts("vote_constrained"), prompts("vote_paper")
    sides = Sides(given)
    alone = votes(sides.ours, letters, items, alone=True)
    before = sides.ours.tokens_computed
    differing = compare(votes(sides.ours, letters, items, alone=False), alone)
    computed = sides.ours.tokens_computed - before
    faster = compared(
        given,
        items,
        "vote",
        computed,
        lambda some: votes(sides.ours, letters, some, alone=False),
        {
            "obvious": lambda: obvious(sides, paper, items),
            "all cores": lambda: obvious(sides, paper, items, all_cores=True),
            "letters": lambda: obvious(sides, letters, items, all_cores=True),
        },
    )
    if differing and not given.force:
        sys.exit("labels differ from those of the same evidence asked alone")
    if faster < WANTED and not given.force:
        sys.exit(f"not {WANTED:g} times as fast as the obvious way")


if __name__ == "__main__":
    main()
