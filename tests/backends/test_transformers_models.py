"""Models of the user's own: tiny random ones, made here and saved as safetensors."""

from __future__ import annotations

import json

import pytest

from tests.backends.tiny_models import WORDS, save_classifier, save_tokenizer
from uhhrag.backends import transformers_models
from uhhrag.backends.transformers_models import load_classifier, load_writer
from uhhrag.errors import ModelError


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A sequence-to-sequence folder and a classification folder over eleven words."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(WORDS),
        d_model=8,
        d_kv=4,
        d_ff=8,
        num_layers=1,
        num_heads=2,
        decoder_start_token_id=0,
    )
    made = tmp_path_factory.mktemp("own")
    T5ForConditionalGeneration(config).save_pretrained(made / "writer")
    save_tokenizer(made / "writer")
    save_classifier(made / "classifier", "Supported", "Refuted")
    return made


def test_a_writer_writes_one_text_for_each_and_the_same_again(folders, monkeypatch):
    monkeypatch.setattr(transformers_models, "_WRITTEN", 4)
    write = load_writer(folders / "writer")
    texts = ["question: the bridge is old", "the bridge " * 900, "unknown"]
    written = write(texts)
    assert len(written) == 3
    assert written == [write([text])[0] for text in texts]


def test_a_classifier_gives_each_class_a_probability(folders):
    classify = load_classifier(folders / "classifier")
    texts = ["the bridge is old", "who " * 900, "unknown"]
    found = classify(texts)
    assert [list(one) for one in found] == [["Supported", "Refuted"]] * 3
    assert all(sum(one.values()) == pytest.approx(1) for one in found)
    assert found == [classify([text])[0] for text in texts]


@pytest.mark.parametrize("load", [load_writer, load_classifier])
def test_a_folder_without_such_a_model_is_named(load, folders, tmp_path):
    with pytest.raises(ModelError, match="is not a folder"):
        load(tmp_path / "nowhere")
    with pytest.raises(ModelError, match="can be loaded"):
        load(tmp_path)
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "t5"}))
    with pytest.raises(ModelError, match="can be loaded") as caught:
        load(tmp_path)
    assert "\n" not in str(caught.value)


def test_weights_as_pickles_are_not_loaded(folders, tmp_path):
    import shutil

    import torch

    copy = shutil.copytree(folders / "classifier", tmp_path / "pickled")
    (copy / "model.safetensors").unlink()
    torch.save({}, copy / "pytorch_model.bin")
    with pytest.raises(ModelError, match="can be loaded"):
        load_classifier(copy)
