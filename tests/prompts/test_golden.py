"""Filled prompts and one whole prediction, as they were when someone last read them.

After a wanted change renew them all, and read the difference before committing it:

    UHHRAG_RENEW=1 python -m pytest tests/prompts/test_golden.py && git diff tests/golden
"""

from __future__ import annotations

import json
import os

import pytest

from tests.support.paths import GOLDEN
from tests.support.prompt_slots import SLOTS
from tests.support.small_run import CLAIMS, METHOD, corpus_for
from uhhrag.pipeline import decide
from uhhrag.prompts.templates import load_prompts
from uhhrag.runs.trace import as_record

FILLED = {
    "claim": "The bridge at Varnby cost $5 million & opened “in May”.",
    "sentence": "Traffic uses the bridge since May; it cost {5} million.",
    "evidence": "When did it open? Traffic uses the bridge since May; it cost {5} million.",
    "count": "3",
    "date": "31-10-2020",
    "speaker": "Marit Holm",
    "context": "The bridge opened in May.\n\nIt cost {5} million.",
    "origin": " (by Marit Holm on 31-10-2020)",
    "pairs": "Question 1: When did it open?\nAnswer: In May; it cost {5} million.",
    "documents": "Document 1 (Our bridge, from a.example):\nIt cost {5} million.",
    "document": "Document 1 (Our bridge, from a.example):\nIt cost {5} million.",
    "question": "What did the bridge cost?",
    "answer": "It cost $5 million.",
    "premise": "The bridge opened in May. It cost {5} million.",
    "hypothesis": "The bridge cost $5 million.",
    "other": "Question: What was spent?\nAnswer: {5} million.",
    "questions": "1. When did it open?\n2. What did the bridge cost?",
    "others": "1. How much money went into the bridge?",
}


def held_against(name: str, found: str) -> None:
    file = GOLDEN / name
    if os.environ.get("UHHRAG_RENEW"):
        file.write_text(found, encoding="utf-8")
    assert found == file.read_text(encoding="utf-8"), "renew as the head of this file says"


@pytest.mark.parametrize("step", sorted(SLOTS))
def test_a_filled_prompt_is_the_golden_one(step):
    filled = load_prompts()(step)(**{s: FILLED[s] for s in SLOTS[step] - {"examples"}})
    held_against(
        f"{step}.txt", f"{filled.head}⟨what follows differs from claim to claim⟩\n{filled.body}\n"
    )


def test_there_is_no_golden_file_of_a_step_that_is_gone():
    others = {"record.json", "runs.json", "runs-smollm2.json"}
    assert {path.name for path in GOLDEN.iterdir()} == {f"{s}.txt" for s in SLOTS} | others


def test_a_whole_prediction_is_the_golden_one():
    origin = {"prompts": "its prompts' hash"}
    record = as_record(decide(CLAIMS[1], corpus_for(CLAIMS[1]), METHOD), origin)
    shown = json.loads(json.dumps(record), parse_float=lambda number: round(float(number), 5))
    held_against("record.json", json.dumps(shown, indent=1, ensure_ascii=False) + "\n")
