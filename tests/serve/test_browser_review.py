"""Reviews in a real browser: marks with a live count, and keys."""

from __future__ import annotations

import pytest

from tests.support.browser import expect, opener
from tests.support.serving import desk_of, gated

pytestmark = pytest.mark.browser


@pytest.fixture
def desk(tmp_path, votes):
    with desk_of(tmp_path / "run", method=gated(votes)) as served:
        yield served


@pytest.fixture
def view(browser, desk):
    """Open a page of the desk."""
    with opener(browser) as opened:
        yield lambda path="/claims/claim-0", **options: opened(desk.address + path, **options)


def mark(page, position: int, side: str):
    return page.locator(f"[name=mark-{position}][value='{side}']")


def test_marks_are_counted_as_they_are_set_and_kept(view, desk):
    page = view()
    for position, side in enumerate(("supports", "contradicts", "says nothing")):
        mark(page, position, side).check()
    expect(page.locator("#recount")).to_have_text("1 for, 1 against, 1 say nothing")
    mark(page, 1, "supports").check()
    expect(page.locator("#recount")).to_have_text("2 for, 0 against, 1 say nothing")
    page.get_by_role("button", name="Save the review").click()
    page.locator("#your-review time").wait_for()
    expect(page.locator("#recount")).to_have_text("2 for, 0 against, 1 say nothing")
    expect(page.locator(".says")).to_contain_text("2 pieces for it, 0 against, 1 says nothing")
    assert page.complaints == []


def test_a_review_is_written_by_keys_alone_and_the_next_claim_follows(view, desk):
    page = view()
    keys = page.keyboard
    keys.press("j")
    expect(page.locator(".evidence").first).to_be_focused()
    first = int(page.locator(".evidence").first.get_attribute("id").rpartition("-")[2]) - 1
    for key, side in (("-", "contradicts"), ("0", "says nothing"), ("+", "supports")):
        keys.press(key)
        expect(mark(page, first, side)).to_be_checked()
    keys.press("j")
    expect(page.locator(".evidence").nth(1)).to_be_focused()
    keys.press("k")
    expect(page.locator(".evidence").first).to_be_focused()
    keys.press("2")
    chosen = page.locator("[name=label]").nth(1)
    expect(chosen).to_be_checked()
    label = chosen.get_attribute("value")
    keys.press("?")
    expect(page.get_by_text("next and previous piece")).to_be_visible()
    keys.press("n")
    expect(page.get_by_label("Note")).to_be_focused()
    keys.type("js 2+")
    expect(page.get_by_label("Note")).to_have_value("js 2+")
    expect(mark(page, first, "supports")).to_be_checked()
    page.locator(".evidence").first.focus()
    keys.press("s")
    page.wait_for_url("**/claims/claim-1")
    _, review = desk.app.database.reviews()["claim-0"]
    assert (review.label, review.note) == (label, "js 2+")


def test_keys_can_be_turned_off_and_stay_off(view):
    page = view()
    page.get_by_text("Keys", exact=True).click()
    page.get_by_label("Keys work on this page").uncheck()
    page.goto(page.url.replace("claim-0", "claim-1"))
    page.keyboard.press("2")
    expect(page.locator("[name=label]").first).to_be_checked()
    expect(page.locator("#keys-on")).not_to_be_checked()
