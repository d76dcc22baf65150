from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from uhhrag import defaults
from uhhrag.approaches import APPROACHES, ApproachSpec
from uhhrag.config.option import EVIDENCE, MODELS, VERDICT, Checked, option
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
        f"A paper's system: {', '.join(recipe_names())}, or a .toml file; other options take "
        "precedence.",
        EVIDENCE,
    )
    verdict: str | None = option(None, "The old name of rule.", VERDICT, hidden=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Common(Checked):
    """Choices in their final type."""

    approach: str = option(
        defaults.APPROACH, f"How evidence is found: {', '.join(APPROACHES)}.", EVIDENCE
    )
    questions: Questions = option(
        Questions.AUTO,
        "Where questions come from: the model, one constant question (template), or both (mixed: "
        "the model's for the nearer half of the passages); auto: mixed for retrieve-question, "
        "else llm. Default for check and serve --docs: template, unless a model is named.",
        EVIDENCE,
    )
    answers: Answers = option(
        Answers.WINDOW,
        "What an answer in predictions.json is: the sentence that was found, or a window, with "
        "the sentences before and after it. Votes read neither more nor less.",
        EVIDENCE,
    )
    decoding: Decoding = option(
        Decoding.CONSTRAINED,
        "How votes are read: from probabilities of letters, or from text.",
        VERDICT,
    )
    voter: str = option(
        AUTO,
        "Who casts the votes: the language model, the verifier or both; auto: whoever was right "
        "more often on training claims.",
        VERDICT,
        words=lambda: (AUTO, *VOTERS),
    )
    verifier: str | None = option(
        None,
        "A verifier: a folder, a .gguf file, a server's address or a name of uhhrag models list. "
        "Default: the shipped one.",
        VERDICT,
        metavar="MODEL",
    )
    learned: Path | None = option(
        None,
        "A file made by uhhrag train verdict. Default: the shipped one.",
        VERDICT,
        metavar="FILE",
    )
    llm: str = option(
        defaults.LLM,
        "A model's name (uhhrag models list), a .gguf file, or the address of an "
        "OpenAI-compatible server; several servers share the claims.",
        MODELS,
        many=True,
    )
    reranker: str = option(
        defaults.RERANKER, "The cross-encoder of entailed-qa: a name or an ONNX folder.", MODELS
    )
    nli: Path | None = option(
        None, "NLI model folder for entailed-qa. Default: the language model.", MODELS
    )
    lora: Path | None = option(None, "A LoRA adapter (GGUF) of the model.", MODELS)
    prompts: Path | None = option(None, "A folder with templates that replace ours.", MODELS)
    examples: Path | None = option(
        None, "An AVeriTeC training file to draw few-shot examples from.", MODELS
    )
    calibration: Path | None = option(
        None, "A file made by uhhrag calibrate, or none to turn it off.", VERDICT
    )
    seed: int = option(defaults.SEED, "Seed for drawing --examples.", MODELS)
    abstain_below: float = option(
        0.0, "A verdict with less confidence is Not Enough Evidence.", VERDICT, least=0, most=1
    )
    nearest: float = option(
        0.0,
        "Leave out sentences less similar than this; 0 leaves out none.",
        EVIDENCE,
        default="0",
        least=0,
        most=0.99,
    )

    @property
    def calibrated(self) -> bool:
        return self.calibration not in (None, Path("none"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices(Common):
    """What can change a run's results, as written; run.json records it."""

    rule: str | None = option(
        None,
        f"How votes become a label: {', '.join(RULES)}. Default: the paper's rule; for check and "
        "serve --docs, learned.",
        VERDICT,
    )
    top: int | None = option(
        None,
        "Most pieces of evidence to keep (question-retrieve: questions to ask). Default: the "
        "paper's number.",
        EVIDENCE,
        name="top_n",
        least=1,
    )
    options: tuple[str, ...] = option(
        (),
        "Set an option of the approach; repeatable.",
        EVIDENCE,
        name="option",
        flag="--set",
        metavar="NAME=VALUE",
        many=True,
    )
    before: str | None = option(
        None, "Exclude pages dated later: YYYY-MM-DD, or claim-date.", EVIDENCE
    )
    exclude_sites: Path | None = option(
        None, "Exclude the sites of this list; the word default takes ours.", EVIDENCE
    )
    undated: bool = option(True, "Keep pages without a date.", EVIDENCE)
    file_dates: bool = option(
        False, "For --before, a document is as old as its file says it is.", EVIDENCE
    )
    granularity: str | None = option(
        None,
        "What a vote reads: sentence, passages (what was found close together, with the sentences "
        "around it), window:N around a sentence, or document.",
        EVIDENCE,
        default="sentence; of your own documents passages",
    )
    documents: bool = False
    """checked against a user's documents"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    approach: ApproachSpec | None = None
    rule: Rule | None = None
    voter: VoterSpec | None = None


NO_PARTS = Parts()
