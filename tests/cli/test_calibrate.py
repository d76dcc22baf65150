"""uhhrag calibrate on made-up claims, with a scripted model."""

from __future__ import annotations

import json

import pytest

from uhhrag.runs.run_folder import read_header


def test_a_calibration_is_fitted_and_used_by_predict(uhhrag, predict, train, tmp_path):
    out = tmp_path / "c.json"
    code, said, warned = uhhrag("calibrate", train, "--out", out, "--llm", "stand-in", "--size", 8)
    assert code == 0
    assert "the votes hardly tell the labels apart" in warned  # a stand-in's
    assert [line.split()[0] for line in said.splitlines()] == ["before", "after", "scale"]
    (entry,) = json.loads(out.read_text())
    assert entry["model"] == "f" * 64
    assert "8 claims" in entry["fitted_on"]
    code, _, warned = predict("--calibration", out)
    assert code == 0
    assert "No calibration" not in warned
    assert read_header(tmp_path / "run")["calibration"]["scale"] == entry["scale"]


def test_a_calibration_asks_for_votes_only(uhhrag, train, llm, tmp_path):
    uhhrag("calibrate", train, "--out", tmp_path / "c.json", "--llm", "stand-in", "--size", 8)
    assert set(llm.steps) == {"vote_constrained"}


@pytest.mark.parametrize(
    ("content", "options", "code", "said"),
    [
        ("[]", [], 3, "train.json: no claim is Supported"),
        ("{", [], 3, "is not JSON, or was cut off"),
        (None, [], 3, "cannot be read"),
        ("[]", ["--rule", "dice"], 2, "--rule dice is unknown"),
        ("[]", ["--size", "1"], 2, "--size"),
        ("[]", ["--top-n", "0"], 2, "--top-n"),
        ("[]", ["--llm", "no-such-model"], 5, "no-such-model"),
    ],
)
def test_a_mistake_in_calibrating_is_one_line(uhhrag, tmp_path, content, options, code, said):
    train = tmp_path / "train.json"
    if content is not None:
        train.write_text(content)
    given = options if "--llm" in options else ["--llm", "stand-in", *options]
    found, printed, warned = uhhrag("calibrate", train, "--out", tmp_path / "c.json", *given)
    assert (found, printed) == (code, "")
    assert said in warned
    assert warned.count("\n") == 1
    assert not (tmp_path / "c.json").exists()
