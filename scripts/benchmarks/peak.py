"""Run `uhhrag` with these words; the last line of its output is its peak memory in bytes and the
seconds of processor time that it and its processes took."""

from __future__ import annotations

import resource
import sys

from uhhrag.cli import main

if __name__ == "__main__":
    sys.argv[0] = "uhhrag"
    code: object = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code
    sys.stdout.flush()
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    spent = sum(one.ru_utime + one.ru_stime for one in (own, others))
    print(own.ru_maxrss * 1024, round(spent, 2))
    sys.exit(code if isinstance(code, int) else 0)
