"""What is not installed everywhere is asked for in one line that says how to install it."""

from __future__ import annotations

import sys
import tomllib

import pytest

from tests.support.command import call
from tests.support.paths import ROOT
from uhhrag.documents.formats import FORMATS
from uhhrag.errors import UsageError
from uhhrag.system.extras import installing, require_extra, running

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
    "optional-dependencies"
]


def hide(monkeypatch, *modules: str) -> None:
    """Make modules look as where they are not installed."""
    for name in modules:
        monkeypatch.setitem(sys.modules, name, None)


def test_an_extra_that_is_there_is_nothing_to_say():
    require_extra("docs", ["json", "re"], "documents")


def test_a_hidden_module_is_missing(monkeypatch):
    hide(monkeypatch, "trafilatura")
    with pytest.raises(
        UsageError, match=r"need trafilatura; run: /.* -m pip install 'uhhrag\[docs\]'"
    ):
        require_extra("docs", ["json", "trafilatura"], "documents")


@pytest.mark.slow
def test_only_the_formats_of_a_folder_ask_for_their_readers(monkeypatch, tmp_path):
    folder, out = tmp_path / "reports", tmp_path / "archive"
    folder.mkdir()
    hide(monkeypatch, "pypdfium2", "trafilatura")
    (folder / "notes.jsonl").write_text('{"text": "One line is enough."}\n')
    assert call("ingest", folder, "--out", out)[0] == 0
    (folder / "page.html").write_text("<p>One line is enough.</p>")
    line = f"uhhrag: these documents need trafilatura; run: {installing('docs')}\n"
    assert call("ingest", folder, "--out", out) == (2, "", line)


def test_where_there_is_no_pip_it_is_brought_first(monkeypatch):
    hide(monkeypatch, "pip")
    assert installing("mcp") == f"{running('ensurepip')} && {running('pip')} install 'uhhrag[mcp]'"


def test_serve_without_its_extra(monkeypatch):
    hide(monkeypatch, "starlette")
    line = f"uhhrag: pages on this machine need starlette; run: {installing('serve')}\n"
    assert call("serve", "nowhere") == (2, "", line)


def test_every_module_that_a_reader_needs_is_in_the_extra():
    distributions = {"pypandoc": "pypandoc-binary", "PIL": "pillow"}
    needed = {module for row in FORMATS.values() for module in row.needs}
    wanted = {distributions.get(name, name.replace("_", "-")) for name in needed}
    wanted |= {"nupunkt", "python-docx"}  # which find all sentences, and write Word files
    assert wanted == {requirement.split(">=")[0] for requirement in EXTRAS["docs"]}
