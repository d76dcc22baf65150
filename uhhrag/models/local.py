from __future__ import annotations

import errno
import json
import os
import shlex
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from enum import StrEnum
from pathlib import Path, PurePosixPath

from uhhrag.errors import ModelError
from uhhrag.models.catalogue import MODELS, Model, ModelFile, Use
from uhhrag.system.atomic import write_file
from uhhrag.system.checksums import sha256
from uhhrag.system.machine_cache import sha256_of_files
from uhhrag.system.places import lost_link, owner
from uhhrag.system.places import models as root
from uhhrag.system.terminal import meant

RECORD = "pulled.json"
"""Size and SHA-256 of each file, written last."""


class ModelState(StrEnum):
    PRESENT = "present"
    MISSING = "missing"
    DAMAGED = "damaged"
    UNREADABLE = "not readable"
    LOST = "a link to nothing"


def folder(model: Model, under: Path | None = None) -> Path:
    return (under or root()) / model.name


def path(name_or_path: str) -> Path:
    """Folder or .gguf file. Raises ModelError if missing or cut short."""
    if model := MODELS.get(name_or_path):
        _require_present(model)
        return folder(model) / model.files[0].path if model.use is Use.LLM else folder(model)
    place = Path(os.path.expanduser(name_or_path))  # noqa: PTH111  (Path's raises for ~unknown)
    if name_or_path and (place.is_dir() or (place.suffix == ".gguf" and place.is_file())):
        return place
    raise ModelError(
        f"model '{name_or_path}' is not in the table and no such folder or .gguf file exists; "
        f"{meant(name_or_path, MODELS)}see: uhhrag models list"
    )


def trusts_code(name: str) -> bool:
    """Whether a model may run its own Python; False for a path."""
    return name in MODELS and MODELS[name].code is not None


def state(model: Model, under: Path | None = None) -> ModelState:
    return look(model, under)[0]


def look(model: Model, under: Path | None = None) -> tuple[ModelState, str]:
    """With fault and remedy. By names and sizes; `verify` reads the bytes."""
    model_path = folder(model, under)
    try:
        wanted = _expected_sizes(model, model_path)
        sizes = {name: _size(model_path / name) for name in wanted}
    except OSError as error:
        return ModelState.UNREADABLE, _unreadable(model_path, error)
    missing = [name for name, size in sizes.items() if size is None]
    if lost := next(filter(None, (lost_link(model_path / name) for name in missing)), ""):
        return ModelState.LOST, lost
    if len(missing) == len(sizes):
        return ModelState.MISSING, ""
    for name, size in sizes.items():
        if size is None or size != (wanted[name] or size):
            what = "is missing" if size is None else f"has {size:,} bytes, not {wanted[name]:,}"
            return ModelState.DAMAGED, _damaged(model_path, name, what, model)
    return ModelState.PRESENT, ""


def verify(name_or_path: str, *, again: bool = False) -> dict[str, str]:
    """SHA-256 by path; `again` reads unchanged files too. Raises ModelError for a damaged model."""
    model_path = path(name_or_path)
    hashes = _hashes(model_path, again=again)
    model = MODELS.get(name_or_path)
    for name, wanted in _expected_hashes(
        model, model_path if model_path.is_dir() else model_path.parent
    ).items():
        if model_path.is_file() and name != model_path.name:
            continue
        if (found := hashes.get(name, "")) != wanted:
            what = f"hashes to {found[:12]}…, not {wanted[:12]}…" if found else "is missing"
            raise ModelError(_damaged(model_path, name, what, model))
    return hashes


def fingerprint(model_path: Path) -> str:
    """SHA-256 of a file, or of a folder's sorted lines "hash path"."""
    return fingerprint_of(model_path, _hashes(model_path))


def fingerprint_of(model_path: Path, hashes: Mapping[str, str]) -> str:
    if model_path.is_file():
        return hashes[model_path.name]
    return sha256("".join(f"{digest}  {name}\n" for name, digest in hashes.items()))


def files_of(model_path: Path) -> Iterator[Path]:
    """Sorted, without record, hidden files and caches."""
    files = (file for file in model_path.rglob("*") if file.is_file())
    for file in sorted(files, key=lambda file: file.relative_to(model_path).as_posix()):
        parts = file.relative_to(model_path).parts
        if parts != (RECORD,) and not any(p[0] == "." or p == "__pycache__" for p in parts):
            yield file


def write_record(model_path: Path, digests: Mapping[str, str]) -> None:
    """A pull's last step."""
    files = {
        name: {"size": (model_path / name).stat().st_size, "sha256": digest}
        for name, digest in sorted(digests.items())
    }
    write_file(model_path / RECORD, (json.dumps({"files": files}, indent=1) + "\n").encode())


def stays(model: Model, file: ModelFile) -> bool:
    return not file.unpack and not (model.code and file.path == "config.json")


def missing(models: Iterable[Model]) -> tuple[Model, ...]:
    return tuple(model for model in models if state(model) is not ModelState.PRESENT)


def require_present(models: Iterable[Model]) -> None:
    """Raises ModelError that names all missing ones."""
    absent = [model for model in models if state(model) is ModelState.MISSING]
    if len(absent) == 1:
        _require_present(absent[0])
    if absent:
        names, size = [model.name for model in absent], sum(model.size for model in absent)
        raise ModelError(
            f"{len(absent)} models are not on this machine: {', '.join(names)}; run: uhhrag models "
            f"pull {' '.join(names)} ({size_in_words(size)})"
        )


def size_in_words(size: float) -> str:
    """
    >>> size_in_words(1_117_320_768), size_in_words(545_000_000), size_in_words(41_200)
    ('1.1 GB', '545 MB', '41 KB')
    """
    if size >= 1e9:
        return f"{size / 1e9:.1f} GB"
    return f"{size / 1e6:.0f} MB" if size >= 1e6 else f"{size / 1e3:.0f} KB"


def _require_present(model: Model) -> None:
    state, fault = look(model)
    if state is ModelState.MISSING:
        raise ModelError(
            f"model '{model.name}' is not on this machine; run: uhhrag models pull {model.name}"
        )
    if fault:
        raise ModelError(f"model '{model.name}': {fault}")


def _size(file: Path) -> int | None:
    """None if it is missing. Raises OSError if it cannot be read."""
    with suppress(FileNotFoundError, NotADirectoryError):
        size = file.stat().st_size
        if not os.access(file, os.R_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(file))
        return size
    return None


def _record(model_path: Path) -> dict[str, dict[str, object]]:
    try:
        files = json.loads((model_path / RECORD).read_text(encoding="utf-8"))["files"]
        inside = (n for n in files if {"..", "/"}.isdisjoint(PurePosixPath(n).parts))
        return {name: dict(files[name]) for name in inside if len(name) < 200}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}


def _expected_sizes(model: Model, model_path: Path) -> dict[str, int | None]:
    sizes: dict[str, int | None] = {
        file.path: file.size for file in model.every_file if stays(model, file)
    }
    if not all(stays(model, file) for file in model.every_file):
        sizes[RECORD] = None
    for name, facts in _record(model_path).items():
        size = facts.get("size")
        if sizes.get(name) is None and isinstance(size, int):
            sizes[name] = size
    return sizes


def _expected_hashes(model: Model | None, model_path: Path) -> dict[str, str]:
    recorded = {name: str(facts.get("sha256")) for name, facts in _record(model_path).items()}
    if model is None:
        return recorded
    pinned = {file.path: file.sha256 for file in model.every_file if stays(model, file)}
    return recorded | {name: digest for name, digest in pinned.items() if digest}


def _hashes(model_path: Path, *, again: bool = False) -> dict[str, str]:
    try:
        if model_path.is_file():
            return {model_path.name: sha256_of_files([model_path], again=again)[0]}
        files = list(files_of(model_path))
        names = [file.relative_to(model_path).as_posix() for file in files]
        return dict(zip(names, sha256_of_files(files, again=again), strict=True))
    except OSError as error:
        raise ModelError(_unreadable(model_path, error)) from error


def _damaged(model_path: Path, name: str, what: str, model: Model | None) -> str:
    again = f"run: uhhrag models pull {model.name} --again" if model else "copy it again"
    return (
        f"damaged: {name} in {model_path if model_path.is_dir() else model_path.parent} "
        f"{what}; {again}"
    )


def _unreadable(model_path: Path, error: OSError) -> str:
    place = model_path.parent if model_path.parent == root() else model_path
    who = owner(Path(error.filename or model_path)) or "its owner"
    helps = f"let {who} run: chmod -R a+rX {shlex.quote(str(place))}"
    helps = helps if isinstance(error, PermissionError) else "look at its disk"
    return f"{error.filename or model_path}: cannot be read: {error.strerror}; {helps}"
