"""A skip that nobody allowed fails in CI and nowhere else."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT
from tests.support.skips import LIST, patterns

pytestmark = pytest.mark.slow

SKIPPING = """
import pytest

def test_allowed():
    pytest.skip("no reference data at /nowhere; set UHHRAG_SHARED to run this test")

def test_forgotten():
    pytest.skip("model 'minilm' is not on this machine; run: uhhrag models pull minilm")

@pytest.mark.skipif(True, reason="not today")
def test_marked():
    pass

@pytest.mark.xfail
def test_known_to_fail():
    assert False
"""
HOOKS = (ROOT / "tests" / "conftest.py").as_posix()


def run(folder, ci: str) -> str:
    """What pytest says of a folder whose conftest is that of these tests."""
    env = {**os.environ, "CI": ci, "PYTHONPATH": str(ROOT), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    (folder / "conftest.py").write_text(f"exec(open({HOOKS!r}).read())\n")
    options = [
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:warnings",
        "--confcutdir",
        str(folder),
        "-c",
        os.devnull,
        "--continue-on-collection-errors",
    ]
    command = [sys.executable, "-m", "pytest", *options, "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize(
    ("ci", "summary"),
    [("true", "1 failed, 1 skipped, 1 xfailed, 2 errors"), ("", "4 skipped, 1 xfailed")],
)
def test_a_skip_of_a_test_or_a_file_that_is_not_on_the_list_fails_in_ci_alone(
    tmp_path, ci, summary
):
    (tmp_path / "test_some.py").write_text(SKIPPING)
    (tmp_path / "test_none.py").write_text("import pytest\npytest.importorskip('no_such_module')\n")
    said = run(tmp_path, ci)
    assert summary in said
    assert ("does not allow: model 'minilm'" in said) == bool(ci)


def test_every_line_of_the_list_has_a_reason():
    assert all(patterns(LIST.read_text(encoding="utf-8")).values())
    with pytest.raises(ValueError, match="no reason is given for: forgotten"):
        patterns("forgotten")
