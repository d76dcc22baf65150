"""FZI-WIM's approach, branch by branch, with a scripted model and a reranker of shared words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.approaches.entailed_qa import (
    EntailedQaOptions,
    distinct,
    enough,
    entailed_qa,
    most_distinct,
)
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import EvidenceSource, Reranker, Tools
from uhhrag.records import NO_ANSWER, Claim, Generate, Hit, Page, Passage, PickOne, Place

CLAIM = Claim(0, "The bridge at Varnby opened in May.", "31-10-2020", "Marit Holm")
PAGES = (
    Page("https://a.example", ("The bridge at Varnby opened in May 2019.", "It is blue.")),
    Page("https://b.example", ("Buses use the bridge.", "No ship passes.", "Snow fell.")),
)
EMBED = hashing_embedder()
FEW = EntailedQaOptions(answers=2, sampled_sets=2)
SCRIPT = {
    "question_set": ["When did the bridge open?\nWhat colour is the bridge?"],
    "answer": ["It opened in May 2019."],
    "statement": ["The bridge opened in May 2019."],
    "entails_constrained": ["A"],
}
asked: list[str] = []
queries: list[str] = []


@pytest.fixture(autouse=True)
def _forget():
    asked.clear()
    queries.clear()


def search(query: str, top: int, /) -> list[Hit]:
    queries.append(query)
    hits = [
        Hit(Passage(line, (page.url,), (Place(document, number),)), 0.5)
        for document, page in enumerate(PAGES)
        for number, line in enumerate(page.lines)
    ]
    return hits[:top]


def words(text: str) -> int:
    return len(text.split())


def relevance(query, texts, /):
    of = set(query.lower().split())
    return np.array([len(of & set(text.lower().split())) for text in texts], np.float32)


def tools(**script):
    scripted = scripted_llm({**SCRIPT, **script})

    def llm(prompts, ask, /):
        asked.extend(prompt.text for prompt in prompts)
        return scripted(prompts, ask)

    return Tools(EMBED, llm, load_prompts(), Reranker(relevance, words, 64))


SOURCE = EvidenceSource(search, PAGES.__getitem__)


def run(options=FEW, claim=CLAIM, corpus=SOURCE, top=10, **script):
    return entailed_qa(claim, corpus, tools(**script), top, options)


def test_an_entailed_answer_stands_with_the_chunk_that_entails_it():
    found = run()
    first = found.evidence[0]
    assert first.answer == "It opened in May 2019."
    assert first.urls == ("https://a.example",)
    assert first.context == "The bridge at Varnby opened in May 2019. It is blue."
    assert first.score == pytest.approx(0.9)
    assert first.retrieval_score == 0.5
    assert found.notes == ("question set 1: 2 asked, 2 kept, 0 of them without an answer",)


def test_the_query_names_the_speaker_the_claim_and_the_question():
    run()
    assert queries[0] == f"Marit Holm stated {CLAIM.text} When did the bridge open?"


@pytest.mark.parametrize("speaker", [None, "", "https://x.example/a", "news.example"])
def test_a_speaker_that_is_unknown_or_an_address_is_left_out(speaker):
    run(claim=replace(CLAIM, speaker=speaker, date=None))
    assert queries[0] == f"{CLAIM.text} When did the bridge open?"
    assert "Claim date: unknown\nClaimer: unknown" in asked[0]


def test_the_most_relevant_chunk_stands_last_before_the_question():
    run()
    prompt = next(text for text in asked if "When did the bridge open?\nAnswer" in text)
    assert prompt.index("Buses use") < prompt.index("opened in May 2019. It is blue.")


def test_a_question_whose_answers_no_text_entails_is_dropped_and_other_sets_are_asked():
    found = run(entails_constrained=["C"])
    assert [note[:14] for note in found.notes] == [f"question set {n}" for n in (1, 2, 3)]
    assert {e.answer for e in found.evidence} == {NO_ANSWER}
    assert [e.question for e in found.evidence] == [
        "When did the bridge open?",
        "What colour is the bridge?",
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "No answer could be found.",
        "The texts do not mention when it opened.",
        "There is no information on this.",
        "The opening date is not specified in the text.",
        "I cannot determine that.",
    ],
)
def test_where_nothing_is_entailed_but_one_says_so_there_is_no_answer(reply):
    found = run(replace(FEW, sets=1), answer=[reply])
    assert [(e.answer, e.urls) for e in found.evidence] == [(NO_ANSWER, ())] * 2
    assert "2 kept, 2 of them without an answer" in found.notes[0]


@pytest.mark.parametrize(
    "reply",
    [
        "There is no evidence that the bridge was blue.",
        "The mayor did not say when it opens.",
        "The bridge does not contain steel.",
        "Ships cannot be seen from it.",
        "The firm was not given a permit.",
    ],
)
def test_an_answer_that_denies_something_is_checked_like_any_other(reply):
    assert run(answer=[reply]).evidence[0].answer == reply


@pytest.mark.parametrize(
    "reply",
    [
        "The context doesn't say who opened it.",
        "There is no evidence of this in the provided texts.",
        "The date is not given in the text.",
        "Sorry, I cannot find the answer based on the context.",
        "It is not clear when it opened.",
    ],
)
def test_an_answer_that_the_texts_hold_none_is_never_asked_for_its_entailment(reply):
    assert {pair.answer for pair in run(answer=[reply]).evidence} == {NO_ANSWER}
    assert not any("Statement: " in text and "Text:" in text for text in asked)


@pytest.mark.parametrize(
    ("said", "answer"), [("A", "It opened in May 2019."), ("B", NO_ANSWER), ("maybe", NO_ANSWER)]
)
def test_a_model_without_probabilities_checks_by_the_letter_it_writes(said, answer):
    with_text = tools(entails_constrained=[said if said in "ABC" else "C"])

    def llm(prompts, ask, /):
        replies = with_text.llm(prompts, ask)
        if isinstance(ask, PickOne):
            return [replace(reply, text=said, logprobs=()) for reply in replies]
        return replies

    found = entailed_qa(
        CLAIM, EvidenceSource(search, PAGES.__getitem__), replace(with_text, llm=llm), 10, FEW
    )
    assert found.evidence[0].answer == answer


def test_an_unreadable_entailment_reply_keeps_no_answer_and_leaves_the_questions():
    found = run(statement=[""], entails_constrained=["C"])
    assert any("Statement: When did the bridge open? It opened in May 2019." in t for t in asked)
    assert {pair.answer for pair in found.evidence} == {NO_ANSWER}


def test_empty_answers_drop_the_question_in_every_set():
    found = run(answer=[" "])
    assert [note.split(", ")[1] for note in found.notes] == ["0 kept"] * 3
    assert {(pair.answer, pair.urls) for pair in found.evidence} == {(NO_ANSWER, ())}


def test_without_samples_the_plain_answer_alone_is_read():
    model = tools()
    calls = []

    def llm(prompts, ask, /):
        calls.append((prompts[0].step if prompts else "", len(prompts)))
        return model.llm(prompts, ask)

    options = replace(FEW, answers=0, sampled_sets=0)
    found = entailed_qa(
        CLAIM, EvidenceSource(search, PAGES.__getitem__), replace(model, llm=llm), 10, options
    )
    assert found.evidence[0].answer == "It opened in May 2019."
    assert ("answer", 2) not in calls
    assert len(found.notes) == 1


def test_one_set_of_questions_is_asked_where_one_is_wanted():
    assert len(run(replace(FEW, sets=1, conditions=False)).notes) == 1


def test_pairs_are_ordered_by_their_relevance_to_the_claim():
    found = run(question_set=["What colour is snow there?\nWhen did the bridge at Varnby open?"])
    assert found.evidence[0].question == "When did the bridge at Varnby open?"


def test_what_is_too_similar_is_kept_or_left_out_as_asked():
    sets = ["When did the bridge open?\nWhen did the new bridge open?"]
    assert len(run(replace(FEW, same=0.5), question_set=sets).evidence) == 1
    assert len(run(replace(FEW, same=0.99), question_set=sets).evidence) == 2


def test_a_query_that_fills_the_reranker_still_finds_single_lines():
    found = run(claim=replace(CLAIM, text=f"{CLAIM.text} " * 30))
    assert found.evidence[0].context == "The bridge at Varnby opened in May 2019."


def test_the_answer_with_the_highest_probability_of_entailment_is_kept():
    def judge(pairs):
        return [(0.9 if "sixth" in said else 0.6, 0.1, 0.1) for _, said in pairs]

    answers = ["It opened on a sunny day.", "The sixth of May saw the opening.", "Blue paint won."]
    with_nli = replace(
        tools(answer=answers, statement=lambda p: p.body.rsplit("Answer: ", 1)[1].split("\n")[0]),
        entailment=judge,
    )
    options = replace(FEW, sets=1, distinct=0.9)
    found = entailed_qa(CLAIM, EvidenceSource(search, PAGES.__getitem__), with_nli, 10, options)
    assert found.evidence[0].answer == "The sixth of May saw the opening."
    assert not any("Statement: " in text and "Text:" in text for text in asked)


def test_without_the_check_the_plain_answer_stands():
    found = run(replace(FEW, entailment=False, sets=1), entails_constrained=["C"])
    assert found.evidence[0].answer == "It opened in May 2019."


def test_without_conditions_every_set_is_asked():
    assert len(run(replace(FEW, conditions=False)).notes) == 3


def test_pairs_that_say_the_same_are_kept_once():
    assert len(run(replace(FEW, conditions=False)).evidence) == 2


def test_a_store_without_a_hit_leaves_the_questions_without_an_answer():
    found = run(corpus=EvidenceSource(lambda query, top: []))
    assert {e.answer for e in found.evidence} == {NO_ANSWER}


def test_an_unreadable_question_set_becomes_the_constant_question():
    found = run(question_set=["I see."])
    assert found.evidence[0].question.startswith("What do reliable sources say")


def test_at_most_top_pairs_are_kept():
    assert len(run(top=1).evidence) == 1
    assert len(run(top=1, entails_constrained=["C"]).evidence) == 1


def test_samples_are_drawn_as_the_paper_draws_them():
    drawn = EntailedQaOptions(seed=3).drawn(10, "\n")
    assert drawn == Generate(10, ("\n",), temperature=0.7, top_k=50, seed=3)


def test_the_most_distinct_set_comes_next_and_then_the_least_like_both():
    plain, near, far, other = ["red bus one"], ["red bus two"], ["deep sea fish"], ["snow and ice"]
    assert most_distinct(plain, [near, far, other], EMBED)[0] == plain
    assert most_distinct(plain, [near, far, far, other], EMBED)[1:3] == [far, other]


@given(st.lists(st.text(min_size=1, max_size=8), max_size=8), st.floats(0, 1))
def test_distinct_keeps_the_first_and_loses_what_repeats(texts, limit):
    kept = distinct(texts, EMBED, limit)
    assert kept[:1] == texts[:1]
    assert set(kept) <= set(texts)


@pytest.mark.parametrize(
    ("counts", "done"),
    [((5, 5, 1), True), ((5, 4, 0), False), ((5, 5, 2), False), ((2, 0, 0), False)],
)
def test_asking_ends_when_enough_is_answered(counts, done):
    assert enough(*counts, EntailedQaOptions()) is done
