"""A document is a PUT's body, which only the reading process opens."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from uhhrag.archive.file_table import outdated
from uhhrag.documents import collections as shelf
from uhhrag.documents.changed import FileOutcome, scans_note
from uhhrag.documents.collections import Collection
from uhhrag.documents.formats import ENDINGS, SCANS, called
from uhhrag.documents.listing import display_path, list_documents
from uhhrag.documents.ocr import find_tesseract
from uhhrag.errors import IndexFault, InputError, UhhragError
from uhhrag.serve import draft_table, quotations
from uhhrag.serve.access import not_done
from uhhrag.serve.app import App
from uhhrag.serve.claims import ASK, discard
from uhhrag.serve.library import READ, Library
from uhhrag.serve.responses import Endpoint, Form, field, found, page, sentence
from uhhrag.serve.sample import is_sample, sample_claims
from uhhrag.system.writing import new_file

COLLECTIONS = "collections"
_MAX_FILES_SHOWN = 500


def show_collections(app: App, request: Request, wrong: str = "", status: int = 200) -> Response:
    library = found(app.library)
    every = library.collections()
    # Progress first: a reading that ends in between would leave outdated rows.
    readings = [library.reading(one.key) for one in every]
    rows = [
        (one, app.targets.get(one.key), read) for one, read in zip(every, readings, strict=True)
    ]
    return page(
        "desk_collections.html",
        status,
        rows=rows,
        home=str(library.home),
        private=not library.home.stat().st_mode & 0o077,
        here=app.access.only_here,
        form_token=app.form_token(COLLECTIONS),
        wrong=wrong,
        desk=app.desk,
    )


def create(app: App, request: Request, form: Form) -> Response:
    try:
        made = shelf.create_collection(found(app.library).home, field(form, "name"))
    except UhhragError as error:
        return show_collections(app, request, sentence(error), 422)
    return _back_to(made)


def show_collection(app: App, request: Request) -> Response:
    library, collection = _of_path(app, request)
    reading = library.reading(collection.key)
    outcomes = library.files(collection)
    files = sorted(outcomes.items(), key=lambda one: one[1] is not None and _whole(one[1]))
    read = [(display_path(name), outcome) for name, outcome in files if outcome]
    target = app.targets.get(collection.key)
    archive = target.archive() if target else None
    rows = archive.snapshot.files if archive else ()
    scans_read = find_tesseract() is not None
    return page(
        "desk_collection.html",
        collection=collection,
        files=files[:_MAX_FILES_SHOWN],
        count=len(files),
        here=app.access.only_here,
        unread=len(files) - len(read),
        gone=library.gone(collection, outcomes),
        quoted=sorted(quotations.files(app.database, collection.key) - outcomes.keys()),
        failed=sum(not _whole(outcome) for _, outcome in read),
        scans=scans_note({name: outcome.scans for name, outcome in read}),
        languages={name: outcome.language for name, outcome in read if outcome.language},
        reading=reading,
        target=target,
        texts={row.name: row.document for row in rows if row.documents and not row.removed},
        older=outdated(rows),
        models_missing=app.models.missing() if app.models else (),
        endings=" ".join(ENDINGS),
        kinds=[kind for kind in called(ENDINGS) if scans_read or kind != SCANS],
        scans_read=scans_read,
        largest=shelf.MAX_FILE_BYTES // 2**20,
        form_token=app.form_token(COLLECTIONS),
        ask_token=app.form_token(ASK),
        needs_date=app.needs_date,
        samples=sample_claims() if is_sample(collection) else (),
        drafts=app.takes_drafts(),
        asked=len(app.database.asked_of(collection.key)),
        drafted=len(draft_table.of_target(app.database, collection.key)),
        rows=[row for row in app.rows().claims if row.target == collection.key],
    )


def list_files(app: App, request: Request) -> Response:
    """So that a page can ask before one is replaced."""
    listed = list_documents(found(_collection(app, request)).files).files
    return JSONResponse([display_path(file.name) for file in listed])


def _whole(outcome: FileOutcome) -> bool:
    return outcome.state in READ and not (outcome.why or outcome.scans)


def _of_path(app: App, request: Request) -> tuple[Library, Collection]:
    """Raises Missing."""
    return found(app.library), found(_collection(app, request))


def _back_to(collection: Collection) -> Response:
    return RedirectResponse(f"/collections/{collection.key}", 303)


def read_files(app: App, request: Request, form: Form) -> Response:
    library, collection = _of_path(app, request)
    library.read(collection.key, again=field(form, "all") == "yes")
    return _back_to(collection)


def stop_reading(app: App, request: Request, form: Form) -> Response:
    library, collection = _of_path(app, request)
    library.stop_reading(collection.key)
    return _back_to(collection)


def remove_file(app: App, request: Request, form: Form) -> Response:
    """First asks, if the desk holds words of it."""
    library, collection = _of_path(app, request)
    name, token = form.get("name", [""])[0], app.form_token(COLLECTIONS)
    texts = _texts_of(app, collection.key, name)
    quoted = quotations.find(app.database, collection.key, name, texts)
    if any(quoted.values()) and not field(form, "asked"):
        values: dict[str, Any] = {"name": name, "quoted": quoted, "form_token": token}
        return page("desk_take_out.html", collection=collection, **values)
    shelf.remove_file(collection, name)  # first: then no check brings its pieces back
    if field(form, "checks"):
        quotations.delete_pieces(app.database, collection.key, name)
    if field(form, "typed"):
        quotations.delete_typed(app.database, quoted)
    if field(form, "claims"):
        discard(app, *quoted["claims"])
        draft_table.remove(app.database, *quoted["drafts"])
    library.read(collection.key)
    return _back_to(collection)


def _texts_of(app: App, key: str, name: str) -> Iterator[str]:
    """What was read of a file; nothing if damaged."""
    target = app.targets.get(key)
    if archive := target.archive() if target else None:
        with suppress(IndexFault):
            for row in (row for row in archive.snapshot.files if row.name == name):
                for document in range(row.document, row.document + row.documents):
                    yield " ".join(archive.snapshot.page(document).lines)


def delete(app: App, request: Request, form: Form) -> Response:
    """A missing collection is no error."""
    if app.library and (collection := _collection(app, request)):
        if field(form, "claims"):
            discard(app, *app.database.asked_of(collection.key))
            draft_table.remove(app.database, *draft_table.of_target(app.database, collection.key))
        app.library.delete(collection)
    return RedirectResponse("/collections", 303)


def put_file(app: App) -> Endpoint:
    async def endpoint(request: Request) -> Response:
        collection = _collection(app, request)
        token = request.headers.get("x-token-of-form", "")
        if not app.owns(token, COLLECTIONS):
            return not_done(403, "this page is not of this desk; open it again")
        if collection is None:
            return not_done(404, "there is no such collection")
        try:
            return await _receive(collection, request)
        except InputError as error:
            return not_done(422, str(error))
        except OSError as error:
            return not_done(507, f"cannot be kept: {error.strerror or error}")

    return endpoint


async def _receive(collection: Collection, request: Request) -> Response:
    size = int(request.headers.get("content-length") or 0)
    place = shelf.path_of(collection, request.path_params["name"])
    await run_in_threadpool(shelf.require_space, collection, place, size)
    draft = shelf.draft_of(collection, place)
    received = 0
    with ExitStack() as ended:
        ended.callback(draft.unlink, missing_ok=True)
        file = ended.enter_context(new_file(draft))
        try:
            async for chunk in request.stream():
                received += len(chunk)
                if received > shelf.MAX_FILE_BYTES:
                    return not_done(413, f"has more than {shelf.MAX_FILE_BYTES:,} bytes")
                await run_in_threadpool(file.write, chunk)
        except ClientDisconnect:
            return Response(status_code=400)
        file.flush()
        replaced = place.exists()
        await run_in_threadpool(shelf.put_in_place, draft, place)
    return JSONResponse({"bytes": received, "replaced": replaced}, 201)


def _collection(app: App, request: Request) -> Collection | None:
    return app.library.find(request.path_params["key"]) if app.library else None
