"""Pursuit, branch by branch, with a model that follows a script (Papelo, algorithms 1 and 2)."""

from __future__ import annotations

import pytest

from tests.support.pursuit import CLAIM, ONE, OTHERS, PAGES, THREE, TWO, Model, run
from tests.support.small_store import corpus_of
from uhhrag.approaches.pursuit import Ask, Fill, Read
from uhhrag.config.choices import Choices
from uhhrag.config.settings import parse
from uhhrag.errors import UsageError
from uhhrag.evidence.steps import constant_question
from uhhrag.records import NO_ANSWER, Claim, Label


def test_a_verdict_ends_the_pursuit_and_paraphrases_fill_up_to_five_pairs():
    model = Model()
    found = run(model)
    assert found.label is Label.SUPPORTED
    # four wordings were asked for, so no more are taken, though the model wrote eight
    assert [e.question for e in found.evidence] == [ONE, *OTHERS[:4]]
    assert found.notes == ("Settled after 1 answer: Supported.",)
    assert len(model.seen["ask_next"]) == 1


def test_each_question_goes_on_from_the_answers_so_far():
    model = Model(ask_next=[TWO, THREE, "[[False"])
    found = run(model, fill=Fill.NONE)
    assert [e.question for e in found.evidence] == [ONE, TWO, THREE]
    assert found.label is Label.REFUTED
    last = model.seen["ask_next"][-1]
    assert f"Question 1: {ONE}\nAnswer: Read from 1 documents.\nQuestion 2: {TWO}" in last
    assert "Varnby opened in May. (by Ada Brook on 31-10-2020)\n" in last


def test_the_pursuit_ends_at_the_top_without_a_verdict():
    model = Model(ask_next=OTHERS)
    found = run(model, top=3)
    assert (len(found.evidence), found.label) == (3, None)
    assert found.notes == ("Ended at 3 answers without a verdict.",)
    assert "paraphrase" not in model.seen


@pytest.mark.parametrize("again", [ONE, "when did the bridge open"])
def test_a_repeated_question_ends_the_pursuit(again):
    found = run(Model(ask_next=[f"Question: {again}?"]), fill=Fill.NONE)
    assert (len(found.evidence), found.label) == (1, None)
    assert found.notes[0].startswith("The model asked again: ")


@pytest.mark.parametrize("reply", ["I do not know.", "", "[[True]] or [[False]]", "[[Maybe]]"])
def test_a_reply_that_is_neither_verdict_nor_question_ends_it_without_a_label(reply):
    found = run(Model(ask_next=[reply]), fill=Fill.NONE)
    assert (found.label, found.notes) == (None, ("The model asked nothing further.",))


@pytest.mark.parametrize(
    "reply", [f'["{ONE}", "{TWO}"]', f'```json\n[\n  "{ONE}",', f"1. {ONE}\n2. {TWO}", ONE]
)
def test_the_first_question_is_the_first_of_the_list(reply):
    assert run(Model(ask_first=[reply]), fill=Fill.NONE).evidence[0].question == ONE


def test_a_first_reply_without_a_question_asks_the_constant_one():
    found = run(Model(ask_first=["No."]), fill=Fill.NONE)
    assert found.evidence[0].question == constant_question(CLAIM)
    assert found.evidence[0].reply == "No."


def test_a_claim_without_date_and_speaker_is_asked_about_all_the_same():
    model = Model()
    found = run(model, claim=Claim(1, CLAIM.text))
    assert len(found.evidence) == 5
    assert f"Claim: {CLAIM.text}\n" in model.seen["ask_first"][0]


def test_the_best_document_is_read_in_a_window_of_five_lines_with_its_metadata():
    model = Model()
    found = run(model, fill=Fill.NONE)
    (chosen,) = found.evidence
    listed = model.seen["best_document"][0]
    assert listed.count("Document ") == 11  # ten, and the example of the template
    (read,) = model.seen["answer_document"]
    assert chosen.context == "\n".join(PAGES[1].lines[1:6])
    assert f"Document 1 (Title 1, from p1.example):\n{chosen.context}" in read
    assert CLAIM.text not in read
    assert chosen.urls == ("https://p1.example/",)
    assert chosen.score > 0


def test_no_hit_is_tried_again_with_the_names_alone():
    found = run(Model(), store=corpus_of(*PAGES, unfound=[ONE]), fill=Fill.NONE)
    (pair,) = found.evidence
    assert pair.answer == "Read from 1 documents."
    assert "searched again for 'Varnby May'" in found.notes[1]


def test_without_any_hit_a_question_has_no_answer_and_no_source():
    model = Model()
    found = run(model, store=corpus_of(*PAGES, unfound=[ONE, "Varnby May"]), fill=Fill.NONE)
    (pair,) = found.evidence
    assert (pair.question, pair.answer, pair.urls) == (ONE, NO_ANSWER, ())
    assert found.notes[1].endswith("without a hit.")
    assert "best_document" not in model.seen


def test_without_names_there_is_no_second_search():
    claim = Claim(0, "the bridge is open")
    found = run(Model(), store=corpus_of(), claim=claim, fill=Fill.NONE)
    assert "there were no names to search for" in found.notes[1]


def test_an_unanswered_question_keeps_its_place_among_answered_ones():
    store = corpus_of(*PAGES, unfound=[OTHERS[0], "Varnby May"])  # the names are searched alone
    found = run(Model(), store=store)
    answers = [e.answer for e in found.evidence]
    assert [a == NO_ANSWER for a in answers] == [False, True, False, False, False]


@pytest.mark.parametrize("named", ["No document says so.", "Document 11", "Document 0", ""])
def test_where_no_document_is_named_the_whole_reply_answers_from_all_hits(named):
    found = run(Model(best_document=[named, "It opened in May, says the list."]), fill=Fill.NONE)
    (pair,) = found.evidence
    assert pair.answer == "It opened in May, says the list."
    assert len(pair.urls) == 10
    assert found.notes[1] == f"No document was named for {ONE!r}."


@pytest.mark.parametrize("named", ["Document 3", "document #3 says so", "Documents 3 and 4"])
def test_a_document_is_named_in_many_ways(named):
    found = run(Model(best_document=[named]), fill=Fill.NONE)
    assert found.evidence[0].urls == ("https://p2.example/",)


def test_where_no_window_is_found_the_hit_alone_is_read():
    model = Model()
    found = run(model, store=corpus_of(*PAGES, kept=False), fill=Fill.NONE)
    assert found.evidence[0].context == "The bridge opened in May 1."
    assert found.notes[1] == "No window of https://p1.example/ holds its hit."


def test_an_empty_answer_is_none():
    found = run(Model(answer_document=[" "]), fill=Fill.NONE)
    assert found.evidence[0].answer == NO_ANSWER


def test_all_questions_at_once_are_looked_up_without_asking_for_the_next():
    model = Model(ask_first=[f'["{ONE}", "{TWO}", "{ONE}", "{THREE}"'])
    found = run(model, ask=Ask.AT_ONCE, fill=Fill.NONE)
    assert [e.question for e in found.evidence] == [ONE, TWO, THREE]
    assert "ask_next" not in model.seen
    assert found.label is None


def test_at_once_takes_no_more_questions_than_the_top_and_at_least_one():
    many = str(OTHERS).replace("'", '"')
    assert len(run(Model(ask_first=[many]), ask=Ask.AT_ONCE).evidence) == 5
    none = run(Model(ask_first=["No."]), ask=Ask.AT_ONCE, fill=Fill.NONE)
    assert [e.question for e in none.evidence] == [constant_question(CLAIM)]


@pytest.mark.parametrize("writer", ["first", "next"])
def test_a_writer_that_would_not_be_asked_is_refused(writer):
    with pytest.raises(UsageError, match=r"--set ask=at-once .* leave out first and next"):
        parse(Choices(approach="pursuit", options=("ask=at-once", f"{writer}=t5")))


def test_the_hit_alone_can_be_read():
    found = run(Model(), read=Read.SNIPPET, fill=Fill.NONE)
    assert found.evidence[0].context == "The bridge opened in May 1."


def test_all_documents_can_be_read_at_once():
    model = Model()
    found = run(model, read=Read.ALL, fill=Fill.NONE)
    assert found.evidence[0].answer == "Read from 10 documents."
    assert len(found.evidence[0].urls) == 10
    assert "best_document" not in model.seen


def test_metadata_can_be_left_out():
    model = Model()
    run(model, metadata=False, fill=Fill.NONE)
    shown = "".join(model.seen["best_document"] + model.seen["answer_document"])
    assert "Title" not in shown
    assert "p1.example" not in shown


def test_pairs_can_be_repeated_instead_of_paraphrased():
    model = Model(ask_next=[TWO, "[[True"])
    found = run(model, fill=Fill.REPEAT)
    assert [e.question for e in found.evidence] == [ONE, TWO, ONE, TWO, ONE]
    assert "paraphrase" not in model.seen


def test_wordings_are_used_one_of_each_question_in_turn():
    def wordings(prompt):
        which = "one" if ONE in prompt.text else "two"
        return str([f"What is wording {i} of {which}?" for i in "abcd"]).replace("'", '"')

    found = run(Model(ask_next=[TWO, "[[True"], paraphrase=wordings))
    added = [e.question.removeprefix("What is wording ") for e in found.evidence[2:]]
    assert added == ["a of one?", "a of two?", "b of one?"]


def test_wordings_that_repeat_a_question_are_not_asked():
    found = run(Model(paraphrase=[f'["{ONE}", "{TWO}", "{TWO}"]']))
    assert [e.question for e in found.evidence] == [ONE, TWO]
    unread = run(Model(paraphrase=["I would rather not."]))
    assert [e.question for e in unread.evidence] == [ONE]


def test_wordings_that_name_something_new_are_not_asked():
    said = '["When did the bridge of Ulm open?", "When did it open, in 2018?", "When was it open?"]'
    found = run(Model(paraphrase=[said]))
    assert [e.question for e in found.evidence] == [ONE, "When was it open?"]


def test_a_verdict_without_any_answer_is_none():
    found = run(Model(answer_document=[NO_ANSWER]), fill=Fill.NONE)
    assert found.label is None
    assert found.notes == ("Supported without any answer, which is no verdict.",)


def test_where_no_document_has_an_answer_there_is_no_source():
    found = run(Model(best_document=[NO_ANSWER]), fill=Fill.NONE)
    assert (found.evidence[0].answer, found.evidence[0].urls) == (NO_ANSWER, ())


def test_pairs_are_inflated_only_when_asked():
    found = run(Model(), inflate=10)
    assert len(found.evidence) == 10
    assert found.evidence[5:] == found.evidence[:5]
    assert len(run(Model(), inflate=3).evidence) == 5
