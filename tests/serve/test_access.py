"""Who may speak to the desk, and what it refuses."""

from __future__ import annotations

import socket

import pytest

from tests.support.command import call
from tests.support.serving import TARGET, desk_of, fields, spoken
from uhhrag.errors import UsageError
from uhhrag.serve import access
from uhhrag.serve.access import Access, check_access, origin_of, own_host

pytestmark = pytest.mark.slow

TOKEN = "a token of good length"  # noqa: S105
PROXY = "https://desk.example"


@pytest.mark.parametrize(
    "host",
    ["evil.example", "evil.example:{port}", "127.0.0.1.evil.example:{port}", ""],
)
def test_another_name_for_this_machine_is_turned_away(still, host):
    answer = still.get("/", Host=host.format(port=still.port))
    assert answer.status in (400, 421)
    assert "bridge" not in answer.body


def test_names_of_this_machine_are_let_in(still):
    for name in ("127.0.0.1", "localhost", "LOCALHOST", "[::1]"):
        assert still.get("/", Host=f"{name}:{still.port}").status == 200


def test_another_port_may_lead_here_from_a_container_or_through_a_tunnel(desk):
    host = "127.0.0.1:9000"
    form = {**fields(desk.get("/", Host=host).body), "claim": "Asked.", "target": TARGET}
    assert desk.post("/checks", form, Host=host, Origin=f"http://{host}").status == 303
    assert desk.post("/checks", form, Host=host, Origin=desk.address).status == 403


def test_a_proxy_with_tls_may_lead_here_under_the_address_that_it_was_started_with(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN, origin=PROXY) as served:
        for host in ("desk.example", f"127.0.0.1:{served.port}"):  # as proxies send it
            entered = served.post("/enter", {"token": TOKEN}, Host=host, Origin=PROXY)
            assert entered.status == 303
            assert "; Secure" in entered.headers["set-cookie"]
            for origin in (f"http://{host}", "https://evil.example", f"{PROXY}.evil", "", "null"):
                refused = served.post("/enter", {"token": TOKEN}, Host=host, Origin=origin)
                assert refused.status == 403
        assert served.get("/enter", Host="evil.example").status == 421


def test_what_browsers_open_is_told_whole_and_needs_a_token():
    assert Access("0.0.0.0", 8300, TOKEN, PROXY).address == f"{PROXY}/"  # noqa: S104
    for host in ("0.0.0.0", "::"):  # noqa: S104 - listened on, and no address that opens
        assert Access(host, 8300, TOKEN).address == "http://localhost:8300/"
    assert Access("::1", 8300).address == "http://[::1]:8300/"
    for address in ("desk.example", "ftp://desk.example/", f"{PROXY}/desk/", "https://a@b", "://"):
        with pytest.raises(UsageError, match="as https://desk"):
            origin_of(address)
    with pytest.raises(UsageError, match="--address desk"):
        check_access("127.0.0.1", "", PROXY)
    check_access("127.0.0.1", "", "http://localhost:9000")


def test_only_a_desk_that_no_other_machine_reaches_says_that_all_stays_on_this_one():
    reached = [Access("0.0.0.0", 80, TOKEN), Access("127.0.0.1", 80, TOKEN, PROXY)]  # noqa: S104
    assert not any(access.only_here for access in reached)
    assert Access("127.0.0.1", 80).only_here
    assert Access("::1", 80, TOKEN, "http://localhost:9000").only_here


def test_a_name_that_only_looks_like_ours_is_not():
    access = Access("0.0.0.0", 80, "x" * 16)  # noqa: S104
    assert own_host(access, "192.168.1.7")
    assert own_host(access, socket.gethostname())
    assert not own_host(access, "rebound.example")
    assert not own_host(Access("127.0.0.1", 80), "192.168.1.7")
    assert own_host(Access("desk.example", 80), "desk.example:80")


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "http://localhost.evil.example"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_sites_page_cannot_change_anything(still, headers):
    form = {**fields(still.get("/").body), "claim": "Planted.", "target": TARGET}
    assert still.post("/checks", form, **headers).status == 403
    assert still.app.database.asked() == []


def test_a_page_of_ours_can(desk):
    form = {**fields(desk.get("/").body), "claim": "Asked.", "target": TARGET}
    headers = {"Origin": desk.address, "Sec_Fetch_Site": "same-origin"}
    assert desk.post("/checks", form, **headers).status == 303


@pytest.mark.parametrize(
    "path",
    [
        "/checks",
        "/claims/claim-0/review",
        "/claims/check-1/again",
        "/claims/check-1/stop",
        "/claims/check-1/remove",
    ],
)
def test_a_form_without_our_token_is_refused_and_what_was_written_is_not_lost(still, path):
    answer = still.post(
        path, {"claim": "My words.", "note": "My words.", "token_of_form": "0" * 64}
    )
    assert answer.status == 403
    assert path.startswith("/claims/check") or "My words." in answer.body
    assert still.app.database.reviews() == {}
    assert still.app.database.asked() == []


def test_a_token_is_good_for_one_form_only(still):
    form = fields(still.get("/claims/claim-0").body)
    assert still.post("/claims/claim-1/review", {**form, "note": "n"}).status == 403


def test_a_form_outlives_the_server(tmp_path):
    written = {"label": "Refuted", "reviewer": "Ada", "note": "Written for an hour."}
    with desk_of(tmp_path / "run") as served:
        form = fields(served.get("/claims/claim-0").body)
    with desk_of(tmp_path / "run") as served:
        saved = served.post("/claims/claim-0/review", {**form, **written})
        assert saved.status == 303


def test_every_answer_says_what_browsers_must_not_do(still):
    for path in ("/", "/claims/claim-0", "/nope", "/assets/style.css", "/export/claims.json"):
        headers = still.get(path).headers
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["content-security-policy"].startswith("default-src 'none'")
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
        assert headers["cache-control"] == "no-store"
        assert "access-control-allow-origin" not in headers
    assert "content-security-policy" in still.get("/", Host="evil.example").headers


def test_what_is_too_long_is_refused(still):
    assert still.post("/checks", {"claim": "x" * access.MAX_BYTES}).status == 413
    chunked = spoken(still.port, "POST", "/checks", "a=b", Content_Length="999999999999999999")
    assert chunked.status in (400, 413)
    assert still.get("/").status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"])
def test_other_methods_do_nothing(still, method):
    assert still.send(method, "/checks", "").status in (403, 405)


def test_with_a_token_nothing_is_shown_before_it_is_given(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN) as served:
        for path in ("/", "/claims/claim-0", "/export/claims.json", "/claims/check-1/changes"):
            answer = served.get(path)
            assert answer.status == 303
            assert answer.headers["location"] == "/enter"
            assert "bridge" not in answer.body
        assert served.post("/checks", {"claim": "c"}).status == 401
        assert served.get("/enter").status == 200


def test_the_token_opens_the_door(tmp_path):
    with desk_of(tmp_path / "run", token=TOKEN) as served:
        assert served.post("/enter", {"token": "a wrong one of good length"}).status == 401
        answer = served.post("/enter", {"token": TOKEN})
        assert answer.status == 303
        cookie = answer.headers["set-cookie"]
        assert "httponly" in cookie.lower()
        assert "samesite=strict" in cookie.lower()
        assert TOKEN not in cookie
        assert "bridge" in served.get("/", Cookie=cookie.split(";")[0]).body
        assert "bridge" in served.get("/", Authorization=f"Bearer {TOKEN}").body
        assert served.get("/", Authorization="Bearer no").status == 401
        assert served.get("/", Cookie="uhhrag=no").status == 303


def test_a_token_without_a_port_protects_nothing_and_is_refused(tmp_path):
    code, _, told = call("mcp", "--docs", tmp_path, "--token", "a-token-of-the-newsroom")
    assert (code, told) == (2, "uhhrag: --token is for --port; add it, or leave --token out\n")


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.7", "desk.example"])  # noqa: S104
def test_others_can_reach_it_only_with_a_token_that_cannot_be_guessed(host):
    with pytest.raises(UsageError, match="--token"):
        check_access(host, "")
    with pytest.raises(UsageError, match="guessed"):
        check_access(host, "short")
    check_access(host, TOKEN)


def test_on_this_machine_it_needs_none():
    for host in ("127.0.0.1", "::1", "localhost", "127.0.0.9"):
        check_access(host, "")
