"""Files opened for writing: never through a link, never emptied by mistake."""

from __future__ import annotations

import ast
import errno
import os
import resource
from contextlib import nullcontext

import pytest

from tests.support.paths import ROOT
from uhhrag.errors import UsageError
from uhhrag.system import atomic
from uhhrag.system.address_space import allow_open_files
from uhhrag.system.text_files import require_writable, write_bytes
from uhhrag.system.writing import extended_file, kept_file, new_file, own_folder

OPENING = "uhhrag/system/writing.py"


@pytest.fixture
def precious(tmp_path):
    file = tmp_path / "precious.txt"
    file.write_text("mine")
    return file


@pytest.mark.parametrize("opened", [kept_file, extended_file])
def test_a_link_is_not_opened_for_writing(tmp_path, precious, opened):
    (tmp_path / "link").symlink_to(precious)
    with pytest.raises(OSError, match="link is a link; delete the link"):
        opened(tmp_path / "link")
    assert precious.read_text() == "mine"


@pytest.mark.parametrize("opened", [kept_file, extended_file])
def test_a_link_to_nothing_makes_nothing(tmp_path, opened):
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="is a link"):
        opened(tmp_path / "link")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.parametrize("opened", [kept_file, extended_file])
@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_plain_file_is_refused_at_once(tmp_path, opened, make):
    make(tmp_path / "odd")
    with pytest.raises(OSError):
        opened(tmp_path / "odd")


def test_a_new_file_takes_the_place_of_a_link(tmp_path, precious):
    (tmp_path / "link").symlink_to(precious)
    with new_file(tmp_path / "link") as handle:
        handle.write(b"ours")
    assert precious.read_text() == "mine"
    assert (tmp_path / "link").read_bytes() == b"ours"
    assert not (tmp_path / "link").is_symlink()


def test_a_kept_file_keeps_its_content(precious):
    with kept_file(precious):
        pass
    assert precious.read_text() == "mine"


def test_a_linked_folder_is_not_written_to(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "there")
    with pytest.raises(OSError, match="is a link"):
        own_folder(tmp_path / "link")


@pytest.mark.parametrize(("code", "raised"), [(errno.EINVAL, False), (errno.EIO, True)])
def test_a_folder_that_its_file_system_cannot_sync_is_no_fault(tmp_path, monkeypatch, code, raised):
    def fsync(handle: int) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os, "fsync", fsync)
    with pytest.raises(OSError) if raised else nullcontext():
        atomic.sync(tmp_path)


def test_the_limit_on_open_files_is_raised_where_it_would_be_passed():
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (900, hard))
        allow_open_files(20)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (900, hard)
        allow_open_files(64)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (1024, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("write", [lambda path: write_bytes(path, b"x"), require_writable])
def test_no_file_takes_the_place_of_a_device_or_a_pipe(tmp_path, write):
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "null").symlink_to("/dev/null")
    for name in ("pipe", "null"):
        with pytest.raises(UsageError, match="cannot be written: it is a device or a pipe"):
            write(tmp_path / name)
    assert (tmp_path / "null").is_symlink()


def test_nothing_else_in_the_package_opens_a_file_for_writing():
    """Every other place takes a function of `system.writing`, or one that is made of them."""
    found = []
    for file in sorted((ROOT / "uhhrag").rglob("*.py")):
        name = file.relative_to(ROOT).as_posix()
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and name != OPENING and _writes(node):
                found.append(f"{name}:{node.lineno}")
    assert found == []


def _writes(call: ast.Call) -> bool:
    method = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    if method in ("write_text", "write_bytes") and not isinstance(call.func.value, ast.Name):
        return True
    name = method or getattr(call.func, "id", "")
    texts = [a.value for a in (*call.args, *(k.value for k in call.keywords)) if _text(a)]
    modes = [set(text) for text in texts if set(text) <= set("rwaxbt+")]
    return name == "open" and any(mode & set("wax+") for mode in modes)


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
