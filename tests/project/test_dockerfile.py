"""What can be read of the images without a Docker engine."""

from __future__ import annotations

import json
import re

import pytest

from tests.support.command import call
from tests.support.paths import ROOT
from uhhrag.models import PROFILES

TEXT = (ROOT / "Dockerfile").read_text(encoding="utf-8")


def stages() -> dict[str, list[tuple[str, str]]]:
    """The instructions of each stage by its name, of the one that is built by default by ""."""
    lines = [line for line in TEXT.splitlines() if line and not line.startswith("#")]
    found: dict[str, list[tuple[str, str]]] = {}
    for instruction in "\n".join(lines).replace("\\\n", " ").splitlines():
        word, _, rest = instruction.partition(" ")
        if word == "FROM":
            base, _, name = rest.partition(" AS ")
            found[name] = list(found.get(base, []))
        else:
            found[name].append((word, re.sub(r"\s+", " ", rest)))
    return found


def test_one_target_has_the_models_of_a_profile_and_the_default_has_none():
    assert list(stages())[-1] == ""
    pulls = {name: [r for w, r in of if "models pull" in r] for name, of in stages().items()}
    assert pulls.pop("models") == ['uhhrag models pull "$MODELS"']
    assert not any(pulls.values())
    (profile,) = re.findall(r"^ARG MODELS=(.+)$", TEXT, re.M)
    assert profile in PROFILES


@pytest.mark.parametrize("name", ["models", ""])
def test_an_image_is_no_roots_and_its_volume_is_declared_when_it_is_filled(name):
    words = dict(stages()[name])
    assert words["USER"] == "1000"
    assert stages()[name][-1] == ("VOLUME", "/data")
    assert "UHHRAG_HOME=/data" in words["ENV"]
    command = json.loads(words["CMD"])
    assert call(*command[1:], "--help")[0] == 0


def test_the_page_names_targets_that_there_are():
    page = (ROOT / "docs" / "fact-checkers.md").read_text(encoding="utf-8")
    named = set(re.findall(r"docker build .*--target (\w+)", page + TEXT))
    assert named == {"models"}
    assert named <= stages().keys()
