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
    rule: Annotated[
        str, typer.Option(help="Fit the votes of this rule: majority, all, pairs or pairs-four.")
    ] = "majority",
    verdict: Annotated[str, typer.Option(hidden=True)] = "",
    llm: Annotated[
        str, typer.Option(help="A model's name, a .gguf file or a server's address.")
    ] = defaults.LLM,
    allow_remote: AllowRemote = False,
    prompts: Templates = None,
    size: Annotated[
        int, typer.Option(min=8, help="Claims to draw, equally many of each label.")
    ] = defaults.CALIBRATION_CLAIMS,
    top_n: Annotated[
        int, typer.Option(min=1, help="Pieces of evidence per claim.")
    ] = defaults.CALIBRATION_EVIDENCE,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = defaults.SEED,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the model.")] = None,
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
