from __future__ import annotations

import shutil
from pathlib import Path

import orjson

from uhhrag.documents import collections as shelf
from uhhrag.documents.collections import Collection

SAMPLE = "Sample"


def make_sample(home: Path) -> Collection:
    """Made if missing. Raises UsageError, or OSError, leaving no part."""
    found = next((one for one in shelf.every_collection(home) if is_sample(one)), None)
    if found and any(found.files.iterdir()):
        return found
    made = found or shelf.create_collection(home, SAMPLE)
    try:
        for name, store in _pages().items():
            shutil.copyfile(store, made.files / name)
    except OSError:
        shelf.delete_collection(made)
        raise
    return made


def is_sample(collection: Collection) -> bool:
    """False for a user's own of that name."""
    if collection.name != SAMPLE:
        return False
    there = {path.name for path in collection.files.iterdir()}
    return not there or bool(there & _pages().keys())


def _pages() -> dict[str, Path]:
    stores = sorted((_folder() / "knowledge_store").glob("*.json"))
    return {f"pages on claim {int(store.stem) + 1:02}.jsonl": store for store in stores}


def sample_claims() -> tuple[str, ...]:
    claims = orjson.loads((_folder() / "claims.json").read_bytes())
    return tuple(str(claim["claim"]) for claim in claims)


def _folder() -> Path:
    package = Path(__file__).parents[1]
    installed = package / "sample"
    return installed if installed.is_dir() else package.parent / "data"
