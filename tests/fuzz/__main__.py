"""Every reader, many inputs: a table, and the shortest input of each fault; exits with 1 on any."""

from __future__ import annotations

import argparse
import sys
import time

from tests.fuzz.campaign import try_out
from tests.fuzz.readers import READERS


def main() -> int:
    options = argparse.ArgumentParser(prog="scripts/fuzz", description=__doc__)
    options.add_argument("--inputs", type=int, default=2200, help="inputs a reader")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--reader", help="only readers whose name holds this")
    given = options.parse_args()
    wanted = given.reader or ""
    one = {wanted: READERS[wanted]} if wanted in READERS else None
    chosen = one or {name: reader for name, reader in READERS.items() if wanted in name}
    print(f"{'reader':<34}{'inputs':>9}{'read':>9}{'refused':>9}{'faults':>8}{'seconds':>9}")
    total, faults = 0, []
    for name, reader in chosen.items():
        begun = time.monotonic()
        tally = try_out(reader, given.inputs, given.seed)
        total += tally.inputs
        faults += [f"{name}: {fault}\n    {found[:200]!r}" for fault, found in tally.faults.items()]
        counts = f"{tally.inputs:>9}{tally.read:>9}{tally.refused:>9}{tally.faulty:>8}"
        print(f"{name:<34}{counts}{time.monotonic() - begun:>9.1f}", flush=True)
    print(
        f"{len(chosen)} readers, {total:,} inputs, seed {given.seed}, {len(faults)} kinds of fault"
    )
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
