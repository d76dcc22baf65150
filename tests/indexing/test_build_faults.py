"""What stops indexing, and what is kept all the same."""

from __future__ import annotations

import errno
import os
from dataclasses import replace

import pytest

from tests.support.built_index import built
from tests.support.doubles import CLAIMS, FAKE, bytes_of, fake_embed, plan, write_store
from uhhrag.errors import ClaimsFailed, IndexFault, ModelError
from uhhrag.indexing import candidates, index_folder
from uhhrag.indexing.build import index_claims, require_all
from uhhrag.indexing.choices import Precision
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim
from uhhrag.store import knowledge_store

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def test_a_claim_without_a_store_file_fails_alone_and_is_made_up_for_later(tmp_path):
    expected = bytes_of(built(tmp_path / "whole"))
    here = tmp_path / "here"
    store = write_store(here / "knowledge_store")
    aside = (store / "1.json").rename(here / "aside")
    outcomes = list(index_claims(plan(here), fake_embed))
    assert [outcome.manifest is not None for outcome in outcomes] == [True, False, True]
    assert "no file 1.json for claim 1" in outcomes[1].error
    with pytest.raises(ClaimsFailed, match=r"1 of 3 claims could not be indexed \(claim 1\)"):
        require_all(outcomes)
    assert [claim.id for claim in index_folder.open_index(here / "index").claims] == [0, 2]
    aside.rename(store / "1.json")
    assert bytes_of(built(here)) == expected


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (
            {"recipe": IndexSettings(replace(FAKE, precision=Precision.BF16))},
            r"embedder fake \(16 d\) 00000000, not fake \(16 d, bf16\) 00000000",
        ),
        ({"recipe": IndexSettings(FAKE, pool=5)}, "pool 10000, not 5;"),
        ({"recipe": IndexSettings(FAKE, unique=False)}, "unique on, not off;"),
        (
            {"recipe": IndexSettings(EmbedderId("other", 16, "1" * 64))},
            r"embedder fake \(16 d\) 00000000, not other \(16 d\) 11111111;",
        ),
        ({"claims": CLAIMS[:2]}, "number of claims 3, not 2;"),
    ],
)
def test_other_settings_on_an_index_are_refused_and_told(tmp_path, changes, said):
    before = bytes_of(built(tmp_path))
    with pytest.raises(IndexFault, match=said) as caught:
        built(tmp_path, **changes)
    assert "--out" in str(caught.value)
    assert "--overwrite" in str(caught.value)
    assert bytes_of(tmp_path / "index") == before


def test_a_claims_file_that_has_changed_is_refused(tmp_path):
    built(tmp_path)
    with pytest.raises(IndexFault, match=r"claim 1 was indexed as 'Dogs bark.*now says 'Cats"):
        built(tmp_path, claims=(CLAIMS[0], Claim(1, "Cats purr."), CLAIMS[2]))


def test_a_manifest_that_does_not_record_its_claims_file_is_said_to_be_of_an_unknown_one(tmp_path):
    manifest = built(tmp_path) / index_folder.MANIFEST
    header = index_folder.read_header(manifest.parent)
    manifest.write_bytes(index_folder.manifest_to_bytes(replace(header, claims_file="")))
    with pytest.raises(IndexFault, match=rf"claims file unknown, not {header.claims_file[:8]};"):
        built(tmp_path)


def test_overwriting_with_other_settings_leaves_nothing_of_the_old(tmp_path):
    recipe = IndexSettings(FAKE, pool=1)
    expected = bytes_of(built(tmp_path / "whole", recipe=recipe, only=(1,)))
    built(tmp_path / "here")
    out = built(tmp_path / "here", recipe=recipe, only=(1,), overwrite=True)
    assert bytes_of(out) == expected


def test_overwriting_one_claim_leaves_the_others(tmp_path):
    expected = bytes_of(built(tmp_path))
    broken = tmp_path / "index" / "claims" / "1" / "vectors.faiss"
    broken.write_bytes(b"")
    built(tmp_path, only=(1,), overwrite=True)
    assert bytes_of(tmp_path / "index") == expected


@pytest.mark.parametrize("name", ["passages.parquet", "vectors.faiss", "manifest.json"])
def test_one_flipped_bit_anywhere_in_a_claim_is_found_and_its_file_named(tmp_path, name):
    file = built(tmp_path) / "claims" / "0" / name
    good = file.read_bytes()
    for place in range(0, len(good), max(1, len(good) // 60)):
        bad = bytearray(good)
        bad[place] ^= 1 << place % 8
        file.write_bytes(bad)
        with pytest.raises(IndexFault, match=f"{name}: is .*--repair"):
            index_folder.load_claim(index_folder.open_index(tmp_path / "index"), 0)


@pytest.mark.parametrize("cut", [0, 1, 100])
def test_a_file_cut_short_or_gone_is_found_and_named(tmp_path, cut):
    file = built(tmp_path) / "claims" / "0" / "vectors.faiss"
    file.write_bytes(file.read_bytes()[:cut])
    opened = index_folder.open_index(tmp_path / "index")
    with pytest.raises(IndexFault, match=r"vectors\.faiss: is damaged"):
        index_folder.load_claim(opened, 0)
    file.unlink()
    with pytest.raises(IndexFault, match=r"vectors\.faiss: cannot be read: No such file"):
        index_folder.load_claim(opened, 0)


@pytest.mark.parametrize(
    "content", [b"", b"{}", b"[1]", b"null", b'{"seal": "x"}', b"\xff", b"[" * 9999]
)
def test_a_damaged_manifest_is_refused_until_it_is_overwritten(tmp_path, content):
    expected = bytes_of(built(tmp_path))
    (tmp_path / "index" / "manifest.json").write_bytes(content)
    for use in (lambda: index_folder.open_index(tmp_path / "index"), lambda: built(tmp_path)):
        with pytest.raises(IndexFault, match=r"manifest\.json: is .*--repair"):
            use()
    assert bytes_of(built(tmp_path, overwrite=True)) == expected


def test_a_folder_without_an_index_says_how_to_make_one(tmp_path):
    with pytest.raises(IndexFault, match="no index here; run: uhhrag index DATA --out"):
        index_folder.open_index(tmp_path)


def test_a_claim_that_is_not_indexed_yet_says_how_to_make_it(tmp_path):
    opened = index_folder.open_index(built(tmp_path, only=(0,)))
    with pytest.raises(IndexFault, match=r"claim 2 is not in this index; run: .* --claim 2"):
        index_folder.load_claim(opened, 2)


@pytest.mark.parametrize("overwrite", [False, True])
@pytest.mark.parametrize("name", ["thesis.tex", "claims", "manifest.json"])
def test_a_folder_with_other_things_in_it_is_never_touched(tmp_path, name, overwrite):
    out = tmp_path / "index"
    (out / "photos").mkdir(parents=True)
    (out / name).mkdir() if name == "claims" else (out / name).write_text("{}")
    with pytest.raises(IndexFault, match=r"other things|is damaged"):
        built(tmp_path, overwrite=overwrite)
    assert (out / "photos").exists()
    assert (out / name).exists()


def test_what_predict_keeps_beside_the_index_is_no_hindrance(tmp_path):
    (built(tmp_path, only=(0,)) / "replies.sqlite").write_bytes(b"kept")
    out = built(tmp_path, recipe=IndexSettings(FAKE, pool=1), overwrite=True)
    assert (out / "replies.sqlite").read_bytes() == b"kept"


def test_a_full_disk_is_one_line_and_costs_nothing_that_was_done(tmp_path, monkeypatch):
    built(tmp_path, only=(0,))
    before = bytes_of(tmp_path / "index" / "claims" / "0")

    def full(*_args):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(IndexFault, match="cannot be written: No space left on device"):
            built(tmp_path)
    assert bytes_of(tmp_path / "index" / "claims" / "0") == before
    built(tmp_path)


def test_an_out_that_is_a_file_is_one_line(tmp_path):
    (tmp_path / "index").write_text("")
    with pytest.raises(IndexFault, match="cannot be written"):
        built(tmp_path)


def test_an_embedder_that_gives_nonsense_is_refused_and_nothing_is_written(tmp_path):
    with pytest.raises(ModelError, match="unit length"):
        list(index_claims(plan(tmp_path), lambda texts: fake_embed(texts) * 3))
    assert not list((tmp_path / "index" / "claims").iterdir())


def of_dogs(call):
    """The same callable, but raising for what belongs to claim 1."""

    def faulty(*arguments):
        if "Dogs" in repr(arguments) or any(type(a) is int and a == 1 for a in arguments):
            raise RuntimeError("struck")
        return call(*arguments)

    return faulty


@pytest.mark.parametrize("stage", ["pages", "distinct_lines", "scores_of", "embed", "contents"])
def test_a_fault_in_one_claim_of_an_index_touches_only_that_claim(tmp_path, monkeypatch, stage):
    expected = bytes_of(built(tmp_path / "whole"))
    owners = {
        "pages": knowledge_store,
        "distinct_lines": candidates,
        "scores_of": candidates,
        "contents": index_folder,
    }
    embed = of_dogs(fake_embed) if stage == "embed" else fake_embed
    here = tmp_path / "here"
    with monkeypatch.context() as patched:
        if owner := owners.get(stage):
            patched.setattr(owner, stage, of_dogs(getattr(owner, stage)))
        outcomes = list(index_claims(plan(here), embed))
    assert [outcome.error for outcome in outcomes] == ["", "RuntimeError: struck", ""]
    others = {name: c for name, c in expected.items() if not name.startswith("claims/1/")}
    assert bytes_of(here / "index") == others
    outcomes = list(index_claims(plan(here), fake_embed))
    assert [bool(outcome.seconds) for outcome in outcomes] == [False, True, False]
    assert bytes_of(here / "index") == expected
