"""Calibration: what is fitted is found again, and one model's numbers never reach another."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from uhhrag.errors import InputError, UsageError
from uhhrag.prompts.templates import load_prompts
from uhhrag.records import Claim, Evidence, Label, Reply
from uhhrag.rules import learned_files
from uhhrag.rules.rules import RULES, SIDE_OPTIONS
from uhhrag.training.calibration import (
    Example,
    Fit,
    fit,
    match_mix,
    read_examples,
    sample,
    shares,
    vector_scaling,
    write_entry,
)
from uhhrag.voters import calibration
from uhhrag.voters.ballot import constrained_vote
from uhhrag.voters.calibration import NONE, Calibration, find
from uhhrag.wiring.verifiers import fingerprint_of, shipped_for

S, R = Label.SUPPORTED, Label.REFUTED
EVIDENCE = (Evidence("Q?", "A."),)
FILE = Path("claims.json")


def votes(each: int, scale: float, bias: tuple[float, ...], seed: int = 0):
    """Log-probabilities and the class each came from, `each` of every class: under scale and bias
    they are exactly as sure as they are right (normal distributions round each class's corner)."""
    targets = np.repeat(np.arange(len(bias)), each)
    seen = np.random.default_rng(seed).normal(np.eye(len(bias))[targets] * 1.5)
    return (seen * 1.5 - np.array(bias)) / scale, targets, np.ones(len(targets))


@pytest.mark.parametrize(
    ("scale", "bias"),
    [(1.0, (0.0, 0.0)), (0.5, (1.0, -1.0)), (2.0, (-0.5, 0.5)), (1.0, (1.0, -1.0, 0.5, -0.5))],
)
def test_a_known_scale_and_bias_are_found_again(scale, bias):
    found_scale, found_bias = vector_scaling(*votes(3000, scale, bias))
    assert found_scale == pytest.approx(scale, rel=0.1)
    assert found_bias == pytest.approx(bias, abs=0.12)
    assert sum(found_bias) == pytest.approx(0, abs=1e-9)


def test_a_row_of_weight_ten_is_ten_rows():
    chance = np.random.default_rng(1)
    few, many = chance.normal((2, 0), 1, (40, 2)), chance.normal((0, 2), 1, (40, 2))
    weights = np.repeat([1.0, 10.0], 40)
    once = vector_scaling(np.vstack([few, many]), np.repeat([0, 1], 40), weights)
    targets = np.repeat([0, 1], [40, 400])
    ten = vector_scaling(np.vstack([few, *[many] * 10]), targets, np.ones(440))
    assert ten[0] == pytest.approx(once[0], abs=1e-2)
    assert ten[1] == pytest.approx(once[1], abs=1e-2)


def test_letters_that_say_the_reverse_are_not_turned_round():
    logits, targets, weights = votes(500, 1.0, (0.0, 0.0))
    scale, bias = vector_scaling(-logits, targets, weights)
    assert scale == pytest.approx(0, abs=1e-6)
    assert bias == pytest.approx([0, 0], abs=0.1)


def test_a_class_told_apart_perfectly_has_a_finite_fit():
    apart = np.array([[0.0, -9.0], [-9.0, 0.0]] * 9)
    scale, bias = vector_scaling(apart, np.array([0, 1] * 9), np.ones(18))
    assert np.isfinite([scale, *bias]).all()


def test_a_class_without_votes_does_not_stop_the_fit():
    scale, bias = vector_scaling(np.zeros((5, 3)), np.array([0, 0, 1, 1, 1]), np.ones(5))
    assert np.isfinite([scale, *bias]).all()


def example(number: int, label: Label = S, evidence=EVIDENCE) -> Example:
    return Example(Claim(number, f"Claim {number}."), label, evidence)


def recast(vote, fitted):
    return constrained_vote(Reply(vote.reply, tuple(vote.options.values())), SIDE_OPTIONS, fitted)


def test_a_model_that_leans_to_one_side_uses_both_after_the_fit():
    examples = [example(i, (S, R)[i % 2]) for i in range(20)]
    replies = [Reply("B", (-3.0 + (i % 2 == 0), -0.2, -5.0)) for i in range(20)]
    cast = [(constrained_vote(reply, SIDE_OPTIONS, NONE),) for reply in replies]
    decide = RULES["majority"].decide
    found = fit(examples, cast, SIDE_OPTIONS, [0.5, 0.5], decide, recast, "a file")
    assert found.before == (0.5, {"Refuted": 20})
    assert found.after == (1.0, {"Supported": 10, "Refuted": 10})
    assert found.calibration.source == "a file"


def test_a_claim_is_fitted_by_the_mean_of_its_votes_and_a_common_label_weighs_more():
    examples = [example(i, (S, R)[i % 2]) for i in range(40)]
    chance = np.random.default_rng(0)
    logits = chance.normal(0, 1, (40, 2)) + np.array([[1, 0], [0, 1]] * 20)
    one = [[constrained_vote(Reply("A", (a, b, -9)), SIDE_OPTIONS, NONE)] for a, b in logits]
    spread = [
        [constrained_vote(Reply("A", (a + d, b - d, -9)), SIDE_OPTIONS, NONE) for d in (-3, 0, 3)]
        for a, b in logits
    ]
    decide = RULES["majority"].decide
    even = fit(examples, one, SIDE_OPTIONS, [0.5, 0.5], decide, recast, "a file").calibration
    same = fit(examples, spread, SIDE_OPTIONS, [0.5, 0.5], decide, recast, "a file").calibration
    rare = fit(examples, one, SIDE_OPTIONS, [0.1, 0.9], decide, recast, "a file").calibration
    assert (same.scale, *same.bias) == pytest.approx((even.scale, *even.bias), abs=1e-3)
    assert rare.bias[1] > even.bias[1] + 0.5


@pytest.mark.parametrize("common", [(0.5, 0.5), (0.3, 0.7), (0.3, 0.55, 0.1, 0.05)])
def test_labels_come_out_as_often_as_they_are_common(common):
    chance = np.random.default_rng(3)
    scores = chance.normal(0, 0.3, (400, len(common))) + chance.normal(0, 2, len(common))
    bias = match_mix(scores, np.ones(400), common)
    found = np.bincount((scores + bias).argmax(axis=1), minlength=len(common)) / 400
    assert found == pytest.approx(common, abs=0.01)
    assert bias.sum() == pytest.approx(0, abs=1e-9)


def test_the_shares_of_labels_leave_out_claims_without_evidence():
    examples = [example(0), example(1, R), example(2, R), example(3, R, ()), example(4, R)]
    assert shares(examples, [S, R]) == [0.25, 0.75]


def test_a_sample_has_as_many_of_each_label_and_is_drawn_by_a_seed():
    examples = [example(i, S if i % 4 else R) for i in range(100)]
    drawn = sample(FILE, examples, [S, R], 20, seed=1)
    assert [e.label for e in drawn] == [S] * 10 + [R] * 10
    assert drawn == sample(FILE, examples, [S, R], 20, seed=1)
    assert drawn != sample(FILE, examples, [S, R], 20, seed=2)
    assert len({e.claim.id for e in drawn}) == 20


def test_a_sample_takes_what_there_is_and_nothing_without_evidence():
    examples = [example(0), example(1, R), example(2, R, ()), example(3, Label.NOT_ENOUGH)]
    assert {e.claim.id for e in sample(FILE, examples, [S, R], 50, 0)} == {0, 1}


def test_a_label_without_an_example_is_named():
    with pytest.raises(InputError, match=r"claims\.json: no claim is Refuted"):
        sample(FILE, [example(0), example(1, R, ())], [S, R], 8, 0)


def test_examples_are_read_in_order(tmp_path):
    rows = [
        {"claim": "One.", "label": "Refuted", "evidence": [{"question": "Q?", "answer": "A."}]},
        {"claim": "Two.", "label": "Supported", "evidence": []},
    ]
    (tmp_path / "train.json").write_text(json.dumps(rows))
    one, two = read_examples(tmp_path / "train.json")
    assert one == Example(Claim(0, "One."), R, (Evidence("Q?", "A."),))
    assert (two.claim.id, two.evidence) == (1, ())


def test_an_example_of_a_passage_has_its_found_sentences_below_its_headings(tmp_path):
    piece = {"question": "", "answer": "It closed. It burnt.", "sentence": "It burnt."}
    piece |= {"title": "Mill", "section": "End", "beside": ["It closed."]}
    row = {"claim": "One.", "label": "Refuted", "evidence": [piece]}
    (tmp_path / "train.json").write_text(json.dumps([row]))
    (found,) = read_examples(tmp_path / "train.json")[0].evidence
    (source,), (other,) = found.sources, found.beside
    assert (source.title, source.section) == ("Mill", "End")
    assert (found.sentence, other.answer, other.sources) == ("It burnt.", "It closed.", (source,))


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "5",
        "[5]",
        '[{"claim": "c"}]',
        '[{"claim": "c", "label": "True", "evidence": []}]',
        '[{"claim": "c", "label": ["Refuted"], "evidence": []}]',
        '[{"claim": "c", "label": "Refuted", "evidence": [{"question": "q"}]}]',
        '[{"claim": "c", "label": "Refuted", "evidence": 5}]',
    ],
)
def test_a_bad_training_file_is_named(tmp_path, content):
    (tmp_path / "train.json").write_text(content)
    with pytest.raises(InputError, match=r"train\.json: is (not a list of claims|empty|not JSON)"):
        read_examples(tmp_path / "train.json")


def a_fit(scale: float, bias=(0.5, -0.5)) -> Fit:
    return Fit(Calibration(scale, bias, "a file"), (0.0, {}), (1.0, {}))


def test_an_entry_is_found_by_its_model_and_template_alone(tmp_path):
    file = tmp_path / "calibrations.json"
    write_entry(file, "model", "template", "vote_constrained", a_fit(2.0))
    assert find("model", "template", file) == Calibration(2.0, (0.5, -0.5), "a file")
    assert find("other", "template", file) is NONE
    assert find("model", "other", file) is NONE
    assert find("no such model", "no such template") is NONE


def test_an_entry_replaces_that_of_its_model_and_template(tmp_path):
    file = tmp_path / "calibrations.json"
    for model, scale in (("a", 1.0), ("b", 2.0), ("a", 3.0)):
        write_entry(file, model, "template", "vote_constrained", a_fit(scale))
    assert len(json.loads(file.read_text())) == 2
    assert find("a", "template", file).scale == 3.0
    assert find("b", "template", file).scale == 2.0


@pytest.mark.parametrize("content", ["", "{", "5", "[5]", '{"a": 1}', '[{"model": 1}]'])
def test_a_file_that_holds_something_else_is_not_written_over(tmp_path, content):
    file = tmp_path / "mine.json"
    file.write_text(content)
    with pytest.raises(InputError, match=r"mine\.json: is .*uhhrag calibrate"):
        write_entry(file, "model", "template", "step", a_fit(1.0))
    assert file.read_text() == content


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "a file").write_text("")
    with pytest.raises(UsageError, match="cannot be written"):
        write_entry(tmp_path / "a file" / "c.json", "model", "template", "step", a_fit(1.0))


ENTRY = {"model": "m", "template": "t", "scale": 1.0, "bias": [0.0, 0.0], "fitted_on": "x"}


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "{}",
        "5",
        "null",
        "[5]",
        '[{"model": "m"}]',
        json.dumps([{**ENTRY, "scale": "x"}]),
        json.dumps([{**ENTRY, "scale": None}]),
        json.dumps([{**ENTRY, "scale": float("nan")}]),
        json.dumps([{**ENTRY, "bias": ["x", "y"]}]),
        json.dumps([{**ENTRY, "bias": [float("inf"), 0.0]}]),
        json.dumps([{**ENTRY, "bias": 5}]),
    ],
)
def test_a_bad_calibration_file_is_named(tmp_path, content):
    (tmp_path / "c.json").write_text(content)
    with pytest.raises(InputError, match=r"c\.json: is .*uhhrag calibrate"):
        find("m", "t", tmp_path / "c.json")


def test_the_shipped_file_can_be_read_whole():
    table = json.loads(calibration.SHIPPED.read_text())
    for entry in table:
        found = find(entry["model"], entry["template"])
        assert found.source == entry["fitted_on"]
        assert found.scale >= 0


def test_each_shipped_calibration_is_of_a_template_as_it_is_shipped():
    table = json.loads(calibration.SHIPPED.read_text())
    prompts = load_prompts()
    asked = [e for e in table if e["step"] != "verifier"]
    assert [e["template"] for e in asked] == [prompts(e["step"]).hash for e in asked]
    assert len({e["step"] for e in table}) == len(table) == 6


def test_the_shipped_calibrations_of_the_verifier_are_of_the_verifier_of_news():
    entries = {entry["step"]: entry for entry in json.loads(calibration.SHIPPED.read_text())}
    folder = shipped_for("news")
    base = json.loads((folder / "verifier.json").read_text())["base_fingerprint"]
    verifier = fingerprint_of(folder, base)
    assert entries["verifier"]["template"] == "verifier"
    assert entries["verifier"]["model"] == verifier
    reader = learned_files.find("news", "both").reader
    assert entries["reader"]["template"] == reader.template
    assert entries["reader"]["model"] == f"{verifier}+{reader.model}"


def test_an_example_is_read_after_the_line_before_its_own_place(tmp_path):
    context = "It sank.\nIt was old.\nThe mill burnt.\nIt was old."
    piece = {"question": "", "answer": "It was old.", "context": context}
    row = {"claim": "One.", "label": "Refuted", "evidence": [piece, piece | {"at": 37}]}
    (tmp_path / "train.json").write_text(json.dumps([row]))
    first, second = read_examples(tmp_path / "train.json")[0].evidence
    assert (first.before, second.before) == ("It sank.", "The mill burnt.")
