from __future__ import annotations

import ctypes
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import llama_cpp as ll
import numpy as np
from numpy.typing import NDArray

from uhhrag.backends.cpu_features import check_build
from uhhrag.backends.llamacpp.sequences import BatchToken
from uhhrag.errors import ModelError

_ERROR = 4
_complaints: deque[str] = deque(maxlen=1)


@ll.llama_log_callback  # type: ignore[untyped-decorator]
def _silence(level: int, text: bytes, _data: Any) -> None:
    if level == _ERROR:
        _complaints.append(text.decode("utf-8", errors="replace").strip())


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)  # type: ignore[untyped-decorator]
def _give_up(message: bytes | None) -> None:
    """In place of llama.cpp's trace; memory may be used up."""
    where = (message or b"").decode(errors="replace").rpartition("/")[2].strip()
    try:
        sys.stdout.flush()
    finally:
        text = (
            f"uhhrag: llama.cpp gave up ({where}): not enough memory for the model, or a damaged "
            "model file; free memory or give a smaller --llm; what is done so far is kept\n"
        )
        os.write(2, text.encode())
        os._exit(ModelError.exit_code)


def open_model(gguf: Path, gpu_layers: int) -> Any:
    """Raises ModelError if this machine cannot run it."""
    check_build(ll.llama_print_system_info().decode())
    ll.llama_log_set(_silence, ctypes.c_void_p(0))
    ll.llama_backend_init()
    library = ll.llama_cpp._lib
    if hasattr(library, "ggml_set_abort_callback"):  # not in older versions
        library.ggml_set_abort_callback.restype = ctypes.c_void_p
        library.ggml_set_abort_callback(_give_up)
    if gpu_layers and not ll.llama_supports_gpu_offload():
        raise ModelError(
            "--gpu-layers asks for a GPU but this llama-cpp-python was built without one; "
            "leave the option out, or rebuild it with -DGGML_CUDA=ON in CMAKE_ARGS"
        )
    params = ll.llama_model_default_params()
    params.n_gpu_layers = gpu_layers
    # Repacked kernels read prompts slower (85 against 144 tokens a second, 1.5B Q4_K_M, two cores
    # with AVX-512) and generate faster only for a single sequence (41 against 48 ms a token).
    # Without them AMX is never used; compiled by GCC 12, its kernels die at the first decode
    # (scripts/cmake-args).
    params.use_extra_bufts = False
    model = ll.llama_model_load_from_file(str(gguf).encode(), params)
    if not model:
        raise ModelError(
            f"{gguf} cannot be loaded by llama.cpp: it is no GGUF file, is cut short, or needs "
            "more memory than is free; fetch it again, or give another"
        )
    return model


@contextmanager
def open_vocabulary(gguf: Path) -> Iterator[Any]:
    """Without weights. Raises ModelError."""
    ll.llama_log_set(_silence, ctypes.c_void_p(0))
    params = ll.llama_model_default_params()
    params.vocab_only = True
    model = ll.llama_model_load_from_file(str(gguf).encode(), params)
    if not model:
        raise ModelError(f"{gguf} cannot be read by llama.cpp; fetch it again, or give another")
    try:
        yield model
    finally:
        ll.llama_model_free(model)


def adapt(model: Any, context: Any, lora: Path, gguf: Path) -> None:
    """Raises ModelError if `lora` does not fit."""
    _complaints.clear()
    adapter = ll.llama_adapter_lora_init(model, str(lora).encode())
    adapters = (ll.llama_adapter_lora_p_ctypes * 1)(adapter)
    if not adapter or ll.llama_set_adapters_lora(context, adapters, 1, (ctypes.c_float * 1)(1.0)):
        # "llama_adapter_lora_init: failed to apply lora adapter: <the reason>"
        reason = "".join(_complaints).rpartition("adapter: ")[2] or "llama.cpp gives no reason"
        raise ModelError(
            f"{lora} cannot be used as a LoRA adapter of {gguf.name} ({reason}); give one in GGUF "
            "that was made for this model"
        )


def open_context(
    model: Any, gguf: Path, threads: int, size: int, sequences: int, *, on_gpu: bool
) -> Any:
    """`size`: tokens of all sequences. Raises ModelError without memory."""
    params = ll.llama_context_default_params()
    params.n_ctx = size
    params.n_batch = 2048
    params.n_ubatch = 512
    params.n_seq_max = sequences
    params.kv_unified = True
    params.n_threads = params.n_threads_batch = threads
    if not on_gpu:
        # On a CPU, flash attention splits the cache of a single token among threads from 512 places
        # on, so logits depend on their number. Plain attention takes 4 % longer for questions, 14 %
        # for votes (1.5B Q4_K_M, two cores with AVX-512).
        params.flash_attn_type = ll.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.no_perf = True
    context = ll.llama_init_from_model(model, params)
    if not context:
        raise ModelError(f"no memory for a context of {size} tokens beside {gguf}; free some")
    return context


def decode_batch(
    context: Any, rows: Sequence[BatchToken], vocabulary: int, gguf: Path
) -> list[NDArray[np.float32]]:
    """Logits after each wanted row, shape (vocabulary,)."""
    with _decoded(context, rows, gguf):
        logits = (ll.llama_get_logits_ith(context, i) for i, row in enumerate(rows) if row.wanted)
        # Copied: llama.cpp reuses the memory for the next batch.
        return [np.ctypeslib.as_array(first, (vocabulary,)).copy() for first in logits]


def decode_state(context: Any, row: BatchToken, width: int, gguf: Path) -> tuple[float, ...]:
    """After one token: with embeddings on, llama.cpp computes logits for every row."""
    ll.llama_set_embeddings(context, True)
    try:
        with _decoded(context, [row], gguf):
            state = ll.llama_get_embeddings_ith(context, -1)
            return tuple(np.ctypeslib.as_array(state, (width,)).tolist())
    finally:
        ll.llama_set_embeddings(context, False)


@contextmanager
def _decoded(context: Any, rows: Sequence[BatchToken], gguf: Path) -> Iterator[None]:
    batch = ll.llama_batch_init(len(rows), 0, max(len(row.sequences) for row in rows))
    try:
        batch.n_tokens = len(rows)
        # Token i has place pos[i] in the n_seq_id[i] sequences of seq_id[i]; logits[i] asks for
        # logits.
        for i, row in enumerate(rows):
            batch.token[i], batch.pos[i], batch.logits[i] = row.token, row.position, row.wanted
            batch.n_seq_id[i] = len(row.sequences)
            for j, sequence in enumerate(row.sequences):
                batch.seq_id[i][j] = sequence
        if (code := ll.llama_decode(context, batch)) != 0:
            raise ModelError(f"{gguf.name}: llama.cpp failed to decode (code {code})")
        yield
    finally:
        ll.llama_batch_free(batch)
