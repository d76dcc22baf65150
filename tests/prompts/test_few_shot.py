"""Few-shot examples: drawn by a seed, from a training file and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from uhhrag.errors import InputError
from uhhrag.prompts.few_shot import draw
from uhhrag.prompts.templates import load_prompts


def claim(number: int, questions: int) -> dict:
    asked = [
        {"question": f"Q{number}.{i}?", "answers": [{"answer": f"A{number}.{i}\n " + "word " * 99}]}
        for i in range(questions)
    ]
    return {"claim": f"Claim\n {number} costs $5.", "questions": asked}


@pytest.fixture
def train(tmp_path) -> Path:
    file = tmp_path / "train.json"
    file.write_text(json.dumps([claim(i, i % 6) for i in range(60)]))
    return file


def test_the_same_seed_draws_the_same_text_and_another_seed_another(train):
    assert draw(train, 1) == draw(train, 1)
    assert len({draw(train, seed)["ask_about"] for seed in range(5)}) > 1
    assert len({draw(train, seed)["decompose"] for seed in range(5)}) > 1


def test_three_claims_show_answer_before_question(train):
    blocks = draw(train, 0)["ask_about"].split("\n\n")
    assert len(blocks) == 3
    for block in blocks:
        lines = block.splitlines()
        assert lines[0].startswith("claim: Claim ")
        assert [line.split(":")[0] for line in lines[1:]] == ["answer", "question"] * (
            len(lines) // 2
        )


def test_four_claims_show_one_to_four_questions(train):
    blocks = draw(train, 0)["decompose"].split("\n\n")
    assert [len(block.splitlines()) - 2 for block in blocks] == [1, 2, 3, 4]


def test_long_answers_are_cut_and_lines_folded(train):
    answers = [
        line for line in draw(train, 0)["ask_about"].splitlines() if line.startswith("answer: ")
    ]
    assert {len(line.split()) for line in answers} == {61}


def test_drawn_examples_stand_in_the_prompt_as_they_are(train):
    drawn = draw(train, 0)
    prompts = load_prompts().with_examples(drawn)
    assert drawn["ask_about"] in prompts("ask_about")(claim="c", sentence="s").head
    assert drawn["decompose"] in prompts("decompose")(claim="c", count="3").head
    assert prompts.hash != load_prompts().hash


def test_the_real_training_file_is_drawn_from(shared):
    file = shared / "averitec" / "train.json"
    if not file.is_file():
        pytest.skip(f"no {file.name} in the reference data")
    drawn = draw(file, 0)
    assert drawn == draw(file, 0)
    assert drawn["ask_about"].count("claim: ") == 3
    assert [len(block.splitlines()) - 2 for block in drawn["decompose"].split("\n\n")] == [
        1,
        2,
        3,
        4,
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"{}",
        b"[]",
        b"5",
        b"[5]",
        b'[{"claim": "c"}]',
        b'[{"claim": 5, "questions": []}]',
        b'[{"claim": "c", "questions": [{"question": "q", "answers": [{}]}]}]',
        b'[{"claim": "c", "questions": [{"question": "q", "answers": 5}]}]',
        b'[{"claim": "c", "questions": null}]',
        json.dumps([claim(i, 1) for i in range(9)]).encode(),
        json.dumps([claim(i, i) for i in range(1, 4)]).encode(),
    ],
)
def test_a_file_to_draw_from_that_is_none_is_named(tmp_path, content):
    (tmp_path / "train.json").write_bytes(content)
    with pytest.raises(InputError) as caught:
        draw(tmp_path / "train.json", 0)
    assert "train.json" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        draw(tmp_path / "train.json", 0)
