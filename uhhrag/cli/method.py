"""The options of commands that decide claims."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, cast

import typer

from uhhrag import defaults
from uhhrag.approaches import APPROACHES
from uhhrag.cli.options import ExcludeSites, GpuLayers, Threads, VerifierFolder, with_options
from uhhrag.config.choices import Questions
from uhhrag.config.recipe import names as recipe_names
from uhhrag.evidence.context import Answers
from uhhrag.rules.rules import RULES, Decoding
from uhhrag.voters.table import AUTO, VOTERS
from uhhrag.workflows.method import MethodOptions, choose


class VoterName(StrEnum):
    _ignore_ = "name"
    for name in (AUTO, *VOTERS):
        vars()[name] = name


_AUTO = VoterName(AUTO)


def method(
    context: typer.Context,
    recipe: Annotated[
        str | None,
        typer.Option(
            help=f"A paper's system: {', '.join(recipe_names())}, or a .toml file; "
            "other options take precedence.",
            show_default=False,
        ),
    ] = None,
    approach: Annotated[
        str, typer.Option(help=f"How evidence is found: {', '.join(APPROACHES)}.")
    ] = defaults.APPROACH,
    top_n: Annotated[
        int | None,
        typer.Option(
            help="Most pieces of evidence to keep (question-retrieve: questions to ask). "
            "Default: the paper's number.",
            show_default=False,
        ),
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option(
            help=f"How votes become a label: {', '.join(RULES)}. Default: the paper's rule; "
            "for check and serve --docs, learned.",
            show_default=False,
        ),
    ] = None,
    verdict: Annotated[str | None, typer.Option(hidden=True)] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="NAME=VALUE", help="Set an option of the approach; repeatable."
        ),
    ] = None,
    questions: Annotated[
        Questions,
        typer.Option(
            help="Where questions come from: the model, one constant question (template), or both "
            "(mixed: the model's for the nearer half of the passages); auto: mixed for "
            "retrieve-question, else llm. Default for check and serve --docs: template, unless a "
            "model is named."
        ),
    ] = Questions.AUTO,
    answers: Annotated[
        Answers,
        typer.Option(
            help="What an answer in predictions.json is: the sentence that was found, or a window, "
            "with the sentences before and after it. Votes read neither more nor less."
        ),
    ] = Answers.WINDOW,
    decoding: Annotated[
        Decoding,
        typer.Option(help="How votes are read: from probabilities of letters, or from text."),
    ] = Decoding.CONSTRAINED,
    voter: Annotated[
        VoterName,
        typer.Option(
            help="Who casts the votes: the language model, the verifier or both; auto: whoever "
            "was right more often on training claims.",
        ),
    ] = _AUTO,
    verifier: VerifierFolder = None,
    learned: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A file made by uhhrag train verdict. Default: the shipped one.",
            show_default=False,
        ),
    ] = None,
    granularity: Annotated[
        str | None,
        typer.Option(
            help="What a vote reads: sentence, passages (what was found close together, with the "
            "sentences around it), window:N around a sentence, or document.",
            show_default="sentence; of your own documents passages",
        ),
    ] = None,
    nearest: Annotated[
        float | None,
        typer.Option(
            help="Leave out sentences less similar than this; 0 leaves out none.",
            show_default="0",
        ),
    ] = None,
    abstain_below: Annotated[
        float,
        typer.Option(help="A verdict with less confidence is Not Enough Evidence; 0 to 1."),
    ] = 0.0,
    llm: Annotated[
        list[str],
        typer.Option(
            help="A model's name (uhhrag models list), a .gguf file, or the address of an "
            "OpenAI-compatible server; several servers share the claims."
        ),
    ] = [defaults.LLM],  # noqa: B006 - typer reads it, nobody writes it
    allow_remote: Annotated[
        bool, typer.Option("--allow-remote", help="Servers of --llm may be on other machines.")
    ] = False,
    reranker: Annotated[
        str, typer.Option(help="The cross-encoder of entailed-qa: a name or an ONNX folder.")
    ] = defaults.RERANKER,
    nli: Annotated[
        Path | None,
        typer.Option(help="NLI model folder for entailed-qa. Default: the language model."),
    ] = None,
    lora: Annotated[
        Path | None, typer.Option(help="A LoRA adapter (GGUF) of the model.", show_default=False)
    ] = None,
    embedder: Annotated[
        str | None,
        typer.Option(
            help="Folder of the index's embedder, if not found by its name.", show_default=False
        ),
    ] = None,
    prompts: Annotated[
        Path | None, typer.Option(help="A folder with templates that replace ours.")
    ] = None,
    examples: Annotated[
        Path | None, typer.Option(help="An AVeriTeC training file to draw few-shot examples from.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed for drawing --examples.")] = defaults.SEED,
    calibration: Annotated[
        Path | None, typer.Option(help="A file made by uhhrag calibrate, or none to turn it off.")
    ] = None,
    before: Annotated[
        str | None,
        typer.Option(help="Exclude pages dated later: YYYY-MM-DD, or claim-date."),
    ] = None,
    exclude_sites: ExcludeSites = None,
    undated: Annotated[
        bool, typer.Option("--undated/--no-undated", help="Keep pages without a date.")
    ] = True,
    file_dates: Annotated[
        bool,
        typer.Option(
            "--file-dates", help="For --before, a document is as old as its file says it is."
        ),
    ] = False,
    threads: Threads = None,
    gpu_layers: GpuLayers = 0,
    device: Annotated[str, typer.Option(help="Where the embedder runs: cpu or cuda.")] = "cpu",
    cache: Annotated[
        bool, typer.Option("--cache/--no-cache", help="Keep replies and vectors on disk.")
    ] = True,
) -> None:
    """Declares the options; `decides_claims` reads them."""


def decides_claims(command: Callable[..., None]) -> Callable[..., None]:
    """A command with the options of `method`, passed as `chosen`."""
    return with_options(command, method, "chosen", lambda given: choose(cast(MethodOptions, given)))
