from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag.archive import verify as checking
from uhhrag.cli.check_files import tell_sound
from uhhrag.cli.options import (
    OBSERVER,
    Again,
    AsJson,
    ClaimsFile,
    Device,
    ExcludeSites,
    OnRay,
    Rerank,
)
from uhhrag.errors import IndexFault
from uhhrag.indexing.choices import Engine
from uhhrag.store.filters import read_limits
from uhhrag.system.terminal import printable, quantity, wrapped
from uhhrag.views import answer as answers
from uhhrag.workflows import archives as workflow
from uhhrag.workflows import documents as reading
from uhhrag.workflows import given
from uhhrag.workflows import search as searching

app = typer.Typer(help="Keep one archive for every claim, and search it.", no_args_is_help=True)

ArchiveFolder = Annotated[Path, typer.Argument(metavar="ARCHIVE", help="What ingest made.")]
NoVectors = Annotated[
    bool,
    typer.Option("--no-vectors", help="Make no vectors now: search by text alone, or embed later."),
]
EmbedderName = Annotated[
    str | None, typer.Option(help="The embedder. Default: that of the archive, else minilm.")
]


def show_ingested(result: workflow.Ingested) -> None:
    documents = quantity(sum(outcome.documents for outcome in result), "document")
    sentences = quantity(sum(outcome.lines for outcome in result), "sentence")
    typer.echo(
        f"{reading.counted(result.outcomes)}: {documents}, {sentences} in {result.seconds:.1f} s → "
        f"{printable(str(result.store))}"
    )


@app.command("add")
def add(
    archive: ArchiveFolder,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="Documents to take up.")],
    no_vectors: NoVectors = False,
) -> None:
    """Take up another folder, or files that were removed. `update` follows it from then on."""
    workflow.require_archive(archive)
    _take_up(archive, (folder,), no_vectors, removed=True)


@app.command("update")
def update(archive: ArchiveFolder, again: Again = False, no_vectors: NoVectors = False) -> None:
    """Take up what is new, changed or deleted in the folders of an archive."""
    _take_up(archive, (), no_vectors, again=again)


def _take_up(archive: Path, folders: tuple[Path, ...], no_vectors: bool, **taking: bool) -> None:
    result = workflow.update(archive, folders, OBSERVER, **taking)
    if not no_vectors:
        workflow.embed_new(archive, OBSERVER)
    show_ingested(result)
    result.require_all()


@app.command("remove")
def remove(
    archive: ArchiveFolder,
    names: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="Names in the folder; DIR/ for all below."),
    ],
) -> None:
    """Remove the documents of files. Updates leave them out, until `add` names their folder."""
    rows = workflow.remove_files(archive, names)
    documents = quantity(sum(row.documents for row in rows), "document")
    typer.echo(f"{quantity(len(rows), 'file')} removed: {documents}")
    command = f"uhhrag archive compact {shlex.quote(str(archive))}"
    typer.echo(printable(f"the text is on the disk until you run: {command}"))
    _tell_runs(archive)


def _tell_runs(archive: Path) -> None:
    if runs := reading.outdated_runs(archive):
        command = f"uhhrag archive compact {shlex.quote(str(archive))} --delete-runs"
        typer.echo(printable(f"to delete what quotes files that it has no more, run: {command}"))
        typer.echo("\n".join(printable(str(run)) for run in runs))


@app.command("export")
def export(
    archive: ArchiveFolder,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The .jsonl file to write.")],
) -> None:
    """Write the documents as a knowledge store, a JSON object a line, for other programs."""
    made = workflow.export(archive, out)
    typer.echo(f"{quantity(made, 'document')} → {printable(str(out))}")


@app.command("embed")
def embed(
    archive: ArchiveFolder, embedder: EmbedderName = None, device: Device = "cpu", ray: OnRay = None
) -> None:
    """Make the vectors that are missing. Stopped and run again, it goes on where it stopped."""
    made = workflow.embed(archive, embedder, device, OBSERVER, ray)
    typer.echo(f"{quantity(made, 'passage')} embedded → {printable(str(archive))}")


@app.command("info")
def info(archive: ArchiveFolder, as_json: AsJson = False) -> None:
    """Show what an archive holds: documents, passages, vectors, bytes, and its folders."""
    about = workflow.describe(archive)
    if as_json:
        typer.echo(json.dumps(about, ensure_ascii=False))
        return
    for name, value in about.items():
        shown = f"{value:,}" if isinstance(value, int) else printable(str(value)) or "none"
        shown += f" ({_MEANINGS[name]})" if name in _MEANINGS else ""
        for one in value if isinstance(value, list) else [shown]:
            typer.echo(f"{name.replace('_', ' '):<20}{printable(str(one))}")


_MEANINGS = {
    "passages": "sentences in a row, which a search finds",
    "outdated_files": "read by an older version of this program; archive update reads them anew",
    "deleted_passages": "never found; uhhrag archive compact drops them",
    "with_vectors": "passages that are found by meaning too",
    "inverted_lists": "groups of near vectors; 0: all are compared",
    "bytes_of_segments": "documents as they were read",
    "bytes_of_files": "the list of the files",
}


@app.command("verify")
def verify(archive: ArchiveFolder) -> None:
    """Check every file of an archive and name each that is damaged."""
    remedy = f"run: uhhrag archive repair {archive}"
    tell_sound(archive, "archive", checking.check_archive(archive), IndexFault, remedy)


@app.command("repair")
def repair(archive: ArchiveFolder) -> None:
    """Drop what is damaged and keep the rest; says what to read or embed again."""
    done = workflow.repair(archive)
    for line in done.lines:
        typer.echo(printable(line))
    for wanted, command in ((done.update, "update"), (done.embed, "embed")):
        if wanted:
            typer.echo(f"run: uhhrag archive {command} {printable(str(archive))}")
    if not done.lines:
        typer.echo(f"{printable(str(archive))}: nothing is damaged")


@app.command("compact")
def compact(
    archive: ArchiveFolder,
    delete_runs: bool = typer.Option(
        False, "--delete-runs", help="Delete runs beside it that quote files it has no more."
    ),
) -> None:
    """Write an archive anew without its deleted documents, and drop the vectors and replies that
    checks keep beside it."""
    before, after = workflow.compact(archive, OBSERVER)
    reading.forget_beside(archive)
    typer.echo(f"{before:,} bytes → {after:,} bytes")
    for run in reading.outdated_runs(archive) if delete_runs else ():
        reading.delete_run(run)
        typer.echo(f"deleted: {printable(str(run))}")
    _tell_runs(archive)


@app.command("search")
def search(
    archive: ArchiveFolder,
    claim: list[str] | None = typer.Argument(None, metavar="CLAIM", help="A claim or question."),
    claims: ClaimsFile = None,
    top: int = typer.Option(10, min=1, help="Passages to show for each claim."),
    by: Engine = typer.Option(Engine.FUSED, help="What ranks: text and vectors, or one alone."),
    rerank: Rerank = None,
    before: str | None = typer.Option(
        None, help="Exclude documents dated later: YYYY-MM-DD, or claim-date."
    ),
    exclude_sites: ExcludeSites = None,
    undated: bool = typer.Option(
        True, "--undated/--no-undated", help="Keep documents without a date."
    ),
    file: list[str] | None = typer.Option(
        None, metavar="NAME", help="Search these files alone; DIR/ for all below."
    ),
    as_json: bool = typer.Option(
        False, "--json", help="Print one JSON object per claim, each on one line."
    ),
) -> None:
    """Show the best passages for a claim, without deciding anything."""
    wanted = given.given_claims(claim or (), claims, observer=OBSERVER)
    limits = read_limits(before, exclude_sites, undated=undated)
    found = searching.search_passages(
        archive, wanted, top, rerank, by, limits, file or None, OBSERVER
    )
    for answer in found:
        typer.echo(json.dumps(answer, ensure_ascii=False) if as_json else _shown(answer))


def _shown(answer: dict[str, Any]) -> str:
    lines = [wrapped(answer["claim"], "Claim: ", 9)]
    for number, passage in enumerate(answer["passages"], start=1):
        about = answers.source_line(passage["source"])
        lines += ["", wrapped(about, f"{number:>3}. ", 3), wrapped(passage["text"], "     ", 5)]
    return "\n".join(lines if answer["passages"] else [*lines, "", "Nothing is found."])
