"""What this machine can run; loads nothing, uses no network."""

from __future__ import annotations

import os
import platform
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.util import find_spec
from pathlib import Path

from uhhrag import defaults
from uhhrag.approaches import APPROACHES
from uhhrag.config.recipe import Recipe, names, read_recipe
from uhhrag.documents.ocr import find_tesseract
from uhhrag.errors import ModelError
from uhhrag.models import MODELS, PROFILES, local
from uhhrag.models.catalogue import Model, Use
from uhhrag.system import hardware, places
from uhhrag.system.extras import installing
from uhhrag.system.terminal import columns, first_of, printable

ROOM = 2.5e9
"""Bytes beside the weights: context, embedder, index, Python."""


@dataclass(frozen=True, slots=True)
class MachineFacts:
    """None stands for unknown."""

    system: str
    cores: int
    memory_bytes: int | None
    """Of the container if less."""
    free_bytes: int | None
    disk_free_bytes: int | None
    instruction_sets: tuple[str, ...]
    gpu: str
    tesseract: str | None = None
    """Version and languages."""
    places: Mapping[str, str] = field(default_factory=dict)
    """By kind, with the room of the disk."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    model: Model
    state: local.ModelState
    fault: str = ""
    verified: bool = True
    """By hash, not size."""


def look(proc: Path = Path("/proc"), groups: Path = Path("/sys/fs/cgroup")) -> MachineFacts:
    program = find_tesseract()
    kinds = places.models, places.cache, places.collections
    return MachineFacts(
        f"{platform.system()} {platform.machine()}, Python {platform.python_version()}",
        os.cpu_count() or 1,
        *hardware.within(hardware.allowed(groups), *hardware.memory(proc / "meminfo")),
        hardware.disk(places.models()),
        hardware.instructions(proc / "cpuinfo"),
        hardware.gpu(proc),
        f"{program.version} ({', '.join(program.languages)})" if program else None,
        {kind.__name__: _place(kind().absolute()) for kind in kinds},
    )


def _place(folder: Path) -> str:
    return places.lost_link(folder) or f"{folder} ({_size(hardware.disk(folder))} free)"


def models_here(verify: bool = True) -> tuple[ModelCheck, ...]:
    return tuple(_check_model(model, verify) for model in MODELS.values())


def recommended(machine: MachineFacts) -> Model:
    """The largest that fits the memory, else the smallest; no SmolLM."""
    able = [m for m in MODELS.values() if m.use is Use.LLM and "smollm" not in m.name]
    fitting = [m for m in able if fits(m, machine)]
    return max(fitting, key=lambda m: m.size, default=min(able, key=lambda m: m.size))


def fits(model: Model, machine: MachineFacts) -> bool:
    """Unknown memory fits nothing."""
    return machine.memory_bytes is not None and model.size + ROOM <= machine.memory_bytes


def needed() -> dict[str, tuple[str, ...]]:
    """Models by profile and recipe."""
    profiles = {f"profile {name}": tuple(models) for name, models in PROFILES.items()}
    return profiles | {f"recipe {name}": _models_of(read_recipe(name)) for name in names()}


def _models_of(recipe: Recipe) -> tuple[str, ...]:
    named = recipe.models
    approach = APPROACHES.get(recipe.approach or "")
    reranker = (named.reranker or defaults.RERANKER) if approach and approach.reranker else None
    wanted = (named.embedder or defaults.EMBEDDER, named.llm or defaults.LLM, reranker, "nltk-data")
    return tuple(name for name in wanted if name)


def missing(checks: Iterable[ModelCheck], names: Sequence[str]) -> tuple[str, ...]:
    """Models of the table that are not usable."""
    whole = {check.model.name for check in checks if check.state is local.ModelState.PRESENT}
    return tuple(name for name in names if name in MODELS and name not in whole)


def absent(checks: Sequence[ModelCheck], names: Sequence[str]) -> tuple[str, ...]:
    """Those that a plain pull brings."""
    faulty = {check.model.name for check in checks if check.fault}
    return tuple(name for name in missing(checks, names) if name not in faulty)


def as_text(
    machine: MachineFacts,
    checks: Sequence[ModelCheck],
    needs: Mapping[str, Sequence[str]],
    numbers: hardware.KernelChoice,
) -> list[str]:
    sets = [", ".join(machine.instruction_sets)] if machine.instruction_sets else []
    lines = [
        f"machine    {machine.system}",
        f"cores      {'; '.join([str(machine.cores), *sets])}",
        f"embedder   {_numbers(numbers)}",
        f"memory     {_size(machine.memory_bytes)}, {_size(machine.free_bytes)} of it free",
        f"GPU        {machine.gpu}",
        f"Tesseract  {machine.tesseract or 'not here; scans are not read without it'}",
    ]
    for kind, place in machine.places.items():
        lines += _folded(printable(place), f"{kind:<10} ")
    lines += ["", "models"]
    rows = [("", check.model.name, _size(check.model.size), _state(check)) for check in checks]
    lines += columns(rows, "<<><") if rows else []
    for fault in dict.fromkeys(check.fault for check in checks if check.fault):
        faulty = [check.model.name for check in checks if check.fault == fault]
        lines += _folded(printable(f"{first_of(faulty, 3)}: {fault}"), "  ")
    lines += ["", "ready for"]
    for name, models in needs.items():
        lacking = missing(checks, models)
        fetched = absent(checks, models)
        said = "no; run:" if fetched else "no, as said above" if lacking else "yes"
        lines.append(f"  {name:<22}{said}")
        if fetched:
            lines += _folded(f"uhhrag models pull {' '.join(fetched)}", " " * 24, " \\")
        lines += [" " * 24 + line for line in too_large(models, machine)]
    return [*lines, "", *_advice(machine, checks)]


def too_large(names: Sequence[str], machine: MachineFacts) -> list[str]:
    """On those that do not fit the memory, if another does."""
    large = [name for name in names if name in MODELS and not fits(MODELS[name], machine)]
    if machine.memory_bytes is None or not large or recommended(machine).name in large:
        return []
    need = max(MODELS[name].size for name in large) + ROOM
    return [
        f"{', '.join(large)}: needs {_size(need)} of memory;",
        f"give --llm {recommended(machine).name} instead",
    ]


def _advice(machine: MachineFacts, checks: Sequence[ModelCheck]) -> list[str]:
    best = recommended(machine)
    lines = [f"language model for this memory: {best.name} ({_size(best.size)})"]
    if machine.memory_bytes is not None and not fits(best, machine):
        lines.append(f"  it needs {_size(best.size + ROOM)} of memory; with less it may be stopped")
    if absent(checks, [best.name]):
        lines.append(f"  run: uhhrag models pull {best.name}")
    if find_spec("llama_cpp") is None:
        lines.append(f"  run: {installing('llm')}")
    lines.append(f"  then: uhhrag check … --llm {best.name}")
    lines.append(f"  how fast it is here: uhhrag bench-llm --llm {best.name}")
    return lines


def as_json(
    machine: MachineFacts,
    checks: Sequence[ModelCheck],
    needs: Mapping[str, Sequence[str]],
    numbers: hardware.KernelChoice,
) -> dict[str, object]:
    return {
        "machine": asdict(machine),
        "embedder": {"fastest": numbers.fastest, "seconds": dict(numbers.seconds)},
        "models": {
            check.model.name: {"state": str(check.state), "fault": check.fault} for check in checks
        },
        "missing": {name: list(missing(checks, models)) for name, models in needs.items()},
        "recommended_llm": recommended(machine).name,
    }


def _check_model(model: Model, verify: bool) -> ModelCheck:
    try:
        state, fault = local.look(model)
        if state is local.ModelState.PRESENT and verify:
            local.verify(model.name, again=True)
    except (ModelError, OSError) as error:
        return ModelCheck(model, local.ModelState.DAMAGED, str(error))
    return ModelCheck(model, state, fault, verified=verify)


def _state(check: ModelCheck) -> str:
    if check.state is not local.ModelState.PRESENT:
        return "not here" if check.state is local.ModelState.MISSING else str(check.state)
    return "here, its hashes are right" if check.verified else "here, its hashes were not checked"


def _folded(text: str, lead: str, end: str = "") -> list[str]:
    """Breaks no name or path; `end` follows all lines but the last."""
    lines = textwrap.wrap(
        text,
        78,
        initial_indent=lead,
        subsequent_indent=" " * len(lead) + "  ",
        break_on_hyphens=False,
        break_long_words=False,
    )
    return [f"{line}{end}" for line in lines[:-1]] + lines[-1:]


def _numbers(numbers: hardware.KernelChoice) -> str:
    seconds = numbers.seconds
    others = [
        f"{seconds[name] / seconds[numbers.fastest]:.1f} times {name}"
        for name in seconds
        if name != numbers.fastest and numbers.fastest in seconds
    ]
    return f"fastest in {numbers.fastest}" + (f" (speed {', '.join(others)})" if others else "")


def _size(size: float | None) -> str:
    return "unknown" if size is None else local.size_in_words(size)
