from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from uhhrag import defaults
from uhhrag.approaches import APPROACHES, ApproachSpec
from uhhrag.config.option import EVIDENCE, MODELS, VERDICT, option
from uhhrag.config.recipe import names as recipe_names
from uhhrag.evidence.context import Answers
from uhhrag.rules.rules import RULES, Decoding, Rule
from uhhrag.voters.opening import VoterSpec
from uhhrag.voters.table import AUTO, VOTERS


class Questions(StrEnum):
    AUTO = "auto"
    MIXED = "mixed"
    LLM = "llm"
    TEMPLATE = "template"


@dataclass(frozen=True, slots=True, kw_only=True)
class Beside:
    """Options of `predict` outside `Choices`."""

    recipe: str | None = option(
        None,
        EVIDENCE,
        f"A paper's system: {', '.join(recipe_names())}, or a .toml file; other options take "
        "precedence.",
        default=False,
    )
    verdict: str | None = option(None, VERDICT, "The old name of rule.", hidden=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """Choices in their final type."""

    approach: str = option(
        defaults.APPROACH, EVIDENCE, f"How evidence is found: {', '.join(APPROACHES)}."
    )
    questions: Questions = option(
        Questions.AUTO,
        EVIDENCE,
        "Where questions come from: the model, one constant question (template), or both (mixed: "
        "the model's for the nearer half of the passages); auto: mixed for retrieve-question, "
        "else llm. Default for check and serve --docs: template, unless a model is named.",
    )
    answers: Answers = option(
        Answers.WINDOW,
        EVIDENCE,
        "What an answer in predictions.json is: the sentence that was found, or a window, with "
        "the sentences before and after it. Votes read neither more nor less.",
    )
    decoding: Decoding = option(
        Decoding.CONSTRAINED,
        VERDICT,
        "How votes are read: from probabilities of letters, or from text.",
    )
    voter: str = option(
        AUTO,
        VERDICT,
        "Who casts the votes: the language model, the verifier or both; auto: whoever was right "
        "more often on training claims.",
        words=lambda: (AUTO, *VOTERS),
    )
    verifier: Path | None = option(
        None,
        VERDICT,
        "A verifier: a folder, or a name of uhhrag models list. Default: the shipped one.",
        metavar="DIR",
        default=False,
    )
    learned: Path | None = option(
        None,
        VERDICT,
        "A file made by uhhrag train verdict. Default: the shipped one.",
        metavar="FILE",
        default=False,
    )
    llm: str = option(
        defaults.LLM,
        MODELS,
        "A model's name (uhhrag models list), a .gguf file, or the address of an "
        "OpenAI-compatible server; several servers share the claims.",
        many=True,
    )
    reranker: str = option(
        defaults.RERANKER,
        MODELS,
        "The cross-encoder of entailed-qa: a name or an ONNX folder.",
    )
    nli: Path | None = option(
        None, MODELS, "NLI model folder for entailed-qa. Default: the language model."
    )
    lora: Path | None = option(None, MODELS, "A LoRA adapter (GGUF) of the model.", default=False)
    prompts: Path | None = option(None, MODELS, "A folder with templates that replace ours.")
    examples: Path | None = option(
        None, MODELS, "An AVeriTeC training file to draw few-shot examples from."
    )
    calibration: Path | None = option(
        None, VERDICT, "A file made by uhhrag calibrate, or none to turn it off."
    )
    seed: int = option(defaults.SEED, MODELS, "Seed for drawing --examples.")
    abstain_below: float = option(
        0.0, VERDICT, "A verdict with less confidence is Not Enough Evidence; 0 to 1."
    )
    nearest: float = option(
        0.0, EVIDENCE, "Leave out sentences less similar than this; 0 leaves out none.", default="0"
    )

    @property
    def calibrated(self) -> bool:
        """Whether a file is named."""
        return self.calibration not in (None, Path("none"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(Common):
    """What can change a run's results, as written; run.json records it."""

    rule: str | None = option(
        None,
        VERDICT,
        f"How votes become a label: {', '.join(RULES)}. Default: the paper's rule; for check and "
        "serve --docs, learned.",
        default=False,
    )
    top: int | None = option(
        None,
        EVIDENCE,
        "Most pieces of evidence to keep (question-retrieve: questions to ask). Default: the "
        "paper's number.",
        name="top_n",
        default=False,
    )
    options: tuple[str, ...] = option(
        (),
        EVIDENCE,
        "Set an option of the approach; repeatable.",
        name="option",
        flag="--set",
        metavar="NAME=VALUE",
        many=True,
    )
    before: str | None = option(
        None, EVIDENCE, "Exclude pages dated later: YYYY-MM-DD, or claim-date."
    )
    exclude_sites: Path | None = option(
        None,
        EVIDENCE,
        "Exclude the sites of this list; the word default takes ours.",
        default=False,
    )
    undated: bool = option(True, EVIDENCE, "Keep pages without a date.")
    file_dates: bool = option(
        False, EVIDENCE, "For --before, a document is as old as its file says it is."
    )
    granularity: str | None = option(
        None,
        EVIDENCE,
        "What a vote reads: sentence, passages (what was found close together, with the sentences "
        "around it), window:N around a sentence, or document.",
        default="sentence; of your own documents passages",
    )
    documents: bool = False
    """checked against a user's documents"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """A program's own table rows."""

    approach: ApproachSpec | None = None
    rule: Rule | None = None
    voter: VoterSpec | None = None


NO_PARTS = Parts()
