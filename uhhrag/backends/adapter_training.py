"""Trains a LoRA adapter (Hu et al. 2021) on all layers' matrices, and the head whole."""

from __future__ import annotations

import json
import re
import shutil
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import peft
import torch
import transformers
from peft import get_peft_model_state_dict, set_peft_model_state_dict
from safetensors.torch import load_file, save_file

from uhhrag.backends.libraries import faults_as
from uhhrag.backends.reproducible_batches import padded
from uhhrag.backends.transformers_models import open_model, require_device, require_weights
from uhhrag.backends.verifier_files import (
    ADAPTER,
    ADAPTER_SETTINGS,
    CHECKPOINTS,
    Example,
    TrainingPlan,
)
from uhhrag.errors import ModelError
from uhhrag.system.atomic import write_file
from uhhrag.system.writing import remove

_HEAD = "classifier"
_LAYER = re.compile(r"\.layer\.(\d+)\.")
_DROPOUT = 0.1


def train(
    examples: Sequence[Example],
    plan: TrainingPlan,
    progress: Callable[[int, int], None],
    *,
    in_bf16: bool,
) -> None:
    """Raises ModelError for an unloadable base or an unfit start."""
    require_device(plan.device)
    # The trainer reads an attribute that transformers has deprecated.
    warnings.filterwarnings("ignore", "`is_gradient_checkpointing`", FutureWarning)
    transformers.set_seed(plan.seed)
    tokenizer, base = _open_base(plan)
    _set_dropout(base, plan.first_layer)
    model = _adapted(base, plan, in_bf16=in_bf16)
    if plan.start:
        _take_up(model, plan.start)
    _freeze_below(model, plan.first_layer)
    data = _Encoded(tokenizer, examples, plan.max_tokens)
    batch_of = partial(_batch, tokenizer.pad_token_id)
    _run(model, data, batch_of, _arguments(plan, in_bf16), progress)
    _export(model, plan)


def _open_base(plan: TrainingPlan) -> tuple[Any, Any]:
    """Only the head's weights may be missing, since others are not saved."""
    with faults_as(f"{plan.base}: no base of a verifier can be loaded"):
        tokenizer, model, missing = open_model(
            plan.base, "AutoModelForSequenceClassification", num_labels=3, dtype=torch.float32
        )
        require_weights(name for name in missing if not name.startswith(f"{_HEAD}."))
        if not (_matrices(model) and hasattr(model, _HEAD)):
            raise ValueError("it is not built as a BERT, with layers and a classifier")
    return tokenizer, model


def _set_dropout(base: Any, first_layer: int) -> None:
    """Hidden states of the trained layers drop out; weights of attention would leave its fast
    kernel."""
    for name, module in base.named_modules():
        if isinstance(module, torch.nn.Dropout):
            layer = _LAYER.search(name)
            trained = layer is not None and int(layer[1]) >= first_layer
            hidden = not name.endswith(("attn.dropout", "self.dropout"))
            module.p = _DROPOUT if trained and hidden else 0.0


def _matrices(model: Any) -> list[str]:
    return [
        f"{model.base_model_prefix}.{name}"
        for name, module in model.base_model.named_modules()
        if isinstance(module, torch.nn.Linear) and ".layer." in f".{name}"
    ]


def _adapted(model: Any, plan: TrainingPlan, *, in_bf16: bool) -> Any:
    adapted = peft.get_peft_model(
        model,
        peft.LoraConfig(
            r=plan.rank,
            lora_alpha=2 * plan.rank,
            lora_dropout=0.0,
            target_modules=_matrices(model),
            modules_to_save=[_HEAD],
        ),
    )
    if plan.device == "cpu" and in_bf16:
        for name, parameter in adapted.named_parameters():
            if not parameter.requires_grad and "LayerNorm" not in name:
                parameter.data = parameter.data.to(torch.bfloat16)
    return adapted


def _take_up(model: Any, start: Path) -> None:
    with faults_as(f"{start}: its adapter cannot be trained further"):
        result = set_peft_model_state_dict(model, load_file(start / ADAPTER))
    if result.unexpected_keys:
        raise ModelError(
            f"{start}: its adapter belongs to another model: {result.unexpected_keys[0]}"
        )


def _freeze_below(model: Any, layer: int) -> None:
    for name, parameter in model.named_parameters():
        number = _LAYER.search(name)
        if number and int(number[1]) < layer:
            parameter.requires_grad = False


class _Steps(transformers.TrainerCallback):  # type: ignore[misc]
    def __init__(self, progress: Callable[[int, int], None]) -> None:
        self._progress = progress

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        self._progress(state.global_step, state.max_steps)


def _arguments(plan: TrainingPlan, in_bf16: bool) -> Any:
    return transformers.TrainingArguments(
        output_dir=str(plan.out / CHECKPOINTS),
        max_steps=plan.steps,
        per_device_train_batch_size=plan.batch,
        learning_rate=plan.learning_rate,
        weight_decay=0.01,
        lr_scheduler_type="warmup_stable_decay",
        lr_scheduler_kwargs={"num_decay_steps": plan.steps // 4, "min_lr_ratio": 0.02},
        warmup_steps=min(100, plan.steps // 10),
        use_cpu=plan.device == "cpu",
        bf16=in_bf16,
        train_sampling_strategy="group_by_length",
        length_column_name="length",
        remove_unused_columns=False,
        save_steps=plan.save_every,
        save_total_limit=2,
        seed=plan.seed,
        report_to=[],
        disable_tqdm=True,
        logging_strategy="no",
    )


def _run(
    model: Any,
    data: _Encoded,
    batch_of: Callable[[Sequence[Mapping[str, Any]]], dict[str, Any]],
    arguments: Any,
    progress: Callable[[int, int], None],
) -> None:
    trainer = transformers.Trainer(
        model=model,
        args=arguments,
        train_dataset=data,
        data_collator=batch_of,
        callbacks=[_Steps(progress)],
    )
    trainer.remove_callback(transformers.PrinterCallback)
    trainer.train(resume_from_checkpoint=_last_checkpoint(Path(arguments.output_dir)))


def _last_checkpoint(folder: Path) -> str | None:
    paths = folder.glob("checkpoint-*")
    for path in sorted(paths, key=lambda path: int(path.name.rpartition("-")[2]), reverse=True):
        if _is_whole(path):
            return str(path)
        shutil.rmtree(path)
    return None


def _is_whole(checkpoint: Path) -> bool:
    """The trainer's state is written last."""
    try:
        json.loads((checkpoint / "trainer_state.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return False
    return True


class _Encoded:
    def __init__(self, tokenizer: Any, examples: Sequence[Example], max_tokens: int) -> None:
        self._labels = [label for _, _, label in examples]
        self._ids = tokenizer(
            [claim for _, claim, _ in examples],
            [evidence for evidence, _, _ in examples],
            truncation="only_second",
            max_length=max_tokens,
        )["input_ids"]

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, place: int) -> dict[str, Any]:
        ids = self._ids[place]
        return {"input_ids": ids, "labels": self._labels[place], "length": len(ids)}


def _batch(pad: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    texts = [row["input_ids"] for row in rows]
    ids, mask = padded(texts, -(-max(map(len, texts)) // 16) * 16, pad)
    labels = torch.tensor([row["labels"] for row in rows])
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}


def _export(model: Any, plan: TrainingPlan) -> None:
    state = {
        name: value.to(torch.float16).contiguous()
        for name, value in get_peft_model_state_dict(model).items()
    }
    settings = model.peft_config["default"].to_dict()
    settings["base_model_name_or_path"] = plan.base_name
    plain = {key: _plain(value) for key, value in settings.items() if value not in (None, {}, [])}
    remove(plan.out / ADAPTER)
    save_file(state, plan.out / ADAPTER)
    write_file(plan.out / ADAPTER_SETTINGS, json.dumps(plain, indent=2).encode())


def _plain(value: Any) -> Any:
    """Sets are sorted, to be reproducible."""
    if isinstance(value, set):
        return sorted(value)
    return value if isinstance(value, (int, float, str, bool, list, dict)) else str(value)
