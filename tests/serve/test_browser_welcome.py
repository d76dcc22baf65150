"""The welcome page in a real browser: models fetched with progress, the sample, a collection."""

from __future__ import annotations

import pytest

from tests.serve.test_library import ReadLoaded, library_desk
from tests.serve.test_welcome import fetch, home  # noqa: F401 - fixtures
from tests.support.browser import expect, opener
from uhhrag.archive import updating
from uhhrag.wiring import nltk_data

pytestmark = pytest.mark.browser


@pytest.fixture
def words():
    """NLTK's data, which stand in the folder of models that `home` replaces."""
    return nltk_data.load_nltk_data()


@pytest.fixture
def view(browser, words, home, fetch, monkeypatch):  # noqa: F811
    monkeypatch.setattr(updating, "ReadingProcess", ReadLoaded)
    with (
        library_desk(home / "collections", data=lambda: words, models=fetch) as desk,
        opener(browser) as opened,
    ):
        yield lambda path="/", **options: opened(desk.address + path, **options)


def test_models_are_fetched_with_progress_stopped_and_fetched_again(view, home):  # noqa: F811
    page = view()
    page.wait_for_url("**/welcome")
    page.get_by_text("2 models (4 MB) are not on this machine yet.").wait_for()
    page.get_by_role("button", name="Fetch them now (4 MB)").click()
    expect(page.locator("#live [role=status]")).to_contain_text("1 MB of 4 MB")
    expect(page.locator("progress")).to_have_js_property("value", 1_000_000)
    page.get_by_role("button", name="Stop").click()
    page.get_by_text("stopped; what has come is kept").wait_for()
    (home / "gate").touch()
    page.get_by_role("button", name="Fetch them now").click()
    expect(page.locator("#models")).to_have_count(0)
    assert page.complaints == []


def test_the_sample_is_opened_and_read(view):
    page = view("/welcome")
    page.get_by_role("button", name="Open the sample").click()
    page.wait_for_url("**/collections/*")
    expect(page.locator("h1")).to_have_text("Sample")
    expect(page.locator("h2#files")).to_have_text("12 files")
    page.locator("h2#table").wait_for(timeout=60_000)
    expect(page.locator(".caution")).to_contain_text("2 models are missing")
    page.get_by_role("link", name="Fetch them").click()
    page.get_by_text("There is already").wait_for()


def test_the_first_collection_is_made_by_keyboard(view):
    page = view("/welcome")
    page.get_by_label("Name of the collection").focus()
    page.keyboard.type("Council minutes")
    page.keyboard.press("Enter")
    page.wait_for_url("**/collections/*")
    expect(page.locator("h1")).to_have_text("Council minutes")
