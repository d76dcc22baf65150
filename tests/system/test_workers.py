"""Work spread over workers."""

from __future__ import annotations

import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.runs.predict import spread


@given(st.lists(st.integers()), st.integers(1, 4))
def test_each_item_is_done_once(items, count):
    done = list(spread(lambda item, _worker: item, items, range(count)))
    assert sorted(done) == sorted(items)
    if count == 1:
        assert done == items


def test_a_worker_does_one_thing_at_a_time_and_all_work():
    busy, used, together = set(), set(), threading.Barrier(3)

    def work(item, worker):
        assert worker not in busy
        busy.add(worker)
        used.add(worker)
        together.wait(30)
        busy.remove(worker)
        return item

    assert len(list(spread(work, range(12), "abc"))) == 12
    assert used == set("abc")


def test_a_slow_worker_does_not_hold_up_the_others():
    release = threading.Event()

    def work(item, worker):
        if worker == "slow":
            release.wait(5)
        if item == 9:
            release.set()
        return worker

    assert list(spread(work, range(10), ("slow", "fast"))).count("fast") == 9


@pytest.mark.parametrize("workers", ["a", "ab"])
def test_what_is_raised_ends_it(workers):
    begun = []

    def work(item, _worker):
        begun.append(item)
        if item == 1:
            raise OSError("struck")
        return item

    with pytest.raises(OSError, match="struck"):
        list(spread(work, range(50), workers))
    assert len(begun) < 50


def test_nothing_begins_before_it_is_asked_for():
    begun = []
    results = spread(lambda item, _worker: begun.append(item), range(9), "ab")
    next(results)
    assert len(begun) <= 3
    results.close()
    assert len(begun) <= 3
