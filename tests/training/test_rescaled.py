from __future__ import annotations

import json
import math

import pytest

from uhhrag.errors import InputError, RunError
from uhhrag.records import Claim, Evidence, Label, Origin, Verdict, Vote
from uhhrag.rules import learned_files
from uhhrag.rules.learned import LearnedVerdict
from uhhrag.runs.run_folder import HEADER, header_as_bytes
from uhhrag.runs.trace import TRACE, as_line, as_record
from uhhrag.wiring.verdicts import rescaled_by

CREDULOUS = LearnedVerdict(
    "news", "verifier", ("mean lean",), tuple(Label)[:2], (0.0,), (1.0,),
    ((0.5,), (-0.5,)), (1.0, -1.0), (1.0, 1.0), "answers",
)  # fmt: skip


def verdict(number: int, supports: float, labels: tuple[Label, ...] = tuple(Label)) -> Verdict:
    shares = {"A": supports, "B": 0.8 - supports, "C": 0.2}
    options = {letter: math.log(share) for letter, share in shares.items()}
    votes = (Vote(Label.SUPPORTED, Origin.CONSTRAINED, "A", supports, options),)
    pieces = (Evidence("Q?", f"Sentence {number}.", retrieval_score=0.5),)
    given = dict.fromkeys(labels, 0.25)
    claim = Claim(number, "It is so.")
    return Verdict(claim, Label.SUPPORTED, pieces, votes, vote_per_piece=True, probabilities=given)


def run_of(folder, verdicts, labels):
    (folder / HEADER).write_bytes(header_as_bytes({"signature": "voter:verifier"}))
    questions = [{"question": "Q?", "answers": [{"answer": "so"}]}]
    gold = [{"claim": "It is so.", "label": label, "questions": questions} for label in labels]
    (folder / "gold.json").write_text(json.dumps(gold))
    lines = (as_line(as_record(one, {})) for one in verdicts)
    (folder / TRACE).write_bytes(b"".join(lines))
    return folder, folder / "gold.json"


def test_what_a_run_takes_for_support_too_often_is_refuted_after_its_labels(tmp_path, monkeypatch):
    monkeypatch.setattr(learned_files, "find", lambda *_: CREDULOUS)
    doubtful, sure = verdict(0, 0.5), verdict(0, 0.75)
    two = CREDULOUS.labels
    verdicts = [verdict(n, 0.75 if n % 4 == 0 else 0.5, two) for n in range(40)]
    labels = [Label.SUPPORTED if n % 4 == 0 else Label.REFUTED for n in range(40)]
    fitted, accuracy = rescaled_by(*run_of(tmp_path, verdicts, labels))
    assert CREDULOUS(doubtful.evidence, doubtful.votes).label is Label.SUPPORTED
    assert fitted(doubtful.evidence, doubtful.votes).label is Label.REFUTED
    assert fitted(sure.evidence, sure.votes).label is Label.SUPPORTED
    assert accuracy == 1
    assert fitted.fitted_on == "answers; rescaled on gold.json: 40 claims"


def test_a_run_with_too_few_claims_is_refused(tmp_path):
    with pytest.raises(InputError, match="has too few claims with votes and a label"):
        rescaled_by(*run_of(tmp_path, [verdict(0, 0.5)], [Label.REFUTED]))


def test_a_run_of_another_rule_one_on_documents_and_what_is_no_run_are_refused(tmp_path):
    for labels in ((), tuple(Label)[:3]):
        run = run_of(tmp_path, [verdict(0, 0.5, labels)], [Label.REFUTED])
        with pytest.raises(InputError, match="is no learned run on news claims; make one by"):
            rescaled_by(*run)
    with pytest.raises(RunError, match="is not a run folder"):
        rescaled_by(tmp_path / "nowhere", tmp_path / "gold.json")
