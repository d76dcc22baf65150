"""An index folder: each claim is whole or absent, and checked when read.

manifest.json                  recipe, store's name, number of claims
claims/<id>/manifest.json      claim, counts, SHA-256 of the other files
claims/<id>/passages.parquet   text, urls, bm25, places; in the prefilter's order
claims/<id>/vectors.faiss      row i belongs to passage i
claims/<id>/pages.parquet      the passages' pages"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from uhhrag.defaults import POOL
from uhhrag.errors import IndexFault
from uhhrag.indexing import page_table, vectors
from uhhrag.indexing.bm25 import NAME
from uhhrag.indexing.claim_index import ClaimIndex
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim, Hit, Page
from uhhrag.system import checksummed_json
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped

T = TypeVar("T")

FORMAT = 2
MANIFEST, PASSAGES, VECTORS = "manifest.json", "passages.parquet", "vectors.faiss"
PAGES = "pages.parquet"
REPLIES = "replies.sqlite"


@dataclass(frozen=True, slots=True)
class IndexSettings:
    """All that determines an index, besides claim and store."""

    embedder: EmbedderId
    pool: int = POOL
    unique: bool = True
    prefilter: str = NAME
    format: int = FORMAT
    patience: int = 0
    """As `defaults.PATIENCE`; 0: all."""
    order: str = ""
    """STATIC, or "" for BM25 alone."""


@dataclass(frozen=True, slots=True)
class Header:
    recipe: IndexSettings
    store: str
    claims: int
    """In the claims file, indexed or not."""
    uhhrag: str
    claims_file: str = ""
    """Its `hash_of`."""


@dataclass(frozen=True, slots=True)
class Counts:
    pages: int
    lines: int
    unique: int
    kept: int
    """By the prefilter."""
    mended: int
    """Pages with replaced characters."""
    skipped: int


@dataclass(frozen=True, slots=True)
class ClaimManifest:
    claim: Claim
    recipe: IndexSettings
    counts: Counts
    first_skipped: str
    """Place and fault, or ""."""
    sha256: Mapping[str, str]
    """By file name."""
    store: str = ""
    """Hash of the pages read; "" in an index of before 2026-11-29."""


@dataclass(frozen=True, slots=True)
class Index:
    folder: Path
    header: Header
    manifests: tuple[ClaimManifest, ...]
    """Of complete claims, by id."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        return tuple(manifest.claim for manifest in self.manifests)


def open_index(folder: Path) -> Index:
    """As far as built. Raises IndexFault if missing or damaged."""
    header = read_header(folder)
    if header is None:
        raise IndexFault(f"{folder}: no index here; run: uhhrag index DATA --out {folder}")
    read = (read_claim_manifest(folder, claim_id) for claim_id in claim_ids(folder))
    manifests = tuple(manifest for manifest in read if manifest is not None)
    for manifest in manifests:
        require_recipe(manifest, header.recipe, folder)
    return Index(folder, header, manifests)


def require_recipe(manifest: ClaimManifest, recipe: IndexSettings, folder: Path) -> None:
    if manifest.recipe != recipe:
        raise IndexFault(
            f"{claim_folder(folder, manifest.claim.id)}: was built with other settings than the "
            f"index it lies in; run: {_rebuild(folder)}"
        )


def claim_ids(folder: Path) -> list[int]:
    """Of claims with a folder, ascending."""
    names = (path.name for path in claims_folder(folder).glob("*"))
    return sorted(
        int(name) for name in names if name.isascii() and name.isdigit() and name == str(int(name))
    )


def load_claim(index: Index, claim_id: int) -> ClaimIndex:
    """Raises IndexFault if missing or changed."""
    manifest = next((m for m in index.manifests if m.claim.id == claim_id), None)
    if manifest is None:
        raise IndexFault(
            f"{index.folder}: claim {claim_id} is not in this index; "
            f"run: uhhrag index DATA --out {index.folder} --claim {claim_id}"
        )
    return load(index.folder, manifest)


def load(folder: Path, manifest: ClaimManifest) -> ClaimIndex:
    return parsed(folder, manifest, files_of(folder, manifest))


def files_of(folder: Path, manifest: ClaimManifest) -> dict[str, bytes]:
    """By name. Raises IndexFault if a file changed."""
    return {name: checked(folder, manifest, name) for name in (PASSAGES, VECTORS, PAGES)}


def parsed(folder: Path, manifest: ClaimManifest, files: Mapping[str, bytes]) -> ClaimIndex:
    """Raises IndexFault if checked files hold something else."""
    where = claim_folder(folder, manifest.claim.id)
    document, sources = page_table.from_bytes(files[PAGES], str(where / PAGES))
    pages = map(document, range(len(sources)))
    hits = page_table.passages_from_bytes(files[PASSAGES], str(where / PASSAGES), pages)
    shape = (manifest.recipe.embedder.dimension, len(hits))
    flat = vectors.from_bytes(files[VECTORS], shape, str(where / VECTORS))
    return ClaimIndex(manifest.claim, hits, document, sources, tuple(range(len(hits))), flat)


def claims_folder(folder: Path) -> Path:
    return folder / "claims"


def claim_folder(folder: Path, claim_id: int) -> Path:
    return claims_folder(folder) / str(claim_id)


def contents(
    hits: Sequence[Hit], rows: NDArray[np.float32], read: Sequence[Page]
) -> dict[str, bytes]:
    """`rows[i]` is hit i's vector."""
    pages = page_table.held(read, {url for hit in hits for url in hit.passage.urls})
    passages = page_table.placed([hit.passage for hit in hits], pages)
    return {
        PASSAGES: page_table.passages_to_bytes(passages, [hit.score for hit in hits]),
        VECTORS: vectors.to_bytes(vectors.build(rows)),
        PAGES: page_table.to_bytes(pages),
    }


def manifest_to_bytes(record: Header | ClaimManifest) -> bytes:
    return checksummed_json.to_bytes(asdict(record))


def hash_of(claims: Sequence[Claim]) -> str:
    """Independent of JSON layout, and of what their list calls them."""
    names = ("id", "text", "date", "speaker")
    return checksummed_json.digest([{n: getattr(one, n) for n in names} for one in claims])


def read_header(folder: Path) -> Header | None:
    """None if missing. Raises IndexFault if damaged or of another version."""
    return _manifest(folder / MANIFEST, Header, folder)


def read_claim_manifest(folder: Path, claim_id: int) -> ClaimManifest | None:
    """As `read_header`; also raises for another claim's."""
    file = claim_folder(folder, claim_id) / MANIFEST
    manifest = _manifest(file, ClaimManifest, folder)
    if manifest is not None and manifest.claim.id != claim_id:
        raise IndexFault(f"{file}: is of claim {manifest.claim.id}; run: {_rebuild(folder)}")
    return manifest


def _manifest(file: Path, kind: type[T], folder: Path) -> T | None:
    try:
        body = checksummed_json.from_bytes(file.read_bytes())
        recipe = body["recipe"]
        # Indexes with a cascade lack passages.
        known = recipe.get("format") == FORMAT and not recipe.get("cascade")
        record = shaped(kind, body) if known else None
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise IndexFault(f"{file}: is damaged; run: {_rebuild(folder)}") from error
    if record is None:
        raise IndexFault(
            f"{file}: is of another version of uhhrag; "
            f"run: uhhrag index DATA --out {folder} --overwrite"
        )
    return record


def _rebuild(folder: Path) -> str:
    return f"uhhrag index DATA --out {folder} --repair"


def checked(folder: Path, manifest: ClaimManifest, name: str) -> bytes:
    file = claim_folder(folder, manifest.claim.id) / name
    again = f"run: {_rebuild(folder)}"
    try:
        content = file.read_bytes()
    except OSError as error:
        raise IndexFault(f"{file}: cannot be read: {error.strerror}; {again}") from error
    if sha256(content) != manifest.sha256.get(name):
        raise IndexFault(f"{file}: is damaged (its SHA-256 has changed); {again}")
    return content
