"""Fits vote probabilities to claims with known labels."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from uhhrag.system.text_files import require_writable
from uhhrag.training import calibration as fit
from uhhrag.voters.calibration import read_entries
from uhhrag.wiring.machine import Machine
from uhhrag.wiring.voters import wire_voter
from uhhrag.workflows.observer import Observer


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrateTask:
    train: Path
    out: Path
    rule: str
    llm: str
    prompts: Path | None
    """None: the shipped templates."""
    size: int
    """Claims drawn from `train`."""
    top_n: int
    """Evidence per claim."""
    seed: int


def calibrate(task: CalibrateTask, machine: Machine, observer: Observer) -> fit.Fit:
    """Add the fit to `task.out`; resumes. Raises UhhragError."""
    require_writable(task.out)
    if task.out.exists():
        read_entries(task.out)  # what cannot be added to is better known before the votes are cast
    memory = task.out.with_suffix(".sqlite")
    voter = wire_voter(task.rule, task.llm, task.prompts, machine, memory)
    labels = [label for label in voter.options.values() if label]
    known = fit.read_examples(task.train)
    examples = fit.sample(task.train, known, labels, task.size, task.seed)
    asked = (voter.cast(e.claim, e.evidence[: task.top_n]) for e in examples)
    votes = list(observer.track(asked, len(examples), "claims"))
    source = (
        f"{task.train.name}: {len(examples)} claims, {task.top_n} pieces of evidence, "
        f"seed {task.seed}"
    )
    common = fit.shares(known, labels)
    fitted = fit.fit(examples, votes, voter.options, common, voter.decide, voter.recast, source)
    fit.write_entry(task.out, voter.model, voter.template, voter.step, fitted)
    return fitted
