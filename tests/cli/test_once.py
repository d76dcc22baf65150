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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("ingest", "", "--out", "x"), "FOLDER is empty; name a file or folder"),
        (("ingest", "docs", "--out", ""), "--out is empty; name a file or folder"),
        (("check", "--docs", "a", "--claims="), "--claims is empty; name a file or folder"),
        (("merge", "a", "b", ""), "PART... is empty; name a file or folder"),
    ],
)
def test_an_empty_path_is_not_the_folder_that_one_is_in(arguments, said, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call(*arguments) == (2, "", f"uhhrag: {said}\n")
    assert not [*tmp_path.iterdir()]


def test_the_folder_that_one_is_in_has_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.txt").write_text("It rained.")
    code, out, _ = call("ingest", ".", "--out", "../x", "--no-vectors")
    assert (code, out.startswith("1 file (1 read): 1 document")) == (0, True)


def test_an_option_without_its_value_names_the_help_of_its_command():
    said = "uhhrag: Option '--top-n' requires an argument; see: uhhrag predict --help\n"
    assert call("predict", "--top-n") == (2, "", said)
    said = "uhhrag: Option '--top' requires an argument; see: uhhrag archive search --help\n"
    assert call("archive", "search", "a", "b", "--top") == (2, "", said)
