"""An NLI model of the user's own: a tiny random one, made here."""

from __future__ import annotations

import json
import math
import shutil

import pytest

from tests.backends.tiny_models import save_any, save_classifier
from uhhrag.backends.nli import load
from uhhrag.backends.transformers_models import load_classifier
from uhhrag.errors import ModelError

PAIRS = [("the bridge is old", "the bridge"), ("who ? " * 600, "what ?"), ("old", "is " * 600)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Its classes stand in another order than they are given in."""
    made = tmp_path_factory.mktemp("nli")
    return save_classifier(made, "Contradiction", "ENTAILMENT", "neutral")


def test_each_pair_gets_three_probabilities_whatever_its_length(folder):
    check = load(folder)
    found = check(PAIRS)
    assert [math.fsum(shares) for shares in found] == pytest.approx([1, 1, 1])
    assert found == [check([pair])[0] for pair in PAIRS]
    assert check([]) == []


def test_the_probabilities_are_those_of_the_classes_by_name(folder):
    ((entailed, contradicted, neither),) = load(folder)([("the bridge", "")])
    (by_name,) = load_classifier(folder)(["the bridge"])
    expected = [by_name[name] for name in ("ENTAILMENT", "Contradiction", "neutral")]
    assert [entailed, contradicted, neither] == pytest.approx(expected)
    assert len(set(expected)) == 3


def test_a_model_of_other_classes_is_refused_with_their_names(tmp_path):
    folder = save_classifier(tmp_path / "other", "LABEL_0", "LABEL_1", "LABEL_2")
    with pytest.raises(ModelError, match="LABEL_0, LABEL_1, LABEL_2; name them in id2label"):
        load(folder)
    unnamed = save_classifier(tmp_path / "unnamed", "LABEL_0", "LABEL_1")
    with pytest.raises(ModelError, match="supported and not supported"):
        load(unnamed)


@pytest.mark.parametrize(
    "classes", [("not_entailment", "entailment"), ("Unsupported", "SUPPORTED")]
)
def test_a_model_of_two_classes_supports_or_says_nothing(tmp_path, classes):
    folder = save_classifier(tmp_path / "two", *classes)
    ((supports, refutes, nothing),) = load(folder)([("the bridge", "old")])
    assert refutes == 0
    assert supports + nothing == pytest.approx(1)
    (by_name,) = load_classifier(folder)(["the bridge"])
    assert set(by_name) == set(classes)


def test_any_text_is_read(folder):
    read = load(folder)
    assert read([("old \ud800", "\udfff")]) == read([("old ?", "?")])


def test_a_model_without_limit_of_length_is_read(tmp_path):
    folder = save_any(tmp_path, "XLNet", "contradiction", "neutral", "entailment")
    assert math.fsum(load(folder)([("the bridge " * 400, "old")])[0]) == pytest.approx(1)


def test_a_model_of_one_token_type_is_read_whatever_its_tokenizer_gives(tmp_path):
    folder = save_any(tmp_path, "Roberta", "contradiction", "entailment", "neutral")
    expected = load(folder)([("the bridge", "old")])
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    pair = [{"Sequence": {"id": name, "type_id": at}} for at, name in enumerate("AB")]
    tokenizer["post_processor"] = {
        "type": "TemplateProcessing", "single": pair[:1], "pair": pair, "special_tokens": {},
    }  # fmt: skip
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    assert load(folder)([("the bridge", "old")]) == expected


def test_weights_that_are_damaged_or_missing_are_one_line(folder, tmp_path):
    from safetensors.torch import load_file, save_file

    copy = shutil.copytree(folder, tmp_path / "copy")
    weights = load_file(copy / "model.safetensors")
    save_file(
        {name: w for name, w in weights.items() if not name.startswith("classifier.")},
        copy / "model.safetensors",
        {"format": "pt"},
    )
    with pytest.raises(ModelError, match=r"its files have no weights classifier\.bias"):
        load(copy)
    (copy / "model.safetensors").write_bytes(b"\x00" * 99)
    with pytest.raises(ModelError, match="no NLI model can be loaded"):
        load(copy)


def test_a_folder_without_a_model_is_named(tmp_path):
    with pytest.raises(ModelError, match="is not a folder; give that of your NLI model"):
        load(tmp_path / "nowhere")
    with pytest.raises(ModelError, match="no NLI model can be loaded"):
        load(tmp_path)
