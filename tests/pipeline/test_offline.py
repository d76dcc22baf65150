"""Nothing leaves the machine: no connection, no name looked up, no pickle read, no file for others.

The real commands on the real small models, in processes of their own, twice: with a guard that
ends a process at its first attempt, and in a network namespace that has no interface.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import socket
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.doubles import load_nltk_data
from uhhrag import models
from uhhrag.backends import sentence_transformer
from uhhrag.errors import ModelError
from uhhrag.wiring import embedders

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "data"
GUARD = Path(__file__).resolve().parents[1] / "guard"
SMALL = ("--llm", "smollm2-135m", "--threads", "1", "--limit", "1", "--top-n", "2")


def without_network() -> list[str]:
    """A command that runs another without network interfaces."""
    for command in (["unshare", "-n"], ["unshare", "-rn"]):
        if (
            shutil.which("unshare")
            and not subprocess.run([*command, "true"], check=False).returncode
        ):
            return command
    pytest.skip("this user may not make a network namespace (unshare -n)")


def guarded(log: Path, **more: str) -> dict[str, str]:
    path = f"{GUARD}{os.pathsep}{ROOT}"
    return {**os.environ, "PYTHONPATH": path, "UHHRAG_GUARD": str(log), "COLUMNS": "80", **more}


def uhhrag(*arguments: object, env: dict[str, str], before: list[str] | None = None) -> str:
    """Run a command, which must succeed; what it printed."""
    command = [*(before or []), sys.executable, "-m", "uhhrag", *map(str, arguments)]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=False, umask=0)
    log = Path(env.get("UHHRAG_GUARD", "nowhere"))
    said = log.read_text() if log.exists() else ran.stderr
    assert ran.returncode == 0, said
    return ran.stdout


@pytest.fixture(scope="module")
def _models():
    try:
        for name in ("minilm", "smollm2-135m", "nltk-data"):
            models.path(name)
    except ModelError as error:
        pytest.skip(str(error))


# The guard itself


@pytest.mark.parametrize(
    "attempt",
    [
        "import socket; socket.create_connection(('127.0.0.1', 9))",
        "import socket; socket.getaddrinfo('example.org', 443)",
        "import socket; socket.gethostbyname('example.org')",
        "import socket; socket.socket(type=socket.SOCK_DGRAM).sendto(b'x', ('127.0.0.1', 9))",
        "import urllib.request; urllib.request.urlopen('http://example.org')",
        "import subprocess, sys; sys.exit(subprocess.call([sys.executable, '-c', "
        "'import socket; socket.create_connection((\"127.0.0.1\", 9))']))",
        "import pickle, fractions; pickle.loads(pickle.dumps(fractions.Fraction(1, 2)))",
        "open('weights.bin')",
    ],
)
def test_the_guard_ends_a_process_that_tries(tmp_path, attempt):
    log = tmp_path / "log"
    command = [sys.executable, "-c", attempt]
    ran = subprocess.run(command, env=guarded(log), capture_output=True, check=False)
    assert ran.returncode == 97
    assert log.read_text()


def test_the_guard_lets_a_harmless_process_be(tmp_path):
    harmless = "import socket; a, b = socket.socketpair(); a.send(b'x'); print(len(b.recv(9)))"
    command = [sys.executable, "-c", harmless]
    ran = subprocess.run(command, env=guarded(tmp_path / "log"), capture_output=True, check=True)
    assert ran.stdout == b"1\n"


def test_the_namespace_has_no_way_out():
    out = "import socket; socket.create_connection(('127.0.0.1', 9))"
    command = [*without_network(), sys.executable, "-c", out]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Network is unreachable" in ran.stderr or "Cannot assign" in ran.stderr
    names = [name for _, name in socket.if_nameindex()]
    assert names  # here there are some


# The commands


def all_commands(folder: Path, env: dict[str, str], before: list[str] | None = None) -> bytes:
    """Index, decide and score; what was decided."""
    index, run = folder / "index", folder / "run"
    gold = folder / "gold.json"
    answer = {"answer": "Yes.", "answer_type": "Extractive"}
    questions = [{"question": "Is it?", "answers": [answer]}]
    claims = json.loads((SAMPLE / "claims.json").read_text(encoding="utf-8"))
    gold.write_text(json.dumps([{**row, "questions": questions} for row in claims]))
    uhhrag("index", SAMPLE, "--out", index, "--limit", 1, env=env, before=before)
    uhhrag("predict", "--index", index, "--out", run, "--trec", *SMALL, env=env, before=before)
    scored = ("evaluate", run, "--gold", gold, "--workers", 2, "--json")
    found = json.loads(uhhrag(*scored, env=env, before=before))
    assert 0 <= found["accuracy"] <= 1
    return (run / "trace.jsonl").read_bytes()


@pytest.mark.model
def test_index_predict_and_evaluate_look_up_nothing_connect_to_nothing_read_no_pickle(
    _models, tmp_path
):
    online = {"HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0", "DO_NOT_TRACK": "0"}
    all_commands(tmp_path, guarded(tmp_path / "log", **online))
    assert not (tmp_path / "log").exists()
    assert (tmp_path / "index" / "replies.sqlite").is_file()
    assert readable_by_others(tmp_path / "index", tmp_path / "run") == {}


@pytest.mark.model
def test_index_predict_and_evaluate_work_where_there_is_no_network(_models, tmp_path):
    traces = []
    for name, before in (("with", None), ("without", without_network())):
        (tmp_path / name).mkdir()
        traces.append(all_commands(tmp_path / name, dict(os.environ), before))
    assert traces[0] == traces[1]


# Telemetry


def test_what_could_tell_anybody_anything_is_off_before_a_library_is_loaded():
    code = (
        "import sys; sys.argv = ['uhhrag', 'evaluate', 'x', '--gold', 'y']\n"
        "from uhhrag.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "import os; print(os.environ['HF_HUB_DISABLE_TELEMETRY'], os.environ['DO_NOT_TRACK'])\n"
        "print('huggingface_hub' in sys.modules)\n"
        "from huggingface_hub import constants; print(constants.HF_HUB_DISABLE_TELEMETRY)\n"
    )
    env = {**os.environ, "HF_HUB_DISABLE_TELEMETRY": "0", "DO_NOT_TRACK": "0"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert ran.stdout.split() == [b"1", b"1", b"False", b"True"]


def test_the_telemetry_of_onnx_runtime_is_off_before_a_model_is_read(tmp_path, monkeypatch):
    onnxruntime = pytest.importorskip("onnxruntime")
    from uhhrag.backends import cross_encoder

    calls = []
    monkeypatch.setattr(onnxruntime, "disable_telemetry_events", lambda: calls.append("off"))
    with pytest.raises(ModelError):
        cross_encoder.load(tmp_path, 1)
    assert calls == ["off"]


@pytest.mark.model
def test_the_embedder_is_loaded_with_every_door_to_the_hub_shut(_models):
    code = (
        "from uhhrag.backends import sentence_transformer as sbert; from uhhrag import models\n"
        "sbert.load(models.path('minilm'))\n"
        "from huggingface_hub import constants as c\n"
        "print(c.HF_HUB_OFFLINE, c.HF_HUB_DISABLE_TELEMETRY)\n"
        "import sys; print('codecarbon' in sys.modules, 'wandb' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout.split() == [b"True", b"True", b"False", b"False"]
    assert set(sentence_transformer._OFFLINE) >= {
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_HUB_DISABLE_TELEMETRY",
        "DO_NOT_TRACK",
    }


# Pickles and code


class _Harm:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self):
        return (Path.touch, (self.file,))


@pytest.fixture
def minilm(_models, tmp_path):
    return Path(shutil.copytree(models.path("minilm"), tmp_path / "model"))


@pytest.mark.model
@pytest.mark.parametrize("where", ["", "1_Pooling"])
def test_weights_that_are_a_pickle_are_refused_and_never_run(minilm, tmp_path, where):
    harm = tmp_path / "harmed"
    (minilm / "model.safetensors").unlink()
    (minilm / where / "pytorch_model.bin").write_bytes(pickle.dumps(_Harm(harm)))
    with pytest.raises(ModelError, match="is a pickle, which could run anything"):
        sentence_transformer.load(minilm)
    assert not harm.exists()


@pytest.mark.model
def test_a_pickle_beside_safetensors_is_never_opened(minilm, tmp_path):
    harm = tmp_path / "harmed"
    for name in ("pytorch_model.bin", "model.pt", "training_args.bin"):
        (minilm / name).write_bytes(pickle.dumps(_Harm(harm)))
    assert sentence_transformer.load(minilm)(["Rain."]).shape == (1, 384)
    assert not harm.exists()


@pytest.mark.model
def test_python_that_a_model_folder_brings_is_not_run(minilm, tmp_path):
    harm = tmp_path / "harmed"
    (minilm / "own.py").write_text(f"from pathlib import Path\nPath({str(harm)!r}).touch()\n")
    modules = json.loads((minilm / "modules.json").read_text())
    modules[1]["type"] = "own.Pooling"
    (minilm / "modules.json").write_text(json.dumps(modules))
    with pytest.raises(ModelError, match="cannot be loaded"):
        sentence_transformer.load(minilm)
    assert not harm.exists()


@pytest.mark.model
def test_a_model_of_the_table_is_refused_when_one_byte_has_changed(_models, tmp_path, monkeypatch):
    folder = tmp_path / "models" / "minilm"
    shutil.copytree(models.path("minilm"), folder)
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    models.verify("minilm")
    weights = bytearray((folder / "model.safetensors").read_bytes())
    weights[-9] ^= 1
    (folder / "model.safetensors").write_bytes(weights)
    with pytest.raises(ModelError, match=r"damaged: model\.safetensors"):
        embedders.load_embedder("minilm")


def test_no_module_of_ours_reads_pickles_or_runs_what_it_reads():
    forbidden = re.compile(
        r"\b(pickle|marshal|shelve\b|joblib|torch\.load|eval\(|exec\(|os\.system|shell=True|"
        r"allow_pickle=True|nltk\.download|yaml\.load\()"
    )
    for file in sorted((ROOT / "uhhrag").rglob("*.py")):
        code = re.sub(r'""".*?"""|#.*|"[^"\n]*"', "", file.read_text(encoding="utf-8"), flags=re.S)
        code = code.replace(".eval()", "")  # torch's word for: not training
        assert forbidden.search(code) is None, f"{file}: {forbidden.search(code)}"


# Files

WRITE_WITHOUT_MODELS = """
import contextlib, json, os
from pathlib import Path
from tests.mistakes.room import furnish, said, stand_ins
from uhhrag.wiring import nltk_data

os.umask(0)
evidence = [{"question": "Q?", "answer": "A."}]
labels = ("Supported", "Refuted")
train = [{"claim": f"C{n}", "label": labels[n % 2], "evidence": evidence} for n in range(18)]
room = Path("room")
room.mkdir()
nltk_data.load_nltk_data()
with contextlib.chdir(room), stand_ins():
    furnish(Path())
    Path("train.json").write_text(json.dumps(train))
    for command in (
        "predict --out mine --trec --limit 1",
        "convert said.json new/said.csv",
        "calibrate train.json --out cal/c.json --size 8",
        "index data --out fresh/index",
    ):
        code, _, error = said(f"uhhrag {command}")
        assert code == 0, (command, error)
assert os.umask(0) == 0, "the mask is not put back"
"""


def readable_by_others(*folders: Path) -> dict[str, str]:
    """The modes of files and folders that more than their user may use."""
    paths = [path for folder in folders for path in (folder, *folder.rglob("*"))]
    assert len(paths) > 3
    modes = {str(path): stat.S_IMODE(path.stat().st_mode) for path in paths}
    return {name: oct(mode) for name, mode in modes.items() if mode & 0o077}


def test_what_commands_create_only_its_user_can_use(tmp_path):
    load_nltk_data()
    env = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", WRITE_WITHOUT_MODELS]
    ran = subprocess.run(
        command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    room = tmp_path / "room"
    made = [room / name for name in ("mine", "new", "cal", "fresh")]
    names = {path.name for folder in made for path in folder.rglob("*")}
    assert names >= {"predictions.json", "trace.jsonl", "run.json", "timings.jsonl", ".lock"}
    assert names >= {"vectors.trec", "said.csv", "c.json", "passages.parquet", "manifest.json"}
    assert readable_by_others(*made) == {}


def test_models_are_fetched_with_the_users_own_mask():
    """Weights are public, and one folder of them may serve several users."""
    code = (
        "import os, sys; from uhhrag.cli import app; os.umask(0o022); masks = []\n"
        "from uhhrag.models import local\n"
        "local.state = lambda model: masks.append(os.umask(0o022))\n"
        "sys.argv = ['uhhrag', 'models', 'list']; app(standalone_mode=False); print(set(masks))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "{18}"
