from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Annotated

import msgspec
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
        ([], "at: is a list; it must be an object"),
        ({"name": "x", "parts": {}}, "at, size: is missing; add it"),
        ({"name": 1, "size": None, "parts": {}}, "at, name: is a whole number; it must be a text"),
        ({"name": "x", "size": True, "parts": {}}, "at, size: .* must be a whole number or null"),
        ({"name": "x", "size": 1.0, "parts": {}}, "at, size: is a number; it must be a whole"),
        ({"name": "x", "size": 1, "parts": []}, "at, parts: is a list; it must be an object"),
        ({"name": "x", "size": 1, "parts": {"a": None}}, r"at, parts\[...\]: is null; it must be"),
        ({"name": "x", "size": 1, "parts": {"a": False}}, r"at, parts\[...\]: is true or false"),
        ({"name": "x", "size": 1, "parts": {}, "\ud800": 1}, "at: holds a character"),
    ],
)
def test_another_shape_is_refused_and_its_place_named(value, said):
    with pytest.raises(TypeError, match=f"^{said}"):
        shaped(Thing, value, "at")


def test_keys_that_are_not_known_are_passed_over_and_whole_numbers_are_numbers():
    value = {"name": "x", "size": None, "parts": {"a": 1}, "new": [1]}
    assert shaped(Thing, value) == Thing("x", None, {"a": 1})


def test_a_closed_set_is_converted_and_nothing_else_gets_in():
    vote = {"label": "Refuted", "origin": "read", "reply": ""}
    assert shaped(Vote, vote).label is Label.REFUTED
    with pytest.raises(TypeError, match=r"^line 3, label: has the unknown value 'refuted'"):
        shaped(Vote, {**vote, "label": "refuted"}, "line 3")
    with pytest.raises(TypeError):
        shaped(Vote, {**vote, "label": ["Refuted"]})


def test_a_place_in_a_list_follows_its_file():
    with pytest.raises(TypeError, match=r"^a.json\[1\]\[0\]: is a text; it must be"):
        shaped(tuple[tuple[int, ...], ...], [[1], ["2"]], "a.json")


class Folder(str):
    __slots__ = ()


def test_a_text_becomes_the_class_of_texts_that_is_asked_for_and_bounds_hold():
    assert type(shaped(tuple[Folder, ...], ["x"])[0]) is Folder
    with pytest.raises(TypeError, match=r"^it\[0\]: is a whole number; it must be a text"):
        shaped(tuple[Folder, ...], [3], "it")
    with pytest.raises(TypeError, match=r"^it: it must be a number >= 0.0$"):
        shaped(Annotated[float, msgspec.Meta(ge=0)], float("nan"), "it")
