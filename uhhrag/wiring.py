"""Settings → live objects; the only importer of backends."""

from __future__ import annotations

from uhhrag import models
from uhhrag.backends import sbert
from uhhrag.protocols import Embedder
from uhhrag.tokens import use_nltk_data
from uhhrag.vectors import EmbedderId


def load_embedder(name_or_path: str, device: str = "cpu") -> tuple[Embedder, EmbedderId]:
    """A model of the table or a local folder, and what tells its vectors from another's."""
    folder = models.path(name_or_path)
    embed = sbert.load(folder, device, trust_remote_code=models.trusts_code(name_or_path))
    dimension = embed(["one text"]).shape[1]
    return embed, EmbedderId(folder.name, dimension, models.fingerprint(folder))


def load_words() -> None:
    """Let NLTK cut words by the data that `uhhrag models pull nltk-data` brought."""
    use_nltk_data(models.path("nltk-data"))
