"""uhhrag predict on two claims of the sample, with a scripted model."""

from __future__ import annotations

from uhhrag.backends.fakes import scripted_llm


class Recording:
    """A stand-in LLM that keeps the steps it was asked for; `fails` names text it fails at."""

    def __init__(self) -> None:
        self.steps: list[str] = []
        self.fails: str | None = None
        said = ["Who said so in May?\nWhere was it said?"]
        self.llm = scripted_llm(
            {
                "ask_about": said,
                "decompose": said,
                "vote_constrained": lambda p: "AB"[len(p.text) % 2],
                "label_constrained": lambda p: "ABCD"[len(p.text) % 4],
                "vote_paper": ['{"label": "Supported", "score": 0.9}', "no label"],
                "reader": lambda p: p.body,
                "label_paper": ['{"label": "Not Enough Evidence"}'],
            }
        )

    def __call__(self, prompts, ask, /):
        self.steps += [prompt.step for prompt in prompts]
        if self.fails and any(self.fails in prompt.text for prompt in prompts):
            raise RuntimeError("struck")
        return self.llm(prompts, ask)
