"""Run `uhhrag` with these words; the last line of its output is its peak memory in bytes, the peak
of its own memory without mapped files, looked at twenty times a second, and the seconds of
processor time that it and its processes took."""

from __future__ import annotations

import resource
import sys
import time
from threading import Thread

from scripts.benchmarks.memory import memory
from uhhrag.cli import main

PAUSE = 0.05


class OwnMemory(Thread):
    """Looks at the memory of this process that no file backs; `peak` is the most so far, in
    bytes."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.peak = 0

    def run(self) -> None:
        while True:
            self.peak = max(self.peak, memory("RssAnon"))
            time.sleep(PAUSE)


if __name__ == "__main__":
    sys.argv[0] = "uhhrag"
    watched = OwnMemory()
    watched.start()
    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    spent = sum(one.ru_utime + one.ru_stime for one in (own, others))
    print(memory("VmHWM"), watched.peak, round(spent, 2))  # ru_maxrss is also that of the parent
    sys.exit(code if isinstance(code, int) else 0)
