"""A run folder's header, and the signature of its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

from uhhrag.approaches.options import as_words
from uhhrag.backends.cpu_features import processor
from uhhrag.config.settings import Settings, signature
from uhhrag.evidence.context import Answers
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.prompts.templates import Prompts
from uhhrag.version import __version__
from uhhrag.voters.calibration import Calibration
from uhhrag.wiring import embedders, llms
from uhhrag.wiring.loaded import Fingerprints
from uhhrag.wiring.machine import Machine, accelerators, kernel_choice

_COUNTING = ("llama-cpp-python", "sentence-transformers", "torch", "faiss-cpu")
"""Packages whose arithmetic affects results."""


def kind_of_machine() -> str:
    """What last digits depend on; machines of one kind give the same bytes."""
    versions = _versions(("numpy", *_COUNTING))
    return f"{processor()} with {kernel_choice().fastest}; uhhrag {__version__}, {versions}"


def _versions(packages: Iterable[str]) -> str:
    """The installed packages with their versions.

    >>> _versions(["no-such-package"])
    ''
    """
    found = []
    for name in packages:
        with suppress(metadata.PackageNotFoundError):  # of an extra
            found.append(f"{name} {metadata.version(name)}")
    return ", ".join(found)


def header_of(
    settings: Settings,
    machine: Machine,
    prompts: Prompts,
    fitted: Calibration,
    recipe: IndexSettings,
    fingerprints: Fingerprints,
) -> dict[str, Any]:
    """A run folder's header.

    Its signature has all that changes a number, except the store, which `Wired.header` adds, and
    the `processor`, which changes last digits."""
    model, verifier = fingerprints.llm, fingerprints.verifier
    parts = _parts(settings, machine, prompts, fitted, recipe, fingerprints)
    chosen = asdict(settings.choices) | {"granularity": str(settings.granularity)}
    return {
        "signature": signature(parts),
        "uhhrag": __version__,
        "processor": processor(),
        "settings": {k: str(v) if isinstance(v, Path) else v for k, v in chosen.items()},
        "calibration": asdict(fitted),
        "index": asdict(recipe),
        "models": {
            recipe.embedder.name: recipe.embedder.fingerprint,
            **({settings.llm: model} if model else {}),
            **({"verifier": verifier} if verifier else {}),
        },
        **({"choices": choices} if (choices := llms.choices(model)) else {}),
        "prompts": {"hash": prompts.hash, "texts": dict(prompts.texts)},
    }


def _parts(
    settings: Settings,
    machine: Machine,
    prompts: Prompts,
    fitted: Calibration,
    recipe: IndexSettings,
    fingerprints: Fingerprints,
) -> dict[str, str | int]:
    """The signature's parts, in order."""
    model = fingerprints.llm
    words = as_words(settings.options, fingerprints.options)
    return {
        "approach": settings.approach,
        "verdict": settings.rule,
        "top": settings.top,
        **({"limits": str(settings.limits)} if settings.limits else {}),
        **({"abstain-below": f"{settings.abstain_below:g}"} if settings.abstain_below else {}),
        **({"options": words} if words else {}),
        **({"granularity": str(settings.granularity)} if settings.granularity else {}),
        **({"nearest": str(settings.nearest)} if settings.nearest else {}),
        "questions": settings.questions,
        **({"answers": settings.answers} if settings.answers is not Answers.SENTENCE else {}),
        "decoding": settings.decoding,
        "calibration": f"{fitted.scale:.4g}" + "".join(f"{b:+.4g}" for b in fitted.bias),
        "pool": recipe.pool,
        "unique": "yes" if recipe.unique else "no",
        "prefilter": recipe.prefilter,
        **({"patience": recipe.patience} if recipe.patience else {}),
        **({"order": f"BM25 and {recipe.order}"} if recipe.order else {}),
        "embedder": embedders.embedder_fingerprint(recipe.embedder),
        **({"llm": llms.llm_fingerprint(settings.llm, model)} if model else {}),
        **({"voter": fingerprints.voter} if fingerprints.voter else {}),
        **({"titles": "read"} if settings.titled else {}),
        **({"leads": "headings, sentences before pronouns"} if settings.choices.documents else {}),
        **({"learned": fingerprints.learned} if fingerprints.learned else {}),
        **({"reader": fingerprints.reader} if fingerprints.reader else {}),
        "prompts": prompts.hash[:8],
        **fingerprints.readers,
        "with": _versions(_COUNTING),
        **accelerators(machine),
    }
