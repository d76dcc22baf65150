"""What every recipe, approach and voter gave stays the same bytes."""

from __future__ import annotations

import json

import pytest

from tests.support.golden_runs import (
    BY_SMALL,
    CHECK,
    EVERY_FORMAT,
    FILE,
    PREDICT,
    SMALL,
    runs,
    small_runs,
)
from tests.support.model_files import require_models

NAMES = [f"predict, {name}" for name in PREDICT] + [f"check, {name}" for name in CHECK]
NAMES.append(EVERY_FORMAT)


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return runs(tmp_path_factory.mktemp("golden"))


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    require_models("minilm", "mpnet", "smollm2-135m", "nltk-data")
    return small_runs(tmp_path_factory.mktemp("small"))


@pytest.mark.parametrize("name", NAMES)
def test_a_run_gives_the_bytes_that_it_gave(run, name):
    assert run[name]() == json.loads(FILE.read_text(encoding="utf-8"))[name]


@pytest.mark.heavy
@pytest.mark.model
@pytest.mark.parametrize("name", BY_SMALL)
def test_a_small_model_gives_the_votes_that_it_gave(small_run, name):
    known = json.loads(SMALL.read_text(encoding="utf-8"))[name]
    given = small_run[name]()
    assert given.pop("confidence") == pytest.approx(known.pop("confidence"), abs=0.02)
    assert given == known
