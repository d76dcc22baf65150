"""Times each number format once, in its own process: falsely listed AMX kills it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path

from uhhrag.backends.cpu_features import has_amx, multiplies_bf16
from uhhrag.errors import ModelError
from uhhrag.system.machine_cache import recall, remember
from uhhrag.version import __version__

FP32, BF16, BF16_AMX = "fp32", "bf16", "bf16-amx"
CAPS = {FP32: "AVX512_CORE_BF16", BF16: "AVX512_CORE_BF16", BF16_AMX: "AVX512_CORE_AMX"}
"""Most instructions for oneDNN: AMX gives other bits, and is illegal on some machines."""
_VARIABLE = "ONEDNN_MAX_CPU_ISA"
_OURS = "UHHRAG_ONEDNN_LIMIT"
"""Set unless the limit is the user's."""
_CAPACITY = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "8192")
"""Compiled products, one per shape; 250 lengths exceed the default 1,024."""
_GAIN = 1.1
"""Less may be chance."""
_OFFLINE = {
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
_SECONDS = 120
_REMEMBERED = "kernels"


def fastest(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """Within this process's limit."""
    return _chosen_within(_limit() if "torch" in sys.modules else None, speeds(cpuinfo))


def speeds(cpuinfo: Path = Path("/proc/cpuinfo")) -> dict[str, float]:
    """Seconds by kernel, measured once per processor; empty without bfloat16."""
    if not multiplies_bf16(cpuinfo):
        return {}
    key = f"{_named(cpuinfo)}; torch {metadata.version('torch')}; uhhrag {__version__}"
    known: dict[str, float] | None = recall(_REMEMBERED).get(key)
    if known is not None:
        return known
    amx = has_amx(cpuinfo) and not _users_limit()
    kernels = (FP32, BF16, BF16_AMX) if amx else (FP32, BF16)
    measured = {kernel: probed(kernel) for kernel in kernels}
    seconds = {kernel: value for kernel, value in measured.items() if value}
    remember(_REMEMBERED, {key: seconds})
    return seconds


def chosen(seconds: Mapping[str, float]) -> str:
    """Prefers the plainer of similar kernels.

    >>> chosen({"fp32": 1.0, "bf16": 0.5}), chosen({"fp32": 1.0, "bf16": 0.95}), chosen({})
    ('bf16', 'fp32', 'fp32')
    """
    best = FP32
    for kernel in (BF16, BF16_AMX):
        if kernel in seconds and best in seconds and seconds[kernel] * _GAIN <= seconds[best]:
            best = kernel
    return best


def _chosen_within(limit: str | None, seconds: Mapping[str, float]) -> str:
    return chosen({k: s for k, s in seconds.items() if k == FP32 or limit in (None, CAPS[k])})


def go_offline() -> None:
    """Call before model libraries load."""
    os.environ.update(_OFFLINE)


def hold_to(kernel: str) -> None:
    """Call before torch multiplies; a user's limit stays. Raises ModelError if too late."""
    os.environ.setdefault(*_CAPACITY)
    if _users_limit():
        return
    if _limit() is None or "torch" not in sys.modules:
        os.environ.update({_VARIABLE: CAPS[kernel], _OURS: "1"})
    elif kernel != FP32 and _limit() != CAPS[kernel]:
        raise ModelError(
            f"an embedder in {kernel} cannot be loaded after one of another precision in the same "
            "process; use one precision, or a process for each"
        )


def hold_if_free() -> str:
    """For models other than embedders; limits oneDNN unless limited."""
    if _VARIABLE not in os.environ:
        hold_to(fastest())
    return _chosen_within(_limit(), speeds())


def probed(kernel: str) -> float | None:
    """Seconds; None if it fails."""
    command = [sys.executable, "-m", "uhhrag.backends.kernel_probe", kernel]
    environment = {**os.environ, _VARIABLE: _users_limit() or CAPS[kernel]}
    try:
        run = subprocess.run(
            command, env=environment, capture_output=True, check=True, timeout=_SECONDS
        )
        return float(json.loads(run.stdout))
    except (OSError, ValueError, TypeError, subprocess.SubprocessError):
        return None


def _limit() -> str | None:
    return os.environ.get(_VARIABLE) if _OURS in os.environ else None


def _users_limit() -> str:
    return "" if _OURS in os.environ else os.environ.get(_VARIABLE, "")


def _named(cpuinfo: Path) -> str:
    match = re.search(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), re.MULTILINE)
    parts = (match[1] if match else "unknown", "AMX" if has_amx(cpuinfo) else "", _users_limit())
    return ", ".join(part for part in parts if part)
