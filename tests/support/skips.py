"""A skip must not hide a failure: where CI=true, one that is not on the list fails."""

from __future__ import annotations

import os
from collections.abc import Iterable
from fnmatch import fnmatchcase
from typing import TypeVar

import pytest

from tests.support.paths import ROOT

LIST = ROOT / "tests" / "allowed_skips.txt"
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


def patterns(text: str) -> dict[str, str]:
    """Why a test may be skipped, by the pattern of its reason or id. Raises ValueError for a line
    without a reason.

    >>> patterns("# all\\n\\nno disk * | none in CI")
    {'no disk *': 'none in CI'}
    """
    allowed = {}
    for line in filter(None, map(str.strip, text.splitlines())):
        if not line.startswith("#"):
            pattern, _, why = map(str.strip, line.partition(" | "))
            if not why:
                raise ValueError(f"{LIST.name}: no reason is given for: {line}")
            allowed[pattern] = why
    return allowed


def is_allowed(test: str, reason: str, allowed: Iterable[str]) -> bool:
    """Whether a pattern matches the test's id or the reason it was skipped for.

    >>> is_allowed("tests/a.py::test_b", "no disk today", ["no disk *"])
    True
    """
    return any(fnmatchcase(text, pattern) for pattern in allowed for text in (test, reason))


def judged(report: Report) -> Report:
    """The report, failed where CI=true and it is a skip that is not allowed."""
    if not report.skipped or hasattr(report, "wasxfail") or os.environ.get("CI") != "true":
        return report
    reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
    reason = reason.removeprefix("Skipped: ")
    if not is_allowed(report.nodeid, reason, patterns(LIST.read_text(encoding="utf-8"))):
        report.outcome = "failed"
        report.longrepr = f"skipped in CI, which {LIST.name} does not allow: {reason}"
    return report
