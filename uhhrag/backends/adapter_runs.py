"""Runs of transformers' trainer over an adapter by PEFT, and its files."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import peft
import torch
import transformers
from peft import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file

from uhhrag.backends.libraries import faults_as
from uhhrag.backends.transformers_models import require_device
from uhhrag.backends.verifier_files import ADAPTER, ADAPTER_SETTINGS, CHECKPOINTS, TrainingPlan
from uhhrag.errors import ModelError
from uhhrag.system.atomic import write_file
from uhhrag.system.writing import remove


def prepare(plan: TrainingPlan) -> None:
    """Raises UsageError for an unknown device, ModelError for an absent GPU."""
    require_device(plan.device)
    # The trainer reads an attribute that transformers has deprecated.
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)
    # PEFT looks for a config.json beside a GGUF file.
    warnings.filterwarnings("ignore", "Could not find a config file", UserWarning)
    transformers.set_seed(plan.seed)


def adapted(base: Any, plan: TrainingPlan, targets: Sequence[str], **more: Any) -> Any:
    """`more` goes to LoraConfig."""
    sizes: dict[str, Any] = {"r": plan.rank, "lora_alpha": alpha(plan), "lora_dropout": 0.0}
    return peft.get_peft_model(base, peft.LoraConfig(target_modules=list(targets), **sizes, **more))


def alpha(plan: TrainingPlan) -> int:
    return 2 * plan.rank


def take_up(model: Any, start: Path) -> None:
    with faults_as(f"{start}: its adapter cannot be trained further"):
        result = set_peft_model_state_dict(model, load_file(start / ADAPTER))
    if result.unexpected_keys:
        raise ModelError(
            f"{start}: its adapter belongs to another model: {result.unexpected_keys[0]}"
        )


class _Steps(transformers.TrainerCallback):  # type: ignore[misc]
    def __init__(self, progress: Callable[[int, int], None]) -> None:
        self._progress = progress

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._progress(state.global_step, state.max_steps)


def run(
    model: Any,
    data: Any,
    batch_of: Callable[[Sequence[Any]], dict[str, Any]],
    plan: TrainingPlan,
    progress: Callable[[int, int], None],
    *,
    in_bf16: bool,
    trainer: Any = transformers.Trainer,
    **more: Any,
) -> None:
    """`more` goes to TrainingArguments. Goes on from the last whole checkpoint."""
    settings: dict[str, Any] = {"per_device_train_batch_size": plan.batch, **more}
    arguments = transformers.TrainingArguments(
        output_dir=str(plan.out / CHECKPOINTS),
        max_steps=plan.steps,
        learning_rate=plan.learning_rate,
        weight_decay=0.01,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": plan.steps // 4, "min_lr_ratio": 0.02},
        warmup_steps=min(100, plan.steps // 10),
        use_cpu=plan.device == "cpu",
        bf16=in_bf16,
        remove_unused_columns=False,
        save_steps=plan.save_every,
        save_total_limit=2,
        seed=plan.seed,
        report_to=[],
        disable_tqdm=True,
        logging_strategy="no",
        **settings,
    )
    running = trainer(
        model=model,
        args=arguments,
        train_dataset=data,
        data_collator=batch_of,
        callbacks=[_Steps(progress)],
    )
    running.remove_callback(transformers.PrinterCallback)
    last = _last_checkpoint(plan.out / CHECKPOINTS)
    if last and _step(last) >= plan.steps:  # the trainer would go on for a step
        take_up(model, last)
    else:
        running.train(resume_from_checkpoint=last and str(last))


def _last_checkpoint(folder: Path) -> Path | None:
    for path in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        with suppress(OSError, ValueError):  # the trainer's state is written last
            json.loads((path / "trainer_state.json").read_text(encoding="utf-8"))
            return path
        shutil.rmtree(path)
    return None


def _step(checkpoint: Path) -> int:
    return int(checkpoint.name.rpartition("-")[2])


def export(model: Any, plan: TrainingPlan) -> None:
    trained = get_peft_model_state_dict(model).items()
    state = {name: value.to(torch.float16).contiguous() for name, value in trained}
    settings = model.peft_config["default"].to_dict()
    settings["base_model_name_or_path"] = plan.base_name
    given = {key: value for key, value in settings.items() if value not in (None, {}, [])}
    remove(plan.out / ADAPTER)
    save_file(state, plan.out / ADAPTER)
    write_file(plan.out / ADAPTER_SETTINGS, json.dumps(given, indent=2, default=_plain).encode())


def _plain(value: Any) -> Any:
    """Sets are sorted, to be reproducible."""
    return sorted(value) if isinstance(value, set) else str(value)
