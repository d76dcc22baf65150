"""A document is a PUT's body, which only the reading process opens."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack

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
from uhhrag.errors import InputError, UhhragError
from uhhrag.serve import draft_table
from uhhrag.serve.access import not_done
from uhhrag.serve.app import App
from uhhrag.serve.claims import ASK, discard
from uhhrag.serve.library import READ, Library
from uhhrag.serve.responses import Endpoint, Form, field, found, page, refused, sentence
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
    return RedirectResponse(f"/collections/{made.key}", 303)


def show_collection(app: App, request: Request) -> Response:
    library, collection = found(app.library), found(_collection(app, request))
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
        largest=shelf.LARGEST_FILE // 2**20,
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
    """Their names, so that a page can ask what a file of the same name is to replace."""
    listed = list_documents(found(_collection(app, request)).files).files
    return JSONResponse([display_path(file.name) for file in listed])


def _whole(outcome: FileOutcome) -> bool:
    return outcome.state in READ and not (outcome.why or outcome.scans)


def changes_collection(
    change: Callable[[Library, Collection, Form], None],
) -> Callable[[App, Request, Form], Response]:
    def changed(app: App, request: Request, form: Form) -> Response:
        library, collection = found(app.library), found(_collection(app, request))
        try:
            change(library, collection, form)
        except UhhragError as error:
            return refused("Not done", sentence(error), 422)
        return RedirectResponse(f"/collections/{collection.key}", 303)

    return changed


@changes_collection
def read_files(library: Library, collection: Collection, form: Form) -> None:
    library.read(collection.key, again=field(form, "all") == "yes")


@changes_collection
def stop_reading(library: Library, collection: Collection, form: Form) -> None:
    library.stop_reading(collection.key)


@changes_collection
def remove_file(library: Library, collection: Collection, form: Form) -> None:
    shelf.remove_file(collection, form.get("name", [""])[0])
    library.read(collection.key)


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
    place = shelf.place_of(collection, request.path_params["name"])
    await run_in_threadpool(shelf.require_space, collection, place, size)
    draft = shelf.draft_of(collection, place)
    received = 0
    with ExitStack() as ended:
        ended.callback(draft.unlink, missing_ok=True)
        file = ended.enter_context(new_file(draft))
        try:
            async for chunk in request.stream():
                received += len(chunk)
                if received > shelf.LARGEST_FILE:
                    return not_done(413, f"has more than {shelf.LARGEST_FILE:,} bytes")
                await run_in_threadpool(file.write, chunk)
        except ClientDisconnect:
            return Response(status_code=400)
        file.flush()
        replaced = place.exists()
        await run_in_threadpool(shelf.put_in_place, draft, place)
    return JSONResponse({"bytes": received, "replaced": replaced}, 201)


def _collection(app: App, request: Request) -> Collection | None:
    return app.library.find(request.path_params["key"]) if app.library else None
