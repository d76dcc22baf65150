"""Replies kept on disk: never asked twice, and never a reply that is not this call's."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import pytest

from uhhrag.backends.reply_cache import with_reply_cache
from uhhrag.errors import RunError
from uhhrag.records import Generate, PickOne, Prompt, Reply

PROMPTS = [Prompt("vote", "head ", "one \ud800"), Prompt("vote", "head ", "two")]
ASK = PickOne(("A", "B"))


class Counting:
    """An LLM whose replies show how often it was asked."""

    def __init__(self) -> None:
        self.asked = 0

    def __call__(self, prompts, ask, /):
        self.asked += 1
        return [
            Reply(f"{self.asked}", (-0.1, -2.5), 7, 3, cut=bool(i)) for i, _ in enumerate(prompts)
        ]


@pytest.fixture
def llm():
    return Counting()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "replies.sqlite"


def test_a_second_call_asks_nothing_and_gives_the_same(llm, file):
    remembering = with_reply_cache(llm, "model", file)
    first = remembering(PROMPTS, ASK)
    assert remembering(PROMPTS, ASK) == first
    assert with_reply_cache(llm, "model", file)(list(PROMPTS), PickOne(("A", "B"))) == first
    assert llm.asked == 1


@pytest.mark.parametrize(
    ("prompts", "ask"),
    [
        (PROMPTS[:1], ASK),
        (PROMPTS[::-1], ASK),
        ([replace(PROMPTS[0], head="head"), PROMPTS[1]], ASK),
        ([replace(PROMPTS[0], head="head one", body=" \ud800"), PROMPTS[1]], ASK),
        (PROMPTS, PickOne(("B", "A"))),
        (PROMPTS, Generate(8)),
        (PROMPTS, Generate(9)),
        (PROMPTS, Generate(8, stop=("\n",))),
        (PROMPTS, Generate(8, repetition_penalty=1.2)),
        (PROMPTS, Generate(8, temperature=0.7)),
        (PROMPTS, Generate(8, temperature=0.7, top_k=50)),
        (PROMPTS, Generate(8, temperature=0.7, seed=1)),
    ],
)
def test_another_question_is_asked(llm, file, prompts, ask):
    remembering = with_reply_cache(llm, "model", file)
    remembering(PROMPTS, ASK)
    remembering(PROMPTS, Generate(8, stop=("?",)))
    remembering(prompts, ask)
    assert llm.asked == 3


def test_replies_of_earlier_versions_are_found(llm, file):
    ask = Generate(8, ("?",), 1.2, 0.7, 50, seed=4)
    with_reply_cache(llm, "model", file)([Prompt("s", "head", "body")], ask)
    with sqlite3.connect(file) as kept:
        ((key,),) = kept.execute("SELECT key FROM replies")
    assert key.hex() == "6bd83058cd5e798716095d27c319b8fb8dec36ecb560fe85ee856d7dfc954377"


def test_another_model_is_asked(llm, file):
    with_reply_cache(llm, "model", file)(PROMPTS, ASK)
    with_reply_cache(llm, "other", file)(PROMPTS, ASK)
    assert llm.asked == 2


def _changed(value: bytes, key: bytes) -> bytes:
    return value[:-2] + bytes([value[-2] ^ 1]) + value[-1:]


def _emptied(value: bytes, key: bytes) -> bytes:
    return b""


def _cut(value: bytes, key: bytes) -> bytes:
    return value[: len(value) // 2]


@pytest.mark.parametrize("damage", [_changed, _emptied, _cut])
def test_a_damaged_entry_is_asked_again_and_mended(llm, file, damage):
    with_reply_cache(llm, "model", file)(PROMPTS, ASK)
    with sqlite3.connect(file) as memory:
        key, value = memory.execute("SELECT key, value FROM replies").fetchone()
        memory.execute("UPDATE replies SET value = ?", (damage(value, key),))
    again = with_reply_cache(llm, "model", file)(PROMPTS, ASK)
    assert [reply.text for reply in again] == ["2", "2"]
    assert with_reply_cache(llm, "model", file)(PROMPTS, ASK) == again
    assert llm.asked == 2


def test_an_entry_of_another_call_is_not_taken_for_this_one(llm, file):
    remembering = with_reply_cache(llm, "model", file)
    remembering(PROMPTS, ASK)
    with sqlite3.connect(file) as memory:
        ((stolen,),) = memory.execute("SELECT value FROM replies").fetchall()
    remembering(PROMPTS, Generate(8))
    with sqlite3.connect(file) as memory:
        memory.execute("UPDATE replies SET value = ?", (stolen,))
    remembering(PROMPTS, Generate(8))
    assert llm.asked == 3


def test_two_at_once_share_one_memory(llm, file):
    one, two = (with_reply_cache(llm, "model", file) for _ in range(2))
    first = one(PROMPTS, ASK)
    assert two(PROMPTS, ASK) == first
    two(PROMPTS[:1], ASK)
    one(PROMPTS[:1], ASK)
    assert llm.asked == 2


def test_a_failed_call_is_not_remembered(file):
    def failing(prompts, ask):
        raise RuntimeError("no")

    with pytest.raises(RuntimeError):
        with_reply_cache(failing, "model", file)(PROMPTS, ASK)
    llm = Counting()
    with_reply_cache(llm, "model", file)(PROMPTS, ASK)
    assert llm.asked == 1


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_cannot_be_used_is_named_with_the_way_out(llm, tmp_path, there):
    file = tmp_path / "replies.sqlite" if there else tmp_path / "nowhere" / "replies.sqlite"
    if there:
        file.write_text("no database " * 100)
    with pytest.raises(RunError) as caught:
        with_reply_cache(llm, "model", file)
    assert str(file) in str(caught.value)
    assert "--no-cache" in str(caught.value)
