"""Entry to training, free of its libraries."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from uhhrag.backends.kernels import FP32, hold_if_free
from uhhrag.backends.training_plan import CHECKPOINTS as CHECKPOINTS
from uhhrag.backends.training_plan import Example
from uhhrag.backends.training_plan import TrainingPlan as TrainingPlan
from uhhrag.system.extras import require_extra


def train_adapter(
    examples: Sequence[Example], plan: TrainingPlan, progress: Callable[[int, int], None]
) -> None:
    """Train an adapter and write it to `plan.out` (PEFT's files, float16); resumes.

    `progress` gets steps done and in all. Raises ModelError for an unloadable base or missing
    peft."""
    require_extra("train", ["peft", "accelerate"], "trainers of a verifier")
    in_bf16 = plan.device != "cpu" or hold_if_free() != FP32
    from uhhrag.backends import adapter_training

    adapter_training.train(examples, plan, progress, in_bf16=in_bf16)
