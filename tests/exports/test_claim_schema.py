"""One meaning of each field: what every export, the desk and `check --json` write of a claim."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace

import jsonschema
import pytest

from tests.support.serving import desk_of
from tests.views.test_claim_summary import decided
from uhhrag.exports import tables
from uhhrag.records import Failure, Label
from uhhrag.serve.claim_list import ListQuery, listed
from uhhrag.views.answer import CLAIM_SCHEMA, answer_of
from uhhrag.views.claim_row import row_of
from uhhrag.views.counted import Counted
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import Documents
from uhhrag.workflows.verdicts import verdict_row

SCHEMA = json.loads(CLAIM_SCHEMA.read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def clear(label=Label.REFUTED):
    view = decided()
    sure = dict.fromkeys(Label, 0.1) | {label: 0.7}
    return replace(view, verdict=replace(view.verdict, label=label, probabilities=sure))


VIEWS = {
    "clear": clear(),
    "not enough": clear(Label.NOT_ENOUGH),
    "unclear": decided(),
    "abstains": decided(label=Label.NOT_ENOUGH, leaning=Label.REFUTED),
    "failed": ClaimView(decided().claim, None, "the model is gone"),
}


@pytest.mark.parametrize("name", VIEWS)
def test_every_way_out_says_the_same_of_a_verdict(name):
    view = VIEWS[name]
    result = view.verdict or Failure(view.claim, view.error)
    (from_csv,) = csv.DictReader(io.StringIO(tables.as_csv(RunView("r", {}, (view,)))))
    ways = [
        tables.claim_object(view),
        tables.row_object(row_of(view)),
        answer_of(view, {"signature": "s"}, Documents(1, 1, 5, {}, 0)),
        {k: v for k, v in verdict_row(result).items() if k != "evidence" and (k != "error" or v)},
    ]
    for way in ways:
        VALIDATOR.validate(json.loads(json.dumps(way, default=str)))
    fields = [{key: way[key] for key in ("status", "label", "leans")} for way in ways]
    assert fields == [fields[0]] * len(ways)
    assert fields[0] == {key: from_csv[key] or None for key in fields[0]}
    unclear = name in ("unclear", "abstains")
    assert (fields[0]["status"] == "unclear") is unclear
    assert not unclear or fields[0]["label"] == "Not Enough Evidence"


def test_the_desk_writes_it_so(tmp_path):
    with desk_of(tmp_path / "run") as desk:
        desk.review("claim-0", label="Supported")
        desk.settled(desk.ask("The bridge is open."))
        every = json.loads(desk.get("/api/claims").body)["claims"]
        every += json.loads(desk.get("/export/claims.json").body)["claims"]
        every += [json.loads(desk.get(f"/api/claims/{one['key']}").body) for one in every]
    assert len(every) == 20
    for one in every:
        VALIDATOR.validate(one)
    assert {one["review"]["label"] for one in every if "review" in one} == {"Supported"}


def test_unclear_is_a_class_in_counts_filters_and_orders():
    views = tuple(replace(view, key=name) for name, view in VIEWS.items())
    run = RunView("r", {}, views)
    assert isinstance(run, Counted)
    assert run.mix() == {
        **dict.fromkeys(Label, 0),
        Label.REFUTED: 1,
        Label.NOT_ENOUGH: 1,
        "Unclear": 2,
    }
    rows = [row_of(view) for view in views]

    def keys(**query):
        return [row.key for row in listed(rows, ListQuery(**query)).rows]

    assert keys(kinds=frozenset({"unclear"})) == ["unclear", "abstains"]
    assert keys(kinds=frozenset({"refuted"})) == ["clear"]
    assert keys(order="unsure")[0] == "failed"
    assert set(keys(order="unsure")[1:3]) == {"unclear", "abstains"}
    assert set(keys(order="sure")[:2]) == {"clear", "not enough"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"claim": "c", "status": "unclear", "label": "Refuted", "leans": "Refuted"},
        {"claim": "c", "status": "clear", "label": "Unclear", "confidence": 0.4},
        {"claim": "c", "status": "failed", "label": None},
        {"claim": "c", "status": "waiting", "label": "Refuted"},
        {"claim": "c", "status": "done", "label": "Refuted", "confidence": 1},
    ],
)
def test_the_schema_refuses_two_meanings(wrong):
    assert not VALIDATOR.is_valid(wrong)
