"""Reviews in a real browser: marks with a live count, keys, two reviewers, taking back, Stop."""

from __future__ import annotations

import re

import pytest

from tests.support.browser import expect, press
from tests.support.waiting import until
from uhhrag.records import Source
from uhhrag.views.review import PieceSide

pytestmark = pytest.mark.browser

CLAIM = "/claims/claim-0"


def mark(page, position: int, side: str):
    return page.locator(f"[name=mark-{position}][value='{side}']")


def test_marks_are_counted_as_they_are_set_and_kept(view, gated_desk):
    page = view(CLAIM)
    for position, side in enumerate(("supports", "contradicts", "says nothing")):
        mark(page, position, side).check()
    expect(page.locator("#recount")).to_have_text("1 for, 1 against, 1 say nothing")
    mark(page, 1, "supports").check()
    expect(page.locator("#recount")).to_have_text("2 for, 0 against, 1 say nothing")
    page.locator("#reviewer").fill("Ada")
    page.get_by_label("supported", exact=True).check()
    page.get_by_role("button", name="Save the review").click()
    page.locator("#your-review time").wait_for()
    expect(page.locator("#recount")).to_have_text("2 for, 0 against, 1 say nothing")
    expect(page.locator(".says")).to_contain_text("The machine’s: Refuted by 2 of 3 pieces")
    assert page.complaints == []


def test_what_is_attached_is_counted_with_the_marks(view, gated_desk):
    names, source = gated_desk.app.find("claim-0").names, Source("file:a.txt", file="a.txt")
    gated_desk.app.database.attach(names[0], PieceSide.CONTRADICTS, "It was open.", source, "Ada")
    page = view(CLAIM)
    for position in range(3):
        mark(page, position, "says nothing").check()
    expect(page.locator("#recount")).to_have_text("0 for, 1 against, 3 say nothing")


def test_a_review_is_written_by_keys_alone_and_the_next_claim_follows(view, gated_desk):
    page = view(CLAIM)
    keys = page.keyboard
    page.locator("#reviewer").fill("Ada")
    page.locator("#reviewer").blur()
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
    review = gated_desk.app.find("claim-0").review
    assert (review.label, review.note) == (label, "js 2+")


def test_keys_can_be_turned_off_and_stay_off(view):
    page = view(CLAIM)
    page.get_by_text("Keys", exact=True).click()
    page.get_by_label("Keys work on this page").uncheck()
    page.goto(page.url.replace("claim-0", "claim-1"))
    page.keyboard.press("2")
    expect(page.locator("[name=label]:checked")).to_have_count(0)
    expect(page.locator("#keys-on")).not_to_be_checked()


def save(page, name: str, label: str, note: str) -> None:
    page.locator("#reviewer").fill(name)
    page.get_by_label("Note").fill(note)
    page.get_by_label(label, exact=True).check()
    press(page, "Save the review")
    expect(page.locator(".review .note")).to_have_text(note)


def test_two_reviewers_stand_by_name_and_the_first_is_taken_back(view, gated_desk):
    page = view(CLAIM)
    save(page, "Ada", "supported", "Page 4 says so.")
    expect(page.locator(".head .badge")).to_have_text("supported")
    expect(page.locator(".head .machine")).to_contain_text("machine: refuted")
    save(page, "Bo", "conflicting", "Page 5 does not.")
    page.get_by_text("Earlier reviews: 1").click()
    expect(page.locator(".history li")).to_contain_text("Ada · supported · Page 4 says so.")
    press(page, "Make this the review again")
    expect(page.locator(".review")).to_contain_text("By Ada, made the review again by Bo on ")
    expect(page.locator(".head .badge")).to_have_text("supported")
    page.get_by_text("Earlier reviews: 2").click()
    expect(page.locator(".history li").first).to_contain_text("Bo · conflicting")
    page.get_by_role("link", name="All claims").click()
    shown = page.locator(".row", has_text="The bridge at Varnby is open.")
    expect(shown.locator(".badge")).to_have_text("supported")
    expect(shown.locator(".machine")).to_contain_text("machine: refuted")


def test_a_review_is_withdrawn(view, gated_desk):
    page = view(CLAIM)
    save(page, "Ada", "supported", "A slip.")
    page.get_by_text("Withdraw the review").click()
    press(page, "Withdraw it")
    expect(page.locator(".review")).to_have_count(0)
    expect(page.locator(".head .badge")).to_have_text("refuted")
    page.get_by_text("Earlier reviews: 2").click()
    expect(page.locator(".history li").first).to_contain_text("Ada · withdrew the review")
    assert page.complaints == []


def test_what_is_not_saved_stays_while_one_searches_and_is_not_asked_for(view, gated_desk):
    page = view(CLAIM)
    questions = []
    page.on("dialog", lambda dialog: (questions.append(dialog.type), dialog.accept()))
    page.locator("[name=label]").first.check()
    page.get_by_label("Note").fill("Half\nwritten.")
    mark(page, 1, "supports").check()
    page.locator("[name=keep-0]").check()
    expect(page.locator("#unsaved")).to_have_text("· not saved yet")
    there = page.url
    page.get_by_role("link", name="All claims").click()
    page.wait_for_url("**/")
    page.goto(there)
    page.reload()
    for _ in range(2):
        expect(page.get_by_label("Note")).to_have_value("Half\nwritten.")
        expect(page.locator("[name=label]").first).to_be_checked()
        expect(mark(page, 1, "supports")).to_be_checked()
        expect(page.locator("[name=keep-0]")).to_be_checked()
        expect(page.locator("#recount")).to_contain_text("for, ")
        page.get_by_role("link", name="All claims").click()
        page.wait_for_url("**/")
        page.go_back()
    page.locator("#reviewer").fill("Ada")
    gated_desk.review("claim-0", note="first", reviewer="Bo", label="Refuted")
    press(page, "Save the review")
    expect(page.locator("[role=alert]")).to_contain_text("Bo has reviewed this claim since")
    expect(page.get_by_label("Note")).to_have_value("Half\nwritten.")
    press(page, "Save the review")
    expect(page.locator(".review .note")).to_have_text("Half\nwritten.")
    expect(page.locator("#unsaved")).to_have_text("")
    page.get_by_label("Note").fill("Another.")
    page.goto(there.replace("claim-0", "claim-1"))
    expect(page.get_by_label("Note")).to_have_value("")
    page.get_by_label("Note").fill("A third.")
    page.close(run_before_unload=True)
    page.wait_for_event("close")
    assert questions == []


def kept(page) -> list[str]:
    """The desk and claim of each review that the browser keeps."""
    places = page.evaluate("Object.keys(localStorage)")
    return sorted(" ".join(one.split()[1:3]) for one in places if one.startswith("uhhrag-review "))


def test_what_is_not_saved_survives_the_end_of_the_browser_and_is_discarded_if_one_wants(view):
    page = view(CLAIM)
    page.get_by_label("Note").fill("Half written.")
    mark(page, 1, "supports").check()
    page = view(CLAIM, storage_state=page.context.storage_state())
    expect(page.get_by_label("Note")).to_have_value("Half written.")
    expect(mark(page, 1, "supports")).to_be_checked()
    expect(page.locator("#told")).to_have_text(re.compile(r"What you wrote at \d\d:\d\d is back\."))
    expect(page.locator("#back span")).to_have_text(page.locator("#told").inner_text())
    page.get_by_role("button", name="Discard it").click()
    expect(page.get_by_label("Note")).to_have_value("")
    expect(page.get_by_label("Note")).to_be_focused()
    expect(mark(page, 1, "")).to_be_checked()
    expect(page.locator("#unsaved")).to_have_text("")
    assert kept(page) == []


def test_what_is_kept_goes_once_it_is_saved_or_old_or_its_claim_is_removed(view, gated_desk):
    gated_desk.settled(gated_desk.ask("The bridge at Varnby is shut."))
    page = view(CLAIM)
    for claim in ("check-1", "claim-0", "claim-1", "claim-2"):
        page.goto(f"{gated_desk.address}/claims/{claim}")
        page.get_by_label("Note").fill(claim)
    page.evaluate(
        """() => {
          for (const [place, written] of Object.entries(localStorage)) {
            const days = { "/claims/claim-0": 13, "/claims/claim-1": 15 }[place.split(" ")[2]] ?? 0;
            const one = JSON.parse(written);
            localStorage[place] = JSON.stringify({ ...one, at: one.at - days * 24 * 3600 * 1000 });
            localStorage[place.replace(/ .*? /, " another ")] = localStorage[place];
          }
        }"""
    )
    page.get_by_label("supported", exact=True).check()
    page.locator("#reviewer").fill("Ada")
    press(page, "Save and next")
    page.goto(f"{gated_desk.address}/claims/check-1")
    page.get_by_text("Remove from the desk").click()
    page.get_by_role("button", name="Remove it for good").click()
    page.wait_for_url(f"{gated_desk.address}/")
    others = [f"another /claims/{one}" for one in ("check-1", "claim-0", "claim-2")]
    left = sorted([f"{gated_desk.app.desk} /claims/claim-0", *others])
    until(lambda: page.wait_for_timeout(50) or kept(page) == left)
    page.goto(f"{gated_desk.address}{CLAIM}")
    expect(page.locator("#back span")).to_have_text(
        re.compile(r"What you wrote on \d+ \w+ at \d\d:\d\d is back\.")
    )


def test_what_keys_do_is_seen_and_said_and_a_mark_is_taken_back(view):
    page = view(CLAIM)
    told, keys = page.locator("#told"), page.keyboard
    keys.press("+")
    expect(told).to_have_text("No piece is chosen: press j.")
    keys.press("j")
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    number = page.locator(".evidence").first.get_attribute("id").rpartition("-")[2]
    for key, side in (("-", "contradicts"), ("0", "says nothing"), ("x", "no mark")):
        keys.press(key)
        expect(told).to_have_text(f"Piece {number}: {side}")
    expect(mark(page, int(number) - 1, "")).to_be_checked()
    keys.press("2")
    expect(told).to_have_text("Verdict: refuted")
    keys.press("?")
    expect(page.locator("#keys summary")).to_be_focused()


def test_a_printed_claim_has_what_was_chosen_and_no_controls(view):
    page = view(CLAIM)
    mark(page, 1, "supports").check()
    page.locator("[name=keep-1]").check()
    page.emulate_media(media="print")
    for name in (".bar nav", "button", "input", ".asks", ".reviewbar", ".exports"):
        assert page.locator(f"{name}:visible").count() == 0, name
    assert page.locator(".marking:visible .chip:visible").all_inner_texts() == ["supports"]
    assert page.locator(".keep:visible").count() == 1
    page.emulate_media(media="screen")
    page.get_by_label("refuted", exact=True).check()
    page.get_by_label("Note").fill("Page 4.")
    page.emulate_media(media="print")
    assert page.locator(".reviewbar .chip:visible").all_inner_texts() == ["refuted"]
    assert page.locator(".reviewbar .field:visible label").all_inner_texts() == ["Note"]


def test_the_name_is_asked_once_in_a_browser(view):
    page = view(CLAIM)
    save(page, "Ada", "supported", "Seen.")
    page.goto(page.url.partition("/claims")[0] + "/claims/claim-2")
    expect(page.locator("#reviewer")).to_have_value("Ada")


def test_a_check_is_stopped_asked_again_and_removed(view, votes):
    while votes.acquire(blocking=False):
        pass
    page = view("/")
    page.get_by_role("textbox", name="The claim, as one sentence").fill("The bridge is shut.")
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/claims/check-1")
    press(page, "Stop")
    votes.release(100)
    page.get_by_text("stopped before a verdict; check it again").wait_for()
    page.get_by_role("button", name="Check it again").click()
    page.get_by_text("Your review").wait_for()
    page.get_by_text("Remove from the desk").click()
    page.get_by_role("button", name="Remove it for good").click()
    page.wait_for_url("**/")
    expect(page.locator(".row", has_text="The bridge is shut.")).to_have_count(0)
    assert page.complaints == []


def test_the_list_is_filtered_by_the_desk_as_one_types_and_the_address_keeps_it(view, gated_desk):
    page = view("/")
    page.get_by_label("Find").fill("library")
    expect(page.locator("#filter .count")).to_have_text("1 of 4 claims shown")
    page.evaluate("window.stayed = true")
    page.get_by_label("Find").fill("")
    expect(page.locator("#filter .count")).to_have_text("4 of 4 claims shown")
    page.get_by_label("refuted", exact=True).uncheck()
    expect(page.locator(".list .badge.refuted")).to_have_count(0)
    assert page.evaluate("window.stayed")
    expect(page).to_have_url(re.compile("kinds=some"))
    page.reload()
    expect(page.get_by_label("refuted", exact=True)).not_to_be_checked()
    page.get_by_label("Order").select_option("sure")
    expect(page).to_have_url(f"{gated_desk.address}/?kinds=some&kind=supported&order=sure")
    gated_desk.review("claim-2", label="Supported")
    page.goto(f"{gated_desk.address}/?unreviewed=on")
    expect(page.locator("#left")).to_have_text("only unreviewed (3)")
    expect(page.locator("#filter .count")).to_have_text("3 of 4 claims shown")
    assert page.complaints == []


def test_the_list_is_filtered_without_javascript_too(view):
    page = view("/", java_script_enabled=False)
    page.get_by_label("Find").fill("library")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#filter .count")).to_have_text("1 of 4 claims shown")
    expect(page.get_by_label("Find")).to_have_value("library")


@pytest.mark.parametrize("height", [700, 1000])
def test_what_acts_on_the_claim_never_lies_under_the_review_form(view, gated_desk, height):
    gated_desk.settled(path := gated_desk.ask("The bridge at Varnby is shut."))
    page = view(path, viewport={"width": 1200, "height": height})
    hidden = page.evaluate(
        """() => {
          const under = new Set();
          for (let at = 0; at < document.documentElement.scrollHeight; at += 20) {
            scrollTo({ top: at, behavior: "instant" });
            for (const one of document.querySelectorAll("main > .fields :is(button, summary)")) {
              const { left, top, width, height } = one.getBoundingClientRect();
              const there = document.elementFromPoint(left + width / 2, top + height / 2);
              if (there?.closest(".reviewbar")) under.add(one.textContent);
            }
          }
          return [...under];
        }"""
    )
    assert hidden == []
    assert page.get_by_text("Remove from the desk").count() == 1
