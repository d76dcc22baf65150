"""The steps from a claim to questions and evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.approaches import APPROACHES, Plain
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.evidence.context import window
from uhhrag.evidence.steps import (
    ask_about,
    constant_question,
    decompose,
    locate,
    order_by_similarity,
    read_questions,
)
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import EvidenceSource, Tools
from uhhrag.records import Claim, Evidence, Hit, Page, Passage, Place, Source
from uhhrag.views.html_text import marked

CLAIM = Claim(3, "The old bridge was closed in 2018.")
LINES = [f"Line {i} about the bridge." for i in range(30)]


def search(query: str, top: int) -> list[Hit]:
    searched.append((query, top))
    return [
        Hit(Passage(line, (f"https://a.example/{i}",)), 1 - i / 100)
        for i, line in enumerate(LINES[:top])
    ]


searched: list[tuple[str, int]] = []


@pytest.fixture(autouse=True)
def _forget():
    searched.clear()


def tools(script=None):
    llm = scripted_llm(script) if script else None
    return Tools(hashing_embedder(), llm, load_prompts())


@pytest.mark.parametrize(
    ("reply", "questions"),
    [
        ("Who owns the firm?", ["Who owns the firm?"]),
        (
            '1. "Who owns the firm?"\n2. When was it sold?',
            ["Who owns the firm?", "When was it sold?"],
        ),
        ("- Who owns the firm\n- When was it sold", ["Who owns the firm?", "When was it sold?"]),
        ("Question: Who owns the firm?", ["Who owns the firm?"]),
        ("Here you are:\nWho owns the firm?", ["Who owns the firm?"]),
        ("Who owns the firm? Who owns the firm?", ["Who owns the firm?"]),
        ("**Who owns the firm?**", ["Who owns the firm?"]),
        ("Really? Why so?", []),
        ("The firm is owned by its workers.", []),
        ("???", []),
        ("", []),
    ],
)
def test_questions_are_read_from_a_reply(reply, questions):
    assert read_questions(reply) == questions


@given(st.text())
def test_reading_questions_never_raises_and_gives_questions(reply):
    for question in read_questions(reply):
        assert question.endswith("?")
        assert len(question.split()) >= 3


def test_each_hit_gets_the_question_its_own_sentence_was_shown_for():
    def line(prompt):
        return f"What does {prompt.body.split('Line ')[1][0]} say here?"

    llm = scripted_llm({"ask_about": line})
    hits = search(CLAIM.text, 3)
    found = ask_about(llm, load_prompts()("ask_about"), CLAIM, hits)
    assert [e.question for e in found] == [f"What does {i} say here?" for i in range(3)]
    assert [e.answer for e in found] == LINES[:3]
    assert found[1].urls == ("https://a.example/1",)


def test_a_reply_without_a_question_falls_back_to_the_constant_one_and_is_kept():
    found = ask_about(
        scripted_llm({"ask_about": ["I cannot."]}),
        load_prompts()("ask_about"),
        CLAIM,
        search(CLAIM.text, 1),
    )
    assert found[0].question == constant_question(CLAIM)
    assert found[0].reply == "I cannot."


def test_decompose_keeps_at_most_the_asked_number_of_different_questions():
    llm = scripted_llm({"decompose": ["Who was it?\nWho was it?\nWhen was it?\nWhere was it?"]})
    template = load_prompts()("decompose")
    assert decompose(llm, template, CLAIM, 2)[0] == ["Who was it?", "When was it?"]


def test_decompose_without_a_question_asks_the_constant_one():
    llm = scripted_llm({"decompose": ["No."]})
    template = load_prompts()("decompose")
    assert decompose(llm, template, CLAIM, 3)[0] == [constant_question(CLAIM)]


def test_rerank_puts_the_question_and_answer_nearest_to_the_claim_first():
    far = Evidence("What about cats", "Cats sleep a lot.")
    near = Evidence("When was the old bridge closed", "The old bridge was closed in 2018.")
    ranked = order_by_similarity(hashing_embedder(), CLAIM, [far, near])
    assert [e.answer for e in ranked] == [near.answer, far.answer]
    assert ranked[0].score > ranked[1].score


def test_rerank_keeps_the_order_of_equals():
    same = [Evidence("Q", "A", (str(i),)) for i in range(5)]
    assert [e.urls for e in order_by_similarity(hashing_embedder(), CLAIM, same)] == [
        e.urls for e in same
    ]


def test_rerank_of_nothing_is_nothing():
    assert order_by_similarity(hashing_embedder(), CLAIM, []) == ()


@pytest.mark.parametrize(("top", "retrieved"), [(3, 10), (10, 10), (25, 25)])
def test_retrieve_question_searches_by_the_claim_for_ten_and_keeps_the_top(top, retrieved):
    found = (
        APPROACHES["retrieve-question"]
        .run(
            CLAIM,
            EvidenceSource(search),
            tools({"ask_about": ["What is said there?"]}),
            top,
            Plain(),
        )
        .evidence
    )
    assert searched == [(CLAIM.text, retrieved)]
    assert len(found) == top


@pytest.mark.parametrize(("top", "asked"), [(1, 1), (3, 3), (10, 5), (12, 6), (13, 7)])
def test_a_mixture_asks_the_model_about_the_nearer_half(top, asked):
    mixed = replace(tools({"ask_about": ["What is said there?"]}), mixed=True)
    entry = APPROACHES["retrieve-question"]
    found = entry.run(CLAIM, EvidenceSource(search), mixed, top, Plain()).evidence
    assert [e.question for e in found[:asked]] == ["What is said there?"] * asked
    assert [e.question for e in found[asked:]] == [constant_question(CLAIM)] * (top - asked)
    assert [e.answer for e in found[asked:]] == LINES[asked:top]


def test_retrieve_question_without_a_model_asks_the_constant_question():
    found = (
        APPROACHES["retrieve-question"]
        .run(CLAIM, EvidenceSource(search), tools(), 10, Plain())
        .evidence
    )
    assert {e.question for e in found} == {constant_question(CLAIM)}
    assert {e.reply for e in found} == {""}


def test_question_retrieve_takes_the_best_sentence_for_each_question_with_the_claim():
    script = {"decompose": ["When was it closed?\nWho closed the bridge?"]}
    found = (
        APPROACHES["question-retrieve"]
        .run(CLAIM, EvidenceSource(search), tools(script), 3, Plain())
        .evidence
    )
    assert searched == [
        (f"{CLAIM.text} When was it closed?", 1),
        (f"{CLAIM.text} Who closed the bridge?", 1),
    ]
    # As in the paper, one sentence may answer two questions.
    assert [e.answer for e in found] == [LINES[0], LINES[0]]


@pytest.mark.parametrize(
    ("mixed", "top", "usable", "note"),
    [
        (True, 10, 2, "3 of 5 questions that the model wrote were unusable; the constant question"),
        (False, 10, 2, "8 of 10 questions that the model wrote were unusable; the constant "),
        (False, 10, 10, ""),
        (True, 10, 5, ""),
    ],
)
def test_questions_that_the_constant_one_replaces_are_told(mixed, top, usable, note):
    replies = [f"What does {n} say?" for n in range(usable)] + ["", "No."] * 5
    given = iter(replies)
    asking = replace(tools({"ask_about": lambda prompt: next(given)}), mixed=mixed)
    entry = APPROACHES["retrieve-question"]
    notes = entry.run(CLAIM, EvidenceSource(search), asking, top, Plain()).notes
    assert len(notes) == bool(note)
    assert "".join(notes).startswith(note)


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ("When was it closed?\nWho closed it?\nWhere is it now?", ""),
        ("When was it closed?\nWho closed it?\nWhere is it?\nWhy was it so?", ""),
        ("When was it closed?\nWhen was it closed?\nNo.", "2 of 3 questions that the model was "),
        ("No.", "3 of 3 questions that the model was asked for are missing, unusable or repeated"),
    ],
)
def test_questions_that_question_retrieve_lacks_are_told(reply, note):
    entry, corpus = APPROACHES["question-retrieve"], EvidenceSource(search)
    notes = entry.run(CLAIM, corpus, tools({"decompose": [reply]}), 3, Plain()).notes
    assert len(notes) == bool(note)
    assert "".join(notes).startswith(note)


def test_question_retrieve_without_a_model_takes_the_best_sentences_for_one_question():
    found = (
        APPROACHES["question-retrieve"]
        .run(CLAIM, EvidenceSource(search), tools(), 3, Plain())
        .evidence
    )
    assert [e.answer for e in found] == LINES[:3]


@pytest.mark.parametrize("approach", ["retrieve-question", "question-retrieve"])
def test_an_approach_on_an_empty_store_finds_nothing(approach):
    script = {"decompose": ["When was it closed?"], "ask_about": []}
    entry = APPROACHES[approach]
    found = entry.run(CLAIM, EvidenceSource(lambda q, n: []), tools(script), 3, entry.options())
    assert found.evidence == ()


def page(*lines: str, **more: object) -> Page:
    return Page("https://a.example", lines, **more)  # type: ignore[arg-type]


def test_evidence_is_told_where_it_stands_on_its_page():
    found = page("One.", "Two.", "Three.", "Four.", "Five.", title="T", numbers=(1, 1, 1, 2, 2))
    at = Evidence("Why?", "Four.", (found.url,), places=(Place(1, 3),))
    (located,) = locate([at], [page("Zero."), found].__getitem__)
    assert located.context == "Two.\nThree.\nFour.\nFive."
    assert located.sources == (Source(found.url, "T", number=2),)


def test_an_equal_line_under_two_headings_is_located_at_its_own_place():
    lines = ("Schools", "It came to 18 million.", "Roads", "It came to 18 million.")
    budget = page(*lines, numbers=(1, 1, 9, 9), sections=((0, "Schools"), (2, "Roads")))
    for line, section, number in ((1, "Schools", 1), (3, "Roads", 9)):
        at = Evidence("Why?", lines[1], (budget.url,), places=(Place(0, line),))
        (located,) = locate([at], [budget].__getitem__)
        assert located.sources == (Source(budget.url, number=number, section=section),)
        assert located.before == section
        shown = marked(located.answer, located.context, at=located.at)
        assert shown.before.splitlines()[-1] == section


def test_the_lines_above_stay_where_one_has_the_words_of_the_line():
    asked = page("Is it open?", "The mayor said: No.", "No.", "It is shut.", "No.")
    for line, at in ((1, 0), (2, 32), (4, 16)):
        item = Evidence("Why?", asked.lines[line], (asked.url,), places=(Place(0, line),))
        (found,) = locate([item], [asked].__getitem__)
        assert found.context == "\n".join(asked.lines[max(0, line - 2) : line + 3])
        assert found.at == at
    shown = marked("No.", found.context, at=found.at)
    assert (shown.before, shown.after) == ("No.\nIt is shut.\n", "")
    assert window("No.", found.context, at=found.at) == "It is shut. No."


def test_a_context_that_an_approach_has_given_stays():
    at = Evidence("Why?", "One.", ("u",), context="What was read.", places=(Place(0, 0),))
    assert locate([at], lambda number: page("One."))[0].context == "What was read."


def test_evidence_without_a_place_stays_as_it_is():
    at = Evidence("Why?", "One.", ("u",))
    assert locate([at], lambda number: page("One.")) == (at,)


def test_an_answer_in_other_words_has_the_sources_of_its_pages_and_no_context():
    at = Evidence("Why?", "Because.", ("https://a.example",), places=(Place(0, 0),))
    (located,) = locate([at], lambda number: page("One.", date="2020-01-02"))
    assert located == replace(
        at, sources=(Source("https://a.example", date="2020-01-02", dated_by="record"),)
    )
