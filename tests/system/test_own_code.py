"""A function's hash changes with what it does, and with nothing else."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from datetime import date
from functools import cache, partial

import numpy as np
import pytest

from uhhrag.system import own_code
from uhhrag.system.own_code import Untold, code_hash
from uhhrag.workflows.observer import by_callback

LIMIT = 3
WORDS = re.compile("a+")


@dataclass(frozen=True)
class Settings:
    limit: int


SETTINGS = Settings(3)


def inner(value: int) -> int:
    return value + LIMIT


def outer(value: int, more: frozenset = frozenset({"a", "b"})) -> bool:
    return bool(WORDS.match("a")) and inner(value) < SETTINGS.limit and "x" in more


def closing(over: object):
    def closed() -> object:
        return over

    return closed


class Counting:
    def __call__(self, votes: object) -> int:
        return LIMIT

    @staticmethod
    def other() -> object:
        return WORDS


def by_class(votes: object) -> object:
    return Counting()(votes)


def recursive(n: int) -> int:
    return recursive(n - 1) if n else 0


def scored(votes: object, least: int = 1) -> bool:
    return inner(least) > LIMIT


@cache
def cached(value: int) -> int:
    return inner(value)


@dataclass(frozen=True)
class Least:
    least: int

    def __call__(self, votes: object) -> int:
        return cached(self.least)

    def rule(self, votes: object) -> int:
        return self.least


def test_a_hash_is_the_same_each_time():
    assert code_hash(outer) == code_hash(outer)
    assert code_hash(closing(1)) == code_hash(closing(1))
    assert len({code_hash(f) for f in (outer, inner, recursive, closing(1), closing(2))}) == 5


@pytest.mark.parametrize(
    ("name", "value"),
    [("LIMIT", 4), ("WORDS", re.compile("b+")), ("SETTINGS", Settings(4)), ("inner", recursive)],
)
def test_what_a_function_uses_counts(monkeypatch, name, value):
    before = code_hash(outer)
    monkeypatch.setitem(globals(), name, value)
    assert code_hash(outer) != before


@pytest.mark.parametrize(("name", "value"), [("LIMIT", 4), ("WORDS", re.compile("b+"))])
def test_what_the_methods_of_a_class_use_counts(monkeypatch, name, value):
    before = code_hash(by_class)
    monkeypatch.setitem(globals(), name, value)
    assert code_hash(by_class) != before


def test_defaults_count(monkeypatch):
    before = code_hash(outer)
    monkeypatch.setattr(outer, "__defaults__", (frozenset({"a", "c"}),))
    assert code_hash(outer) != before


@pytest.mark.parametrize("over", [object(), iter([1]), {"a": object()}, np.array([[]], object)])
def test_an_object_that_says_nothing_of_itself_is_named(over):
    with pytest.raises(Untold, match="nobody can tell whether over"):
        code_hash(closing(over))


def test_a_callable_counts_with_what_it_holds():
    made = (
        *(partial(scored, least=n) for n in (2, 3)),
        *(Least(n) for n in (2, 3)),
        *(Least(n).rule for n in (2, 3)),
        cached,
    )
    assert [code_hash(one) for one in made] == [code_hash(one) for one in made]
    assert len({code_hash(one) for one in made}) == len(made)


@pytest.mark.parametrize("values", [(np.arange(3), np.arange(4)), (date(2020, 1, 1), date.max)])
def test_constants_of_a_program_count_by_value(values):
    one, other = values
    assert code_hash(closing(one)) == code_hash(closing(one)) != code_hash(closing(other))


def test_what_a_program_logs_does_not_count():
    log = logging.getLogger("own")
    before = code_hash(closing(log))
    log.setLevel(logging.DEBUG)
    assert code_hash(closing(log)) == before


def test_what_a_function_made_by_an_installed_package_holds_counts():
    one, other = (closing(by_callback(partial(scored, least=n))) for n in (2, 3))
    assert code_hash(one) == code_hash(one) != code_hash(other)


def test_functions_of_installed_packages_count_by_name():
    assert code_hash(closing(re.compile)) == code_hash(closing(re.compile))
    assert code_hash(closing(re.compile)) != code_hash(closing(re.match))
    assert code_hash(closing(own_code)) != code_hash(closing(re))
