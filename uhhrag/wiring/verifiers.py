"""Verifiers: loaded with their bases, trained."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from uhhrag import models
from uhhrag.backends import verifier, verifier_trainer
from uhhrag.backends.verifier import VerifierSettings
from uhhrag.backends.verifier_trainer import CHECKPOINTS
from uhhrag.backends.verifier_trainer import TrainingPlan as TrainingPlan
from uhhrag.errors import ModelError, UsageError
from uhhrag.models import local
from uhhrag.protocols import Entailment
from uhhrag.rules.learned import NEWS
from uhhrag.system.text_files import write_text
from uhhrag.training import calibration as fit
from uhhrag.training.card import model_card
from uhhrag.training.pairs import STANCES, Pair, split
from uhhrag.training.score import PairScore, score_pairs

_MODELS = Path(__file__).parents[1] / "models"
SHIPPED = _MODELS / "verifier"
"""The shipped verifier, an adapter of `mpnet`."""
_OF_NEWS = _MODELS / "verifier-news"
"""What `SHIPPED` was trained from; better on news claims."""
CARD = "README.md"


@dataclass(frozen=True, slots=True)
class LoadedVerifier:
    entailment: Entailment
    fingerprint: str
    """Of its files and its base's."""


def load_verifier(
    folder: Path = SHIPPED, device: str = "cpu", *, passages: bool = False
) -> LoadedVerifier:
    """A folder's verifier; `passages` calibrates it for documents.

    Raises ModelError if it or its base is missing or damaged, or the base is another one."""
    settings = verifier.read_settings(folder)
    base, base_fingerprint = _base_of(settings) if settings.base else (None, "")
    if settings.base_fingerprint not in ("", base_fingerprint):
        raise ModelError(
            f"{folder}: belongs to a base model with other files than {base}; run: uhhrag models "
            f"pull {settings.base} --again"
        )
    fingerprint = fingerprint_of(folder, base_fingerprint)
    return LoadedVerifier(verifier.load(folder, base, device, passages=passages), fingerprint)


def shipped_for(field: str) -> Path:
    """The shipped verifier that measured best on a field (docs/verdicts.md)."""
    return _OF_NEWS if field == NEWS else SHIPPED


def base_name(folder: Path = SHIPPED) -> str:
    """Or "" for a whole model."""
    return verifier.read_settings(folder).base


def fingerprint_of(folder: Path, base_fingerprint: str) -> str:
    """A hash of the base and the files, except card and checkpoints."""
    names = (file.relative_to(folder) for file in local.files_of(folder))
    parts = [name for name in names if name.parts[0] not in (CARD, CHECKPOINTS)]
    lines = (f"{models.fingerprint(folder / name)}  {name.as_posix()}\n" for name in parts)
    own = hashlib.sha256("".join(lines).encode()).hexdigest()
    return hashlib.sha256(f"{own} {base_fingerprint}".encode()).hexdigest()


def _base_of(settings: VerifierSettings) -> tuple[Path, str]:
    hashes = models.verify(settings.base)
    folder = models.path(settings.base)
    return folder, models.fingerprint_of(folder, hashes)


def train_verifier(
    pairs: Sequence[Pair],
    plan: TrainingPlan,
    held_out: float,
    licences: Mapping[str, str],
    progress: Callable[[int, int], None],
) -> dict[str, PairScore]:
    """Train, calibrate and write a verifier with its card; gives held-out scores.

    `held_out` is a share of groups. Continues from the last checkpoint; raises UsageError for
    others'."""
    _require_same_training(pairs, plan, held_out)
    training, held = split(pairs, held_out, plan.seed)
    examples = [(p.premise, p.hypothesis, STANCES.index(p.label)) for p in training]
    verifier_trainer.train_adapter(examples, plan, progress)
    plain = VerifierSettings(
        plan.base_name, models.fingerprint(plan.base), plan.max_tokens, 1.0, (0.0, 0.0, 0.0)
    )
    _write_settings(plan.out, plain)
    scores = calibrate(plan.out, plan.base, held, plan.device)
    how = f"{plan.steps:,} steps of {plan.batch} pairs, rank {plan.rank}, seed {plan.seed}."
    write_text(plan.out / CARD, model_card(plan.base_name, how, training, scores, licences))
    return scores


def calibrate(
    folder: Path, base: Path, held: Sequence[Pair], device: str = "cpu"
) -> dict[str, PairScore]:
    """Fit and write scale and biases; gives scores on `held`."""
    plain = replace(verifier.read_settings(folder), scale=1.0, bias=(0.0, 0.0, 0.0))
    _write_settings(folder, plain)
    _write_settings(folder, _calibrated(plain, held, verifier.load(folder, base, device)))
    return score_pairs(held, verifier.load(folder, base, device))


def _require_same_training(pairs: Sequence[Pair], plan: TrainingPlan, held_out: float) -> None:
    """Raises UsageError for checkpoints of other pairs or another plan.

    A plan without checkpoints is overwritten."""
    content = "\n".join(map(repr, pairs)).encode("utf-8", "surrogatepass")
    known = {
        **{key: str(value) for key, value in asdict(plan).items() if key not in ("out", "device")},
        "held_out": str(held_out),
        "pairs": hashlib.sha256(content).hexdigest(),
    }
    file = plan.out / CHECKPOINTS / "plan.json"
    begun = any(file.parent.glob("checkpoint-*"))
    if begun and file.is_file() and json.loads(file.read_text(encoding="utf-8")) != known:
        raise UsageError(
            f"{plan.out}: holds a training with other pairs or options; give another --out, or "
            f"delete {plan.out / CHECKPOINTS} to begin again"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, json.dumps(known))


def _calibrated(
    settings: VerifierSettings, held: Sequence[Pair], entailment: Entailment
) -> VerifierSettings:
    """With the likeliest scale and biases for held-out labels."""
    rows = np.log(np.array(entailment([(p.premise, p.hypothesis) for p in held])).clip(1e-9))
    targets = np.array([STANCES.index(pair.label) for pair in held])
    scale, bias = fit.vector_scaling(rows, targets, np.ones(len(held)))
    first, second, third = map(float, bias)
    return replace(settings, scale=scale, bias=(first, second, third))


def _write_settings(folder: Path, settings: VerifierSettings) -> None:
    write_text(folder / verifier.SETTINGS, json.dumps(asdict(settings), indent=2) + "\n")
