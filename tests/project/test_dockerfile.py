"""What can be read of the images without a Docker engine."""

from __future__ import annotations

import json
import re
import tomllib
from urllib.parse import urlsplit

import pytest

from tests.support.command import call
from tests.support.paths import ROOT
from uhhrag.models import PROFILES
from uhhrag.serve.access import OPEN

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
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


@pytest.mark.parametrize("name", ["models", ""])
def test_its_health_is_asked_where_no_token_is_needed(name):
    words = dict(stages()[name])
    (url,) = re.findall(r"http://[^']+", words["HEALTHCHECK"])
    assert urlsplit(url).path in OPEN
    assert urlsplit(url).port == int(words["EXPOSE"])


def test_what_is_left_out_at_the_end_only_tests_and_builds_need():
    (removed,) = re.findall(r"pip uninstall --yes (.+)", TEXT)
    groups = PROJECT["dependency-groups"]
    extras = PROJECT["project"]["optional-dependencies"]
    others = {re.split(r"[^\w-]", one)[0] for one in groups["dev"] + groups["build"]}
    used = PROJECT["project"]["dependencies"] + [one for each in extras.values() for one in each]
    assert set(removed.split()) <= others - {re.split(r"[^\w-]", one)[0] for one in used}


def test_what_the_wheel_and_the_set_up_are_made_of_is_given_to_the_build():
    ignored = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    given = {line[1:] for line in ignored if line.startswith("!")}
    wheel = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    files = [*wheel["packages"], *wheel["force-include"], *PROJECT["project"]["license-files"]]
    needed = [*files, PROJECT["project"]["readme"], "pyproject.toml", "scripts"]
    assert given == {one.split("/")[0] for one in needed}


def test_the_page_names_targets_that_there_are():
    page = (ROOT / "docs" / "fact-checkers.md").read_text(encoding="utf-8")
    named = set(re.findall(r"docker build .*--target (\w+)", page + TEXT))
    assert named == {"models"}
    assert named <= stages().keys()
