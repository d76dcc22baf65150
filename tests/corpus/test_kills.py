"""A writer killed at any moment loses nothing committed, and the next one goes on.

Real processes, real SIGKILL, at moments spread over the time that an undisturbed run takes. Each
process is a fork of this one, so that no kill is spent on imports.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.corpora import everything, follow, searched
from tests.support.documents import write_rows
from tests.support.doubles import FAKE, fake_embed
from uhhrag.corpus import embedding, following
from uhhrag.corpus.embedding import embed_passages, waiting
from uhhrag.corpus.rewriting import compact
from uhhrag.corpus.snapshot import open_corpus
from uhhrag.corpus.verify import check_corpus

FILES, ROWS = 12, 30


@pytest.fixture(autouse=True)
def small_steps(monkeypatch) -> None:
    monkeypatch.setattr(following, "COMMIT_PASSAGES", 2 * ROWS)
    monkeypatch.setattr(embedding, "PART", 64)


def write_version(folder: Path, version: int) -> Path:
    """Files of rows; another version has other files, and others of the same name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number in range(version, FILES + version):
        word = f"version{version if number % 2 else 0}"
        rows = [{"_id": str(n), "text": f"Row {n} of file {number}, {word}."} for n in range(ROWS)]
        write_rows(folder / f"{number:02d}.jsonl", *rows)
    return folder


def killed_after(seconds: float, work: Callable[[], object]) -> bool:
    """Run `work` in a process of its own and kill it; whether it was still at work."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def seconds_of(work: Callable[[], object]) -> float:
    begun = time.monotonic()
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    return time.monotonic() - begun


def state_of(corpus: Path) -> tuple[object, ...]:
    snapshot = open_corpus(corpus)
    return everything(snapshot), len(searched(snapshot, "version1 version0"))


def trial(tmp_path: Path, kills: int, seed: int) -> None:
    docs, first, second = tmp_path / "docs", tmp_path / "first", tmp_path / "second"
    write_version(docs, 0)
    corpus = tmp_path / "corpus"
    follow(corpus, docs)
    old = everything(open_corpus(corpus))
    write_version(docs, 1)
    shutil.copytree(corpus, first)
    follow(first, docs)
    new = everything(open_corpus(first))
    chance = random.Random(seed)  # noqa: S311

    def update(target: Path) -> None:
        follow(target, docs)

    def rewrite(target: Path) -> None:
        list(compact(target))

    def embed(target: Path) -> None:
        list(embed_passages(target, fake_embed, FAKE))

    allowed = {tuple(item) for item in (*map(_frozen, old), *map(_frozen, new))}
    done = 0
    for work, start in ((update, corpus), (rewrite, first), (embed, first)):
        shutil.rmtree(second, ignore_errors=True)
        shutil.copytree(start, second)
        whole = seconds_of(lambda work=work: work(second))
        while done < kills * (1 + (work is rewrite) + 2 * (work is embed)):
            shutil.rmtree(second, ignore_errors=True)
            shutil.copytree(start, second)
            killed_after(whole * chance.random(), lambda work=work: work(second))
            done += 1
            # What a reader sees is a state that was committed: every document whole, old or new.
            there = {_frozen(item) for item in everything(open_corpus(second))}
            assert there <= allowed
            if work is not update:
                assert there == {_frozen(item) for item in new}
            work(second)
            assert everything(open_corpus(second)) == new
            assert [c.file for c in check_corpus(second) if c.fault] == []
    assert waiting(open_corpus(second).manifest, FAKE) == 0


def _frozen(item: tuple[str, object]) -> tuple[str, tuple[str, ...]]:
    return item[0], tuple(item[1])  # type: ignore[arg-type]


def test_nothing_committed_is_lost_to_a_kill(tmp_path):
    trial(tmp_path, kills=2, seed=1)


@pytest.mark.heavy
def test_nothing_committed_is_lost_to_fifty_kills(tmp_path):
    trial(tmp_path, kills=17, seed=2)
