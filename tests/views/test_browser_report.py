"""The report in a real browser: with and without its script, by mouse and by keyboard, on paper."""

from __future__ import annotations

import re
import subprocess
from dataclasses import replace

import pytest

from tests.support.browser import chromium, expect, opener
from tests.support.pages import claim_view, evidence, run_view
from tests.support.waiting import until
from uhhrag.records import Claim, Label
from uhhrag.views import html_pages
from uhhrag.views.run_view import ClaimView

pytestmark = pytest.mark.browser

LABELS = [Label.REFUTED, Label.SUPPORTED, Label.REFUTED, Label.CONFLICTING]


@pytest.fixture(scope="module")
def browser():
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """Four claims of different labels and a failed one; the second speaks of a goldfish."""
    claims = [claim_view(number, label) for number, label in enumerate(LABELS)]
    fish = replace(claims[1].verdict, evidence=(evidence("A goldfish learns."), evidence()))
    claims[1] = replace(claims[1], verdict=fish)
    claims.append(ClaimView(Claim(4, "Claim 4."), None, "out of memory"))
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html_pages.report(run_view(*claims)))
    return path


@pytest.fixture
def view(browser, file):
    """Open the report."""
    with opener(browser) as opened:
        yield lambda **options: opened(file.as_uri(), **options)


def shown(page) -> list[str]:
    return page.locator(".claim:visible").evaluate_all("rows => rows.map(row => row.dataset.id)")


def test_opening_it_asks_for_one_file_and_breaks_no_policy(view, file):
    page = view()
    page.click("#open-all")
    page.wait_for_timeout(100)
    assert page.requests == [file.as_uri()]
    assert page.complaints == []


NOT_LAID_OUT = "all => all.filter((one) => getComputedStyle(one).display === 'none').length"


def test_words_and_verdicts_filter_the_claims(view):
    page = view()
    expect(page.locator("[role=status]")).to_have_text("5 of 5 claims shown")
    page.fill("#find", "goldfish LEARNS")
    page.get_by_text("1 of 5 claims shown").wait_for()
    assert shown(page) == ["2"]
    assert page.locator(".list").aria_snapshot().count("listitem") == 1
    page.emulate_media(media="print")
    assert page.locator(".list > .claim").evaluate_all(NOT_LAID_OUT) == 4
    page.emulate_media(media="screen")
    page.fill("#find", "")
    page.get_by_label("supported", exact=True).uncheck()
    page.get_by_text("4 of 5 claims shown").wait_for()
    assert shown(page) == ["1", "3", "4", "5"]
    page.get_by_label("refuted", exact=True).uncheck()
    page.get_by_label("no verdict", exact=True).uncheck()
    assert shown(page) == ["4"]


MARKED = """() => [...CSS.highlights.get("searched")].map(
    (range) => range.startContainer.data.slice(range.startOffset, range.endOffset))"""


def test_the_words_that_are_searched_for_are_marked_in_what_can_be_seen(view):
    page = view()
    assert page.evaluate(MARKED) == []
    page.fill("#find", "goldfish LEARNS")
    page.get_by_text("1 of 5 claims shown").wait_for()
    assert page.evaluate(MARKED) == []
    page.locator("#claim-1 > summary").click()
    until(lambda: page.evaluate(MARKED))
    assert set(page.evaluate(MARKED)) == {"goldfish", "learns"}
    page.select_option("#order", "sure")
    assert set(page.evaluate(MARKED)) == {"goldfish", "learns"}
    page.fill("#find", "")
    page.get_by_text("5 of 5 claims shown").wait_for()
    assert page.evaluate(MARKED) == []


def test_hundreds_of_claims_are_hidden_at_once(browser, tmp_path):
    """By `display: none` it took eight seconds."""
    claims = [claim_view(number, LABELS[number % 4]) for number in range(300)]
    file = tmp_path / "report.html"
    file.write_text(html_pages.report(run_view(*claims)))
    with opener(browser) as opened:
        page = opened(file.as_uri())
        page.fill("#find", "no claim has this")
        page.get_by_text("0 of 300 claims shown").wait_for()
        assert shown(page) == []
        page.fill("#find", "")
        page.get_by_text("300 of 300 claims shown").wait_for()
        assert shown(page) == [str(number) for number in range(1, 301)]


def test_claims_are_numbered_from_1_and_name_their_id_among_the_figures(view):
    page = view()
    assert page.locator(".claim h3 .number").all_inner_texts() == ["1", "2", "3", "4", "5"]
    page.locator("#claim-1 > summary").click()
    page.locator("#claim-1").get_by_text("Figures").click()
    expect(page.locator("#claim-1 dt:text-is('claim_id') + dd")).to_have_text("1")


def test_claims_are_put_in_order_of_confidence(view):
    page = view()
    page.select_option("#order", "sure")
    surest = shown(page)
    page.select_option("#order", "unsure")
    assert shown(page)[0] == "5"
    assert surest[-1] == "5"
    page.select_option("#order", "id")
    assert shown(page) == ["1", "2", "3", "4", "5"]


def test_a_claim_opens_by_click_and_its_link_leads_to_its_source(view, browser):
    page = view()
    expect(page.locator("#claim-1 .story")).not_to_be_visible()
    page.locator("#claim-1 > summary").click()
    expect(page.locator("#claim-1 mark").first).to_have_text(
        "A goldfish learns.", use_inner_text=True
    )
    page.context.route("https://a.example/**", lambda route: route.fulfill(body="the source"))
    page.locator("#claim-1 .source a").first.click()
    page.wait_for_url("https://a.example/rain")
    expect(page.locator("body")).to_have_text("the source")
    assert page.evaluate("document.referrer") == ""


def test_an_address_with_a_claim_opens_it(view, file):
    page = view()
    page.goto(f"{file.as_uri()}#claim-2-1")
    page.locator("#claim-2-1").wait_for(state="visible")


def test_the_keyboard_alone_reaches_and_opens_everything(view):
    page = view()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    page.keyboard.press("Enter")
    expect(page.locator("#claims")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "find"
    page.keyboard.type("goldfish")
    page.get_by_text("1 of 5 claims shown").wait_for()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#claim-1 > summary')"):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#claim-1 .story")).to_be_visible()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.hash").startswith("#claim-1-")  # the strongest


def test_without_javascript_all_can_be_read(view):
    page = view(java_script_enabled=False)
    expect(page.locator(".filter")).not_to_be_visible()
    expect(page.locator(".claim:visible")).to_have_count(5)
    page.locator("#claim-1 > summary").click()
    page.locator("#claim-1").get_by_text("A goldfish learns.").first.wait_for()
    assert "out of memory" in page.locator("#claim-4").text_content()


LUMINANCE = """
() => {
  const rgb = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((c) => c / 255)
      .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = rgb(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const poor = [];
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.textContent.trim() || !element.checkVisibility()) continue;
    const style = getComputedStyle(element);
    const ink = element.closest("svg") ? style.fill : style.color;
    const pair = [light(rgb(ink)), light(behind(element))].sort((a, b) => b - a);
    const contrast = (pair[0] + 0.05) / (pair[1] + 0.05);
    if (contrast < 4.5) poor.push([element.className, ink, contrast]);
  }
  return poor;
}
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_stands_out_from_its_ground(view, scheme):
    page = view(color_scheme=scheme)
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate(LUMINANCE) == []
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(map(int, re.findall(r"\d+", ground)))
    assert brightness > 700 if scheme == "light" else brightness < 100


@pytest.mark.parametrize("width", [320, 400, 800, 1400])
def test_nothing_sticks_out_of_the_window(view, width):
    page = view(viewport={"width": width, "height": 800})
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_on_paper_every_claim_is_open(view, tmp_path):
    printed = tmp_path / "report.pdf"
    view().pdf(path=str(printed), format="A4")
    assert printed.read_bytes().startswith(b"%PDF")
    try:
        text = subprocess.run(
            ["pdftotext", str(printed), "-"], capture_output=True, text=True, check=True
        ).stdout
    except FileNotFoundError:
        pytest.skip("no pdftotext on this machine; install Debian's poppler-utils")
    assert "A goldfish learns." in text
    assert "out of memory" in text
    assert "https://a.example/rain" in text
    assert "Find" not in text
    assert "Raw replies" not in text
