"""A whole run without a model, whose replies depend on their prompts alone.

As a program, `python -m tests.small_run FOLDER`, it leaves one run folder for each moment of
writing at which its process was killed.
"""

from __future__ import annotations

import itertools
import os
import signal
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from uhhrag.approaches import Plain
from uhhrag.approaches.retrieve_question import retrieve_question
from uhhrag.backends.fakes import hashing_embedder, scripted_llm
from uhhrag.pipeline import Decider, Method
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import EvidenceSource, Tools, VotingModels
from uhhrag.records import Claim, Failure, Hit, Passage, Prompt, Verdict
from uhhrag.rules.learned import NEWS
from uhhrag.rules.rules import RULES, Decoding, Rule
from uhhrag.runs import run_folder
from uhhrag.runs.predict import predict
from uhhrag.voters.language_model import open_language_model
from uhhrag.voters.opening import Opening

CLAIMS = (
    Claim(0, "The bridge at Varnby is open.", "31-10-2020", "The mayor"),
    Claim(1, "Snow fell on Amber Hill in July — “a metre”, they say."),
    Claim(2, "The library lends 400 books a day."),
    Claim(3, "No ship has called at the port since May."),
)
TEXTS = (
    "The bridge at Varnby opened to traffic in May.",
    "It has not snowed on Amber Hill in July since 1911.",
    "The library lends 390 books on most days.",
    "A ship called at the port in June; the crew spoke of “fog”.",
    "The mayor opened the bridge.",
)
HEADER: dict[str, Any] = {
    "signature": "approach:small|top:3|version:0",
    "prompts": {"hash": "5" * 64, "texts": {}},
}
EMBED = hashing_embedder()


def _question(prompt: Prompt) -> str:
    return f"What is known of {len(prompt.body)} things?"


def _letter(prompt: Prompt) -> str:
    return "AB"[len(prompt.text) % 2]


LLM = scripted_llm({"ask_about": _question, "vote_constrained": _letter})
PROMPTS = load_prompts()


def by(rule: Rule, llm: Any = LLM, decoding: Decoding = Decoding.CONSTRAINED) -> dict[str, Any]:
    """The fields of a method by which a language model votes for a rule, uncalibrated."""
    opening = Opening(
        rule=rule, decoding=decoding, prompts=PROMPTS, field=NEWS, calibration=Path("none")
    )
    voter = open_language_model(opening).voter
    models = VotingModels(llm=llm)
    return {"voter": voter, "models": models, "join": rule.join, "own": rule.own}


METHOD = Method(retrieve_question, 3, Plain(), Tools(EMBED, LLM, PROMPTS), **by(RULES["majority"]))


def corpus_for(claim: Claim) -> EvidenceSource:
    """Five passages, equal for every claim; the first stands on two pages, the last on none."""
    urls = [("https://a.example", "https://b.example"), *[("https://c.example",)] * 3, ()]
    passages = tuple(map(Passage, TEXTS, urls))

    def search(query: str, top: int, /) -> list[Hit]:
        scores = EMBED([p.text for p in passages]) @ EMBED([query])[0]
        hits = (Hit(p, float(s)) for p, s in zip(passages, scores, strict=True))
        return sorted(hits, key=lambda hit: -hit.score)[:top]

    return EvidenceSource(search)


def run_all(
    folder: Path,
    method: Method = METHOD,
    claims: Iterable[Claim] = CLAIMS,
    search: Any = corpus_for,
    **options: Any,
) -> Iterator[Verdict | Failure]:
    """What the command does: open the folder, decide what is left."""
    flags = {"overwrite": False, "repair": False, **options}
    with run_folder.open_run(folder, HEADER, **flags) as opened:
        left = [claim for claim in claims if claim.id not in opened.done]
        yield from predict(left, [Decider(search, method)], opened)


def with_llm(asker: Any = LLM, voter: Any = LLM, embed: Any = EMBED) -> Method:
    models = VotingModels(llm=voter)
    return replace(METHOD, tools=Tools(embed, asker, PROMPTS), models=models)


def results(folder: Path) -> tuple[bytes, bytes]:
    """What must not depend on how often a run was stopped."""
    return (folder / "trace.jsonl").read_bytes(), (folder / "predictions.json").read_bytes()


def _die_at(moment: int, folder: Path) -> None:
    """Kill this process as it touches a file below the folder for the moment-th time."""
    touched = itertools.count()

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        touches = event in ("open", "os.rename", "os.remove") and str(folder) in str(arguments[0])
        if touches and next(touched) == moment:
            os.kill(os.getpid(), signal.SIGKILL)

    sys.addaudithook(watch)


def _killed_at_every_moment(parent: Path) -> None:
    for moment in itertools.count():
        folder = parent / str(moment)
        child = os.fork()
        if not child:
            _die_at(moment, folder)
            list(run_all(folder))
            os._exit(0)
        if os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0:
            return


if __name__ == "__main__":
    _killed_at_every_moment(Path(sys.argv[1]))
