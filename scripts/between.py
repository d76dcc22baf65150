"""A verifier between two: every number of its adapter is a weighted mean of theirs.

    python -m scripts.between START END SHARE --pairs FILE --held-out 0.012 --seed 11 --out DIR

END was trained further from START. SHARE is the weight of END, from 0 to 1 (Wortsman et al. 2022,
"Robust fine-tuning of zero-shot models"). --pairs, --held-out and --seed are those of END's
training: the verifier in DIR is calibrated and scored on the pairs that were held out there.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

import torch
from safetensors.torch import load_file, save_file

from uhhrag import models
from uhhrag.backends import verifier
from uhhrag.training.pairs import read_pairs, split
from uhhrag.training.score import as_text
from uhhrag.wiring import verifiers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("start", type=Path)
    parser.add_argument("end", type=Path)
    parser.add_argument("share", type=float)
    parser.add_argument("--pairs", type=Path, required=True)
    parser.add_argument("--held-out", type=float, required=True)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    for name in (verifier.SETTINGS, verifier.ADAPTER_SETTINGS):
        shutil.copy(options.end / name, options.out)
    mixed = between(options.start, options.end, options.share)
    save_file(mixed, options.out / verifier.ADAPTER)
    held = split(read_pairs([options.pairs]), options.held_out, options.seed)[1]
    base = models.path(verifier.read_settings(options.out).base)
    print(as_text(verifiers.calibrate(options.out, base, held)))


def between(start: Path, end: Path, share: float) -> dict[str, torch.Tensor]:
    """The adapter between those of two folders, in float16. Raises KeyError where they differ in
    their matrices."""
    first, last = (load_file(folder / verifier.ADAPTER) for folder in (start, end))
    return {
        name: ((1 - share) * first[name].float() + share * value.float()).half().contiguous()
        for name, value in last.items()
    }


if __name__ == "__main__":
    main()
