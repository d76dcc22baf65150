"""No damaged line of a trace is ever believed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.run_folders import flipped, opened, refusal
from tests.support.small_run import results, run_all
from uhhrag.errors import RunError
from uhhrag.runs.trace import as_line, read_trace


@pytest.mark.parametrize("kept", [1, 40, -2, -1])
def test_a_torn_last_line_is_passed_over_and_its_claim_decided_again(folder, kept):
    before = results(folder)
    *lines, last = before[0].splitlines(keepends=True)
    (folder / "trace.jsonl").write_bytes(b"".join([*lines, last[:kept]]))
    assert set(opened(folder).done) == {0, 1, 2}
    assert [claim.claim.id for claim in run_all(folder)] == [3]
    assert results(folder) == before


def test_a_changed_byte_is_named_with_its_line_and_repair_decides_only_that_claim(folder):
    before = results(folder)
    place = before[0].index(b"Amber Hill in July")
    (folder / "trace.jsonl").write_bytes(flipped(before[0], place))
    said = refusal(folder)
    assert f"{folder / 'trace.jsonl'} line 2 is damaged" in said
    assert "; the same check again, or predict with --repair, decides that claim anew" in said
    assert [verdict.claim.id for verdict in run_all(folder, repair=True)] == [1]
    assert results(folder) == before


def test_a_damaged_trace_is_left_as_it_is_until_repair_is_asked_for(folder):
    damaged = flipped(results(folder)[0], 10)
    (folder / "trace.jsonl").write_bytes(damaged)
    refusal(folder)
    assert (folder / "trace.jsonl").read_bytes() == damaged


@pytest.mark.parametrize("bit", [0, 5])
def test_every_changed_byte_of_a_line_is_found(folder, tmp_path, bit):
    line, after = results(folder)[0].splitlines(keepends=True)[:2]
    file = tmp_path / "trace.jsonl"
    unnoticed = []
    for place in range(len(line)):
        file.write_bytes(flipped(line, place, bit) + after)
        try:
            unnoticed.append((place, list(read_trace(file))))
        except RunError:
            continue
    assert unnoticed == []


numbers = st.floats(allow_nan=False, allow_infinity=False)


@given(st.dictionaries(st.text(), numbers | st.text() | st.integers(-9, 9)), st.data())
def test_no_damaged_line_is_ever_believed(tmp_path_factory, record, data):
    file = tmp_path_factory.mktemp("trace") / "trace.jsonl"
    record.pop("sha256", None)
    record |= {"claim_id": 0, "claim": "Rain.", "error": "struck"}
    line = as_line(record)
    file.write_bytes(line)
    assert list(read_trace(file)) == [record]
    place = data.draw(st.integers(0, len(line) - 2))
    file.write_bytes(flipped(line, place, data.draw(st.integers(0, 7))))
    with pytest.raises(RunError, match="damaged"):
        list(read_trace(file))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("claim_id", "0"),
        ("claim", None),
        ("label", "refuted"),
        ("evidence", {}),
        ("votes", [1]),
        ("run", None),
        ("passages", 1),
    ],
)
def test_a_line_of_another_shape_is_refused_though_its_hash_is_right(folder, field, value):
    file = folder / "trace.jsonl"
    record = {**next(read_trace(file)), field: value}
    file.write_bytes(as_line(record))
    with pytest.raises(RunError, match="line 1 is damaged"):
        list(read_trace(file))


def test_a_line_of_the_timings_is_no_line_of_the_trace(folder):
    file = folder / "trace.jsonl"
    file.write_bytes(as_line({"claim_id": 0, "seconds": {}}))
    with pytest.raises(RunError, match="line 1 is damaged"):
        list(read_trace(file))
