"""`uhhrag train` on a tiny random model: the real trainer, the real files."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.backends.tiny_models import save_classifier
from tests.support.command import call
from uhhrag.rules import learned_files
from uhhrag.rules.learned_files import read_learned
from uhhrag.wiring import verdicts, verifiers

pytestmark = pytest.mark.slow

LABELS = ("supports", "refutes", "neutral")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("train")
    save_classifier(folder / "base", *LABELS)
    rows = [
        {
            "premise": "the bridge is old",
            "hypothesis": ("the bridge", "who ?", "what")[n % 3],
            "label": LABELS[n % 3],
            "source": f"set{n % 2}",
            "group": str(n),
        }
        for n in range(40)
    ]
    (folder / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (folder / "licences.json").write_text('{"set0": "MIT"}')
    return folder


@pytest.fixture(scope="module")
def trained(folder):
    options = ("--base", folder / "base", "--steps", 10, "--batch", 4, "--rank", 2)
    more = ("--held-out", 0.25, "--licences", folder / "licences.json", "--json")
    code, out, _ = call(
        "train", "verifier", "--pairs", folder / "pairs.jsonl", "--out", folder / "v",
        *options, *more,
    )  # fmt: skip
    assert code == 0
    return json.loads(out)


def test_training_prints_the_scores_of_held_out_pairs_and_writes_a_card(trained, folder):
    assert trained["all"]["pairs"] == 10
    assert set(trained["by_source"]) == {"set0", "set1"}
    card = (folder / "v" / "README.md").read_text()
    assert re.search(r"\| set0 \| \d+ \| MIT \|\n\| set1 \| \d+ \| not stated \|", card)


def test_a_trained_verifier_is_scored_on_any_file_of_pairs(trained, folder):
    asked = ("train", "score", "--pairs", folder / "pairs.jsonl", "--model", folder / "v")
    code, out, _ = call(*asked, "--json")
    scores = json.loads(out)
    assert code == 0
    assert scores["all"]["pairs"] == 40
    assert sum(scores["all"]["predicted"].values()) == 40
    assert scores["all"]["majority"] == pytest.approx(14 / 40)
    code, table, _ = call(*asked)
    assert code == 0
    assert max(map(len, table.splitlines())) <= 80
    assert f"{scores['all']['accuracy']:.3f}" in table


def test_a_trained_verifier_is_calibrated_anew_and_apart_for_passages(trained, folder, tmp_path):
    model = shutil.copytree(folder / "v", tmp_path / "v")
    before = json.loads((model / "verifier.json").read_text())
    windows = tmp_path / "windows.jsonl"
    rows = (folder / "pairs.jsonl").read_text().splitlines()
    windows.write_text("\n".join(row for row in rows if '"neutral"' in row or '"25"' in row))
    asked = ("train", "calibrate", model, "--pairs", folder / "pairs.jsonl")
    code, out, _ = call(*asked, "--passages", windows, "--json")
    assert code == 0
    assert json.loads(out)["all"]["pairs"] == 40
    after = json.loads((model / "verifier.json").read_text())
    assert after.keys() == before.keys() | {"passages"}
    assert after["scale"] != before["scale"]
    assert after["passages"]["bias"][2] > after["bias"][2] + 0.5  # nearly all are neutral
    assert call(*asked)[0] == 0
    assert "passages" not in json.loads((model / "verifier.json").read_text())
    (model / "verifier.json").write_text(json.dumps(before | {"base": ""}))
    code, _, err = call(*asked)
    assert code == 2
    assert "is no adapter that uhhrag train verifier wrote" in err


def test_a_calibration_that_is_stopped_leaves_the_earlier_one(
    trained, folder, tmp_path, monkeypatch
):
    model = shutil.copytree(folder / "v", tmp_path / "v")
    before = (model / "verifier.json").read_bytes()

    def stopped(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(verifiers, "_scaling", stopped)
    assert call("train", "calibrate", model, "--pairs", folder / "pairs.jsonl")[0] == 130
    assert (model / "verifier.json").read_bytes() == before


def test_a_folder_without_a_verifier_is_one_line(folder, tmp_path):
    code, _, err = call("train", "score", "--pairs", folder / "pairs.jsonl", "--model", tmp_path)
    assert code == 5
    assert "no verifier here" in err
    assert err.count("\n") == 1


def test_pairs_that_lack_a_label_are_refused(folder, tmp_path):
    labels = ("supports", "refutes") * 9
    rows = [{"premise": f"p{n}", "hypothesis": "h", "label": of} for n, of in enumerate(labels)]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = call(
        "train", "verifier", "--pairs", tmp_path / "p.jsonl", "--out", tmp_path / "v",
        "--base", folder / "base",
    )  # fmt: skip
    assert code == 2
    assert "18 groups of pairs: none to train on is neutral; give more pairs" in err


def test_pairs_that_contradict_each_other_are_counted_and_not_trained_on(folder, tmp_path):
    rows = [{"premise": "p", "hypothesis": "h", "label": label} for label in LABELS]
    (tmp_path / "p.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    code, _, err = call(
        "train", "verifier", "--pairs", folder / "pairs.jsonl", "--pairs", tmp_path / "p.jsonl",
        "--out", tmp_path / "v", "--base", folder / "base", "--steps", 10, "--batch", 4,
        "--rank", 2, "--held-out", 0.25,
    )  # fmt: skip
    assert code == 0
    assert "3 of 43 pairs left out: the same evidence and claim with more than one label" in err
    assert "trained on 30 pairs" in (tmp_path / "v" / "README.md").read_text()


def test_licences_that_are_no_object_are_refused(folder, tmp_path):
    (tmp_path / "l.json").write_text("[]")
    code, _, err = call(
        "train", "verifier", "--pairs", folder / "pairs.jsonl", "--out", tmp_path / "v",
        "--base", folder / "base", "--licences", tmp_path / "l.json",
    )  # fmt: skip
    assert code == 3
    assert "is not a JSON object with a licence for each source" in err


def test_the_learned_verdict_is_fitted_to_claims_and_scored_in_cross_validation(
    trained, folder, tmp_path, monkeypatch
):
    from uhhrag.backends.fakes import hashing_embedder
    from uhhrag.wiring import embedders

    monkeypatch.setattr(embedders, "load_embedder", lambda name: (hashing_embedder(16), None))
    claims = [
        {
            "claim": f"the bridge {n}",
            "label": "Supported" if n % 2 else "Refuted",
            "evidence": [{"question": "who ?", "answer": ("is old", "what ?")[n % 2]}] * 2,
        }
        for n in range(30)
    ]
    (tmp_path / "claims.json").write_text(json.dumps(claims))
    code, out, _ = call(
        "train", "verdict", "--claims", tmp_path / "claims.json", "--model", folder / "v",
        "--out", tmp_path / "learned.json", "--json",
    )  # fmt: skip
    assert code == 0
    score = json.loads(out)
    assert score["claims"] == sum(score["mix"].values()) == 30
    assert score["majority"] == 0.5
    (entry,) = read_learned(tmp_path / "learned.json")
    assert (entry.field, entry.voter) == ("news", "verifier")


def test_with_a_language_model_a_reader_is_fitted_too(trained, folder, tmp_path, monkeypatch):
    from uhhrag.backends.fakes import hashing_embedder, scripted_llm
    from uhhrag.records import Label
    from uhhrag.wiring import embedders, llms

    monkeypatch.setattr(embedders, "load_embedder", lambda name: (hashing_embedder(16), None))
    llm = scripted_llm({"reader": lambda prompt: prompt.body.split("Claim: ")[1]})
    monkeypatch.setattr(llms, "load_llm", lambda *_: (llm, "ab" * 32))
    piece = {"question": "who ?", "answer": "the bridge is old"}
    claims = [
        {"claim": f"{label} {n}", "label": str(label), "evidence": [piece]}
        for label in Label
        for n in range(8)
    ]
    (tmp_path / "claims.json").write_text(json.dumps(claims))
    options = ("--model", folder / "v", "--out", tmp_path / "learned.json", "--llm", "any")
    code, out, _ = call(
        "train", "verdict", "--claims", tmp_path / "claims.json", *options, "--json"
    )
    assert code == 0
    assert json.loads(out)["accuracy"] > 0.8  # the same evidence for all: the reading alone tells
    (entry,) = read_learned(tmp_path / "learned.json")
    assert (entry.voter, entry.reader.model) == ("both", "ab" * 32)


def test_a_rescaled_verdict_says_where_it_is_and_refuses_what_it_would_not_read(
    tmp_path, monkeypatch
):
    shipped = learned_files.find("news", "verifier")
    monkeypatch.setattr(verdicts, "rescaled_by", lambda *_: (shipped, 0.5))
    out = tmp_path / "learned.json"
    asked = ("train", "verdict", "--claims", "c.json", "--out", out, "--run", "run")
    assert call(*asked)[:2] == (0, f"accuracy 0.500\n→ {out}\n")
    for option in ("--field", "--model", "--llm", "--embedder"):
        code, _, err = call(*asked, option, "news")
        assert (code, f"{option}: --run rescales" in err) == (2, True)
