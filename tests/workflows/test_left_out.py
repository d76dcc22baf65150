"""An index that left passages out says so to a method that may need them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from uhhrag.approaches import APPROACHES
from uhhrag.workflows.method import _left_out


def index(patience: int, kept: int, unique: int = 5000):
    counts = SimpleNamespace(kept=kept, unique=unique)
    recipe = SimpleNamespace(patience=patience, pool=3000)
    return SimpleNamespace(
        folder=Path("other indexes/mine"),
        header=SimpleNamespace(recipe=recipe),
        manifests=[SimpleNamespace(counts=counts)],
    )


def chosen(approach: str, recipe: str = ""):
    parts = SimpleNamespace(approach=APPROACHES[approach])
    settings = SimpleNamespace(approach=approach, parts=parts)
    return SimpleNamespace(
        settings=settings, recipe=SimpleNamespace(name=recipe) if recipe else None
    )


@pytest.mark.parametrize("approach", ["question-retrieve", "pursuit", "entailed-qa", "summaries"])
def test_an_approach_that_searches_by_questions_is_warned(approach):
    warning = _left_out(index(1000, kept=1500), chosen(approach))
    assert f"(patience 1000), and {approach} also searches by questions" in warning
    command = "uhhrag index DATA --patience 0 --overwrite --out 'other indexes/mine'"
    assert warning.endswith(f"With all: {command}")


def test_a_recipe_is_warned_whatever_its_approach():
    warning = _left_out(index(1000, kept=1500), chosen("retrieve-question", "uhh"))
    assert "the recipe uhh wants all of them" in warning


def test_nothing_is_said_where_nothing_is_lost():
    assert _left_out(index(1000, kept=1500), chosen("retrieve-question")) == ""
    assert _left_out(index(1000, kept=3000), chosen("pursuit")) == ""
    assert _left_out(index(1000, kept=900, unique=900), chosen("pursuit")) == ""
    assert _left_out(index(0, kept=3000), chosen("pursuit")) == ""
