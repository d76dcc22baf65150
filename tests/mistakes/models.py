"""`uhhrag bench-llm`, `train` and `models`."""

from __future__ import annotations

from tests.mistakes.mistake import Mistake

MISTAKES = (
    # bench-llm
    Mistake("a server to measure", "uhhrag bench-llm --llm http://127.0.0.1:1", 2, "only models"),
    # train
    Mistake(
        "a base model not yet fetched",
        "uhhrag train verifier --pairs pairs.jsonl --out verifier",
        5,
        "run: uhhrag models pull",
    ),
    Mistake("no pairs to score", "uhhrag train score", 2, "'--pairs'"),
    # models
    Mistake("a model nobody knows", "uhhrag models pull nonsense", 5, "there are"),
    Mistake("a source nobody knows", "uhhrag models pull minilm --source moon", 2, "'hub'"),
    Mistake("no model named", "uhhrag models pull", 2, "NAME"),
    Mistake("where nothing is", "uhhrag models path minilm", 5, "run: uhhrag models pull"),
    Mistake("a path to nothing", "uhhrag models path nowhere.gguf", 5, "models list"),
)
