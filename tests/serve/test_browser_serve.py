"""The desk in a real browser: a claim asked, its votes seen as they come, a review written."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path

import pytest

from tests.support.browser import expect
from uhhrag.serve.database import Database

pytestmark = pytest.mark.browser


def ask(page, claim: str) -> None:
    page.get_by_role("textbox", name="The claim, as one sentence").fill(claim)
    page.get_by_role("button", name="Check", exact=True).click()


def hold(votes: threading.Semaphore) -> None:
    """No vote is cast until one is released."""
    while votes.acquire(blocking=False):
        pass


def test_votes_appear_as_they_are_cast_without_loading_the_page_again(view, votes):
    page = view()
    hold(votes)
    ask(page, "The bridge at Varnby is shut.")
    page.wait_for_url("**/claims/check-1")
    # A page that is loaded again forgets this.
    page.evaluate("window.stayed = true")
    votes.release()
    page.get_by_text("1 vote is cast").wait_for()
    assert page.evaluate("window.stayed")
    expect(page.locator(".evidence .badge")).to_have_count(1)
    votes.release()
    page.get_by_text("Your review").wait_for()
    expect(page.locator(".evidence .badge")).to_have_count(3)
    assert page.complaints == []


def test_a_claim_that_is_removed_in_another_tab_does_not_wait_for_ever(view, votes, gated_desk):
    page = view()
    hold(votes)
    ask(page, "The bridge at Varnby is shut.")
    page.wait_for_url("**/claims/check-1")
    gated_desk.app.database.remove(1)
    votes.release(9)
    page.get_by_text("There is no such page.").wait_for()


def test_a_waiting_claim_is_removed_and_the_list_follows(view, votes, gated_desk, monkeypatch):
    """The page that sees that its claim is gone does not get in the way of the list."""
    remove = Database.remove
    hold(votes)
    gated_desk.ask("The bridge at Varnby is shut.")
    page = view(gated_desk.ask("The bridge at Varnby is open."))

    def late(*given):
        remove(*given)
        time.sleep(2)

    monkeypatch.setattr(Database, "remove", late)
    page.get_by_text("Remove from the desk").click()
    page.get_by_role("button", name="Remove it for good").click()
    page.wait_for_url(f"{gated_desk.address}/")


def test_without_javascript_the_page_brings_them_by_loading_itself(view, votes):
    page = view(java_script_enabled=False)
    hold(votes)
    ask(page, "The bridge at Varnby is shut.")
    page.wait_for_url("**/claims/check-1")
    expect(page.locator("noscript p")).to_be_visible()
    assert "loads itself again every three seconds" in page.inner_text("noscript p")
    votes.release(3)
    page.get_by_text("Your review").wait_for()


def test_a_desk_that_is_gone_is_told_and_what_it_says_later_shown(view, votes):
    page = view()
    hold(votes)
    ask(page, "The bridge at Varnby is shut.")
    page.wait_for_url("**/claims/check-1")
    page.route("**/claims/check-1", lambda route: route.abort())
    votes.release(1)
    status = page.locator("article [role=status]")
    expect(status).to_have_text("The desk does not answer. Start it again: nothing is lost.")
    page.unroute("**/claims/check-1")
    expect(status).to_contain_text("1 vote is cast")
    votes.release(100)
    page.get_by_text("Your review").wait_for()


def test_a_review_is_written_by_keyboard_and_exported(view, gated_desk):
    page = view("/claims/claim-0")
    page.locator("[name=mark-0][value='says nothing']").focus()
    page.keyboard.press("Space")
    page.get_by_label("not enough evidence", exact=True).focus()
    page.keyboard.press("Space")
    page.get_by_label("Note").focus()
    page.keyboard.type("Seen on page 4.")
    page.keyboard.press("Tab")
    page.keyboard.type("Ada")
    page.keyboard.press("Enter")
    page.locator("#your-review time").wait_for()
    expect(page.locator("[name=mark-0][value='says nothing']")).to_be_checked()
    with page.expect_download() as download:
        page.get_by_role("navigation").get_by_role("link", name="JSON").click()
    saved = json.loads(Path(download.value.path()).read_text())
    review = saved["claims"][0]["review"]
    assert (review["label"], review["wrong_votes"]) == ("Not Enough Evidence", [0])
    assert review["note"] == "Seen on page 4."


def test_the_list_is_filtered_and_leads_to_the_claims(view):
    page = view()
    page.get_by_label("Find").fill("library")
    page.get_by_text("1 of 4 claims shown").wait_for()
    page.wait_for_function("CSS.highlights.get('searched').size === 1")
    page.locator(".row:visible").click()
    page.wait_for_url("**/claims/claim-2")
    expect(page.locator("h1")).to_contain_text("400 books")


def test_it_speaks_to_nobody_else(view, gated_desk):
    page = view()
    ask(page, "The bridge at Varnby is shut.")
    page.get_by_text("Your review").wait_for()
    assert {re.match(r"https?://[^/]+", url)[0] for url in page.requests} == {gated_desk.address}


def test_a_page_of_another_site_cannot_ask_or_read(view, gated_desk):
    """The form of another origin is refused, and its script may read nothing."""
    page = view()
    page.route("http://evil.example/**", lambda route: route.fulfill(body="<body>", status=200))
    page.goto("http://evil.example/")
    read = f"fetch('{gated_desk.address}/').then(() => 'read', () => 'blocked')"
    assert page.evaluate(read) == "blocked"
    planted = f"""() => {{
      document.body.innerHTML = `<form method=post action="{gated_desk.address}/checks">
        <input name=claim value=Planted><input name=target value=docs></form>`;
      document.forms[0].submit();
    }}"""
    with page.expect_response("**/checks") as answer:
        page.evaluate(planted)
    assert answer.value.status == 403
    assert gated_desk.app.database.asked() == []


@pytest.mark.parametrize("width", [320, 800])
@pytest.mark.parametrize("path", ["/", "/claims/claim-0"])
def test_nothing_sticks_out_of_the_window(view, path, width):
    page = view(path, viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
