"""Heads of prompts kept on disk: read back bit for bit, computed again where damaged."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

from tests.support.llama_prompts import FACTS, LETTERS, VOTES
from uhhrag.backends.llamacpp import heads
from uhhrag.backends.llamacpp import model as llamacpp
from uhhrag.records import Generate

pytestmark = pytest.mark.model


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path))


def asked(gguf, *, keep_heads: bool, threads: int = 1, facts=FACTS):
    """Replies of a model that was just loaded, and how many tokens it computed for them."""
    llm = llamacpp.load(gguf, threads=threads, keep_heads=keep_heads)
    return (llm(VOTES[:3], LETTERS), llm(facts[:2], Generate(4))), llm.tokens_computed


def states():
    return sorted(heads.folder().glob("*.state"))


@pytest.fixture(scope="module")
def first(gguf, tmp_path_factory):
    """A folder with the heads of a first process, and what that got without them."""
    folder = tmp_path_factory.mktemp("first")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("UHHRAG_HOME", str(folder))
        plain = asked(gguf, keep_heads=False)
        assert not states()
        assert asked(gguf, keep_heads=True) == plain
        assert states()
    return folder, plain


@pytest.fixture
def plain(first, tmp_path):
    """What is got without heads; those of the first process are there."""
    folder, found = first
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    return found


def test_a_damaged_head_is_computed_again(gguf, plain):
    for number, file in enumerate(states()):
        content = file.read_bytes()
        file.write_bytes(content[:-1] + b"?" if number % 2 else content[:100])
    assert asked(gguf, keep_heads=True) == plain


@pytest.mark.parametrize("threads", [1, 2])
def test_the_next_process_reads_heads_and_replies_the_same_to_the_bit(gguf, plain, threads):
    again, computed = asked(gguf, keep_heads=True, threads=threads)
    assert again == plain[0]
    assert computed < plain[1]


def test_heads_of_other_settings_are_others(gguf):
    assert heads.made_by([gguf], 0) != heads.made_by([gguf], 1)


def test_a_folder_that_cannot_be_written_changes_nothing(gguf, first, tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("UHHRAG_HOME", str(tmp_path / "file"))
    assert asked(gguf, keep_heads=True) == first[1]


def test_the_heads_used_last_stay(gguf, plain, monkeypatch):
    others = [replace(fact, head="Answer in one word.\n") for fact in FACTS]
    size = sum(file.stat().st_size for file in states())
    monkeypatch.setattr(heads, "_MAX_BYTES", size)
    asked(gguf, keep_heads=True, facts=others)
    assert 0 < sum(file.stat().st_size for file in states()) <= size
    _, all_tokens = asked(gguf, keep_heads=False, facts=others)
    assert asked(gguf, keep_heads=True, facts=others)[1] < all_tokens
