"""Models beside the LLM: cross-encoder, NLI model, and those in own folders."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from uhhrag import models
from uhhrag.approaches.options import ClassifierFolder, WriterFolder, folders
from uhhrag.config.settings import Settings
from uhhrag.errors import ModelError
from uhhrag.prompts.templates import Prompts
from uhhrag.protocols import LLM, Classifier, Embedder, Entailment, Reranker, Tools, Writer
from uhhrag.records import Grade, Label
from uhhrag.rules.replies import as_grade, as_label
from uhhrag.wiring.loaded import Loaded
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
        """Of cross-encoder and NLI model, by part."""
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
    """A run's models beside the LLM, loaded."""
    reranker, entailment = load_readers(settings, machine)
    writers, classifiers = _load_own(settings)
    return AuxiliaryModels(reranker, entailment, writers, classifiers)


def load_readers(
    settings: Settings, machine: Machine
) -> tuple[Loaded[Reranker] | None, Loaded[Entailment] | None]:
    """The cross-encoder if the approach needs one, and the NLI model if given."""
    reranker = entailment = None
    if settings.parts.approach.reranker:
        reranker = load_reranker(settings.reranker, machine)
    if settings.nli:
        from uhhrag.backends import nli

        entails = nli.load(settings.nli)
        entailment = Loaded(entails, _short(settings.nli, models.fingerprint(settings.nli)))
    return reranker, entailment


def load_reranker(name: str, machine: Machine) -> Loaded[Reranker]:
    """By name or folder. Raises ModelError if missing or damaged."""
    from uhhrag.backends import cross_encoder

    folder = models.path(name)
    fingerprint = models.fingerprint_of(folder, models.verify(name))
    return Loaded(cross_encoder.load(folder, machine.cores), _short(folder, fingerprint))


def _load_own(
    settings: Settings,
) -> tuple[dict[str, Loaded[Writer]], dict[str, Loaded[Classifier]]]:
    """The models in folders that options name, by option."""
    writers: dict[str, Loaded[Writer]] = {}
    classifiers: dict[str, Loaded[Classifier]] = {}
    own_folders = folders(settings.options)
    if own_folders:
        from uhhrag.backends import transformers_models
    for name, named in own_folders.items():
        folder = Path(named)
        if isinstance(named, WriterFolder):
            writer = transformers_models.load_writer(folder)
            writers[name] = Loaded(writer, _short(folder, models.fingerprint(folder)))
        elif isinstance(named, ClassifierFolder):
            classify = _known_classes(transformers_models.load_classifier(folder), named)
            classifiers[name] = Loaded(classify, _short(folder, models.fingerprint(folder)))
    return writers, classifiers


def _short(folder: Path, fingerprint: str) -> str:
    return f"{folder.name}@{fingerprint[:8]}"


def _known_classes(classify: Classifier, folder: str) -> Classifier:
    """Raises ModelError for a class that is no label or grade."""
    for name in classify(["one text"])[0]:
        if not (as_grade(name) or as_label(name)):
            raise ModelError(
                f"{folder}: its class {name!r} is neither a label nor a grade; name its classes in "
                f"id2label of config.json: {', '.join(Label)}, or {', '.join(Grade)}"
            )
    return classify
