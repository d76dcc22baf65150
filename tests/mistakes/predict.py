"""`uhhrag predict`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake, another_shape, flip, overwrite, without

MISTAKES = (
    Mistake("no index there", "uhhrag predict --index nowhere", 4, "run: uhhrag index"),
    Mistake("a folder that is not an index", "uhhrag predict --index data", 4, "run: uhhrag index"),
    Mistake("an index of another model", "uhhrag predict --index foreign", 4, "run: uhhrag index"),
    Mistake("an unknown approach", "uhhrag predict --approach guess", 2, "it is one of"),
    Mistake("an unknown rule", "uhhrag predict --rule dice", 2, "it is one of"),
    Mistake("a verdict that no approach gives", "uhhrag predict --rule early", 2, "another rule"),
    Mistake("an unknown decoding", "uhhrag predict --decoding beam", 2, "'constrained', 'paper'"),
    Mistake("an unknown kind of question", "uhhrag predict --questions none", 2, "'llm'"),
    Mistake("no evidence wanted", "uhhrag predict --top-n 0", 2, "give 1 or more"),
    Mistake("an invalid number", "uhhrag predict --top-n many", 2, "integer"),
    Mistake("an option the approach lacks", "uhhrag predict --set mood=good", 2, "options"),
    Mistake("an invalid date", "uhhrag predict --before someday", 2, "give YYYY-MM-DD"),
    Mistake("a missing list of sites", "uhhrag predict --exclude-sites nowhere", 3, "give a text"),
    Mistake("a claim the index lacks", "uhhrag predict --claim 99", 2, "uhhrag index makes more"),
    Mistake("no claims wanted", "uhhrag predict --limit 0", 2, "give 1 or more"),
    Mistake("no place for workers", "uhhrag predict --ray many", 2, "give their number"),
    Mistake("no threads", "uhhrag predict --threads 0", 2, "give 1 or more"),
    Mistake("a seed that is no number", "uhhrag predict --seed x", 2, "integer"),
    Mistake("a seed for no examples", "uhhrag predict --seed 3", 2, "give --examples"),
    Mistake("a reranker nobody asks", "uhhrag predict --reranker other", 2, "leave it out"),
    Mistake(
        "an NLI model that checks nothing",
        "uhhrag predict --approach entailed-qa --set entailment=no --nli empty",
        2,
        "leave one out",
    ),
    Mistake("a model nobody knows", "uhhrag predict --llm nowhere", 5, "models list"),
    Mistake("a model file that is not there", "uhhrag predict --llm no.gguf", 5, "models list"),
    Mistake(
        "a model not yet fetched", "uhhrag predict --llm smollm2-135m", 5, "run: uhhrag models"
    ),
    Mistake("a folder as language model", "uhhrag predict --llm empty", 5, "takes one or a .gguf"),
    Mistake("a file that is no model", "uhhrag predict --llm notes.gguf", 5, "fetch it again"),
    Mistake(
        "an embedder as language model", "uhhrag predict --llm minilm", 5, "run: uhhrag models"
    ),
    Mistake("a folder of templates not there", "uhhrag predict --prompts nowhere", 6, "takes a"),
    Mistake("a folder without templates", "uhhrag predict --prompts empty", 6, "it may hold"),
    Mistake("a template without a slot", "uhhrag predict --prompts lacking", 6, "add it where"),
    Mistake("a slot nobody fills", "uhhrag predict --prompts strange", 6, "it can have"),
    Mistake("a dollar sign by itself", "uhhrag predict --prompts dollar", 6, "write $$"),
    Mistake("a template of another name", "uhhrag predict --prompts unknown", 6, "the names are"),
    Mistake(
        "a calibration not there", "uhhrag predict --calibration no.json", 3, "uhhrag calibrate"
    ),
    Mistake(
        "a file that is not a calibration", "uhhrag predict --calibration notes.json", 3, "make one"
    ),
    Mistake(
        "another model's calibration", "uhhrag predict --calibration calibration.json", 2, "make"
    ),
    Mistake("no training file there", "uhhrag predict --examples nowhere.json", 3, "give"),
    Mistake("too few examples", "uhhrag predict --examples few.json", 3, "it needs"),
    Mistake("no file of examples", "uhhrag predict --examples notes.json", 3, "give"),
    Mistake("a run with other settings", "uhhrag predict --out run --top-n 3", 7, "--overwrite"),
    Mistake("an index in place of the run", "uhhrag predict --out index", 7, "of its own by --out"),
    Mistake("a file in place of the run", "uhhrag predict --out gold.json", 7, "another --out"),
    Mistake(
        "a damaged line of the trace",
        "uhhrag predict --out run",
        7,
        "--repair",
        flip("run/trace.jsonl"),
    ),
    Mistake("a trace of something else", "uhhrag predict --out run", 7, "--repair", another_shape),
    Mistake(
        "a damaged run.json",
        "uhhrag predict --out run",
        7,
        "--repair",
        overwrite("run/run.json", "{"),
    ),
    Mistake(
        "a run without run.json",
        "uhhrag predict --out run",
        7,
        "another --out",
        without("run/run.json"),
    ),
    Mistake(
        "a claim whose vectors are damaged",
        "uhhrag predict --out new",
        8,
        "run the same command again",
        flip("index/claims/1/vectors.faiss"),
    ),
)
