"""One line in place of llama.cpp's trace when it aborts for lack of memory."""

from __future__ import annotations

import ctypes
import os
import sys

import llama_cpp as ll

from uhhrag.errors import ModelError


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)  # type: ignore[untyped-decorator]
def _say(message: bytes | None) -> None:
    """Called before abort(), possibly with no memory left."""
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


def in_one_line() -> None:
    """Replace the abort message, unless llama.cpp is too old."""
    library = ll.llama_cpp._lib
    if hasattr(library, "ggml_set_abort_callback"):
        library.ggml_set_abort_callback.restype = ctypes.c_void_p
        library.ggml_set_abort_callback(_say)
