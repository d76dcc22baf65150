"""A GGUF model by llama.cpp. A reply depends only on its call: the cache starts empty."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.llamacpp.free_cores import FreeCores
from uhhrag.backends.llamacpp.heads import KeptHeads, made_by
from uhhrag.backends.llamacpp.loading import (
    adapt,
    decode_batch,
    decode_state,
    open_context,
    open_model,
)
from uhhrag.backends.llamacpp.sequences import (
    TAIL,
    BatchToken,
    Running,
    Tokens,
    batch_tokens,
    before_stop,
    next_token,
    same_start,
    seeds,
    shared_start,
    shorten,
)
from uhhrag.backends.llamacpp.tokens import ChatTokens, first_tokens, spelt
from uhhrag.errors import ModelError, PromptError
from uhhrag.records import Ask, Generate, PickOne, Prompt, Reply, Represent

VERSION = f"llama-cpp-python {ll.__version__}"

_SEQUENCES = 32
"""Prompts; a token then costs .29 of one alone (1.5B Q4_K_M, two cores with AVX-512)."""
_CONTEXT = 8192
"""Cells of the cache."""
_PROMPT_LIMIT = 3072
"""Tokens, fewer if the model was trained on fewer; cut before the last `TAIL`."""
_HEADS_KEPT = 8


def load(
    gguf: Path,
    *,
    threads: int,
    gpu_layers: int = 0,
    lora: Path | None = None,
    keep_heads: bool = False,
    follow_load: bool = False,
) -> LlamaCpp:
    """`keep_heads` caches heads on disk; `follow_load` takes fewer threads while other programs
    compute. Raises ModelError if the model cannot run or `lora` does not fit."""
    model = open_model(gguf, gpu_layers)
    context = open_context(model, gguf, threads, _CONTEXT, _SEQUENCES + 1, on_gpu=gpu_layers != 0)
    files = [gguf, lora] if lora else [gguf]
    by = made_by(files, gpu_layers) if keep_heads else ""
    free = FreeCores(threads) if follow_load and threads > 1 else lambda: threads
    loaded = LlamaCpp(model, context, gguf, KeptHeads(by), free)
    if lora:
        adapt(model, context, lora, gguf)
    return loaded


def _free(model: Any, context: Any) -> None:
    ll.llama_free(context)
    ll.llama_model_free(model)


class LlamaCpp:
    """Not thread-safe."""

    def __init__(
        self, model: Any, context: Any, gguf: Path, on_disk: KeptHeads, threads: Callable[[], int]
    ) -> None:
        self._threads, self._set = threads, threads()
        self._model, self._context, self._gguf, self._on_disk = model, context, gguf, on_disk
        # Python does not see the memory behind two pointers.
        weakref.finalize(self, _free, model, context).atexit = False
        self._chat = ChatTokens(model)
        self._vocab = self._chat.vocab
        self.vocabulary = ll.llama_vocab_n_tokens(self._vocab)
        self._width, self._longest = ll.llama_model_n_embd(model), ll.llama_model_n_ctx_train(model)
        self._memory = ll.llama_get_memory(context)
        if not self._memory:
            raise ModelError(f"{gguf.name} writes no text, as an embedder; give a language model")
        # Such memories may not hold one token for several sequences.
        self._couples = not (ll.llama_model_is_recurrent(model) or ll.llama_model_is_hybrid(model))
        self._heads: dict[Tokens, bytes] = {}
        self.tokens_computed = 0
        """For benchmarks."""

    def read(self, tokens: Sequence[int]) -> None:
        """Computes tokens in an empty cache; for benchmarks."""
        ll.llama_memory_clear(self._memory, True)
        rows = batch_tokens(tuple(tokens), 0, (0,))
        self._decode([*rows[:-1], rows[-1]._replace(wanted=True)])

    def __call__(self, prompts: Sequence[Prompt], ask: Ask, /) -> list[Reply]:
        room, seed = (ask.max_tokens, ask.seed) if isinstance(ask, Generate) else (0, 0)
        firsts = self._first_tokens(ask) if isinstance(ask, PickOne) else []
        replies: list[Reply] = []
        standing: Tokens = ()
        for head, group in self._groups(prompts, room, seed):
            if isinstance(ask, Represent):
                replies += [self._represented(head, s) for s in group]
                continue
            standing = self._prefill(head, group, standing)
            if isinstance(ask, PickOne):
                replies += [self._chosen(s, ask.options, firsts) for s in group]
            else:
                self._generate(group, ask)
                replies += [self._written(s) for s in group]
        return replies

    # From prompts to tokens

    def _groups(
        self, prompts: Sequence[Prompt], room: int, seed: int = 0
    ) -> list[tuple[Tokens, list[Running]]]:
        groups: list[tuple[Tokens, list[Running]]] = []
        used, limit = 0, min(_PROMPT_LIMIT, self._longest - room)
        own_seeds = seeds(seed, (prompt.text for prompt in prompts))
        for prompt, own_seed in zip(prompts, own_seeds, strict=True):
            head = self._chat.head(prompt)
            self._require_short(head, prompt.step, limit - 2 * TAIL)
            body, cut = shorten(self._chat.body(prompt), limit - len(head))
            need = len(body) + room
            fits = groups and groups[-1][0] == head and used + need <= _CONTEXT
            if not fits or len(groups[-1][1]) == _SEQUENCES:
                groups.append((head, []))
                used = len(head)
            groups[-1][1].append(Running(head, body, cut, np.random.default_rng(own_seed)))
            used += need
        return groups

    def _require_short(self, head: Tokens, step: str, most: int) -> None:
        if len(head) > most:
            raise PromptError(
                f"{step}.txt has {len(head)} tokens before the claim and leaves no room for it, "
                f"at most {max(most, 0)} fit; shorten it or its examples"
            )

    def _first_tokens(self, ask: PickOne) -> list[list[int]]:
        firsts = first_tokens(ask.options, self._chat.plain)
        if len({token for first in firsts for token in first}) < sum(map(len, firsts)):
            raise ModelError(
                f"the options {', '.join(ask.options)} do not differ in their first token for "
                f"{self._gguf.name}; use options that do, or --decoding paper"
            )
        return firsts

    # Through the model

    def _prefill(self, head: Tokens, group: list[Running], standing: Tokens) -> Tokens:
        """Sequence 0 held `standing`, then holds the shared tokens, which are returned."""
        shared = head + group[0].prompt[: shared_start([s.prompt for s in group])]
        cached = self._keep(same_start(standing, shared), head)
        if not self._couples:
            self._decode(batch_tokens(shared, cached, (0,)))
            cached = len(shared)
        # Copying a sequence shares its cells, so shared tokens are stored once.
        everyone = range(len(group) + 1)
        for i in everyone[1:]:
            ll.llama_memory_seq_cp(self._memory, 0, i, 0, cached)
        # In one pass with the ends: small passes cost far more per token.
        rows = batch_tokens(shared, cached, tuple(everyone))
        for i, sequence in enumerate(group, 1):
            ends = batch_tokens(head + sequence.prompt, len(shared), (i,))
            rows += [*ends[:-1], ends[-1]._replace(wanted=True)]
        for sequence, logits in zip(group, self._decode(rows), strict=True):
            sequence.logits = logits
        return shared

    def _keep(self, count: int, head: Tokens) -> int:
        """Keeps `count` tokens of sequence 0, else the head alone."""
        if 0 < count >= len(head) and ll.llama_memory_seq_rm(self._memory, 0, count, -1):
            for i in range(1, _SEQUENCES + 1):
                ll.llama_memory_seq_rm(self._memory, i, -1, -1)
            return count
        ll.llama_memory_clear(self._memory, True)
        self._compute_head(head)
        return len(head)

    def _compute_head(self, head: Tokens) -> None:
        state = self._heads.get(head) or self._on_disk.get(head)
        if state and self._restored(state):
            self._heads.setdefault(head, state)
        else:
            self._decode(batch_tokens(head, 0, (0,)))
            size = ll.llama_state_seq_get_size(self._context, 0)
            buffer = (ctypes.c_uint8 * size)()
            ll.llama_state_seq_get_data(self._context, buffer, size, 0)
            self._heads[head] = bytes(buffer)
            self._on_disk.put(head, self._heads[head])
        if len(self._heads) > _HEADS_KEPT:
            del self._heads[next(iter(self._heads))]

    def _restored(self, state: bytes) -> bool:
        buffer = (ctypes.c_uint8 * len(state)).from_buffer_copy(state)
        return bool(ll.llama_state_seq_set_data(self._context, buffer, len(state), 0))

    def _decode(self, rows: Sequence[BatchToken]) -> list[NDArray[np.float32]]:
        logits: list[NDArray[np.float32]] = []
        step = ll.llama_n_batch(self._context)
        for begin in range(0, len(rows), step):
            batch = rows[begin : begin + step]
            if (threads := self._threads()) != self._set:
                ll.llama_set_n_threads(self._context, threads, threads)
                self._set = threads
            logits += decode_batch(self._context, batch, self.vocabulary, self._gguf)
        self.tokens_computed += len(rows)
        return logits

    def _generate(self, group: list[Running], ask: Generate) -> None:
        pending = list(enumerate(group, 1))
        for left in reversed(range(ask.max_tokens)):
            pending = [(i, sequence) for i, sequence in pending if self._goes_on(sequence, ask)]
            if not (pending and left):
                return
            rows = [
                BatchToken(s.generated[-1], s.length - 1, (i,), wanted=True) for i, s in pending
            ]
            for (_, sequence), logits in zip(pending, self._decode(rows), strict=True):
                sequence.logits = logits

    def _goes_on(self, sequence: Running, ask: Generate) -> bool:
        token = next_token(sequence, ask)
        if ll.llama_vocab_is_eog(self._vocab, token):
            return False
        sequence.generated += (token,)
        sequence.written += spelt(self._vocab, token)
        sequence.text = sequence.written.decode("utf-8", errors="ignore")
        if any(stop in sequence.text for stop in ask.stop):
            sequence.text = before_stop(sequence.text, ask.stop)
            return False
        return True

    # From logits to replies

    def _chosen(
        self, sequence: Running, options: tuple[str, ...], firsts: Sequence[list[int]]
    ) -> Reply:
        assert sequence.logits is not None  # noqa: S101 - set by _prefill
        logits = sequence.logits.astype(np.float64)
        # Log-sum-exp around the maximum, which cannot overflow.
        largest = logits.max()
        normaliser = largest + np.log(np.exp(logits - largest).sum())
        totals = [np.logaddexp.reduce(logits[first]) for first in firsts]
        logprobs = tuple(float(total - normaliser) for total in totals)
        likeliest = options[max(range(len(options)), key=logprobs.__getitem__)]
        return Reply(likeliest, logprobs, len(sequence.prompt), 0, sequence.cut)

    def _represented(self, head: Tokens, sequence: Running) -> Reply:
        rows = batch_tokens(head + sequence.prompt, self._keep(0, head), (0,))
        self._decode(rows[:-1])
        state = decode_state(self._context, rows[-1], self._width, self._gguf)
        return Reply("", (), len(sequence.prompt), 0, sequence.cut, state)

    def _written(self, sequence: Running) -> Reply:
        written = len(sequence.generated)
        return Reply(sequence.text.strip(), (), len(sequence.prompt), written, sequence.cut)
