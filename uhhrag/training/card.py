"""A verifier's model card."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from uhhrag.errors import InputError
from uhhrag.system.text_files import read_json
from uhhrag.training.pairs import Pair
from uhhrag.training.score import PairScore


def model_card(
    base: str,
    training: str,
    pairs: Sequence[Pair],
    scores: Mapping[str, PairScore],
    licences: Mapping[str, str],
) -> str:
    """Markdown. `training` is a sentence; `scores` are of held-out pairs."""
    counts = Counter(pair.source or "(no source)" for pair in pairs)
    data = (
        f"| {name} | {n:,} | {licences.get(name, 'not stated')} |" for name, n in counts.items()
    )
    measured = (
        f"| {name} | {s.pairs:,} | {s.accuracy:.3f} | {s.macro_f1:.3f} "
        f"| {s.calibration_error:.3f} | {s.majority:.3f} |"
        for name, s in scores.items()
    )
    return "\n".join(
        [
            "# A verifier of uhhrag",
            "",
            f"An adapter of {base}, trained on {len(pairs):,} pairs of evidence and claim. "
            f"{training} It reads a claim and a piece of evidence and gives the probabilities that "
            "the evidence supports the claim, refutes it, or says nothing about it.",
            "",
            "## Training data",
            "",
            "| source | pairs | licence |",
            "|---|---:|---|",
            *sorted(data),
            "",
            "## Scores on pairs held out",
            "",
            "| source | pairs | accuracy | macro-F1 | calibration error | commonest label |",
            "|---|---:|---:|---:|---:|---:|",
            *measured,
            "",
        ]
    )


def read_licences(file: Path) -> dict[str, str]:
    """Raises InputError for anything but a JSON object of texts."""
    licences = read_json(file)
    if not isinstance(licences, dict) or not all(isinstance(v, str) for v in licences.values()):
        raise InputError(f"{file}: is not a JSON object with a licence for each source")
    return licences
