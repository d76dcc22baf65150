from __future__ import annotations

from dataclasses import replace

import pytest

from uhhrag.formats.submission import Pairing
from uhhrag.records import Label
from uhhrag.scores import compare, score_report
from uhhrag.scores.averitec import MEASURES, ClaimScore
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.scores.meteor import LanguageData
from uhhrag.scores.score_report import Report

S, R, N = Label.SUPPORTED, Label.REFUTED, Label.NOT_ENOUGH


def report(scores: list[ClaimScore]) -> Report:
    paired = Pairing((), False, (), (), (), (), {})
    return Report(
        "a.json", "g.json", tuple(scores), paired, LanguageData("3.9.2", "3.0"), Bootstrap()
    )


def claim(number: int, said: Label | None, qa: float = 0.3) -> ClaimScore:
    return ClaimScore(number, f"Claim {number}.", R, said, qa, qa, counted=1)


def test_a_run_against_itself_differs_in_nothing() -> None:
    run = report([claim(n, R if n % 3 else S, n / 20) for n in range(20)])
    for found in compare.differences(run, run).values():
        assert found["a"] == found["b"]
        assert found["interval"] == [0.0, 0.0]
        assert not found["clear"]
    assert compare.flips(run.scores, run.scores) == []


def test_a_constant_gain_has_an_interval_of_no_width_because_it_is_paired() -> None:
    a = [claim(n, R, (n % 7) / 10) for n in range(40)]
    b = [claim(n, R, (n % 7) / 10 + 0.05) for n in range(40)]
    found = compare.differences(report(a), report(b))
    assert list(found) == list(MEASURES)
    assert found["Q+A"]["interval"] == pytest.approx([0.05, 0.05])
    assert found["Q+A"]["clear"]
    assert not found["accuracy"]["clear"]


def test_flips_say_who_won_and_why() -> None:
    a = [claim(0, S), claim(1, R), claim(2, S), claim(3, R, 0.2), claim(4, R), claim(5, None)]
    b = [claim(0, R), claim(1, S), claim(2, N), claim(3, R, 0.3), claim(4, R), claim(5, R)]
    found = compare.flips(a, b)
    assert [(f["id"], f["change"]) for f in found] == [
        (0, "won"),
        (1, "lost"),
        (2, "moved"),
        (3, "same"),
        (5, "won"),
    ]
    assert [(f["a_solved"], f["b_solved"]) for f in found] == [
        (False, True),
        (True, False),
        (False, False),
        (False, True),
        (False, True),
    ]


def test_the_text_fits_a_terminal_and_counts_what_it_cuts() -> None:
    a = report([claim(n, S) for n in range(30)])
    b = report([claim(n, R) for n in range(30)])
    text = compare.as_text(compare.as_json(a, b))
    assert "B won 30, lost 0, moved 0; solved at 0.25: won 30, lost 0" in text
    assert "... and 10 more" in text
    assert "won: only B has the right label; lost: only A; moved: two wrong labels" in text
    assert max(map(len, text.splitlines())) <= 80
    same = compare.as_text(compare.as_json(a, a))
    assert "won: only B" not in same


def test_a_claim_with_the_same_label_says_which_run_solved_it() -> None:
    a = report([claim(0, R, 0.3), claim(1, R, 0.2)])
    b = report([claim(0, R, 0.2), claim(1, R, 0.3)])
    rows = [line.split() for line in compare.as_text(compare.as_json(a, b)).splitlines()]
    rest = ["gold", "Ref.", "Claim"]
    assert ["0", "same", "solved:", "lost", *rest, "0."] in rows
    assert ["1", "same", "solved:", "won", *rest, "1."] in rows


def test_a_long_claim_is_cut_between_words_and_says_so() -> None:
    long = "The harbour of Varnby was dredged in 2019 and again in 2021, says its newest master."
    a, b = (report([replace(claim(0, said), claim=long)]) for said in (S, R))
    (line,) = (x for x in compare.as_text(compare.as_json(a, b)).splitlines() if "harbour" in x)
    shown, mark = line[line.index("The") :].rsplit(" ", 1)
    assert mark == "…"
    assert long.startswith(f"{shown} ")


def test_many_warnings_and_settings_fit_a_terminal() -> None:
    many = report([replace(claim(n, R), counted=0) for n in range(100, 140)])
    scores = compare.as_json(many, many)
    scores["differs_in"] = "; ".join(f"setting{n} a / b" for n in range(9))
    lines = compare.as_text(scores).splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[3].startswith("differs in: setting0 a / b; setting1 a / b")
    assert "differs in: no setting" in compare.as_text(scores | {"differs_in": ""})
    assert "differs in" not in compare.as_text(scores | {"differs_in": None})
    both = score_report.as_text(score_report.as_json(many))
    assert max(map(len, both.splitlines())) <= 80
    assert "20 more)" in both
