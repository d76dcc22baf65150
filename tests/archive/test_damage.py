"""What is damaged is found and named, and a repair keeps the rest."""

from __future__ import annotations

import errno
import os
import random
from pathlib import Path

import pytest

from tests.support.corpora import (
    everything,
    files_of,
    follow,
    searched,
)
from tests.support.doubles import FAKE, fake_embed
from uhhrag.archive import text_index
from uhhrag.archive.embedding import embed_passages, waiting
from uhhrag.archive.snapshot import open_snapshot
from uhhrag.archive.updating import remove_files
from uhhrag.archive.verify import check_archive, compact, repair
from uhhrag.archive.writing import open_writer
from uhhrag.errors import IndexFault, UsageError
from uhhrag.system import checksummed_json

pytestmark = pytest.mark.slow


@pytest.fixture
def corpus(tmp_path, docs) -> Path:
    follow(tmp_path / "corpus", docs)
    (docs / "late.txt").write_text("A late note on the harbour.")
    follow(tmp_path / "corpus", docs)
    list(embed_passages(tmp_path / "corpus", fake_embed, FAKE))
    return tmp_path / "corpus"


def faults(corpus: Path) -> dict[str, str]:
    checked = {str(c.file.relative_to(corpus)): c.fault for c in check_archive(corpus)}
    return {name: fault for name, fault in checked.items() if fault}


def flip(file: Path, chance: random.Random) -> None:
    content = bytearray(file.read_bytes())
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    file.write_bytes(bytes(content))


def test_a_sound_corpus_has_no_fault_and_every_file_is_checked(corpus):
    checked = {str(check.file.relative_to(corpus)) for check in check_archive(corpus)}
    assert set(files_of(corpus)) == checked
    assert faults(corpus) == {}


def test_a_flipped_bit_in_any_file_is_found_and_that_file_named_and_repaired(corpus, docs):
    chance = random.Random(7)  # noqa: S311
    sound = everything(open_snapshot(corpus))
    names = [n for n in files_of(corpus) if not n.startswith("manifests/")]
    for kind in sorted({name.partition("/")[0] + Path(name).suffix for name in names}):
        current = [n for n in files_of(corpus) if not n.startswith("manifests/")]
        name = next(
            n
            for n in current
            if n.partition("/")[0] + Path(n).suffix == kind and (corpus / n).stat().st_size
        )
        file = corpus / name
        content = file.read_bytes()
        file.unlink()  # it may be linked to the state before
        file.write_bytes(content)
        flip(file, chance)
        assert list(faults(corpus)) == [name], name
        repair(corpus)
        assert faults(corpus) == {}, name
        follow(corpus, docs)
        list(embed_passages(corpus, fake_embed, FAKE))
        snapshot = open_snapshot(corpus)
        assert everything(snapshot) == sound, name
        assert searched(snapshot, "dredged") == ["Harbours"], name
        assert waiting(snapshot.manifest, FAKE) == 0


def test_a_missing_file_and_a_left_over_one_are_named(corpus):
    next(corpus.glob("segments/*/passages.parquet")).unlink()
    (corpus / "vectors" / "stranger.f16").write_bytes(b"x")
    (corpus / ".manifest.json.part").write_bytes(b"x")
    assert {Path(name).name: fault.partition(":")[0] for name, fault in faults(corpus).items()} == {
        "passages.parquet": "cannot be read",
        "stranger.f16": "is left over or does not belong here",
        ".manifest.json.part": "is left over from an interrupted write",
    }
    with pytest.raises(IndexFault, match=r"passages\.parquet: is missing; run: uhhrag archive"):
        open_snapshot(corpus)


def test_without_a_sound_manifest_there_is_one_line(corpus):
    for file in (corpus / "manifest.json", *corpus.glob("manifests/*")):
        file.write_bytes(b"{}")
    with pytest.raises(IndexFault, match="no sound copy of it is left"):
        repair(corpus)


def test_a_corpus_that_is_written_is_not_verified(corpus):
    with open_writer(corpus), pytest.raises(IndexFault, match="another uhhrag is writing it"):
        list(check_archive(corpus))


@pytest.mark.parametrize("name", ["../../x", "/etc", ".."])
def test_a_manifest_that_names_files_elsewhere_is_refused(corpus, name):
    file = corpus / "manifest.json"
    body = checksummed_json.from_bytes(file.read_bytes())
    body["text"]["name"] = name
    file.write_bytes(checksummed_json.to_bytes(body))
    with pytest.raises(IndexFault, match=r"manifest\.json: is damaged \(it names"):
        open_snapshot(corpus)


def test_a_fault_of_the_manifest_is_said_without_the_folder_before_it(corpus):
    file = corpus / "manifest.json"
    body = checksummed_json.from_bytes(file.read_bytes()) | {"kind": "another"}
    file.write_bytes(checksummed_json.to_bytes(body))
    assert faults(corpus)["manifest.json"].startswith("is not an archive; ")


def test_tables_that_do_not_fit_are_one_line(corpus):
    file = corpus / "manifest.json"
    body = checksummed_json.from_bytes(file.read_bytes())
    body["segments"][0]["documents"] = 1
    file.write_bytes(checksummed_json.to_bytes(body))
    with pytest.raises(IndexFault, match="its parts do not fit together"):
        open_snapshot(corpus)


def test_a_full_disk_is_one_line_and_the_committed_state_stays(corpus, docs, monkeypatch):
    before = everything(open_snapshot(corpus))
    (docs / "new.txt").write_text("It will not fit.")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    for target in ("uhhrag.archive.segments.os.fsync", "uhhrag.system.atomic.os.fsync"):
        with monkeypatch.context() as patch:
            patch.setattr(target, full)
            with pytest.raises(UsageError, match="cannot be written: No space left on device"):
                follow(corpus, docs)
        assert everything(open_snapshot(corpus)) == before
    follow(corpus, docs)
    assert faults(corpus) == {}


def test_a_flip_in_the_copy_of_the_manifest_is_found_and_mended(corpus):
    (copy,) = (corpus / "manifests").iterdir()
    whole = copy.read_bytes()
    rng = random.Random(7)  # noqa: S311
    for _ in range(8):
        at = rng.randrange(len(whole))
        copy.write_bytes(whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :])
        assert list(faults(corpus)) == [f"manifests/{copy.name}"]
        assert "it is made again" in repair(corpus).lines[0]
        assert copy.read_bytes() == whole
    copy.unlink()
    assert list(faults(corpus)) == [f"manifests/{copy.name}"]


def test_damage_never_passes_into_a_new_file_where_it_would_count_as_sound(corpus):
    flip(next(corpus.glob("vectors/*.f16")), random.Random(7))  # noqa: S311
    with pytest.raises(IndexFault, match=r"\.f16: is damaged; run: uhhrag archive repair"):
        list(compact(corpus))
    assert any(name.endswith(".f16") for name in faults(corpus))


def test_a_repair_says_that_removed_files_come_back(corpus, docs):
    remove_files(corpus, ["late.txt"])
    flip(next(corpus.glob("files/*.parquet")), random.Random(7))  # noqa: S311
    *_, known, dropped = repair(corpus).lines
    assert known.startswith("which files were removed is not known any more")
    assert dropped == "dropped: 2 files, 4 documents"


def test_a_repair_says_what_it_dropped(corpus):
    segment = sorted((corpus / "segments").iterdir())[-1]
    flip(segment / "documents.jsonl", random.Random(7))  # noqa: S311
    assert repair(corpus).lines[-1] == "dropped: 1 file (late.txt), 1 document"
    flip(next(corpus.glob("vectors/*.f16")), random.Random(7))  # noqa: S311
    *_, dropped, vectors = repair(corpus).lines
    assert dropped == "dropped: 0 files, 0 documents"
    assert vectors == "4 passages without a vector now"
    flip(next(corpus.glob("text/*/*.idx")), random.Random(7))  # noqa: S311
    assert repair(corpus).lines[-1] == "dropped: 0 files, 0 documents"


@pytest.mark.parametrize(
    "said", ["'Disk quota exceeded (os error 122)'", "Os { code: 122, kind: x }"]
)
def test_what_the_system_refuses_is_not_called_damage(tmp_path, said):
    with pytest.raises(OSError, match="Disk quota exceeded"), text_index._engine(tmp_path):
        raise ValueError(f"An IO error occurred: {said}")
