"""llama.cpp ends the process where it cannot get memory, by abort(), with a trace of its own
functions. Here it says one line instead, and the process ends as for a model that cannot run.

What was decided before is on disk, as after any kill.
"""

from __future__ import annotations

import ctypes
import os
import sys

import llama_cpp as ll

from uhhrag.errors import ModelError


@ctypes.CFUNCTYPE(None, ctypes.c_char_p)  # type: ignore[untyped-decorator]
def _say(message: bytes | None) -> None:
    """Called by llama.cpp just before abort(), possibly with next to no memory left."""
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
    """From now on llama.cpp's giving up is one line. Says nothing where llama.cpp is too old to
    be asked for that."""
    library = ll.llama_cpp._lib
    if hasattr(library, "ggml_set_abort_callback"):
        library.ggml_set_abort_callback.restype = ctypes.c_void_p
        library.ggml_set_abort_callback(_say)
