"""A paper's system as a TOML file; options take precedence."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from uhhrag.approaches.options import as_word
from uhhrag.errors import InputError, UsageError
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import meant

_OptionValue: Any = str | int | float | bool
_SHIPPED = Path(__file__).parent / "recipes"


@dataclass(frozen=True, slots=True)
class Models:
    """Names or paths."""

    llm: str | None = None
    reranker: str | None = None
    embedder: str | None = None
    """for building the index"""


@dataclass(frozen=True, slots=True)
class Recipe:
    """None and empty leave the default."""

    name: str
    paper: str = ""
    approach: str | None = None
    rule: str | None = None
    top_n: int | None = None
    questions: str | None = None
    answers: str | None = None
    decoding: str | None = None
    granularity: str | None = None
    voter: str | None = None
    before: str | None = None
    exclude_sites: str | None = None
    undated: bool | None = None
    prompts: str | None = None
    set: Mapping[str, Any] = field(default_factory=dict)
    """options of the approach"""
    models: Models = field(default_factory=Models)

    def values(self) -> dict[str, Any]:
        own = ("name", "paper", "set", "models")
        values = {f.name: getattr(self, f.name) for f in fields(self) if f.name not in own}
        values |= {"llm": self.models.llm, "reranker": self.models.reranker}
        return {name: value for name, value in values.items() if value is not None}


def words_of(options: Mapping[str, Any]) -> tuple[str, ...]:
    """
    >>> words_of({"hits": 3, "metadata": False})
    ('hits=3', 'metadata=no')
    """
    return tuple(f"{name}={as_word(value)}" for name, value in options.items())


def names() -> list[str]:
    return sorted(path.stem for path in _SHIPPED.glob("*.toml"))


def read_recipe(name: str) -> Recipe:
    """Shipped, or a .toml file with `prompts` beside it. Raises UsageError or InputError."""
    own = name.endswith(".toml")
    if not own and name not in names():
        raise UsageError(
            f"--recipe {name} is unknown; it is one of: {', '.join(names())}, or a .toml file"
        )
    path = Path(name) if own else _SHIPPED / f"{name}.toml"
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError) as error:  # ValueError: also a number too long
        why = getattr(error, "strerror", None) or error
        raise InputError(
            f"--recipe {name}: cannot be read ({why}); give a TOML file, or one of: "
            f"{', '.join(names())}"
        ) from error
    recipe = _recipe(content, name)
    return replace(recipe, prompts=recipe.prompts and str(path.parent / recipe.prompts))


def _recipe(content: dict[str, Any], name: str) -> Recipe:
    _require_known(content, _keys(Recipe) - {"name"}, f"--recipe {name}:")
    if isinstance(models := content.get("models"), dict):
        _require_known(models, _keys(Models), f"--recipe {name}: [models]")
    try:
        recipe = shaped(Recipe, {**content, "name": name}, f"--recipe {name}")
        for key, value in recipe.set.items():  # one by one, so that a fault names the key
            shaped(_OptionValue, value, f"--recipe {name}, [set] {key}")
    except TypeError as error:
        raise InputError(str(error)) from error
    return recipe


def _require_known(content: Mapping[str, object], known: Collection[str], location: str) -> None:
    if unknown := [key for key in content if key not in known]:
        key = unknown[0]
        hint = f"is [models] {key} meant? " if key in _keys(Models) else meant(key, known)
        raise InputError(
            f"{location} has the unknown key {key}; {hint}it can have: {', '.join(sorted(known))}"
        )


def _keys(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))
