"""The real command line with stand-ins for the models, as a process of its own.

`python -m tests.standins SECONDS index DATA …` is `uhhrag index DATA …`, but no model is loaded and
each text embedded and each prompt answered takes SECONDS: everything else is as it is in use, from
the look-up of the models to the memory of replies. "ready" on standard output says that all is
imported. With UHHRAG_GATE="3 FILE" the models answer three calls, and more once FILE is there.
"""

from __future__ import annotations

import itertools
import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tests.support.command import ended_with
from tests.support.doubles import bytes_of
from tests.support.paths import SAMPLE
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.cli import main as uhhrag
from uhhrag.records import Prompt

DIMENSION = 16
CLAIMS = 3


def make_models(folder: Path) -> tuple[Path, Path]:
    """Files that stand where a model's would: an embedder's folder, and a .gguf file."""
    embedder, llm = folder / "stand-in", folder / "stand-in.gguf"
    embedder.mkdir(parents=True, exist_ok=True)
    (embedder / "modules.json").write_text("[]")
    llm.write_bytes(b"GGUF")
    return embedder, llm


def question(prompt: Prompt) -> str:
    return f"What is known of {len(prompt.body)} things?"


def letter(prompt: Prompt) -> str:
    return "AB"[len(prompt.text) % 2]


def put_in_place(seconds: float, asked: Path | None = None) -> None:
    """Replace what loads the models in this process."""
    from uhhrag.backends import sentence_transformer
    from uhhrag.backends.llamacpp import model as llamacpp

    words = hashing_embedder(DIMENSION)
    script = {"ask_about": question, "decompose": question, "vote_constrained": letter}
    llm = scripted_llm({**script, "label_constrained": letter})

    calls = itertools.count(1)

    def count(what: str, how_many: int) -> None:
        time.sleep(seconds * how_many)
        free, file = os.environ.get("UHHRAG_GATE", "0 /").split()
        while next(calls) > int(free) and not Path(file).exists():
            time.sleep(0.01)
        if asked:
            with asked.open("a") as file:
                file.write(f"{what} {how_many}\n")

    def embed(texts: Sequence[str], /) -> Any:
        count("embedded", len(texts))
        rows = words(texts) + np.float32(0.01)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def answer(prompts: Sequence[Prompt], ask: Any, /) -> Any:
        count("prompted", len(prompts))
        return llm(prompts, ask)

    sentence_transformer.load = lambda *_, **__: embed  # type: ignore[assignment]
    llamacpp.load = lambda *_, **__: answer  # type: ignore[assignment]


def import_all() -> None:
    """What the commands import when they run."""
    import uhhrag.folders
    import uhhrag.indexing.build
    import uhhrag.runs.run_folder
    import uhhrag.runs.stages
    import uhhrag.wiring.pipeline
    import uhhrag.wiring.voters  # noqa: F401
    from uhhrag.wiring import nltk_data

    nltk_data.load_nltk_data()


class Commands:
    """The command line in this process, with stand-ins for the models."""

    def __init__(self, folder: Path, models: Path) -> None:
        self.folder = folder
        self.embedder, self.llm = make_models(models)
        self.index, self.run = folder / "index", folder / "run"
        options = ("--out", self.index, "--limit", CLAIMS, "--embedder", self.embedder)
        self.to_index = options
        named = ("--llm", self.llm, "--embedder", self.embedder)
        self.to_predict = ("--index", self.index, "--out", self.run, "--top-n", 3, *named)

    def __call__(self, *words: object) -> int:
        return ended_with(*words)

    def build(self, *more: object) -> int:
        return self("index", SAMPLE, *self.to_index, *more)

    def predict(self, *more: object) -> int:
        return self("predict", *self.to_predict, *more)

    def verify(self, folder: Path) -> int:
        return self("check-files", folder)


def results(commands: Commands) -> dict[str, bytes]:
    left_out = ("timings.jsonl", "replies.sqlite")
    every = {**bytes_of(commands.index), **bytes_of(commands.run)}
    return {name: c for name, c in every.items() if not Path(name).name.startswith(left_out)}


def main() -> None:
    put_in_place(float(sys.argv[1]))
    import_all()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sys.argv[1:] = sys.argv[2:]
    uhhrag()


if __name__ == "__main__":
    main()
