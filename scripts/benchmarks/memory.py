"""The memory of this process, as Linux states it. It imports nothing heavy, since `peak` measures
with it."""

from __future__ import annotations

from pathlib import Path


def memory(field: str, process: int | str = "self") -> int:
    """Bytes of a process: `VmRSS` in memory now, `VmHWM` at most since `forget_peak`, `RssAnon`
    those of now that no file backs."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    line = next(line for line in lines if line.startswith(f"{field}:"))
    return int(line.split()[1]) * 1024


def forget_peak() -> None:
    """Let `VmHWM` begin anew from the memory of now."""
    Path("/proc/self/clear_refs").write_text("5")
