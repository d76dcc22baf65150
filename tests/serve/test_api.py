"""The desk for programs: JSON in and out, behind the same guard as the pages."""

from __future__ import annotations

import json

import jsonschema
import pytest

import uhhrag
from tests.support.pages import Page
from tests.support.serving import TARGET, desk_of
from tests.support.small_run import CLAIMS
from tests.support.waiting import until
from tests.workflows.test_own_parts import EMBEDDER, agree
from uhhrag.errors import RunError
from uhhrag.records import Claim
from uhhrag.serve.api import OPENAPI, _answer
from uhhrag.serve.routes import make_asgi
from uhhrag.serve.targets import key_of
from uhhrag.workflows.method import MethodOptions, choose
from uhhrag.workflows.observer import SILENT
from uhhrag.workflows.serve import subject_of
from uhhrag.workflows.tasks import ServeTask

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-the-newsroom"  # noqa: S105


def send(desk, body: object, **headers: str):
    given = {"content_type": "application/json", **headers}
    return desk.send("POST", "/api/checks", json.dumps(body), **given)


def test_a_program_asks_waits_and_reads_the_verdict(desk):
    assert json.loads(desk.get("/api/targets").body) == {TARGET: "The folder"}
    answer = send(desk, {"claim": "The bridge is shut.", "date": "2020-10-31", "speaker": "Ada"})
    assert answer.status == 202
    asked = json.loads(answer.body)
    assert answer.headers["location"] == asked["url"] == "/api/claims/check-1"

    def done():
        claim = json.loads(desk.get(asked["url"]).body)
        return claim if claim["status"] in ("clear", "unclear") else None

    claim = until(done)
    assert (claim["claim"], claim["date"], claim["speaker"]) == (
        "The bridge is shut.",
        "2020-10-31",
        "Ada",
    )
    assert len(claim["evidence"]) == 3
    listed = json.loads(desk.get("/api/claims").body)["claims"]
    assert [c["key"] for c in listed] == ["check-1", *(f"claim-{c.id}" for c in CLAIMS)]
    assert "evidence" not in listed[0]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({}, 422),
        ({"claim": "  "}, 422),
        ({"claim": ["x"]}, 422),
        ({"claim": "x", "target": "elsewhere"}, 422),
        ({"claim": "x", "date": "soon"}, 422),
        ([], 422),
    ],
)
def test_what_cannot_be_checked_is_refused_with_a_reason(still, body, status):
    answer = send(still, body)
    assert answer.status == status
    assert json.loads(answer.body)["error"]
    assert still.app.database.asked() == []


def test_no_form_and_no_page_of_another_site_can_ask(still):
    body = {"claim": "Planted."}
    for kind in ("text/plain", "application/x-www-form-urlencoded", ""):
        assert send(still, body, content_type=kind).status == 415
    assert send(still, body, origin="http://evil.example").status == 403
    assert send(still, body, sec_fetch_site="cross-site").status == 403
    assert send(still, body, host="evil.example").status == 421
    assert still.app.database.asked() == []


def test_the_token_is_needed_here_too(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN) as served:
        assert send(served, {"claim": "x"}).status == 401
        assert served.get("/api/claims", authorization="Bearer wrong").status == 401
        bearer = {"authorization": f"Bearer {TOKEN}"}
        assert served.get("/api/claims", **bearer).status == 200
        assert send(served, {"claim": "x"}, **bearer).status == 202


def test_what_is_not_there_is_not_found(still):
    assert still.get("/api/claims/check-9").status == 404


def test_every_address_is_described_and_every_description_has_its_address(still):
    assert json.loads(still.get("/api/openapi.json").body) == json.loads(json.dumps(OPENAPI))
    served = {
        (route.path, method.lower())
        for route in make_asgi(still.app).routes
        for method in route.methods - {"HEAD"}
        if route.path.startswith(("/api/", "/v1/")) and route.path != "/api/openapi.json"
    }
    described = {(path, verb) for path, verbs in OPENAPI["paths"].items() for verb in verbs}
    assert served == described


def test_one_request_has_the_bytes_of_check_json(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry of Lunde\n\nIt was sold in 2019.\n")
    claim = "The ferry of Lunde was sold in 2019."
    options: MethodOptions = {"embedder": EMBEDDER, "voter": agree, "questions": "template"}
    printed = json.dumps(uhhrag.check(claim, folder, **options).answers[0], ensure_ascii=False)
    task = ServeTask(docs=folder)
    targets = subject_of(task, choose(options), SILENT).targets
    with desk_of(tmp_path / "run", targets=targets) as served:
        kind = "application/json"
        body = json.dumps({"claim": claim, "target": key_of(folder)})
        answer = served.send("POST", "/v1/check", body, content_type=kind)
        assert answer.status == 200
        assert answer.body == printed + "\n"
        assert served.get(answer.headers["location"]).status == 200
        refused = served.send("POST", "/v1/check", "{}", content_type=kind)
        assert (refused.status, json.loads(refused.body)["error"]) == (422, "claim is missing")
        for wrong in ("[", "[1]", json.dumps({"claim": "x" * 5001})):
            refused = served.send("POST", "/v1/check", wrong, content_type=kind)
            said = "more than 5,000 characters" if "x" in wrong else "not a JSON object"
            assert (refused.status, said in refused.body) == (422, True)


def test_a_claim_that_fails_is_answered_as_failed(desk):
    desk.app.database.ask(Claim(0, "The bridge is shut."), "gone")
    desk.app.queue.wake()
    until(lambda: desk.app.database.check("check-1").record)
    failed = json.loads(_answer(desk.app, "/api/claims/check-1").body)
    assert failed["status"] == "failed"
    assert "is not here" in failed["error"]
    assert (failed["documents"], failed["signature"]) == (None, None)


def test_whatever_is_refused_is_said_in_json_as_described(tmp_path):
    with desk_of(tmp_path / "run") as desk:
        kind = {"content_type": "application/json"}
        answers = [
            desk.get("/api/nothing"),
            desk.get("/api/claims/check-9"),
            desk.send("POST", "/api/claims", "{}", **kind),
            desk.send("POST", "/api/checks", "x" * 300_000, **kind),
            send(desk, {"claim": "x"}, origin="http://evil.example"),
            send(desk, {"claim": "x"}, host="evil.example"),
            send(desk, {"claim": "x"}, content_type="text/plain"),
            send(desk, {}),
        ]
    with desk_of(tmp_path / "run", token=TOKEN) as desk:
        answers += [desk.get("/api/claims"), send(desk, {"claim": "x"})]
    assert [answer.status for answer in answers] == [
        *(404, 404, 405, 413, 403, 421, 415, 422),
        *(401, 401),
    ]
    for answer in answers:
        assert answer.headers["content-type"] == "application/json"
        assert list(json.loads(answer.body)) == ["error"]
    for verbs in OPENAPI["paths"].values():
        for verb in verbs.values():
            refused = verb["responses"]["default"]["content"]["application/json"]["schema"]
            assert refused == {"$ref": "#/components/schemas/Error"}


def test_a_desk_that_cannot_be_used_says_so_in_json(desk):
    def breaks(*_):
        raise RunError("trace.jsonl: is damaged; check again")

    desk.app.memory.find = breaks
    answer = desk.get("/api/claims/claim-0")
    assert answer.status == 500
    assert json.loads(answer.body) == {"error": "trace.jsonl: is damaged; check again."}
    assert "trace.jsonl: is damaged" in Page(desk.get("/claims/claim-0").body).text()


def test_half_a_pair_in_a_date_breaks_nothing(desk):
    assert send(desk, {"claim": "Shut.", "date": "2020-10-31\ud800"}).status in (202, 422)


def test_the_answers_of_lists_are_as_described(desk):
    schema = {**OPENAPI["components"]["schemas"]["Claims"], "components": OPENAPI["components"]}
    desk.settled(desk.ask("The bridge is shut."))
    jsonschema.Draft202012Validator(schema).validate(json.loads(desk.get("/api/claims").body))


def test_a_claim_is_taken_with_the_marks_that_its_script_needs(desk):
    claim = "\u200fהגשר פתוח (2019)\u200e, the Verkehrs\u00administer said."
    assert send(desk, {"claim": f" {claim}\n", "speaker": "A\u00adda"}).status == 202
    key = desk.ask(claim.replace("2019", "2020"), speaker="A\u00adda").rpartition("/")[2]
    asked = [check.claim for check in desk.app.database.asked()]
    assert [one.text for one in asked] == [claim, claim.replace("2019", "2020")]
    assert {one.speaker for one in asked} == {"A\u00adda"}
    assert claim.replace("2019", "2020") in desk.settled(f"/claims/{key}")
