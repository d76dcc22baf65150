"""Shares of the claims, made apart and joined: to the byte what one machine makes, or refused."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.command import call
from tests.support.doubles import CLAIMS, FAKE, bytes_of, fake_embed, plan
from tests.support.paths import SAMPLE
from tests.support.small_run import CLAIMS as RUN_CLAIMS
from tests.support.small_run import HEADER, results
from tests.support.standins import make_models, put_in_place
from uhhrag.errors import ClaimsFailed, IndexFault, InputError, RunError, UhhragError, UsageError
from uhhrag.folders import merge, require_all
from uhhrag.indexing.build import index_claims
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.records import Claim
from uhhrag.runs.run_folder import asked_in, open_run, read_header
from uhhrag.runs.shards import Shard, read_shard
from uhhrag.runs.trace import append, as_line, read_trace


@given(st.sets(st.integers(0, 500)), st.integers(1, 9))
def test_every_claim_is_in_one_share(ids, of):
    shares = [Shard(number, of).share(sorted(ids)) for number in range(1, of + 1)]
    assert sorted(i for share in shares for i in share) == sorted(ids)


@pytest.mark.parametrize(
    "text", ["", "1", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", " 1/2", "٣/٣"]
)
def test_what_is_no_share_is_refused(text):
    with pytest.raises(UsageError, match="is not a share; give 1/3"):
        read_shard(text)


# Indexes


pytestmark = pytest.mark.usefixtures("nltk_loaded")


def part(folder: Path, only: tuple[int, ...] | None, **changes: object) -> Path:
    made = plan(folder, only=only, **changes)
    list(index_claims(made, fake_embed))
    return made.out


@pytest.fixture
def whole(tmp_path):
    return part(tmp_path / "whole", None)


@pytest.fixture
def halves(tmp_path):
    return [part(tmp_path / f"half{n}", Shard(n, 2).share(range(3))) for n in (1, 2)]


def refused(parts, out, error=IndexFault) -> str:
    before = bytes_of(out) if out.exists() else None
    with pytest.raises(UhhragError) as caught:
        merge(parts, out)
    assert type(caught.value) is error
    assert (bytes_of(out) if out.exists() else None) == before
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_merged_shares_are_to_the_byte_the_whole_index(halves, whole, tmp_path):
    merged = merge(halves, tmp_path / "out")
    require_all(merged, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(whole)


def test_the_order_of_the_parts_and_a_part_given_twice_change_nothing(halves, whole, tmp_path):
    merge([*reversed(halves), *halves], tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(whole)


def test_a_part_can_be_joined_to_an_index_that_is_there(halves, whole):
    merge([halves[1]], halves[0])
    assert bytes_of(halves[0]) == bytes_of(whole)


def test_a_missing_claim_is_named(halves, tmp_path):
    merged = merge(halves[:1], tmp_path / "out")
    with pytest.raises(ClaimsFailed, match=r"missing are 1 of 3 claims \(claim 1\)"):
        require_all(merged, tmp_path / "out")


def test_a_merge_that_was_cut_off_goes_on(halves, whole, tmp_path):
    merge(halves[:1], tmp_path / "out")
    (tmp_path / "out" / "claims" / ".1.part").mkdir()
    merge(halves, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(whole)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"recipe": IndexSettings(FAKE, pool=5)}, "pool 5, not 10000"),
        ({"claims": (*CLAIMS[:2], Claim(2, "Cows fly."))}, "claims file"),
        ({"claims": CLAIMS[:2]}, "number of claims 2, not 3"),
    ],
)
def test_indexes_made_in_different_ways_are_not_joined(halves, tmp_path, changes, said):
    other = part(tmp_path / "other", (1,), **changes)
    assert said in refused([halves[0], other], tmp_path / "out")


def test_two_parts_with_different_content_for_one_claim_are_not_joined(halves, tmp_path):
    other = tmp_path / "other"
    shutil.copytree(tmp_path / "half1" / "knowledge_store", other / "knowledge_store")
    (other / "knowledge_store" / "0.json").write_text('{"url": "u", "url2text": ["Cats."]}\n')
    said = refused([halves[0], part(other, (0,))], tmp_path / "out")
    assert "claim 0 is one thing in" in said


@pytest.mark.parametrize("name", ["passages.parquet", "vectors.faiss", "pages.parquet"])
def test_a_damaged_part_is_not_joined(halves, tmp_path, name):
    file = halves[1] / "claims" / "1" / name
    content = file.read_bytes()
    file.write_bytes(content[:40] + bytes([content[40] ^ 4]) + content[41:])
    said = refused(halves, tmp_path / "out")
    assert f"{name}: is damaged (its SHA-256 has changed); run: " in said


def test_a_part_in_use_is_not_joined(halves, tmp_path):
    going = index_claims(plan(tmp_path / "half2", only=(1, 0)), fake_embed)
    next(going)
    assert "another uhhrag is at work on it" in refused(halves, tmp_path / "out")
    going.close()


def test_what_is_neither_index_nor_run_is_not_joined(halves, tmp_path):
    assert "neither an index nor a run" in refused([halves[0], SAMPLE], tmp_path / "o", InputError)
    assert "nothing to merge" in refused([], tmp_path / "out", UsageError)


def test_nothing_is_joined_into_a_folder_of_something_else(halves, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").write_text("mine")
    said = refused([halves[0]], tmp_path / "out", InputError)
    assert "out: is neither an index nor a run folder" in said


# Runs


def decided(folder: Path, ids, **changes: object) -> Path:
    """A run of a few claims, with the passages that these have."""
    header = {**HEADER, "passages": {str(i): f"hash{i}" for i in ids}, **changes}
    with open_run(folder, header, overwrite=False, repair=False) as run:
        for i in ids:
            record = {
                "claim_id": i,
                "claim": RUN_CLAIMS[i].text,
                "label": "Refuted",
                "evidence": [],
            }
            append(run.trace, as_line({**record, "votes": [], **run.origin(i)}))
            append(run.timings, as_line({"claim_id": i, "seconds": {"search": 1.0}}))
    return folder


def test_merged_runs_are_to_the_byte_the_whole_run(tmp_path):
    whole = decided(tmp_path / "whole", range(4))
    parts = [decided(tmp_path / str(n), Shard(n, 3).share(range(4))) for n in (3, 1, 2)]
    merged = merge(parts, tmp_path / "out")
    require_all(merged, tmp_path / "out")
    assert bytes_of(tmp_path / "out") == bytes_of(whole)


def test_a_claim_that_failed_in_one_part_takes_the_verdict_of_the_other(tmp_path):
    whole = decided(tmp_path / "whole", range(4))
    failing = decided(tmp_path / "a", (0, 1))
    failed = {"claim_id": 2, "claim": RUN_CLAIMS[2].text, "error": "struck"}
    append(failing / "trace.jsonl", as_line(failed))
    merged = merge([failing], tmp_path / "alone")
    assert merged.missing == [2]
    assert "error" in list(read_trace(tmp_path / "alone" / "trace.jsonl"))[-1]
    for parts in ([failing, whole], [whole, failing]):
        out = tmp_path / parts[0].name / "out"
        assert merge(parts, out).missing == []
        assert results(out) == results(whole)


def test_runs_with_other_settings_are_not_joined(tmp_path):
    one = decided(tmp_path / "one", (0,))
    other = decided(tmp_path / "two", (1,), signature="approach:small|top:7|version:0")
    assert "(top:7 in place of top:3)" in refused([one, other], tmp_path / "out", RunError)
    third = decided(tmp_path / "three", (1,), models={"m": "other"})
    assert "(models differ)" in refused([one, third], tmp_path / "out", RunError)


def test_claims_that_no_part_has_are_noted_in_the_joined_run(tmp_path):
    one = decided(tmp_path / "one", (0, 2), absent=[1, 3])
    other = decided(tmp_path / "two", (1,), absent=[3])
    merge([one, other], tmp_path / "out")
    assert read_header(tmp_path / "out")["absent"] == [3]
    assert asked_in(tmp_path / "out") == {0, 1, 2, 3}
    last = decided(tmp_path / "three", (3,))
    merge([one, other, last], tmp_path / "all")
    assert "absent" not in read_header(tmp_path / "all")


def test_a_shard_that_no_part_holds_is_named_until_it_is_joined(tmp_path):
    one, two, three = (
        decided(tmp_path / f"{n}", Shard(n, 3).share(range(4)), claims=4, shards=[f"{n}/3"])
        for n in (1, 2, 3)
    )
    said = "missing is shard 3/3; the claims file has 4 claims"
    assert merge([one, two], tmp_path / "out").lacking == said
    assert read_header(tmp_path / "out")["shards"] == ["1/3", "2/3"]
    code, out, told = call("merge", tmp_path / "again", one, two)
    assert (code, "claims: 3 of 3" in out, said in " ".join(told.split())) == (0, True, True)
    assert merge([three], tmp_path / "out").lacking == ""
    assert bytes_of(tmp_path / "out") == bytes_of(decided(tmp_path / "w", range(4), claims=4))


def test_a_part_of_before_that_names_no_shard_is_joined_without_a_word(tmp_path):
    one = decided(tmp_path / "one", (0,), shards=["1/2"], claims=2, python="3.13")
    assert merge([one, decided(tmp_path / "two", (1,))], tmp_path / "out").lacking == ""
    assert "shards" not in read_header(tmp_path / "out")


def test_where_the_models_lie_may_differ(tmp_path):
    one = decided(tmp_path / "one", (0,), settings={"llm": "/a/m.gguf"})
    other = decided(tmp_path / "two", (1,), settings={"llm": "/b/m.gguf"})
    assert merge([one, other], tmp_path / "out").missing == []
    assert read_header(tmp_path / "out")["settings"] == {"llm": "/a/m.gguf"}


def test_runs_on_other_passages_are_not_joined(tmp_path):
    one = decided(tmp_path / "one", (0, 1))
    other = decided(tmp_path / "two", (1,), passages={"1": "other"})
    assert "holds claim 1 with another text" in refused([one, other], tmp_path / "out", RunError)


def test_one_claim_decided_in_two_ways_is_not_joined(tmp_path):
    one, other = decided(tmp_path / "one", (0, 1)), decided(tmp_path / "two", (1,))
    record = {**next(read_trace(other / "trace.jsonl")), "label": "Supported"}
    (other / "trace.jsonl").write_bytes(as_line(record))
    assert "claim 1 was decided in another way" in refused([one, other], tmp_path / "o", RunError)


def test_an_index_and_a_run_are_not_joined(halves, tmp_path):
    run = decided(tmp_path / "run", (0,))
    said = refused([halves[0], run], tmp_path / "out", UsageError)
    assert said.startswith(f"{run} holds no index, but {halves[0]} does")
    said = refused([halves[0]], run, UsageError)
    assert said.startswith(f"{halves[0]} holds no run, but {run} does")


# The commands


def test_a_part_given_twice_is_named(tmp_path):
    run = decided(tmp_path / "run", range(4))
    code, said, warned = call("merge", tmp_path / "out", run, run / ".." / "run")
    assert (code, said[:16]) == (0, "claims: 4 of 4 →")
    assert warned == f"{run}/../run is given twice, and joined once\n"


@pytest.fixture
def uhhrag(tmp_path, monkeypatch):
    from uhhrag.backends import sentence_transformer
    from uhhrag.backends.llamacpp import model as llamacpp

    monkeypatch.setattr(sentence_transformer, "load", sentence_transformer.load)
    monkeypatch.setattr(llamacpp, "load", llamacpp.load)
    embedder, llm = make_models(tmp_path / "models")
    put_in_place(0)

    def run(command: str, *arguments: object) -> tuple[int, str, str]:
        added = {
            "index": ["--embedder", embedder],
            "predict": ["--embedder", embedder, "--llm", llm],
        }
        return call(command, *arguments, *added.get(command, []))

    return run


def test_shares_of_index_and_predict_are_joined_to_what_one_machine_makes(uhhrag, tmp_path):
    assert uhhrag("index", SAMPLE, "--out", tmp_path / "i", "--limit", 4)[0] == 0
    assert uhhrag("predict", "--index", tmp_path / "i", "--out", tmp_path / "r")[0] == 0
    for n in ("1", "2"):
        share = ("--shard", f"{n}/2")
        index, run = tmp_path / f"i{n}", tmp_path / f"r{n}"
        assert uhhrag("index", SAMPLE, "--out", index, "--limit", 4, *share)[0] == 0
        assert uhhrag("predict", "--index", index, "--out", run, *share)[0] == 0
    code, said, warned = uhhrag("merge", tmp_path / "i0", tmp_path / "i1", tmp_path / "i2")
    assert (code, said) == (8, f"claims: 4 of 12 → {tmp_path / 'i0'}\n")
    assert "missing are 8 of 12 claims (claim 4, 5, 6" in warned
    code, said, _ = uhhrag("merge", tmp_path / "r0", tmp_path / "r1", tmp_path / "r2")
    assert (code, said) == (0, f"claims: 4 of 4 → {tmp_path / 'r0'}\n")
    assert results(tmp_path / "r0") == results(tmp_path / "r")
    assert (tmp_path / "r0" / "run.json").read_bytes() == (tmp_path / "r/run.json").read_bytes()
    for kept in (tmp_path / "i").glob("replies.sqlite*"):
        kept.unlink()
    assert bytes_of(tmp_path / "i0") == bytes_of(tmp_path / "i")


@pytest.mark.parametrize("command", ["index", "predict"])
def test_a_share_that_is_none_is_one_line(uhhrag, command, tmp_path):
    uhhrag("index", SAMPLE, "--out", tmp_path / "i", "--limit", 1)
    given = {"index": [SAMPLE], "predict": ["--index", tmp_path / "i"]}[command]
    code, _, warned = uhhrag(command, *given, "--out", tmp_path / "o", "--shard", "3/2")
    assert code == 2
    assert warned == (
        "uhhrag: --shard '3/2' is not a share; give 1/3, 2/3 and 3/3 on three machines\n"
    )
    assert not (tmp_path / "o").exists()
