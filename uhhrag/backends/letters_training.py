"""Trains a LoRA adapter of a language model that picks a letter, and turns it into GGUF. A step's
pairs are one row: the head is read once, a piece of evidence once for all its claims, and no claim
sees another."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr
from functools import partial
from io import StringIO
from itertools import chain, groupby
from pathlib import Path
from typing import Any, NamedTuple

import gguf
import numpy as np
import torch
import transformers
from safetensors.torch import load_file

from uhhrag.backends import adapter_runs
from uhhrag.backends.libraries import faults_as
from uhhrag.backends.llamacpp.loading import open_vocabulary
from uhhrag.backends.llamacpp.sequences import TAIL, Tokens, shared_start, shorten
from uhhrag.backends.llamacpp.tokens import ChatTokens, first_tokens
from uhhrag.backends.transformers_models import quiet_library
from uhhrag.backends.verifier_files import ADAPTER, LORA, Example, TrainingPlan
from uhhrag.errors import UsageError
from uhhrag.protocols import Template
from uhhrag.records import LETTERS

ARCHITECTURES = ("llama", "qwen2")
_HALVES_TURNED = "llama"
"""Its query and key rows are stored in another order (rotary halves side by side)."""
_PADDED = 128
"""Lengths are rounded up, as each shape is compiled."""
_NO_ONE = -2


class _Pair(NamedTuple):
    evidence: str
    body: Tokens
    label: int


def train(
    examples: Sequence[Example],
    plan: TrainingPlan,
    template: Template,
    progress: Callable[[int, int], None],
    *,
    in_bf16: bool,
) -> None:
    """`template` has the slots premise and hypothesis. Raises UsageError for another architecture,
    ModelError for an unloadable model or unfit start."""
    adapter_runs.prepare(plan)
    architecture = _architecture(plan.base)
    head, firsts, pairs = _encoded(examples, plan, template)
    number = torch.bfloat16 if in_bf16 else torch.float32
    base = _open_base(plan.base, number)
    model = _adapted(base, plan)
    if plan.start:
        adapter_runs.take_up(model, plan.start)
    adapter_runs.run(
        model,
        _steps(pairs, plan),
        partial(_row, head, number),
        plan,
        progress,
        in_bf16=in_bf16,
        trainer=partial(_Letters, firsts),
        per_device_train_batch_size=1,
        train_sampling_strategy="sequential",
    )
    adapter_runs.export(model, plan)
    _write_gguf(plan.out, architecture, base.config, adapter_runs.alpha(plan))


def _open_base(file: Path, number: torch.dtype) -> Any:
    with faults_as(f"{file}: transformers cannot load it"), redirect_stderr(StringIO()):
        base = quiet_library().AutoModelForCausalLM.from_pretrained(
            file.parent, gguf_file=file.name, local_files_only=True, dtype=number
        )
    base.is_quantized = False  # the trainer asks; its weights were unpacked
    return base


def _architecture(file: Path) -> str:
    with faults_as(f"{file}: is no GGUF file", IndexError):
        name = str(gguf.GGUFReader(file).fields["general.architecture"].contents())
    if name not in ARCHITECTURES:
        raise UsageError(
            f"--base {file.name} is built as {name}; language models built as "
            f"{' or '.join(ARCHITECTURES)} can be trained"
        )
    return name


def _encoded(
    examples: Sequence[Example], plan: TrainingPlan, template: Template
) -> tuple[Tokens, list[list[int]], list[_Pair]]:
    """Head, first tokens of each letter, and pairs, tokenized as by llama.cpp."""
    longest = max(plan.max_tokens, 2 * TAIL)
    with open_vocabulary(plan.base) as model:
        chat, pairs = ChatTokens(model), []
        for evidence, claim, label in examples:
            prompt = template(premise=evidence, hypothesis=claim)
            body, _ = shorten(chat.body(prompt), longest)
            pairs.append(_Pair(evidence, body, label))
        return chat.head(prompt), first_tokens(LETTERS, chat.plain), pairs


def _adapted(base: Any, plan: TrainingPlan) -> Any:
    layers = base.config.num_hidden_layers
    if plan.first_layer >= layers:
        raise UsageError(
            f"--first-layer {plan.first_layer}: the model has {layers} layers, from 0; give a lower"
        )
    modules = base.model.layers.named_modules()
    linear = (name for name, module in modules if isinstance(module, torch.nn.Linear))
    names = {name.rpartition(".")[2] for name in linear}
    trained = list(range(plan.first_layer, layers))
    return adapter_runs.adapted(
        base, plan, sorted(names), layers_to_transform=trained, layers_pattern="layers"
    )


def _steps(pairs: Sequence[_Pair], plan: TrainingPlan) -> list[list[_Pair]]:
    """Batches, those of one evidence side by side; every pair is read before any again."""
    by_evidence: dict[str, list[_Pair]] = {}
    for pair in pairs:
        by_evidence.setdefault(pair.evidence, []).append(pair)
    groups, chance = list(by_evidence.values()), random.Random(plan.seed)  # noqa: S311

    def forever() -> Iterator[_Pair]:
        while True:
            chance.shuffle(groups)
            yield from chain.from_iterable(groups)

    endless = forever()
    return [[next(endless) for _ in range(plan.batch)] for _ in range(plan.steps)]


def _row(head: Tokens, number: torch.dtype, steps: Sequence[list[_Pair]]) -> dict[str, Any]:
    """A step's padded row: tokens, places and mask, with each pair's last token."""
    ids, places = list(head), list(range(len(head)))
    stems, leaves = [-1] * len(head), [-1] * len(head)
    ends: list[int] = []
    labels: list[int] = []

    def add(tokens: Tokens, place: int, stem: int, leaf: int) -> None:
        ids.extend(tokens)
        places.extend(range(place, place + len(tokens)))
        stems.extend([stem] * len(tokens))
        leaves.extend([leaf] * len(tokens))

    for stem, (_, group) in enumerate(groupby(steps[0], key=lambda pair: pair.evidence)):
        together = list(group)
        shared = shared_start([pair.body for pair in together])
        add(together[0].body[:shared], len(head), stem, -1)
        for pair in together:
            add(pair.body[shared:], len(head) + shared, stem, len(ends))
            ends.append(len(ids) - 1)
            labels.append(pair.label)
    rest = -len(ids) % _PADDED
    add((0,) * rest, 0, _NO_ONE, _NO_ONE)
    return {
        "input_ids": torch.tensor([ids]),
        "position_ids": torch.tensor([places]),
        "attention_mask": _mask(torch.tensor(stems), torch.tensor(leaves), number),
        "logits_to_keep": torch.tensor(ends),
        "labels": torch.tensor(labels),
    }


def _mask(stems: torch.Tensor, leaves: torch.Tensor, number: torch.dtype) -> torch.Tensor:
    """Added to scores: a token sees earlier ones of the head, its evidence and its claim."""
    places = torch.arange(len(stems))
    own_stem = stems[None] == stems[:, None]
    own_leaf = (leaves[None] == -1) | (leaves[None] == leaves[:, None])
    seen = (places[None] <= places[:, None]) & ((stems[None] == -1) | (own_stem & own_leaf))
    return torch.zeros(seen.shape, dtype=number).masked_fill(~seen, float("-inf"))[None, None]


class _Letters(transformers.Trainer):  # type: ignore[misc]
    def __init__(self, firsts: Sequence[Sequence[int]], **settings: Any) -> None:
        super().__init__(**settings)
        self._firsts = firsts

    def compute_loss(
        self, model: Any, inputs: dict[str, Any], return_outputs: bool = False, **_: Any
    ) -> torch.Tensor:
        logits = model(**{name: value for name, value in inputs.items() if name != "labels"}).logits
        letters = [logits[0][:, first].float().logsumexp(-1) for first in self._firsts]
        return torch.nn.functional.cross_entropy(torch.stack(letters, -1), inputs["labels"])


def _write_gguf(folder: Path, architecture: str, config: Any, alpha: int) -> None:
    known = {name: key for key, name in gguf.MODEL_ARCH_NAMES.items()}[architecture]
    names = gguf.get_tensor_name_map(known, config.num_hidden_layers)
    writer = gguf.GGUFWriter(folder / LORA, architecture)
    writer.add_type(gguf.GGUFType.ADAPTER)
    writer.add_string(gguf.Keys.Adapter.TYPE, "lora")
    writer.add_float32(gguf.Keys.Adapter.LORA_ALPHA, alpha)
    heads = {"q_proj": config.num_attention_heads, "k_proj": config.num_key_value_heads}
    for key, tensor in load_file(folder / ADAPTER).items():
        stem, _, kind = key.removeprefix("base_model.model.").rpartition(".lora_")
        values = tensor.numpy()
        turned = heads.get(stem.rpartition(".")[2])
        if turned and kind.startswith("B") and architecture == _HALVES_TURNED:
            values = _turned(values, turned)
        writer.add_tensor(f"{names.get_name(stem)}.weight.lora_{kind[0].lower()}", values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _turned(rows: Any, heads: int) -> Any:
    """From transformers' order to llama.cpp's.

    >>> _turned(np.arange(8)[:, None], 2).ravel().tolist()
    [0, 2, 1, 3, 4, 6, 5, 7]
    """
    halves = rows.reshape(heads, 2, rows.shape[0] // heads // 2, *rows.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2).reshape(rows.shape))
