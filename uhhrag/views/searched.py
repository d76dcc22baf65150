"""What there was to check claims against: read, not read, and left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

from uhhrag.documents.look import FileOutcome, FileState
from uhhrag.documents.survey import Survey, named
from uhhrag.errors import RunError
from uhhrag.indexing.document_index import DocumentIndex
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text

FILE = "documents.json"
"""The file of a run folder that holds it."""


@dataclass(frozen=True, slots=True)
class Documents:
    """What a claim was checked against: the number of files read and of the documents and sentences
    in them, the files that could not be read with the reasons, the number left out, how many of
    these there are of each file ending that is not read, and the languages of files that are not
    in English, wholly or in part; how many pages of a file are scans that were not read; and of
    files that were read `partly`, what was not."""

    files: int
    documents: int
    sentences: int
    unread: Mapping[str, str]
    left_out: int
    other: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, str] = field(default_factory=dict)
    scans: Mapping[str, int] = field(default_factory=dict)
    partly: Mapping[str, str] = field(default_factory=dict)


def documents_of(
    survey: Survey | None, outcomes: Sequence[FileOutcome], documents: DocumentIndex
) -> Documents:
    """What there is to check claims against, from the survey of a folder and what became of its
    files; `survey` is None for a store that was ingested before."""
    unread = {named(o.name): o.why for o in outcomes if o.state is FileState.UNREADABLE}
    closed = {named(name): why for name, why in survey.closed} if survey else {}
    pictures = sum(o.state is FileState.LEFT_OUT for o in outcomes)
    left_out = sum(survey.other.values()) + len(survey.links) + pictures if survey else 0
    pages = sum(map(len, documents.pages.values()))
    files = len(outcomes) - len(unread) - pictures if survey else 1
    other = dict(survey.other) if survey else {}
    unread |= closed
    languages = _languages(documents)
    scans = {named(o.name): o.scans for o in outcomes if o.scans}
    read = (FileState.READ, FileState.KEPT)
    partly = {named(o.name): o.why for o in outcomes if o.state in read and o.why}
    sentences = len(documents.passages)
    return Documents(files, pages, sentences, unread, left_out, other, languages, scans, partly)


def _languages(documents: DocumentIndex) -> dict[str, str]:
    """The language of each file, or address of a page without one, that is not in English."""
    pages = (page for several in documents.pages.values() for page in several if page.language)
    return {named(page.file or page.url): page.language for page in pages}


def write_documents(run: Path, documents: Documents) -> None:
    """Put into a run folder what its claims were checked against."""
    write_text(run / FILE, json.dumps(asdict(documents)) + "\n")


def read_documents_of(run: Path) -> Documents | None:
    """What the claims of a run folder were checked against; None where it does not say. Raises
    RunError where the file is damaged."""
    file = run / FILE
    try:
        return shaped(Documents, json.loads(file.read_bytes()))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise RunError(f"{file}: is damaged ({error}); delete it, or check again") from error
