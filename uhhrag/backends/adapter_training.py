"""Trains a LoRA adapter (Hu et al. 2021) on all layers' matrices, and the head whole."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import torch

from uhhrag.backends import adapter_runs
from uhhrag.backends.libraries import faults_as
from uhhrag.backends.reproducible_batches import padded
from uhhrag.backends.transformers_models import open_model, require_weights
from uhhrag.backends.verifier_files import Example, TrainingPlan
from uhhrag.backends.verifier_model import end_of, pair_tokens, turned_pairs

_HEAD = "classifier"
_LAYER = re.compile(r"\.layer\.(\d+)\.")
_DROPOUT = 0.1
_SAMPLING = {"train_sampling_strategy": "group_by_length", "length_column_name": "length"}


def train(
    examples: Sequence[Example],
    plan: TrainingPlan,
    progress: Callable[[int, int], None],
    *,
    in_bf16: bool,
) -> None:
    """Raises ModelError for an unloadable base or unfit start."""
    adapter_runs.prepare(plan)
    tokenizer, base = _open_base(plan)
    _set_dropout(base, plan.first_layer)
    model = _adapted(base, plan, in_bf16=in_bf16)
    if plan.start:
        adapter_runs.take_up(model, plan.start)
    _freeze_below(model, plan.first_layer)
    data = _encoded(tokenizer, examples, plan.max_tokens)
    batch_of = partial(_batch, tokenizer.pad_token_id)
    adapter_runs.run(model, data, batch_of, plan, progress, in_bf16=in_bf16, **_SAMPLING)
    adapter_runs.export(model, plan)


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
    """Hidden states of trained layers drop out; attention weights would leave its fast kernel."""
    for name, module in base.named_modules():
        if isinstance(module, torch.nn.Dropout):
            layer = _LAYER.search(name)
            trained = layer is not None and int(layer[1]) >= first_layer
            hidden = not name.endswith(("attn.dropout", "self.dropout"))
            module.p = _DROPOUT if trained and hidden else 0.0


def _matrices(model: Any) -> list[str]:
    modules = model.base_model.named_modules()
    linear = (name for name, module in modules if isinstance(module, torch.nn.Linear))
    return [f"{model.base_model_prefix}.{name}" for name in linear if ".layer." in f".{name}"]


def _adapted(model: Any, plan: TrainingPlan, *, in_bf16: bool) -> Any:
    adapted = adapter_runs.adapted(model, plan, _matrices(model), modules_to_save=[_HEAD])
    if plan.device == "cpu" and in_bf16:
        for name, parameter in adapted.named_parameters():
            if not parameter.requires_grad and "LayerNorm" not in name:
                parameter.data = parameter.data.to(torch.bfloat16)
    return adapted


def _freeze_below(model: Any, layer: int) -> None:
    for name, parameter in model.named_parameters():
        number = _LAYER.search(name)
        if number and int(number[1]) < layer:
            parameter.requires_grad = False


def _encoded(tokenizer: Any, examples: Sequence[Example], longest: int) -> list[dict[str, Any]]:
    texts = [(text, claim) for text, claim, _ in examples]
    pairs = turned_pairs(texts, longest, partial(end_of, tokenizer))
    return [
        {"input_ids": ids, "labels": label, "length": len(ids)}
        for ids, (_, _, label) in zip(pair_tokens(tokenizer, pairs, longest), examples, strict=True)
    ]


def _batch(pad: int, rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    texts = [row["input_ids"] for row in rows]
    ids, mask = padded(texts, -(-max(map(len, texts)) // 16) * 16, pad)
    labels = torch.tensor([row["labels"] for row in rows])
    return {"input_ids": ids, "attention_mask": mask, "labels": labels}
