"""An offline installer: wheels, models, licences, checksums and a script."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from email.parser import Parser
from importlib import resources
from importlib.metadata import distribution, distributions
from pathlib import Path
from urllib.parse import unquote, urlsplit

import orjson

from uhhrag.errors import UsageError
from uhhrag.models import local
from uhhrag.models.catalogue import Model
from uhhrag.models.wheels import reason
from uhhrag.system import places, writing
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.spare import spare_folder
from uhhrag.system.text_files import require_writable, write_text
from uhhrag.version import __version__

NAME = "uhhrag-bundle"
"""The folder that the file unpacks to."""
_PORTABLE = "-DGGML_NATIVE=OFF"
"""Builds llama.cpp for other processors, too."""


@dataclass(frozen=True, slots=True)
class Bundle:
    file: Path
    wheels: int
    size: int
    """bytes"""


def make_bundle(out: Path, extras: Sequence[str], models: Iterable[Model]) -> Bundle:
    """Raises ModelError for a missing model, UsageError for an extra, pip or `out`."""
    models = tuple(models)
    known = distribution("uhhrag").metadata.get_all("Provides-Extra") or []
    if unknown := next((one for one in extras if one not in known), ""):
        raise UsageError(f"--extra {unknown}: is no extra; there are {', '.join(known)}")
    require_writable(out)
    local.require_present(models)
    for model in models:
        local.verify(model.name)
    with spare_folder() as spare:
        wheels = _wheels(spare, extras)
        texts = {
            "install.sh": (resources.files("uhhrag.models") / "install.sh").read_text("utf-8"),
            "python-version": f"{sys.version_info.major}.{sys.version_info.minor}\n",
            "machine": f"{platform.machine()}\n",
            "LICENCES.txt": _licences(wheels, models),
        }
        for name, text in texts.items():
            write_text(spare / name, text)
        files = {f"wheels/{wheel.name}": wheel for wheel in wheels}
        files |= {name: spare / name for name in texts}
        files |= {f"models/{m.name}/{f}": p for m in models for f, p in _files_of(m).items()}
        sums = "".join(f"{sha256_of_file(path)}  {name}\n" for name, path in files.items())
        write_text(spare / "SHA256SUMS", sums)
        _pack(out, files | {"SHA256SUMS": spare / "SHA256SUMS"})
    return Bundle(out, len(wheels), out.stat().st_size)


def _wheels(spare: Path, extras: Sequence[str]) -> list[Path]:
    pins = spare / "pins.txt"
    installed = {d.name: d.version for d in distributions() if d.name not in ("uhhrag", None)}
    write_text(pins, "".join(f"{name}=={version}\n" for name, version in installed.items()))
    folder = spare / "wheels"
    wanted = _own_requirement(",".join(extras))
    words = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check"]
    words += ["--wheel-dir", str(folder), "--constraint", str(pins), wanted]
    environment = {"CMAKE_ARGS": _PORTABLE, **os.environ}
    if {"all", "llm"} & set(extras):
        # pip keeps what it builds whatever the flags; its own place may have this processor's.
        environment["PIP_CACHE_DIR"] = str(places.cache() / "wheels")
    ran = subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace")
    if ran.returncode:
        raise UsageError(f"pip cannot bring the wheels together: {reason(ran.stderr)}")
    return sorted(folder.glob("*.whl"))


def _own_requirement(extras: str) -> str:
    written = distribution("uhhrag").read_text("direct_url.json")
    url = orjson.loads(written).get("url", "") if written else ""
    if not url.startswith("file:"):
        return f"uhhrag[{extras}]=={__version__}"
    if not (source := Path(unquote(urlsplit(url).path))).exists():
        raise UsageError(f"{source}: is gone, and a bundle is made of it; put it back")
    return f"{source}[{extras}]"


def _files_of(model: Model) -> dict[str, Path]:
    folder = local.folder(model)
    inside = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path for path in inside}


def _licences(wheels: Iterable[Path], models: Iterable[Model]) -> str:
    lines = [" · ".join(_about(wheel)) for wheel in wheels]
    lines += [f"model {model.name} · {model.licence}" for model in models]
    return "\n".join([*lines, ""])


def _about(wheel: Path) -> tuple[str, str, str]:
    with zipfile.ZipFile(wheel) as archive:
        name = next(n for n in archive.namelist() if n.endswith(".dist-info/METADATA"))
        said = Parser().parsestr(archive.read(name).decode("utf-8", "replace"), headersonly=True)
    classified = [c.split(" :: ")[-1] for c in said.get_all("Classifier", []) if "License" in c]
    short = (said["License-Expression"], ", ".join(classified), said["License"])
    licence = next((text.split("\n")[0] for text in short if text and text.strip()), "not stated")
    return said["Name"], said["Version"], licence


def _pack(out: Path, files: dict[str, Path]) -> None:
    """All or nothing."""
    part = out.with_name(out.name + ".part")
    try:
        # A linked file is packed as what it leads to.
        with (
            writing.new_file(part) as stream,
            tarfile.TarFile(fileobj=stream, mode="w", dereference=True) as packed,
        ):
            for name, path in files.items():
                packed.add(path, f"{NAME}/{name}", recursive=False)
        part.replace(out)
    except OSError as error:
        writing.remove(part)
        raise UsageError(f"{out}: cannot be written: {error.strerror}; give another") from error
