"""Pursuit over twelve small pages, with a model that follows a script."""

from __future__ import annotations

from tests.support.small_store import EMBED, corpus_of
from uhhrag.approaches import APPROACHES
from uhhrag.approaches.pursuit import PursuitOptions
from uhhrag.backends.fakes import scripted_llm
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import Tools
from uhhrag.records import Claim, Page

CLAIM = Claim(0, "The bridge at Varnby opened in May.", "31-10-2020", "Ada Brook")
ONE, TWO, THREE = "When did the bridge open?", "Who opened the bridge?", "Was there a bridge?"
OTHERS = [f"What is wording {word} of the bridge?" for word in "abcdefgh"]
PAGES = [
    Page(
        f"https://p{n}.example/",
        (f"Before {n}.", f"The bridge opened in May {n}.", f"After {n}.", "x", "y", "z"),
        title=f"Title {n}",
    )
    for n in range(12)
]
STORE = corpus_of(*PAGES)
SCRIPT = {
    "ask_first": [f'["{ONE}'],
    "ask_next": ["[[True"],
    "best_document": ["Document 2"],
    "answer_document": lambda prompt: f"Read from {prompt.body.count('Document ')} documents.",
    "paraphrase": [str(OTHERS).replace("'", '"')],
}


class Model:
    """A scripted model that keeps every prompt by step."""

    def __init__(self, **script: object) -> None:
        self.llm = scripted_llm({**SCRIPT, **script})  # type: ignore[dict-item]
        self.seen: dict[str, list[str]] = {}

    def __call__(self, prompts, ask, /):
        for prompt in prompts:
            self.seen.setdefault(prompt.step, []).append(prompt.text)
        return self.llm(prompts, ask)


def run(model, store=STORE, claim=CLAIM, top=5, writers=None, **options):
    tools = Tools(EMBED, model, load_prompts(), writers=writers or {})
    return APPROACHES["pursuit"].run(claim, store, tools, top, PursuitOptions(**options))
