from __future__ import annotations

import gc
import threading
import time
import weakref

import pytest

from tests.support.doubles import CLAIMS, FAKE, fake_embed, plan, write_store
from tests.support.small_store import unique
from uhhrag.indexing.bm25 import NAMES, best, scores_of
from uhhrag.indexing.build import index_claims
from uhhrag.indexing.candidates import ahead, find, in_store
from uhhrag.indexing.choices import Tokenizer
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.records import Hit
from uhhrag.store import knowledge_store

pytestmark = pytest.mark.usefixtures("nltk_loaded")


@pytest.mark.parametrize("tokenizer", Tokenizer)
@pytest.mark.parametrize("once", [True, False])
def test_what_is_found_are_the_prefilters_best_lines(tmp_path, tokenizer, once):
    folder = write_store(tmp_path / "store")
    recipe = IndexSettings(FAKE, pool=2, unique=once, prefilter=NAMES[tokenizer])
    found = find(CLAIMS[2], in_store(folder), recipe)
    lines = list(knowledge_store.read(folder, 2))
    passages = unique(lines) if once else lines
    scores = scores_of(CLAIMS[2].text, [passage.text for passage in passages], tokenizer)
    assert list(found.hits) == [Hit(passages[i], float(scores[i])) for i in best(scores, 2)]
    assert (found.counts.lines, found.counts.unique, found.counts.kept) == (3, 2, 2)
    assert list(found.seconds) == ["read", "unique", "prefilter"]


def test_results_come_in_order_and_failures_stay_where_they_are():
    def work(number: int) -> int:
        if number == 1:
            raise ValueError("one")
        return number * 10

    first, second, third = ahead(work, [0, 1, 2])
    assert first() == 0
    with pytest.raises(ValueError, match="one"):
        second()
    assert third() == 20
    assert list(ahead(work, [])) == []


def test_the_next_is_worked_on_meanwhile_but_never_two():
    begun = [threading.Event() for _ in range(4)]

    def work(number: int) -> int:
        begun[number].set()
        return number

    results = ahead(work, range(4))
    assert next(results)() == 0
    assert begun[1].wait(5)
    time.sleep(0.05)
    assert [event.is_set() for event in begun] == [True, True, False, False]
    results.close()
    assert not begun[2].is_set()


def test_closing_it_waits_for_no_thread():
    """The garbage collector closes what was left half way, wherever it finds it."""
    begun, let_go, ended = (threading.Event() for _ in range(3))

    def work(number: int) -> None:
        if number:
            begun.set()
            let_go.wait(10)
            ended.set()

    results = ahead(work, range(3))
    next(results)()
    assert begun.wait(5)
    results.close()
    assert not ended.is_set()
    let_go.set()


def test_an_index_is_the_same_whether_or_not_claims_are_found_ahead(tmp_path, monkeypatch):
    def in_turn(work, items):
        for item in items:
            yield lambda item=item: work(item)

    write_store(tmp_path / "knowledge_store")
    list(index_claims(plan(tmp_path, out=tmp_path / "ahead"), fake_embed))
    monkeypatch.setattr("uhhrag.indexing.build.ahead", in_turn)
    list(index_claims(plan(tmp_path, out=tmp_path / "turn"), fake_embed))
    files = [path.relative_to(tmp_path / "turn") for path in (tmp_path / "turn").rglob("*.*")]
    assert len(files) > 9
    for name in files:
        if (tmp_path / "turn" / name).is_file():
            one, other = (tmp_path / folder / name for folder in ("turn", "ahead"))
            assert one.read_bytes() == other.read_bytes()


def test_nothing_goes_on_after_the_index_is_left_half_way(tmp_path):
    others = set(threading.enumerate())
    outcomes = index_claims(plan(tmp_path), fake_embed)
    next(outcomes)
    outcomes.close()
    for thread in set(threading.enumerate()) - others:
        if thread.name.startswith("ahead"):
            thread.join(5)
            assert not thread.is_alive()


def test_a_claim_whose_file_is_missing_fails_alone(tmp_path):
    folder = write_store(tmp_path / "knowledge_store")
    (folder / "1.json").unlink()
    outcomes = list(index_claims(plan(tmp_path), fake_embed))
    assert [outcome.manifest is not None for outcome in outcomes] == [True, False, True]
    assert "no file 1.json" in outcomes[1].error


@pytest.mark.slow
def test_memory_of_a_claim_is_let_go_before_the_one_after_the_next():
    alive: list[weakref.ref] = []

    class Big:
        pass

    def work(number: int) -> Big:
        big = Big()
        alive.append(weakref.ref(big))
        return big

    held = []
    for result in ahead(work, range(6)):
        result()
        gc.collect()
        held.append(sum(ref() is not None for ref in alive))
    assert max(held) <= 3
