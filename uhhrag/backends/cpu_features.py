from __future__ import annotations

import platform
import re
from pathlib import Path

from uhhrag.errors import ModelError
from uhhrag.system.hardware import flags

# llama.cpp's feature names → the kernel's in /proc/cpuinfo
_FLAGS = {
    "AVX": "avx",
    "AVX2": "avx2",
    "FMA": "fma",
    "F16C": "f16c",
    "BMI2": "bmi2",
    "AVX512": "avx512f",
    "AVX512_VBMI": "avx512vbmi",
    "AVX512_VNNI": "avx512_vnni",
    "AVX512_BF16": "avx512_bf16",
    "AVX_VNNI": "avx_vnni",
}
_CHANGING = (
    *("processor", "cpu MHz", "bogomips"),
    *("physical id", "core id", "apicid", "initial apicid"),
)


def processor(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """As in "x86_64, avx512f"; equal processors give the same floating-point sums."""
    present = flags(cpuinfo)
    widest = [flag for flag in ("amx_tile", "avx512f", "avx2", "avx") if flag in present]
    return ", ".join([platform.machine(), *widest[:1]])


def described(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The first core's lines without clock and ids, or ""."""
    if not cpuinfo.is_file():
        return ""
    first = cpuinfo.read_text().partition("\n\n")[0].splitlines()
    return "\n".join(line for line in first if not line.startswith(_CHANGING))


def multiplies_bf16(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    return "avx512_bf16" in flags(cpuinfo)


def has_amx(cpuinfo: Path = Path("/proc/cpuinfo")) -> bool:
    """Some virtual machines list AMX falsely."""
    return {"amx_tile", "amx_bf16"} <= flags(cpuinfo)


def check_build(system_info: str, cpuinfo: Path = Path("/proc/cpuinfo")) -> None:
    """Raises ModelError for instructions that this processor lacks."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return
    present = flags(cpuinfo)
    used = {name for name, on in re.findall(r"(\w+) = (\d)", system_info) if on == "1"}
    missing = sorted({flag for name, flag in _FLAGS.items() if name in used} - present)
    if present and missing:
        raise ModelError(
            f"llama-cpp-python was built for a processor with {', '.join(missing)}, which this "
            "one lacks; build it here: scripts/setup --rebuild"
        )
