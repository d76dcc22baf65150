from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag import defaults, models
from uhhrag.cli.options import OBSERVER, AsJson, Threads, takes, was_given
from uhhrag.config.option import Checked, option
from uhhrag.errors import UsageError
from uhhrag.rules import learned_files
from uhhrag.system.terminal import counter, printable, quantity
from uhhrag.system.text_files import require_writable
from uhhrag.training import calibration as fit
from uhhrag.training import score as scoring
from uhhrag.training import verdict as validation
from uhhrag.training.pairs import read_pairs, undisputed
from uhhrag.wiring import embedders, llms, verdicts, verifiers
from uhhrag.wiring.machine import Loaded, Machine

app = typer.Typer(
    help="Train a verifier, score one, fit the learned verdict.", no_args_is_help=True
)

ScoresAsJson = Annotated[bool, typer.Option("--json", help="Print the scores as JSON.")]
VerifierModel = Annotated[
    str | None,
    typer.Option(metavar="MODEL", help="As for --verifier.", show_default="the shipped one"),
]
PairFiles = Annotated[
    list[Path],
    typer.Option(
        "--pairs",
        metavar="FILE",
        help="JSON lines with premise, hypothesis, label (supports, refutes or neutral) and "
        "perhaps group, which is never divided, plain or .gz; repeatable.",
    ),
]


@dataclass(frozen=True)
class Training(Checked):
    base: str = option(
        "mpnet", "The base model: a name, a folder or a language model (.gguf).", metavar="MODEL"
    )
    start: Path | None = option(
        None,
        "A verifier whose adapter is trained further: its folder.",
        metavar="DIR",
        default="a fresh adapter",
    )
    steps: int = option(2000, "Batches to train on.", least=10)
    batch: int = option(32, "Pairs in a batch.", least=1)
    learning_rate: float = option(4e-4, "The highest learning rate.", least=1e-9, most=1)
    rank: int = option(32, "Rank of the adapter.", least=1)
    first_layer: int = option(0, "Layers below this one stay as they are, to save time.", least=0)
    save_every: int = option(200, "Steps from checkpoint to checkpoint.", least=1)
    max_tokens: int = option(256, "Tokens of claim and evidence that are read.", least=16, most=512)
    seed: int = option(0, "Seed of the training and the split.", least=0)
    device: str = option("cpu", "cpu or cuda.")


@app.command("verifier")
@takes(Training)
def verifier(
    given: dict[str, Any],
    pairs: PairFiles,
    out: Annotated[Path, typer.Option(metavar="DIR", help="The verifier's folder.")],
    held_out: float = typer.Option(
        0.05, min=0.001, max=0.5, help="Share of the groups (else pairs) held out for scores."
    ),
    licences: Path | None = typer.Option(
        None, metavar="FILE", help="JSON object: source to licence, for the model card."
    ),
    as_json: ScoresAsJson = False,
) -> None:
    """Train an adapter of a base model on pairs of evidence and claim.

    Stopped and run again with the same options, it goes on from its last checkpoint."""
    own = asdict(Training(**given))
    base = own.pop("base")
    plan = verifiers.TrainingPlan(models.path(base), base, out, **own)
    known = scoring.read_licences(licences) if licences else {}
    read = read_pairs(pairs)
    kept = undisputed(read)
    if left := len(read) - len(kept):
        of = f"{left} of {quantity(len(read), 'pair')}"
        OBSERVER.warn(f"{of} left out: the same evidence and claim with more than one label")
    scores = verifiers.train_verifier(kept, plan, held_out, known, counter("steps"))
    _show(scores, as_json)
    typer.echo(f"→ {printable(str(out))}", err=as_json)


@app.command("score")
def score(
    pairs: PairFiles,
    model: VerifierModel = None,
    passages: bool = typer.Option(False, "--passages", help="Calibrated as for passages."),
    device: str = typer.Option("cpu", help="cpu or cuda."),
    as_json: AsJson = False,
) -> None:
    """Score a verifier on labelled pairs: share right, macro-F1 and calibration error."""
    read, machine = read_pairs(pairs), Machine(device=device)
    verifier = verifiers.load_verifier(model or verifiers.SHIPPED, machine, passages=passages)
    scores = scoring.score_pairs(read, verifier.entailment, counter("pairs"))
    _show(scores, as_json)


@app.command("calibrate")
def calibrate(
    model: Annotated[
        Path, typer.Argument(metavar="DIR", help="A folder that train verifier wrote.")
    ],
    pairs: PairFiles,
    passages: list[Path] | None = typer.Option(
        None,
        metavar="FILE",
        help="Pairs whose evidence is passages as check reads them; repeatable.",
        show_default="none",
    ),
    device: str = typer.Option("cpu", help="cpu or cuda."),
    as_json: ScoresAsJson = False,
) -> None:
    """Calibrate a trained verifier anew, on pairs that it was not trained on."""
    read = read_pairs(passages) if passages else []
    _show(verifiers.calibrate(model, read_pairs(pairs), read, device), as_json)


@app.command("verdict")
def verdict(
    context: typer.Context,
    claims: Annotated[
        Path,
        typer.Option(
            metavar="FILE",
            help="JSON list of training claims with label, evidence and perhaps group (as those on "
            "one document), which is never divided.",
        ),
    ],
    out: Annotated[Path, typer.Option(metavar="FILE", help="The file to write or add to.")],
    field: str = typer.Option(
        "news", help="The field that the claims are from: news or documents."
    ),
    model: VerifierModel = None,
    llm: str | None = typer.Option(
        None,
        metavar="MODEL",
        help="A language model that reads the evidence too, for --voter both.",
        show_default="none",
    ),
    embedder: str = typer.Option(defaults.EMBEDDER, help="What similarities come from."),
    run: Path | None = typer.Option(
        None,
        metavar="RUN",
        help="A learned run on the claims: rescale the shipped news verdict by it.",
        show_default="none",
    ),
    threads: Threads = None,
    as_json: AsJson = False,
) -> None:
    """Fit the learned verdict to claims with known labels, by votes of a verifier.

    With --llm, a head over the hidden states of a language model is fitted too.
    They are kept beside the file, so that a command that was stopped goes on.
    The scores printed are of cross-validation: each claim is decided by a fit
    on other claims.
    """
    require_writable(out)
    if out.exists():
        learned_files.read_learned(out)
    if run:
        _require_unset(context, "field", "model", "llm", "embedder", "threads")
        fitted, accuracy = verdicts.rescaled_by(run, claims)
        learned_files.write_learned(out, fitted)
        typer.echo(json.dumps({"accuracy": accuracy}) if as_json else f"accuracy {accuracy:.3f}")
        typer.echo(f"→ {printable(str(out))}", err=as_json)
        return
    examples = fit.read_examples(claims)
    name = model or verifiers.shipped_for(field)
    entailment = verifiers.load_verifier(name, passages=field == "documents").entailment
    embed, _ = embedders.load_embedder(embedder)
    source = f"{claims.name}: {len(examples)} claims"
    memory = out.with_suffix(".sqlite")
    reading = Loaded(*llms.load_llm(llm, Machine(threads), memory)) if llm else None
    fitted, score = verdicts.fit_learned(
        examples, field, source, embed, entailment, counter("claims"), reading
    )
    learned_files.write_learned(out, fitted)
    typer.echo(json.dumps(asdict(score)) if as_json else validation.as_text(score))
    typer.echo(f"→ {printable(str(out))}", err=as_json)


def _require_unset(context: typer.Context, *names: str) -> None:
    for name in names:
        if was_given(context, name):
            raise UsageError(
                f"--{name}: --run rescales the shipped news verdict by what RUN holds, and would "
                "not read it; leave it out"
            )


def _show(scores: Mapping[str, scoring.PairScore], as_json: bool) -> None:
    typer.echo(json.dumps(scoring.as_json(scores)) if as_json else scoring.as_text(scores))
