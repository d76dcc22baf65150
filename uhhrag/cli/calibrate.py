"""`uhhrag calibrate`: fit the votes' probabilities on claims with known labels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.config.settings import DEFAULT_LLM
from uhhrag.system.terminal import printable, progress


def calibrate(
    train: Annotated[
        Path, typer.Argument(help="JSON list of training claims with label and evidence.")
    ],
    out: Annotated[Path, typer.Option(help="The calibration file to write or add to.")],
    verdict: Annotated[
        str, typer.Option(help="Fit the votes of this rule: majority, all, pairs or pairs-four.")
    ] = "majority",
    llm: Annotated[
        str, typer.Option(help="A model's name, a .gguf file or a server's address.")
    ] = DEFAULT_LLM,
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="The server of --llm may be another machine.")
    ] = False,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder with templates to use instead.")
    ] = None,
    size: Annotated[int, typer.Option(min=8, help="Claims to draw, the same of each label.")] = 100,
    top_n: Annotated[int, typer.Option(min=1, help="Evidence of each claim.")] = 6,
    seed: Annotated[int, typer.Option(help="Seed of the draw.")] = 0,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads of the model.")] = None,
) -> None:
    """Fit a calibration for a model and its prompts; predict --calibration uses it.

    Stopped and run again, it goes on where it stopped: replies are kept beside the file."""
    from uhhrag.system.text_files import require_writable
    from uhhrag.verdict import fit
    from uhhrag.verdict.calibration import read_entries
    from uhhrag.wiring.machine import Machine
    from uhhrag.wiring.voter import wire_voter

    require_writable(out)
    if out.exists():
        read_entries(out)  # what cannot be added to is better known before the votes are cast
    machine = Machine(threads, allow_remote=allow_remote)
    voter = wire_voter(verdict, llm, prompts, machine, out.with_suffix(".sqlite"))
    labels = [label for label in voter.options.values() if label]
    known = fit.read_examples(train)
    examples = fit.sample(known, labels, size, seed)
    asked = (voter.cast(e.claim, e.evidence[:top_n]) for e in examples)
    votes = list(progress(asked, len(examples), "claims"))
    source = f"{train.name}: {len(examples)} claims, {top_n} pieces of evidence, seed {seed}"
    common = fit.shares(known, labels)
    found = fit.fit(examples, votes, voter.options, common, voter.decide, voter.recast, source)
    fit.write_entry(out, voter.model, voter.template, voter.step, found)
    for when, (accuracy, mix) in (("before", found.before), ("after", found.after)):
        counts = ", ".join(f"{label} {n}" for label, n in sorted(mix.items()))
        typer.echo(f"{when:<7}accuracy {accuracy:.3f} on these claims; verdicts: {counts}")
    bias = ", ".join(f"{b:+.3f}" for b in found.calibration.bias)
    typer.echo(f"scale {found.calibration.scale:.3f}, bias {bias} → {printable(str(out))}")
