"""Fixtures that several files of tests/cli share."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.backends.tiny_models import save_classifier
from tests.support.command import call
from tests.support.doubles import FAKE, fake_embed, load_nltk_data
from tests.support.paths import SAMPLE
from tests.support.predict_command import Recording
from uhhrag.wiring import embedders, llms


@pytest.fixture
def llm():
    return Recording()


@pytest.fixture
def uhhrag(llm, monkeypatch):
    """Run a command with stand-ins for the models: exit code, output, errors."""
    real = llms.load_llm

    def load_llm(name, *more):
        return (llm, "f" * 64) if name == "stand-in" else real(name, *more)

    monkeypatch.setattr(llms, "load_llm", load_llm)
    monkeypatch.setattr(embedders, "load_embedder", lambda *_: (fake_embed, FAKE))
    return call


@pytest.fixture
def data(tmp_path):
    ignored = shutil.ignore_patterns("passages")
    return Path(shutil.copytree(SAMPLE, tmp_path / "data", ignore=ignored))


@pytest.fixture(scope="session")
def sound_index(tmp_path_factory):
    load_nltk_data()
    out = tmp_path_factory.mktemp("sound") / "index"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(embedders, "load_embedder", lambda *_: (fake_embed, FAKE))
        assert call("index", SAMPLE, "--out", out, "--limit", 2)[0] == 0
    return out


@pytest.fixture
def index(uhhrag, sound_index, tmp_path):
    """An index of the first two claims of the sample."""
    return Path(shutil.copytree(sound_index, tmp_path / "index"))


@pytest.fixture
def predict(uhhrag, index, tmp_path):
    def run(*options: object, llm: str = "stand-in") -> tuple[int, str, str]:
        given = map(str, options)
        defaults = {"--index": index, "--out": tmp_path / "run", "--llm": llm}
        options = tuple(given)
        added = [x for k, v in defaults.items() if k not in options for x in (k, v)]
        return uhhrag("predict", *options, *added)

    return run


@pytest.fixture
def train(tmp_path):
    evidence = [{"question": "Is it so?", "answer": "It is."}]
    rows = [
        {"claim": f"Claim {i}{'.' * (i % 2)}", "label": label, "evidence": evidence}
        for i in range(12)
        for label in ("Supported", "Refuted")
    ]
    (tmp_path / "train.json").write_text(json.dumps(rows))
    return tmp_path / "train.json"


@pytest.fixture(scope="session")
def sound_verifier(tmp_path_factory):
    folder = save_classifier(tmp_path_factory.mktemp("sound"), "supports", "refutes", "neutral")
    settings = {"base": "", "base_fingerprint": "", "max_tokens": 64, "scale": 1.0}
    (folder / "verifier.json").write_text(json.dumps({**settings, "bias": [0.0, 2.0, 0.0]}))
    return folder


@pytest.fixture
def verifier(sound_verifier, tmp_path):
    """A verifier of random weights whose bias is for Refuted."""
    return Path(shutil.copytree(sound_verifier, tmp_path / "verifier"))
