"""Facts from the kernel; None if unknown."""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from uhhrag.system.places import lost_link


@dataclass(frozen=True, slots=True)
class KernelChoice:
    fastest: str
    """The fastest numbers for a plain BERT."""
    seconds: dict[str, float]
    """Per batch; empty without a choice."""


SETS = {"avx2": "AVX2", "avx512f": "AVX-512", "avx512_vnni": "VNNI", "amx_tile": "AMX"}


def memory(meminfo: Path) -> tuple[int | None, int | None]:
    with suppress(OSError, KeyError):
        sizes = dict(re.findall(r"^(\w+):\s+(\d+) kB", meminfo.read_text(), re.MULTILINE))
        return int(sizes["MemTotal"]) * 1024, int(sizes["MemAvailable"]) * 1024
    with suppress(ValueError, OSError, AttributeError):  # macOS and others
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), None
    return None, None


def allowed(groups: Path) -> tuple[int, int] | None:
    """A container's memory limit and use, bytes."""
    for most, used in (
        ("memory.max", "memory.current"),
        ("memory/memory.limit_in_bytes", "memory/memory.usage_in_bytes"),
    ):
        with suppress(OSError, ValueError):  # "max" is not a number
            return int((groups / most).read_text()), int((groups / used).read_text())
    return None


def within(
    allowed: tuple[int, int] | None, memory: int | None, free: int | None
) -> tuple[int | None, int | None]:
    if allowed is None or memory is None or allowed[0] >= memory:
        return memory, free
    most, used = allowed
    return most, max(0, min(most - used, memory if free is None else free))


def disk(folder: Path) -> int | None:
    if lost_link(folder):
        return None
    for there in (folder, *folder.absolute().parents):
        with suppress(OSError):
            return shutil.disk_usage(there).free
    return None


def flags(cpuinfo: Path) -> set[str]:
    """As the kernel calls them; empty if unknown."""
    with suppress(OSError):
        if match := re.search(r"^flags\s*:(.*)$", cpuinfo.read_text(), re.MULTILINE):
            return set(match[1].split())
    return set()


def instructions(cpuinfo: Path) -> tuple[str, ...]:
    present = flags(cpuinfo)
    return tuple(name for flag, name in SETS.items() if flag in present)


def gpu(proc: Path) -> str:
    with suppress(OSError):
        cards = sorted((proc / "driver" / "nvidia" / "gpus").glob("*/information"))
        models = [re.search(r"^Model:\s*(.*)$", card.read_text(), re.MULTILINE) for card in cards]
        if names := ", ".join(model[1] for model in models if model):
            return f"{names}; --device cuda, --gpu-layers (with llama.cpp built for it)"
    return "none found; everything runs on the processor"
