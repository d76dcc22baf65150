"""docs/architecture.md shows the tiers that test_layers.py checks, and modules that exist."""

from __future__ import annotations

import re

import pytest

from tests.project.test_layers import TIERS
from tests.support.paths import ROOT

TEXT = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")


def test_the_page_shows_the_tiers_of_the_layer_test():
    rows = re.findall(r"^\| (\d+) \| ([^|]+) \|", TEXT, re.MULTILINE)
    shown = {int(tier): tuple(re.findall(r"`([a-z_]+)`", parts)) for tier, parts in rows}
    tiers = {number: tuple(sorted(tier)) for number, tier in enumerate(TIERS)}
    assert shown == tiers, "change the table of tiers in docs/architecture.md as TIERS"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"(?:[a-z_]+/)+[a-z_0-9]*\.py", TEXT))))
def test_a_module_of_the_page_exists(name):
    assert (ROOT / name).is_file() or (ROOT / "uhhrag" / name).is_file()
