"""Our own MPNet beside the library's: the same tokens, the same scores, the same probabilities."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.backends.tiny_models import save_mpnet
from tests.support.model_files import model_path
from uhhrag.backends import (
    kernels,
    mpnet,
    verifier,
    verifier_files,
    verifier_model,
)
from uhhrag.backends.kernels import FP32, hold_if_free
from uhhrag.backends.mpnet import buckets
from uhhrag.wiring.verifiers import SHIPPED

PAIRS = [
    ("the bridge is old", "who is the bridge ?"),
    ("", "what"),
    ("the bridge is old " * 60, "the bridge is old"),
    ("old", "who is the bridge ? " * 60),
]
SETTINGS = verifier_files.VerifierSettings("", "", 48, 0.9, (0.1, -0.2, 0.0))


@pytest.fixture(scope="module")
def tiny(tmp_path_factory) -> Path:
    return save_mpnet(tmp_path_factory.mktemp("mpnet"), 3)


@pytest.fixture(params=[False, True], ids=["fp32", "bf16"])
def in_bf16(request) -> bool:
    return bool(request.param)


def both(folder: Path, base: Path | None, settings: verifier_files.VerifierSettings, in_bf16: bool):
    own = mpnet.load(folder, base, in_bf16=in_bf16)
    theirs = verifier_model.load_by_library(folder, base, "cpu", in_bf16=in_bf16)
    return own, theirs, *(verifier_model.VerifierModel(m, settings) for m in (own, theirs))


def test_scores_are_the_librarys(tiny, in_bf16):
    own, theirs, *_ = both(tiny, None, SETTINGS, in_bf16)
    ids = torch.randint(4, 11, (5, 200), generator=torch.Generator().manual_seed(1))
    mask = torch.ones_like(ids)
    for row, length in enumerate((200, 150, 31, 3, 1)):
        ids[row, length:], mask[row, length:] = own.pad, 0
    with torch.inference_mode():
        found, expected = own.logits(ids, mask), theirs.logits(ids, mask)
    assert expected.std() > 0.01
    assert torch.allclose(found, expected, rtol=0, atol=1e-5)


def test_tokens_and_probabilities_are_the_librarys(tiny, in_bf16):
    own, theirs, ours, librarys = both(tiny, None, SETTINGS, in_bf16)
    for longest in (20, 48, 300):
        turned = [(claim, evidence) for evidence, claim in PAIRS[:3]]
        assert own.tokens(turned, longest) == theirs.tokens(turned, longest)
        assert own.end(PAIRS[3][1], longest) == theirs.end(PAIRS[3][1], longest)
    assert np.allclose(ours(PAIRS), librarys(PAIRS), rtol=0, atol=1e-6)
    assert ours.reads_as(librarys)


def test_distances_have_the_librarys_buckets():
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    places = torch.arange(514)
    expected = MPNetEncoder.relative_position_bucket(places[None, :] - places[:, None])
    assert torch.equal(buckets(514), expected)


@pytest.mark.slow
def test_a_model_that_was_tried_is_loaded_without_transformers(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    monkeypatch.setattr(kernels, "probed", lambda kernel: 1.0)
    folder = tmp_path / "verifier"
    folder.mkdir()
    for file in tiny.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    write_settings(folder)
    monkeypatch.setattr("uhhrag.system.machine_cache._SETTLED", -1.0)
    first = verifier.load(folder, None)(PAIRS)
    code = (
        "import sys; from pathlib import Path; from uhhrag.backends import verifier; "
        "from uhhrag.system import machine_cache; machine_cache._SETTLED = -1.0; "
        f"print(verifier.load(Path({str(folder)!r}), None)({PAIRS!r})); "
        "sys.exit('transformers' in sys.modules)"
    )
    later = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert later.returncode == 0, later.stderr
    assert np.allclose(json.loads(later.stdout.replace("(", "[").replace(")", "]")), first)


def test_a_model_that_reads_otherwise_is_left_to_the_library(tiny, tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    monkeypatch.setattr(kernels, "probed", lambda kernel: 1.0)
    monkeypatch.setattr("uhhrag.system.machine_cache._SETTLED", -1.0)
    folder = tmp_path / "verifier"
    folder.mkdir()
    for file in tiny.iterdir():
        (folder / file.name).write_bytes(file.read_bytes())
    write_settings(folder)
    monkeypatch.setattr("uhhrag.backends.mpnet._FARTHEST", 9)  # other scores
    expected = verifier_model.VerifierModel(
        verifier_model.load_by_library(folder, None, "cpu", in_bf16=hold_if_free() != FP32),
        verifier_files.read_settings(folder),
    )(PAIRS)
    for _ in range(2):
        assert verifier.load(folder, None)(PAIRS) == expected


def write_settings(folder: Path) -> None:
    record = {"base": "", "base_fingerprint": "", "max_tokens": 48, "scale": 1.0, "bias": [0, 0, 0]}
    (folder / verifier_files.SETTINGS).write_text(json.dumps(record))


@pytest.mark.model
def test_the_shipped_verifier_has_the_librarys_probabilities(in_bf16):
    base = model_path("mpnet")
    *_, ours, librarys = both(SHIPPED, base, verifier_files.read_settings(SHIPPED), in_bf16)
    assert ours.reads_as(librarys)
    pairs = [
        ("The ferry Havørn was built in 2015 in Norway.", "The ferry Havørn was built in 2015."),
        ("The ferry Havørn was built in 1998.", "The ferry Havørn was built in 2015."),
        ("A long page about ferries. " * 40, "The ferry Havørn was built in 2015."),
    ]
    assert np.allclose(ours(pairs), librarys(pairs), rtol=0, atol=1e-5)


def test_probabilities_do_not_depend_on_the_number_of_threads(tiny, in_bf16):
    model = verifier_model.VerifierModel(mpnet.load(tiny, None, in_bf16=in_bf16), SETTINGS)
    many = [(f"the bridge is old {'who ' * (n % 23)}", "what is the bridge ?") for n in range(90)]
    threads = torch.get_num_threads()
    try:
        torch.set_num_threads(1)
        alone = model(many)
        torch.set_num_threads(3)
        assert model(many) == alone
        with ThreadPoolExecutor(4) as callers:
            assert list(callers.map(model, [many] * 4)) == [alone] * 4
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(threads)
