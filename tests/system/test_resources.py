"""No room, no right to write, no memory, half a model: one line, an exit code, and nothing lost."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.doubles import bytes_of
from tests.support.model_files import require_models
from tests.support.paths import ROOT
from tests.support.standins import Commands, results
from uhhrag import models
from uhhrag.system.address_space import LIBRARIES, MODELS, THREAD

pytestmark = pytest.mark.slow


@pytest.fixture
def uhhrag(made, disk):
    """Commands whose index and run lie on the small disk, and what they should come to."""
    return Commands(disk.folder, made.folder / "models")


def placed(uhhrag: Commands, made: Commands) -> None:
    """The sound index on the small disk, as it was before any run."""
    shutil.copytree(made.index, uhhrag.index, ignore=shutil.ignore_patterns("replies*"))


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
    placed(uhhrag, made)
    disk.fill(room)
    assert uhhrag.predict(cache) == 7
    said = one_line(capsys.readouterr().err)
    # Of a full disk SQLite says "disk I/O error", too, so the advice counts.
    assert "No space left on device" in said or "make room" in said
    (disk.folder / "others").unlink()
    assert uhhrag.predict("--trec", cache) == 0
    assert results(uhhrag) == results(made)


def test_a_read_only_folder_is_one_line(uhhrag, made, disk, capsys):
    placed(uhhrag, made)
    assert uhhrag.predict("--trec", "--no-cache") == 0
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


@pytest.mark.parametrize("limit", [200, 600, 750, 1300, 2300])
def test_too_little_address_space_for_the_libraries_is_one_line(tmp_path, limit):
    """At these sizes the libraries crashed, hung and interrupted us before it was refused."""
    code, said = ran("check-files", tmp_path, limit=limit)
    assert code == 5
    assert f"may take {(limit << 20) / 1e9:.1f} GB of address space" in one_line(said)


def test_the_address_space_that_is_required_is_enough_for_the_libraries(made):
    limit = (LIBRARIES + THREAD * (os.cpu_count() or 1)) // 2**20 + 1
    assert ran("check-files", made.index, limit=limit) == (0, "")


def test_documents_are_read_under_a_limit_of_the_users(tmp_path):
    """Their reader sets a limit of its own, which must not lie above the user's."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "rain.txt").write_text("It rained in the valley for nine days.")
    code, said = ran(
        "ingest", tmp_path / "docs", "--out", tmp_path / "data", "--no-vectors", limit=5000
    )
    assert code == 0, said


def test_what_needs_no_libraries_runs_in_little_address_space():
    assert ran("models", "list", limit=200)[0] == 0


# With real models


@pytest.fixture(scope="module")
def real(tmp_path_factory) -> Path:
    require_models("minilm", "smollm2-135m", "nltk-data")
    folder = tmp_path_factory.mktemp("real")
    assert ran("index", ROOT / "data", "--out", folder / "index", "--limit", 1)[0] == 0
    return folder


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("share", [0.5, 0.9, 0.99])
def test_too_little_address_space_for_the_models_is_one_line(real, tmp_path, share):
    """`share` of what the embedder is said to need: here torch crashed before it was refused."""
    limit = int(share * (MODELS + THREAD * (os.cpu_count() or 1))) >> 20
    options = ("--index", real / "index", "--out", tmp_path / "run", "--llm", "smollm2-135m")
    code, said = ran("predict", *options, "--threads", 1, "--top-n", 1, limit=limit)
    assert code == 5, said
    assert one_line(said).endswith("; lift the limit: ulimit -v unlimited")
    assert not (tmp_path / "run").exists()


@pytest.mark.heavy
@pytest.mark.model
def test_the_address_space_that_is_required_is_enough(real, tmp_path):
    """With 100 MB more than for the model file, all claims are decided."""
    file = models.path("smollm2-135m").stat().st_size
    limit = (MODELS + THREAD * (os.cpu_count() or 1) + file + 100_000_000) >> 20
    options = ("--index", real / "index", "--out", tmp_path / "run", "--llm", "smollm2-135m")
    assert ran("predict", *options, limit=limit)[0] == 0
    words = ("index", ROOT / "data", "--out", tmp_path / "index", "--limit", 2)
    assert ran(*words, limit=limit)[0] == 0


STARVED = """
import resource, sys
from pathlib import Path
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.errors import ModelError
from uhhrag.records import PickOne, Prompt

taken = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (taken + (int(sys.argv[2]) << 20),) * 2)
try:
    llm = llamacpp.load(Path(sys.argv[1]), threads=1)
    llm([Prompt("vote", "", "Yes or no?")], PickOne(("A", "B")))
except (ModelError, MemoryError) as error:
    sys.exit(f"uhhrag: {error}")
print("enough")
"""


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("spare", [1, *range(50, 1000, 50), 310])
def test_llama_cpp_without_memory_is_one_line(real, spare):
    """With so many MB to spare as the model is loaded: from none for its file, over none for its
    cache or its graph, to enough."""
    model = models.path("smollm2-135m")
    done = subprocess.run(
        [sys.executable, "-c", STARVED, str(model), str(spare)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    if done.stdout != "enough\n":
        assert done.returncode in (1, 5), (done.returncode, done.stderr)
        one_line(done.stderr)


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
