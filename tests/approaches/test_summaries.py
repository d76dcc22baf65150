"""Summaries, branch by branch, with a model that follows a script (Chen et al., section 3)."""

from __future__ import annotations

import pytest

from tests.support.small_store import EMBED, corpus_of
from uhhrag.approaches import APPROACHES
from uhhrag.approaches.summaries import By, SummariesOptions, Summary
from uhhrag.backends.fakes import scripted_llm
from uhhrag.evidence.questions import yes_or_no
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import Tools
from uhhrag.records import Claim, Generate, Grade, Label, Page

CLAIM = Claim(0, "The bridge at Varnby opened in May.", "31-10-2020", "Ada Brook")
ASKED = "Did the bridge open in May?\nIs the river wide?"
BRIDGE = Page("https://bridge.example/", ("Before.", "The bridge opened in May."), title="A")
RIVER = Page("https://river.example/", ("The river is wide and deep.", "After."))
CATS = Page("https://cats.example/", ("Cats sleep.",))
STORE = corpus_of(CATS, RIVER, BRIDGE)
SCRIPT = {
    "yes_no": [ASKED],
    "summarise": lambda p: "It opened." if "bridge opened in May" in p.text else "It is wide.",
    "summarise_few": ["By example."],
}


class Model:
    """A scripted model that keeps every prompt and how it was asked, by step."""

    def __init__(self, **script):
        self.llm = scripted_llm({**SCRIPT, **script})
        self.seen: dict[str, list[str]] = {}
        self.asks: list[Generate] = []
        self.calls: list[int] = []

    def __call__(self, prompts, ask, /):
        self.asks.append(ask)
        self.calls.append(len(prompts))
        for prompt in prompts:
            self.seen.setdefault(prompt.step, []).append(prompt.text)
        return self.llm(prompts, ask)


def run(model, store=STORE, claim=CLAIM, top=4, classifiers=None, **options):
    tools = Tools(EMBED, model, load_prompts(), classifiers=classifiers or {})
    return APPROACHES["summaries"].run(claim, store, tools, top, SummariesOptions(**options))


def asked(*replies, count=10, rounds=5):
    model = Model(yes_no=list(replies))
    ask = Generate(320, temperature=0.7)
    found, note = yes_or_no(model, load_prompts()("yes_no"), CLAIM, count, rounds, ask)
    return [one.question for one in found], note, model


def numbered(*numbers):
    return "\n".join(f"Is it number {n}?" for n in numbers)


def test_sampling_goes_on_until_there_are_ten_different_questions():
    questions, note, model = asked(numbered(*range(4)), numbered(*range(2, 8)), numbered(7, 8, 9))
    assert questions == [f"Is it number {n}?" for n in range(10)]
    assert note.startswith("10 questions from 3 samples")
    assert [(a.temperature, a.seed) for a in model.asks] == [(0.7, 0), (0.7, 1), (0.7, 2)]


def test_sampling_ends_after_five_samples():
    questions, note, model = asked(numbered(1, 2))
    assert questions == ["Is it number 1?", "Is it number 2?"]
    assert len(model.asks) == 5
    assert note == "2 questions from 5 samples; no yes/no questions: 0."


def test_no_more_than_ten_questions_are_kept():
    assert len(asked(numbered(*range(30)))[0]) == 10


def test_a_repeated_question_is_dropped_whatever_its_case():
    assert asked("Is it so today?\nis it so today", rounds=1)[0] == ["Is it so today?"]


@pytest.mark.parametrize(
    ("question", "kept"),
    [
        ("Was the whole show cancelled?", True),  # theirs dropped what holds a wh-word
        ("Didn't they know who it was?", True),
        ("Does that show which one it is?", True),
        ("Who was it in fact?", False),
        ("Issues of what kind arose?", False),
        ("How many were there?", False),
    ],
)
def test_yes_no_questions_are_told_by_their_first_word(question, kept):
    found, note, _ = asked(question, rounds=1)
    assert (question in found) is kept
    assert ("no questions: 0." in note) is kept


def test_without_any_question_the_claim_is_asked():
    questions, note, _ = asked("I would rather not.", rounds=2)
    assert questions == ["Is it true that The bridge at Varnby opened in May?"]
    assert note.startswith("0 questions from 2 samples")


def test_each_document_is_summed_up_under_the_question_that_found_it_best_first():
    model = Model()
    found = run(model)
    assert [(e.question, e.answer, e.urls) for e in found.evidence] == [
        ("Did the bridge open in May?", "It opened.", (BRIDGE.url,)),
        ("Is the river wide?", "It is wide.", (RIVER.url,)),
    ]
    assert found.evidence[0].context == "Before. The bridge opened in May."
    assert "Document 1 (A, from bridge.example):\nBefore." in model.seen["summarise"][0]
    assert "in May. (by Ada Brook on 31-10-2020)\n" in model.seen["summarise"][0]
    assert found.label is None
    assert found.notes[1] == "Pages found: 2, of them read: 2."


def test_all_summaries_are_one_call():
    model = Model()
    run(model, rounds=1)
    assert model.calls == [1, 2]


def test_no_more_documents_than_the_top_are_read():
    assert [e.urls for e in run(Model(), top=1).evidence] == [(BRIDGE.url,)]


def test_an_irrelevant_document_is_no_evidence_and_is_noted():
    said = "The document is not relevant to checking the claim."
    found = run(Model(summarise=[said, "It is wide."]))
    assert [e.answer for e in found.evidence] == ["It is wide."]
    assert f"Not relevant to the claim: {BRIDGE.url}" in found.notes


@pytest.mark.parametrize("said", ["Not relevant to the claim.", ""])
def test_nothing_relevant_is_said_so_and_the_claim_is_no_evidence(said):
    found = run(Model(summarise=[said]))
    assert (found.evidence, found.label) == ((), None)
    assert found.notes[-1] == "No page says anything on the claim."


def test_an_empty_store_is_said_so_without_asking_for_summaries():
    model = Model()
    found = run(model, store=corpus_of())
    assert found.evidence == ()
    assert found.notes[-1] == "No page says anything on the claim."
    assert "summarise" not in model.seen


def test_a_claim_without_date_or_speaker_is_checked_all_the_same():
    model = Model()
    assert run(model, claim=Claim(0, CLAIM.text)).evidence
    assert f"Claim: {CLAIM.text}\n" in model.seen["summarise"][0]


def test_a_page_that_stands_there_twice_is_read_once():
    mirror = Page("https://mirror.example/", BRIDGE.lines)
    assert len(run(Model(), store=corpus_of(BRIDGE, mirror, RIVER, CATS)).evidence) == 2


def test_an_index_without_pages_gives_the_sentences_alone():
    found = run(Model(), store=corpus_of(BRIDGE, RIVER, CATS, kept=False))
    assert found.evidence[0].context == "The bridge opened in May."


def test_the_claim_can_be_searched_instead_of_the_questions():
    found = run(Model(), search=By.CLAIM)
    assert BRIDGE.url in {url for e in found.evidence for url in e.urls}
    assert {e.question for e in found.evidence} == {"Did the bridge open in May?"}


def test_windows_can_be_ranked_by_the_claim():
    many = "Is it deep?\nIs the river wide and deep?\nIs a river wide?"
    by_questions = run(Model(yes_no=[many]), store=corpus_of(RIVER, BRIDGE, CATS), search=By.CLAIM)
    by_claim = run(
        Model(yes_no=[many]), store=corpus_of(RIVER, BRIDGE, CATS), search=By.CLAIM, rank=By.CLAIM
    )
    assert by_claim.evidence[0].urls == (BRIDGE.url,)
    assert by_questions.evidence[0].urls == (RIVER.url,)


def test_summaries_can_have_examples_or_be_left_out():
    assert run(Model(), summary=Summary.FEW_SHOT).evidence[0].answer == "By example."
    raw = Model()
    found = run(raw, summary=Summary.NONE)
    assert found.evidence[0].answer == "Before. The bridge opened in May."
    assert list(raw.seen) == ["yes_no"]


@pytest.mark.parametrize(
    ("name", "label", "grade"),
    [
        ("Refuted", Label.REFUTED, None),
        ("pants-fire", Label.REFUTED, Grade.PANTS_ON_FIRE),
        ("half-true", Label.CONFLICTING, Grade.HALF_TRUE),
    ],
)
def test_a_classifier_of_the_users_own_judges_claim_and_summaries(name, label, grade):
    given = []

    def classify(texts, /):
        given.extend(texts)
        return [{"Supported": 0.2, name: 0.8}]

    found = run(Model(), classifiers={"classifier": classify})
    assert given == [f"{CLAIM.text} It opened. It is wide."]
    assert (found.label, found.grade) == (label, grade)
