"""Pursuit with models of the user's own that ask the questions."""

from __future__ import annotations

from tests.support.pursuit import CLAIM, Model, run
from uhhrag.approaches.options import WriterFolder
from uhhrag.approaches.pursuit import Fill
from uhhrag.evidence.steps import constant_question


def test_a_model_of_the_users_own_can_ask_the_first_and_the_next_questions():
    given_texts = []

    def writer(texts, /):
        given_texts.extend(texts)
        return [f"what is known of step {len(given_texts)}"]

    folder = WriterFolder("t5")
    model = Model()
    found = run(model, top=3, writers={"first": writer, "next": writer}, first=folder, next=folder)
    assert [e.question for e in found.evidence] == [
        f"what is known of step {i}?" for i in (1, 2, 3)
    ]
    assert given_texts[0] == f"question: {CLAIM.text}"
    answered = "Question: what is known of step 1? Answer: Read from 1 documents."
    assert given_texts[1] == f"question: Claim: {CLAIM.text} {answered}"
    assert found.label is None
    assert not {"ask_first", "ask_next"} & set(model.seen)


def test_a_writer_without_words_asks_the_constant_question():
    found = run(Model(), writers={"first": lambda texts, /: [""]}, fill=Fill.NONE)
    assert found.evidence[0].question == constant_question(CLAIM)
