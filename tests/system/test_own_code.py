"""A function's hash changes with what it does, and with nothing else."""

from __future__ import annotations

import importlib
import logging
import re
import sys
from dataclasses import dataclass
from datetime import date
from functools import cache, partial
from pathlib import Path

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


OWN_FILES = {
    "own_first.py": "import own_second",
    "own_second.py": "def later():\n    from own_third import side",
    "own_third.py": "import own_pack.inner",
    "own_pack/__init__.py": "",
    "own_pack/inner.py": "from . import beside",
    "own_pack/beside.py": "side = 1",
    "own_folder/deep.py": "side = 1",
    "own_unused.py": "side = 1",
}


@pytest.fixture
def own_files(tmp_path, monkeypatch):
    for name, text in OWN_FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    yield tmp_path
    for name in [name for name in sys.modules if name.startswith("own_")]:
        del sys.modules[name]


def importing_late(votes: object) -> object:
    from own_first import own_second

    return own_second


def importing_dotted(votes: object) -> object:
    import own_folder.deep

    return own_folder.deep.side


def seen_by(files: Path, function: object) -> set[str]:
    """The files a change of which changes the function's hash."""
    before, found = code_hash(function), set()
    for name, text in OWN_FILES.items():
        (files / name).write_text(text + "\nmore = 1")
        if code_hash(function) != before:
            found.add(name)
        (files / name).write_text(text)
    return found


def test_own_modules_count_with_all_that_they_import_now_or_later(own_files):
    reached = OWN_FILES.keys() - {"own_folder/deep.py", "own_unused.py"}
    assert seen_by(own_files, importing_late) == reached
    assert seen_by(own_files, importing_dotted) == {"own_folder/deep.py"}
    assert not [name for name in sys.modules if name.startswith("own_")]
    assert seen_by(own_files, closing(importlib.import_module("own_first"))) == reached


@pytest.mark.parametrize("held", ["a global", "in a closure"])
def test_a_module_that_is_named_within_its_package_counts(own_files, monkeypatch, held):
    package = importlib.import_module("own_pack.inner") and sys.modules["own_pack"]

    def named(votes: object) -> object:
        return package.inner

    def by_global(votes: object) -> object:
        return own_pack.inner  # noqa: F821 - it is set here

    monkeypatch.setitem(globals(), "own_pack", package)
    found = seen_by(own_files, by_global if held == "a global" else named)
    assert found == {"own_pack/__init__.py", "own_pack/inner.py", "own_pack/beside.py"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("import importlib\nimportlib.import_module('x')", r"which module own_first\.py imports"),
        ("def (", "the source of own_first cannot be read"),
    ],
)
def test_a_module_whose_imports_cannot_be_told_is_named(own_files, text, told):
    (own_files / "own_first.py").write_text(text)
    with pytest.raises(Untold, match=told):
        code_hash(importing_late)


def test_a_file_is_not_installed_because_its_name_begins_as_the_packages():
    beside = Path(own_code.__file__).parents[1]
    assert own_code._is_made(str(beside / "rules/rules.py"))
    assert not own_code._is_made(f"{beside}_mine.py")
    assert own_code._is_made("/usr/lib/python3/dist-packages/numpy/__init__.py")
