"""`uhhrag evaluate`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake, no_words

_EVALUATE = "uhhrag evaluate said.json --gold"
_SCORE = "uhhrag evaluate {} --gold gold.json"

MISTAKES = (
    Mistake("nothing to score", "uhhrag evaluate --gold gold.json", 2, "name a prediction file"),
    Mistake("no gold named", "uhhrag evaluate said.json", 2, "--gold"),
    Mistake(
        "a run twice", "uhhrag table said.json said.json --gold gold.json", 2, "name each once"
    ),
    Mistake("gold that is not there", f"{_EVALUATE} nowhere.json", 3, "give"),
    Mistake("gold without labels", f"{_EVALUATE} unlabelled.json", 3, "give"),
    Mistake("a label of one's own", f"{_EVALUATE} label.json", 3, "is not one of"),
    Mistake("gold without questions", f"{_EVALUATE} unasked.json", 3, "give"),
    Mistake("a question without answers", f"{_EVALUATE} unanswered.json", 3, "add it"),
    Mistake("predictions not there", _SCORE.format("nowhere.json"), 3, "give"),
    Mistake("a folder without predictions", _SCORE.format("empty"), 3, "give"),
    Mistake("predictions cut short", _SCORE.format("cut.json"), 3, "copy it again"),
    Mistake("predictions that are no list", _SCORE.format("object.json"), 3, "it must be a list"),
    Mistake("a prediction without label", _SCORE.format("nolabel.json"), 3, "add it"),
    Mistake("a claim number in words", _SCORE.format("word.json"), 3, "must be the claim's"),
    Mistake("one id missing", _SCORE.format("noid.json"), 3, "give"),
    Mistake("evidence without question", _SCORE.format("noquestion.json"), 3, "add it"),
    Mistake("evidence that is a text", _SCORE.format("textual.json"), 3, "must be a list"),
    Mistake("a table without a column", _SCORE.format("columns.csv"), 3, "needs id,claim"),
    Mistake("evidence without marks", _SCORE.format("marks.csv"), 3, "write"),
    Mistake("an unknown format", _SCORE.format("said.json --per-claim x.xls"), 2, "use one of"),
    Mistake(
        "scores of no run",
        "uhhrag evaluate --trec run.trec --gold gold.json --per-claim x.csv",
        2,
        "needs a prediction file",
    ),
    Mistake("no language data", _SCORE.format("said.json"), 5, "run: uhhrag models pull", no_words),
    Mistake("no processes", _SCORE.format("said.json --workers 0"), 2, "give"),
    Mistake("no resamples", _SCORE.format("said.json --resamples 0"), 2, "give"),
    Mistake("a judge without its measure", _SCORE.format("said.json --judge llm"), 2, "add it"),
    Mistake(
        "an option of another judge",
        _SCORE.format("said.json --measure ev2r --llm qwen3-14b"),
        2,
        "belongs to --judge llm",
    ),
    Mistake(
        "a judge without predictions",
        "uhhrag evaluate --trec run.trec --gold gold.json --measure ev2r",
        2,
        "needs a prediction file",
    ),
    Mistake("a ranking not judged", _SCORE.format("--trec run.trec"), 2, "needs --qrels"),
    Mistake("no ranking there", _SCORE.format("--trec no.trec --qrels qrels.txt"), 3, "give"),
    Mistake(
        "a folder without rankings", _SCORE.format("--trec empty --qrels qrels.txt"), 3, "write"
    ),
    Mistake(
        "a ranking cut short", _SCORE.format("--trec short.trec --qrels qrels.txt"), 3, "needs"
    ),
    Mistake("a score in words", _SCORE.format("--trec word.trec --qrels qrels.txt"), 3, "give"),
    Mistake(
        "judgements of no claim", _SCORE.format("--trec run.trec --qrels noclaim.jsonl"), 3, "with"
    ),
)
