"""The parts of scripts/setup that can be looked at without setting anything up."""

from __future__ import annotations

import platform
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support.paths import ROOT


def cmake_args(cpuinfo: Path) -> dict[str, str]:
    ran = subprocess.run(
        ["sh", str(ROOT / "scripts/cmake-args"), str(cpuinfo)],
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(re.findall(r"-DGGML_(\w+)=(ON|OFF)", ran.stdout))


def processor(folder: Path, flags: str) -> Path:
    (folder / "cpuinfo").write_text(f"processor\t: 0\nflags\t\t: {flags}\nbugs\t\t: avx512f\n" * 2)
    return folder / "cpuinfo"


on_x86 = pytest.mark.skipif(
    platform.machine() not in {"x86_64", "AMD64"}, reason="the flags are those of x86"
)


@on_x86
def test_a_processor_with_amx_gets_a_build_without_it(tmp_path: Path) -> None:
    flags = "fpu sse4_2 avx avx2 fma f16c bmi2 avx512f avx512bw avx512cd avx512dq avx512vl amx_tile"
    args = cmake_args(processor(tmp_path, flags))
    assert args["NATIVE"] == "OFF" and args["AVX512"] == args["AVX2"] == "ON"
    assert not any("AMX" in option for option in args)


@on_x86
def test_what_the_processor_lacks_is_turned_off(tmp_path: Path) -> None:
    args = cmake_args(processor(tmp_path, "fpu sse4_2 avx avx512f"))
    assert {option for option, value in args.items() if value == "ON"} == {"SSE42", "AVX"}
    assert args["AVX2"] == args["AVX512"] == "OFF"


def test_where_the_kernel_tells_nothing_llama_cpp_chooses(tmp_path: Path) -> None:
    assert cmake_args(tmp_path / "absent") == {}


def test_every_dependency_has_one_version_in_the_constraints() -> None:
    lines = (ROOT / "scripts/constraints.txt").read_text().splitlines()
    pinned = [line.split("==")[0] for line in lines if not line.startswith("#")]
    names = [re.sub(r"[-_.]+", "-", name).lower() for name in pinned]
    assert len(names) == len(set(names))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted = project["project"]["dependencies"] + project["dependency-groups"]["dev"] + ["torch"]
    assert {re.match(r"[\w-]+", one)[0].lower() for one in wanted} <= set(names)  # type: ignore[index]
