"""A corpus on a disk that is full, and on one that can only be read."""

from __future__ import annotations

import shutil

import pytest

from tests.support.corpora import everything, files_of, follow, searched
from tests.support.disk import Disk
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive.embedding import embed_passages, waiting
from uhhrag.archive.filters import NO_FILTER
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.vector_index import ArchiveVectors
from uhhrag.archive.verify import check_archive, compact
from uhhrag.errors import IndexFault, UsageError

pytestmark = pytest.mark.slow


def test_a_corpus_that_can_only_be_read_is_searched_and_verified(disk: Disk, docs):
    corpus = disk.folder / "corpus"
    follow(corpus, docs)
    list(embed_passages(corpus, fake_embed, FAKE))
    disk.again("ro")
    snapshot = open_snapshot(corpus)
    assert searched(snapshot, "dredged") == ["Harbours"]
    vectors = snapshot.manifest.vectors
    assert vectors
    near = ArchiveVectors(snapshot, vectors).nearest(fake_embed(["Hay."])[0], 4, NO_FILTER)
    assert len(near) == 4
    assert [check.file for check in check_archive(corpus) if check.fault] == []
    (docs / "late.txt").write_text("A late note.")
    with pytest.raises(UsageError, match="cannot be written: Read-only file system"):
        follow(corpus, docs)


def test_a_reader_leaves_nothing_in_a_corpus(tmp_path, docs):
    follow(tmp_path / "corpus", docs)
    before = sorted(tmp_path.joinpath("corpus").rglob("*"))
    assert searched(open_snapshot(tmp_path / "corpus"), "dredged") == ["Harbours"]
    assert sorted(tmp_path.joinpath("corpus").rglob("*")) == before


@pytest.mark.parametrize("room", [0, 8_000, 16_000, 24_000, 40_000, 64_000])
@pytest.mark.parametrize("work", ["update", "embed", "compact"])
def test_on_a_full_disk_what_was_committed_stays(disk: Disk, docs, tmp_path, work, room):
    corpus = disk.folder / "corpus"
    follow(corpus, docs)
    before = everything(open_snapshot(corpus))
    (docs / "late.txt").write_text("A late note on lighthouses. " * 400)
    todo = {
        "update": lambda: follow(corpus, docs),
        "embed": lambda: list(embed_passages(corpus, fake_embed, FAKE)),
        "compact": lambda: list(compact(corpus)),
    }[work]
    disk.fill(room)
    try:
        todo()
    except (UsageError, IndexFault) as error:
        assert "No space left on device" in str(error), str(error)
        assert everything(open_snapshot(corpus)) == before
    (disk.folder / "others").unlink()
    todo()
    assert [check.file for check in check_archive(corpus) if check.fault] == []
    snapshot = open_snapshot(corpus)
    assert bool(searched(snapshot, "lighthouses")) is (work == "update")
    if work == "embed":
        assert waiting(snapshot.manifest, FAKE) == 0
    else:
        shutil.rmtree(tmp_path / "other", ignore_errors=True)
        follow(tmp_path / "other", docs)
        if work == "update":
            assert everything(snapshot) == everything(open_snapshot(tmp_path / "other"))
    assert files_of(corpus)
