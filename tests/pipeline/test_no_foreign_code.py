"""Pickles and code in a model's folder are never run."""

from __future__ import annotations

import json
import pickle
import re
import shutil
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from uhhrag import models
from uhhrag.backends import sentence_transformer
from uhhrag.errors import ModelError
from uhhrag.wiring import embedders


class _Harm:
    def __init__(self, file: Path) -> None:
        self.file = file

    def __reduce__(self):
        return (Path.touch, (self.file,))


@pytest.fixture
def minilm(small_models, tmp_path):
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
def test_a_model_of_the_table_is_refused_when_one_byte_has_changed(
    small_models, tmp_path, monkeypatch
):
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
