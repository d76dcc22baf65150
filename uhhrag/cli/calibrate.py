from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from uhhrag import defaults
from uhhrag.cli.options import OBSERVER, AllowRemote, Templates
from uhhrag.system.terminal import printable
from uhhrag.wiring import voters
from uhhrag.wiring.machine import Machine
from uhhrag.workflows import calibrate as workflow


def calibrate(
    train: Annotated[
        Path, typer.Argument(help="JSON list of training claims with label and evidence.")
    ],
    out: Annotated[Path, typer.Option(help="The calibration file to write or add to.")],
    rule: str = typer.Option(
        "majority", help="Fit the votes of this rule: majority, all, pairs or pairs-four."
    ),
    verdict: str = typer.Option("", hidden=True),
    llm: str = typer.Option(
        defaults.LLM, help="A model's name, a .gguf file or a server's address."
    ),
    allow_remote: AllowRemote = False,
    prompts: Templates = None,
    size: int = typer.Option(
        defaults.CALIBRATION_CLAIMS, min=8, help="Claims to draw, equally many of each label."
    ),
    top_n: int = typer.Option(
        defaults.CALIBRATION_EVIDENCE, min=1, help="Pieces of evidence per claim."
    ),
    seed: int = typer.Option(defaults.SEED, help="Seed of the draw."),
    threads: int | None = typer.Option(None, min=1, help="Threads of the model."),
) -> None:
    """Fit a calibration for a model and its prompts, to use with `predict --calibration`.

    Run again, it continues where it stopped: replies are kept beside the file."""
    machine = Machine(threads, allow_remote=allow_remote)
    voter_of = partial(voters.wire_voter, verdict or rule, llm, prompts, machine)
    fitted = workflow.calibrate(train, out, voter_of, size, top_n, seed, OBSERVER)
    for when, (accuracy, mix) in (("before", fitted.before), ("after", fitted.after)):
        counts = ", ".join(f"{label} {n}" for label, n in sorted(mix.items()))
        typer.echo(f"{when:<7}accuracy {accuracy:.3f} on these claims; verdicts: {counts}")
    bias = ", ".join(f"{b:+.3f}" for b in fitted.calibration.bias)
    typer.echo(f"scale {fitted.calibration.scale:.3f}, bias {bias} → {printable(str(out))}")
