"""Loads models beside the LLM: cross-encoder, NLI model and those in own folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from uhhrag import models
from uhhrag.approaches.options import WriterFolder
from uhhrag.config.choices import Questions
from uhhrag.config.settings import Settings
from uhhrag.errors import ModelError
from uhhrag.protocols import Classifier, Embedder, Entailment, Reranker, Tools, Writer
from uhhrag.records import Grade, Label
from uhhrag.rules.replies import as_grade, as_label
from uhhrag.wiring.machine import Loaded, Machine


@dataclass(frozen=True, slots=True)
class AuxiliaryModels:
    tools: Tools
    """Without the LLM."""
    fingerprints: Mapping[str, str]
    own_fingerprints: Mapping[str, str]
    """By the option that names the folder."""


def readers_of(settings: Settings, machine: Machine, embed: Embedder) -> AuxiliaryModels:
    """The cross-encoder only if the approach needs one."""
    known, own = {}, {}
    reranker: Reranker | None = None
    if settings.parts.approach.reranker:
        loaded = load_reranker(settings.reranker, machine)
        reranker, known["reranker"] = loaded.model, loaded.fingerprint
    entailment: Entailment | None = None
    if settings.nli:
        from uhhrag.backends import nli

        entailment = nli.load(settings.nli)
        known["nli"] = _short(settings.nli, models.fingerprint(settings.nli))
    writers: dict[str, Writer] = {}
    classifiers: dict[str, Classifier] = {}
    for name, folder in settings.folders.items():
        from uhhrag.backends import transformers_models

        if isinstance(folder, WriterFolder):
            writers[name] = transformers_models.load_writer(Path(folder))
        else:
            classifiers[name] = transformers_models.load_classifier(Path(folder))
            _require_known_classes(classifiers[name], folder)
        own[name] = _short(Path(folder), models.fingerprint(Path(folder)))
    tools = Tools(
        embed=embed,
        llm=None,
        prompts=settings.templates,
        reranker=reranker,
        entailment=entailment,
        writers=writers,
        classifiers=classifiers,
        mixed=settings.questions is Questions.MIXED,
    )
    return AuxiliaryModels(tools, known, own)


def require_device(device: str) -> None:
    """Raises UsageError if unknown, ModelError for an absent GPU."""
    if device != "cpu":
        from uhhrag.backends import transformers_models

        transformers_models.require_device(device)


def load_reranker(name: str, machine: Machine) -> Loaded[Reranker]:
    from uhhrag.backends import cross_encoder

    folder = models.path(name)
    fingerprint = models.fingerprint_of(folder, models.verify(name))
    return Loaded(cross_encoder.load(folder, machine.cores), _short(folder, fingerprint))


def _short(folder: Path, fingerprint: str) -> str:
    return f"{folder.name}@{fingerprint[:8]}"


def _require_known_classes(classify: Classifier, folder: str) -> None:
    for name in classify(["one text"])[0]:
        if not (as_grade(name) or as_label(name)):
            raise ModelError(
                f"{folder}: its class {name!r} is neither a label nor a grade; name its classes in "
                f"id2label of config.json: {', '.join(Label)}, or {', '.join(Grade)}"
            )
