"""What commands and library ask for; light imports, for `--help`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar, get_args, get_type_hints

from uhhrag import defaults
from uhhrag.config.option import Checked, option, unknown_option
from uhhrag.errors import UsageError
from uhhrag.indexing.choices import Precision, Tokenizer
from uhhrag.protocols import LLM, Embedder, Entailment, PageSource
from uhhrag.records import Claim
from uhhrag.scores.choices import JudgeKind, Measure
from uhhrag.wiring.machine import Loaded, Machine

if TYPE_CHECKING:
    from uhhrag.scores.bootstrap import Bootstrap

E = TypeVar("E", bound=StrEnum)
T = TypeVar("T")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsTask(Checked):
    """Claims of the shared task."""

    limit: int | None = option(None, "Only the first N claims.", least=1)
    claim: tuple[int, ...] = option(
        (), "Only the claim with this number; repeatable.", many=True, least=0
    )
    shard: str | None = option(
        None, "Only this part of the claims, such as 1/3; see merge.", metavar="I/N"
    )
    ray: str | None = option(
        None,
        "Spread the work over workers: so many on this machine, the Ray cluster at HOST:PORT, or "
        "auto for the one this machine is part of.",
        metavar="WHERE",
    )
    """As `read_cluster_address`; None: this process."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexTask(ClaimsTask):
    data: Path
    out: Path = option(Path(defaults.INDEX), "The folder for the index.")
    claims: Path | None = option(None, "Claims file. Default: DATA/claims.json.")
    store: Path | None = option(
        None,
        "Knowledge store: folder, zip, or for all claims one .jsonl or an archive; else "
        "DATA/knowledge_store[.zip].",
    )
    embedder: str | Loaded[Embedder] = option(defaults.EMBEDDER, "Model name or folder.", kind=str)
    device: str = option(defaults.DEVICE, "Where the embedder runs: cpu or cuda.")
    precision: Precision | None = option(
        None,
        "Numbers of the embedder. Default: those of the index that is there, else the fastest "
        "here for a plain BERT, as measured once (see doctor).",
    )
    pool: int = option(defaults.POOL, "Passages that BM25 keeps for each claim.", least=1)
    patience: int | None = option(
        None,
        "Embed a pool best first, and leave out the rest after N passages in a row none of which "
        "is among the ten nearest to the claim; 0 embeds all. Default: that of the index that is "
        f"there, else {defaults.PATIENCE} for minilm (it keeps 99 % of the ten nearest) and 0 for "
        "other embedders.",
        least=0,
        metavar="N",
    )
    tokenizer: Tokenizer = option(
        Tokenizer.FAST, "How BM25 splits words: fast, or exactly as NLTK does."
    )
    unique: bool = option(True, "Keep each sentence once, with all its URLs.")
    overwrite: bool = option(False, "Rebuild what is already there.")
    repair: bool = option(False, "Check what is there and rebuild what is damaged.")


@dataclass(frozen=True, slots=True, kw_only=True)
class PredictTask(ClaimsTask):
    index: Path = option(Path(defaults.INDEX), "The index to search.")
    out: Path | None = option(None, "The run folder. Default: runs/<approach>.")
    trec: bool = option(False, "Also write the ranking of each stage as a TREC run.")
    overwrite: bool = option(False, "Replace an earlier run in the same folder.")
    repair: bool = option(False, "Decide claims again whose results are damaged.")


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentsTask(Checked):
    work: Path | None = option(None, "Folder for what is read. Default: FOLDER.uhhrag, beside it.")
    pool: int = option(defaults.POOL, "Sentences of archives searched whole.", least=1)
    """So many are searched exactly."""
    rerank: int | None = option(
        None,
        "Passages of an archive that a cross-encoder reads; 0 for none. Default: "
        f"{defaults.RERANK}, if its model is here.",
        least=0,
    )
    claims: Sequence[Claim] = ()
    own: tuple[Path, ...] = ()
    """Files that are no evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckTask(DocumentsTask):
    docs: Path | PageSource
    """A folder, archive, store, or a source, which is copied into a store."""
    out: Path | None = option(
        None, "The run folder. Default: a new one in the work folder.", metavar="RUN"
    )
    overwrite: bool = option(False, "Replace an earlier run in the same --out.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeTask(DocumentsTask):
    what: Path | None = None
    index: Path | None = option(None, "An index to check claims against.")
    docs: Path | None = option(
        None, "Documents, or what ingest made of them, to check against.", metavar="FOLDER"
    )
    collections: Path | None = option(
        None,
        "Folder of the collections that the pages keep. Default, where nothing else is served: "
        "one in your data folder.",
        metavar="DIR",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring(Checked):
    workers: int | None = option(
        None, "Processes. Default: one per hundred claims, at most one per core.", least=1
    )
    seed: int = option(defaults.BOOTSTRAP_SEED, "Seed of the bootstrap.", least=0)
    resamples: int = option(defaults.RESAMPLES, "Resamples of the bootstrap.", least=1, most=10_000)

    @property
    def bootstrap(self) -> Bootstrap:
        from uhhrag.scores.bootstrap import Bootstrap  # numpy, which `--help` does not wait for

        return Bootstrap(self.resamples, self.seed)


class JudgeOptions(TypedDict, total=False):
    """As `uhhrag evaluate`."""

    judge: str | Loaded[Entailment]
    verifier: str | Path | None
    llm: str | Path | Loaded[LLM]
    allow_remote: bool
    prompts: str | Path | None
    replies: str | Path | None
    threads: int | None
    gpu_layers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Judging:
    kind: JudgeKind = option(
        JudgeKind.VERIFIER,
        "Who judges the evidence: the verifier or a language model.",
        name="judge",
    )
    llm: str | Loaded[LLM] = option(
        defaults.LLM, "For --judge llm: a name, a .gguf file or a server's address.", kind=str
    )
    verifier: str | Loaded[Entailment] | None = None
    prompts: Path | None = option(None, "For --judge llm: templates that replace ours.")
    replies: Path | None = option(
        None, "For --judge llm: keep replies here, to continue if interrupted.", metavar="FILE"
    )
    machine: Machine = field(default_factory=Machine)


_OF = {
    JudgeKind.VERIFIER: {"verifier"},
    JudgeKind.LLM: {"llm", "prompts", "replies", "gpu_layers"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluateTask(Scoring):
    gold: Path
    run: Path | None = None
    per_claim: Path | None = option(
        None, "Also write scores per claim: .jsonl, .csv or .parquet.", metavar="FILE"
    )
    trec: Path | None = option(
        None, "Also measure retrieval: a TREC run, or a folder of them.", metavar="RUNS"
    )
    qrels: Path | None = option(
        None, "Relevant passages for --trec: .jsonl or TREC qrels.", metavar="FILE"
    )
    store: Path | None = option(
        None, "For --trec without --qrels: the store with gold's pages.", metavar="STORE"
    )
    judging: Judging | None = None
    """None: METEOR."""


def path_of(path: str | Path) -> Path:
    """Raises UsageError for "", which `Path` takes for the current folder."""
    if path == "":
        raise UsageError("a path is empty; name a file or folder")
    return Path(path)


def from_arguments(kind: type[T], given: Mapping[str, Any]) -> T:
    """Ignores arguments that are no fields of `kind`."""
    kinds = get_type_hints(kind)
    return kind(**{name: _as(kinds[name], v, name) for name, v in given.items() if name in kinds})


def _as(kind: Any, value: Any, name: str) -> Any:
    kinds = get_args(kind) or (kind,)
    if value is None and type(None) in kinds:
        return None
    if Path in kinds and isinstance(value, str | Path):
        return path_of(value)
    if closed := [one for one in kinds if isinstance(one, type) and issubclass(one, StrEnum)]:
        return one_of(closed[0], name, value)
    if kind == tuple[int, ...]:
        return (value,) if isinstance(value, int) else tuple(value)
    return str(value) if str in kinds and not isinstance(value, Loaded) else value


def one_of(kind: type[E], option: str, value: str) -> E:
    try:
        return kind(value)
    except ValueError:
        known = ", ".join(kind)
        raise UsageError(f"{option} {value!r} is unknown; it is one of: {known}") from None


def choose_judge(measure: str, options: JudgeOptions) -> Judging | None:
    """None for METEOR. Raises UsageError for a foreign option, TypeError for an unknown one."""
    values: dict[str, Any] = dict(options)
    if unknown := sorted(values.keys() - JudgeOptions.__annotations__.keys()):
        raise unknown_option(unknown[0], JudgeOptions.__annotations__, "evaluate")
    if one_of(Measure, "measure", measure) is not Measure.EV2R:
        if values:
            raise UsageError(
                f"{_option(next(iter(values)))} belongs to --measure {Measure.EV2R}; add it"
            )
        return None
    own = values.pop("judge", JudgeKind.VERIFIER)
    if isinstance(own, Loaded):
        values["verifier"], own = own, JudgeKind.VERIFIER
    kind = one_of(JudgeKind, "judge", own)
    other = next(kind_of for kind_of in JudgeKind if kind_of is not kind)
    if foreign := sorted(_OF[other] & values.keys()):
        raise UsageError(
            f"{_option(foreign[0])} belongs to --judge {other}; add it or leave it out"
        )
    machine = {
        key: values.pop(key) for key in ("threads", "gpu_layers", "allow_remote") if key in values
    }
    return from_arguments(Judging, {**values, "kind": kind, "machine": Machine(**machine)})


def _option(name: str) -> str:
    return f"--{name.replace('_', '-')}"
