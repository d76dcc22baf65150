"""Invented tables and claims about them, read back from their words."""

from __future__ import annotations

import random
import re

from scripts.table_claims import MAKERS, passages


def made_of(number: int) -> list[dict]:
    return list(passages(number, random.Random(3)))  # noqa: S311 - a draw that can be repeated


def test_each_kind_of_claim_is_made_true_false_and_undecided():
    made = made_of(60)
    assert made == made_of(60)
    kinds = {(c["why"].split(",")[0], c["label"]) for p in made for c in p["claims"]}
    assert len(kinds) == 3 * len(MAKERS)
    for passage in made:
        assert all(
            0 <= n < len(passage["sentences"]) for c in passage["claims"] for n in c["evidence"]
        )


def test_a_comparison_of_two_rows_is_true_of_their_numbers():
    checked = 0
    for passage in made_of(200):
        for claim in passage["claims"]:
            found = re.fullmatch(r"(\w+)'s ([\w ]+) was (\w+) than that of (\w+)\.", claim["claim"])
            if not found or claim["label"] == "neutral":
                continue
            one, what, word, other = found.groups()
            column = what.rpartition(" in ")[2]
            values = {}
            for line in (passage["sentences"][n] for n in claim["evidence"]):
                name = next(name for name in (one, other) if name in line)
                cell = re.search(rf"{column}[^:;]*: ([\d,.]+)", line) or re.search(
                    r": ([\d,.]+)", line
                )
                values[name] = float(cell[1].replace(",", ""))
            greater = values[one] > values[other]
            assert (claim["label"] == "supports") == (greater == (word in ("higher", "greater")))
            checked += 1
    assert checked > 40
