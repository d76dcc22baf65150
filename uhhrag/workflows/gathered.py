"""Keeps a source's pages in an archive, so that verdicts are reproducible."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from uhhrag.archive.file_table import FileRow
from uhhrag.archive.updating import keep_pages
from uhhrag.errors import InputError, UhhragError, UsageError, reason_of
from uhhrag.protocols import PageSource
from uhhrag.records import Claim, Failure, Page
from uhhrag.store.knowledge_store import Skipped, page_of
from uhhrag.system.checksums import sha256
from uhhrag.system.own_code import name_of
from uhhrag.system.terminal import printable
from uhhrag.text.characters import mended
from uhhrag.wiring.sources import SOURCES, is_address
from uhhrag.workflows.documents import make_work_folder
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.observer import Observer

_KEPT = ("url", "title", "author", "date", "site", "note")


def gather(
    source: PageSource, claims: Sequence[Claim], folder: Path, observer: Observer
) -> tuple[Path, Mapping[int, Failure]]:
    """An archive of the distinct pages, named by them, and the source's failures by claim id.
    Raises InputError without pages."""
    make_work_folder(folder)
    pages: dict[str, Page] = {}
    failures: dict[int, Failure] = {}
    for claim in observer.track(claims, len(claims), "claims gathered for"):
        try:
            given = [*map(_page, source(claim))]
        except UhhragError:
            raise
        except Exception as error:  # noqa: BLE001 - one claim's failure must not end the others
            why = f"the source {name_of(source)} failed: {reason_of(error)}"
            failures[claim.id] = Failure(claim, printable(why))
        else:
            pages |= {sha256(repr(page)): page for page in given}
    if failures and not pages:
        first = next(iter(failures.values()))
        raise InputError(f"claim {first.claim.id}: {first.error}; it gave no page for any claim")
    if not pages:
        raise InputError("the source gives no page for any of the claims")
    made_of = sha256("".join(sorted(pages)))
    archive = folder / f"pages-{made_of[:12]}"
    row = FileRow(0, archive.name, len(pages), time.time_ns(), made_of, reader="")
    keep_pages(archive, row, pages.values())
    return archive, failures


def _page(page: Page) -> Page:
    if not isinstance(page, Page):
        raise InputError(f"the source gives {type(page).__name__}; it is to give uhhrag.Page")
    fields = {name: mended(value) for name, value in asdict(page).items()}
    record = {name: fields[name] for name in _KEPT if fields[name]}
    record["url2text"] = page.lines if isinstance(page.lines, str) else [*map(mended, page.lines)]
    read = page_of(orjson.dumps(record), page.url)
    if isinstance(read, Skipped):
        why = read.why.replace("`url2text`", "`lines`")  # its name in a store
        raise InputError(f"the source gives a page that cannot be read: {why}")
    return read


def named(docs: str, chosen: Chosen) -> Path | PageSource:
    if not docs.strip():
        raise UsageError("--docs is empty; name the folder of your documents")
    if not is_address(docs):
        return Path(docs)
    return SOURCES[docs.partition("://")[0]](docs, allow_remote=chosen.machine.allow_remote)
