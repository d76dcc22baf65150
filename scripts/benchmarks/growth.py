"""How much a desk with real models grows over claims that are checked one after another.

`uhhrag serve` is started on a folder of six texts and asked over HTTP as other programs ask it, a
claim of its own each time. The first claims, which load the models and compile for most lengths, do
not count, nor do pages of model files, which the kernel drops where it needs room. Prints the
memory of its process on the way; fails where it has grown by more than 20 MB.

usage: scripts/bench growth [--claims N] [--force]
"""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.request import Request, urlopen

from scripts.benchmarks.memory import memory
from scripts.benchmarks.sides import ROOT, begin, with_goal

GOAL, FIRST, SHOWN = 20e6, 50, 50
DOCUMENTS = ROOT / "scripts" / "benchmarks" / "ostvik" / "documents"


def ask(address: str, number: int) -> None:
    """Have a claim checked that no other one is like."""
    claim = f"The ferry of Ostvik carried {17 * number} passengers in {1800 + number % 200}."
    headers = {"content-type": "application/json"}
    request = Request(f"{address}v1/check", json.dumps({"claim": claim}).encode(), headers)  # noqa: S310
    with urlopen(request, timeout=900) as answer:  # noqa: S310 - an address of this machine
        if json.loads(answer.read())["status"] == "failed":
            sys.exit("a claim failed; run: uhhrag doctor")


def grown(desk: "subprocess.Popen[str]", count: int) -> int:
    """Bytes that the desk has grown by."""
    address = (desk.stdout.readline() if desk.stdout else "").partition(" ")[0]
    for number in range(FIRST):
        ask(address, number)
    begun, more = memory("RssAnon", desk.pid), 0
    print(f"{begun / 1e6:,.0f} MB after {FIRST} claims", flush=True)
    for number in range(FIRST, FIRST + count):
        ask(address, number)
        done = number + 1 - FIRST
        if not done % SHOWN or done == count:
            more = memory("RssAnon", desk.pid) - begun
            print(f"{more / 1e6:+,.1f} MB after {done} more", flush=True)
    return more


def main() -> None:
    options = with_goal(__doc__)
    options.add_argument("--claims", type=int, default=300)
    given = options.parse_args()
    begin()
    with TemporaryDirectory(prefix="uhhrag-") as made:
        work = str(Path(made) / "work")
        serve = [sys.executable, "-m", "uhhrag", "serve", "--port", "0", "--no-browser"]
        command = [*serve, "--docs", str(DOCUMENTS), "--work", work]
        desk = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            more = grown(desk, given.claims)
        finally:
            desk.terminate()
            desk.wait()
    if more > GOAL and not given.force:
        sys.exit(f"it grew by more than {GOAL / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
