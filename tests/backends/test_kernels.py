"""The kernel that embeds is chosen by a probe: never one that is slower than float32."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from uhhrag.backends import kernels
from uhhrag.backends.kernels import BF16, BF16_AMX, FP32, chosen, fastest, hold_to, speeds
from uhhrag.errors import ModelError

AMX = "avx512f avx512_bf16 amx_tile amx_bf16"


@pytest.fixture(autouse=True)
def own_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))
    # Set and deleted, so that what a test sets is taken back
    for name in ("ONEDNN_MAX_CPU_ISA", "ONEDNN_PRIMITIVE_CACHE_CAPACITY", "UHHRAG_ONEDNN_LIMIT"):
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)
    monkeypatch.delitem(sys.modules, "torch", raising=False)


@pytest.fixture
def cpuinfo(tmp_path):
    def with_flags(flags: str, name: str = "Some Processor"):
        (tmp_path / "cpuinfo").write_text(f"model name\t: {name}\nflags\t\t: fpu {flags}\n")
        return tmp_path / "cpuinfo"

    return with_flags


def clock(monkeypatch, **seconds: float | None):
    """A stand-in for the probe; what it was asked."""
    asked: list[str] = []

    def probe(kernel: str) -> float | None:
        asked.append(kernel)
        return seconds[kernel.replace("-", "_")]

    monkeypatch.setattr(kernels, "probed", probe)
    return asked


@pytest.mark.parametrize(
    ("seconds", "best"),
    [
        ({FP32: 1.0, BF16: 2.0, BF16_AMX: 0.3}, BF16_AMX),  # an Intel Xeon with AMX
        ({FP32: 1.0, BF16: 2.0, BF16_AMX: 1.1}, FP32),
        ({FP32: 1.0, BF16: 2.0}, FP32),  # AMX named, but not there
        ({FP32: 1.0, BF16: 0.5}, BF16),  # an AMD EPYC
        ({FP32: 1.0, BF16: 0.5, BF16_AMX: 0.49}, BF16),  # no gain for other bits
        ({FP32: 1.0, BF16: 0.95}, FP32),
        ({BF16: 0.5}, FP32),
        ({}, FP32),
    ],
)
def test_the_fastest_by_a_tenth_is_chosen(seconds, best):
    assert chosen(seconds) == best


def test_each_kernel_of_the_processor_is_timed_once_and_remembered(cpuinfo, monkeypatch):
    asked = clock(monkeypatch, fp32=1.0, bf16=2.0, bf16_amx=0.3)
    expected = {FP32: 1.0, BF16: 2.0, BF16_AMX: 0.3}
    assert speeds(cpuinfo(AMX)) == expected
    assert speeds(cpuinfo(AMX)) == expected
    assert asked == [FP32, BF16, BF16_AMX]
    assert fastest(cpuinfo(AMX)) == BF16_AMX
    speeds(cpuinfo(AMX, "Another"))
    assert len(asked) == 6


def test_a_processor_without_amx_or_bfloat16_is_not_asked_for_them(cpuinfo, monkeypatch):
    asked = clock(monkeypatch, fp32=1.0, bf16=0.5)
    assert speeds(cpuinfo("avx512f avx512_bf16 amx_tile")) == {FP32: 1.0, BF16: 0.5}
    assert asked == [FP32, BF16]
    assert speeds(cpuinfo("avx2")) == {}
    assert fastest(cpuinfo("avx2")) == FP32
    assert asked == [FP32, BF16]


def test_a_kernel_that_does_not_run_is_out(cpuinfo, monkeypatch):
    clock(monkeypatch, fp32=1.0, bf16=0.5, bf16_amx=None)
    assert speeds(cpuinfo(AMX)) == {FP32: 1.0, BF16: 0.5}


@pytest.mark.slow
@pytest.mark.parametrize("end", ["os.kill(os.getpid(), 4)", "sys.exit(1)", "print('no number')"])
def test_a_probe_that_dies_is_a_kernel_that_does_not_run(monkeypatch, tmp_path, end):
    module = tmp_path / "dies.py"
    module.write_text(f"import os, sys\n{end}\n")
    run = subprocess.run

    def other(command, **options):
        return run([sys.executable, str(module)], **options)

    monkeypatch.setattr(kernels.subprocess, "run", other)
    assert kernels.probed(BF16_AMX) is None


@pytest.mark.slow
@pytest.mark.parametrize("cap", ["AVX512_CORE_BF16", "AVX2"])
def test_the_probe_times_the_kernels_of_this_processor(cap, monkeypatch):
    monkeypatch.setitem(kernels.CAPS, FP32, cap)
    begun = time.process_time()
    seconds = kernels.probed(FP32)
    assert seconds is not None
    assert 0 < seconds < 30
    assert time.process_time() - begun < 1


def test_instructions_are_held_to_those_of_the_kernel_until_torch_is_loaded(monkeypatch):
    hold_to(BF16)
    hold_to(BF16_AMX)
    assert os.environ["ONEDNN_MAX_CPU_ISA"] == "AVX512_CORE_AMX"
    monkeypatch.setattr(kernels, "speeds", lambda: {FP32: 1.0, BF16: 0.5, BF16_AMX: 0.2})
    assert kernels.hold_if_free() == BF16_AMX
    assert os.environ["ONEDNN_MAX_CPU_ISA"] == "AVX512_CORE_AMX"
    monkeypatch.setitem(sys.modules, "torch", None)
    hold_to(BF16_AMX)
    hold_to(FP32)
    with pytest.raises(ModelError, match="an embedder in bf16 cannot be loaded after"):
        hold_to(BF16)


@pytest.mark.parametrize(
    ("seconds", "kernel", "limit"),
    [
        ({FP32: 1.0, BF16: 1.2, BF16_AMX: 0.2}, BF16_AMX, "AVX512_CORE_AMX"),
        ({FP32: 1.0, BF16: 1.2}, FP32, "AVX512_CORE_BF16"),
        ({FP32: 1.0, BF16: 0.5}, BF16, "AVX512_CORE_BF16"),
        ({}, FP32, "AVX512_CORE_BF16"),
    ],
)
def test_a_verifier_has_the_fastest_kernel_where_nothing_limits_it(
    seconds, kernel, limit, monkeypatch
):
    monkeypatch.setattr(kernels, "speeds", lambda *_: seconds)
    assert kernels.hold_if_free() == kernel
    assert os.environ["ONEDNN_MAX_CPU_ISA"] == limit


def test_a_verifier_beside_an_embedder_keeps_its_limit(monkeypatch):
    monkeypatch.setattr(kernels, "speeds", lambda *_: {FP32: 1.0, BF16: 1.2, BF16_AMX: 0.2})
    hold_to(BF16)
    assert kernels.hold_if_free() == FP32
    assert os.environ["ONEDNN_MAX_CPU_ISA"] == "AVX512_CORE_BF16"


def test_a_limit_that_the_user_set_stays(monkeypatch, cpuinfo):
    monkeypatch.setenv("ONEDNN_MAX_CPU_ISA", "AVX2")
    for kernel in (FP32, BF16, BF16_AMX):
        hold_to(kernel)
    assert os.environ["ONEDNN_MAX_CPU_ISA"] == "AVX2"
    asked = clock(monkeypatch, fp32=1.0, bf16=2.0, bf16_amx=3.0)
    assert BF16_AMX not in speeds(cpuinfo(AMX))
    monkeypatch.delenv("ONEDNN_MAX_CPU_ISA")
    assert BF16_AMX in speeds(cpuinfo(AMX))
    assert len(asked) == 5


@pytest.mark.parametrize(("given", "kept"), [(None, "8192"), ("64", "64")])
def test_more_compiled_products_are_kept_unless_the_user_says_how_many(given, kept, monkeypatch):
    if given:
        monkeypatch.setenv("ONEDNN_PRIMITIVE_CACHE_CAPACITY", given)
    hold_to(FP32)
    assert os.environ["ONEDNN_PRIMITIVE_CACHE_CAPACITY"] == kept


def test_a_process_that_has_begun_is_given_what_it_can_still_run(monkeypatch, cpuinfo):
    clock(monkeypatch, fp32=1.0, bf16=0.5, bf16_amx=0.2)
    speeds(cpuinfo(AMX))
    assert fastest(cpuinfo(AMX)) == BF16_AMX
    hold_to(BF16)
    assert fastest(cpuinfo(AMX)) == BF16_AMX
    monkeypatch.setitem(sys.modules, "torch", None)
    assert fastest(cpuinfo(AMX)) == BF16
