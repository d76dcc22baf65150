"""The browser of the tests: one that hangs costs its test alone."""

from __future__ import annotations

import pytest

from tests.support.browser import chromium, opener, processes

pytestmark = pytest.mark.browser


def test_a_browser_that_does_not_answer_is_ended_and_another_one_begins():
    with chromium() as browser:
        with opener(browser, patience=0.5) as opened:
            opened("about:blank")
            for process in processes():
                process.suspend()
        with opener(browser) as opened:
            page = opened("data:text/html,<h1>There</h1>")
            assert page.locator("h1").inner_text() == "There"
