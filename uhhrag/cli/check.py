"""`uhhrag check`: claims of your own against documents of your own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag.cli.ingest import counted, follow
from uhhrag.cli.method import NEAREST, Chosen, cautions, decides_claims
from uhhrag.errors import ClaimsFailed, InputError, UsageError
from uhhrag.system.terminal import progress

if TYPE_CHECKING:
    from uhhrag.documents.ingest import FileOutcome
    from uhhrag.documents.survey import Survey


@decides_claims
def check(
    chosen: Chosen,
    docs: Annotated[
        Path,
        typer.Option(metavar="FOLDER", help="Your documents, or a store made by ingest."),
    ],
    claim: Annotated[
        str | None, typer.Argument(metavar="CLAIM", help="The claim.", show_default=False)
    ] = None,
    claims: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="A claim a line, CSV, JSON lines, or - for input."),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="For scripts: a JSON object a claim and line.")
    ] = False,
    work: Annotated[
        Path | None,
        typer.Option(help="Where what is read is kept. Default: FOLDER.uhhrag, beside it."),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="RUN", help="The run folder. Default: one in the work folder."),
    ] = None,
    pool: Annotated[int, typer.Option(min=1, help="Sentences a claim that BM25 keeps.")] = 10_000,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Lose an earlier run in the same --out.")
    ] = False,
) -> None:
    """Check a claim against a folder of documents; only what is new in it is read."""
    from uhhrag.formats.claims_file import given_claims
    from uhhrag.indexing.document_index import open_document_index
    from uhhrag.runs import predict
    from uhhrag.runs.run_folder import open_run, read_trace
    from uhhrag.views import answer
    from uhhrag.views.run_view import claim_view
    from uhhrag.wiring import pipeline
    from uhhrag.wiring.nltk_data import load_nltk_data

    chosen = chosen.near(NEAREST)
    asked = given_claims(claim, claims)
    kept = answer.work_folder(docs, work)
    store, found, outcomes = read_documents(docs, kept, load_nltk_data())
    opened = open_document_index(store)
    documents = answer.documents_of(found, outcomes, opened)
    wired, texts_for = pipeline.wire_documents(
        chosen.settings, chosen.machine, opened, asked, pool, kept if chosen.cache else None
    )
    folder = out or answer.run_folder(kept, wired.header)
    if not as_json:
        for caution in cautions(wired, chosen):
            typer.echo(caution, err=True)
    with open_run(folder, wired.header, overwrite=overwrite, repair=out is None) as run:
        left = [c for c in asked if c.id not in run.done]
        texts = texts_for(left)
        embedding = answer.embed_ahead(texts, wired.method.tools.embed)
        for _ in progress(embedding, len(texts), "sentences", by=answer.AT_ONCE):
            pass
        running = predict.predict(left, wired.corpus_for, wired.method, run, wired.others)
        for _ in progress(running, len(left), "claims"):
            pass
        records = {record["claim_id"]: record for record in read_trace(run.trace)}
    failed = 0
    for one in asked:
        found_answer = answer.answer_of(
            claim_view(records[one.id], run.trace), wired.header, documents
        )
        failed += "error" in found_answer
        typer.echo(
            json.dumps(found_answer, ensure_ascii=False)
            if as_json
            else answer.show_answer(found_answer)
        )
    if failed:
        raise ClaimsFailed(
            f"{failed} of {len(asked)} claims have no verdict; run the same command again to try "
            "just those"
        )


def read_documents(
    docs: Path, work: Path, nltk_data: Path
) -> tuple[Path, Survey | None, list[FileOutcome]]:
    """The store of the documents, brought up to date, and what became of each file; a store that
    was given is taken as it is."""
    from uhhrag.documents.ingest import ingest
    from uhhrag.documents.survey import survey
    from uhhrag.store import knowledge_store

    if not knowledge_store.serves_all(docs) and not docs.is_dir():
        raise InputError(f"{docs}: no such folder of documents; name it by --docs")
    try:
        work.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{work}: cannot be written: {error.strerror}; name another folder by --work"
        ) from error
    if knowledge_store.serves_all(docs):
        return docs, None, []
    found = survey(docs, leave_out=(work,))
    file = work / "store.jsonl"
    outcomes = follow(ingest(found, file, nltk_data), found, "documents")
    typer.echo(counted(outcomes), err=True)
    return file, found, outcomes
