from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from uhhrag.archive.manifest import is_archive
from uhhrag.archive.snapshot import Snapshot
from uhhrag.documents.changed import require_documents
from uhhrag.documents.draft import Draft, read_draft
from uhhrag.documents.listing import list_documents
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Claim, Page, source_of
from uhhrag.runs.trace import as_record
from uhhrag.serve.followed import DocumentStates
from uhhrag.serve.progress import decide_with_progress
from uhhrag.store import claim_files
from uhhrag.system.spare import spare_folder
from uhhrag.system.terminal import quantity
from uhhrag.system.text_files import write_text
from uhhrag.text.characters import one_line, repaired
from uhhrag.views.answer import answer_of, source_fields
from uhhrag.views.run_view import claim_view
from uhhrag.wiring import nltk_data
from uhhrag.wiring.checked_claims import Nearest, open_checked
from uhhrag.workflows import documents
from uhhrag.workflows.method import Chosen, require_date, require_dates
from uhhrag.workflows.observer import Observer
from uhhrag.workflows.opened import OpenedDocuments, open_documents
from uhhrag.workflows.search import found_in, require_words
from uhhrag.workflows.serve import state_of
from uhhrag.workflows.tasks import DocumentsTask

Json = dict[str, Any]
Tell = Callable[[str], None]
BESIDE = 10
MAX_CLAIMS = 40


@dataclass
class Archive:
    """Loaded at the first question, and again after changes."""

    name: str
    docs: Path
    work: Path | None
    """None: a folder beside the documents."""
    chosen: Chosen
    observer: Observer
    _read: DocumentStates | None = field(default=None, init=False)

    def _state(self) -> DocumentStates:
        return state_of(self.docs, (documents.work_folder(self.docs, self.work),))

    def forget_if_changed(self) -> None:
        """Raises InputError or OSError for a folder that is away."""
        if self._read not in (None, self._state()):
            self.__dict__.pop("opened", None)

    @cached_property
    def opened(self) -> OpenedDocuments:
        before, work = self._state(), documents.work_folder(self.docs, self.work)
        task, chosen = DocumentsTask(), self.chosen.for_documents()
        opened = open_documents(self.docs, work, task, chosen, self.observer)
        nltk_data.load_nltk_data()  # a claim asked later may need BM25, which tokenises
        self._read = before
        return opened

    @cached_property
    def nearest(self) -> Nearest:
        return open_checked()

    @property
    def snapshot(self) -> Snapshot:
        return self.opened.archive

    def page(self, number: int) -> Page:
        live = self.snapshot.live
        if not 0 <= number < len(live) or not live[number]:
            raise UsageError(f"{self.name} has no document {number}; search_documents gives them")
        return self.snapshot.page(number)


def named_archives(
    docs: Sequence[Path], work: Path | None, chosen: Chosen, observer: Observer
) -> Mapping[str, Archive]:
    """By folder name. Raises UsageError for equal names, InputError without documents."""
    archives: dict[str, Archive] = {}
    for folder in docs:
        name = folder.resolve().name
        if name in archives:
            raise UsageError(f"--docs {folder}: another folder is called {name}; rename one")
        if not folder.is_dir() and not claim_files.serves_all(folder):
            raise InputError(f"{folder}: is no folder of documents and no archive; name one")
        if folder.is_dir() and not is_archive(folder):
            require_documents(list_documents(folder))
        archives[name] = Archive(name, folder, work, chosen, observer)
    return archives


def search(archive: Archive, query: str, top: int, *, exact: bool) -> Json:
    """As `uhhrag search --json`, with document numbers."""
    query = one_line(query)
    require_words(query)
    snapshot = archive.snapshot
    ranked = None if exact else archive.opened.wired.corpus_for(Claim(0, query)).search
    return found_in(snapshot, query, top, ranked)


def check(archive: Archive, claim: Claim, tell: Tell) -> Json:
    """As `uhhrag check --json`."""
    if not claim.text:
        raise UsageError("the claim is empty")
    require_date(claim.date)
    require_dates(archive.chosen.settings.limits, [claim])
    wired, nearest = archive.opened.wired, archive.nearest
    verdict, _ = decide_with_progress(
        claim, wired.corpus_for(claim), wired.method, lambda step: tell(step.doing)
    )
    view = claim_view(as_record(verdict, {}))
    return answer_of(view, wired.header, archive.opened.about, nearest(claim.text))


def claims_in(text: str) -> Draft:
    """Raises InputError without claims."""
    with spare_folder() as spare:
        file = spare / "text.txt"
        write_text(file, repaired(text))
        draft = read_draft(file, "the text")
    if not draft.claims:
        raise InputError("no sentence of the text is taken for a claim; check it by check_claim")
    return draft


def around(archive: Archive, number: int, line: int, beside: int) -> Json:
    """Raises UsageError for a missing document or sentence."""
    page = archive.page(number)
    if not 0 <= line < len(page.lines):
        raise UsageError(
            f"document {number} has {quantity(len(page.lines), 'sentence')}, from 0; not {line}"
        )
    first = max(0, line - beside)
    shown = range(first, min(len(page.lines), line + beside + 1))
    return {
        "archive": archive.name,
        "document": number,
        "line": line,
        "sentences": len(page.lines),
        "source": source_fields(source_of(page, line)),
        "lines": [{"line": n, "text": page.lines[n], "quoted": page.quoted_at(n)} for n in shown],
    }


def numbers_of(archive: Archive) -> list[int]:
    return [int(number) for number in archive.snapshot.live.nonzero()[0]]


def whole_text(page: Page) -> list[str]:
    """Headings and quotations are marked."""
    headings, lines = page.headings, []
    for number, text in enumerate(page.lines):
        whose = page.quoted_at(number)
        quoted = "" if whose is None else f"[quoted: {whose}] " if whose else "[quoted] "
        lines.append(("# " if number in headings else "") + quoted + text)
    return lines
