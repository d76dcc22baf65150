from __future__ import annotations

import typer

from uhhrag import defaults
from uhhrag.cli.options import GpuLayers, Templates
from uhhrag.models import speed
from uhhrag.wiring import voters
from uhhrag.wiring.machine import Machine


def bench_llm(
    llm: str = typer.Option(defaults.LLM, help="A model's name or a .gguf file."),
    prompts: Templates = None,
    threads: int | None = typer.Option(
        None, min=1, help="Threads of the model. Default: the machine's cores."
    ),
    gpu_layers: GpuLayers = 0,
    rounds: int = typer.Option(5, min=1, help="Number of measurements; the median counts."),
) -> None:
    """Measure how fast a model reads, and which share of that speed its votes reach."""
    machine = Machine(threads, gpu_layers)
    model, template = voters.wire_speed(llm, prompts, machine)
    typer.echo(speed.show(llm, machine.cores, speed.measure(model, template, rounds)))
