"""Settings → live objects. The only importer of `backends`."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from uhhrag import __version__, calibration, examples, index, models, vectors
from uhhrag import shelf as shelves
from uhhrag.address_space import MODELS, demand_address_space
from uhhrag.approaches import APPROACHES
from uhhrag.backends.cpu import processor
from uhhrag.backends.late import Late
from uhhrag.calibration import Calibration
from uhhrag.config import Questions, Settings, signature
from uhhrag.errors import IndexFault, ModelError, UsageError
from uhhrag.index import ClaimIndex, Index, Recipe
from uhhrag.options import ClassifierFolder, WriterFolder, as_words, folders
from uhhrag.predict import Method
from uhhrag.prompts import Prompts, StepTemplate, load_prompts
from uhhrag.protocols import (
    LLM,
    Classifier,
    Corpus,
    Embedder,
    Entailment,
    Kit,
    Reranker,
    Sift,
    Template,
    VerdictRule,
    Writer,
)
from uhhrag.reading import as_grade, as_label
from uhhrag.records import Claim, Evidence, Grade, Hit, Label, Precision, Reply, Vote
from uhhrag.shelf import Shelf
from uhhrag.speed import Reader
from uhhrag.tokens import use_nltk_data
from uhhrag.vectors import EmbedderId
from uhhrag.verdict import RULES, Decoding, Rule, cast, constrained_vote, template_of

_COUNTING = ("llama-cpp-python", "sentence-transformers", "torch", "faiss-cpu")
"""The packages whose arithmetic a result follows from."""

VECTORS = "vectors.sqlite"
"""What a work folder calls the vectors it keeps."""


@dataclass(frozen=True, slots=True)
class Machine:
    """What depends on the machine and must not change a result. `embedder` is where the index's
    embedder is found when not under the name it was indexed with; `servers` are further ones with
    the same model, which take claims in turn with the first."""

    threads: int | None = None
    gpu_layers: int = 0
    device: str = "cpu"
    embedder: str | None = None
    servers: tuple[str, ...] = ()
    allow_remote: bool = False

    @property
    def cores(self) -> int:
        """Threads of a model."""
        return self.threads or os.cpu_count() or 1


@dataclass(frozen=True, slots=True)
class Wired:
    """All that `predict` needs, and what its run folder says of it. `others` are the method on the
    machine's further servers."""

    claims: Sequence[Claim]
    corpus_for: Callable[[Claim], Corpus]
    prefiltered: Callable[[Claim], Sequence[Hit]]
    method: Method
    header: dict[str, Any]
    others: tuple[Method, ...] = ()

    def load(self) -> None:
        """Load the models. Raises ModelError where this machine cannot run one."""
        for model in (self.method.kit.embed, self.method.voter):
            if isinstance(model, Late):
                _ = model.ready


@dataclass(frozen=True, slots=True)
class _Ground:
    """What claims are checked against: each claim's index by `load`, the recipe of all, and a hash
    of each claim's passages."""

    claims: Sequence[Claim]
    load: Callable[[Claim], ClaimIndex]
    recipe: Recipe
    passages: Mapping[str, str]
    embed: Embedder
    memory: Path | None


def wire(settings: Settings, machine: Machine, index_folder: Path, *, cache: bool) -> Wired:
    """Open the index, find the models, check by their hashes that they fit; they are loaded by
    `Wired.load`, or when they are first used. Raises UhhragError for what is missing."""
    prompts = _prompts(settings)
    built = index.open_index(index_folder)
    embed, embedder = _embedder_of(built, machine)
    vectors.same_embedder(built.header.recipe.embedder, embedder, str(index_folder))
    memory = index_folder / index.REPLIES if cache else None

    def load(claim: Claim) -> ClaimIndex:
        return index.load_claim(built, claim.id)

    passages = {str(e.claim.id): e.sha256[index.PASSAGES] for e in built.entries}
    ground = _Ground(built.claims, load, built.header.recipe, passages, embed, memory)
    return _wired(settings, machine, prompts, ground)


def wire_shelf(
    settings: Settings,
    machine: Machine,
    shelf: Shelf,
    claims: Sequence[Claim],
    pool: int,
    work: Path | None,
) -> tuple[Wired, Callable[[Sequence[Claim]], list[str]]]:
    """As `wire`, for claims that are all checked against one store; and what gives the sentences
    that claims need embedded. `work` is the folder that keeps vectors and replies, None to keep
    none."""
    prompts = _prompts(settings)
    vectors_file = work / VECTORS if work else None
    embed, embedder = load_embedder(machine.embedder or "minilm", machine.device, vectors_file)

    @cache
    def pool_for(claim: Claim) -> tuple[Hit, ...]:
        return shelves.pool_of(shelf, claim, pool)

    def load(claim: Claim) -> ClaimIndex:
        return shelves.index_of(shelf, claim, pool_for(claim), embed)

    def texts(wanted: Sequence[Claim]) -> list[str]:
        pools = (pool_for(claim) for claim in wanted)
        return list(dict.fromkeys(hit.passage.text for pool in pools for hit in pool))

    passages = {str(claim.id): _hash_of(shelf, claim) for claim in claims}
    memory = work / index.REPLIES if work else None
    ground = _Ground(claims, load, Recipe(embedder, pool), passages, embed, memory)
    return _wired(settings, machine, prompts, ground), texts


def _hash_of(shelf: Shelf, claim: Claim) -> str:
    """What binds a run to a claim that has no index of its own: the claim and the store."""
    return hashlib.sha256(repr((shelf.sha256, claim)).encode("utf-8", "surrogatepass")).hexdigest()


def _prompts(settings: Settings) -> Prompts:
    prompts = load_prompts(settings.prompts)
    if settings.examples:
        return prompts.with_examples(examples.draw(settings.examples, settings.seed))
    return prompts


def _wired(settings: Settings, machine: Machine, prompts: Prompts, ground: _Ground) -> Wired:
    """The models loaded, and everything put together."""
    memory = ground.memory
    llm, model = load_llm(settings.llm, machine, memory, settings.lora)
    more = [_same_llm(name, settings, model, machine, memory) for name in machine.servers]
    rule = RULES[settings.verdict]
    fitted = calibration.NONE
    if rule.constrained(settings.decoding) and settings.calibration != Path("none"):
        template = prompts(template_of(rule, settings.decoding))
        labels = sum(label is not None for label in rule.options.values())
        fitted = _calibration(settings, model, template, labels)
    kit = Kit(
        ground.embed,
        llm if settings.questions is Questions.LLM else None,
        prompts,
        *_readers(settings, machine),
        *_own_models(settings),
    )
    method = Method(
        APPROACHES[settings.approach].run,
        settings.kept,
        rule,
        settings.decoding,
        fitted,
        kit,
        llm,
        settings.chosen,
        settings.abstain_below,
        settings.reading,
        settings.nearest,
    )

    limits = settings.limits

    def load(claim: Claim) -> ClaimIndex:
        return index.limited(ground.load(claim), limits)

    def corpus_for(claim: Claim) -> Corpus:
        return index.corpus_of(load(claim), ground.embed)

    def prefiltered(claim: Claim) -> Sequence[Hit]:
        return load(claim).hits

    header = _header(settings, machine, prompts, fitted, ground, model)
    others = tuple(_with_llm(method, other) for other in more)
    return Wired(ground.claims, corpus_for, prefiltered, method, header, others)


def _with_llm(method: Method, llm: LLM) -> Method:
    kit = replace(method.kit, llm=llm) if method.kit.llm else method.kit
    return replace(method, kit=kit, voter=llm)


def _calibration(
    settings: Settings, model: str, template: StepTemplate, labels: int
) -> Calibration:
    """The shipped calibration, if there is one, or that of the file asked for, which must have
    it."""
    if settings.calibration is None:
        return calibration.find(model, template.hash)
    found = calibration.find(model, template.hash, settings.calibration)
    if found is calibration.NONE or len(found.bias) != labels:
        raise UsageError(
            f"{settings.calibration} has no calibration of {settings.llm} with the template "
            f"{template.step}; make one with: uhhrag calibrate, or give --calibration none"
        )
    return found


def _embedder_of(built: Index, machine: Machine) -> tuple[Embedder, EmbedderId]:
    """The embedder of an index, to be loaded later where its files are those it was built with."""
    known = built.header.recipe.embedder
    name = machine.embedder or known.name
    precision = known.precision
    with suppress(ModelError):  # `load_embedder` says why
        if models.fingerprint(models.path(name)) == known.fingerprint:
            return Late(lambda: load_embedder(name, machine.device, None, precision)[0]), known
    return load_embedder(name, machine.device, None, precision)


def precision_of(folder: Path) -> Precision | None:
    """What the index of a folder was begun with, None where there is none that can be read."""
    with suppress(IndexFault):
        header = index.read_header(folder)
        return header.recipe.embedder.precision if header else None
    return None


def load_embedder(
    name_or_path: str,
    device: str = "cpu",
    memory: Path | None = None,
    precision: Precision | None = None,
) -> tuple[Embedder, EmbedderId]:
    """A model of the table or a local folder, and what tells its vectors from another's. With
    `memory`, a file, vectors made once are taken from there. Without a `precision` it is bfloat16
    where that is faster on this machine."""
    demand_address_space(MODELS, "an embedder")
    from uhhrag.backends import sbert
    from uhhrag.backends.kept import kept
    from uhhrag.backends.once import once

    folder = models.path(name_or_path)
    models.verify(name_or_path)
    if precision is None:
        gains = sbert.gains_by_bf16(folder, device)
        precision = Precision.BF16 if gains else Precision.FP32
    in_bf16 = precision is Precision.BF16
    embed = sbert.load(folder, device, models.trusts_code(name_or_path), in_bf16)
    dimension, fingerprint = embed(["one text"]).shape[1], models.fingerprint(folder)
    if memory:
        embed = kept(embed, f"{fingerprint} {precision} uhhrag {__version__}", memory)
    return once(embed), EmbedderId(folder.name, dimension, fingerprint, precision)


def load_sift(name_or_path: str, embed: Embedder) -> Sift:
    """What chooses the passages of a cascade: static vectors, distilled from the embedder."""
    from uhhrag.backends.static import distilled

    return distilled(embed, models.path(name_or_path))


def load_llm(
    name_or_path: str, machine: Machine, memory: Path | None, lora: Path | None = None
) -> tuple[LLM, str]:
    """A model of the table or a local .gguf file, and its fingerprint: its SHA-256 and, after a
    plus, that of its adapter. Or the model of a server, by its address, and what the server says
    of it. With `memory`, a file, replies given once are taken from there. A file is loaded when
    it is first asked."""
    if _is_address(name_or_path):
        return _connect(name_or_path, machine, memory, lora)
    gguf = _gguf(name_or_path)
    fingerprint = models.verify(name_or_path)[gguf.name]
    if lora:
        fingerprint += f"+{models.fingerprint(_adapter(lora))}"
    return Late(lambda: _open_llm(gguf, machine, memory, lora, fingerprint)), fingerprint


def _open_llm(
    gguf: Path, machine: Machine, memory: Path | None, lora: Path | None, fingerprint: str
) -> LLM:
    demand_address_space(MODELS + gguf.stat().st_size, gguf.name)
    from uhhrag.backends import llamacpp, replies

    llm: LLM = llamacpp.load(gguf, threads=machine.cores, gpu_layers=machine.gpu_layers, lora=lora)
    if memory:
        made_by = f"{fingerprint} {llamacpp.VERSION} uhhrag {__version__}"
        llm = replies.remembered(llm, made_by, memory)
    return llm


def memory_fault(file: Path) -> str:
    """What is wrong with a file of kept replies, "" where nothing is."""
    from uhhrag.backends import replies

    return replies.fault_in(file)


def _gguf(name_or_path: str) -> Path:
    gguf = models.path(name_or_path)
    if gguf.suffix != ".gguf":
        raise ModelError(f"{name_or_path} is no language model; --llm takes one or a .gguf file")
    return gguf


def _is_address(name: str) -> bool:
    return "://" in name


def _connect(url: str, machine: Machine, memory: Path | None, lora: Path | None) -> tuple[LLM, str]:
    from uhhrag.backends import openai, replies

    if lora:
        raise UsageError(f"--lora {lora} cannot be given to a server; start the server with it")
    server = openai.connect(url, allow_remote=machine.allow_remote)
    model = f"{openai.NAME}{'' if server.gives_logprobs else '-text'}:{server.identity}"
    if not memory:
        return server, model
    return replies.remembered(server, f"{model} uhhrag {__version__}", memory), model


def _same_llm(
    name: str, settings: Settings, model: str, machine: Machine, memory: Path | None
) -> LLM:
    """A further server's model, which must be that of the first."""
    if not (_is_address(name) and _is_address(settings.llm)):
        raise UsageError(f"--llm {name}: only addresses of servers can be given several times")
    llm, found = load_llm(name, machine, memory)
    if found != model:
        raise UsageError(
            f"--llm {name} has {found} but {settings.llm} has {model}; claims are "
            "spread over servers of one model only"
        )
    return llm


def _readers(settings: Settings, machine: Machine) -> tuple[Reranker | None, Entailment | None]:
    """The cross-encoder, where the approach needs one, and the NLI model, where one is given."""
    from uhhrag.backends import crossencoder, nli

    reranker = None
    if APPROACHES[settings.approach].reranker:
        models.verify(settings.reranker)
        reranker = crossencoder.load(models.path(settings.reranker), machine.cores)
    return reranker, nli.load(settings.nli) if settings.nli else None


def _own_models(settings: Settings) -> tuple[dict[str, Writer], dict[str, Classifier]]:
    """The models in folders that the approach's own options name."""
    from uhhrag.backends import own

    named = folders(settings.chosen).items()
    writers = {name: own.load_writer(Path(f)) for name, f in named if isinstance(f, WriterFolder)}
    classifiers = {
        name: _known_classes(own.load_classifier(Path(f)), f)
        for name, f in named
        if isinstance(f, ClassifierFolder)
    }
    return writers, classifiers


def _known_classes(classify: Classifier, folder: str) -> Classifier:
    """The same. Raises ModelError where a class is no label and no grade."""
    for name in classify(["one text"])[0]:
        if not (as_grade(name) or as_label(name)):
            raise ModelError(
                f"{folder}: its class {name!r} is no label and no grade; name its classes in "
                f"id2label of config.json: {', '.join(Label)}, or {', '.join(Grade)}"
            )
    return classify


def _own_prints(settings: Settings) -> dict[str, str]:
    """What a signature says of them, by option."""
    named = {name: Path(folder) for name, folder in folders(settings.chosen).items()}
    return {name: f"{path.name}@{models.fingerprint(path)[:8]}" for name, path in named.items()}


def _reader_prints(settings: Settings) -> dict[str, str]:
    """What a signature says of the cross-encoder and the NLI model."""
    prints = {}
    if APPROACHES[settings.approach].reranker:
        folder = models.path(settings.reranker)
        prints["reranker"] = f"{folder.name}@{models.fingerprint(folder)[:8]}"
    if settings.nli:
        prints["nli"] = f"{settings.nli.name}@{models.fingerprint(settings.nli)[:8]}"
    return prints


def _adapter(file: Path) -> Path:
    if not file.is_file():
        raise UsageError(f"--lora {file} is no file; give a LoRA adapter in GGUF")
    return file


def load_words() -> Path:
    """Let NLTK cut words by the data that `uhhrag models pull nltk-data` brought, in the folder
    that is given back."""
    folder = models.path("nltk-data")
    use_nltk_data(folder)
    return folder


def _embedder_print(embedder: EmbedderId) -> str:
    """What a signature says of the embedder: name@hash, and its numbers where not float32."""
    other = "" if embedder.precision is Precision.FP32 else f"-{embedder.precision}"
    return f"{embedder.name}@{embedder.fingerprint[:8]}{other}"


def _header(
    settings: Settings,
    machine: Machine,
    prompts: Prompts,
    fitted: Calibration,
    ground: _Ground,
    model: str,
) -> dict[str, Any]:
    """What a run folder says of how it is made; the signature holds all that can change a
    number but the store itself, which `passages` holds, a SHA-256 a claim, and the kind of
    `processor`, which can change a score in its last digits."""
    recipe = ground.recipe
    words = as_words(settings.chosen, _own_prints(settings))
    parts: dict[str, str | int] = {
        "approach": settings.approach,
        "verdict": settings.verdict,
        "top": settings.kept,
        **({"limits": str(settings.limits)} if settings.limits else {}),
        **({"abstain-below": f"{settings.abstain_below:g}"} if settings.abstain_below else {}),
        **({"options": words} if words else {}),
        **({"granularity": str(settings.reading)} if settings.reading else {}),
        **({"nearest": str(settings.nearest)} if settings.nearest else {}),
        "questions": settings.questions,
        "decoding": settings.decoding,
        "calibration": f"{fitted.scale:.4g}" + "".join(f"{b:+.4g}" for b in fitted.bias),
        "pool": recipe.pool,
        **({"cascade": recipe.cascade} if recipe.cascade else {}),
        "unique": "yes" if recipe.unique else "no",
        "prefilter": recipe.prefilter,
        "embedder": _embedder_print(recipe.embedder),
        "llm": _llm_print(settings.llm, model),
        "prompts": prompts.hash[:8],
        **_reader_prints(settings),
        "with": ", ".join(f"{name} {metadata.version(name)}" for name in _COUNTING),
        **accelerators(machine),
    }
    return {
        "signature": signature(parts),
        "uhhrag": __version__,
        "processor": processor(),
        "settings": {k: str(v) if isinstance(v, Path) else v for k, v in asdict(settings).items()},
        "calibration": asdict(fitted),
        "index": asdict(recipe),
        "models": {
            recipe.embedder.name: recipe.embedder.fingerprint,
            settings.llm: model,
        },
        **({"choices": choices} if (choices := _choices(model)) else {}),
        "prompts": {"hash": prompts.hash, "texts": dict(prompts.texts)},
        "passages": dict(ground.passages),
    }


def accelerators(machine: Machine) -> dict[str, str]:
    """Where results may differ from those of the CPU, and from one run to the next."""
    layers = {"llm-on": f"gpu ({machine.gpu_layers} layers)"} if machine.gpu_layers else {}
    return layers | ({"embedder-on": machine.device} if machine.device != "cpu" else {})


def _llm_print(name: str, fingerprint: str) -> str:
    """
    >>> _llm_print("dir/tiny.gguf", "0123456789abcdef"), _llm_print("http://[::1]", "openai:t@0a1b")
    ('tiny@01234567', 'openai:t@0a1b')
    """
    if _is_address(name):
        return fingerprint
    short = "+".join(part[:8] for part in fingerprint.split("+"))
    return f"{Path(name).name.removesuffix('.gguf')}@{short}"


def _choices(model: str) -> str:
    """How a server's choices are read; "" for a model of this program."""
    if model.startswith("openai-text:"):
        return "read from text: the server gives no log-probabilities"
    if model.startswith("openai:"):
        return "log-probabilities; read from text where an option is not among those listed"
    return ""


@dataclass(frozen=True, slots=True)
class Voter:
    """What casts and joins the votes of one rule, and what a calibration of it is filed under."""

    cast: Callable[[Claim, Sequence[Evidence]], tuple[Vote, ...]]
    decide: VerdictRule
    recast: Callable[[Vote, Calibration], Vote]
    options: Mapping[str, Label | None]
    model: str
    template: str
    step: str


def wire_voter(
    rule_name: str, llm_name: str, folder: Path | None, machine: Machine, memory: Path
) -> Voter:
    """The voter of a rule, uncalibrated, with constrained decoding; `memory` keeps replies.
    Raises UsageError for a rule whose votes carry no probabilities of the four labels, and for a
    server that gives none."""
    settings = Settings(rule=rule_name, llm=llm_name, prompts=folder)
    rule, decoding = RULES[settings.verdict], Decoding.CONSTRAINED
    options = _labels(rule)
    if not options:
        raise UsageError(
            f"--verdict {rule_name} has no probabilities of labels to calibrate; these have: "
            f"{', '.join(name for name, other in RULES.items() if _labels(other))}"
        )
    step = template_of(rule, decoding)
    template = load_prompts(folder)(step)
    llm, model = load_llm(llm_name, machine, memory)

    def ask(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Vote, ...]:
        votes = cast(llm, template, claim, evidence, rule, decoding, calibration.NONE)
        if any(not vote.options for vote in votes):
            raise UsageError(
                f"{llm_name} does not give the log-probability of every letter ({claim.id}. "
                f"{claim.text[:40]}), and a calibration is fitted to these"
            )
        return votes

    def recast(vote: Vote, fitted: Calibration) -> Vote:
        reply = Reply(vote.reply, tuple(vote.options.values()), cut=vote.cut)
        return constrained_vote(reply, options, fitted, rule.silent)

    return Voter(ask, rule.decide, recast, options, model, template.hash, step)


def _labels(rule: Rule) -> dict[str, Label | None]:
    """The letters of a rule that stand for labels or for none; those of grades are left out."""
    return {x: found for x, found in rule.options.items() if not isinstance(found, Grade)}


def wire_speed(llm: str, folder: Path | None, machine: Machine) -> tuple[Reader, Template]:
    """A model of this machine to be measured, and the template its votes are asked with."""
    from uhhrag.backends import llamacpp

    if _is_address(llm):
        raise UsageError(f"--llm {llm} is a server; only models of this program are measured")
    template = load_prompts(folder)(template_of(RULES["majority"], Decoding.CONSTRAINED))
    gguf = _gguf(llm)
    models.verify(llm)
    demand_address_space(MODELS + gguf.stat().st_size, gguf.name)
    return llamacpp.load(gguf, threads=machine.cores, gpu_layers=machine.gpu_layers), template
