"""The welcome page: missing models at once, fetched by `uhhrag models pull` with progress."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from urllib.request import urlopen

import pytest

from tests.serve.test_library import library_desk
from tests.support.serving import fields
from tests.support.waiting import until
from uhhrag.errors import ModelError
from uhhrag.models import local
from uhhrag.models.catalogue import Model, ModelFile, Use
from uhhrag.serve import server
from uhhrag.serve.model_fetch import PULL, ModelFetch

SIZE = 2_000_000
ONE, TWO = (Model(name, Use.DATA, "CC0", (ModelFile("data.bin", SIZE),)) for name in ("one", "two"))
# Stands in for `uhhrag models pull`: half of each file, then, when it may, the other half.
PULLING = """
import pathlib, sys, time
root, gate, names = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
for name in names:
    print(f"{name}: 2 MB from somewhere", file=sys.stderr, flush=True)
    draft = root / f".{name}.partial" / "data.bin"
    draft.parent.mkdir(parents=True, exist_ok=True)
    draft.write_bytes(bytes(1_000_000))
    while not gate.exists():
        time.sleep(.01)
    (root / name).mkdir()
    draft.write_bytes(bytes(2_000_000))
    draft.rename(root / name / "data.bin")
    draft.parent.rmdir()
"""


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "home"))
    local.root().mkdir(parents=True)
    return tmp_path


@pytest.fixture
def fetch(home):
    ready = threading.Event()
    pull = (sys.executable, "-c", PULLING, str(local.root()), str(home / "gate"))
    fetching = ModelFetch((ONE, TWO), ready.set, pull)
    fetching.ready = ready
    yield fetching
    fetching.stop()


def test_the_models_are_fetched_with_progress_and_readers_are_told(home, fetch):
    with library_desk(home / "collections", models=fetch) as desk:
        page = desk.get("/welcome").body
        assert "2 models (4 MB) are not on this machine" in page
        assert "uhhrag models pull one two" in page
        assert desk.post("/welcome/fetch", fields(page)).status == 303
        until(lambda: "1 MB of 4 MB" in desk.get("/welcome").body)
        assert 'value="1000000"' in desk.get("/welcome").body
        (home / "gate").touch()
        assert fetch.ready.wait(20)
        until(lambda: "data-live" not in desk.get("/welcome").body)
        assert "not on this machine" not in desk.get("/welcome").body
    assert fetch.missing() == ()


def test_fetching_is_stopped_and_what_has_come_stays(home, fetch):
    with library_desk(home / "collections", models=fetch) as desk:
        hidden = fields(desk.get("/welcome").body)
        desk.post("/welcome/fetch", hidden)
        until(lambda: fetch.state().done == 1_000_000)
        desk.post("/welcome/stop", hidden)
        until(lambda: not fetch.state().running)
        assert "stopped; what has come is kept" in desk.get("/welcome").body
    assert (local.root() / ".one.partial" / "data.bin").stat().st_size == 1_000_000


def test_why_fetching_failed_is_said(home):
    fetch = ModelFetch((ONE,), lambda: None, PULL)  # the real command, which does not know it
    fetch.start()
    until(lambda: not fetch.state().running, 120)
    assert "model 'one' is not in the table" in fetch.state().fault


def test_a_command_that_fails_without_a_word_or_cannot_begin_is_no_endless_fetching(home):
    fetch = ModelFetch((ONE,), lambda: None, ("false",))
    fetch.start()
    until(lambda: not fetch.state().running)
    assert fetch.state().fault == "ended with the exit code 1"
    fetch = ModelFetch((ONE,), lambda: None, (str(home / "nothing"),))
    with pytest.raises(OSError, match="nothing"):
        fetch.start()
    assert not fetch.state().running


def test_a_form_of_another_page_fetches_nothing(home, fetch):
    with library_desk(home / "collections", models=fetch) as desk:
        for action in ("fetch", "stop", "sample"):
            assert desk.post(f"/welcome/{action}", {}).status == 403
    assert not fetch.state().running
    assert list((home / "collections").glob("*/")) == []


def test_all_missing_models_are_named_at_once_with_one_command(home):
    with pytest.raises(ModelError) as error:
        local.require_present((ONE, TWO))
    assert str(error.value) == (
        "2 models are not on this machine: one, two; run: uhhrag models pull one two (4 MB)"
    )
    with pytest.raises(ModelError, match="model 'one' is not on this machine; run: uhhrag models"):
        local.require_present((ONE,))


def test_the_browser_is_opened_where_there_is_a_screen(tmp_path, monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    opened: list[str] = []
    monkeypatch.setattr(server.webbrowser, "open", opened.append)
    assert not server.open_page("http://127.0.0.1:8300/")
    monkeypatch.setenv("DISPLAY", ":0")
    assert server.open_page("http://127.0.0.1:8300/")
    until(lambda: opened == ["http://127.0.0.1:8300/"])


@pytest.mark.slow
def test_serve_alone_opens_the_browser_on_the_welcome_page(tmp_path):
    """The command itself, with a browser that writes down what it was asked to open."""
    note, browser = tmp_path / "opened", tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {note}\n')
    browser.chmod(0o755)
    running = subprocess.Popen(
        [sys.executable, "-m", "uhhrag", "serve", "--port", "0"],
        env={**os.environ, "BROWSER": str(browser), "UHHRAG_HOME": str(tmp_path / "home")},
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        address = until(lambda: note.exists() and note.read_text().strip(), 120)
        with urlopen(address, timeout=20) as answer:  # noqa: S310 - an address of this machine
            assert answer.url == f"{address}welcome"
            page = answer.read().decode()
        assert "uhhrag models pull nltk-data minilm mpnet" in page
        assert (tmp_path / "home" / "collections").stat().st_mode & 0o077 == 0
    finally:
        running.terminate()
        running.wait(120)
