"""What is installed works without the checkout: prompts, calibrations and the command."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from uhhrag import __version__
from uhhrag.prompts.templates import load_prompts
from uhhrag.system.build import build

pytestmark = pytest.mark.slow


def python(*arguments: str, cwd: Path, path: str = "") -> str:
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    ).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    if not importlib.util.find_spec("hatchling"):
        pytest.skip("hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("dist")
    python("-m", "hatchling", "build", "-t", "wheel", "-d", str(folder), cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The wheel unpacked, as an installer does with one of pure Python."""
    folder = tmp_path_factory.mktemp("site")
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return folder


def test_the_wheel_holds_the_package_its_prompts_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"uhhrag", f"uhhrag-{__version__}.dist-info"}
    assert {"uhhrag/voters/calibrations.json", "uhhrag/py.typed"} <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)


@pytest.mark.parametrize(
    ("inside", "folder", "kind", "one"),
    [
        ("uhhrag/config/recipes", "uhhrag/config/recipes", "*.toml", "uhh.toml"),
        ("uhhrag/templates", "prompts", "*.txt", "vote_paper.txt"),
        ("uhhrag/views/assets", "uhhrag/views/assets", "*", "report.js"),
        ("uhhrag/views/templates", "uhhrag/views/templates", "*.html", "desk.html"),
        ("uhhrag/sample", "data", "*.json", "claims.json"),
        ("uhhrag/sample/knowledge_store", "data/knowledge_store", "*.json", "0.json"),
        ("uhhrag/store", "uhhrag/store", "*.txt", "sites.txt"),
        ("uhhrag/voters", "uhhrag/voters", "*.json", "calibrations.json"),
    ],
)
def test_the_wheel_holds_the_files_the_program_reads_as_they_are(wheel, inside, folder, kind, one):
    files = sorted((ROOT / folder).glob(kind))
    assert one in {file.name for file in files}
    with zipfile.ZipFile(wheel) as archive:
        for file in files:
            assert archive.read(f"{inside}/{file.name}") == file.read_bytes()


def test_installed_outside_the_checkout_it_has_its_recipes_and_sites(installed, tmp_path):
    program = (
        "from pathlib import Path; from uhhrag.store import filters as limits\n"
        "from uhhrag.config import recipe\n"
        "print(limits.__file__)\n"
        "print(*[recipe.read_recipe(name).name for name in recipe.names()])\n"
        "print(len(limits.read_limits(None, Path('default'), undated=True).sites))"
    )
    file, names, sites = python("-c", program, cwd=tmp_path, path=str(installed)).splitlines()
    assert Path(file).is_relative_to(installed)
    assert names.split() == [
        path.stem for path in sorted((ROOT / "uhhrag/config/recipes").glob("*.toml"))
    ]
    assert int(sites) > 20


def test_installed_outside_the_checkout_it_has_its_prompts_and_calibrations(installed, tmp_path):
    program = (
        "import uhhrag; from uhhrag.prompts.templates import load_prompts\n"
        "from uhhrag.voters import calibration\n"
        "print(uhhrag.__file__, load_prompts().hash, calibration.read_entries(calibration.SHIPPED))"
    )
    # -S -E would hide the libraries; the checkout is hidden by the path that comes first.
    file, found, *_ = python("-c", program, cwd=tmp_path, path=str(installed)).split()
    assert Path(file).is_relative_to(installed)
    assert found == load_prompts().hash


def test_installed_outside_the_checkout_the_command_runs(installed, tmp_path):
    def uhhrag(*arguments: str) -> str:
        return python("-m", "uhhrag", *arguments, cwd=tmp_path, path=str(installed))

    assert uhhrag("--version") == f"uhhrag {__version__} (build {build()})\n"
    assert "predict" in uhhrag("--help")


def test_the_command_is_declared(installed):
    points = next(installed.glob("*.dist-info")) / "entry_points.txt"
    assert "uhhrag = uhhrag.cli:main" in points.read_text()
