from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.records import Evidence, Label, Source, Vote
from uhhrag.system.decode import shaped

TEXT = st.text(max_size=5)
SOURCES = st.builds(Source, TEXT, TEXT, TEXT, TEXT, st.none() | st.integers())
EVIDENCE = st.builds(
    Evidence,
    question=TEXT,
    answer=TEXT,
    urls=st.lists(TEXT, max_size=2).map(tuple),
    sources=st.lists(SOURCES, max_size=2).map(tuple),
)


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    size: int | None
    parts: Mapping[str, float]


@given(EVIDENCE)
def test_a_record_survives_json(evidence):
    assert shaped(Evidence, json.loads(json.dumps(asdict(evidence)))) == evidence


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ([], r"it is \[\]"),
        ({"name": "x", "parts": {}}, "it.size is missing"),
        ({"name": 1, "size": None, "parts": {}}, "it.name is 1"),
        ({"name": "x", "size": True, "parts": {}}, "it.size is True"),
        ({"name": "x", "size": 1.0, "parts": {}}, "it.size is 1.0"),
        ({"name": "x", "size": 1, "parts": []}, r"it.parts is \[\]"),
        ({"name": "x", "size": 1, "parts": {"a": None}}, "it.parts.a is None"),
        ({"name": "x", "size": 1, "parts": {"a": False}}, "it.parts.a is False"),
    ],
)
def test_another_shape_is_refused_and_its_place_named(value, said):
    with pytest.raises(TypeError, match=said):
        shaped(Thing, value)


def test_keys_that_are_not_known_are_passed_over_and_whole_numbers_are_numbers():
    value = {"name": "x", "size": None, "parts": {"a": 1}, "new": [1]}
    assert shaped(Thing, value) == Thing("x", None, {"a": 1})


def test_a_closed_set_is_converted_and_nothing_else_gets_in():
    vote = {"label": "Refuted", "origin": "read", "reply": ""}
    assert shaped(Vote, vote).label is Label.REFUTED
    with pytest.raises(TypeError):
        shaped(Vote, {**vote, "label": "refuted"})
    with pytest.raises(TypeError):
        shaped(Vote, {**vote, "label": ["Refuted"]})
