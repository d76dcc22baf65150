from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
import zipfile
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.support.doubles import (
    CLAIMS,
    FAKE,
    PAGES,
    bytes_of,
    fake_embed,
    load_nltk_data,
    plan,
    write_page,
    write_store,
)
from uhhrag.errors import ClaimsFailed, IndexFault, ModelError
from uhhrag.indexing import candidates, index_folder
from uhhrag.indexing.build import index_claims, require_all
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.records import Claim, Hit, Passage, Precision
from uhhrag.store import knowledge_store
from uhhrag.system import atomic, checksummed_json

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True, scope="module")
def _words() -> None:
    load_nltk_data()


def built(tmp_path: Path, **changes: object) -> Path:
    """The folder of a finished index."""
    wanted = plan(tmp_path, **changes)
    require_all(list(index_claims(wanted, fake_embed)))
    return wanted.out


# What an index holds


def test_an_index_holds_every_claim_with_its_passages_in_the_prefilters_order(tmp_path):
    opened = index_folder.open_index(built(tmp_path))
    assert opened.claims == CLAIMS
    cows = index_folder.load_claim(opened, 2)
    assert cows.claim == CLAIMS[2]
    assert [hit.passage for hit in cows.hits] == [
        Passage("Cows eat grass.", ("https://d.example", "https://e.example")),
        Passage("Hay.", ("https://e.example",)),
    ]
    assert [hit.score for hit in cows.hits] == sorted((h.score for h in cows.hits), reverse=True)


def test_search_finds_the_passage_that_is_asked_for(tmp_path):
    loaded = index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0)
    best, other = index_folder.search_in(loaded, fake_embed)("The mat is red.", 2)
    expected = Hit(Passage("The mat is red.", ("https://a.example",)), pytest.approx(1, abs=1e-3))
    assert best == expected
    assert other.score < best.score


def test_a_query_that_comes_again_is_embedded_once(tmp_path):
    asked = []

    def embed(texts):
        asked.extend(texts)
        return fake_embed(texts)

    search = index_folder.search_in(
        index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0), embed
    )
    assert search("a", 1) == search("a", 1)
    search("b", 1)
    assert asked == ["a", "b"]


def test_without_unique_every_line_stays(tmp_path):
    out = built(tmp_path, recipe=IndexSettings(FAKE, unique=False))
    texts = [hit.passage for hit in index_folder.load_claim(index_folder.open_index(out), 2).hits]
    assert texts.count(Passage("Cows eat grass.", ("https://d.example",))) == 1
    assert texts.count(Passage("Cows eat grass.", ("https://e.example",))) == 1
    assert len(texts) == 3


def test_the_pool_keeps_the_best_only(tmp_path):
    out = built(tmp_path, recipe=IndexSettings(FAKE, pool=1))
    (hit,) = index_folder.load_claim(index_folder.open_index(out), 1).hits
    assert hit.passage.text == "The moon is far."


@pytest.mark.parametrize(("cascade", "refused"), [(0, False), (7, True)])
def test_an_index_made_with_the_cascade_of_old_is_to_be_built_again(tmp_path, cascade, refused):
    manifest = built(tmp_path) / index_folder.MANIFEST
    body = checksummed_json.from_bytes(manifest.read_bytes())
    body["recipe"]["cascade"] = cascade
    manifest.write_bytes(checksummed_json.to_bytes(body))
    if not refused:
        assert index_folder.open_index(manifest.parent).header.recipe == IndexSettings(FAKE)
        return
    with pytest.raises(IndexFault, match=r"another version of uhhrag; run: .* --overwrite"):
        index_folder.open_index(manifest.parent)


def test_the_parquet_file_can_be_read_by_anyone(tmp_path):
    table = pq.read_table(built(tmp_path) / "claims" / "0" / "passages.parquet")
    assert table.schema.names == ["text", "urls", "bm25"]
    assert table.to_pydict()["urls"] == [["https://a.example"], ["https://a.example"]]


def test_the_manifest_counts_what_was_read_skipped_and_mended(tmp_path):
    store = write_store(tmp_path / "knowledge_store")
    with (store / "0.json").open("a") as file:
        file.write('{"url": 1}\nnonsense\n{"url": "u", "url2text": ["\\ud800"]}\n')
    manifest = index_folder.open_index(built(tmp_path)).manifests[0]
    assert manifest.counts == index_folder.Counts(
        pages=3, lines=3, unique=3, kept=3, mended=1, skipped=2
    )
    assert manifest.first_skipped == "0.json:3: `url` is missing or not a text"


def test_a_claim_whose_pages_are_all_empty_has_an_index_that_finds_nothing(tmp_path):
    write_store(tmp_path / "knowledge_store", ([("u", [])], *PAGES[1:]))
    loaded = index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0)
    assert loaded.hits == ()
    assert index_folder.search_in(loaded, fake_embed)("anything", 10) == []


def test_claims_of_any_text_come_back_as_they_were(tmp_path):
    odd = Claim(0, "\ud800 \x00 \u202e €", None, "\x1b[31m")
    out = tmp_path / "index"
    wanted = plan(tmp_path, claims=(odd,), out=out)
    for _ in range(2):
        require_all(list(index_claims(wanted, lambda texts: fake_embed(["x"] * len(texts)))))
    assert index_folder.open_index(out).claims == (odd,)


# The same bytes, whatever the way


def test_a_zip_gives_the_same_bytes_as_the_folder(tmp_path):
    folder = built(tmp_path)
    archive = tmp_path / "zipped" / "knowledge_store.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for file in (tmp_path / "knowledge_store").iterdir():
            packed.write(file, f"output_dev/{file.name}")
    assert bytes_of(built(tmp_path / "zipped", store=archive)) == bytes_of(folder)


def test_gold_leaks_of_the_store_change_nothing(tmp_path):
    expected = bytes_of(built(tmp_path / "plain"))
    leaking = tmp_path / "leaking" / "knowledge_store"
    write_store(leaking)
    for file in leaking.iterdir():
        rows = [json.loads(line) for line in file.read_text().splitlines()]
        told = [write_page(r["url"], r["url2text"], type="gold!", query=[file.name]) for r in rows]
        file.write_text("\n".join(told))
    assert bytes_of(built(tmp_path / "leaking")) == expected


def test_subsets_in_any_order_add_up_to_the_whole(tmp_path):
    expected = bytes_of(built(tmp_path / "whole"))
    for only in ((2,), (0,), (2, 1)):
        built(tmp_path / "parts", only=only)
    assert bytes_of(tmp_path / "parts" / "index") == expected


def test_what_is_there_is_not_built_again(tmp_path):
    built(tmp_path, only=(0, 1))
    outcomes = list(index_claims(plan(tmp_path), fake_embed))
    assert [bool(outcome.seconds) for outcome in outcomes] == [False, False, True]


class Crash(BaseException):
    """The machine stops here."""


def test_wherever_the_run_dies_the_next_one_ends_with_the_same_bytes(tmp_path, monkeypatch):
    expected = bytes_of(built(tmp_path / "whole"))
    crashes = 0
    for moment in range(200):
        here = tmp_path / str(moment)
        with monkeypatch.context() as patched:
            _crash_after(patched, moment)
            try:
                list(index_claims(plan(here), fake_embed))
                break
            except Crash:
                crashes += 1
        assert bytes_of(built(here)) == expected, f"after dying at step {moment}"
    assert crashes > 20


def test_wherever_an_overwriting_run_dies_no_claim_of_the_old_recipe_is_left(tmp_path, monkeypatch):
    new = IndexSettings(FAKE, pool=1)
    expected = bytes_of(built(tmp_path / "whole", recipe=new))
    for moment in range(200):
        here = tmp_path / str(moment)
        built(here)
        with monkeypatch.context() as patched:
            _crash_after(patched, moment)
            try:
                list(index_claims(plan(here, recipe=new, overwrite=True), fake_embed))
                break
            except Crash:
                pass
        list(index_claims(plan(here, recipe=new, overwrite=True), fake_embed))
        assert bytes_of(here / "index") == expected, f"after dying at step {moment}"


def _crash_after(patched: pytest.MonkeyPatch, steps: int) -> None:
    """Raise Crash when the disk is touched for the time after `steps`."""
    left = [steps]

    def counted(real):
        def touch(*args, **kwargs):
            if left[0] == 0:
                raise Crash
            left[0] -= 1
            return real(*args, **kwargs)

        return touch

    for owner, name in (
        (os, "fsync"),
        (Path, "rename"),
        (Path, "replace"),
        (Path, "mkdir"),
        (atomic, "remove"),
    ):
        patched.setattr(owner, name, counted(getattr(owner, name)))


SLOW_RUN = """
import sys, time
from pathlib import Path
from tests.support.doubles import fake_embed, load_nltk_data, plan
from uhhrag.indexing.build import index_claims

def slow(texts):
    time.sleep(0.02)
    return fake_embed(texts)

load_nltk_data()
print("ready", flush=True)
list(index_claims(plan(Path(sys.argv[1])), slow))
"""


def slow_run(tmp_path: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, str(tmp_path)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_a_run_killed_again_and_again_ends_with_the_same_bytes(tmp_path):
    expected = bytes_of(built(tmp_path / "whole"))
    write_store(tmp_path / "killed" / "knowledge_store")
    killed = 0
    for moment in (0, 0.01, 0.03, 0.05, 0.02):
        run = slow_run(tmp_path / "killed")
        assert run.stdout is not None
        assert run.stdout.readline() == b"ready\n"
        time.sleep(moment)
        run.send_signal(signal.SIGKILL)
        run.communicate()
        killed += run.returncode == -signal.SIGKILL
    assert killed
    assert bytes_of(built(tmp_path / "killed")) == expected


def test_a_second_process_on_the_same_index_stops_with_one_line(tmp_path):
    first = index_claims(plan(tmp_path), fake_embed)
    next(first)
    second = slow_run(tmp_path)
    _, said = second.communicate(timeout=60)
    assert b"another uhhrag is at work on it" in said
    assert len(list(first)) == 2
    slow_run(tmp_path).communicate(timeout=60)


# Faults


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


@pytest.mark.parametrize("stage", ["pages", "distinct", "scores_of", "embed", "contents"])
def test_a_fault_in_one_claim_of_an_index_touches_only_that_claim(tmp_path, monkeypatch, stage):
    expected = bytes_of(built(tmp_path / "whole"))
    owners = {
        "pages": knowledge_store,
        "distinct": knowledge_store,
        "scores_of": candidates,
        "contents": index_folder,
    }
    embed = of_dogs(fake_embed) if stage == "embed" else fake_embed
    here = tmp_path / "here"
    with monkeypatch.context() as patched:
        if owner := owners.get(stage):
            patched.setattr(owner, stage, of_dogs(getattr(owner, stage)))
        outcomes = list(index_claims(plan(here), embed))
    assert [outcome.error for outcome in outcomes] == ["", "RuntimeError('struck')", ""]
    others = {name: c for name, c in expected.items() if not name.startswith("claims/1/")}
    assert bytes_of(here / "index") == others
    outcomes = list(index_claims(plan(here), fake_embed))
    assert [bool(outcome.seconds) for outcome in outcomes] == [False, True, False]
    assert bytes_of(here / "index") == expected
