"""A tiny random BERT as base: the real trainer, the real adapter files, the real loading."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
import pytest

from tests.backends.tiny_models import save_any, save_classifier
from uhhrag.backends import kernels, verifier, verifier_files
from uhhrag.backends.verifier_files import CHECKPOINTS, TrainingPlan
from uhhrag.cli.train import Training
from uhhrag.errors import ModelError, UsageError
from uhhrag.models.catalogue import MODELS, Model, ModelFile, Use
from uhhrag.training.pairs import Pair, Stance
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.verifiers import base_name, calibrate, load_verifier, train_verifier

pytestmark = pytest.mark.slow

EXAMPLES = [
    ("the bridge is old", "the bridge is old", 0),
    ("who ?", "the bridge is old", 1),
    ("what ?", "the bridge is old", 2),
] * 8
PAIRS = [("the bridge is old", "the bridge is old"), ("who ?", "what ? the")]


@pytest.fixture(scope="module")
def base(tmp_path_factory) -> Path:
    return save_classifier(tmp_path_factory.mktemp("base"), "a", "b", "c")


def plan(base: Path, out: Path, **changes) -> TrainingPlan:
    own = {"steps": 10, "batch": 4, "rank": 2, "save_every": 2, "learning_rate": 0.05}
    options = asdict(Training(**own)) | {"base": base, "max_tokens": 160, "steps": 6, **changes}
    return TrainingPlan(base_name=str(base), out=out, **options)


def settings(folder: Path, base: Path | None, **changes) -> None:
    found = {
        "base": str(base or ""),
        "base_fingerprint": "",
        "max_tokens": 32,
        "scale": 1.0,
        "bias": [0.0, 0.0, 0.0],
    }
    (folder / verifier_files.SETTINGS).write_text(json.dumps({**found, **changes}))


@pytest.mark.parametrize("architecture", ["Bert", "Roberta", "DebertaV2", "DistilBert"])
@pytest.mark.parametrize("classes", [("contradiction", "neutral", "entailment"), ("no", "yes")])
def test_anybodys_classifier_is_a_verifier(tmp_path, architecture, classes):
    if len(classes) == 2:
        classes = ("NOT_SUPPORTED", "SUPPORTED")
    folder = save_any(tmp_path / architecture, architecture, *classes)
    loaded = load_verifier(folder)
    read = loaded.entailment(PAIRS)
    assert np.allclose(np.array(read).sum(axis=1), 1)
    assert (np.array(read)[:, 1] == 0).all() == (len(classes) == 2)
    assert read == [loaded.entailment([pair])[0] for pair in PAIRS]
    turned = load_verifier(save_any(tmp_path / "turned", architecture, *reversed(classes)))
    assert turned.fingerprint != loaded.fingerprint


def test_a_verifier_is_named_as_a_model_of_the_table(tmp_path, monkeypatch):
    classes = ("entailment", "neutral", "contradiction")
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    monkeypatch.setattr(kernels, "probed", lambda kernel: 1.0)
    name = Path("tiny-nli")
    files = (ModelFile("model.safetensors"), ModelFile("config.json"))
    monkeypatch.setitem(MODELS, str(name), Model(str(name), Use.NLI, "MIT", files))
    assert base_name(name) == str(name)  # it is asked for before it is here
    with pytest.raises(ModelError, match="uhhrag models pull tiny-nli"):
        load_verifier(name)
    folder = save_any(tmp_path / "models" / name, "DebertaV2", *classes)
    assert load_verifier(name).entailment(PAIRS) == load_verifier(folder).entailment(PAIRS)


@pytest.fixture(scope="module")
def trained(base, tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("trained")
    verifier.train(
        EXAMPLES, plan(base, out, steps=60, batch=8, learning_rate=0.01), lambda done, total: None
    )
    settings(out, base)
    return out


def test_an_adapter_merged_into_its_base_gives_what_peft_gives(trained, base):
    import torch
    from peft import PeftModel
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(base)
    model = AutoModelForSequenceClassification.from_pretrained(base, num_labels=3)
    adapted = PeftModel.from_pretrained(model, trained).eval()
    given = tokenizer(
        [c for _, c in PAIRS], [e for e, _ in PAIRS], padding=True, return_tensors="pt"
    )
    with torch.inference_mode():
        expected = torch.softmax(adapted(**given).logits, dim=1).tolist()
    assert np.allclose(verifier.load(trained, base)(PAIRS), expected, atol=0.02)


def test_training_makes_the_labels_of_its_examples_likelier(trained, base, tmp_path):
    pairs = [(evidence, claim) for evidence, claim, _ in EXAMPLES[:3]]
    settings(tmp_path, None)
    for file in base.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    before, after = (
        v(pairs) for v in (verifier.load(tmp_path, None), verifier.load(trained, base))
    )
    likely = [
        np.mean([row[label] for row, label in zip(rows, range(3), strict=True)])
        for rows in (before, after)
    ]
    assert likely[1] > likely[0] + 0.02


def test_an_adapter_can_be_trained_further(trained, base, tmp_path):
    further = plan(base, tmp_path / "further", steps=10, learning_rate=1e-9, start=trained)
    verifier.train(EXAMPLES, further, lambda done, total: None)
    settings(further.out, base)
    read, begun = (verifier.load(folder, base)(PAIRS) for folder in (further.out, trained))
    assert np.allclose(read, begun, atol=0.01)
    fresh = plan(base, tmp_path / "fresh", steps=10, learning_rate=1e-9)
    verifier.train(EXAMPLES, fresh, lambda done, total: None)
    settings(fresh.out, base)
    assert not np.allclose(verifier.load(fresh.out, base)(PAIRS), begun, atol=0.01)


@pytest.mark.parametrize("damage", ["rank", "bytes", "missing"])
def test_an_adapter_that_does_not_fit_is_one_line(trained, base, tmp_path, damage):
    start = tmp_path / "start"
    start.mkdir()
    content = (trained / verifier_files.ADAPTER).read_bytes()
    if damage != "missing":
        (start / verifier_files.ADAPTER).write_bytes(content[: 40 if damage == "bytes" else None])
    again = plan(base, tmp_path / "out", rank=3 if damage == "rank" else 2, start=start)
    with pytest.raises(ModelError, match=r"start: its adapter .*") as raised:
        verifier.train(EXAMPLES, again, lambda done, total: None)
    assert "\n" not in str(raised.value)


def test_an_adapter_that_is_merged_by_another_equation_is_refused(trained, base, tmp_path):
    again = shutil.copytree(trained, tmp_path / "again")
    file = again / verifier_files.ADAPTER_SETTINGS
    file.write_text(json.dumps(json.loads(file.read_text()) | {"use_rslora": True}))
    with pytest.raises(ModelError, match="its adapter has use_rslora, which is not merged here"):
        verifier.load(again, base)


def test_a_pair_reads_the_same_alone_and_among_others(trained, base):
    entailment = verifier.load(trained, base)
    together = entailment([*PAIRS, ("the " * 20, "is")])
    assert np.allclose(together[:2], [entailment([pair])[0] for pair in PAIRS], atol=0.01)
    assert entailment([]) == []


def test_a_claim_of_any_length_leaves_room_for_its_evidence(trained, base):
    read = verifier.load(trained, base)
    long = "who ? " * 500
    whole, other = read([("the bridge is old", long), ("what ?", long)])
    assert sum(whole) == pytest.approx(1.0, abs=1e-5)
    assert whole != other
    assert read([("the bridge is old", "x" * 9000), ("", long)])


def test_any_text_is_read(trained, base):
    read = verifier.load(trained, base)
    assert read([("old \ud800", "the bridge \udfff")]) == read([("old ?", "the bridge ?")])


def test_a_claim_is_measured_in_bytes_of_which_a_token_may_hold_one():
    from uhhrag.backends.verifier_model import turned_pairs

    given = [("It is old.", "🏔" * 12), ("", "The bridge.")]
    turned = [("🏔" * 4, "It is old."), ("The bridge.", "")]
    assert turned_pairs(given, 32, lambda text, longest: longest // 4) == turned


def test_a_training_reads_a_claim_of_any_length_as_the_verifier_does(trained, base):
    from transformers import AutoTokenizer

    from uhhrag.backends.adapter_training import _encoded

    pairs = [("the bridge is old " * 20, "who ? " * 200), ("who ?", "the bridge")]
    examples = [(*pair, label) for label, pair in enumerate(pairs)]
    encoded = _encoded(AutoTokenizer.from_pretrained(base), examples, 32)
    tokens = [one["input_ids"] for one in encoded]
    assert tokens == [
        [8, 10] * 8 + [4, 5, 6, 7] * 4,  # the claim has half of the tokens
        [4, 5, 8, 10],
    ]
    assert tokens == verifier.load(trained, base)._tokens(pairs)


def test_a_base_whose_other_parts_are_random_is_refused_before_training(tmp_path):
    """A DistilBERT has a matrix beside layers and classifier, which an adapter does not keep."""
    folder = save_any(tmp_path / "base", "DistilBert", "a", "b", "c")
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    kept = {name: w for name, w in weights.items() if not name.startswith("pre_classifier.")}
    save_file(kept, folder / "model.safetensors", {"format": "pt"})
    with pytest.raises(ModelError, match=r"its files have no weights pre_classifier\.bias"):
        verifier.train(EXAMPLES, plan(folder, tmp_path / "out"), lambda done, total: None)
    settings(folder, None)
    with pytest.raises(ModelError, match=r"its files have no weights pre_classifier\.bias"):
        load_verifier(folder)


def test_a_base_of_another_kind_is_refused_before_training(tmp_path):
    folder = save_any(tmp_path / "base", "XLNet", "a", "b", "c")
    with pytest.raises(ModelError, match="it is not built as a BERT, with layers and a classifier"):
        verifier.train(EXAMPLES, plan(folder, tmp_path / "out"), lambda done, total: None)


def test_a_device_that_is_not_here_is_one_line(base, tmp_path):
    settings(shutil.copytree(base, tmp_path / "whole"), None)
    with pytest.raises(ModelError, match="device cuda was asked for but this machine has no"):
        load_verifier(tmp_path / "whole", Machine(device="cuda"))
    with pytest.raises(ModelError, match="device cuda was asked for but this machine has no"):
        verifier.train(EXAMPLES, plan(base, tmp_path, device="cuda"), lambda done, total: None)


def test_the_numbers_that_a_verifier_computes_in_are_told(tmp_path, monkeypatch):
    settings(save_classifier(tmp_path / "whole", "a", "b", "c"), None)
    foreign = save_classifier(tmp_path / "foreign", "entailment", "neutral", "contradiction")
    for kernel, told in (("fp32", ""), ("bf16", "-bf16"), ("bf16-amx", "-bf16-amx")):
        monkeypatch.setattr(verifier, "hold_if_free", lambda kernel=kernel: kernel)
        assert load_verifier(tmp_path / "whole").numbers == told
        assert load_verifier(foreign).numbers == ""
    assert verifier.numbers_of(verifier_files.read_settings(tmp_path / "whole"), "cuda") == ""


def test_probabilities_add_up_and_follow_scale_and_bias(trained, base, tmp_path):
    for name in (verifier_files.ADAPTER, verifier_files.ADAPTER_SETTINGS):
        (tmp_path / name).write_bytes((trained / name).read_bytes())
    settings(tmp_path, base, scale=0.0, bias=[0.0, 0.0, float(np.log(2))])
    for row in verifier.load(tmp_path, base)(PAIRS):
        assert row == pytest.approx((0.25, 0.25, 0.5), abs=1e-6)


def test_a_whole_model_is_a_verifier_too(base, tmp_path):
    save_classifier(tmp_path, "supports", "refutes", "neutral")
    settings(tmp_path, None)
    rows = load_verifier(tmp_path).entailment(PAIRS)
    assert np.allclose(np.sum(rows, axis=1), 1, atol=1e-5)


def test_passages_have_a_calibration_of_their_own_where_there_is_one(tmp_path):
    plain = {"base": "", "base_fingerprint": "", "max_tokens": 64, "scale": 0.5, "bias": [0, 0, 0]}
    (tmp_path / "verifier.json").write_text(json.dumps(plain))
    settings = verifier_files.read_settings(tmp_path)
    assert settings.for_passages() == settings
    apart = plain | {"passages": {"scale": 0.8, "bias": [0.1, 0.2, -0.3]}}
    (tmp_path / "verifier.json").write_text(json.dumps(apart))
    read = verifier_files.read_settings(tmp_path).for_passages()
    assert (read.scale, read.bias) == (0.8, (0.1, 0.2, -0.3))


def _settings_of(longest):
    start = '{"base": "b", "base_fingerprint": "f", "scale": 1, "bias": [0, 0, 0], "max_tokens": '
    return f"{start}{longest}}}"


@pytest.mark.parametrize(
    "content",
    [
        *("", "[]", "{}", '{"base": 1, "scale": NaN}', '{"max_tokens": "x"}', "[" * 200_000),
        _settings_of('64, "passages": {"scale": 1, "bias": [0]}'),
        *(_settings_of(longest) for longest in ("513", "1000000000", "1e999", "7")),
    ],
)
def test_damaged_settings_are_one_line(tmp_path, content):
    (tmp_path / verifier_files.SETTINGS).write_text(content)
    with pytest.raises(ModelError, match=r"verifier\.json: is invalid"):
        verifier_files.read_settings(tmp_path)


def test_a_folder_without_a_verifier_says_how_to_make_one(tmp_path):
    with pytest.raises(ModelError, match=r"no verifier here.*uhhrag train verifier"):
        verifier_files.read_settings(tmp_path)


@pytest.mark.parametrize("damage", ["gone", "cut", "other"])
def test_a_damaged_adapter_is_one_line(trained, base, tmp_path, damage):
    content = (trained / verifier_files.ADAPTER).read_bytes()
    (tmp_path / verifier_files.ADAPTER_SETTINGS).write_bytes(
        (trained / verifier_files.ADAPTER_SETTINGS).read_bytes()
    )
    if damage != "gone":
        spoilt = content[:-50] if damage == "cut" else content.replace(b"lora_A", b"lora_X", 1)
        (tmp_path / verifier_files.ADAPTER).write_bytes(spoilt)
    settings(tmp_path, base)
    with pytest.raises(ModelError, match="the verifier cannot be loaded"):
        verifier.load(tmp_path, base)


def test_an_adapter_of_another_base_is_refused(trained, base, tmp_path):
    for name in (verifier_files.ADAPTER, verifier_files.ADAPTER_SETTINGS):
        (tmp_path / name).write_bytes((trained / name).read_bytes())
    settings(tmp_path, base, base_fingerprint="0" * 64)
    with pytest.raises(ModelError, match="belongs to a base model with other files"):
        load_verifier(tmp_path)


TRAIN = """
import sys
from pathlib import Path
from tests.backends.test_verifier import EXAMPLES, plan
from uhhrag.backends.verifier import train

def told(done, total):
    print(done, flush=True)

train(EXAMPLES, plan(Path(sys.argv[1]), Path(sys.argv[2])), told)
"""


@pytest.mark.slow
def test_a_training_that_was_killed_goes_on_from_its_checkpoint(trained, base, tmp_path):
    root = Path(__file__).parents[2]
    command = [sys.executable, "-c", TRAIN, str(base), str(tmp_path)]
    env = {**os.environ, "PYTHONPATH": str(root)}
    with subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line) >= 4:
                process.send_signal(signal.SIGKILL)
                break
    assert any((tmp_path / CHECKPOINTS).glob("checkpoint-*"))
    steps: list[int] = []
    verifier.train(EXAMPLES, plan(base, tmp_path), lambda done, total: steps.append(done))
    assert steps[0] > 1
    assert steps[-1] == 6


def test_a_training_that_has_ended_gives_the_same_adapter_again(base, tmp_path):
    adapter = tmp_path / verifier_files.ADAPTER
    verifier.train(EXAMPLES, plan(base, tmp_path), lambda done, total: None)
    before = adapter.read_bytes()
    adapter.unlink()
    steps: list[int] = []
    verifier.train(EXAMPLES, plan(base, tmp_path), lambda done, total: steps.append(done))
    assert (steps, adapter.read_bytes()) == ([], before)


@pytest.mark.parametrize("state", [None, "", '{"global_step": '])
def test_a_checkpoint_that_was_cut_short_is_passed_over(base, tmp_path, state):
    verifier.train(EXAMPLES, plan(base, tmp_path, steps=4), lambda done, total: None)
    torn = tmp_path / CHECKPOINTS / "checkpoint-5"
    torn.mkdir()
    (torn / verifier_files.ADAPTER).write_bytes(b"half")
    if state is not None:
        (torn / "trainer_state.json").write_text(state)
    steps: list[int] = []
    verifier.train(EXAMPLES, plan(base, tmp_path), lambda done, total: steps.append(done))
    assert steps == [5, 6]


LABELLED = [
    Pair(evidence, claim, list(Stance)[label], "made", f"g{number}")
    for number, (evidence, claim, label) in enumerate(EXAMPLES)
]


def test_a_training_that_could_not_begin_is_not_in_the_way_of_the_next(base, tmp_path):
    misspelt = plan(base, tmp_path, max_tokens=32, start=tmp_path / "misspelt")
    with pytest.raises(ModelError, match="misspelt: its adapter cannot be trained further"):
        train_verifier(LABELLED, misspelt, 0.3, {}, lambda done, total: None)
    train_verifier(LABELLED, plan(base, tmp_path, max_tokens=32), 0.3, {}, lambda done, total: None)
    assert (tmp_path / verifier_files.ADAPTER).is_file()


def test_a_trained_verifier_has_a_card_and_calibrated_settings(base, tmp_path):
    chosen = plan(base, tmp_path, max_tokens=32)
    scores = train_verifier(LABELLED, chosen, 0.3, {"made": "MIT"}, lambda done, total: None)
    card = (tmp_path / "README.md").read_text()
    assert "| made | 17 | MIT |" in card
    assert f"| all | 7 | {scores['all'].accuracy:.3f} |" in card
    assert load_verifier(tmp_path).entailment(PAIRS)
    with pytest.raises(UsageError, match="holds a training with other pairs or options"):
        train_verifier(LABELLED[1:], chosen, 0.3, {}, lambda done, total: None)


def test_pairs_held_out_are_scored_by_a_calibration_to_the_others(trained, base, tmp_path):
    shutil.copytree(trained, tmp_path / "v")
    settings(tmp_path / "v", base)
    held = [replace(LABELLED[0], label=list(Stance)[n % 5 % 3], group=str(n)) for n in range(15)]
    scores = calibrate(tmp_path / "v", held)
    assert scores["all"].calibration_error > 0.01  # nothing tells them apart: to itself, 0
    assert calibrate(tmp_path / "v", held[:4])["all"].pairs == 4


def test_layers_below_the_first_one_stay_as_they_were(base, trained, tmp_path):
    from safetensors.torch import load_file

    further = plan(base, tmp_path, start=trained, first_layer=1)
    verifier.train(EXAMPLES, further, lambda done, total: None)
    before, after = (load_file(at / verifier_files.ADAPTER) for at in (trained, tmp_path))
    moved = {name for name in before if not before[name].equal(after[name])}
    assert moved
    assert all("classifier" in name for name in moved)  # the model has one layer
