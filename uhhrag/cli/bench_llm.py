"""`uhhrag bench-llm`: how near the votes come to what the model can read at most."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.config.settings import DEFAULT_LLM


def bench_llm(
    llm: Annotated[str, typer.Option(help="A model's name or a .gguf file.")] = DEFAULT_LLM,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder with templates to use instead.")
    ] = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of the model. Default: the machine's cores.")
    ] = None,
    gpu_layers: Annotated[int, typer.Option(help="Layers of the model put on a GPU.")] = 0,
    rounds: Annotated[
        int, typer.Option(min=1, help="Measurements, of which the median counts.")
    ] = 5,
) -> None:
    """Measure the model's raw reading rate and the share of it that votes reach."""
    from uhhrag.models import speed
    from uhhrag.wiring import voter
    from uhhrag.wiring.machine import Machine

    machine = Machine(threads, gpu_layers)
    model, template = voter.wire_speed(llm, prompts, machine)
    typer.echo(speed.show(llm, machine.cores, speed.measure(model, template, rounds)))
