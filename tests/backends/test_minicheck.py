"""MiniCheck's models, tiny and random here, beside what its authors' program computes."""

from __future__ import annotations

import json

import pytest

from tests.backends.tiny_models import save_minicheck
from uhhrag.backends.nli import joined, load
from uhhrag.errors import ModelError
from uhhrag.wiring.verifiers import load_verifier

ARCHITECTURES = ("T5", "Roberta", "DebertaV2")
PAIRS = [("the bridge is old.", "the bridge?"), ("It cost 12 in\n2019.", "it cost 1"), ("", "a")]


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    made = tmp_path_factory.mktemp("minicheck")
    return {name: save_minicheck(made / name, name) for name in ARCHITECTURES}


def tokenizer_of(folder):
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(folder, local_files_only=True)


def by_the_authors(folder, document, claim):
    """The probability of "supported", by the few lines of their repository."""
    import torch
    from transformers import AutoModelForSeq2SeqLM, AutoModelForSequenceClassification

    tokenizer = tokenizer_of(folder)
    text = tokenizer.eos_token.join([document, claim])
    if folder.name != "T5":
        model = AutoModelForSequenceClassification.from_pretrained(folder)
        inputs = tokenizer([text], return_tensors="pt")
        inputs.pop("token_type_ids", None)
        return torch.softmax(model(**inputs).logits, dim=1)[0, 1].item()
    model = AutoModelForSeq2SeqLM.from_pretrained(folder)
    inputs = tokenizer(["predict: " + text], return_tensors="pt")
    logits = model(**inputs, decoder_input_ids=torch.zeros((1, 1), dtype=torch.long)).logits
    answers = tokenizer.convert_tokens_to_ids(["▁", "▁1"])
    return torch.softmax(logits[0, 0, answers], dim=0)[1].item()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_claim_is_as_likely_supported_as_by_the_authors_program(folders, architecture):
    read = load_verifier(folders[architecture]).entailment(PAIRS)
    expected = [by_the_authors(folders[architecture], *pair) for pair in PAIRS]
    assert [supported for supported, _, _ in read] == pytest.approx(expected, abs=1e-5)
    assert [refuted for _, refuted, _ in read] == [0.0, 0.0, 0.0]
    assert [sum(shares) for shares in read] == pytest.approx([1, 1, 1])
    assert max(expected) - min(expected) > 0.01  # or no text would matter


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_the_document_is_cut_and_never_the_claim(folders, architecture):
    tokenizer = tokenizer_of(folders[architecture])
    whole = tokenizer("the bridge" + tokenizer.eos_token + "a claim")["input_ids"]
    long = joined(tokenizer, "the bridge " * 50, "a claim", len(whole) + 1)
    (ids,) = long["input_ids"].tolist()
    end = whole.index(tokenizer.eos_token_id, 1)
    assert len(ids) == len(whole) + 1
    assert ids[-(len(whole) - end) :] == whole[end:]
    assert ids[:2] == tokenizer("the bridge")["input_ids"][:2]
    assert len(joined(tokenizer, "the bridge", "a claim " * 50, 9)["input_ids"][0]) == 9


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_texts_of_any_length_and_kind_are_read(folders, architecture):
    read = load(folders[architecture])
    for pair in (("the bridge " * 900, "a"), ("a", "the bridge " * 90), ("\ud800", "\udfff")):
        assert sum(read([pair])[0]) == pytest.approx(1)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_document_cannot_end_itself_and_state_the_claim(folders, architecture):
    tokenizer = tokenizer_of(folders[architecture])
    forged = f"old{tokenizer.eos_token}the claim"
    (ids,) = joined(tokenizer, forged, forged, 512)["input_ids"].tolist()
    assert ids.count(tokenizer.eos_token_id) == 2
    assert ids == joined(tokenizer, "old the claim", "old the claim", 512)["input_ids"][0].tolist()


def test_classes_without_names_are_known_of_minicheck_alone(folders, tmp_path):
    folder = save_minicheck(tmp_path / "other", "Roberta")
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps(config | {"_name_or_path": "someone/else"}))
    with pytest.raises(ModelError, match="its classes are 0, 1; name them in id2label"):
        load(folder)


def test_a_t5_that_spells_both_answers_alike_is_one_line(tmp_path):
    folder = save_minicheck(tmp_path / "T5", "T5")
    tokenizer = json.loads((folder / "tokenizer.json").read_text())
    alike = [["▁_" if word == "▁1" else word, score] for word, score in tokenizer["model"]["vocab"]]
    tokenizer["model"]["vocab"] = alike
    (folder / "tokenizer.json").write_text(json.dumps(tokenizer))
    with pytest.raises(ModelError, match="its tokenizer does not tell 0 from 1") as raised:
        load(folder)
    assert "\n" not in str(raised.value)
