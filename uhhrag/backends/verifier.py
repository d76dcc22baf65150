"""The verifier: a cross-encoder that says whether evidence supports or refutes a claim.

A folder holds `verifier.json` and a whole classifier or a LoRA adapter (PEFT), merged at loading
(Hu et al. 2021, equation 3); vector scaling calibrates it (Guo et al. 2017, section 4.2). A
classifier without `verifier.json` is used as it is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from uhhrag.backends.kernels import FP32, go_offline, hold_if_free
from uhhrag.backends.verifier_files import Example, TrainingPlan, VerifierSettings, read_settings
from uhhrag.protocols import Entailment
from uhhrag.system.extras import require_extra


def load(
    folder: Path, base: Path | None, device: str = "cpu", *, passages: bool = False
) -> Entailment:
    """A folder's verifier; `base` is the base model's folder, None for a whole model. `passages`
    selects their calibration. Long evidence is cut. Raises ModelError if there is none or the base
    is another."""
    settings = read_settings(folder)
    if passages:
        settings = settings.for_passages()
    go_offline()
    if settings.foreign:
        from uhhrag.backends import nli

        return nli.load(folder)
    in_bf16 = bool(numbers_of(settings, device))
    from uhhrag.backends import verifier_model

    return verifier_model.load(folder, base, settings, device, in_bf16=in_bf16)


def numbers_of(settings: VerifierSettings, device: str) -> str:
    """The kernel with which `load` computes here, as in "-bf16"; "" for float32."""
    kernel = FP32 if settings.foreign or device != "cpu" else hold_if_free()
    return "" if kernel == FP32 else f"-{kernel}"


def train(
    examples: Sequence[Example], plan: TrainingPlan, progress: Callable[[int, int], None]
) -> None:
    """Train an adapter and write it to `plan.out` (PEFT's files, float16); resumes. `progress` gets
    steps done and in all. Raises ModelError for an unloadable base or missing peft."""
    require_extra("train", ["peft", "accelerate"], "trainers of a verifier")
    in_bf16 = plan.device != "cpu" or hold_if_free() != FP32
    from uhhrag.backends import adapter_training

    adapter_training.train(examples, plan, progress, in_bf16=in_bf16)
