"""Spreads work on claims, and the embedding of archives, over a Ray cluster. Workers must have the
driver's models; only the driver writes. Claim files are sent only where missing."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag.archive.embedding import EmbedAll
from uhhrag.config.settings import Settings
from uhhrag.errors import IndexFault, InputError, ModelError, RunError, UhhragError, reason_of
from uhhrag.indexing import index_folder
from uhhrag.indexing.build import Made
from uhhrag.indexing.candidates import BuiltClaim, PagesFor, build_claim, find, in_store
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.indexing.index_folder import ClaimManifest, Header, Index, IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Failure, Page
from uhhrag.runs.predict import Attempt, Deciding, append_attempts, attempt
from uhhrag.runs.run_folder import RunFolder
from uhhrag.runs.signatures import difference
from uhhrag.runs.trace import Record
from uhhrag.store.claim_files import open_claim_file
from uhhrag.store.knowledge_store import Skipped, pages_in
from uhhrag.system.ray_cluster import ClusterAddress, WorkerResources
from uhhrag.system.ray_workers import RayWork, spread_on_ray
from uhhrag.system.spare import spare_folder
from uhhrag.wiring import embedders, nltk_data
from uhhrag.wiring.machine import Loaded, Machine
from uhhrag.wiring.pipeline import wire
from uhhrag.wiring.run_header import kind_of_machine

Texts = tuple[str, ...]
Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ClaimToDecide:
    manifest: ClaimManifest
    origin: Record
    files: Mapping[str, bytes] | None = None
    """Those of its index, if sent."""


@dataclass(frozen=True, slots=True)
class DecidingWorkers:
    settings: Settings
    machine: Machine
    folder: Path
    header: Header
    signature: str
    """Workers must have it too."""
    kind: str
    """The driver's: another processor gives other last digits."""

    def __call__(self, number: int, cores: int) -> Callable[[ClaimToDecide], Attempt | None]:
        require_kind(self.kind)
        servers = (self.settings.llm, *self.machine.servers)
        settings = replace(self.settings, llm=servers[number % len(servers)])
        machine = replace(self.machine, servers=(), threads=cores, cache=False)
        read: dict[int, Callable[[], ClaimIndex]] = {}
        index = Index(self.folder, self.header, ())
        wired = wire(settings, machine, index, lambda claim: read[claim.id]())
        if wired.header["signature"] != self.signature:
            other = difference(wired.header["signature"], {"signature": self.signature})
            raise ModelError(f"its models or packages are others than the driver's: {other}")
        wired.load()

        def work(item: ClaimToDecide) -> Attempt | None:
            claim = item.manifest.claim
            read.clear()
            try:
                files = item.files or index_folder.files_of(self.folder, item.manifest)
            except IndexFault:
                return None
            read[claim.id] = partial(index_folder.parsed, self.folder, item.manifest, files)
            return attempt(claim, wired.deciders[0], item.origin)

        return work


def decide_on_ray(
    address: ClusterAddress,
    settings: Settings,
    machine: Machine,
    index: Index,
    run: RunFolder,
    claims: Iterable[Claim],
) -> Deciding:
    """As `runs.predict.predict`."""
    manifests = {manifest.claim.id: manifest for manifest in index.manifests}

    def send(item: ClaimToDecide) -> ClaimToDecide:
        return replace(item, files=index_folder.files_of(index.folder, item.manifest))

    prepare = DecidingWorkers(
        settings,
        machine,
        index.folder.absolute(),
        index.header,
        run.header["signature"],
        kind_of_machine(),
    )
    work: RayWork[ClaimToDecide, Attempt] = RayWork(
        prepare=prepare,
        send=send,
        give_up=lambda item, reason: Failure(item.manifest.claim, reason),
    )
    gpu = machine.device != "cpu" or machine.gpu_layers != 0
    needs = WorkerResources(machine.threads, gpu)
    items = (ClaimToDecide(manifests[claim.id], run.origin(claim.id)) for claim in claims)
    with contextlib.closing(spread_on_ray(address, needs, work, items)) as attempts:
        yield from append_attempts(run, attempts)


@dataclass(frozen=True, slots=True)
class ClaimToIndex:
    claim: Claim
    name: str = ""
    content: bytes | None = None
    """The claim's file, if sent."""

    def pages(self, store: Path) -> PagesFor:
        content = self.content
        if content is None:
            return in_store(store)

        def sent(claim: Claim) -> Iterator[Page | Skipped]:
            stream = io.BufferedReader(io.BytesIO(content))
            return pages_in(stream, self.name, store, claim.id)

        return sent


@dataclass(frozen=True, slots=True)
class IndexingWorkers:
    store: Path
    """At the same path everywhere."""
    recipe: IndexSettings
    embedder: str | Loaded[Embedder]
    device: str
    kind: str
    shared: Path | None

    def __call__(
        self, number: int, cores: int
    ) -> Callable[[ClaimToIndex], BuiltClaim | Failure | None]:
        require_kind(self.kind)
        nltk_data.load_nltk_data()
        wanted = self.recipe.embedder
        embed = same_embedder(self.embedder, self.device, wanted)
        if self.shared:
            embed = embedders.sharing(embed, wanted, self.shared)
        static = same_static(self.embedder, self.recipe)

        def work(item: ClaimToIndex) -> BuiltClaim | Failure | None:
            try:
                candidates = find(item.claim, item.pages(self.store), self.recipe)
                return build_claim(candidates, self.recipe, embed, static)
            except InputError as error:
                return None if item.content is None else Failure(item.claim, str(error))
            except (UhhragError, OSError):
                raise
            except Exception as error:  # noqa: BLE001 - one claim's failure must not end the others
                return Failure(item.claim, reason_of(error))

        return work


def index_on_ray(
    address: ClusterAddress,
    store: Path,
    recipe: IndexSettings,
    embedder: str | Loaded[Embedder],
    device: str,
) -> Callable[[Iterable[Claim]], Made]:
    """In the claims' order; the caller writes them."""

    def send(item: ClaimToIndex) -> ClaimToIndex:
        with open_claim_file(store, item.claim.id) as (stream, name):
            return replace(item, name=name, content=stream.read())

    def made(claims: Iterable[Claim]) -> Generator[BuiltClaim | Failure, None, None]:
        with _shared_vectors(address) as shared:
            work: RayWork[ClaimToIndex, BuiltClaim | Failure] = RayWork(
                prepare=IndexingWorkers(store, recipe, embedder, device, kind_of_machine(), shared),
                send=send,
                give_up=lambda item, reason: Failure(item.claim, reason),
            )
            needs = WorkerResources(gpu=device != "cpu")
            yield from spread_on_ray(address, needs, work, map(ClaimToIndex, claims))

    return made


@contextlib.contextmanager
def _shared_vectors(address: ClusterAddress) -> Iterator[Path | None]:
    """For all workers, since claims share pages; None on several machines."""
    if address.local is None:
        yield None
        return
    with spare_folder() as folder:
        file = folder / "vectors.sqlite"
        embedders.make_file_to_share(file)
        yield file


def same_embedder(embedder: str | Loaded[Embedder], device: str, expected: EmbedderId) -> Embedder:
    """Raises ModelError unless it is the driver's."""
    embed, identity = embedders.load_embedder(embedder, device, None, expected.precision)
    if identity != expected:
        raise ModelError(f"its embedder is {identity}, but the driver's is {expected}")
    return embed


def same_static(embedder: str | Loaded[Embedder], recipe: IndexSettings) -> Embedder | None:
    """As `same_embedder`."""
    if not recipe.order:
        return None
    static = embedders.load_static(embedder, recipe.embedder)
    if static is None or static.fingerprint != recipe.order:
        here = static.fingerprint if static else "nothing"
        raise ModelError(
            f"it orders pools by {here}, but the driver by {recipe.order}; install the same "
            "version of uhhrag on every machine"
        )
    return static.model


def require_kind(expected: str) -> None:
    here = kind_of_machine()
    if here != expected:
        raise ModelError(
            f"this machine is {here}, but the driver's is {expected}; results of different kinds "
            "are not mixed; start the command on a machine of the cluster's kind"
        )


def embed_on_ray(
    address: ClusterAddress, embedder: str | Loaded[Embedder], device: str, identity: EmbedderId
) -> EmbedAll:
    """In order. Raises RunError if a batch ends every worker."""

    kind = kind_of_machine()

    def prepare(number: int, cores: int) -> Callable[[Texts], Rows]:
        require_kind(kind)
        return same_embedder(embedder, device, identity)

    def give_up(batch: Texts, reason: str) -> Rows:
        raise RunError(f"{reason}; what is embedded is kept; run the same command again")

    work: RayWork[Texts, Rows] = RayWork(prepare=prepare, send=lambda batch: batch, give_up=give_up)

    def embed_all(batches: Iterable[Texts]) -> Generator[Rows, None, None]:
        return spread_on_ray(address, WorkerResources(gpu=device != "cpu"), work, batches)

    return embed_all
