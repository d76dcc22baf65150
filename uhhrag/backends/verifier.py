"""A cross-encoder that says whether evidence supports or refutes a claim: a classifier or a LoRA
adapter (Hu et al. 2021, equation 3), with vector scaling (Guo et al. 2017, section 4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from uhhrag.backends.kernels import FP32, go_offline, hold_if_free
from uhhrag.backends.verifier_files import Example, TrainingPlan, VerifierSettings, read_settings
from uhhrag.protocols import Entailment, Template
from uhhrag.system.extras import require_extra


def load(
    folder: Path, base: Path | None, device: str = "cpu", settings: VerifierSettings | None = None
) -> Entailment:
    """`base` is None for a whole model; `settings` replace the folder's. Raises ModelError for no
    verifier or an unfit base."""
    settings = settings or read_settings(folder)
    go_offline()
    if settings.foreign:
        from uhhrag.backends import nli

        return nli.load(folder)
    in_bf16 = bool(numbers_of(settings, device))
    from uhhrag.backends import verifier_model

    return verifier_model.load(folder, base, settings, device, in_bf16=in_bf16)


def numbers_of(settings: VerifierSettings, device: str) -> str:
    """The kernel of `load`, as in "-bf16"; "" for float32."""
    kernel = FP32 if settings.foreign or device != "cpu" else hold_if_free()
    return "" if kernel == FP32 else f"-{kernel}"


def train(
    examples: Sequence[Example], plan: TrainingPlan, progress: Callable[[int, int], None]
) -> None:
    """Writes an adapter (PEFT's files, float16) to `plan.out`; resumes. `progress` gets steps done
    and in all. Raises ModelError for an unloadable base, UsageError without peft."""
    in_bf16 = _ready(plan)
    from uhhrag.backends import adapter_training

    adapter_training.train(examples, plan, progress, in_bf16=in_bf16)


def train_letters(
    examples: Sequence[Example],
    plan: TrainingPlan,
    template: Template,
    progress: Callable[[int, int], None],
) -> None:
    """Likewise of a language model in GGUF, which reads by `template`; so is its adapter."""
    require_extra("llm", ["llama_cpp"], "language models")
    in_bf16 = _ready(plan)
    from uhhrag.backends import letters_training

    letters_training.train(examples, plan, template, progress, in_bf16=in_bf16)


def _ready(plan: TrainingPlan) -> bool:
    """Whether to train in bfloat16."""
    require_extra("train", ["peft", "accelerate", "gguf"], "trainers of a verifier")
    go_offline()
    return plan.device != "cpu" or hold_if_free() != FP32
