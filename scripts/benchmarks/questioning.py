"""Ways to make the questions of a claim, by what they score and what they cost.

The claims are of AVeriTeC's training set, each with ten answers that a published system retrieved;
gold is the annotators' questions and answers. Ways: a prompt for each answer, together
(`--questions llm`, the paper's); the same for the first five answers and one constant question for
the others (`--questions mixed`, what `predict` does); one prompt for all ten, in which the model
writes a numbered list; one constant question (`--questions template`). Only the questions differ.
Q and Q+A are the official Hungarian METEOR, seconds those of one claim by the clock.

Then, on the questions of the first way, what decoding by look-up could save: where the last two
tokens of a question stand in its claim or sentence, the tokens that follow them there are drafted,
at most five. A step computes the drafted tokens and gives those that are right, and one more.

usage: scripts/bench questioning [--llm MODEL] [--claims N] [--averitec DIR]
"""

import argparse
import json
import os
import re
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from llama_cpp import Llama

import uhhrag
from scripts.benchmarks.sides import commit, machine
from scripts.reference import reference_data
from uhhrag import models
from uhhrag.approaches.retrieve_question import nearer_half
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.evidence.steps import ask_about, constant_question, read_question
from uhhrag.prompts.templates import load_prompts
from uhhrag.protocols import LLM
from uhhrag.records import Claim, Generate, Hit, Passage, Prompt
from uhhrag.scores.bootstrap import Bootstrap

TOGETHER = (
    "You prepare the check of a claim. You are given the claim and numbered sentences from the "
    "web. For each sentence, write the one question that it answers and whose answer helps to "
    "decide whether the claim is true. Name people, places and dates in full. Reply with a "
    "numbered list of questions, one for each sentence, and nothing else.\n\n"
)
DRAFTED = 5
Way = Callable[[Claim, Sequence[str]], list[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--averitec", type=Path, default=reference_data(), help="reference data")
    parser.add_argument(
        "--llm", default="qwen2.5-coder-1.5b", help="a model's name or a .gguf file"
    )
    parser.add_argument("--claims", type=int, default=40)
    given = parser.parse_args()
    gold = json.loads((given.averitec / "train.json").read_text(encoding="utf-8"))
    every = json.loads((given.averitec / "train_retrieved.json").read_text(encoding="utf-8"))
    chosen = every[:: max(1, len(every) // given.claims)][: given.claims]
    by_text = {entry["claim"]: entry for entry in gold}
    annotated = [by_text[entry["claim"]] for entry in chosen]
    cases = [
        (Claim(place, entry["claim"]), [piece["answer"] for piece in entry["evidence"]])
        for place, entry in enumerate(chosen)
    ]
    gguf = models.path(given.llm)
    llm = llamacpp.load(gguf, threads=os.cpu_count() or 1)
    template = load_prompts()("ask_about")

    def each(claim: Claim, answers: Sequence[str]) -> list[str]:
        hits = [Hit(Passage(answer), 0.0) for answer in answers]
        return [piece.question for piece in ask_about(llm, template, claim, hits)]

    def mixed(claim: Claim, answers: Sequence[str]) -> list[str]:
        asked = nearer_half(len(answers))
        constant = [constant_question(claim)] * (len(answers) - asked)
        return [*each(claim, answers[:asked]), *constant]

    ways: dict[str, Way] = {
        "a prompt for each answer": each,
        "the same for the first half, then the constant question": mixed,
        "one prompt for all": lambda claim, answers: together(llm, claim, answers),
        "constant question": lambda claim, answers: [constant_question(claim)] * len(answers),
    }
    print(f"{machine()}, {commit()}, {given.llm}; {len(cases)} training claims\n")
    print("| way | Q | Q+A | seconds a claim | Q, Q+A less those of the first way |")
    print("|---|---:|---:|---:|---|")
    first: list[tuple[float, float]] = []
    asked: list[list[str]] = []
    for name, way in ways.items():
        begun = time.monotonic()
        questions = [way(claim, answers) for claim, answers in cases]
        seconds = (time.monotonic() - begun) / len(cases)
        scores = scored(annotated, cases, questions)
        first, asked = first or scores, asked or questions
        q, qa = np.mean(scores, axis=0)
        less = np.array(scores) - np.array(first)
        beside = ", ".join(difference(column) for column in less.T.tolist())
        print(f"| {name} | {q:.3f} | {qa:.3f} | {seconds:.1f} | {beside} |", flush=True)
    look_up(gguf, cases, asked)


def together(llm: LLM, claim: Claim, answers: Sequence[str]) -> list[str]:
    """The questions of one numbered list; the constant one where a number is missing."""
    numbered = "\n".join(f"{n}. {answer}" for n, answer in enumerate(answers, start=1))
    body = f"claim: {claim.text}\n{numbered}\n\nquestions:"
    prompt = Prompt("together", TOGETHER, body)
    reply = llm([prompt], Generate(40 * len(answers), stop=("\n\n",)))[0].text
    lines = dict(re.findall(r"^\s*(\d+)[.)]\s*(.+)$", reply, re.MULTILINE))
    numbers = range(1, len(answers) + 1)
    return [read_question(lines.get(str(n), "")) or constant_question(claim) for n in numbers]


def scored(
    gold: Sequence[object],
    cases: Sequence[tuple[Claim, Sequence[str]]],
    questions: Sequence[Sequence[str]],
) -> list[tuple[float, float]]:
    """Q and Q+A of each claim."""
    predictions = [
        {
            "claim_id": claim.id,
            "claim": claim.text,
            "pred_label": "Refuted",
            "evidence": [
                {"question": question, "answer": answer}
                for question, answer in zip(asked, answers, strict=True)
            ],
        }
        for (claim, answers), asked in zip(cases, questions, strict=True)
    ]
    with tempfile.TemporaryDirectory() as folder:
        files = Path(folder) / "predictions.json", Path(folder) / "gold.json"
        for file, content in zip(files, (predictions, gold), strict=True):
            file.write_text(json.dumps(content), encoding="utf-8")
        rows = uhhrag.evaluate(*files).rows
    return [(float(row["Q"]), float(row["Q+A"])) for row in rows]


def difference(values: Sequence[float]) -> str:
    """The mean with its 95 % bootstrap interval over claims."""
    bootstrap = Bootstrap()
    low, high = bootstrap.interval(bootstrap.draw(len(values)) @ np.array(values) / len(values))
    return f"{np.mean(values):+.3f} [{low:+.3f}, {high:+.3f}]"


def look_up(
    gguf: Path, cases: Sequence[tuple[Claim, Sequence[str]]], questions: Sequence[Sequence[str]]
) -> None:
    """Print what drafts from the claim and the sentence would be worth."""
    vocabulary = Llama(str(gguf), vocab_only=True, verbose=False)

    def tokens(text: str) -> list[int]:
        return list(vocabulary.tokenize(f" {text}".encode(), add_bos=False))

    written = steps = computed = 0
    for (claim, answers), asked in zip(cases, questions, strict=True):
        for answer, question in zip(answers, asked, strict=True):
            source, wanted = tokens(f"{claim.text}\n{answer}"), tokens(question)
            one, rows = steps_of(source, wanted)
            written, steps, computed = written + len(wanted), steps + one, computed + rows
    print(
        f"\nlook-up: {written / steps:.2f} tokens a step, {computed / written:.2f} tokens computed "
        f"for each that is written ({written:,} tokens)"
    )


def steps_of(source: Sequence[int], wanted: Sequence[int]) -> tuple[int, int]:
    """Steps that write the wanted tokens, and tokens that they compute.

    >>> steps_of([1, 2, 3, 4], [1, 2, 3, 4, 9])
    (3, 5)
    """
    at = steps = computed = 0
    while at < len(wanted):
        draft = drafted(source, wanted[max(0, at - 2) : at])
        right = 0
        while right < min(len(draft), len(wanted) - at) and draft[right] == wanted[at + right]:
            right += 1
        at, steps, computed = at + right + 1, steps + 1, computed + len(draft) + 1
    return steps, computed


def drafted(source: Sequence[int], last: Sequence[int]) -> Sequence[int]:
    """What follows the last two tokens where they stand in the source for the last time."""
    if len(last) == 2:
        for place in range(len(source) - 2, 0, -1):
            if [source[place - 1], source[place]] == list(last):
                return source[place + 1 : place + 1 + DRAFTED]
    return []


if __name__ == "__main__":
    main()
