"""The verifier: a cross-encoder that says whether evidence supports or refutes a claim.

A folder holds `verifier.json` and a whole classifier or a LoRA adapter (PEFT), merged at loading
(Hu et al. 2021, equation 3); vector scaling calibrates it (Guo et al. 2017, section 4.2). A
classifier without `verifier.json` is used as it is."""

from __future__ import annotations

import os
from pathlib import Path

from uhhrag.backends.kernels import FP32, hold_if_free
from uhhrag.backends.verifier_files import ADAPTER as ADAPTER
from uhhrag.backends.verifier_files import ADAPTER_SETTINGS as ADAPTER_SETTINGS
from uhhrag.backends.verifier_files import SETTINGS as SETTINGS
from uhhrag.backends.verifier_files import VerifierSettings as VerifierSettings
from uhhrag.backends.verifier_files import read_settings as read_settings
from uhhrag.protocols import Entailment

_OFFLINE = {"HF_HUB_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def load(
    folder: Path, base: Path | None, device: str = "cpu", *, passages: bool = False
) -> Entailment:
    """A folder's verifier; `base` is the base model's folder, None for a whole model.

    `passages` selects their calibration. Long evidence is cut. Raises ModelError if there is none
    or the base is another."""
    settings = read_settings(folder)
    if passages:
        settings = settings.for_passages()
    os.environ.update(_OFFLINE)  # read when torch and transformers are loaded
    if settings.foreign:
        from uhhrag.backends import nli

        return nli.load(folder)
    in_bf16 = device == "cpu" and hold_if_free() != FP32
    from uhhrag.backends import verifier_model

    return verifier_model.load(folder, base, settings, device, in_bf16=in_bf16)
