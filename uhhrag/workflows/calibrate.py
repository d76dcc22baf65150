from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from uhhrag.system.text_files import require_writable
from uhhrag.training import calibration as fit
from uhhrag.voters.calibration import read_entries
from uhhrag.wiring.voters import RuleVoter
from uhhrag.workflows.observer import Observer

_MIN_SCALE = 0.01
"""Below it votes are near even."""


def calibrate(
    train: Path,
    out: Path,
    voter_of: Callable[[Path], RuleVoter],
    size: int,
    top: int,
    seed: int,
    observer: Observer,
) -> fit.Fit:
    """Adds the fit to `out`; resumes. Draws `size` claims, each with `top` pieces of evidence. The
    voter must keep replies in a file."""
    require_writable(out)
    if out.exists():
        read_entries(out)  # what cannot be added to is better known before the votes are cast
    voter = voter_of(out.with_suffix(".sqlite"))
    labels = [label for label in voter.options.values() if label]
    known = fit.read_examples(train)
    examples = fit.sample(train, known, labels, size, seed)
    asked = (voter.cast(e.claim, e.evidence[:top]) for e in examples)
    votes = list(observer.track(asked, len(examples), "claims"))
    source = f"{train.name}: {len(examples)} claims, {top} pieces of evidence, seed {seed}"
    common = fit.shares(known, labels)
    fitted = fit.fit(examples, votes, voter.options, common, voter.decide, voter.recast, source)
    if fitted.calibration.scale < _MIN_SCALE:
        observer.warn(
            "the votes hardly tell the labels apart, and by this calibration hardly count; fit it "
            "on more claims (--size)"
        )
    fit.write_entry(out, voter.model, voter.template, voter.step, fitted)
    return fitted
