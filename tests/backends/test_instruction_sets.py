"""Vectors are reproducible on other processors too: the libraries that multiply matrices are told
to use fewer instructions than this processor has, and so take the kernels of another."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from tests.support.model_files import model_path
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

CAPS = {
    "AVX-512 without bfloat16": {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE"},
    "AVX2": {
        "ONEDNN_MAX_CPU_ISA": "AVX2",
        "MKL_ENABLE_INSTRUCTIONS": "AVX2",
        "ATEN_CPU_CAPABILITY": "avx2",
    },
    "SSE4.1": {
        "ONEDNN_MAX_CPU_ISA": "SSE41",
        "MKL_CBWR": "COMPATIBLE",
        "ATEN_CPU_CAPABILITY": "default",
    },
}


@pytest.mark.model
@pytest.mark.parametrize("caps", CAPS.values(), ids=list(CAPS))
def test_vectors_are_reproducible_with_fewer_instructions(caps):
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("the flags are those of x86")
    model_path("minilm")
    file = "tests/backends/test_reproducible_vectors.py"
    ran = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-m", "model", file],
        cwd=ROOT,
        env={**os.environ, **caps, "CI": "true"},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stdout[-3000:]
    assert "skipped" not in ran.stdout
