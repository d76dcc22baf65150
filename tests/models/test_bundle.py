"""One file for a machine without network: what is in it, and that its script installs it."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from uhhrag.errors import UsageError
from uhhrag.models import bundle
from uhhrag.models.bundle import NAME, make_bundle
from uhhrag.models.catalogue import expand

ELSEWHERE = {name: text for name, text in os.environ.items() if name != "PYTHONPATH"}
"""As on a machine without this checkout."""


def wheel(folder: Path, name: str, says: str) -> Path:
    """A wheel of one command, which says that, with a licence."""
    folder.mkdir(parents=True, exist_ok=True)
    made = folder / f"{name}-1.0-py3-none-any.whl"
    about = f"{name}-1.0.dist-info"
    files = {
        f"{name}.py": f"def main():\n    print({says!r})\n",
        f"{about}/entry_points.txt": f"[console_scripts]\n{name} = {name}:main\n",
        f"{about}/METADATA": f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n"
        "License-Expression: MIT\n",
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\n"
        "Tag: py3-none-any\n",
    }
    record = "".join(f"{name},,\n" for name in [*files, f"{about}/RECORD"])
    with zipfile.ZipFile(made, "w") as archive:
        for name, text in {**files, f"{about}/RECORD": record}.items():
            archive.writestr(name, text)
    return made


def unpack(tmp_path, monkeypatch, says: str, *models: str) -> Path:
    """A bundle of a program that says this and of a tool it needs."""

    def wheels(spare, extras):
        needed = wheel(spare / "wheels", "tool", f"as {says} needs")
        return [needed, wheel(spare / "wheels", "uhhrag", says)]

    monkeypatch.setattr(bundle, "_wheels", wheels)
    made = make_bundle(tmp_path / "out" / "uhhrag.tar", ["desk"], expand(models))
    assert (made.wheels, made.size) == (2, made.file.stat().st_size)
    with tarfile.open(made.file) as packed:
        packed.extractall(tmp_path, filter="data")
    (tmp_path / NAME / "models").mkdir(exist_ok=True)
    return tmp_path / NAME


@pytest.fixture
def unpacked(tmp_path, monkeypatch) -> Path:
    """A bundle with NLTK's data, unpacked."""
    return unpack(tmp_path, monkeypatch, "uhhrag 1.0 (build 1)", "nltk-data")


def install(folder: Path, target: Path, *before: str) -> subprocess.CompletedProcess[str]:
    environment = {**ELSEWHERE, "PYTHON": sys.executable, "UHHRAG_HOME": "home"}
    words = [*before, "sh", str(folder / "install.sh"), "there"]
    return subprocess.run(words, env=environment, capture_output=True, text=True, cwd=target)


@pytest.mark.slow
@pytest.mark.model
def test_the_script_installs_what_is_in_the_file_and_nothing_else(unpacked, tmp_path):
    left = unpacked / "wheels" / "tool-0.9-py3-none-any.whl"  # of a bundle unpacked before
    left.write_text("not looked at")
    ran = install(unpacked, tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert f"Set UHHRAG_HOME={tmp_path}/home where you use it." in ran.stdout
    last = f"{tmp_path}/there/bin/uhhrag is uhhrag 1.0 (build 1)."
    assert ran.stdout.splitlines()[-1] == last
    assert said_by("tool", tmp_path) == "as uhhrag 1.0 (build 1) needs"
    assert (tmp_path / "home" / "models" / "nltk-data").is_dir()
    licences = (unpacked / "LICENCES.txt").read_text()
    assert "tool · 1.0 · MIT" in licences
    assert "model nltk-data · WordNet 3.0 licence" in licences


def said_by(command: str, target: Path) -> str:
    words = [str(target / "there" / "bin" / command)]
    return subprocess.run(words, env=ELSEWHERE, capture_output=True, text=True).stdout.strip()


@pytest.mark.slow
def test_a_newer_build_of_the_same_version_replaces_the_older_and_nothing_else(
    tmp_path, monkeypatch
):
    install(unpack(tmp_path, monkeypatch, "uhhrag 1.0 (build 1)"), tmp_path)
    ran = install(unpack(tmp_path, monkeypatch, "uhhrag 1.0 (build 2)"), tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.splitlines()[-1] == (
        f"{tmp_path}/there/bin/uhhrag is uhhrag 1.0 (build 2), in place of uhhrag 1.0 (build 1)."
    )
    assert said_by("uhhrag", tmp_path) == "uhhrag 1.0 (build 2)"
    assert said_by("tool", tmp_path) == "as uhhrag 1.0 (build 1) needs"


@pytest.mark.model
def test_a_damaged_file_and_another_python_are_refused_before_anything_is_installed(
    unpacked, tmp_path
):
    (unpacked / "python-version").write_text("2.7\n")
    ran = install(unpacked, tmp_path)
    assert ran.returncode == 1
    assert "a file of the bundle is damaged" in ran.stderr
    sums = (unpacked / "SHA256SUMS").read_text().splitlines()
    kept = [line for line in sums if "python-version" not in line]
    (unpacked / "SHA256SUMS").write_text("\n".join(kept) + "\n")
    ran = install(unpacked, tmp_path)
    assert ran.returncode == 1
    assert "is for Python 2.7" in ran.stderr
    (unpacked / "python-version").write_text(f"3.{sys.version_info.minor}\n")
    (unpacked / "machine").write_text("abacus\n")
    (unpacked / "SHA256SUMS").write_text(
        "".join(f"{line}\n" for line in kept if "machine" not in line)
    )
    ran = install(unpacked, tmp_path)
    assert "install: this bundle is for abacus; make one on a machine like this" in ran.stderr
    assert not (tmp_path / "there").exists()


def test_what_cannot_be_made_is_refused_before_the_wheels_are(tmp_path, monkeypatch):
    monkeypatch.setattr(bundle, "_wheels", lambda *_: pytest.fail("wheels were made"))
    with pytest.raises(UsageError, match="cannot be written: Is a directory"):
        make_bundle(tmp_path, ["desk"], ())
    with pytest.raises(UsageError, match="--extra soup: is no extra; there are all, corpus, desk"):
        make_bundle(tmp_path / "uhhrag.tar", ["soup"], ())


def test_what_pip_says_is_told_in_a_line(tmp_path, monkeypatch):
    ran = subprocess.CompletedProcess([], 1, "", "WARNING: slow\nERROR: No space left\n")
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: ran)
    with pytest.raises(UsageError, match="wheels together: No space left"):
        make_bundle(tmp_path / "uhhrag.tar", ["desk"], ())


@pytest.mark.parametrize(
    ("recorded", "required"),
    [(None, "uhhrag[desk,llm]=="), ('{"url": "file:///g%20one"}', "/g one: is gone, and")],
)
def test_what_it_was_installed_from_is_asked_for_in_a_way_that_pip_reads(
    monkeypatch, recorded, required
):
    installed = SimpleNamespace(read_text=lambda _: recorded)
    monkeypatch.setattr(bundle, "distribution", lambda _: installed)
    try:
        said = bundle._own_requirement("desk,llm")
    except UsageError as error:
        said = str(error)
    assert said.startswith(required)


def test_llama_cpp_does_not_come_from_where_pip_may_keep_it_for_this_processor_alone(
    tmp_path, monkeypatch
):
    caches = []

    def run(*_, env, **__):
        caches.append(env.get("PIP_CACHE_DIR"))
        return subprocess.CompletedProcess([], 1, "", "")

    monkeypatch.setattr(subprocess, "run", run)
    for extra in ("desk", "llm"):
        with pytest.raises(UsageError):
            make_bundle(tmp_path / "uhhrag.tar", [extra], ())
    assert caches[0] == os.environ.get("PIP_CACHE_DIR")
    assert caches[1] not in (None, caches[0])


def test_a_linked_file_of_a_model_is_packed_whole(tmp_path):
    (tmp_path / "far").write_text("weights")
    (tmp_path / "near").symlink_to("far")
    bundle._pack(tmp_path / "b.tar", {"models/a": tmp_path / "near", "models/b": tmp_path / "far"})
    with tarfile.open(tmp_path / "b.tar") as packed:
        assert [member.size for member in packed.getmembers() if member.isreg()] == [7, 7]


@pytest.mark.heavy
def test_a_whole_bundle_checks_a_claim_without_a_network(tmp_path):
    make_bundle(tmp_path / "uhhrag.tar", ["desk"], expand(["check"]))
    with tarfile.open(tmp_path / "uhhrag.tar") as packed:
        packed.extractall(tmp_path, filter="data")
    closed = ("unshare", "-rn")
    ran = install(tmp_path / NAME, tmp_path, *closed)
    assert ran.returncode == 0, ran.stderr
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "ferry.md").write_text("# The ferry of Lunde\n\nIt was sold in 2019.\n")
    words = [*closed, str(tmp_path / "there" / "bin" / "uhhrag"), "check"]
    words += ["The ferry of Lunde was sold in 2019.", "--docs", str(docs)]
    environment = {**os.environ, "UHHRAG_HOME": str(tmp_path / "home")}
    said = subprocess.run(words, env=environment, capture_output=True, text=True)
    assert "Supported by 1 of 1" in said.stdout, said.stderr
