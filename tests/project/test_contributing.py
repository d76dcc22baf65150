"""The example of CONTRIBUTING.md, an approach of ten lines, works as it says."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT
from uhhrag.approaches import APPROACHES, ApproachSpec
from uhhrag.protocols import Corpus, Tools
from uhhrag.records import Claim, Hit, Passage

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE, ENTRY = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.fixture
def names() -> dict:
    names: dict = {}
    exec(CODE, names)  # noqa: S102 - our own page
    return names


def test_the_example_is_a_few_lines_and_gives_evidence(names):
    assert len(CODE.strip().splitlines()) <= 12
    hits = [Hit(Passage("Bananas are yellow.", ("https://fruit.example",)), 0.5)] * 3
    corpus = Corpus(lambda query, top: hits[:top])
    tools = Tools(None, None, None)
    evidence = names["nearest"](Claim(0, "Bananas are red."), corpus, tools, 2, None).evidence
    assert [piece.answer for piece in evidence] == ["Bananas are yellow."] * 2
    assert all(piece.question for piece in evidence)


def test_its_line_in_the_table_is_an_entry(names):
    entries = eval(f"{{{ENTRY}}}", {**names, "ApproachSpec": ApproachSpec})  # noqa: S307
    assert isinstance(entries["nearest"], type(APPROACHES["retrieve-question"]))
    assert "nearest" not in APPROACHES
