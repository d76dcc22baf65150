"""What this machine can run: facts about it and its models → sentences with what to do.

Nothing is loaded and nothing reaches for the network. Left out: how fast it is, which
`uhhrag bench-llm` measures.
"""

from __future__ import annotations

import os
import platform
import re
import shutil
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from uhhrag.errors import ModelError
from uhhrag.models import MODELS, local
from uhhrag.models.table import Model, Use

ROOM = 2.5e9
"""Bytes beside the weights: context, embedder, index of a claim, Python."""
_SETS = {"avx2": "AVX2", "avx512f": "AVX-512", "avx512_vnni": "VNNI", "amx_tile": "AMX"}


@dataclass(frozen=True, slots=True)
class Machine:
    """`memory` and `free` (what can be had now) are bytes, `disk` those free where models go;
    `sets` are the instruction sets that matter, as their makers call them. None: unknown."""

    system: str
    cores: int
    memory: int | None
    free: int | None
    disk: int
    sets: tuple[str, ...]
    gpu: str


@dataclass(frozen=True, slots=True)
class Found:
    """A model of the table on this machine: its state, and the fault of a damaged one."""

    model: Model
    state: local.State
    fault: str = ""


def look(proc: Path = Path("/proc")) -> Machine:
    """This machine, as far as the system says."""
    there = local.root()
    while not there.exists():
        there = there.parent
    return Machine(
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        os.cpu_count() or 1,
        *_memory(proc / "meminfo"),
        shutil.disk_usage(there).free,
        _instructions(proc / "cpuinfo"),
        _gpu(proc),
    )


def models_here(verify: bool = True) -> tuple[Found, ...]:
    """Every model of the table; with `verify` the bytes of what is here are checked by hash."""
    return tuple(_found(model, verify) for model in MODELS.values())


def recommended(machine: Machine) -> Model:
    """The largest language model of the table for judging that fits the memory of the machine,
    the default where none does or nothing is known of it."""
    able = [m for m in MODELS.values() if m.use is Use.LLM and "smollm" not in m.name]
    fitting = [m for m in able if machine.memory and m.size + ROOM <= machine.memory]
    return max(fitting, key=lambda m: m.size, default=min(able, key=lambda m: m.size))


def missing(found: Iterable[Found], names: Sequence[str]) -> tuple[str, ...]:
    """Those of the names that are models of the table and not whole on this machine."""
    whole = {each.model.name for each in found if each.state is local.State.PRESENT}
    return tuple(name for name in names if name in MODELS and name not in whole)


def as_text(
    machine: Machine, found: Sequence[Found], needs: Mapping[str, Sequence[str]]
) -> list[str]:
    """Lines for a terminal; `needs` are the models of each profile or recipe, by its name."""
    lines = [
        f"machine    {machine.system}",
        f"cores      {machine.cores}" + (f"; {', '.join(machine.sets)}" if machine.sets else ""),
        f"memory     {_gigabytes(machine.memory)}, {_gigabytes(machine.free)} of it free",
        f"disk       {_gigabytes(machine.disk)} free for models",
        f"GPU        {machine.gpu}",
        "",
        "models",
    ]
    lines += [
        f"  {each.model.name:<22}{_gigabytes(each.model.size):>8}  {_state(each)}" for each in found
    ]
    if damaged := [each.model.name for each in found if each.state is local.State.DAMAGED]:
        lines += _wrapped(f"uhhrag models pull --again {' '.join(damaged)}", "  run: ")
    lines += ["", "ready for"]
    for name, models in needs.items():
        lacking = missing(found, models)
        lines.append(f"  {name:<22}{'no; run:' if lacking else 'yes'}")
        if lacking:
            lines += _wrapped(f"uhhrag models pull {' '.join(lacking)}", " " * 24)
    best = recommended(machine)
    lines += ["", f"language model for this memory: {best.name} ({_gigabytes(best.size)})"]
    if missing(found, [best.name]):
        lines.append(f"  run: uhhrag models pull {best.name}")
        lines.append(f"  then: uhhrag predict --llm {best.name}")
    return lines


def as_json(
    machine: Machine, found: Sequence[Found], needs: Mapping[str, Sequence[str]]
) -> dict[str, object]:
    return {
        "machine": {
            "system": machine.system,
            "cores": machine.cores,
            "memory_bytes": machine.memory,
            "free_bytes": machine.free,
            "disk_free_bytes": machine.disk,
            "instruction_sets": list(machine.sets),
            "gpu": machine.gpu,
        },
        "models": {
            each.model.name: {"state": str(each.state), "fault": each.fault} for each in found
        },
        "missing": {name: list(missing(found, models)) for name, models in needs.items()},
        "recommended_llm": recommended(machine).name,
    }


def _found(model: Model, verify: bool) -> Found:
    state = local.state(model)
    if state is not local.State.PRESENT or not verify:
        return Found(model, state)
    try:
        local.verify(model.name)
    except ModelError as error:
        return Found(model, local.State.DAMAGED, str(error))
    return Found(model, state)


def _state(each: Found) -> str:
    if each.state is local.State.DAMAGED:
        return "damaged"
    return "here, its hashes are right" if each.state is local.State.PRESENT else "not here"


def _wrapped(command: str, lead: str) -> list[str]:
    """A command on lines of 80 columns that a shell reads as one."""
    lines = textwrap.wrap(
        command, 78, initial_indent=lead, subsequent_indent=" " * len(lead) + "  "
    )
    return [f"{line} \\" for line in lines[:-1]] + lines[-1:]


def _memory(meminfo: Path) -> tuple[int | None, int | None]:
    try:
        found = dict(re.findall(r"^(\w+):\s+(\d+) kB", meminfo.read_text(), re.MULTILINE))
        return int(found["MemTotal"]) * 1024, int(found["MemAvailable"]) * 1024
    except (OSError, KeyError):
        pass
    try:  # macOS and others
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), None
    except (ValueError, OSError, AttributeError):
        return None, None


def _instructions(cpuinfo: Path) -> tuple[str, ...]:
    try:
        match = re.search(r"^flags\s*:(.*)$", cpuinfo.read_text(), re.MULTILINE)
    except OSError:
        return ()
    present = match[1].split() if match else []
    return tuple(name for flag, name in _SETS.items() if flag in present)


def _gpu(proc: Path) -> str:
    cards = sorted((proc / "driver" / "nvidia" / "gpus").glob("*/information"))
    names = [re.search(r"^Model:\s*(.*)$", card.read_text(), re.MULTILINE) for card in cards]
    told = ", ".join(name[1] for name in names if name)
    if told:
        return f"{told}; --device cuda, --gpu-layers (with llama.cpp built for it)"
    return "none found; everything runs on the processor"


def _gigabytes(size: int | None) -> str:
    return "unknown" if size is None else f"{size / 1e9:.1f} GB"
