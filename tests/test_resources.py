"""No room, no right to write, no memory, half a model: one line, an exit code, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.doubles import bytes_of
from tests.standins import Commands, results
from uhhrag import models
from uhhrag.errors import ModelError

ROOT = Path(__file__).resolve().parents[1]


class Disk:
    """A small file system in memory, for root only."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        if os.geteuid() or shutil.which("mount") is None or self.mount("size=10m"):
            pytest.skip("needs the right to mount a file system")

    def mount(self, options: str) -> int:
        what = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(self.folder)]
        return subprocess.run(what, capture_output=True, check=False).returncode

    def again(self, options: str) -> None:
        what = ["mount", "-o", f"remount,{options}", str(self.folder)]
        subprocess.run(what, capture_output=True, check=True)

    def fill(self, leaving: int) -> None:
        """Take all room but so many bytes."""
        free = os.statvfs(self.folder)
        (self.folder / "others").write_bytes(b"x" * (free.f_bavail * free.f_frsize - leaving))


@pytest.fixture
def disk(tmp_path) -> Iterator[Disk]:
    found = Disk(tmp_path / "disk")
    yield found
    subprocess.run(["umount", "-l", str(found.folder)], check=False)


@pytest.fixture
def uhhrag(made, disk):
    """Commands whose index and run lie on the small disk, and what they should come to."""
    return Commands(disk.folder, made.folder / "models")


def one_line(said: str) -> str:
    """The one line of an error, beside the notices and the progress of a command."""
    lines = [line for line in said.splitlines() if line.startswith("uhhrag: ")]
    assert len(lines) == 1, said
    assert "Traceback" not in said
    assert len(lines[0]) < 500
    return lines[0]


@pytest.mark.parametrize("room", [0, 5_000, 40_000, 60_000])
def test_a_full_disk_under_index_is_one_line_and_the_next_run_goes_on(
    uhhrag,
    made,
    disk,
    capsys,
    room,
):
    disk.again("size=300k")
    disk.fill(room)
    assert uhhrag.build() == 4
    assert "No space left on device" in one_line(capsys.readouterr().err)
    before = bytes_of(uhhrag.index) if uhhrag.index.exists() else {}
    sound = bytes_of(made.index)
    complete = {n: c for n, c in before.items() if n.startswith("claims/") and "/." not in n}
    assert complete.items() <= sound.items()
    disk.again("size=10m")
    assert uhhrag.build() == 0
    assert uhhrag.verify(uhhrag.index) == 0
    assert bytes_of(uhhrag.index) == {n: c for n, c in sound.items() if "replies" not in n}


@pytest.mark.parametrize("room", [0, 9_000, 20_000, 28_000])
@pytest.mark.parametrize("cache", ["--cache", "--no-cache"])
def test_a_full_disk_under_predict_is_one_line_and_the_next_run_goes_on(
    uhhrag,
    made,
    disk,
    capsys,
    room,
    cache,
):
    assert uhhrag.build() == 0
    capsys.readouterr()
    disk.fill(room)
    assert uhhrag.predict(cache) == 7
    said = one_line(capsys.readouterr().err)
    # Of a full disk SQLite says "disk I/O error", too, so the advice counts.
    assert "No space left on device" in said or "make room" in said
    (disk.folder / "others").unlink()
    assert uhhrag.predict("--trec", cache) == 0
    assert results(uhhrag) == results(made)


def test_a_read_only_folder_is_one_line(uhhrag, made, disk, capsys):
    assert uhhrag.build() == uhhrag.predict("--trec", "--no-cache") == 0
    capsys.readouterr()
    disk.again("ro")
    assert uhhrag.build("--overwrite") == 4
    assert "Read-only file system" in one_line(capsys.readouterr().err)
    assert uhhrag.predict("--overwrite", "--no-cache") == 7
    one_line(capsys.readouterr().err)
    assert uhhrag("merge", uhhrag.index, made.index) == 4
    one_line(capsys.readouterr().err)
    assert uhhrag.verify(uhhrag.index) == uhhrag.verify(uhhrag.run) == 0
    assert results(uhhrag) == results(made)


def test_a_calibration_that_cannot_be_written_is_said_before_any_vote(uhhrag, disk, capsys):
    disk.again("ro")
    train = ROOT / "data" / "claims.json"
    for out in (disk.folder / "new" / "c.json", disk.folder):
        assert uhhrag("calibrate", train, "--out", out, "--llm", "no-such-model") == 2
        assert "cannot be written: " in one_line(capsys.readouterr().err)


def ran(*words: object, limit: int | None = None, out: object = None) -> tuple[int, str]:
    """A command in a process of its own; `limit` is how many MB more than the interpreter needs
    it may take."""
    program = (
        "import resource, sys\n"
        "from uhhrag.cli import main\n"
        "if int(sys.argv[1]):\n"
        "    resource.setrlimit(resource.RLIMIT_AS, (int(sys.argv[1]) << 20,) * 2)\n"
        "sys.argv[1:] = sys.argv[2:]\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(limit or 0), *map(str, words)],
        cwd=ROOT,
        stdout=out or subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
def test_output_that_cannot_be_written_is_one_line():
    with Path("/dev/full").open("w") as full:
        code, said = ran("models", "list", out=full)
    assert (code, said) == (1, "uhhrag: the output: No space left on device\n")


# With real models


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> Path:
    try:
        for name in ("minilm", "smollm2-135m", "nltk-data"):
            models.path(name)
    except ModelError as error:
        pytest.skip(str(error))
    folder = tmp_path_factory.mktemp("real")
    assert ran("index", ROOT / "data", "--out", folder / "index", "--limit", 1)[0] == 0
    return folder


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("limit", [600, 900, 1100, 1400, 1800, 2300])
def test_too_little_memory_is_one_line(real, tmp_path, limit):
    """From none for the libraries, over none for the embedder, the model or its cache, to
    enough."""
    options = ("--index", real / "index", "--out", tmp_path / "run", "--llm", "smollm2-135m")
    code, said = ran("predict", *options, "--threads", 1, "--top-n", 1, limit=limit)
    assert code in (0, 5, 8), said
    if code:
        one_line(said)


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("share", [0, 0.001, 0.5, 0.999])
def test_a_model_file_cut_short_is_one_line(real, tmp_path, share):
    whole = models.path("smollm2-135m")
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(whole.read_bytes()[: int(whole.stat().st_size * share)])
    options = ("--index", real / "index", "--out", tmp_path / "run", "--llm", cut)
    code, said = ran("predict", *options, "--top-n", 1)
    assert code == 5
    assert "cut.gguf" in one_line(said)


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("share", [0, 0.5, 0.999])
def test_an_embedder_cut_short_is_one_line(real, tmp_path, share):
    folder = Path(shutil.copytree(models.path("minilm"), tmp_path / "minilm"))
    (weights,) = folder.glob("*.safetensors")
    weights.write_bytes(weights.read_bytes()[: int(weights.stat().st_size * share)])
    (folder / "pulled.json").unlink(missing_ok=True)
    words = ("index", ROOT / "data", "--out", tmp_path / "i", "--embedder", folder, "--limit", 1)
    code, said = ran(*words)
    assert code == 5
    one_line(said)
    assert not (tmp_path / "i" / "claims").exists()
