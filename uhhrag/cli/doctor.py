from __future__ import annotations

import json

import typer

from uhhrag import doctor as checks
from uhhrag.cli.options import AsJson
from uhhrag.wiring.machine import kernel_choice


def doctor(
    as_json: AsJson = False,
    verify: bool = typer.Option(
        True, "--verify/--no-verify", help="Check the hashes of the models that are here."
    ),
) -> None:
    """Say what this machine can run, and how to get what is missing."""
    machine, models = checks.look(), checks.models_here(verify)
    needs = checks.needed()
    numbers = kernel_choice()
    if as_json:
        typer.echo(json.dumps(checks.as_json(machine, models, needs, numbers)))
    else:
        typer.echo("\n".join(checks.as_text(machine, models, needs, numbers)))
