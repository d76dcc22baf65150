"""Pages of collections. A document is a PUT's body, which only the reading process opens."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import BinaryIO

from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from uhhrag.documents import collections as shelf
from uhhrag.documents.changed import FileOutcome, FileState, scans_note
from uhhrag.documents.collections import Collection
from uhhrag.documents.formats import ENDINGS, SCANS, called
from uhhrag.documents.ocr import find_tesseract
from uhhrag.errors import InputError, UhhragError
from uhhrag.serve.access import not_done
from uhhrag.serve.app import App
from uhhrag.serve.claims import ASK
from uhhrag.serve.kept_outcomes import read_outcomes
from uhhrag.serve.library import CollectionFile, Library
from uhhrag.serve.responses import LONGEST, Endpoint, Form, field, found, page, refused, sentence
from uhhrag.serve.sample import is_sample, sample_claims
from uhhrag.system.writing import new_file

COLLECTIONS = "collections"
_SHOWN = 500
"""Files."""
_READ = (FileState.READ, FileState.KEPT)

Change = Callable[[Library, Collection, Form], str]
"""Changes a collection; gives the path of the next page."""


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
        form_token=app.form_token(COLLECTIONS),
        wrong=wrong,
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
    files = library.files(collection)
    if len(files) > _SHOWN:  # what was not read must not be among those that are left out
        files.sort(key=lambda file: file.outcome is not None and _whole(file.outcome))
    scans_read = find_tesseract() is not None
    return page(
        "desk_collection.html",
        collection=collection,
        files=files[:_SHOWN],
        count=len(files),
        unread=sum(file.outcome is None for file in files),
        gone=_gone(collection, files),
        failed=sum(file.outcome is not None and not _whole(file.outcome) for file in files),
        scans=scans_note({one.shown: one.outcome.scans for one in files if one.outcome}),
        languages={
            one.shown: one.outcome.language for one in files if one.outcome and one.outcome.language
        },
        reading=reading,
        target=app.targets.get(collection.key),
        models_missing=app.models.missing() if app.models else (),
        endings=" ".join(ENDINGS),
        kinds=[kind for kind in called(ENDINGS) if scans_read or kind != SCANS],
        scans_read=scans_read,
        largest=shelf.LARGEST_FILE // 2**20,
        form_token=app.form_token(COLLECTIONS),
        ask_token=app.form_token(ASK),
        needs_date=app.needs_date,
        longest=LONGEST,
        samples=sample_claims() if is_sample(collection) else (),
    )


def _gone(collection: Collection, files: Sequence[CollectionFile]) -> int:
    there = {file.name for file in files}
    known = read_outcomes(collection).items()
    return sum(name not in there and one.outcome.state in _READ for name, one in known)


def _whole(outcome: FileOutcome) -> bool:
    return outcome.state in _READ and not (outcome.why or outcome.scans)


def changes_collection(change: Change) -> Callable[[App, Request, Form], Response]:
    def changed(app: App, request: Request, form: Form) -> Response:
        library, collection = found(app.library), found(_collection(app, request))
        try:
            return RedirectResponse(change(library, collection, form), 303)
        except UhhragError as error:
            return refused("Not done", sentence(error), 422)

    return changed


@changes_collection
def read_files(library: Library, collection: Collection, form: Form) -> str:
    """With `all`, unchanged files too."""
    library.read(collection.key, again=field(form, "all") == "yes")
    return f"/collections/{collection.key}"


@changes_collection
def stop_reading(library: Library, collection: Collection, form: Form) -> str:
    library.stop_reading(collection.key)
    return f"/collections/{collection.key}"


@changes_collection
def remove_file(library: Library, collection: Collection, form: Form) -> str:
    shelf.remove_file(collection, form.get("name", [""])[0])
    library.read(collection.key)
    return f"/collections/{collection.key}"


def delete(app: App, request: Request, form: Form) -> Response:
    """A missing collection is no error."""
    if app.library and (collection := _collection(app, request)):
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
    with _draft(draft) as file:
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


@contextlib.contextmanager
def _draft(path: Path) -> Iterator[BinaryIO]:
    try:
        with new_file(path) as file:
            yield file
    finally:
        path.unlink(missing_ok=True)


def _collection(app: App, request: Request) -> Collection | None:
    return app.library.find(request.path_params["key"]) if app.library else None
