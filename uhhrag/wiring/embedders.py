from __future__ import annotations

from contextlib import suppress
from importlib.metadata import version
from pathlib import Path

from uhhrag import defaults, models
from uhhrag.backends import sentence_transformer, static_vectors, vector_cache
from uhhrag.backends.lazy import Lazy
from uhhrag.backends.vector_cache import memoised
from uhhrag.errors import ModelError
from uhhrag.indexing.candidates import STATIC
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.protocols import Embedder
from uhhrag.system.address_space import MODELS, require_address_space
from uhhrag.system.checksums import short
from uhhrag.version import __version__
from uhhrag.wiring.machine import CALLABLE, Loaded, Machine

_MODELS = Path(__file__).parents[1] / "models"


def embedder_of(known: EmbedderId, machine: Machine) -> tuple[Embedder, EmbedderId]:
    """As `load_known`, lazily if its files are unchanged."""
    name = machine.embedder or known.name
    with suppress(ModelError):  # loading says why
        unchanged = models.fingerprint(models.path(name)) == known.fingerprint
        if unchanged and not machine.own_embedder:
            if machine.device == "cpu":
                sentence_transformer.hold_to(str(known.precision))
            return Lazy(lambda: load_known(known, machine)[0]), known
    return load_known(known, machine)


def load_known(
    known: EmbedderId, machine: Machine, memory: Path | None = None
) -> tuple[Embedder, EmbedderId]:
    """The embedder asked for, else `known`. Raises ModelError if missing."""
    asked = machine.own_embedder or machine.embedder
    try:
        return load_embedder(asked or known.name, machine.device, memory, known.precision)
    except ModelError as error:
        if asked or known.name in models.MODELS or Path(known.name).exists():
            raise
        raise ModelError(
            f"the vectors were made by an embedder from a folder '{known.name}'; name that folder "
            "here too: --embedder FOLDER"
        ) from error


def store_embedder(machine: Machine, memory: Path | None) -> tuple[Embedder, EmbedderId]:
    name = machine.own_embedder or machine.embedder or defaults.EMBEDDER
    return load_embedder(name, machine.device, memory)


make_file_to_share = vector_cache.make
"""Call before sharing: SQLite does not wait for two makers."""


def sharing(embed: Embedder, identity: EmbedderId, file: Path) -> Embedder:
    """Shares vectors with other processes through `file`."""
    return vector_cache.cached(embed, str(identity), file, vector_cache.LIMIT)


def load_embedder(
    given: str | Loaded[Embedder],
    device: str = "cpu",
    memory: Path | None = None,
    precision: Precision | None = None,
) -> tuple[Embedder, EmbedderId]:
    """`memory` is a file of kept vectors; `precision` None: the fastest measured here."""
    if isinstance(given, Loaded):
        dimension = given.model(["one text"]).shape[1]
        return memoised(given.model), EmbedderId(CALLABLE, dimension, given.fingerprint)
    require_address_space(MODELS, "an embedder")
    folder = models.path(given)
    fingerprint = models.fingerprint_of(folder, models.verify(given))
    if precision is None:
        precision = Precision(sentence_transformer.fastest_numbers(folder, device))
    embed = sentence_transformer.load(folder, device, models.trusts_code(given), precision)
    dimension = embed(["one text"]).shape[1]
    if memory:
        by = f"torch {version('torch')} on {device}"
        made_by = f"{fingerprint} {precision} uhhrag {__version__} {by}"
        embed = vector_cache.cached(embed, made_by, memory)
    return memoised(embed), EmbedderId(folder.name, dimension, fingerprint, precision)


def load_static(given: str | Loaded[Embedder], identity: EmbedderId) -> Loaded[Embedder] | None:
    """The trained table, else word embeddings, else None."""
    if isinstance(given, Loaded):
        return None
    with suppress(ModelError):
        folder = models.path(given)
        if models.fingerprint(folder) != identity.fingerprint:
            return None
        table = trained_table(identity)
        if table and (embed := static_vectors.of_table(table, folder)):
            return Loaded(embed, f"{STATIC} {models.fingerprint(table)[:8]}")
        if embed := static_vectors.of_words(folder):
            return Loaded(embed, STATIC)
    return None


def beside(machine: Machine) -> Embedder | None:
    """Static vectors to search beside the embedder's."""
    if machine.own_embedder:
        return None
    name = machine.embedder or defaults.EMBEDDER
    with suppress(ModelError):
        identity = EmbedderId(name, 0, models.fingerprint(models.path(name)))
        static = load_static(name, identity)
        return static.model if static else None
    return None


def trained_table(identity: EmbedderId) -> Path | None:
    tables = sorted(_MODELS.glob(f"static-*/{static_vectors.TABLE}"))
    of = (table for table in tables if static_vectors.model_of(table) == identity.fingerprint)
    return next(of, None)


def embedder_fingerprint(embedder: EmbedderId) -> str:
    """For a signature: name@hash, and the precision unless float32."""
    other = "" if embedder.precision is Precision.FP32 else f"-{embedder.precision}"
    return f"{embedder.name}@{short(embedder.fingerprint)}{other}"
