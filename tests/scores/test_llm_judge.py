"""The judge that is a language model: what it is asked, and how its replies are read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.backends.fakes import scripted_llm
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Claim, Generate, Prompt, Reply
from uhhrag.scores.ev2r import Case, Judged, Side, shares_of
from uhhrag.scores.llm_judge import MAX_TOKENS, llm_judge, read, read_facts, read_marks

CLAIM = Claim(0, "The ferry to Ostvik\nwas sold.")
GOLD = Side(("Who owns the ferry?", "When was it sold?"), (("Who owns the ferry?", "Varnby."),))
PREDICTED = Side(("Whose ferry is it?",), (("Whose ferry is it?", "It is the town's."),))


class Recorder:
    """A language model that replies by a function and remembers the prompts."""

    def __init__(self, reply) -> None:
        self.reply, self.prompts = reply, []

    def __call__(self, prompts, ask):
        assert isinstance(ask, Generate)
        assert (ask.temperature, ask.max_tokens) == (0.0, MAX_TOKENS)
        self.prompts += prompts
        return [Reply(self.reply(prompt)) for prompt in prompts]


def marked(prompt: Prompt) -> str:
    """Yes to the first question of two and to the only one of one; a fact that is there, one
    that is not."""
    if prompt.step == "ev2r_facts":
        return "1. The town owns it. [[yes]]\n2. It was sold. [[no]]"
    both = "Questions of the first:\n1. Who owns" in prompt.body
    return "1. [[yes]]\n2. [[no]]" if both else "1. [[Yes]]"


def judged(llm, *cases: Case) -> list[Judged]:
    return llm_judge(llm, load_prompts())(cases)


def test_each_side_is_asked_for_by_itself_and_the_shares_are_counted_here():
    llm = Recorder(marked)
    [found] = judged(llm, Case(CLAIM, GOLD, PREDICTED))
    assert [p.step for p in llm.prompts] == ["ev2r_questions"] * 2 + ["ev2r_facts"] * 2
    assert [r.supported for r in found.q_recall.facts] == [True, False]
    assert [r.fact for r in found.q_recall.facts] == list(GOLD.questions)
    assert [r.fact for r in found.qa_recall.facts] == ["The town owns it.", "It was sold."]
    assert shares_of(found) == (0.5, 1.0, 0.5, 0.5)


def test_gold_is_taken_apart_for_recall_and_the_prediction_for_precision():
    llm = Recorder(marked)
    judged(llm, Case(CLAIM, GOLD, PREDICTED))
    recall, precision = (prompt.body for prompt in llm.prompts[2:])
    assert recall.index("Varnby.") < recall.index("It is the town's.")
    assert precision.index("It is the town's.") < precision.index("Varnby.")
    assert "Claim: The ferry to Ostvik was sold.\n" in recall


def test_nothing_is_asked_where_a_side_is_empty():
    llm = Recorder(marked)
    nothing = Side((), ())
    without, empty = judged(llm, Case(CLAIM, nothing, PREDICTED), Case(CLAIM, GOLD, nothing))
    assert llm.prompts == []
    assert shares_of(without) == (None, None, None, None)
    assert shares_of(empty) == (0.0, 0.0, 0.0, 0.0)
    assert [r.fact for r in empty.qa_recall.facts] == ["Varnby."]


def test_an_unreadable_reply_is_kept_and_counts_nothing():
    script = {"ev2r_questions": ["Yes, all of them."], "ev2r_facts": marked}
    [found] = judged(scripted_llm(script), Case(CLAIM, GOLD, PREDICTED))
    assert found.q_recall.unreadable
    assert found.q_recall.reply == "Yes, all of them."
    assert found.q_recall.facts == ()
    assert shares_of(found) == (0.0, 0.0, 0.5, 0.5)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "There are no facts.",
        "1. It rained.",
        "1. [[yes]]",
        "1. It rained. [[yes]] [[no]]",
        "1. It rained. [[yes]]\n2. It sno",
        "1. It rained. [[maybe]]",
        '{"facts": ["It rained."], "count": 1}',
    ],
)
def test_facts_that_cannot_be_read_are_not_guessed(reply):
    assert read_facts(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        "1. It rained. [[yes]]\n2. It snowed. [[no]]",
        "Here are the facts:\n\n1) It rained. [[ YES ]]\n2) It snowed. [[No]]\n",
        "- It rained. [[yes]]\n- It snowed. [[no]]",
        "It rained. [[yes]]\nIt snowed. [[no]]",
    ],
)
def test_facts_are_read_in_the_forms_that_models_use(reply):
    read_out = read_facts(reply)
    assert [(r.fact, r.supported) for r in read_out] == [
        ("It rained.", True),
        ("It snowed.", False),
    ]


@pytest.mark.parametrize(
    "reply",
    [
        "1. [[yes]]",
        "1. [[yes]]\n1. [[no]]",
        "1. [[yes]]\n2. [[no]]\n3. [[no]]",
        "[[yes]]\n[[no]]",
        "1. [[yes]]\n2.",
        "0. [[yes]]\n1. [[yes]]",
    ],
)
def test_marks_that_do_not_fit_the_questions_are_not_guessed(reply):
    assert read_marks(reply, ("Who?", "When?")) is None


def test_marks_are_read_by_their_numbers():
    found = read_marks("2. When? [[no]]\n1. Who? [[yes]]", ("Who?", "When?"))
    assert [(r.fact, r.supported) for r in found] == [("Who?", True), ("When?", False)]


def test_a_reply_of_full_length_was_cut_short():
    whole = Reply("1. It rained. [[yes]]", reply_tokens=12)
    assert not read(None, whole).unreadable
    assert read(None, Reply(whole.text, reply_tokens=MAX_TOKENS)).unreadable


@given(st.text(alphabet="12 .)[]yesno\n-*x٣²") | st.text())
def test_any_reply_can_be_given(reply):
    for questions in (None, ("Who?",), ("Who?", "When?")):
        found = read(questions, Reply(reply))
        assert found.unreadable == (not found.facts)
