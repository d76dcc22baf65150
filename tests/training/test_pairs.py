from __future__ import annotations

import gzip
import json

import pytest

from uhhrag.errors import InputError, UsageError
from uhhrag.training.pairs import STANCES, Pair, Stance, read_pairs, split, undisputed

ROW = {"premise": "It rained.", "hypothesis": "It was wet.", "label": "supports", "source": "s"}


def write(file, *rows) -> None:
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))


def test_pairs_are_read_from_plain_and_compressed_files_in_order(tmp_path):
    write(tmp_path / "a.jsonl", ROW, {**ROW, "label": "neutral", "group": "g"})
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(json.dumps(ROW).encode()))
    pairs = read_pairs([tmp_path / "a.jsonl", tmp_path / "b.jsonl.gz"])
    assert pairs[0] == pairs[2] == Pair("It rained.", "It was wet.", Stance.SUPPORTS, "s")
    assert pairs[1].label is Stance.NEUTRAL
    assert pairs[1].group == "g"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", ": invalid JSON"),
        ("[]", ": is a list; it must be an object"),
        ('{"premise": 1}', ", premise: is a whole number; it must be a text"),
        (json.dumps({**ROW, "label": "maybe"}), ", label: has the unknown value 'maybe'; a pair"),
    ],
)
def test_a_line_that_is_no_pair_is_named(tmp_path, line, message):
    file = tmp_path / "a.jsonl"
    file.write_text(json.dumps(ROW) + "\n" + line)
    with pytest.raises(InputError, match=rf"a\.jsonl:2{message}"):
        read_pairs([file])


def test_a_file_that_is_missing_damaged_or_empty_is_one_line(tmp_path):
    (tmp_path / "a.gz").write_bytes(b"\x1f\x8bno")
    (tmp_path / "empty").write_text("\n")
    for name in ("missing", "a.gz"):
        with pytest.raises(InputError, match=f"{name}: cannot be read"):
            read_pairs([tmp_path / name])
    with pytest.raises(InputError, match="no pair to read"):
        read_pairs([tmp_path / "empty"])


def test_groups_stay_together_and_the_split_is_the_same_for_the_same_seed():
    pairs = [Pair(str(n), "h", STANCES[n % 3], group=f"g{n // 3}") for n in range(60)]
    training, held = split(pairs, 0.2, seed=1)
    assert len(held) == 12
    assert {p.group for p in training}.isdisjoint({p.group for p in held})
    assert split(pairs, 0.2, seed=1) == (training, held)
    assert split(pairs, 0.2, seed=2) != (training, held)


def test_evidence_and_claim_with_two_labels_are_left_out_of_the_pairs():
    pairs = [Pair("p", "h", label) for label in (STANCES[0], STANCES[1], STANCES[0])]
    others = [Pair("p", "o", STANCES[1]), Pair("q", "h", STANCES[0]), Pair("q", "h", STANCES[0])]
    assert undisputed([*pairs, *others]) == others
    with pytest.raises(UsageError, match="0 groups of pairs: none to train on is supports or"):
        split(undisputed(pairs), 0.1, seed=0)


def test_one_group_cannot_be_split():
    with pytest.raises(UsageError, match="1 group of pairs: none to train on is supports or"):
        split([Pair("p", "h", Stance.NEUTRAL)], 0.1, seed=0)


@pytest.mark.parametrize(
    ("labels", "lacking"),
    [
        ([Stance.SUPPORTS] * 30, "none to train on is refutes or neutral"),
        ([*STANCES, *STANCES, *STANCES], "none held out is "),
    ],
)
def test_both_parts_have_every_label(labels, lacking):
    pairs = [Pair(str(number), "h", label) for number, label in enumerate(labels)]
    with pytest.raises(UsageError, match=lacking):
        split(pairs, 0.1, seed=0)
