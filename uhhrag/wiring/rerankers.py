"""Loads the models beside the LLM: cross-encoder, NLI model and those in own folders."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from uhhrag import models
from uhhrag.approaches.options import WriterFolder
from uhhrag.config.settings import Settings
from uhhrag.errors import ModelError
from uhhrag.prompts.templates import Prompts
from uhhrag.protocols import LLM, Classifier, Embedder, Entailment, Reranker, Tools, Writer
from uhhrag.records import Grade, Label
from uhhrag.rules.replies import as_grade, as_label
from uhhrag.wiring.loaded import Loaded, M
from uhhrag.wiring.machine import Machine


@dataclass(frozen=True, slots=True)
class AuxiliaryModels:
    """Models beside the LLM; own ones by the option that names their folder."""

    reranker: Loaded[Reranker] | None
    entailment: Loaded[Entailment] | None
    writers: Mapping[str, Loaded[Writer]]
    classifiers: Mapping[str, Loaded[Classifier]]

    @property
    def fingerprints(self) -> dict[str, str]:
        parts = {"reranker": self.reranker, "nli": self.entailment}
        return {name: part.fingerprint for name, part in parts.items() if part}

    @property
    def own_fingerprints(self) -> dict[str, str]:
        writers = {name: writer.fingerprint for name, writer in self.writers.items()}
        return writers | {name: one.fingerprint for name, one in self.classifiers.items()}

    def tools(self, embed: Embedder, llm: LLM | None, prompts: Prompts, *, mixed: bool) -> Tools:
        return Tools(
            embed=embed,
            llm=llm,
            prompts=prompts,
            reranker=self.reranker.model if self.reranker else None,
            entailment=self.entailment.model if self.entailment else None,
            writers={name: writer.model for name, writer in self.writers.items()},
            classifiers={name: one.model for name, one in self.classifiers.items()},
            mixed=mixed,
        )


def readers_of(settings: Settings, machine: Machine) -> AuxiliaryModels:
    """The cross-encoder only if the approach needs one."""
    reranker = entailment = None
    if settings.parts.approach.reranker:
        reranker = load_reranker(settings.reranker, machine)
    if settings.nli:
        from uhhrag.backends import nli

        entailment = _of_folder(nli.load, settings.nli)
    writers: dict[str, Loaded[Writer]] = {}
    classifiers: dict[str, Loaded[Classifier]] = {}
    if settings.folders:
        from uhhrag.backends import transformers_models
    for name, folder in settings.folders.items():
        if isinstance(folder, WriterFolder):
            writers[name] = _of_folder(transformers_models.load_writer, Path(folder))
        else:
            classifier = _of_folder(transformers_models.load_classifier, Path(folder))
            _require_known_classes(classifier.model, folder)
            classifiers[name] = classifier
    return AuxiliaryModels(reranker, entailment, writers, classifiers)


def require_device(device: str) -> None:
    """Raises UsageError for an unknown one, ModelError for an absent GPU."""
    if device != "cpu":
        from uhhrag.backends import transformers_models

        transformers_models.require_device(device)


def load_reranker(name: str, machine: Machine) -> Loaded[Reranker]:
    from uhhrag.backends import cross_encoder

    folder = models.path(name)
    fingerprint = models.fingerprint_of(folder, models.verify(name))
    return Loaded(cross_encoder.load(folder, machine.cores), _short(folder, fingerprint))


def _of_folder(opened: Callable[[Path], M], folder: Path) -> Loaded[M]:
    return Loaded(opened(folder), _short(folder, models.fingerprint(folder)))


def _short(folder: Path, fingerprint: str) -> str:
    return f"{folder.name}@{fingerprint[:8]}"


def _require_known_classes(classify: Classifier, folder: str) -> None:
    for name in classify(["one text"])[0]:
        if not (as_grade(name) or as_label(name)):
            raise ModelError(
                f"{folder}: its class {name!r} is neither a label nor a grade; name its classes in "
                f"id2label of config.json: {', '.join(Label)}, or {', '.join(Grade)}"
            )
