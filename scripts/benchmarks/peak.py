"""Run `uhhrag` with these words; the last line of its output is its peak memory in bytes."""

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
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
    sys.exit(code if isinstance(code, int) else 0)
