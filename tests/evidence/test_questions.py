"""Questions that a model is asked for, and how its lists are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.backends.fakes import scripted_llm
from uhhrag.evidence.questions import paraphrase, read_list
from uhhrag.prompts.templates import load_prompts

ONE, TWO, THREE = "When did the bridge open?", "Who opened the bridge?", "Was there a bridge?"


def test_the_paraphrases_of_all_questions_are_one_call():
    calls = []

    def llm(prompts, ask):
        calls.append(len(prompts))
        return scripted_llm({"paraphrase": ["[]"]})(prompts, ask)

    paraphrase(llm, load_prompts()("paraphrase"), [ONE, TWO, THREE], 4)
    assert calls == [3]


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        (f'["{ONE}", "{TWO}"]', [ONE, TWO]),
        (f'["{ONE}", "{TWO}"', [ONE, TWO]),
        (f'["{ONE}", "Who opened the bri', [ONE, "Who opened the bri?"]),
        (f'Sure!\n```json\n["{ONE}",\n', [ONE]),
        ('["The year of the opening"]', ["The year of the opening?"]),
        (f"1. {ONE}\n2. {TWO}", [ONE, TWO]),
        ("[1, null, {}, []]", []),
        ("[" * 5000, []),
        ("", []),
    ],
)
def test_a_list_of_questions_is_read_whole_or_cut_short(reply, questions):
    assert read_list(reply) == questions


@given(st.text() | st.text('["],\\ ?ab\n'))
def test_reading_a_list_never_raises(reply):
    for question in read_list(reply):
        assert question.endswith("?")
