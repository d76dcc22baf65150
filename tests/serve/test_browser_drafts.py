"""A draft in a real browser: chosen, ticked, checked, and read with its verdicts."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.browser import expect, opener, press
from tests.support.serving import desk_of, gated

pytestmark = pytest.mark.browser
TEXT = """The bridge at Varnby

The bridge at Varnby is shut. The bridge cost 32 million euros in 1962.

Will it open again? We must build more.
"""


@pytest.fixture
def desk(nltk_loaded, tmp_path, votes):
    more = {"run": False, "takes_drafts": lambda: True}
    with desk_of(tmp_path / "run", method=gated(votes), **more) as served:
        yield served


@pytest.fixture
def view(browser, desk):
    with opener(browser) as opened:
        yield lambda path="/", **options: opened(desk.address + path, **options)


def bring(page, tmp_path: Path) -> None:
    file = tmp_path / "my draft.txt"
    file.write_text(TEXT)
    page.get_by_text("Check a draft, or a list of claims").click()
    page.set_input_files("#file", str(file))
    page.get_by_role("button", name="Find the claims").click()
    page.wait_for_url("**/drafts/1")


def begin_check(page, votes, status):
    """Of the ticked sentences; the votes of the first claim can be cast, once `status` is said."""
    while votes.acquire(blocking=False):
        pass
    page.get_by_role("button", name="Check the ticked sentences").click()
    page.get_by_text(status).first.wait_for()
    page.evaluate("window.stayed = true")
    votes.release(2)


def test_a_file_is_chosen_its_claims_are_ticked_and_come_back_with_verdicts(view, tmp_path, votes):
    page = view()
    bring(page, tmp_path)
    expect(page.locator("h1")).to_have_text("my draft.txt")
    expect(page.locator("#ticked")).to_have_text("2 of 5 are ticked")
    page.get_by_label("The bridge cost 32 million").uncheck()
    page.get_by_label("We must build more.").check()
    page.get_by_label("Will it open again?").check()
    expect(page.locator("#ticked")).to_have_text("3 of 5 are ticked")
    begin_check(page, votes, "0 of 3 done")
    page.get_by_text("1 of 3 done").first.wait_for()
    assert page.evaluate("window.stayed")
    expect(page.locator(".draft-text .checked")).to_have_count(1)
    press(page, "Stop")
    votes.release(100)
    page.get_by_text("1 of 1 done").first.wait_for()
    page.get_by_role("link", name="The bridge at Varnby is shut.").click()
    page.get_by_text("Your review").wait_for()
    page.get_by_role("link", name="The draft that it is from").click()
    page.wait_for_url("**/drafts/1#check-*")
    assert page.complaints == []


def test_a_dropped_file_is_taken(view, tmp_path):
    page = view()
    page.get_by_text("Check a draft, or a list of claims").click()
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["It cost 3 million euros."], "dropped.txt"));
          document.querySelector(".drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    page.get_by_role("button", name="Find the claims").click()
    page.wait_for_url("**/drafts/1")
    expect(page.locator("h1")).to_have_text("dropped.txt")


def test_typing_in_the_field_of_a_sentence_ticks_it(view, tmp_path):
    page = view("/#draft-text")
    page.get_by_label("Paste the text").fill("The pool was built in 2020. Its roof cost 5 million.")
    page.get_by_role("button", name="Find the claims").click()
    expect(page.locator("#ticked")).to_have_text("1 of 2 are ticked")
    page.get_by_label("Checked as; say who or what it is about").fill("The roof cost 5 million.")
    expect(page.locator("#ticked")).to_have_text("2 of 2 are ticked")
    page.get_by_role("button", name="Check the ticked sentences").click()
    page.get_by_text("2 of 2 done").first.wait_for()
    expect(page.locator(".draft-text")).to_contain_text("checked as: The roof cost 5 million.")


@pytest.mark.parametrize("scripts", [True, False])
def test_enter_in_the_field_of_a_sentence_checks_nothing(view, scripts):
    page = view("/?against=docs", java_script_enabled=scripts)
    page.get_by_label("Paste the text").fill("The pool was built in 2020. Its roof cost 5 million.")
    page.get_by_role("button", name="Find the claims").click()
    field = page.get_by_label("Checked as; say who or what it is about: Its roof cost 5 million.")
    field.press("Enter")
    page.wait_for_timeout(500)
    expect(field).to_be_focused()
    page.get_by_role("button", name="Check the ticked sentences").click()
    page.get_by_text("1 of 1 done").first.wait_for()


def test_the_focus_stays_when_the_check_ends_and_the_end_is_said(view, tmp_path, votes):
    page = view()
    bring(page, tmp_path)
    begin_check(page, votes, "0 of 2 done")
    first = page.get_by_role("link", name="The bridge at Varnby is shut.")
    first.focus()
    expect(page.locator("#told")).to_have_text("")
    votes.release(100)
    expect(page.locator("#told")).to_have_text("2 of 2 done")
    expect(first).to_be_focused()
    assert page.evaluate("window.stayed")
    page.get_by_text("Check more of its sentences").click()
    page.get_by_label("We must build more.").check()
    expect(page.locator("#ticked")).to_have_text("1 of 3 are ticked")
    headings = page.locator("[role=heading]")
    expect(headings).to_have_text(["The bridge at Varnby"] * 2)
    assert headings.evaluate_all("all => all.map((one) => one.ariaLevel)") == ["3", "3"]
    assert page.complaints == []


def test_without_javascript_a_draft_is_checked_too(view, tmp_path):
    page = view(java_script_enabled=False)
    bring(page, tmp_path)
    page.get_by_role("button", name="Check the ticked sentences").click()
    page.get_by_text("2 of 2 done").first.wait_for()
    expect(page.locator(".draft-text .checked")).to_have_count(2)


@pytest.mark.parametrize("width", [320, 800])
def test_nothing_sticks_out_of_the_window(view, tmp_path, width):
    page = view(viewport={"width": width, "height": 800})
    bring(page, tmp_path)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Check the ticked sentences").click()
    page.get_by_text("2 of 2 done").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
