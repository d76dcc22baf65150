"""Runs whose bytes are kept in tests/golden: every recipe, approach and voter, by models that are
exact, so that no processor gives another digit.

`python -m tests.support.golden_runs` writes the file anew.
"""

from __future__ import annotations

import hashlib
import json
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
from numpy.typing import NDArray

import uhhrag
from tests.support.doubles import load_nltk_data
from tests.support.paths import ROOT, SAMPLE
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.documents.formats import FORMATS
from uhhrag.protocols import Reranker
from uhhrag.records import PickOne, Prompt, Reply, Represent
from uhhrag.runs.run_folder import read_header
from uhhrag.runs.trace import read_trace
from uhhrag.voters import calibration
from uhhrag.wiring import rerankers, verifiers
from uhhrag.wiring.machine import Loaded
from uhhrag.wiring.verifiers import LoadedVerifier

FILE = ROOT / "tests/golden/runs.json"
SMALL = ROOT / "tests/golden/runs-smollm2.json"
DIMENSION = 64
WIDTH = 1536
"""The width of the model that the shipped reader was fitted to."""


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8])


def embed(texts: Sequence[str], /) -> NDArray[np.float32]:
    """Rows of ±1/8: their products are sums of 64ths, whatever adds them up."""
    rows = np.zeros((len(texts), DIMENSION))
    for row, text in zip(rows, texts, strict=True):
        for word in text.lower().split():
            bits = _number(word)
            row += [1.0 if bits >> place & 1 else -1.0 for place in range(DIMENSION)]
    return (np.where(rows >= 0, 1.0, -1.0) / math.sqrt(DIMENSION)).astype(np.float32)


_WRITTEN: Mapping[str, Sequence[str]] = {
    "vote_paper": ('{"label": "Supported", "score": 0.9}', '{"label": "Refuted"}', "no label"),
    "label_paper": ('{"label": "Supported"}', '{"label": "Refuted"}', "?"),
    "pairs_paper": ("[[A]]", "So [[B]].", "[[A]] or [[B]]"),
    "justify": ("They say so.\nLabel: Supported", "No.\nLabel: Refuted", "Who knows?"),
    "grade_paper": ("Mostly true", "false", "?"),
    "yes_no": ("yes", "no"),
}
_ASKED = ("Who said so in May?\nWhere was it said?", "What is known?", "When was it?")


def llm(prompts: Sequence[Prompt], ask: Any, /) -> list[Reply]:
    """What follows from a prompt's text alone."""
    return [_reply(prompt, ask) for prompt in prompts]


def _reply(prompt: Prompt, ask: Any) -> Reply:
    number = _number(prompt.step + prompt.text)
    if isinstance(ask, Represent):
        state = tuple((number >> place % 60 & 7) / 8 - 0.5 for place in range(WIDTH))
        return Reply("", prompt_tokens=9, state=state)
    if isinstance(ask, PickOne):
        weights = [1 + (number >> 8 * place & 255) for place in range(len(ask.options))]
        logarithms = tuple(math.log(weight / 2048) for weight in weights)
        best = ask.options[weights.index(max(weights))]
        return Reply(best, logarithms, prompt_tokens=9)
    lines = _WRITTEN.get(prompt.step, _ASKED)
    return Reply(lines[number % len(lines)], prompt_tokens=9, reply_tokens=3)


def entailment(pairs: Sequence[tuple[str, str]], /) -> list[tuple[float, float, float]]:
    """Thirds of a hash of both texts, in 1024ths."""
    return [_shares(_number("\n".join(pair))) for pair in pairs]


def _shares(number: int) -> tuple[float, float, float]:
    first, second = sorted((1 + number % 1022, 1 + number // 1022 % 1022))
    return first / 1024, (second - first) / 1024, (1024 - second) / 1024


def _relevance(query: str, texts: Sequence[str], /) -> NDArray[np.float32]:
    words = set(query.lower().split())
    return np.array([len(words & set(text.lower().split())) for text in texts], np.float32)


RERANKER = Loaded(Reranker(_relevance, lambda text: len(text.split()), 512), "words@0")


def _shipped(step: str) -> str:
    """A fingerprint that the shipped calibrations and learned verdicts were fitted to."""
    entries = calibration.read_entries(calibration.SHIPPED)
    return next(e.model.split("+")[0] for e in entries if e.step == step)


VERIFIER = LoadedVerifier(entailment, _shipped("verifier"))
EMBEDDER = Loaded(embed, "exact")
MEASURED = Loaded(llm, _shipped("vote_constrained"))
"""Has the fingerprint of the model that the shipped reader and calibrations were fitted to."""
OTHER = Loaded(llm, "another")

PREDICT: Mapping[str, Mapping[str, Any]] = {
    "uhh": {"recipe": "uhh"},
    "papelo": {"recipe": "papelo", "before": None},
    "fzi-wim": {"recipe": "fzi-wim"},
    "chen": {"recipe": "chen"},
    "letters": {"voter": "llm"},
    "letters, all": {"voter": "llm", "rule": "all"},
    "letters, weighted": {"voter": "llm", "rule": "weighted", "abstain_below": 0.6},
    "letters, uncalibrated": {"voter": "llm", "rule": "baseline", "calibration": "none"},
    "letters, six-point": {"voter": "llm", "rule": "six-point"},
    "letters, questions first": {"approach": "question-retrieve", "rule": "unanimous"},
    "pursuit": {"approach": "pursuit"},
    "pursuit, early": {"approach": "pursuit", "rule": "early-pairs"},
    "summaries": {"approach": "summaries"},
    "another model": {"llm": OTHER},
    "verifier": {"voter": "verifier"},
    "verifier, no model": {"voter": "verifier", "questions": "template", "granularity": "window:1"},
    "verifier, learned": {"voter": "verifier", "rule": "learned", "nearest": 0.2},
    "both": {"voter": "both"},
    "both, template": {"voter": "both", "questions": "template", "rule": "weighted"},
    "both, learned": {"voter": "both", "rule": "learned"},
    "both, no reader": {"voter": "both", "llm": OTHER, "rule": "baseline"},
}
CHECK: Mapping[str, Mapping[str, Any]] = {
    "default": {"llm": None},
    "default of a model": {},
    "letters": {"voter": "llm", "calibration": None},
    "verifier": {"voter": "verifier", "rule": "majority"},
    "both": {"voter": "both", "rule": "baseline"},
    "retrieve all": {"voter": "llm", "rule": "all", "nearest": 0.0},
}
BY_SMALL: Mapping[str, Mapping[str, Any]] = {
    "letters": {"voter": "llm"},
    "letters, questions first": {"voter": "llm", "approach": "question-retrieve"},
    "text": {"voter": "llm", "decoding": "paper", "rule": "all"},
    "verifier": {"voter": "verifier"},
    "both": {"voter": "both"},
}
EVERY_FORMAT = "check, every format"
CLAIMS = (
    "The ferry of Lunde was sold in 2019.",
    "The harbour has 40 berths.",
    "Spending on schools came to 21 million crowns.",
)
DOCUMENTS = {
    "ferry.md": "# The ferry of Lunde\n\nIt was sold in 2021. The harbour has 40 berths.\n\n"
    "## Prices\n\nA ticket costs 30 crowns. They were raised in May.\n",
    "budget.html": "<title>Budget of Varnby</title><h1>Schools</h1><p>Spending came to 18 million "
    "crowns.</p><h1>Roads</h1><p>Spending came to 9 million crowns. It fell.</p>",
    "minutes.txt": "The council met on 3 May. The mayor of Varnby opened the harbour.\n"
    "Is the ferry sold? Nobody knew.\n",
    "berths.csv": "harbour,berths\nLunde,40\nVarnby,25\n",
}


def every_format() -> dict[str, bytes]:
    """A small file of each format that is read without recognising text in pictures."""
    from tests.fuzz.documents import DOCUMENTS as READERS

    good = {reader.name.removeprefix("document, "): reader.seeds[0] for reader in READERS}
    del good["picture"]
    return {f"{k}{row.endings[0]}": good[k] for k, row in FORMATS.items() if k in good}


def digest(value: Any) -> str:
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:16]


def seen(folder: Path) -> dict[str, Any]:
    """What a run folder holds that must not change: what follows from a machine or a version is
    left out, and evidence is told apart from what is made of it."""
    header = read_header(folder)
    parts = header["signature"].split("|")
    records = list(read_trace(folder / "trace.jsonl"))
    evidence = [list(map(_without_places, record.pop("evidence"))) for record in records]
    for record in records:
        for of_the_machine in ("run", "passages"):  # hashes of versions, of what was read
            record.pop(of_the_machine, None)
    rest = {k: header[k] for k in ("settings", "calibration", "index", "models")}
    settings = {k: str(v) for k, v in rest["settings"].items()}
    return {
        "signature": "|".join(p for p in parts if not p.startswith(("with:", "code:", "version:"))),
        "header": digest(rest | {"settings": settings}),
        "labels": [record.get("label", record.get("error")) for record in records],
        "confidence": [round(record.get("confidence") or 0, 4) for record in records],
        "records": digest(records),
        "evidence": digest(evidence),
        "predictions": hashlib.sha256((folder / "predictions.json").read_bytes()).hexdigest()[:16],
    }


def _without_places(item: dict[str, Any]) -> dict[str, Any]:
    """Evidence without what traces did not hold when these runs were kept."""
    return {key: value for key, value in item.items() if key not in ("places", "before")}


def runs(folder: Path) -> dict[str, Callable[[], dict[str, Any]]]:
    """Every run by its name, made in a folder when it is called."""
    index = folder / "index"
    load_nltk_data()
    uhhrag.index(SAMPLE, index, embedder=EMBEDDER)
    docs = folder / "docs"
    docs.mkdir()
    for name, text in DOCUMENTS.items():
        (docs / name).write_text(text)

    def predicted(name: str) -> dict[str, Any]:
        options = {"llm": MEASURED, **PREDICT[name]}
        out = folder / f"predict {name}"
        with stand_ins():
            uhhrag.predict(index, out, embedder=EMBEDDER, **options)  # type: ignore[arg-type]
        return seen(out)

    def checked(name: str) -> dict[str, Any]:
        given = {"llm": MEASURED, **CHECK[name]}
        options = {key: value for key, value in given.items() if value is not None}
        out = folder / f"check {name}"
        with stand_ins():
            uhhrag.check(CLAIMS, docs, work=folder / "work", out=out, embedder=EMBEDDER, **options)  # type: ignore[arg-type]
        return seen(out)

    def checked_in_every_format() -> dict[str, Any]:
        mixed, work, out = (folder / name for name in ("mixed", "read", "check mixed"))
        mixed.mkdir()
        for name, content in every_format().items():
            (mixed / name).write_bytes(content)
        with stand_ins():
            uhhrag.check("It rained all night.", mixed, work=work, out=out, embedder=EMBEDDER)
        (archive,) = work.glob("*/archive")
        read: dict[str, list[Any]] = {}
        for page in open_snapshot(archive).pages().values():
            read.setdefault(page.file or page.url, []).append(asdict(page))
        return seen(out) | {"read": {name: digest(pages) for name, pages in read.items()}}

    made = {EVERY_FORMAT: checked_in_every_format}
    made |= {f"predict, {name}": partial(predicted, name) for name in PREDICT}
    return made | {f"check, {name}": partial(checked, name) for name in CHECK}


def small_runs(folder: Path) -> dict[str, Callable[[], dict[str, Any]]]:
    """Runs of one claim by the small real models: both approaches that ask little, and every
    voter."""
    index = folder / "index"
    load_nltk_data()
    uhhrag.index(SAMPLE, index, claim=3)

    def predicted(name: str, options: Mapping[str, Any]) -> dict[str, Any]:
        out = folder / name
        uhhrag.predict(index, out, llm="smollm2-135m", top_n=3, **options)
        (record,) = read_trace(out / "trace.jsonl")
        return {
            "label": record["label"],
            "confidence": round(record.get("confidence") or 0, 2),
            "evidence": [item["answer"] for item in record["evidence"]],
            "votes": [[vote["label"], vote["reply"]] for vote in record["votes"]],
        }

    return {name: partial(predicted, name, options) for name, options in BY_SMALL.items()}


def stand_ins() -> ExitStack:
    """The verifier and the cross-encoder are those of this module."""
    stack = ExitStack()
    stack.enter_context(mock.patch.object(verifiers, "load_verifier", lambda *_, **__: VERIFIER))
    stack.enter_context(mock.patch.object(rerankers, "load_reranker", lambda *_: RERANKER))
    return stack


if __name__ == "__main__":
    for file, made_of in ((FILE, runs), (SMALL, small_runs)):
        with tempfile.TemporaryDirectory() as made_in:
            results = {name: run() for name, run in made_of(Path(made_in)).items()}
        file.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
