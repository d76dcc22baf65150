"""What the tests of pages share: accounts of made-up verdicts, and a reader of finished HTML."""

from __future__ import annotations

from html.parser import HTMLParser

from uhhrag.records import Claim, Evidence, Label, Origin, Source, Verdict, Vote
from uhhrag.rules.rules import SIDE_OPTIONS
from uhhrag.views.run_view import ClaimView, RunView

HEADER = {
    "signature": "approach:retrieve-question|top:2|version:0",
    "calibration": {"source": "80 claims"},
    "models": {"minilm": "0" * 64},
    "prompts": {"hash": "5" * 64, "texts": {"vote": "Does <it> hold?"}},
}
HOSTILE = "<script>alert(1)</script> \"><img src=x onerror='alert(2)'> {{ 7*7 }} &amp; \x1b[31m ]]>"
VOID = {"meta", "input", "br", "img", "hr", "link", "path", "rect", "circle", "use"}


def vote(label: Label = Label.REFUTED, probability: float | None = 0.8) -> Vote:
    letters = {"A": -1.5, "B": -0.5, "C": -2.5}
    return Vote(label, Origin.CONSTRAINED, "B", probability, letters, meanings=SIDE_OPTIONS)


def evidence(text: str = "It rained in May.", **more: object) -> Evidence:
    fields = {
        "urls": ("https://a.example/rain", "https://b.example/"),
        "score": 0.7,
        "retrieval_score": 0.6,
        "reply": "Q1: Did it rain?",
        "context": f"The year was dry. {text} Then came June.",
        "sources": (Source("https://a.example/rain", "Rain", "A. Writer", "2020-05-02", 4),),
    }
    return Evidence("Did it rain?", text, **{**fields, **more})


def claim_view(number: int = 0, label: Label = Label.REFUTED, **more: object) -> ClaimView:
    claim = Claim(number, f"Claim {number} about rain.", "31-10-2020", "The mayor")
    votes = (vote(label), vote(Label.SUPPORTED, 0.6))
    verdict = Verdict(claim, label, (evidence(), evidence("It was dry.")), votes)
    return ClaimView(claim, verdict, **{"seconds": {"search": 0.5, "vote": 1.5}, **more})


def run_view(*claims: ClaimView, **more: object) -> RunView:
    fields = {"name": "run", "header": HEADER, "claims": claims or (claim_view(),)}
    return RunView(**{**fields, **more})


class Page(HTMLParser):
    """A page as a browser takes it: `tags` with their attributes, in order, `texts` by the tag
    they stand in, and whether every tag was closed in order."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.texts: list[tuple[str, str]] = []
        self.open: list[str] = []
        self.feed(source)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        assert len(names) == len(set(names)), f"{tag} says an attribute twice: {names}"
        self.tags.append((tag, {name: value or "" for name, value in attributes}))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, f"{tag} is closed out of order"

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict[str, str]]:
        return [attributes for name, attributes in self.tags if name == tag]

    def text(self) -> str:
        """What can be read on the page."""
        shown = (data for tag, data in self.texts if tag not in ("style", "script", "title"))
        return " ".join(" ".join(shown).split())
