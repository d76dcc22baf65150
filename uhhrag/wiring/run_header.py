from __future__ import annotations

import platform
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from uhhrag.backends.cpu_features import processor
from uhhrag.config.settings import Settings
from uhhrag.evidence.context import Answers
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.system.checksums import sha256
from uhhrag.version import __version__
from uhhrag.voters.opening import Opened
from uhhrag.wiring import embedders, llms
from uhhrag.wiring.machine import Machine, kernel_choice
from uhhrag.wiring.rerankers import AuxiliaryModels
from uhhrag.wiring.verifiers import LoadedVerifier

_COUNTING = (
    *("llama-cpp-python", "sentence-transformers", "transformers", "torch", "onnxruntime"),
    "faiss-cpu",
)
"""Packages whose arithmetic affects results."""
_DECIDING = (
    *("approaches", "archive", "backends", "defaults.py", "evidence", "indexing", "pipeline.py"),
    *("prompts", "protocols.py", "records", "rules", "store", "text", "voters", "wiring"),
)
"""The code that decides a claim, which those who vary a system change; a program's own functions
have hashes in their names."""

_NUMBERS = (
    "and dates in one notation, of rows one by one, compared over rows and times, counted, in "
    "place of the claim's"
)
_LEADS = (
    "headings, lines above lists, questions and rows of notes marked with sentences, pronouns, "
    "found ones alone"
)
"""What is read before a sentence of documents."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunParts:
    recipe: IndexSettings
    passages: Mapping[str, str]
    llm: str
    """Fingerprint, or ""."""
    verifier: LoadedVerifier | None
    readers: AuxiliaryModels
    opened: Opened


def kind_of_machine() -> str:
    """Machines of one kind give the same bytes."""
    versions = _versions(("numpy", *_COUNTING))
    return f"{processor()} with {kernel_choice().fastest}; uhhrag {__version__}, {versions}"


def _versions(packages: Iterable[str]) -> str:
    """
    >>> _versions(["no-such-package"])
    ''
    """
    found = []
    for name in packages:
        with suppress(metadata.PackageNotFoundError):  # of an extra
            found.append(f"{name} {metadata.version(name)}")
    return ", ".join(found)


def header_of(settings: Settings, machine: Machine, parts: RunParts) -> dict[str, Any]:
    """The signature leaves out the passages, and the processor, which changes last digits."""
    model, verifier, recipe = parts.llm, parts.verifier, parts.recipe
    chosen = asdict(settings.choices) | {"granularity": str(settings.granularity)}
    chosen |= {} if model else {"llm": None}
    texts = dict(settings.templates.texts) if model else {}
    choices = llms.choices(model) or llms.choices(verifier.server if verifier else "")
    return {
        "signature": "|".join(f"{k}:{v}" for k, v in _signed(settings, machine, parts).items()),
        "uhhrag": __version__,
        "processor": processor(),
        "python": f"{platform.python_version()}, {_versions(['numpy'])}",
        "settings": {k: str(v) if isinstance(v, Path) else v for k, v in chosen.items()},
        "used": {"rule": settings.rule, "top": settings.top},
        "calibration": asdict(parts.opened.calibration),
        "index": asdict(recipe),
        "models": {
            recipe.embedder.name: recipe.embedder.fingerprint,
            **({settings.llm: model} if model else {}),
            **({"verifier": verifier.fingerprint} if verifier else {}),
        },
        **({"verifier": verifier.files} if verifier else {}),
        **({"choices": choices} if choices else {}),
        "prompts": {"hash": settings.templates.hash, "texts": texts},
        "passages": dict(parts.passages),
    }


def _signed(settings: Settings, machine: Machine, parts: RunParts) -> dict[str, str | int]:
    """What numbers depend on, in order, as in sacreBLEU."""
    recipe, model, opened, learned = parts.recipe, parts.llm, parts.opened, parts.opened.learned
    fitted, reader = opened.calibration, None if learned else opened.reader
    words = {**settings.words, **parts.readers.own_fingerprints}
    own = f"@{opened.fingerprint}"
    voter = f"{settings.voter.removesuffix(own)}{own}" if opened.fingerprint else ""
    voter += parts.verifier.numbers if parts.verifier else ""
    return {
        "approach": settings.approach,
        "verdict": settings.rule,
        "top": settings.top,
        **({"limits": str(settings.limits)} if settings.limits else {}),
        **({"abstain-below": f"{settings.abstain_below:g}"} if settings.abstain_below else {}),
        **({"options": ",".join(f"{k}={v}" for k, v in words.items())} if words else {}),
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
        **({"voter": voter} if voter else {}),
        **({"titles": "read"} if settings.titled else {}),
        **({"leads": _LEADS, "numbers": _NUMBERS} if settings.choices.documents else {}),
        **({"learned": f"{learned.field}@{sha256(repr(learned))[:8]}"} if learned else {}),
        **({"reader": sha256(repr(reader))[:8]} if reader else {}),
        **({"prompts": settings.templates.hash[:8]} if model else {}),
        **parts.readers.fingerprints,
        "with": _versions(_COUNTING),
        **machine.accelerators,
        "code": sha256(_deciding(Path(__file__).parents[1]))[:8],
        "version": __version__,
    }


@cache
def _deciding(package: Path) -> str:
    """All source of its `_DECIDING`, whatever its line ends; read once."""
    files = sorted(package.rglob("*.py"), key=Path.as_posix)
    ours = (file for file in files if file.relative_to(package).parts[0] in _DECIDING)
    return "".join(file.read_text(encoding="utf-8") for file in ours)
