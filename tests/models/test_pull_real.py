"""The pulled models do what they are for, without a network: the default profile's small ones."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.support.model_files import model_path
from uhhrag import models

pytestmark = pytest.mark.model


def pulled(name: str) -> str:
    return str(model_path(name))


@pytest.mark.parametrize("name", ["minilm", "smollm2-135m", "nltk-data"])
def test_every_file_is_the_one_that_was_pulled(name: str) -> None:
    pulled(name)
    assert models.verify(name)


def test_minilm_is_the_mean_of_its_tokens_at_unit_length() -> None:
    import torch
    from sentence_transformers import SentenceTransformer
    from transformers import AutoModel, AutoTokenizer

    texts = ["The moon landing was filmed in a studio.", "Short.", "word " * 400]
    here = {"local_files_only": True}
    model = SentenceTransformer(pulled("minilm"), device="cpu", **here)
    assert model.max_seq_length == 256
    got = torch.from_numpy(model.encode(texts, normalize_embeddings=False))
    tokens = AutoTokenizer.from_pretrained(pulled("minilm"), **here)(
        texts, padding=True, truncation=True, max_length=256, return_tensors="pt"
    )
    with torch.no_grad():
        states = AutoModel.from_pretrained(pulled("minilm"), **here)(**tokens).last_hidden_state
    kept = tokens["attention_mask"].unsqueeze(-1)
    mean = (states * kept).sum(1) / kept.sum(1)
    assert (got - torch.nn.functional.normalize(mean)).abs().max() < 1e-5


WORDS = """
import sys
import nltk
nltk.data.path[:] = [sys.argv[1]]
from nltk.corpus import wordnet
assert nltk.sent_tokenize("Dr. No came. He left.") == ["Dr. No came.", "He left."]
assert wordnet.synset("dog.n.01").lemma_names()[0] == "dog"
print(sum(1 for _ in wordnet.all_synsets("v")), wordnet.get_version())
"""


@pytest.mark.slow
def test_nltk_finds_wordnet_and_punkt_in_the_data_folder() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WORDS, pulled("nltk-data")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.split() == ["13767", "3.0"], ran.stderr
