"""A build for another processor is told in a sentence, before it can crash."""

from __future__ import annotations

import pytest

from uhhrag.backends import cpu_features
from uhhrag.backends.cpu_features import check_build
from uhhrag.errors import ModelError

BUILT = "CPU : SSE3 = 1 | AVX = 1 | AVX2 = 1 | F16C = 1 | FMA = 1 | AVX512 = 1 | LLAMAFILE = 1 | "


@pytest.fixture(autouse=True)
def on_x86(monkeypatch):
    monkeypatch.setattr(cpu_features.platform, "machine", lambda: "x86_64")


@pytest.fixture
def cpuinfo(tmp_path):
    def with_flags(flags: str):
        core = f"processor\t: 0\nmodel name\t: Some avx512f\nflags\t\t: {flags}\nbugs\t\t: avx2\n\n"
        (tmp_path / "cpuinfo").write_text(core * 2)
        return tmp_path / "cpuinfo"

    return with_flags


def test_a_processor_with_all_of_it_is_accepted(cpuinfo):
    check_build(BUILT, cpuinfo("fpu sse3 avx avx2 f16c fma avx512f"))


def test_what_the_processor_lacks_is_named_with_the_remedy(cpuinfo):
    with pytest.raises(ModelError) as caught:
        check_build(BUILT, cpuinfo("fpu sse3 avx f16c fma"))
    assert "built for a processor with avx2, avx512f, which" in str(caught.value)
    assert "scripts/setup --rebuild" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_the_build_leaves_out_need_not_be_there(cpuinfo):
    check_build("CPU : AVX = 1 | AVX2 = 0 | AVX512 = 0", cpuinfo("fpu avx"))


def test_the_spelling_of_the_kernel_is_known(cpuinfo):
    check_build("CPU : AVX512_VBMI = 1", cpuinfo("fpu avx512vbmi"))


@pytest.mark.parametrize("info", ["", "CPU : ", "nothing known"])
def test_a_build_that_tells_nothing_is_accepted(cpuinfo, info):
    check_build(info, cpuinfo("fpu"))


def test_where_the_kernel_lists_no_flags_nothing_is_said(tmp_path):
    check_build(BUILT, tmp_path / "absent")
    (tmp_path / "cpuinfo").write_text("processor\t: 0\n")
    check_build(BUILT, tmp_path / "cpuinfo")


def test_another_kind_of_processor_is_not_asked(cpuinfo, monkeypatch):
    monkeypatch.setattr(cpu_features.platform, "machine", lambda: "aarch64")
    check_build(BUILT, cpuinfo("fpu"))
