"""`uhhrag compare`, `convert`, `report`, `verify` and `merge`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake, flip

MISTAKES = (
    # compare and convert
    Mistake("one run to compare", "uhhrag compare said.json --gold gold.json", 2, "B"),
    Mistake(
        "a run that is not there", "uhhrag compare no.json said.json --gold gold.json", 3, "give"
    ),
    Mistake("an unknown format", "uhhrag convert said.json said.txt", 2, "use .json or .csv"),
    Mistake("nothing to convert", "uhhrag convert nowhere.json said.csv", 3, "give"),
    Mistake("a conversion onto itself", "uhhrag convert said.json said.json", 2, "another file"),
    Mistake("a run's own predictions", "uhhrag convert run run/predictions.json", 2, "another"),
    Mistake("a file in a file", "uhhrag convert said.json gold.json/said.csv", 2, "give another"),
    # report, verify and merge
    Mistake("a report on no run", "uhhrag report nowhere", 7, "give"),
    Mistake("a report on an index", "uhhrag report index", 7, "give"),
    Mistake(
        "a report on a damaged run", "uhhrag report run", 7, "--repair", flip("run/trace.jsonl")
    ),
    Mistake("a report into nowhere", "uhhrag report run --out gold.json/r.html", 2, "give another"),
    Mistake("a report onto its run", "uhhrag report run --out run/trace.jsonl", 2, "another file"),
    Mistake("gold that is not there", "uhhrag report run --gold nowhere.json", 3, "give"),
    Mistake("nothing to verify", "uhhrag check-files nowhere", 3, "give one that"),
    Mistake("a folder of something else", "uhhrag check-files dev", 3, "give one that"),
    Mistake(
        "a damaged file of an index",
        "uhhrag check-files index",
        4,
        "--repair",
        flip("index/claims/1/vectors.faiss"),
    ),
    Mistake(
        "a damaged line of a run", "uhhrag check-files run", 7, "--repair", flip("run/trace.jsonl")
    ),
    Mistake("one folder to merge", "uhhrag merge joined", 2, "PART"),
    Mistake("a part that is not there", "uhhrag merge joined index nowhere", 3, "give one that"),
    Mistake("a run and an index merged", "uhhrag merge joined index run", 2, "join one kind"),
    Mistake("indexes of two embedders", "uhhrag merge joined index foreign", 4, "cannot be joined"),
    Mistake("an invalid share", "uhhrag index data --shard 4/3", 2, "1/3"),
    Mistake("a share in words", "uhhrag predict --shard some", 2, "1/3"),
)
