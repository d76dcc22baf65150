"""`python -m tests.support.ray_command SECONDS INDEX RUN WORKERS` is `uhhrag predict` with
stand-ins, whose language model takes so long for a call."""

from __future__ import annotations

import signal
import sys

import uhhrag
from tests.support.ray_cluster import models

if __name__ == "__main__":
    # A shell that has put the tests into the background ignores Ctrl-C for them.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    seconds, index, run, workers = sys.argv[1:]
    made = models(float(seconds))
    try:
        uhhrag.predict(index, run, cache=False, ray=workers, **made).require_all()
    except KeyboardInterrupt:
        sys.exit(130)
