from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.command import call
from tests.support.doubles import FAKE, bytes_of, fake_embed, load_nltk_data
from tests.support.paths import SAMPLE
from tests.support.small_store import unique
from uhhrag.errors import ModelError
from uhhrag.indexing import index_folder
from uhhrag.indexing.choices import Precision
from uhhrag.store import knowledge_store
from uhhrag.wiring import embedders
from uhhrag.wiring.machine import Machine

CLAIMS = len(json.loads((SAMPLE / "claims.json").read_text(encoding="utf-8")))


@pytest.fixture
def uhhrag(monkeypatch):
    """Run `uhhrag index …` with an embedder that needs no model: exit code, output, errors."""
    load_nltk_data()
    monkeypatch.setattr(embedders, "load_embedder", lambda *_: (fake_embed, FAKE))

    def run(*arguments: object) -> tuple[int, str, str]:
        return call("index", *arguments)

    return run


def test_the_sample_is_indexed_and_one_line_says_so(uhhrag, tmp_path):
    code, said, _ = uhhrag(SAMPLE, "--out", tmp_path / "index")
    assert code == 0
    passages = [unique(knowledge_store.read(SAMPLE / "knowledge_store", n)) for n in range(CLAIMS)]
    assert said.startswith(f"{CLAIMS} claims, {sum(map(len, passages))} passages in ")
    assert said.endswith(f"→ {tmp_path / 'index'}\n")
    assert len(index_folder.open_index(tmp_path / "index").claims) == CLAIMS


def test_a_second_run_finds_all_there(uhhrag, tmp_path):
    uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1)
    before = bytes_of(tmp_path)
    code, said, _ = uhhrag(SAMPLE, "--out", tmp_path, "--claim", 0)
    assert code == 0
    assert "1 claim, 1 of them there already" in said
    assert bytes_of(tmp_path) == before


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--limit", 2], [0, 1]),
        (["--claim", 3], [3]),
        (["--claim", 3, "--claim", 1, "--claim", 3], [1, 3]),
        (["--claim", 3, "--claim", 1, "--limit", 1], [1]),
        (["--limit", 99], list(range(CLAIMS))),
    ],
)
def test_limit_and_claim_choose(uhhrag, tmp_path, options, ids):
    assert uhhrag(SAMPLE, "--out", tmp_path, *options)[0] == 0
    assert [claim.id for claim in index_folder.open_index(tmp_path).claims] == ids


def test_claims_and_store_can_be_elsewhere_and_the_store_a_zip(uhhrag, data, tmp_path):
    uhhrag(data, "--out", tmp_path / "expected")
    zipped = shutil.make_archive(str(tmp_path / "knowledge_store"), "zip", data / "knowledge_store")
    claims = (data / "claims.json").rename(tmp_path / "dev.json")
    empty = tmp_path / "empty"
    empty.mkdir()
    options = ("--claims", claims, "--store", zipped, "--out", tmp_path / "index")
    assert uhhrag(empty, *options)[0] == 0
    assert bytes_of(tmp_path / "index") == bytes_of(tmp_path / "expected")


def test_a_zip_in_the_folder_is_found(uhhrag, data, tmp_path):
    shutil.make_archive(str(data / "knowledge_store"), "zip", data / "knowledge_store")
    shutil.rmtree(data / "knowledge_store")
    assert uhhrag(data, "--out", tmp_path / "index")[0] == 0


def test_records_that_are_skipped_are_told_once_and_cannot_steer_the_terminal(
    uhhrag, data, tmp_path
):
    broken = data / "knowledge_store" / "2.json"
    line = len(broken.read_text(encoding="utf-8").splitlines()) + 1
    with broken.open("a") as file:
        file.write('{"url": 1}\n\x1b[31m\n')
    code, _, warned = uhhrag(data, "--out", tmp_path / "index")
    assert code == 0
    assert f"claim 2: 2 records skipped, the first at 2.json:{line}: `url` is missing" in warned
    assert "\x1b" not in warned
    assert "skipped" not in uhhrag(data, "--out", tmp_path / "index")[2]


def test_a_claim_that_fails_is_named_and_the_others_are_indexed(uhhrag, data, tmp_path):
    (data / "knowledge_store" / "1.json").unlink()
    code, said, warned = uhhrag(data, "--out", tmp_path / "index")
    assert code == 8
    assert said.startswith(f"{CLAIMS - 1} claims, ")
    assert "claim 1: " in warned
    assert "no file 1.json for claim 1" in warned
    assert f"1 of {CLAIMS} claims could not be indexed (claim 1)" in warned.splitlines()[-1]


@pytest.mark.parametrize("older", [False, True])
def test_a_store_that_changed_is_not_taken_for_the_indexed_one(uhhrag, data, tmp_path, older):
    index, store = tmp_path / "index", data / "knowledge_store" / "2.json"
    assert uhhrag(data, "--out", index)[0] == 0
    if older:
        file = index / "claims" / "2" / "manifest.json"
        manifest = index_folder.read_claim_manifest(index, 2)
        file.write_bytes(index_folder.manifest_to_bytes(replace(manifest, store="")))
    store.write_text("".join(store.read_text(encoding="utf-8").splitlines(keepends=True)[3:]))
    before = bytes_of(index)
    code, _, error = uhhrag(data, "--out", index)
    assert (code, bytes_of(index)) == (4, before)
    assert "claim 2 was indexed from other pages than" in error
    assert uhhrag(data, "--out", index, "--claim", 2, "--overwrite")[0] == 0
    assert uhhrag(data, "--out", index)[1].startswith(f"{CLAIMS} claims, {CLAIMS} of them there")


def test_one_other_word_in_a_store_is_seen_and_other_spaces_are_not(uhhrag, data, tmp_path):
    index, store = tmp_path / "index", data / "knowledge_store" / "2.json"
    assert uhhrag(data, "--out", index)[0] == 0
    lines = [json.loads(line) for line in store.read_text(encoding="utf-8").splitlines()]
    store.write_text("".join(json.dumps(line, indent=None) + "\n\n" for line in lines))
    assert uhhrag(data, "--out", index)[0] == 0
    lines[0]["url2text"][0] += " Not."
    store.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert uhhrag(data, "--out", index)[0] == 4
    store.unlink()  # nothing to compare with
    assert uhhrag(data, "--out", index)[0] == 0


def _no_claims(data: Path) -> None:
    (data / "claims.json").rename(data / "dev.json")
    (data / "train.json").write_text("[]")


def _no_store(data: Path) -> None:
    shutil.rmtree(data / "knowledge_store")


def _bad_claims(data: Path) -> None:
    (data / "claims.json").write_text("{")


def _nothing(data: Path) -> None:
    shutil.rmtree(data)


@pytest.mark.parametrize(
    ("mistake", "options", "code", "said"),
    [
        (_no_claims, [], 3, "no claims.json in it; it has dev.json, train.json; name the claims"),
        (
            _no_store,
            [],
            3,
            "neither knowledge_store/ nor knowledge_store.zip in it; name",
        ),
        (_bad_claims, [], 3, "claims.json"),
        (_nothing, [], 3, "no such folder; give the one that holds claims.json"),
        (None, ["--claims", "nowhere.json"], 3, "nowhere.json"),
        (
            None,
            ["--claim", str(CLAIMS)],
            2,
            f"claims.json has no claim {CLAIMS}; its claims are 0 to {CLAIMS - 1}; give one",
        ),
        (None, ["--claim", "-1"], 2, "--claim"),
        (None, ["--limit", "0"], 2, "--limit"),
        (None, ["--pool", "0"], 2, "--pool"),
        (None, ["--pool", "many"], 2, "--pool"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_do(
    uhhrag, data, tmp_path, mistake, options, code, said
):
    if mistake:
        mistake(data)
    ended, out, error = uhhrag(data, "--out", tmp_path / "index", *options)
    assert (ended, out) == (code, "")
    assert error.count("\n") == 1
    assert error.startswith("uhhrag: ")
    assert said in error


def test_a_store_that_is_not_there_is_said_before_the_model_is_loaded(
    uhhrag, data, tmp_path, monkeypatch
):
    monkeypatch.delattr(embedders, "load_embedder")
    code, _, error = uhhrag(data, "--out", tmp_path / "index", "--store", tmp_path / "nowhere")
    assert code == 3
    assert "no such knowledge store" in error
    cut = tmp_path / "store.zip"
    cut.write_bytes(b"PK\x03\x04")
    code, _, error = uhhrag(data, "--out", tmp_path / "index", "--store", cut)
    assert (code, error.count("\n")) == (3, 1)
    assert f"{cut}: is no folder, whole zip or .jsonl; give one by --store" in error


def test_other_settings_are_refused_on_one_line(uhhrag, tmp_path):
    uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1)
    code, _, error = uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--pool", 7, "--no-unique")
    assert code == 4
    assert "was built with pool 10000, not 7, unique on, not off; choose another" in error
    code, _, _ = uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--pool", 7, "--overwrite")
    assert code == 0
    assert index_folder.open_index(tmp_path).header.recipe.pool == 7


def test_an_index_of_an_embedder_from_a_folder_says_which_folder_to_give(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelError, match=r"from a folder 'fake'; name that folder here too"):
        embedders.load_known(FAKE, Machine())
    with pytest.raises(ModelError, match="model 'nowhere' is not in the table"):
        embedders.load_known(FAKE, Machine(embedder="nowhere"))
    (tmp_path / "fake").mkdir()  # a folder that is there, with something else amiss
    with pytest.raises(ModelError) as caught:
        embedders.load_known(FAKE, Machine())
    assert "name that folder" not in str(caught.value)


def test_an_index_is_gone_on_with_in_the_precision_it_was_begun_in(uhhrag, tmp_path, monkeypatch):
    def load(name, device, memory, precision):
        return fake_embed, replace(FAKE, precision=precision or Precision.FP32)

    monkeypatch.setattr(embedders, "load_embedder", load)
    assert uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--precision", "bf16")[0] == 0
    code, said, _ = uhhrag(SAMPLE, "--out", tmp_path, "--limit", 2)
    assert (code, "2 claims, 1 of them there already" in said) == (0, True)
    assert index_folder.open_index(tmp_path).header.recipe.embedder.precision is Precision.BF16
    code, _, error = uhhrag(SAMPLE, "--out", tmp_path, "--precision", "fp32")
    assert code == 4
    assert "was built with embedder fake (16 d, bf16) 00000000, not fake (16 d) 00000000" in error
    assert uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--overwrite")[0] == 0
    assert index_folder.open_index(tmp_path).header.recipe.embedder.precision is Precision.FP32


def test_an_index_is_gone_on_with_in_the_patience_it_was_begun_with(uhhrag, tmp_path):
    def recipe():
        return index_folder.open_index(tmp_path).header.recipe

    assert uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--patience", 9)[0] == 0
    assert uhhrag(SAMPLE, "--out", tmp_path, "--limit", 2)[0] == 0
    assert recipe().patience == 9
    code, _, error = uhhrag(SAMPLE, "--out", tmp_path, "--patience", 7)
    assert code == 4
    assert "was built with patience 9, not 7; choose another" in error
    assert uhhrag(SAMPLE, "--out", tmp_path, "--limit", 1, "--overwrite")[0] == 0
    assert recipe().patience == 0  # the default for an embedder without trained static vectors
