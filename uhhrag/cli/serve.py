"""`uhhrag serve`: check claims and review verdicts in a browser."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag.cli.method import NEAREST, Chosen, cautions, decides_claims
from uhhrag.errors import UsageError
from uhhrag.system.extras import require_extra
from uhhrag.system.terminal import some

if TYPE_CHECKING:
    from uhhrag.serve.corpora import Targets
    from uhhrag.views.run_view import RunView
    from uhhrag.wiring.pipeline import Wired


@dataclass(frozen=True, slots=True)
class _Subject:
    """What gives the run that is shown, what claims can be checked against, the folder that the
    desk is kept in, and what a user should know of the votes."""

    read: Callable[[], RunView]
    targets: Targets
    home: Path
    cautions: tuple[str, ...] = ()


@decides_claims
def serve(
    chosen: Chosen,
    what: Annotated[
        Path | None,
        typer.Argument(metavar="RUN_OR_INDEX", help="A run to review, or an index to check by."),
    ] = None,
    index: Annotated[Path | None, typer.Option(help="An index to check claims against.")] = None,
    docs: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Documents to check claims against, or a store."),
    ] = None,
    work: Annotated[
        Path | None,
        typer.Option(help="Where what is read of --docs is kept. Default: FOLDER.uhhrag."),
    ] = None,
    pool: Annotated[
        int, typer.Option(min=1, help="Sentences of --docs a claim that BM25 keeps.")
    ] = 10_000,
    host: Annotated[
        str, typer.Option(help="Where to listen; what others can reach needs --token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8300,
    token: Annotated[
        str,
        typer.Option(
            envvar="UHHRAG_TOKEN", help="What a visitor must know; at least 16 characters."
        ),
    ] = "",
    desk: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Where claims and reviews are kept. Default: desk.sqlite in what is served.",
        ),
    ] = None,
    reviewer: Annotated[
        str, typer.Option(help="Whose reviews they are, in ClaimReview.")
    ] = "A reviewer using uhhrag",
) -> None:
    """Serve pages to this machine alone: ask claims, see the votes come, review, export."""
    require_extra("serve", ("starlette", "uvicorn"), "pages on this machine")
    from uhhrag.serve import database, server
    from uhhrag.serve.access import Access, check_access
    from uhhrag.serve.app import App
    from uhhrag.serve.worker import Queue

    check_access(host, token)
    listening = server.listen(host, port)  # first, since reading documents can take long
    subject = _subject(chosen, what, index, docs, work, pool)
    with closing(listening), database.open_database(desk or subject.home / database.FILE) as opened:
        access = Access(host, listening.getsockname()[1], token)
        queue = Queue(opened, subject.targets)
        app = App(opened, queue, subject.targets, subject.read, access, reviewer)

        def ready() -> None:
            for line in subject.cautions:
                typer.echo(line, err=True)
            typer.echo(f"{access.address} (stop it by Ctrl-C)")

        server.serve(app, listening, ready)


def _subject(
    chosen: Chosen,
    what: Path | None,
    index: Path | None,
    docs: Path | None,
    work: Path | None,
    pool: int,
) -> _Subject:
    from uhhrag.indexing.index_folder import MANIFEST
    from uhhrag.runs.run_folder import HEADER
    from uhhrag.serve.run_reader import follow, nothing
    from uhhrag.views.answer import work_folder

    if what is not None and (what / MANIFEST).exists():
        what, index = None, index or what
    elif what is not None and not (what / HEADER).exists():
        raise UsageError(
            f"{what}: is neither a run nor an index; documents are named by --docs {what}"
        )
    if index is not None and docs is not None:
        raise UsageError("an index and --docs would each load the models; give one of them")
    read = follow(what) if what is not None else None
    if index is not None:
        targets, wired = _of_index(chosen, index)
        home, name = index, index.resolve().name
    elif docs is not None:
        home, name = work_folder(docs, work), docs.resolve().name
        targets, wired = _of_documents(chosen.near(NEAREST), docs, home, pool)
    elif read is not None and what is not None:
        return _Subject(read, {}, what)
    else:
        raise UsageError("nothing to serve: name a run folder, an index, or documents by --docs")
    told = tuple(cautions(wired, chosen))
    return _Subject(read or nothing(name, wired.header), targets, what or home, told)


def _of_index(chosen: Chosen, folder: Path) -> tuple[Targets, Wired]:
    from uhhrag.indexing.index_folder import open_index
    from uhhrag.serve.corpora import of_index
    from uhhrag.wiring import pipeline

    claims = open_index(folder).claims
    wired = pipeline.wire(chosen.settings, chosen.machine, folder, cache=chosen.cache)
    targets = of_index(folder.resolve().name, claims, lambda: (wired.corpus_for, wired.method))
    return targets, wired


def _of_documents(chosen: Chosen, docs: Path, kept: Path, pool: int) -> tuple[Targets, Wired]:
    from uhhrag.cli.check import read_documents
    from uhhrag.indexing.document_index import open_document_index
    from uhhrag.serve.corpora import Target
    from uhhrag.wiring import pipeline
    from uhhrag.wiring.nltk_data import load_nltk_data

    store, _, _ = read_documents(docs, kept, load_nltk_data())
    documents = open_document_index(store)
    wired, _ = pipeline.wire_documents(
        chosen.settings, chosen.machine, documents, (), pool, kept if chosen.cache else None
    )
    name = f"{docs.resolve().name}: {some(len(documents.passages), 'sentence')}"
    target = Target(name, lambda: (wired.corpus_for, wired.method))
    return {"docs": target}, wired
