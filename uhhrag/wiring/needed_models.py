"""The models a check needs."""

from __future__ import annotations

from uhhrag import defaults
from uhhrag.config.settings import Settings
from uhhrag.models import MODELS, Model
from uhhrag.wiring.loaded import NOTHING_GIVEN, Given
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.verifiers import SHIPPED, base_name


def needed_models(
    settings: Settings, machine: Machine, given: Given = NOTHING_GIVEN
) -> tuple[Model, ...]:
    """For a user's documents, except given models and folders."""
    names = ["nltk-data"]
    if not given.embedder:
        names.append(machine.embedder or defaults.EMBEDDER)
    if settings.parts.voter.verifier:
        names.append(base_name(settings.verifier or SHIPPED))
    if settings.needs_llm and not given.llm:
        names.append(settings.llm)
    if settings.parts.approach.reranker:
        names.append(str(settings.reranker))
    return tuple(MODELS[name] for name in dict.fromkeys(names) if name in MODELS)
