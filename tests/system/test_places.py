"""Where things are kept, and whose they are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.other_user import USER, as_other, open_folder
from uhhrag.system import places


@pytest.fixture
def shared(monkeypatch):
    """A `UHHRAG_HOME` of root, and the data folder of whoever asks."""
    with open_folder() as folder:
        monkeypatch.setenv("UHHRAG_HOME", str(folder / "shared"))
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        (folder / "shared").mkdir()
        yield folder


def test_collections_are_beside_ones_own_models(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    assert places.collections() == tmp_path / "home" / "collections"
    (tmp_path / "home").mkdir()
    assert places.collections() == tmp_path / "home" / "collections"


def test_collections_are_in_the_data_folder_of_who_shares_another_users_models(shared):
    own = str(shared / "data" / "uhhrag" / "collections")
    assert as_other(places.collections) == own
    there = shared / "shared" / "collections"
    there.mkdir(mode=0o700)
    assert places.collections() == there
    assert as_other(places.collections) == own
    os.chown(there, USER, USER)  # as an earlier version made it
    assert as_other(places.collections) == str(there)
    (shared / "shared").chmod(0o700)
    assert as_other(places.collections) == own


def test_the_owner_of_what_is_closed_is_that_of_the_folder_that_hides_it(shared):
    hidden = shared / "shared" / "archive" / "manifest.json"
    hidden.parent.mkdir(mode=0o700)
    assert as_other(lambda: places.owner(hidden)) == "root"
    assert places.owner(hidden) == ""
    os.chown(hidden.parent, USER, USER)
    assert places.owner(hidden.parent) == f"user {USER}"
    assert as_other(lambda: places.owner(hidden.parent)) == ""


def test_a_link_to_nothing_is_named_wherever_it_is_on_the_way(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "good").symlink_to("there")
    (tmp_path / "models").symlink_to("/nonexistent/m")
    assert places.lost_link(tmp_path / "good" / "minilm") == ""
    assert places.lost_link(tmp_path / "models" / "minilm") == (
        f"{tmp_path}/models: is a link to /nonexistent/m, which is not there; mount or connect it"
    )
    assert places.lost_link(Path(tmp_path / "models")).startswith(f"{tmp_path}/models: is a link")
