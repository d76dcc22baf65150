"""The models that read beside the LLM: cross-encoder, NLI model, and a user's own folders."""

from __future__ import annotations

from pathlib import Path

from uhhrag import models
from uhhrag.approaches import APPROACHES
from uhhrag.approaches.options import ClassifierFolder, WriterFolder, folders
from uhhrag.config.settings import Settings
from uhhrag.errors import ModelError
from uhhrag.protocols import Classifier, Entailment, Reranker, Writer
from uhhrag.records import Grade, Label
from uhhrag.verdict.replies import as_grade, as_label
from uhhrag.wiring.machine import Machine


def load_readers(settings: Settings, machine: Machine) -> tuple[Reranker | None, Entailment | None]:
    """The cross-encoder, where the approach needs one, and the NLI model, where one is given."""
    from uhhrag.backends import cross_encoder, nli

    reranker = None
    if APPROACHES[settings.approach].reranker:
        models.verify(settings.reranker)
        reranker = cross_encoder.load(models.path(settings.reranker), machine.cores)
    return reranker, nli.load(settings.nli) if settings.nli else None


def load_own(settings: Settings) -> tuple[dict[str, Writer], dict[str, Classifier]]:
    """The models in folders that the approach's own options name."""
    from uhhrag.backends import transformers_models

    named = folders(settings.options).items()
    writers = {
        name: transformers_models.load_writer(Path(f))
        for name, f in named
        if isinstance(f, WriterFolder)
    }
    classifiers = {
        name: _known_classes(transformers_models.load_classifier(Path(f)), f)
        for name, f in named
        if isinstance(f, ClassifierFolder)
    }
    return writers, classifiers


def _known_classes(classify: Classifier, folder: str) -> Classifier:
    """The same. Raises ModelError where a class is no label and no grade."""
    for name in classify(["one text"])[0]:
        if not (as_grade(name) or as_label(name)):
            raise ModelError(
                f"{folder}: its class {name!r} is no label and no grade; name its classes in "
                f"id2label of config.json: {', '.join(Label)}, or {', '.join(Grade)}"
            )
    return classify


def own_fingerprints(settings: Settings) -> dict[str, str]:
    """What a signature says of them, by option."""
    named = {name: Path(folder) for name, folder in folders(settings.options).items()}
    return {name: f"{path.name}@{models.fingerprint(path)[:8]}" for name, path in named.items()}


def reader_fingerprints(settings: Settings) -> dict[str, str]:
    """What a signature says of the cross-encoder and the NLI model."""
    prints = {}
    if APPROACHES[settings.approach].reranker:
        folder = models.path(settings.reranker)
        prints["reranker"] = f"{folder.name}@{models.fingerprint(folder)[:8]}"
    if settings.nli:
        prints["nli"] = f"{settings.nli.name}@{models.fingerprint(settings.nli)[:8]}"
    return prints
