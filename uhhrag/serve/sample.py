"""The sample that comes with the package: pages and claims to try the program with."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson

from uhhrag.documents.collections import Collection, create_collection, every_collection

SAMPLE = "Sample"
"""The name of the collection that the sample is put into."""


def make_sample(home: Path) -> Collection:
    """The collection with the sample's pages, made where there is none. Raises UsageError where it
    cannot be made."""
    for collection in every_collection(home):
        if collection.name == SAMPLE:
            return collection
    made = create_collection(home, SAMPLE)
    for store in sorted((_folder() / "knowledge_store").glob("*.json")):
        shutil.copyfile(store, made.files / f"pages on claim {int(store.stem) + 1:02}.jsonl")
    return made


def sample_claims() -> tuple[str, ...]:
    """The claims that the sample's pages are about."""
    claims = orjson.loads((_folder() / "claims.json").read_bytes())
    return tuple(str(claim["claim"]) for claim in claims)


def _folder() -> Path:
    """In an installed wheel beside the packages, in a checkout at its top."""
    package = Path(__file__).parents[1]
    installed = package / "sample"
    return installed if installed.is_dir() else package.parent / "data"
