"""The package's sample of pages and claims."""

from __future__ import annotations

import shutil
from pathlib import Path

import orjson

from uhhrag.documents.collections import (
    Collection,
    create_collection,
    delete_collection,
    every_collection,
)

SAMPLE = "Sample"
"""Name of its collection."""


def make_sample(home: Path) -> Collection:
    """The sample's collection, made if missing. Raises UsageError, and OSError without leaving a
    part of it."""
    for collection in every_collection(home):
        if collection.name == SAMPLE:
            return collection
    made = create_collection(home, SAMPLE)
    try:
        for store in sorted((_folder() / "knowledge_store").glob("*.json")):
            shutil.copyfile(store, made.files / f"pages on claim {int(store.stem) + 1:02}.jsonl")
    except OSError:
        delete_collection(made)
        raise
    return made


def sample_claims() -> tuple[str, ...]:
    claims = orjson.loads((_folder() / "claims.json").read_bytes())
    return tuple(str(claim["claim"]) for claim in claims)


def _folder() -> Path:
    """In the package if installed, else at the top of the checkout."""
    package = Path(__file__).parents[1]
    installed = package / "sample"
    return installed if installed.is_dir() else package.parent / "data"
