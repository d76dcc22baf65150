"""A run is signed for the templates that it fills, and can fill no others."""

from __future__ import annotations

import ast
import inspect
import sys

import pytest

from uhhrag.approaches import APPROACHES
from uhhrag.config.choices import Choices, Questions
from uhhrag.config.settings import parse
from uhhrag.prompts import templates
from uhhrag.prompts.templates import Prompts, load_prompts

SIGNED = [name for name, spec in APPROACHES.items() if spec.prompts is not None]
"""The others are signed for all templates."""


@pytest.mark.parametrize("name", SIGNED)
def test_an_approach_names_the_templates_that_it_fills(name):
    spec = APPROACHES[name]
    module = sys.modules[spec.run.__module__]
    tree = ast.parse(inspect.getsource(module))
    words = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    words |= {value for value in vars(module).values() if isinstance(value, str)}
    assert words >= {*spec.prompts}
    others = {"answer"} if name == "pursuit" else set()  # a noun there
    assert words & load_prompts().texts.keys() == {*spec.prompts} | others


def test_a_new_template_changes_the_signature_of_no_run_that_does_not_fill_it(monkeypatch):
    before = parse(Choices()).templates
    assert {*before.texts} == {
        *("ask_about", "ask_about_examples"),
        *("vote_constrained", "reader"),
    }
    shipped = load_prompts()
    monkeypatch.setattr(
        "uhhrag.config.settings.load_prompts",
        lambda folder: Prompts({**shipped.texts, "mine": "$claim", "justify": "other"}),
    )
    assert parse(Choices()).templates.hash == before.hash
    assert parse(Choices(rule="justified")).templates("justify").text == "other"


def test_a_run_without_questions_is_not_signed_for_how_they_are_asked():
    settings = parse(Choices(questions=Questions.TEMPLATE, voter="llm", rule="pairs"))
    assert {*settings.templates.texts} == {"pairs_constrained", "reader"}


def test_a_prompt_goes_with_its_examples():
    kept = templates.Prompts({"a": "1", "a_examples": "2", "ab": "3"}).only(["a", "no"])
    assert kept.texts == {"a": "1", "a_examples": "2"}
