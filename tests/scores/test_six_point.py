"""The measures of the scale of six, against a plain reckoning, and their files."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.errors import InputError
from uhhrag.formats import gold
from uhhrag.records import Grade
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.six_point import (
    MEASURES,
    SCALE,
    Graded,
    as_json,
    as_text,
    grade,
    measures,
    read_gold,
    read_grades,
    rows,
)

NAMES = ["true", "mostly-true", "half-true", "barely-true", "false", "pants-fire"]
PLACES = st.lists(st.tuples(st.integers(0, 5), st.integers(-1, 5)), min_size=1, max_size=20)


def graded(*pairs: tuple[int, int], name: str = "run") -> Graded:
    gold, said = zip(*pairs, strict=True)
    return Graded(name, tuple(range(len(pairs))), np.array(gold), np.array(said))


def plainly(pairs):
    """Accuracy, soft accuracy, macro-F1 and mean absolute error, written out."""
    right = sum(g == s for g, s in pairs) / len(pairs)
    soft = sum(s >= 0 and abs(g - s) <= 1 for g, s in pairs) / len(pairs)
    off = sum(abs(g - s) if s >= 0 else max(g, 5 - g) for g, s in pairs) / len(pairs)
    f1 = []
    for place in {g for g, _ in pairs} | {s for _, s in pairs if s >= 0}:
        hits = sum(g == s == place for g, s in pairs)
        f1.append(
            2 * hits / (sum(g == place for g, _ in pairs) + sum(s == place for _, s in pairs))
        )
    return [right, soft, sum(f1) / len(f1), off]


@given(PLACES)
def test_the_measures_are_those_of_a_plain_reckoning(pairs):
    assert measures(graded(*pairs))[0].tolist() == pytest.approx(plainly(pairs))


@given(PLACES, st.data())
def test_a_resample_is_measured_like_a_list_with_claims_repeated(pairs, data):
    times = data.draw(
        st.lists(st.integers(0, 3), min_size=len(pairs), max_size=len(pairs)).filter(any)
    )
    repeated = [pair for pair, n in zip(pairs, times, strict=True) for _ in range(n)]
    scaled = np.array([times]) * len(pairs) / sum(times)
    found = measures(graded(*pairs), scaled)[0]
    assert found[[0, 1, 3]].tolist() == pytest.approx([plainly(repeated)[i] for i in (0, 1, 3)])


def test_off_by_one_is_softly_right_and_a_missing_grade_is_as_far_off_as_can_be():
    assert measures(graded((2, 3), (0, -1), (2, -1)))[0].tolist() == pytest.approx(
        [0, 1 / 3, 0, (1 + 5 + 3) / 3]
    )


def gold_file(tmp_path, labels=NAMES, **more):
    file = tmp_path / "gold.json"
    file.write_text(json.dumps([{"claim": "c", "label": label, **more} for label in labels]))
    return file


def test_gold_is_told_by_its_labels(tmp_path):
    assert read_gold(gold_file(tmp_path)) == dict(enumerate(Grade))
    assert read_gold(gold_file(tmp_path, ["Supported", "Refuted"])) is None
    assert read_gold(gold_file(tmp_path, [])) is None
    for other in ('{"label": "true"}', "7", '["true"]', "null"):
        (tmp_path / "other.json").write_text(other)
        assert read_gold(tmp_path / "other.json") is None


@pytest.mark.parametrize("odd", ["unproven", "Supported", "", None, 3, ["true"]])
@pytest.mark.parametrize("place", [0, 3, 6])
def test_a_label_that_is_no_grade_is_refused_by_claim_and_label(tmp_path, odd, place):
    labels = [*NAMES[:place], odd, *NAMES[place:]]
    with pytest.raises(InputError) as caught:
        read_gold(gold_file(tmp_path, labels))
    assert f"gold.json, claim {place}, label: {odd!r} is not one of the six" in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("place", [0, 2])
def test_a_grade_among_the_four_labels_is_refused_by_claim_and_label(tmp_path, place):
    labels = ["Supported", "Refuted"]
    labels.insert(place, "mostly-true")
    file = gold_file(
        tmp_path, labels, questions=[{"question": "Is it?", "answers": [{"answer": "It is."}]}]
    )
    assert read_gold(file) is None
    with pytest.raises(InputError, match=rf"claim {place}, label: .*'mostly-true' is not one of"):
        gold.read_gold(file)


def test_one_claim_id_for_two_claims_is_refused(tmp_path):
    with pytest.raises(InputError, match=r"claim 1: its claim_id 7 is another's; give each"):
        read_gold(gold_file(tmp_path, claim_id=7))


def test_grades_are_read_from_a_list_and_nothing_else(tmp_path):
    file = tmp_path / "said.json"
    file.write_text(json.dumps([{"claim_id": 1, "grade": "half true"}, {"claim_id": 0}, 3]))
    assert read_grades(file) == {1: Grade.HALF_TRUE}
    file.write_text("[]")
    with pytest.raises(InputError, match="has no grades"):
        read_grades(file)
    with pytest.raises(InputError, match="has no grades"):
        read_grades(tmp_path)


def test_a_run_is_paired_by_claim_id(tmp_path):
    said = tmp_path / "said.json"
    said.write_text(
        json.dumps([{"claim_id": i, "grade": n} for i, n in reversed(list(enumerate(NAMES)))][1:])
    )
    found = grade(said, read_gold(gold_file(tmp_path)))
    assert found.missing() == [5]
    assert [row["steps_off"] for row in rows(found)] == [0, 0, 0, 0, 0, None]
    assert rows(found)[0] == {"claim_id": 0, "gold": "true", "grade": "true", "steps_off": 0}


def test_a_report_fits_the_terminal_and_names_what_is_missing():
    one = as_json([graded((0, 0), (1, 2), (5, -1))], Bootstrap(50))
    assert set(one["runs"][0]["measures"]) == set(MEASURES)
    text = as_text(one)
    assert "warning: 1 have no grade and count wrong: 2" in text
    assert all(len(line) <= 110 for line in text.splitlines())


def test_two_runs_are_compared_over_the_same_resamples():
    a = graded(*[(i % 6, 5 - i % 6) for i in range(60)], name="a")
    b = graded(*[(i % 6, i % 6) for i in range(60)], name="b")
    found = as_json([a, b], Bootstrap(200))
    assert found["differences"]["accuracy"] == {"value": 1.0, "interval": [1.0, 1.0]}
    assert "+1.0000  [+1.000, +1.000]*" in as_text(found)
    same = as_json([a, a], Bootstrap(200))["differences"]
    assert all(told == {"value": 0.0, "interval": [0.0, 0.0]} for told in same.values())


def test_the_scale_runs_from_true_to_pants_on_fire():
    assert [SCALE[0], SCALE[-1]] == [Grade.TRUE, Grade.PANTS_ON_FIRE]
