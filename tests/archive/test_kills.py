"""A writer killed at any moment loses nothing committed, and the next one goes on.

Real processes, real SIGKILL, at moments spread over the time that an undisturbed run takes. Each
that is killed is a fork of this one, so that no kill is spent on imports; one that must end well is
not, since a fork of a process with threads may crash.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import shutil
import signal
import time
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import tantivy

from tests.support.corpora import everything, follow, searched
from tests.support.documents import write_rows
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive import embedding, text_index, updating
from uhhrag.archive.embedding import embed_passages, waiting
from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.snapshot import Snapshot, open_snapshot, opened_with
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.verify import check_archive, compact

pytestmark = pytest.mark.slow

FILES, ROWS = 12, 30


@pytest.fixture(autouse=True)
def small_steps(monkeypatch) -> None:
    take_small_steps(monkeypatch)


def take_small_steps(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(updating, "COMMIT_PASSAGES", 2 * ROWS)
    patch.setattr(embedding, "PART", 64)


def write_version(folder: Path, version: int) -> Path:
    """Files of rows; another version has other files, and others of the same name."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for number in range(version, FILES + version):
        word = f"version{version if number % 2 else 0}"
        rows = [{"_id": str(n), "text": f"Row {n} of file {number}, {word}."} for n in range(ROWS)]
        write_rows(folder / f"{number:02d}.jsonl", *rows)
    return folder


def child_at(work: Callable[[], object]) -> int:
    """The process that does `work`, by its number."""
    child = os.fork()
    if not child:
        try:
            work()
        finally:
            os._exit(0)
    return child


def killed_after(seconds: float, work: Callable[[], object]) -> bool:
    """Run `work` in a process of its own and kill it; whether it was still at work."""
    child = child_at(work)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def seconds_of(work: Callable[[], object]) -> float:
    start = time.monotonic()
    os.waitpid(child_at(work), 0)
    return time.monotonic() - start


def state_of(corpus: Path) -> tuple[object, ...]:
    snapshot = open_snapshot(corpus)
    return everything(snapshot), len(searched(snapshot, "version1 version0"))


def trial(tmp_path: Path, kills: int, seed: int) -> None:
    docs, first, second = tmp_path / "docs", tmp_path / "first", tmp_path / "second"
    write_version(docs, 0)
    corpus, nothing = tmp_path / "corpus", tmp_path / "nothing"
    nothing.mkdir()
    follow(corpus, docs)
    old = everything(open_snapshot(corpus))
    write_version(docs, 1)
    shutil.copytree(corpus, first)
    follow(first, docs)
    new = everything(open_snapshot(first))
    chance = random.Random(seed)  # noqa: S311

    def update(target: Path) -> None:
        follow(target, docs)

    def rewrite(target: Path) -> None:
        list(compact(target))

    def embed(target: Path) -> None:
        list(embed_passages(target, fake_embed, FAKE))

    allowed = {tuple(item) for item in (*map(_frozen, old), *map(_frozen, new))}
    done = 0
    for turn, (work, start) in enumerate(
        ((update, nothing), (update, corpus), (rewrite, first), (embed, first)), start=1
    ):
        shutil.rmtree(second, ignore_errors=True)
        shutil.copytree(start, second)
        whole = seconds_of(lambda work=work: work(second))
        while done < kills * turn:
            shutil.rmtree(second, ignore_errors=True)
            shutil.copytree(start, second)
            killed_after(whole * chance.random(), lambda work=work: work(second))
            done += 1
            # What a reader sees is a state that was committed: every document whole, old or new.
            begun = start is not nothing or (second / "manifest.json").exists()
            there = {_frozen(i) for i in everything(open_snapshot(second))} if begun else set()
            assert there <= allowed
            if work is not update:
                assert there == {_frozen(item) for item in new}
            work(second)
            assert everything(open_snapshot(second)) == new
            assert [c.file for c in check_archive(second) if c.fault] == []
    assert waiting(open_snapshot(second).manifest, FAKE) == 0


def _frozen(item: tuple[str, object]) -> tuple[str, tuple[str, ...]]:
    return item[0], tuple(item[1])  # type: ignore[arg-type]


def test_nothing_committed_is_lost_to_a_kill(tmp_path):
    trial(tmp_path, kills=2, seed=1)


@pytest.mark.heavy
def test_nothing_committed_is_lost_to_fifty_kills(tmp_path):
    trial(tmp_path, kills=17, seed=2)


def rewrite(docs: Path, corpus: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        take_small_steps(patch)
        for _ in range(4):
            list(compact(corpus))
            list(embed_passages(corpus, fake_embed, FAKE))
            (docs / "more.txt").write_text(f"At {time.monotonic()}.")
            follow(corpus, docs)


def test_readers_beside_a_writer_see_whole_states_alone(tmp_path):
    """One process writes and compacts, another opens what there is, again and again."""
    docs, corpus = tmp_path / "docs", tmp_path / "corpus"
    versions = []
    for version in (1, 0):
        write_version(docs, version)
        follow(corpus, docs)
        versions.append(everything(open_snapshot(corpus)))
    list(embed_passages(corpus, fake_embed, FAKE))

    child = multiprocessing.get_context("spawn").Process(target=rewrite, args=(docs, corpus))
    child.start()
    opened = set()
    while child.exitcode is None:
        snapshot, vectors = opened_with(corpus, _with_vectors)
        opened.add(snapshot.digest)
        documents = [item for item in everything(snapshot) if item[0] != "file:more.txt"]
        assert documents == versions[1]
        assert len(searched(snapshot, "version0")) == 10
        near = vectors.nearest(fake_embed(["Row 3 of file 4"])[0], 10, NO_FILTER)
        assert len(near) == 10
    assert child.exitcode == 0
    assert len(opened) > 1


def _with_vectors(snapshot: Snapshot) -> tuple[Snapshot, ArchiveVectors]:
    assert snapshot.manifest.vectors
    return snapshot, ArchiveVectors(snapshot, snapshot.manifest.vectors)


def test_a_file_that_a_writer_deletes_while_a_reader_opens_is_noticed_at_once(
    tmp_path, monkeypatch
):
    corpus, docs = tmp_path / "corpus", write_version(tmp_path / "docs", 0)
    follow(corpus, docs)
    (folder,) = (path for path in (corpus / "text").iterdir() if any(path.glob("*.pos")))

    class Index:
        @staticmethod
        def open(path: str) -> tantivy.Index:
            for file in folder.glob("*.pos"):
                file.unlink()
            return tantivy.Index.open(path)

    between = SimpleNamespace(**{**vars(tantivy), "Index": Index})
    monkeypatch.setattr(text_index, "tantivy", between)
    with pytest.raises(FileNotFoundError):
        text_index.TextReader(folder)
