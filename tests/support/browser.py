"""A headless Chromium of the system's for tests, driven by Playwright; skipped where there is
none."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psutil
import pytest

# Each of these would open connections of the browser's own.
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)


class _Lasting:
    """A browser, and another one in its place once it has ended."""

    def __init__(self, launch: Callable[[], Any]) -> None:
        self._launch, self._browser = launch, launch()

    def __getattr__(self, name: str) -> Any:
        if not self._browser.is_connected():
            self._browser = self._launch()
        return getattr(self._browser, name)


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser, closed at the end. UHHRAG_CHROMIUM names the program where it is not found."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    program = os.environ.get("UHHRAG_CHROMIUM") or next(filter(None, map(shutil.which, names)), "")
    if not program:
        pytest.skip("no Chromium on this machine; install Debian's chromium")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = _Lasting(lambda: driver.chromium.launch(executable_path=program, args=_QUIET))
        yield browser
        _close(browser, 30)


def processes() -> list[psutil.Process]:
    """The browsers that this process has begun."""
    found = []
    for process in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):
            if "--remote-debugging-pipe" in process.cmdline():
                found.append(process)
    return found


def _close(what: Any, patience: float) -> None:
    """Playwright waits for the browser for ever, which now and then does not answer: it is killed
    then."""
    from playwright.sync_api import Error

    end = threading.Timer(patience, lambda: [process.kill() for process in processes()])
    end.start()
    try:
        with suppress(Error):
            what.close()
    finally:
        end.cancel()


def expect(what: Any) -> Any:
    """Playwright's `expect`: what it asserts may come true within half a minute. A page draws when
    it gets to it, so a look at what is drawn that does not wait may come too early."""
    from playwright.sync_api import expect as expected

    expected.set_options(timeout=30_000)
    return expected(what)


def press(page: Any, button: str) -> None:
    """Press a button, and wait for the page that it leads to: until then the old one stands there,
    and what was asked for may not be done."""
    found = page.get_by_role("button", name=button, exact=True)
    found.wait_for()
    with page.expect_navigation():
        found.click()


@contextmanager
def opener(browser: Any, patience: float = 30) -> Iterator[Callable[..., Any]]:
    """What opens an address on a page of its own, with options of the browser's context; all are
    closed at the end, each within `patience` seconds. A page's `requests` and `complaints` are what
    it asked for and said."""
    contexts: list[Any] = []

    def opened(address: str, **options: Any) -> Any:
        context = browser.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.requests, page.complaints = [], []
        page.on("request", lambda request: page.requests.append(request.url))
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        _close(context, patience)
