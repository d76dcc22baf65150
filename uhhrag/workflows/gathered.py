"""Stores a source's pages, so that verdicts can be reproduced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from uhhrag.errors import InputError, UsageError
from uhhrag.protocols import PageSource
from uhhrag.records import Claim, Page
from uhhrag.store.knowledge_store import Skipped, page_of
from uhhrag.system.checksums import sha256
from uhhrag.system.text_files import write_text
from uhhrag.text.characters import mended
from uhhrag.wiring.sources import SOURCES, is_address
from uhhrag.workflows.documents import make_work_folder
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer

_KEPT = ("url", "title", "author", "date", "site", "note")


def gather(source: PageSource, claims: Sequence[Claim], folder: Path, observer: Observer) -> Path:
    """A store of distinct pages; one with the same is kept. Raises InputError without pages."""
    make_work_folder(folder)
    pages: dict[str, dict[str, Any]] = {}
    asked = datetime.now(UTC).isoformat(timespec="seconds")
    for claim in observer.track(claims, len(claims), "claims gathered for"):
        for record in map(_record, source(claim)):
            pages.setdefault(record["sha256"], record)
    if not pages:
        raise InputError("the source gives no page for any of the claims")
    made_of = sha256("".join(sorted(pages)))
    store = folder / f"pages-{made_of[:12]}.jsonl"
    if not store.exists():
        lines = (orjson.dumps(record | {"asked": asked}).decode() for record in pages.values())
        write_text(store, "".join(line + "\n" for line in lines))
    return store


def _record(page: Page) -> dict[str, Any]:
    if not isinstance(page, Page):
        raise InputError(f"the source gives {type(page).__name__}; it is to give uhhrag.Page")
    fields = {name: mended(value) for name, value in asdict(page).items()}
    record = {name: fields[name] for name in _KEPT if fields[name]}
    record["url2text"] = page.lines if isinstance(page.lines, str) else [*map(mended, page.lines)]
    read = page_of(orjson.dumps(record), page.url)
    if isinstance(read, Skipped):
        raise InputError(f"the source gives a page that cannot be read: {read.why}")
    return record | {"sha256": sha256(repr(sorted(record.items())))}


def named(docs: str, chosen: Chosen) -> Path | PageSource:
    """The path or source that `--docs` names."""
    if not docs.strip():
        raise UsageError("--docs is empty; name the folder of your documents")
    if not is_address(docs):
        return Path(docs)
    return SOURCES[docs.partition("://")[0]](docs, allow_remote=chosen.machine.allow_remote)
