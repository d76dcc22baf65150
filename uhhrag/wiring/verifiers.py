from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from uhhrag import models
from uhhrag.backends import verifier
from uhhrag.backends.verifier_files import (
    CHECKPOINTS,
    LORA,
    MAX_TOKENS,
    MINICHECK,
    SETTINGS,
    UNFITTED,
    VerifierSettings,
    read_settings,
)
from uhhrag.backends.verifier_files import TrainingPlan as TrainingPlan
from uhhrag.errors import ModelError, UsageError
from uhhrag.models import MODELS, local
from uhhrag.models.catalogue import Use
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import LLM, Entailment
from uhhrag.rules.learned import NEWS
from uhhrag.system.checksums import sha256
from uhhrag.system.text_files import write_text
from uhhrag.training import calibration as fit
from uhhrag.training.pairs import STANCES, Pair, split
from uhhrag.training.score import PairScore, model_card, scores_of, targets_of
from uhhrag.voters import letters
from uhhrag.voters.calibration import Calibration
from uhhrag.wiring import llms
from uhhrag.wiring.machine import Machine

_MODELS = Path(__file__).parents[1] / "models"
SHIPPED = _MODELS / "verifier"
"""An adapter of `mpnet`."""
_OF_NEWS = _MODELS / "verifier-news"
"""`SHIPPED` was trained from it; it reads news better."""
CARD = "README.md"
_FOLDS = 5
"""Of the pairs held out: each is scored by a calibration to the others."""


@dataclass(frozen=True, slots=True)
class LoadedVerifier:
    entailment: Entailment
    fingerprint: str
    """Of its files and its base's."""
    numbers: str = ""
    """As "-bf16"; "" for float32."""
    fitted: bool = False
    """Its probabilities are calibrated."""
    server: str = ""
    """The fingerprint of a server's model."""
    files: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """SHA-256 by file, of each folder or model by its name: itself, then its base."""


def load_verifier(
    name: str | Path = SHIPPED, machine: Machine | None = None, *, passages: bool = False
) -> LoadedVerifier:
    """From a folder, a name of the table, a GGUF file or a server's address. Raises ModelError if
    it or its base is missing, damaged or another, UsageError for an unusable address."""
    machine, name = machine or Machine(), str(name)
    if llms.is_address(name):
        return _open_server(name, machine)
    if name in MODELS:
        models.verify(name)
    folder = models.path(name) if name in MODELS else Path(name)
    settings = _settings_of(folder)
    loaded = _open(folder, settings.for_passages() if passages else settings, machine)
    bases = (base,) if (base := settings.base) not in ("", str(folder)) else ()
    files = {folder.name: _hashes(folder), **{Path(b).name: models.verify(b) for b in bases}}
    return replace(loaded, files=files)


def _open_server(url: str, machine: Machine) -> LoadedVerifier:
    server = llms.ask_server(url, machine, "--verifier")
    entailment, form = _asked(server.model, server.fingerprint, UNFITTED)
    fingerprint = sha256(f"{server.fingerprint} {form}")
    return LoadedVerifier(entailment, fingerprint, server=server.fingerprint)


def _open(folder: Path, settings: VerifierSettings, machine: Machine) -> LoadedVerifier:
    if _is_language_model(settings.base):
        return _open_lettered(folder, settings, machine)
    base, known = None, ""
    if settings.base:
        hashes = models.verify(settings.base)
        base = models.path(settings.base)
        known = models.fingerprint_of(base, hashes)
    _require_base(folder, settings, known)
    fingerprint = fingerprint_of(folder, known)
    entailment = verifier.load(folder, base, machine.device, settings=settings)
    numbers, fitted = verifier.numbers_of(settings, machine.device), settings.scaling != UNFITTED
    return LoadedVerifier(entailment, fingerprint, numbers, fitted)


def _settings_of(place: Path) -> VerifierSettings:
    """A language model alone is its own base."""
    if place.suffix == ".gguf":
        return VerifierSettings(str(place), "", MAX_TOKENS, *UNFITTED)
    return read_settings(place)


def _is_language_model(name: str) -> bool:
    return MODELS[name].use is Use.LLM if name in MODELS else name.endswith(".gguf")


def _open_lettered(place: Path, settings: VerifierSettings, machine: Machine) -> LoadedVerifier:
    lora = place / LORA
    llm, known = llms.load_llm(settings.base, machine, None, lora if lora.is_file() else None)
    _require_base(place, settings, known.partition("+")[0])
    alone = not place.is_dir()  # an adapter was trained to pick letters
    entailment, form = _asked(llm, place.name if alone else "", settings.scaling)
    own = known if alone else fingerprint_of(place, known)
    return LoadedVerifier(entailment, sha256(f"{own} {form}"), fitted=settings.scaling != UNFITTED)


def _asked(
    llm: LLM, name: str, scaling: tuple[float, tuple[float, float, float]]
) -> tuple[Entailment, str]:
    """In the named model's form, with the form's hash."""
    if MINICHECK in name.lower():
        return letters.by_yes_or_no(llm), sha256(letters.MINICHECK_FORM)
    template = load_prompts()(letters.STEP)
    return letters.by_letters(llm, template, Calibration(*scaling)), template.hash


def _require_base(folder: Path, settings: VerifierSettings, found: str) -> None:
    if settings.base_fingerprint not in ("", found):
        raise ModelError(
            f"{folder}: belongs to a base model with other files than {settings.base} here; run: "
            f"uhhrag models pull {settings.base} --again"
        )


def shipped_for(field: str) -> Path:
    """The best measured (docs/verdicts.md)."""
    return _OF_NEWS if field == NEWS else SHIPPED


def base_name(name: str | Path) -> str:
    """Itself or its base; "" for a whole model in a folder."""
    return str(name) if str(name) in MODELS else _settings_of(Path(name)).base


def fingerprint_of(folder: Path, base_fingerprint: str) -> str:
    """Hash of its files' hashes and the base's, "" if none."""
    lines = (f"{digest}  {name}\n" for name, digest in _hashes(folder).items())
    return sha256(f"{sha256(''.join(lines))} {base_fingerprint}")


def _hashes(place: Path) -> dict[str, str]:
    """SHA-256 by name, without card and checkpoints."""
    if place.is_file():
        return {place.name: models.fingerprint(place)}
    names = (file.relative_to(place) for file in local.files_of(place))
    parts = (name for name in names if name.parts[0] not in (CARD, CHECKPOINTS))
    return {name.as_posix(): models.fingerprint(place / name) for name in parts}


def train_verifier(
    pairs: Sequence[Pair],
    plan: TrainingPlan,
    held_out: float,
    licences: Mapping[str, str],
    progress: Callable[[int, int], None],
) -> dict[str, PairScore]:
    """Continues from the last checkpoint; the `held_out` share of groups gives calibration and
    scores. Raises UsageError for another training's folder."""
    _require_same_training(pairs, plan, held_out)
    training, held = split(pairs, held_out, plan.seed)
    examples = [(p.premise, p.hypothesis, STANCES.index(p.label)) for p in training]
    if _is_language_model(plan.base_name):
        verifier.train_letters(examples, plan, load_prompts()(letters.STEP), progress)
    else:
        verifier.train(examples, plan, progress)
    plain = VerifierSettings(
        plan.base_name, models.fingerprint(plan.base), plan.max_tokens, *UNFITTED
    )
    _write_settings(plan.out, plain)
    scores = calibrate(plan.out, held, device=plan.device)
    how = f"{plan.steps:,} steps of {plan.batch} pairs, rank {plan.rank}, seed {plan.seed}."
    write_text(plan.out / CARD, model_card(plan.base_name, how, training, scores, licences))
    return scores


def calibrate(
    folder: Path, held: Sequence[Pair], passages: Sequence[Pair] = (), device: str = "cpu"
) -> dict[str, PairScore]:
    """Store maximum-likelihood scale and biases, apart for passages. Each pair is scored by a
    calibration on the others (`_FOLDS`). Raises UsageError unless `train_verifier` wrote the
    folder."""
    plain = replace(read_settings(folder), scale=1.0, bias=(0.0, 0.0, 0.0), passages=None)
    if not plain.base:
        raise UsageError(f"{folder}: is no adapter that uhhrag train verifier wrote")
    read = _open(folder, plain, Machine(device=device)).entailment
    rows, targets = _logs(read, held), targets_of(held)
    scale, bias = _scaling(rows, targets)
    apart = _scaling(_logs(read, passages), targets_of(passages)) if passages else None
    _write_settings(folder, replace(plain, scale=scale, bias=bias, passages=apart))
    scaled, folds = np.empty_like(rows), np.arange(len(rows)) % _FOLDS
    for fold in range(min(_FOLDS, len(rows))):
        held_back = folds == fold
        scale, bias = _scaling(rows[~held_back], targets[~held_back])
        shares = np.exp(scale * rows[held_back] + bias)  # of logarithms of probabilities
        scaled[held_back] = shares / shares.sum(axis=1, keepdims=True)
    return scores_of(held, scaled)


def _logs(read: Entailment, pairs: Sequence[Pair]) -> NDArray[np.float64]:
    probabilities = read([(pair.premise, pair.hypothesis) for pair in pairs])
    logs: NDArray[np.float64] = np.log(np.array(probabilities).clip(1e-9))
    return logs


def _scaling(
    rows: NDArray[np.float64], targets: NDArray[np.int64]
) -> tuple[float, tuple[float, float, float]]:
    scale, bias = fit.vector_scaling(rows, targets, np.ones(len(rows)))
    first, second, third = map(float, bias)
    return scale, (first, second, third)


def _require_same_training(pairs: Sequence[Pair], plan: TrainingPlan, held_out: float) -> None:
    """Raises UsageError for checkpoints of another training. A plan without any is overwritten."""
    known = {
        **{key: str(value) for key, value in asdict(plan).items() if key not in ("out", "device")},
        "held_out": str(held_out),
        "pairs": sha256("\n".join(map(repr, pairs))),
    }
    file = plan.out / CHECKPOINTS / "plan.json"
    begun = any(file.parent.glob("checkpoint-*"))
    if begun and file.is_file() and json.loads(file.read_text(encoding="utf-8")) != known:
        raise UsageError(
            f"{plan.out}: holds a training with other pairs or options; give another --out, or "
            f"delete {plan.out / CHECKPOINTS} to begin again"
        )
    write_text(file, json.dumps(known))


def _write_settings(folder: Path, settings: VerifierSettings) -> None:
    left = ("foreign", "passages")
    record = {name: value for name, value in asdict(settings).items() if name not in left}
    if settings.passages:
        record["passages"] = dict(zip(("scale", "bias"), settings.passages, strict=True))
    write_text(folder / SETTINGS, json.dumps(record, indent=2) + "\n")
