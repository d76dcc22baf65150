"""axe-core in a page of the browser's: which rules of accessibility (WCAG and its best practices) a
page breaks."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

import pytest

_RUN = """async () => (await axe.run({resultTypes: ["violations"]})).violations.map(
  (found) => `${found.id}: ${found.nodes.map((node) => node.target.join(" ")).join(", ")}`)"""


@cache
def _script() -> str:
    pytest.importorskip("axe_playwright_python")
    package = resources.files("axe_playwright_python")
    return package.joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(page: Any) -> list[str]:
    """Each rule that the page breaks, with the places."""
    page.evaluate(_script())
    found: list[str] = page.evaluate(_RUN)
    return found
