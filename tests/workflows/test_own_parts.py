"""Functions of a program's own as approach, rule and voter: a changed one is another run."""

from __future__ import annotations

import importlib.util
import json
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

import uhhrag
from uhhrag.approaches import APPROACHES
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.errors import UsageError
from uhhrag.records import Label, Origin, Vote
from uhhrag.rules.rules import RULES

CLAIM = "The harbour of Varnby was dredged in 2019."
EMBEDDER = uhhrag.Loaded(hashing_embedder(), "words")
VOTER = """
from uhhrag.records import Label, Origin, Vote

LABEL = Label.{label}

def side():
    return LABEL

def mine(claim, evidence):
    return [Vote(side(), Origin.READ, "") for item in evidence]
"""
RULE = """
from uhhrag.records import Label

def mine(votes):
    return Label.{label} if votes else Label.NOT_ENOUGH
"""
APPROACH = """
from uhhrag.evidence.steps import as_evidence, constant_question
from uhhrag.records import Finding

def mine(claim, corpus, tools, top, options):
    hits = corpus.search(claim.text, top)
    return Finding(tuple(as_evidence(hit, constant_question(claim)) for hit in hits[:{count}]))
"""


@pytest.fixture
def docs(tmp_path) -> Path:
    lines = [CLAIM, "The harbour of Varnby was not dredged in 2018."]
    page = {"url": "https://a.example", "url2text": lines}
    (tmp_path / "store.jsonl").write_text(json.dumps(page) + "\n")
    return tmp_path / "store.jsonl"


@pytest.fixture
def load(tmp_path):
    """The function `mine` of a module that was written anew."""

    def loaded(text: str) -> Any:
        file = tmp_path / "mine.py"
        file.write_text(text)
        spec = importlib.util.spec_from_file_location("mine", file)
        module = importlib.util.module_from_spec(spec)
        sys.modules["mine"] = module
        sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
        spec.loader.exec_module(module)
        sys.dont_write_bytecode = before
        return module.mine

    yield loaded
    sys.modules.pop("mine", None)


def agree(claim, evidence):
    return [Vote(Label.SUPPORTED, Origin.READ, "") for _ in evidence]


def all_one(label, claim, evidence):
    return [Vote(label, Origin.READ, "") for _ in evidence]


def check(docs: Path, **options: Any) -> Any:
    return uhhrag.check(CLAIM, docs, embedder=EMBEDDER, questions="template", nearest=0, **options)


def test_a_changed_voter_under_the_same_name_votes_anew(docs, load):
    first = check(docs, voter=load(VOTER.format(label="SUPPORTED")))
    assert first[0].label is Label.SUPPORTED
    changed = check(docs, voter=load(VOTER.format(label="REFUTED  ")))  # a global, as long
    assert changed[0].label is Label.REFUTED
    again = check(docs, voter=load(VOTER.format(label="SUPPORTED")))
    assert (again.signature, again.folder) == (first.signature, first.folder)
    assert "|voter:mine@" in first.signature
    assert "|llm:" not in first.signature


def test_a_partial_votes_anew_with_another_argument(docs):
    first = check(docs, voter=partial(all_one, Label.SUPPORTED))
    other = check(docs, voter=partial(all_one, Label.REFUTED))
    assert (first[0].label, other[0].label) == (Label.SUPPORTED, Label.REFUTED)
    assert "|voter:partial@" in first.signature != other.signature


def test_a_row_of_a_table_can_be_varied(docs):
    row = APPROACHES["retrieve-question"]
    rule = replace(RULES["majority"], decide=lambda votes: Label.CONFLICTING)
    found, fewer = (
        check(docs, voter=agree, approach=one, rule=rule) for one in (row, replace(row, top=1))
    )
    assert [len(found[0].evidence), len(fewer[0].evidence)] == [2, 1]
    assert fewer[0].label is Label.CONFLICTING
    assert "approach:retrieve_question@" in found.signature
    assert "|verdict:lambda@" in found.signature != fewer.signature


def test_a_loaded_object_is_named_by_its_class(docs):
    class Worker:
        run = decide = agree

        def __call__(self, claim, evidence):
            return agree(claim, evidence)

    result = check(docs, voter=uhhrag.Loaded(Worker(), "v1"))
    assert "|voter:Worker@v1" in result.signature


def test_a_row_of_another_table_is_refused(docs):
    with pytest.raises(UsageError, match=r"--rule ApproachSpec.* is unknown"):
        check(docs, rule=APPROACHES["pursuit"])


def test_a_changed_rule_under_the_same_name_decides_anew(docs, load):
    first = check(docs, voter=agree, rule=load(RULE.format(label="SUPPORTED")))
    changed = check(docs, voter=agree, rule=load(RULE.format(label="CONFLICTING")))
    assert (first[0].label, changed[0].label) == (Label.SUPPORTED, Label.CONFLICTING)
    assert "|verdict:mine@" in first.signature != changed.signature


def test_a_changed_approach_under_the_same_name_searches_anew(docs, load):
    counts = []
    for count in (1, 2):
        result = check(docs, voter=agree, approach=load(APPROACH.format(count=count)))
        counts.append(len(result[0].evidence))
        assert "approach:mine@" in result.signature
    assert counts == [1, 2]


def test_all_three_decide_the_claims_of_an_index_too(tmp_path, load):
    index = tmp_path / "index"
    data = Path(__file__).resolve().parents[2] / "data"
    uhhrag.index(data, index, claim=3, embedder=EMBEDDER)
    result = uhhrag.predict(
        index,
        tmp_path / "run",
        approach=load(APPROACH.format(count=1)),
        rule=lambda votes: Label.CONFLICTING,
        voter=agree,
        questions="template",
        embedder=EMBEDDER,
    )
    assert [verdict.label for verdict in result] == [Label.CONFLICTING]
    assert [len(verdict.votes) for verdict in result] == [1]
    assert "|verdict:lambda@" in result.signature


def test_a_loaded_function_is_told_by_its_fingerprint(docs):
    result = check(docs, voter=uhhrag.Loaded(partial(agree), "mine 1"))
    assert "|voter:partial@mine 1|" in result.signature, result.signature
    assert result[0].label is Label.SUPPORTED


def test_a_voter_that_does_not_vote_on_each_piece_fails_the_claim(docs):
    wanted = f"it is to give {WRONG['voter']}"
    (failure,) = check(docs, voter=lambda claim, evidence: [])
    assert failure.error == f"the voter lambda gave 0 votes on 2 pieces; {wanted}"
    (failure,) = check(docs, voter=lambda claim, evidence: ["A" for _ in evidence])
    assert failure.error == f"the voter lambda gave 'A'; {wanted}"
    first = partial(lambda count, *given: agree(*given)[:count], 1)
    (failure,) = check(docs, voter=uhhrag.Loaded(first, "mine 1"))
    assert failure.error == f"the voter partial gave 1 vote on 2 pieces; {wanted}"


@pytest.mark.parametrize("probability", [7.0, -0.1, float("nan")])
def test_a_voters_probability_is_from_0_to_1(docs, probability):
    def sure(claim, evidence):
        return [Vote(Label.REFUTED, Origin.READ, "", probability=probability) for _ in evidence]

    (failure,) = check(docs, voter=sure, rule="weighted")
    told = f"the voter sure gave probability {probability}; it must be 0 to 1"
    assert failure.error == told


def fails(*given):
    raise OSError("db down")


WRONG = {
    "rule": "uhhrag.records.Label: Supported, Refuted, Not Enough Evidence, "
    "Conflicting Evidence/Cherrypicking",
    "voter": "uhhrag.records.Vote on each piece",
    "approach": "uhhrag.records.Finding",
}


@pytest.mark.parametrize(
    ("option", "call", "told"),
    [
        ("rule", lambda votes: "Perhaps", f"gave 'Perhaps'; it is to give {WRONG['rule']}"),
        ("rule", lambda votes: None, f"gave None; it is to give {WRONG['rule']}"),
        ("voter", lambda claim, evidence: None, f"gave None; it is to give {WRONG['voter']}"),
        ("approach", lambda *given: [], f"gave []; it is to give {WRONG['approach']}"),
        ("rule", fails, "failed: OSError: db down"),
        ("voter", fails, "failed: OSError: db down"),
        ("approach", fails, "failed: OSError: db down"),
    ],
)
def test_an_own_part_that_fails_or_gives_another_kind_is_named(docs, option, call, told):
    name = call.__name__.strip("<>")
    for _ in range(2):  # the trace is sound
        (failure,) = check(docs, **{"voter": agree, option: call})
        assert failure.error == f"the {option} {name} {told}"


def test_an_own_part_without_its_arguments_is_named(docs):
    (failure,) = check(docs, voter=agree, rule=lambda: Label.REFUTED)
    assert failure.error.startswith("the rule lambda failed: TypeError:"), failure.error


def test_a_rule_can_give_a_label_as_a_text(docs):
    (verdict,) = check(docs, voter=agree, rule=lambda votes: "Refuted")
    assert verdict.label is Label.REFUTED


@pytest.mark.parametrize("option", ["voter", "rule", "approach"])
@pytest.mark.parametrize(
    ("call", "why"),
    [
        (len, "it is no function with a source"),
        (eval("lambda *given: ()"), "the source of <lambda> cannot be read"),  # noqa: S307
    ],
)
def test_a_function_that_cannot_be_told_from_a_changed_one_is_refused(docs, option, call, why):
    with pytest.raises(UsageError) as raised:
        check(docs, **{option: call})
    message = str(raised.value)
    assert message.startswith(f"{option}=")
    assert f"cannot be told from a changed one, {why}; give {option}=Loaded(" in message
    assert "\n" not in message
