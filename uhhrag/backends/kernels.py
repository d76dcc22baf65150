"""Which numbers embed fastest on this processor: found out by a probe once, and remembered for the
processor.

That a processor has instructions for bfloat16 does not say that they are faster: where it has AMX,
bfloat16 without it can be slower than float32, and on some virtual machines AMX is named and not
there. So each kernel runs in a process of its own, held to its instructions, and one that dies is
out.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from importlib import metadata
from pathlib import Path

from uhhrag.backends.cpu_features import has_amx, multiplies_bf16
from uhhrag.errors import ModelError
from uhhrag.system.remembered import recall, remember
from uhhrag.version import __version__

FP32, BF16, BF16_AMX = "fp32", "bf16", "bf16-amx"
CAPS = {FP32: "AVX512_CORE_BF16", BF16: "AVX512_CORE_BF16", BF16_AMX: "AVX512_CORE_AMX"}
"""The instructions that oneDNN may use at most. Without a limit it takes AMX where there is some:
other bits than on other processors, and on some virtual machines an illegal instruction."""
_VARIABLE = "ONEDNN_MAX_CPU_ISA"
_OURS = "UHHRAG_ONEDNN_LIMIT"
"""Set where the limit is ours, and not the user's."""
_CAPACITY = ("ONEDNN_PRIMITIVE_CACHE_CAPACITY", "8192")
"""Products that oneDNN keeps compiled, each for one shape. Texts of 250 lengths in batches of a few
sizes need more than its default of 1,024; those that it drops are compiled again."""
_GAIN = 1.1
"""How many times as fast as a plainer kernel another must be to be taken: less may be chance."""
_SECONDS = 120
_REMEMBERED = "kernels"

Probe = Callable[[str], float | None]
"""A kernel → seconds of one batch of one thread, None where it does not run."""


def fastest(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The fastest kernel of this processor that this process can still run: FP32, BF16 or
    BF16_AMX."""
    return _chosen_within(_limit() if "torch" in sys.modules else None, speeds(cpuinfo))


def speeds(cpuinfo: Path = Path("/proc/cpuinfo"), probe: Probe | None = None) -> dict[str, float]:
    """Seconds of one batch by kernel, of the kernels that run here; empty where there is no choice.
    The first time on a processor they are measured, which takes some seconds."""
    if not multiplies_bf16(cpuinfo):
        return {}
    key = f"{_named(cpuinfo)}; torch {metadata.version('torch')}; uhhrag {__version__}"
    known = recall(_REMEMBERED).get(key)
    if isinstance(known, dict) and all(isinstance(seconds, float) for seconds in known.values()):
        return known
    amx = has_amx(cpuinfo) and not _users_limit()
    kernels = (FP32, BF16, BF16_AMX) if amx else (FP32, BF16)
    measured = {kernel: (probe or probed)(kernel) for kernel in kernels}
    seconds = {kernel: value for kernel, value in measured.items() if value}
    remember(_REMEMBERED, {key: seconds})
    return seconds


def chosen(seconds: Mapping[str, float]) -> str:
    """The fastest kernel; of two about as fast, the plainer. FP32 where nothing was measured.

    >>> chosen({"fp32": 1.0, "bf16": 0.5}), chosen({"fp32": 1.0, "bf16": 0.95}), chosen({})
    ('bf16', 'fp32', 'fp32')
    """
    best = FP32
    for kernel in (BF16, BF16_AMX):
        if kernel in seconds and best in seconds and seconds[kernel] * _GAIN <= seconds[best]:
            best = kernel
    return best


def _chosen_within(limit: str | None, seconds: Mapping[str, float]) -> str:
    """The choice among the kernels that run under a limit of instructions; None limits nothing."""
    return chosen({k: s for k, s in seconds.items() if k == FP32 or limit in (None, CAPS[k])})


def hold_to(kernel: str) -> None:
    """Limit oneDNN to the instructions of a kernel; call it before torch multiplies. What the user
    has set stays. Raises ModelError where this process has begun with another limit."""
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
    """The kernel of a model other than an embedder: the fastest of this processor, to which oneDNN
    is then limited, or of those within the limit that this process has."""
    if _VARIABLE not in os.environ:
        hold_to(fastest())
    return _chosen_within(_limit(), speeds())


def probed(kernel: str) -> float | None:
    """Seconds of one batch of one thread in a kernel, by a process of its own; None where it fails
    or takes too long."""
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
    """The limit that we have set for this process, None where there is none of ours."""
    return os.environ.get(_VARIABLE) if _OURS in os.environ else None


def _users_limit() -> str:
    """The limit that the user has set for oneDNN, "" where there is none but ours."""
    return "" if _OURS in os.environ else os.environ.get(_VARIABLE, "")


def _named(cpuinfo: Path) -> str:
    """The processor's name, whether it has AMX, and the limit that the user sets."""
    match = re.search(r"^model name\s*:\s*(.*)$", cpuinfo.read_text(), re.MULTILINE)
    parts = (match[1] if match else "unknown", "AMX" if has_amx(cpuinfo) else "", _users_limit())
    return ", ".join(part for part in parts if part)
