"""A GGUF model through llama.cpp's low-level interface.

What makes votes and questions fast on a CPU (and what llama-cpp-python's high-level class,
with its one sequence, cannot do): the tokens that all prompts of a call share are computed
once, the differing ends run together as sequences of one batch, and a closed choice is read
from the probabilities of one forward pass instead of being generated.

A reply depends only on the prompts of its call: every call starts from an empty cache, and the
heads kept from earlier calls are restored bit for bit at the same place.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.chat import wrap_in_chat
from uhhrag.backends.cpu import check_build
from uhhrag.backends.plain import marks, plain_tokens, spelt, tokens
from uhhrag.backends.running import (
    TAIL,
    Running,
    Tokens,
    before_stop,
    same_start,
    shared_start,
    shorten,
)
from uhhrag.backends.sampling import next_token, seeds
from uhhrag.errors import ModelError, PromptError
from uhhrag.records import Choose, Generate, Prompt, Reply

VERSION = f"llama-cpp-python {ll.__version__}"

_SEQUENCES = 16
"""How many prompts run in one batch. More gains little: the projection matrices are read once
for all of them from 8 on."""
_CONTEXT = 8192
"""Cells of the cache, shared by all sequences of a batch."""
_PROMPT_LIMIT = 3072
"""Tokens of one prompt. A longer one loses tokens before its last `TAIL`."""
_HEADS_KEPT = 8


_ERROR = 4
"""llama.cpp's number of the log level"""
_complaints: deque[str] = deque(maxlen=1)


@ll.llama_log_callback  # type: ignore[untyped-decorator]
def _silence(level: int, text: bytes, _data: Any) -> None:
    """llama.cpp logs hundreds of lines; what matters is raised as an error instead."""
    if level == _ERROR:
        _complaints.append(text.decode("utf-8", errors="replace").strip())


def load(
    gguf: Path,
    *,
    threads: int,
    gpu_layers: int = 0,
    lora: Path | None = None,
    lora_scale: float = 1.0,
) -> LlamaCpp:
    """Load a model file, and a LoRA adapter on top of it. Raises ModelError when this machine
    cannot run it, or when the adapter is none of this model."""
    check_build(ll.llama_print_system_info().decode())
    ll.llama_log_set(_silence, ctypes.c_void_p(0))
    ll.llama_backend_init()
    if gpu_layers and not ll.llama_supports_gpu_offload():
        raise ModelError(
            "--gpu-layers asks for a GPU but this llama-cpp-python was built without one; "
            "leave the option out, or rebuild it with -DGGML_CUDA=ON in CMAKE_ARGS"
        )
    params = ll.llama_model_default_params()
    params.n_gpu_layers = gpu_layers
    # The repacked kernels generate faster but read prompts slower (55 against 75 tokens a CPU
    # second, 1.5B Q4_K_M, AVX-512), and prompts are most of the work; without them AMX is never
    # used, so a hypervisor that advertises and forbids it cannot crash the program.
    params.use_extra_bufts = False
    model = ll.llama_model_load_from_file(str(gguf).encode(), params)
    if not model:
        raise ModelError(
            f"{gguf} cannot be loaded by llama.cpp: it is no GGUF file, is cut short, or needs "
            "more memory than is free; check it with: uhhrag models list"
        )
    context = _new_context(model, threads, gguf)
    if lora:
        _adapt(model, context, lora, lora_scale, gguf)
    return LlamaCpp(model, context, gguf)


def _adapt(model: Any, context: Any, lora: Path, scale: float, gguf: Path) -> None:
    _complaints.clear()
    adapter = ll.llama_adapter_lora_init(model, str(lora).encode())
    adapters = (ll.llama_adapter_lora_p_ctypes * 1)(adapter)
    if not adapter or ll.llama_set_adapters_lora(context, adapters, 1, (ctypes.c_float * 1)(scale)):
        # "llama_adapter_lora_init: failed to apply lora adapter: <the reason>"
        reason = "".join(_complaints).rpartition("adapter: ")[2] or "llama.cpp gives no reason"
        raise ModelError(
            f"{lora} cannot be used as a LoRA adapter of {gguf.name} ({reason}); give one in GGUF "
            "that was made for this model"
        )


def _new_context(model: Any, threads: int, gguf: Path) -> Any:
    params = ll.llama_context_default_params()
    params.n_ctx = _CONTEXT
    params.n_batch = 2048
    params.n_ubatch = 512
    params.n_seq_max = _SEQUENCES + 1
    params.kv_unified = True
    params.n_threads = params.n_threads_batch = threads
    params.no_perf = True
    context = ll.llama_init_from_model(model, params)
    if not context:
        raise ModelError(f"no memory for a context of {_CONTEXT} tokens beside {gguf}; free some")
    return context


class LlamaCpp:
    """An LLM (see `protocols.LLM`). Not for use from several threads at once."""

    def __init__(self, model: Any, context: Any, gguf: Path) -> None:
        self._model, self._context, self._gguf = model, context, gguf
        self._vocab = ll.llama_model_get_vocab(model)
        self._size = ll.llama_vocab_n_tokens(self._vocab)
        self._memory = ll.llama_get_memory(context)
        template = ll.llama_model_chat_template(model, None)
        self._marks = marks(self._vocab, template.decode() if template else "")
        self._before, self._after = wrap_in_chat(
            template.decode() if template else None,
            bos=self._piece(ll.llama_vocab_bos(self._vocab)),
            eos=self._piece(ll.llama_vocab_eos(self._vocab)),
        )
        self._heads: dict[Tokens, bytes] = {}
        self.tokens_computed = 0
        """Tokens decoded so far; for benchmarks."""

    def __call__(self, prompts: Sequence[Prompt], ask: Generate | Choose, /) -> list[Reply]:
        room, seed = (ask.max_tokens, ask.seed) if isinstance(ask, Generate) else (0, 0)
        options = self._first_tokens(ask) if isinstance(ask, Choose) else ()
        replies: list[Reply] = []
        standing: Tokens = ()
        for head, group in self._groups(prompts, room, seed):
            standing = self._prefill(head, group, standing)
            if isinstance(ask, Choose):
                replies += [self._chosen(s, ask.options, options) for s in group]
            else:
                self._generate(group, ask)
                replies += [self._written(s) for s in group]
        return replies

    # From prompts to tokens

    def _groups(
        self, prompts: Sequence[Prompt], room: int, seed: int = 0
    ) -> list[tuple[Tokens, list[Running]]]:
        """Runs of prompts with one head that fit the cache together, in order."""
        groups: list[tuple[Tokens, list[Running]]] = []
        used = 0
        own_seeds = seeds(seed, (prompt.text for prompt in prompts))
        for prompt, own_seed in zip(prompts, own_seeds, strict=True):
            head = self._tokenize(self._before, special=True) + self._tokenize(prompt.head)
            self._demand_short(head, prompt.step)
            body = self._tokenize(prompt.body) + self._tokenize(self._after, special=True)
            body, cut = shorten(body, _PROMPT_LIMIT - len(head))
            need = len(body) + room
            fits = groups and groups[-1][0] == head and used + need <= _CONTEXT
            if not fits or len(groups[-1][1]) == _SEQUENCES:
                groups.append((head, []))
                used = len(head)
            groups[-1][1].append(Running(head, body, cut, np.random.default_rng(own_seed)))
            used += need
        return groups

    def _demand_short(self, head: Tokens, step: str) -> None:
        most = _PROMPT_LIMIT - 2 * TAIL
        if len(head) > most:
            raise PromptError(
                f"{step}.txt has {len(head)} tokens before the claim and leaves no room for it, "
                f"at most {most} fit; shorten it or its examples"
            )

    def _tokenize(self, text: str, *, special: bool = False) -> Tokens:
        """Tokens of a text. Without `special`, the names of control tokens are plain text: what
        stands in a claim or a web page can never end a turn or open another."""
        if special:
            return tokens(self._vocab, text, special=True)
        return plain_tokens(self._vocab, text, self._marks)

    def _first_tokens(self, ask: Choose) -> Tokens:
        firsts = tuple(self._tokenize(option)[0] for option in ask.options)
        if len(set(firsts)) < len(firsts):
            raise ModelError(
                f"the options {', '.join(ask.options)} do not differ in their first token for "
                f"{self._gguf.name}; use options that do, or --decoding paper"
            )
        return firsts

    def _piece(self, token: int) -> str:
        return self._bytes(token).decode("utf-8", errors="replace") if token >= 0 else ""

    def _bytes(self, token: int) -> bytes:
        return spelt(self._vocab, token)

    # Through the model

    def _prefill(self, head: Tokens, group: list[Running], standing: Tokens) -> Tokens:
        """Compute the group's prompts; afterwards sequence i + 1 of the cache holds prompt i, and
        sequence 0 the tokens given back, which all of them share. `standing` is what sequence 0
        holds from the group before."""
        shared = head + group[0].prompt[: shared_start([s.prompt for s in group])]
        kept = self._keep(same_start(standing, shared), head)
        self._decode([(0, t) for t in shared[kept:]], {0: kept})
        start = len(shared)
        for i in range(1, len(group) + 1):
            ll.llama_memory_seq_cp(self._memory, 0, i, 0, start)
        ends = [(i, t) for i, s in enumerate(group, 1) for t in s.prompt[start - len(head) :]]
        last = self._decode(ends, dict.fromkeys(range(1, len(group) + 1), start))
        for i, sequence in enumerate(group, 1):
            sequence.logits = last[i]
        return shared

    def _keep(self, count: int, head: Tokens) -> int:
        """Empty the cache but for the first `count` tokens of sequence 0; where these are not the
        whole head, or the model's kind of memory cannot be cut, for the head alone."""
        if 0 < count >= len(head) and ll.llama_memory_seq_rm(self._memory, 0, count, -1):
            for i in range(1, _SEQUENCES + 1):
                ll.llama_memory_seq_rm(self._memory, i, -1, -1)
            return count
        ll.llama_memory_clear(self._memory, True)
        self._compute_head(head)
        return len(head)

    def _compute_head(self, head: Tokens) -> None:
        if (state := self._heads.get(head)) is not None:
            ll.llama_state_seq_set_data(
                self._context, (ctypes.c_uint8 * len(state)).from_buffer_copy(state), len(state), 0
            )
            return
        self._decode([(0, t) for t in head], {0: 0})
        size = ll.llama_state_seq_get_size(self._context, 0)
        buffer = (ctypes.c_uint8 * size)()
        ll.llama_state_seq_get_data(self._context, buffer, size, 0)
        if len(self._heads) == _HEADS_KEPT:
            del self._heads[next(iter(self._heads))]
        self._heads[head] = bytes(buffer)

    def _decode(
        self, tokens: list[tuple[int, int]], start: dict[int, int]
    ) -> dict[int, NDArray[np.float32]]:
        """Run (sequence, token) pairs through the model, each sequence from its start position.
        Gives the logits after the last token of each sequence."""
        position = dict(start)
        final = {sequence: i for i, (sequence, _) in enumerate(tokens)}
        logits: dict[int, NDArray[np.float32]] = {}
        step = ll.llama_n_batch(self._context)
        for begin in range(0, len(tokens), step):
            chunk = tokens[begin : begin + step]
            batch = ll.llama_batch_init(len(chunk), 0, 1)
            try:
                batch.n_tokens = len(chunk)
                for i, (sequence, token) in enumerate(chunk):
                    batch.token[i] = token
                    batch.pos[i] = position[sequence]
                    batch.n_seq_id[i] = 1
                    batch.seq_id[i][0] = sequence
                    batch.logits[i] = final[sequence] == begin + i
                    position[sequence] += 1
                if (code := ll.llama_decode(self._context, batch)) != 0:
                    raise ModelError(f"{self._gguf.name}: llama.cpp failed to decode (code {code})")
                for i, (sequence, _) in enumerate(chunk):
                    if final[sequence] == begin + i:
                        row = ll.llama_get_logits_ith(self._context, i)
                        logits[sequence] = np.ctypeslib.as_array(row, (self._size,)).copy()
            finally:
                ll.llama_batch_free(batch)
        self.tokens_computed += len(tokens)
        return logits

    def _generate(self, group: list[Running], ask: Generate) -> None:
        """Decode all sequences together, a token each at a time, until each has ended."""
        pending = dict.fromkeys(range(1, len(group) + 1), b"")
        ends = {
            i: ll.llama_memory_seq_pos_max(self._memory, i) + 1 for i in range(1, len(group) + 1)
        }
        for _ in range(ask.max_tokens):
            step: list[tuple[int, int]] = []
            for i in list(pending):
                sequence = group[i - 1]
                token = next_token(sequence, ask)
                if ll.llama_vocab_is_eog(self._vocab, token):
                    del pending[i]
                    continue
                sequence.generated += (token,)
                pending[i] += self._bytes(token)
                sequence.text = pending[i].decode("utf-8", errors="ignore")
                if any(stop in sequence.text for stop in ask.stop):
                    sequence.text = before_stop(sequence.text, ask.stop)
                    del pending[i]
                    continue
                step.append((i, token))
            if not step:
                return
            for i, logits in self._decode(step, {i: ends[i] for i, _ in step}).items():
                group[i - 1].logits = logits
                ends[i] += 1

    # From logits to replies

    def _chosen(self, sequence: Running, options: tuple[str, ...], firsts: Tokens) -> Reply:
        assert sequence.logits is not None  # noqa: S101 - set by _prefill
        row = sequence.logits.astype(np.float64)
        top = row.max()
        normaliser = top + np.log(np.exp(row - top).sum())
        logprobs = tuple(float(row[t] - normaliser) for t in firsts)
        likeliest = options[max(range(len(options)), key=logprobs.__getitem__)]
        return Reply(likeliest, logprobs, len(sequence.prompt), 0, sequence.cut)

    def _written(self, sequence: Running) -> Reply:
        text = sequence.text.strip()
        generated = len(sequence.generated)
        return Reply(text, (), len(sequence.prompt), generated, sequence.cut)
