"""Time the kernels that an embedder may choose among on this processor: some rounds of the probe of
`uhhrag doctor`, without what was remembered.

usage: scripts/bench kernels [--rounds N]
"""

import argparse
import statistics

from scripts.benchmarks.sides import begin
from uhhrag.backends import kernels
from uhhrag.backends.cpu_features import has_amx, multiplies_bf16


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--rounds", type=int, default=3)
    given = options.parse_args()
    begin()
    names = [kernels.FP32]
    names += [kernels.BF16] if multiplies_bf16() else []
    names += [kernels.BF16_AMX] if has_amx() else []
    times: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(given.rounds):
        for name, seconds in times.items():
            if (measured := kernels.probed(name)) is not None:
                seconds.append(measured)
    least = {name: statistics.median(seconds) for name, seconds in times.items() if seconds}
    for name in names:
        if name not in least:
            print(f"{name:<9} does not run here")
            continue
        gain = least[kernels.FP32] / least[name]
        print(f"{name:<9} {1000 * least[name]:7.2f} ms a batch, {gain:.2f} times as fast as fp32")
    print(f"chosen    {kernels.chosen(least)}")


if __name__ == "__main__":
    main()
