"""Take the pictures of docs/ anew: the report and the desk over a run on the sample in data/, and
of `uhhrag serve` alone the welcome page, a collection and a draft (--only welcome: these three).

Needs Chromium (see tests/support/browser.py). The run and its index are those that
docs/step-by-step.md makes from the sample. Pictures get a palette of 128 colours, which makes
their files a third as large. Look at them before you commit them.

usage: python -m scripts.pictures [--run runs/retrieve-question] [--index index] [--out docs]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from PIL import Image

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.browser import chromium

UHHRAG = (sys.executable, "-m", "uhhrag")
WIDE, NARROW = {"width": 1200, "height": 900}, {"width": 390, "height": 844}
GOLD = Path("data/claims.json")
SHOWN = 11
"""the claim whose page is shown"""
MINUTES = """The council met on Tuesday.

The harbour was dredged in 2019. The work cost two million euros.

The bridge at Varnby was closed in March 2018 and opened again in May 2018.
"""
DRAFT = """The harbour of Varnby was dredged in 2019. Will the ships come back?

The bridge at Varnby stayed closed throughout 2018. The town is right to be proud of it.
"""


@contextmanager
def desk(*what: str, home: Path | None = None) -> Iterator[str]:
    """The address of a desk that is served until the end, with the models in a folder `home`."""
    command = (*UHHRAG, "serve", *what, "--port", "0", "--no-browser")
    env = {**os.environ, **({"UHHRAG_HOME": str(home)} if home else {})}
    serving = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=env)
    try:
        yield next(
            line.split()[0].rstrip("/") for line in serving.stdout or () if line.startswith("http")
        )
    finally:
        serving.terminate()
        serving.wait()


def keep(page: Any, file: Path) -> None:
    """Write the picture of a page."""
    page.screenshot(path=file)
    with Image.open(file) as picture:
        small = picture.convert("RGB").quantize(128, dither=Image.Dither.NONE)
    small.save(file, optimize=True)


def take_welcome(browser: Any, made: Path, out: Path) -> None:
    """The welcome page of a machine without models, a collection, and a draft checked against it,
    for docs/fact-checkers.md."""
    with desk(home=made / "empty") as address:
        page = browser.new_page(viewport=WIDE)
        page.goto(address)
        page.get_by_text("Fetch them now").wait_for()
        keep(page, out / "welcome.png")
    minutes = made / "minutes 2020-11-03.txt"
    minutes.write_text(MINUTES)
    (made / "letter.pdf").write_text("not a PDF")
    with desk("--collections", str(made / "collections")) as address:
        page = browser.new_page(viewport=WIDE)
        page.set_default_timeout(240_000)
        page.goto(f"{address}/collections")
        page.get_by_label("Name").fill("Harbour")
        page.get_by_role("button", name="Make it").click()
        page.locator("#choose").wait_for()  # it is hidden until the page's script listens
        page.locator("#choose").set_input_files([minutes, made / "letter.pdf"])
        page.get_by_text("Check a claim against these").wait_for()
        page.set_viewport_size({"width": 1200, "height": 1160})
        keep(page, out / "collection.png")
        page.goto(address)
        page.get_by_text("Check a draft, or a list of claims").click()
        page.get_by_label("Paste the text").fill(DRAFT)
        page.get_by_role("button", name="Find the claims").click()
        page.get_by_role("button", name="Check the ticked sentences").click()
        page.get_by_text("2 of 2 done").first.wait_for()
        page.set_viewport_size({"width": 1200, "height": 720})
        keep(page, out / "draft.png")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--run", type=Path, default=Path("runs/retrieve-question"))
    options.add_argument("--index", type=Path, default=Path("index"))
    options.add_argument("--out", type=Path, default=Path("docs"))
    options.add_argument("--only", choices=("all", "welcome"), default="all")
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as made, chromium() as opened_browser:
        browser: Any = opened_browser
        take_welcome(browser, Path(made), asked.out)
        if asked.only == "welcome":
            return
        run = Path(made) / asked.run.name
        shutil.copytree(asked.run, run)
        report = Path(made) / "report.html"
        command = (*UHHRAG, "report", run, "--gold", GOLD, "--out", report)
        subprocess.run(command, check=True)

        def opened(address: str, size: dict[str, int], scheme: str = "light") -> Any:
            page = browser.new_page(viewport=size, color_scheme=scheme)
            page.goto(address)
            return page

        def claim_of(page: Any) -> Any:
            found = page.locator("li.claim > details").nth(SHOWN)
            found.locator("summary").first.click()  # the claim itself, not what is folded in it
            found.scroll_into_view_if_needed()
            found.evaluate("e => scrollTo(0, e.getBoundingClientRect().top + scrollY - 16)")
            return page

        address = report.as_uri()
        keep(opened(address, WIDE), asked.out / "report.png")
        keep(claim_of(opened(address, WIDE, "dark")), asked.out / "report-claim-dark.png")
        keep(claim_of(opened(address, NARROW)), asked.out / "report-claim-narrow.png")
        with desk(str(run), "--index", str(asked.index)) as address:
            page = opened(f"{address}/claims/claim-{SHOWN}", WIDE)
            page.get_by_label("says nothing").first.check()
            page.evaluate("scrollTo(0, 0)")
            keep(page, asked.out / "desk-claim.png")
            page = opened(address, WIDE)
            box = page.get_by_role("textbox", name="The claim, as one sentence")
            box.fill("Goldfish remember for months.")
            keep(page, asked.out / "desk.png")


if __name__ == "__main__":
    main()
