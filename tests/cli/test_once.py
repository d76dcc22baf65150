"""An option that takes one value is given once, with every command."""

from __future__ import annotations

import pytest

from tests.support.command import call


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "--docs", "a", "--docs=b", "It rained."), "--docs is given twice"),
        (("evaluate", "run", "--gold", "a", "--gold", "b"), "--gold is given twice"),
        (("index", "data", "--pool", 1, "--pool", 2, "--pool", 3), "--pool is given 3 times"),
        (("archive", "search", "x", "--top", 1, "--top", 2), "--top is given twice"),
    ],
)
def test_one_value_given_twice_is_refused_in_one_line(arguments, said):
    code, out, complaints = call(*arguments)
    assert (code, out) == (2, "")
    assert said in complaints
    assert complaints.count("\n") == 1
    assert "takes one value; give it once" in complaints


def test_a_switch_may_be_given_twice(tmp_path):
    code, _, complaints = call("check", "It.", "--docs", tmp_path / "no", "--json", "--json")
    assert code == 3
    assert "no such folder" in complaints
