"""A language model that is trained to pick a letter, and read by llama.cpp with its adapter."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path

import numpy as np
import pytest

from tests.support.model_files import model_path
from uhhrag.backends.fakes import scripted_llm
from uhhrag.cli.train import Training
from uhhrag.errors import ModelError, UsageError
from uhhrag.prompts.templates import load_prompts
from uhhrag.training.pairs import Pair, Stance
from uhhrag.voters.calibration import Calibration
from uhhrag.voters.letters import STEP as TEMPLATE
from uhhrag.voters.letters import by_letters
from uhhrag.wiring.llms import load_llm
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.verifiers import TrainingPlan, load_verifier, train_verifier

training = pytest.importorskip(
    "uhhrag.backends.letters_training", reason="needs the extras train and llm"
)
torch = pytest.importorskip("torch")

HEAD = (5, 6, 7)
BODIES = {
    "one": [(11, 12, 13, 20, 21), (11, 12, 13, 22), (11, 12, 13, 20, 23, 24)],
    "two": [(14, 15, 30, 31)],
}
STEP = [
    training._Pair(evidence, body, label % 3)
    for evidence, bodies in BODIES.items()
    for label, body in enumerate(bodies)
]


@pytest.fixture(scope="module")
def tiny():
    import transformers

    torch.manual_seed(0)
    config = transformers.LlamaConfig(
        vocab_size=64, hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config).eval()


def test_pairs_in_one_row_are_read_as_each_alone(tiny):
    row = training._row(HEAD, torch.float32, [STEP])
    assert row["labels"].tolist() == [pair.label for pair in STEP]
    assert row["input_ids"].shape[1] % 128 == 0
    shared = len(HEAD) + 3 + 2 + 1 + 3 + 3 + 1  # the stem of "one" stands there once
    assert row["logits_to_keep"].max() == shared - 1
    given = {name: value for name, value in row.items() if name != "labels"}
    with torch.inference_mode():
        together = tiny(**given).logits[0]
        for pair, logits in zip(STEP, together, strict=True):
            alone = tiny(input_ids=torch.tensor([HEAD + pair.body])).logits[0, -1]
            assert torch.allclose(logits, alone, atol=1e-5)


def test_every_pair_is_read_before_any_again_and_those_of_one_evidence_side_by_side(tmp_path):
    pairs = [training._Pair(f"text {n // 3}", (n,), 0) for n in range(12)]
    steps = training._steps(pairs, plan(tmp_path, steps=6, batch=6))
    assert [len(step) for step in steps] == [6] * 6
    read = [pair for step in steps for pair in step]
    for begin in (0, 12, 24):
        assert sorted(read[begin : begin + 12]) == sorted(pairs)
    for step in steps:
        texts = [pair.evidence for pair in step]
        assert texts == [text for text in dict.fromkeys(texts) for _ in range(3)]


def plan(out, base=Path("tiny.gguf"), **changes):
    own = {"steps": 10, "batch": 8, "rank": 4, "learning_rate": 0.003, "first_layer": 24}
    options = asdict(Training(**own)) | {"base": base} | changes
    return TrainingPlan(base_name="smollm2-135m", out=out, **options)


SAYS = {
    Stance.SUPPORTS: "It was said that {} is open.",
    Stance.REFUTES: "It was said that {} is closed.",
    Stance.NEUTRAL: "It was said that nobody knows.",
}
PAIRS = [
    Pair(SAYS[stance].format(thing), f"{thing} is open.", stance, "set", f"{thing} {stance}")
    for thing in ("The bridge", "The school", "The road", "The mill")
    for stance in SAYS
]


@pytest.mark.model
@pytest.mark.heavy
@pytest.mark.timeout(600)
def test_a_trained_language_model_is_a_verifier_as_it_was_in_training(tmp_path):
    plans = plan(tmp_path, model_path("smollm2-135m"), first_layer=24, steps=20, batch=4)
    scores = train_verifier(PAIRS, plans, 0.3, {}, lambda done, total: None)
    assert 0 < scores["all"].pairs < len(PAIRS)
    alone = load_verifier(plans.base)
    assert load_verifier(tmp_path).fingerprint != alone.fingerprint
    read = [(pair.premise, pair.hypothesis) for pair in PAIRS]
    right = [list(Stance).index(pair.label) for pair in PAIRS]
    adapted, plain = np.log(unscaled(tmp_path, read)), np.log(alone.entailment(read))
    places = range(len(PAIRS))
    assert adapted[places, right].mean() > plain[places, right].mean() + 0.5
    # Quantised, llama.cpp rounds otherwise than torch does; a wrong order of rows is far off.
    assert np.abs(np.log(by_torch(plans, read[:4])) - adapted[:4]).max() < 0.5
    assert np.abs(adapted - plain).max() > 1


def unscaled(folder, read):
    llm, _ = load_llm("smollm2-135m", Machine(threads=1), None, folder / "adapter.gguf")
    return by_letters(llm, load_prompts()(TEMPLATE))(read)


def by_torch(plans, read):
    from peft import set_peft_model_state_dict
    from safetensors.torch import load_file

    head, firsts, pairs = training._encoded(
        [(evidence, claim, 0) for evidence, claim in read], plans, load_prompts()(TEMPLATE)
    )
    model = training._adapted(training._open_base(plans.base, torch.float32), plans)
    set_peft_model_state_dict(model, load_file(plans.out / "adapter_model.safetensors"))
    row = training._row(head, torch.float32, [sorted(pairs)])
    del row["labels"]
    with torch.inference_mode():
        logits = model.eval()(**row).logits[0]
    letters = torch.stack([logits[:, first].logsumexp(-1) for first in firsts], -1)
    shares = dict(zip(sorted(pairs), letters.softmax(-1).tolist(), strict=True))
    return [shares[pair] for pair in pairs]


def test_a_model_of_another_kind_is_refused(tmp_path):
    from gguf import GGUFWriter

    other = tmp_path / "other.gguf"
    writer = GGUFWriter(other, "gpt2")
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.close()
    with pytest.raises(UsageError, match=r"other\.gguf is built as gpt2; .* llama or qwen2"):
        training._architecture(other)
    (tmp_path / "no.gguf").write_bytes(b"no")
    with pytest.raises(ModelError, match=r"no\.gguf: is no GGUF file"):
        training._architecture(tmp_path / "no.gguf")


def test_a_layer_that_the_model_lacks_is_named(tiny, tmp_path):
    with pytest.raises(UsageError, match="--first-layer 2: the model has 2 layers"):
        training._adapted(tiny, plan(tmp_path, first_layer=2))


def test_letters_keep_the_order_of_stances():
    llm, template = scripted_llm({TEMPLATE: ["A", "B", "C"]}), load_prompts()(TEMPLATE)
    pairs = [("It rained.", "It rained."), ("It did not.", "It rained."), ("", "It rained.")]
    assert [np.argmax(row) for row in by_letters(llm, template)(pairs)] == [0, 1, 2]
    turned = by_letters(llm, template, Calibration(0.0, (0.0, math.log(3), 0.0)))
    assert np.allclose(turned(pairs[:1]), [[0.2, 0.6, 0.2]])
