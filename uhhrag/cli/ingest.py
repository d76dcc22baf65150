"""`uhhrag ingest`: a folder of documents → one knowledge store."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag.documents.survey import named
from uhhrag.errors import DocumentsFailed
from uhhrag.system.terminal import printable, progress, some

if TYPE_CHECKING:
    from collections.abc import Generator, Sequence

    from uhhrag.documents.ingest import FileOutcome
    from uhhrag.documents.survey import Survey


def ingest(
    folder: Annotated[
        Path,
        typer.Argument(metavar="FOLDER", help="HTML, PDF, DOCX, TXT, Markdown, JSON lines."),
    ],
    out: Annotated[Path, typer.Option(metavar="STORE", help="The store, a .jsonl file.")],
    again: Annotated[
        bool, typer.Option("--again", help="Read unchanged files again as well.")
    ] = False,
) -> None:
    """Read a folder of documents into one knowledge store; only what is new or changed is read."""
    from uhhrag.documents.ingest import FileState
    from uhhrag.documents.ingest import ingest as steps
    from uhhrag.documents.survey import survey
    from uhhrag.wiring.nltk_data import load_nltk_data

    begun = time.monotonic()
    nltk_data = load_nltk_data()
    found = survey(folder, leave_out=(out,))
    outcomes = follow(steps(found, out, nltk_data, again=again), found, "ingest")
    typer.echo(_summary(outcomes, time.monotonic() - begun, out))
    failed = [outcome for outcome in outcomes if outcome.state is FileState.UNREADABLE]
    if failed or found.closed:
        raise DocumentsFailed(
            f"{len(failed) + len(found.closed)} of the documents or folders could not be read (see "
            f"above); the others are in {out}"
        )


def follow(running: Generator[FileOutcome], found: Survey, what: str) -> list[FileOutcome]:
    """What becomes of each file, with progress; a file that was not read whole, and what is left
    out of the folder, is told on standard error."""
    outcomes = []
    with closing(running):
        for outcome in progress(running, len(found.files), what):
            outcomes.append(outcome)
            if outcome.why:
                typer.echo(line_of(outcome), err=True)
    for line in left_out(found):
        typer.echo(line, err=True)
    return outcomes


def line_of(outcome: FileOutcome) -> str:
    """One line on a file of which not everything was read."""
    return f"{printable(named(outcome.name))}: {printable(outcome.why)}"


def left_out(survey: Survey) -> list[str]:
    """A line for each thing of the folder that was not looked into, kinds of file together."""
    lines = [f"{printable(named(name))}: {why}; not looked into" for name, why in survey.closed]
    lines += [
        f"{printable(named(name))}: a link out of the folder; not followed" for name in survey.links
    ]
    if survey.other:
        kinds = ", ".join(f"{n} {printable(kind)}" for kind, n in list(survey.other.items())[:8])
        more = ", …" if len(survey.other) > 8 else ""
        number = some(sum(survey.other.values()), "file")
        lines.append(f"{number} of other kinds left out: {kinds}{more}")
    return lines


def counted(outcomes: Sequence[FileOutcome]) -> str:
    """How many files there are, and what became of them."""
    states = [outcome.state for outcome in outcomes]
    counts = ", ".join(f"{states.count(state)} {state}" for state in dict.fromkeys(states))
    return f"{some(len(outcomes), 'file')} ({counts})"


def _summary(outcomes: Sequence[FileOutcome], seconds: float, out: Path) -> str:
    documents = some(sum(outcome.documents for outcome in outcomes), "document")
    lines = some(sum(outcome.lines for outcome in outcomes), "sentence")
    return f"{counted(outcomes)}: {documents}, {lines} in {seconds:.1f} s → {printable(str(out))}"
