"""`uhhrag doctor`: what this machine can run, what is missing, and the command that brings it."""

from __future__ import annotations

import json
from typing import Annotated

import typer


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    verify: Annotated[
        bool,
        typer.Option("--verify/--no-verify", help="Check the hashes of the models that are here."),
    ] = True,
) -> None:
    """Say what this machine can run, and how to get what is missing."""
    from uhhrag import defaults, doctor
    from uhhrag.config.recipe import Models

    machine, found = doctor.look(), doctor.models_here(verify)
    needs = doctor.needed(Models(defaults.LLM, defaults.RERANKER, defaults.EMBEDDER))
    if as_json:
        typer.echo(json.dumps(doctor.as_json(machine, found, needs)))
    else:
        typer.echo("\n".join(doctor.as_text(machine, found, needs)))
