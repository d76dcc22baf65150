"""A language model computes with fewer threads while other programs compute."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from tests.support.waiting import until
from uhhrag.backends.llamacpp import free_cores
from uhhrag.backends.llamacpp.free_cores import FreeCores

CORES = len(os.sched_getaffinity(0))


def threads_after(busy: float, own: float) -> int:
    """The threads after a look at ten seconds in which programs took so many cores, and this one
    that part of them."""
    then = time.monotonic() - 10
    looks = iter([(then, 0.0, 0.0), (then + 10, 10 * busy, 10 * own)])
    return FreeCores(CORES, lambda: next(looks))()


def test_other_programs_keep_their_cores_and_its_own_work_takes_none():
    assert threads_after(busy=0, own=0) == CORES
    assert threads_after(busy=CORES, own=CORES) == CORES
    assert threads_after(busy=CORES, own=CORES - 1) == max(1, CORES - 1)
    assert threads_after(busy=CORES, own=0) == 1


def test_where_the_system_does_not_say_all_threads_compute():
    assert FreeCores(3, lambda: None)() == 3


def test_a_busy_program_is_seen():
    busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(CORES)]
    try:
        threads = FreeCores(CORES, free_cores.look)
        until(lambda: threads() == 1)
    finally:
        for one in busy:
            one.kill()
            one.wait()
