"""`uhhrag predict`: claims of an index → verdicts, a submission and a trace."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from uhhrag.approaches import APPROACHES
from uhhrag.cli.merge import Share
from uhhrag.config import DEFAULT_LLM, Questions, settle
from uhhrag.display import progress
from uhhrag.errors import ClaimsFailed
from uhhrag.recipe import names as recipe_names
from uhhrag.recipe import other_embedder, read_recipe
from uhhrag.records import Failure
from uhhrag.show import UNCALIBRATED, opening, show, summary
from uhhrag.verdict import RULES, Decoding


def predict(
    context: typer.Context,
    recipe: Annotated[
        str | None,
        typer.Option(
            help=f"A paper's system: {', '.join(recipe_names())}, or a .toml file; "
            "other options go before it.",
            show_default=False,
        ),
    ] = None,
    approach: Annotated[
        str, typer.Option(help=f"How evidence is found: {', '.join(APPROACHES)}.")
    ] = "retrieve-question",
    top_n: Annotated[
        int | None,
        typer.Option(
            help="Evidence kept (question-retrieve: questions asked) at most. "
            "Default: the paper's.",
            show_default=False,
        ),
    ] = None,
    verdict: Annotated[
        str | None,
        typer.Option(
            help=f"How votes become a label: {', '.join(RULES)}. Default: the paper's.",
            show_default=False,
        ),
    ] = None,
    index: Annotated[Path, typer.Option(help="The index to search.")] = Path("index"),
    out: Annotated[
        Path | None,
        typer.Option(help="The run folder. Default: runs/<approach>.", show_default=False),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option("--set", help="An option of the approach, NAME=VALUE; repeatable."),
    ] = None,
    questions: Annotated[
        Questions, typer.Option(help="Questions from the model, or one constant question.")
    ] = Questions.LLM,
    decoding: Annotated[
        Decoding,
        typer.Option(help="Votes from the probabilities of letters, or read from text."),
    ] = Decoding.CONSTRAINED,
    llm: Annotated[
        list[str],
        typer.Option(
            help="A model's name (uhhrag models list), a .gguf file, or the address of an "
            "OpenAI-compatible server; several servers share the claims."
        ),
    ] = [DEFAULT_LLM],  # noqa: B006 - typer reads it, nobody writes it
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Servers of --llm may be other machines.")
    ] = False,
    reranker: Annotated[
        str, typer.Option(help="The cross-encoder of entailed-qa: a name or an ONNX folder.")
    ] = "reranker",
    nli: Annotated[
        Path | None,
        typer.Option(help="An NLI model folder for entailed-qa; else the language model."),
    ] = None,
    lora: Annotated[
        Path | None, typer.Option(help="A LoRA adapter (GGUF) of the model.", show_default=False)
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(help="The index's embedder, where not under its name.", show_default=False),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder with templates to use instead.")
    ] = None,
    examples: Annotated[
        Path | None, typer.Option(help="An AVeriTeC train file to draw examples from.")
    ] = None,
    calibration: Annotated[
        Path | None, typer.Option(help="A file made by uhhrag calibrate, or none.")
    ] = None,
    before: Annotated[
        str | None,
        typer.Option(help="Nothing dated later: YYYY-MM-DD, or claim-date."),
    ] = None,
    exclude_sites: Annotated[
        Path | None,
        typer.Option(
            help="Nothing from the sites of this list; default: ours.", show_default=False
        ),
    ] = None,
    undated: Annotated[
        bool, typer.Option("--undated/--no-undated", help="Keep pages without a date.")
    ] = True,
    abstain_below: Annotated[
        float,
        typer.Option(help="A verdict less sure than this is Not Enough Evidence; 0 to 1."),
    ] = 0.0,
    seed: Annotated[int, typer.Option(help="Seed of the draw of examples.")] = 0,
    limit: Annotated[int | None, typer.Option(help="Only the first so many claims.")] = None,
    claim: Annotated[list[int] | None, typer.Option(help="Only this claim; repeatable.")] = None,
    shard: Share = None,
    threads: Annotated[
        int | None, typer.Option(min=1, help="Threads of the model. Default: the machine's cores.")
    ] = None,
    gpu_layers: Annotated[int, typer.Option(help="Layers of the model put on a GPU.")] = 0,
    device: Annotated[str, typer.Option(help="Where the embedder runs: cpu or cuda.")] = "cpu",
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep model replies beside the index.")
    ] = True,
    trec: Annotated[
        bool, typer.Option("--trec", help="Also write each stage's ranking as a TREC run.")
    ] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Lose an earlier run in the same folder.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Decide claims with damaged results again.")
    ] = False,
) -> None:
    """Decide the claims of an index. Stopped and run again, it goes on where it stopped."""
    from uhhrag import predict as steps
    from uhhrag import wiring
    from uhhrag.run import open_run, read_trace
    from uhhrag.shard import read_shard
    from uhhrag.trec import write_stages

    given = {
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) and source.name == "COMMANDLINE"
    }
    values = {
        "approach": approach,
        "verdict": verdict,
        "top_n": top_n,
        "questions": questions,
        "decoding": decoding,
        "llm": llm[0],
        "reranker": reranker,
        "nli": nli,
        "lora": lora,
        "prompts": prompts,
        "examples": examples,
        "calibration": calibration,
        "seed": seed,
        "option": tuple(option or ()),
        "before": before,
        "exclude_sites": exclude_sites,
        "undated": undated,
        "abstain_below": abstain_below,
    }
    cooked = read_recipe(recipe) if recipe else None
    settings = settle(values, given, cooked)
    machine = wiring.Machine(threads, gpu_layers, device, embedder, tuple(llm[1:]), allow_remote)
    wired = wiring.wire(settings, machine, index, cache=cache)
    claims = steps.select(wired.claims, limit, tuple(claim or ()))
    if shard:
        mine = read_shard(shard).share(claim.id for claim in claims)
        claims = [claim for claim in claims if claim.id in mine]
    folder = out or Path("runs") / settings.approach
    with open_run(folder, wired.header, overwrite=overwrite, repair=repair) as run:
        left = [c for c in claims if c.id not in run.done]
        typer.echo(opening(wired.header["signature"], len(left), len(claims)))
        if (
            wired.method.rule.constrained(settings.decoding)
            and wired.method.calibration.source == "none"
        ):
            typer.echo(UNCALIBRATED, err=True)
        if said := other_embedder(cooked, wired.header["index"]["embedder"]["name"]):
            typer.echo(said, err=True)
        if choices := wired.header.get("choices"):
            typer.echo(f"Votes by a server: {choices}.", err=True)
        if left:
            wired.load()
        failed = 0
        for result in progress(
            steps.predict(left, wired.corpus_for, wired.method, run, wired.others),
            len(left),
            "claims",
        ):
            if isinstance(result, Failure):
                failed += 1
            typer.echo(show(result))
        records = [r for r in read_trace(run.trace) if "error" not in r]
        total = summary(run)
    if trec:
        write_stages(folder, records, wired.prefiltered, wired.corpus_for, settings.approach)
    typer.echo(total)
    if failed:
        raise ClaimsFailed(
            f"{failed} of {len(claims)} claims have no verdict; the reason of each stands in "
            f"{run.trace} as error; run the same command again to try just those"
        )
