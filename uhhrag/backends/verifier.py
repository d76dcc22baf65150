"""The verifier: a cross-encoder over evidence and claim → supports, refutes, says nothing.

A folder of a verifier holds `verifier.json` and either a whole sequence-classification model
(transformers, safetensors) or a LoRA adapter (PEFT's files) of a base model, which is merged into
the base's weights at loading (Hu et al. 2021, equation 3), so reading costs no more than the base.
Probabilities are calibrated by vector scaling (Guo et al. 2017, section 4.2). A folder with a
classifier of somebody else's and no `verifier.json` is read as it is.
"""

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
    """The verifier of `folder`; `base` is the folder of the base model, None for a whole model.
    With `passages` it is calibrated for passages of documents.

    A pair that is too long loses the end of its evidence. Raises ModelError where the folder
    holds no verifier or the base is not the one it was trained on."""
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
