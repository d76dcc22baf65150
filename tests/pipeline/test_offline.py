"""Nothing is looked up, connected to or told to anybody."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.backends.tiny_models import save_classifier
from tests.support.file_modes import readable_by_others
from tests.support.paths import ROOT
from uhhrag.backends import kernels

SAMPLE = ROOT / "data"


GUARD = ROOT / "tests" / "guard"


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_the_guard_lets_a_harmless_process_be(tmp_path):
    harmless = "import socket; a, b = socket.socketpair(); a.send(b'x'); print(len(b.recv(9)))"
    command = [sys.executable, "-c", harmless]
    ran = subprocess.run(command, env=guarded(tmp_path / "log"), capture_output=True, check=True)
    assert ran.stdout == b"1\n"


@pytest.mark.slow
def test_the_namespace_has_no_way_out():
    out = "import socket; socket.create_connection(('127.0.0.1', 9))"
    command = [*without_network(), sys.executable, "-c", out]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert "Network is unreachable" in ran.stderr or "Cannot assign" in ran.stderr
    names = [name for _, name in socket.if_nameindex()]
    assert names  # here there are some


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


@pytest.fixture(scope="module")
def watched(small_models, tmp_path_factory) -> Path:
    """The folder of all commands, run under the guard."""
    folder = tmp_path_factory.mktemp("watched")
    online = {"HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0", "DO_NOT_TRACK": "0"}
    all_commands(folder, guarded(folder / "log", **online))
    return folder


@pytest.mark.model
def test_index_predict_and_evaluate_look_up_nothing_connect_to_nothing_read_no_pickle(watched):
    assert not (watched / "log").exists()
    assert (watched / "index" / "replies.sqlite").is_file()
    assert readable_by_others(watched / "index", watched / "run") == {}


@pytest.mark.model
def test_index_predict_and_evaluate_work_where_there_is_no_network(watched, tmp_path):
    trace = all_commands(tmp_path, dict(os.environ), without_network())
    assert trace == (watched / "run" / "trace.jsonl").read_bytes()


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize(
    ("before", "sends"),
    [("import onnxruntime", True), ("from uhhrag.backends import cross_encoder", False)],
)
def test_onnx_runtime_keeps_nothing_to_send(tmp_path, before, sends):
    pytest.importorskip("onnxruntime")
    code = (
        f"{before}\n"
        "from pathlib import Path; from uhhrag.backends import cross_encoder\n"
        "try: cross_encoder.load(Path('none'), 1)\n"
        "except Exception as error: print(type(error).__name__)\n"
    )
    # Nothing else, such as CI, which may make it silent too.
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ORT_DISABLE_TELEMETRY": "0"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert ran.stdout.split() == [b"ModelError"]
    assert any(tmp_path.rglob("onnxruntime.db")) is sends


@pytest.mark.slow
@pytest.mark.model
def test_the_embedder_is_loaded_with_every_door_to_the_hub_shut(small_models):
    code = (
        "from uhhrag.backends import sentence_transformer as sbert; from uhhrag import models\n"
        "sbert.load(models.path('minilm'))\n"
        "from huggingface_hub import constants as c\n"
        "print(c.HF_HUB_OFFLINE, c.HF_HUB_DISABLE_TELEMETRY)\n"
        "import sys; print('codecarbon' in sys.modules, 'wandb' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True)
    assert ran.stdout.split() == [b"True", b"True", b"False", b"False"]
    assert set(kernels._OFFLINE) >= {
        "HF_HUB_OFFLINE",
        "TRANSFORMERS_OFFLINE",
        "HF_HUB_DISABLE_TELEMETRY",
        "DO_NOT_TRACK",
    }


@pytest.mark.slow
def test_a_model_of_the_users_own_is_loaded_with_every_door_to_the_hub_shut(tmp_path):
    save_classifier(tmp_path, "entailment", "neutral", "contradiction")
    code = (
        "from pathlib import Path; from uhhrag.config.settings import Choices, parse\n"
        "from uhhrag.wiring import rerankers; from uhhrag.wiring.machine import Machine\n"
        "rerankers.load_reranker = lambda *_: rerankers.Loaded(None, '')\n"
        f"choices = Choices(approach='entailed-qa', nli=Path({str(tmp_path)!r}))\n"
        "rerankers.readers_of(parse(choices), Machine(), None)\n"
        "from huggingface_hub import constants as c; print(c.HF_HUB_OFFLINE)"
    )
    env = {**os.environ, "HF_HUB_OFFLINE": "0", "TRANSFORMERS_OFFLINE": "0"}
    ran = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, check=True)
    assert ran.stdout.split() == [b"True"]
