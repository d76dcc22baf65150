"""How fast a desk of thousands of claims answers, and how a report of hundreds opens.

The checks of a run (its verdicts, evidence, votes and replies) are put on a new desk again and
again, each under a claim of its own, and every other one is reviewed. Then pages are asked for in
turn over HTTP, one request at a time: seconds until the whole answer is here, and CPU seconds of
this process, which is the desk and the one who asks; on a machine that others use only the latter
mean much. The report is made of the same run's claims, and opened in headless Chromium where there
is one.

usage: scripts/bench desk [--claims N] [--report N] [--run RUN] [--rounds N] [--force]
"""

import itertools
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pytest

from scripts.benchmarks.sides import ROOT, begin, with_goal
from tests.support.browser import chromium
from tests.support.serving import Served, desk_of
from uhhrag.records import Claim
from uhhrag.runs.trace import TRACE, read_trace
from uhhrag.serve.app import App
from uhhrag.views import html_pages
from uhhrag.views.review import Review
from uhhrag.views.run_view import RunView, read_run_view

GOAL = 0.3
ASKED = {
    "list": "/",
    "list, last page": "/?page={last}",
    "filter: words": "/?find=goldfish+{number}",
    "filter: verdict, unreviewed": "/?kinds=some&kind=refuted&unreviewed=on",
    "least sure first": "/?order=unsure",
    "claim": "/claims/check-{number}",
    "/api/claims": "/api/claims",
    "/api/claims/KEY": "/api/claims/check-{number}",
}


def checks(run: Path) -> Iterator[dict[str, Any]]:
    """The decided records of a run, again and again."""
    decided = [record for record in read_trace(run / TRACE) if "error" not in record]
    if not decided:
        sys.exit(f"{run}: has no verdict; make one with: uhhrag predict")
    return itertools.cycle(decided)


def fill(app: App, run: Path, count: int) -> None:
    """Put checked claims on a desk and review every other one."""
    for number, record in zip(range(1, count + 1), checks(run), strict=False):
        text = f"{record['claim']} ({number})"
        app.database.ask(Claim(0, text, record["claim_date"], record["speaker"]), "docs")
        settled = {**record, "claim_id": number, "claim": text, "seconds": {"search": 0.2}}
        app.database.save_outcome(number, settled)
        if number % 2:
            review = Review(note="Looked at.", reviewer="Ada")
            app.database.review_after(0, review, f"check-{number}")


class Taken(NamedTuple):
    """What requests for a page took: seconds and CPU seconds of each, bytes of the last answer."""

    wall: list[float]
    cpu: list[float]
    size: int


def ask(served: Served, path: str, rounds: int, count: int) -> Taken:
    """Ask for a page again and again, of another claim each time."""
    wall, cpu, size = [], [], 0
    for turn in range(rounds):
        number = 1 + turn * 97 % count
        begun, used = time.perf_counter(), time.process_time()
        _, content = served.download(path.format(number=number, last=count // 100))
        wall.append(time.perf_counter() - begun)
        cpu.append(time.process_time() - used)
        size = len(content)
    return Taken(wall, cpu, size)


def measure_desk(run: Path, count: int, rounds: int) -> float:
    """Print how long each page takes; the worst of their 95th percentiles."""
    worst = 0.0
    with (
        TemporaryDirectory(prefix="uhhrag-") as made,
        desk_of(Path(made), read=lambda: RunView("desk", {}, ())) as served,
    ):
        begun = time.perf_counter()
        fill(served.app, run, count)
        print(f"{count:,} claims put on the desk in {time.perf_counter() - begun:.0f} s")
        print(f"desk.sqlite has {(Path(made) / 'desk.sqlite').stat().st_size / 1e6:.0f} MB")
        begun = time.perf_counter()
        served.get("/")
        print(f"{'first answer':<28} {time.perf_counter() - begun:6.3f} s")
        for name, path in ASKED.items():
            taken = ask(served, path, rounds, count)
            late = statistics.quantiles(taken.wall, n=20, method="inclusive")[-1]
            worst = max(worst, late)
            middle, cpu = statistics.median(taken.wall), statistics.median(taken.cpu)
            print(f"{name:<28} p50 {middle:6.3f} s, p95 {late:6.3f} s", end=", ")
            print(f"{cpu:6.3f} CPU s, {taken.size / 1e3:6.0f} kB")
    return worst


def measure_report(run: Path, count: int) -> None:
    """Print the size of a report and how long a browser takes to open it."""
    view = read_run_view(run)
    claims = [one for one in view.claims if one.verdict]
    many = tuple(
        replace(one, claim=replace(one.claim, id=number), key=f"claim-{number}")
        for number, one in zip(range(count), itertools.cycle(claims), strict=False)
    )
    begun = time.perf_counter()
    page = html_pages.report(replace(view, claims=many))
    print(f"report of {count} claims: made in {time.perf_counter() - begun:.1f} s, ", end="")
    print(f"{len(page.encode()) / 1e6:.1f} MB")
    with TemporaryDirectory(prefix="uhhrag-") as made:
        file = Path(made) / "report.html"
        file.write_text(page)
        try:
            with chromium() as browser:
                _open(browser, file)
        except pytest.skip.Exception as missing:
            print(f"not opened: {missing}")


_PAINTED = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
_LOADED = "performance.getEntriesByType('navigation')[0].loadEventEnd"
_FRAME = """async (act) => {
  const begun = performance.now();
  new Function(act)();
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - begun;
}"""
_ACTS = {
    "a search": "const f = document.getElementById('find'); f.value = 'goldfish'; "
    "document.querySelector('.filter').dispatchEvent(new Event('change', {bubbles: true}))",
    "unticking a verdict": "document.getElementById('find').value = ''; "
    "document.querySelector('[name=kind]').click()",
    "opening all": "document.getElementById('open-all').click()",
}


def _open(browser: Any, file: Path) -> None:
    page = browser.new_page()
    page.set_default_timeout(0)
    page.goto(file.as_uri())
    meter = page.context.new_cdp_session(page)
    meter.send("Performance.enable")
    painted, loaded = page.evaluate(_PAINTED), page.evaluate(_LOADED)
    print(f"first paint after {painted / 1e3:.2f} s, loaded after {loaded / 1e3:.2f} s", end="")
    print(f" ({_cpu(meter):.1f} CPU s)", end="")
    for name, act in _ACTS.items():
        before = _cpu(meter)
        print(f", {name} {page.evaluate(_FRAME, act) / 1e3:.2f} s", end="")
        print(f" ({_cpu(meter) - before:.1f})", end="")
    print()


def _cpu(meter: Any) -> float:
    """CPU seconds that the page's process has used."""
    metrics = {one["name"]: one["value"] for one in meter.send("Performance.getMetrics")["metrics"]}
    return float(metrics["ProcessTime"])


def main() -> None:
    options = with_goal(__doc__)
    options.add_argument("--claims", type=int, default=5000)
    options.add_argument("--report", type=int, default=500, help="claims of the report; 0: none")
    options.add_argument("--run", type=Path, default=ROOT / "runs" / "retrieve-question")
    options.add_argument("--rounds", type=int, default=40)
    given = options.parse_args()
    begin()
    worst = measure_desk(given.run, given.claims, given.rounds)
    if given.report:
        measure_report(given.run, given.report)
    if worst > GOAL and not given.force:
        sys.exit(f"a page takes {worst:.2f} s at the 95th percentile; the goal is {GOAL:g} s")


if __name__ == "__main__":
    main()
