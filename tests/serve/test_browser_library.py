"""Collections in a real browser: made, given files and folders, read with progress, changed."""

from __future__ import annotations

import threading

import pytest

from tests.serve import test_library
from tests.serve.test_library import library_desk
from tests.support.browser import expect, opener, press
from tests.support.doubles import load_nltk_data
from tests.support.waiting import until
from uhhrag.archive import updating
from uhhrag.documents.collections import every_collection

pytestmark = pytest.mark.browser


@pytest.fixture
def readings(monkeypatch):
    """How many files may be read: all, unless a test takes that away."""
    load_nltk_data()
    allowed = threading.Semaphore(100)

    class Gated(test_library.ReadHere):
        def read(self, file, state, spool):
            allowed.acquire(timeout=30)
            return super().read(file, state, spool)

    monkeypatch.setattr(updating, "ReadingProcess", Gated)
    return allowed


@pytest.fixture
def desk(tmp_path, readings):
    with library_desk(tmp_path / "home") as served:
        yield served


@pytest.fixture
def view(browser, desk):
    with opener(browser) as opened:
        yield lambda path="/collections", **options: opened(desk.address + path, **options)


@pytest.fixture
def files(tmp_path):
    """Two documents, one that cannot be read, and one that is not taken."""
    folder = tmp_path / "files"
    (folder / "older").mkdir(parents=True)
    (folder / "minutes.txt").write_text("The harbour was dredged in 2019.\n")
    (folder / "older" / "letter.md").write_text("The bridge was closed in 2018.\n")
    (folder / "scan.pdf").write_text("no PDF")
    (folder / "all.rar").write_bytes(b"PK")
    return folder


def make(page, name="Harbour") -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/collections/*")
    expect(page.locator("h1")).to_have_text(name)


def row(page, name: str):
    return page.locator("table.files tr", has=page.get_by_text(name, exact=True))


def hold(page, address: str) -> list:
    """The requests for an address, which wait."""
    held = []
    page.route(address, lambda route: held.append(route))
    return held


def is_over(page) -> None:
    """Wait until the page has seen three times that the reading has ended: had it loaded itself
    again, it would not look any more."""
    looks = (one for one in iter(lambda: page.wait_for_event("response"), None))
    for _ in range(3):
        next(one for one in looks if one.url == page.url and "data-live" not in one.text())


def test_a_collection_is_made_filled_and_checked_against(view, files):
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "minutes.txt", files / "scan.pdf"])
    expect(page.locator("h2#files")).to_have_text("2 files")
    expect(row(page, "minutes.txt").locator("td").first).to_have_text("1")
    expect(row(page, "scan.pdf")).to_contain_text("not read")
    page.get_by_label("The claim, as one sentence").fill("The harbour was dredged.")
    page.get_by_role("button", name="Check", exact=True).click()
    page.wait_for_url("**/claims/check-1")
    page.get_by_text("Your review").wait_for()
    page.get_by_role("link", name="minutes.txt").first.click()
    page.wait_for_url("**/sources/0#sentence")
    expect(page.locator("mark")).to_have_text("The harbour was dredged in 2019.")
    assert page.complaints == []


def test_a_file_of_a_kind_that_is_not_read_is_named_and_the_others_are_taken(view, files):
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "all.rar", files / "minutes.txt"])
    expect(page.locator("#refused")).to_contain_text("all.rar")
    expect(page.locator("#upload")).to_contain_text("1 taken, 1 not taken")
    expect(row(page, "minutes.txt").locator("td").first).to_have_text("1")
    expect(page.locator("#refused")).to_contain_text("all.rar")
    page.locator("#choose").set_input_files(files / "minutes.txt")
    expect(page.locator("#refused li")).to_have_count(0)


def test_the_focus_stays_while_files_are_given_and_read_and_the_end_is_said(view, files):
    page = view()
    make(page)
    page.evaluate("window.stayed = true")
    page.locator("#choose").focus()
    page.locator("#choose").set_input_files([files / "minutes.txt", files / "scan.pdf"])
    expect(page.locator("#told")).to_have_text("Read: 2 files; 1 not read, or not wholly, first")
    expect(page.locator("#choose")).to_be_focused()
    expect(row(page, "scan.pdf")).to_contain_text("not read")
    assert page.evaluate("window.stayed")
    assert page.complaints == []


def test_a_folder_keeps_its_paths(view, files, desk):
    page = view()
    make(page)
    (files / "all.rar").unlink()
    (files / "scan.pdf").unlink()
    page.locator("#choose-folder").set_input_files(files)
    expect(page.locator("h2#files")).to_have_text("2 files")
    names = page.locator("table.files tbody th bdi")
    expect(names).to_have_text(["files/minutes.txt", "files/older/letter.md"])


def test_a_file_with_the_name_of_one_in_a_folder_replaces_it_only_when_told_to(view, files, desk):
    page = view()
    make(page)
    (files / "all.rar").unlink()
    page.locator("#choose-folder").set_input_files(files)
    expect(page.locator("h2#files")).to_have_text("3 files")
    (files / "letter.md").write_text("The bridge was opened in 2020.\n")
    (collection,) = every_collection(desk.app.library.home)
    kept, there = collection.files / "letter.md", collection.files / "files/older/letter.md"

    page.locator("#choose").set_input_files(files / "letter.md")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("Replace files/older/letter.md")
    page.keyboard.press("Escape")
    expect(page.locator("#upload")).to_have_text("0 taken.")
    assert not kept.exists()
    page.locator("#choose").set_input_files(files / "letter.md")
    dialog.get_by_role("button", name="Go on").click()
    expect(page.locator("h2#files")).to_have_text("4 files")
    assert kept.read_text() != there.read_text()
    kept.unlink()
    page.locator("#choose").set_input_files([files / "letter.md", files / "minutes.txt"])
    dialog.get_by_label("Replace files/older/letter.md").check()
    dialog.get_by_role("button", name="Go on").click()
    expect(page.locator("#upload")).to_contain_text("In the place of earlier ones: files/older/")
    assert "2020" in there.read_text()
    assert not kept.exists()
    assert (collection.files / "minutes.txt").exists()
    assert page.complaints == []


def test_files_given_while_others_are_given_are_taken_too(view, files):
    page = view()
    make(page)
    held = hold(page, "**/letter.md")
    page.locator("#choose").set_input_files(files / "older" / "letter.md")
    expect(page.locator("#upload")).to_have_text("Giving 1 of 1: letter.md")
    page.locator("#choose").set_input_files(files / "minutes.txt")
    until(lambda: page.wait_for_timeout(10) or held)
    held[0].continue_()
    expect(page.locator("h2#files")).to_have_text("2 files")


def test_a_dropped_file_is_taken(view):
    page = view()
    make(page)
    page.evaluate(
        """() => {
          const data = new DataTransfer();
          data.items.add(new File(["It rained in May.\\n"], "dropped.txt"));
          document.getElementById("drop").dispatchEvent(
            new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
        }"""
    )
    expect(row(page, "dropped.txt").locator("td").first).to_have_text("1")


def test_the_page_shows_how_far_the_reading_is_and_stops_it(view, files, readings):
    while readings.acquire(blocking=False):
        pass
    page = view()
    make(page)
    page.locator("#choose").set_input_files(
        [files / "minutes.txt", files / "older" / "letter.md", files / "scan.pdf"]
    )
    expect(page.locator("#live [role=status]")).to_contain_text("0 of 3")
    page.evaluate("window.stayed = true")
    readings.release()
    expect(page.locator("#live [role=status]")).to_contain_text("1 of 3")
    expect(page.locator("progress")).to_have_js_property("value", 1)
    expect(page.locator("table.files .flag", has_text="not read yet")).to_have_count(2)
    assert page.evaluate("window.stayed")
    press(page, "Stop")
    readings.release(10)
    page.get_by_text("stopped; what was read until then can be used").wait_for()
    page.get_by_role("button", name="Read what is new or changed").click()
    expect(row(page, "letter.md").locator("td").first).to_have_text("1")


def test_what_a_person_has_opened_is_not_taken_away_when_the_reading_ends(view, files, readings):
    while readings.acquire(blocking=False):
        pass
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "minutes.txt"])
    expect(page.locator("#live [role=status]")).to_contain_text("0 of 1")
    opened = page.get_by_text("Delete this collection")
    opened.click()
    readings.release(10)
    is_over(page)
    expect(page.get_by_role("button", name="Delete it for good")).to_be_visible()
    opened.click()
    expect(row(page, "minutes.txt").locator("td").first).to_have_text("1")


def test_what_is_written_stays_when_the_reading_ends(view, files, readings):
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "minutes.txt"])
    page.get_by_label("The claim, as one sentence").wait_for()
    while readings.acquire(blocking=False):
        pass
    press(page, "Read everything again")
    page.get_by_label("The claim, as one sentence").fill("The harbour was dredged.")
    page.get_by_label("Claimed on").focus()
    readings.release(10)
    is_over(page)
    press(page, "Check")
    expect(page.locator("h1")).to_have_text("The harbour was dredged.")


def test_files_are_taken_though_the_reading_of_others_ends_meanwhile(view, files, readings):
    while readings.acquire(blocking=False):
        pass
    page = view()
    make(page)
    page.locator("#choose").set_input_files(files / "minutes.txt")
    expect(page.locator("#live [role=status]")).to_contain_text("0 of 1")
    held = hold(page, "**/letter.md")
    page.locator("#choose").set_input_files(files / "older" / "letter.md")
    until(lambda: page.wait_for_timeout(10) or held)
    readings.release(10)
    is_over(page)
    held[0].continue_()
    expect(row(page, "letter.md").locator("td").first).to_have_text("1")


def test_a_file_that_claims_quote_is_kept_if_a_person_says_so_when_asked(view, files, desk):
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "minutes.txt", files / "older" / "letter.md"])
    page.get_by_role("button", name="Read everything again").wait_for()
    (collection,) = every_collection(desk.app.library.home)
    where = page.url
    desk.settled(desk.ask("It rained.", target=collection.key))
    for answer in ("Keep it", "Delete it here"):
        page.goto(where)
        expect(page.locator("#upload")).not_to_contain_text("taken out")
        page.locator("summary[aria-label='Take out letter.md']").click()
        press(page, "Delete letter.md")
        expect(page.locator("h1")).to_have_text("Take out letter.md")
        page.get_by_text("also delete evidence and votes of 1 claim").click()
        page.get_by_text(answer, exact=True).click()
        page.wait_for_url(where)
    expect(page.locator("#upload")).to_have_text("letter.md was taken out.")
    expect(row(page, "letter.md")).to_have_count(0)
    assert "material that was deleted" in desk.get("/claims/check-1").body


def test_documents_are_taken_out_and_read_again_and_the_collection_is_deleted(view, files, desk):
    page = view()
    make(page)
    page.locator("#choose").set_input_files([files / "minutes.txt", files / "older" / "letter.md"])
    row(page, "minutes.txt").wait_for()
    again = page.get_by_role("button", name="Read everything again")
    again.wait_for()  # the page is not renewed any more
    page.locator("summary[aria-label='Take out letter.md']").click()
    press(page, "Delete letter.md")
    expect(page.locator("h2#files")).to_have_text("1 file")
    expect(row(page, "letter.md")).to_have_count(0)
    expect(page.locator("#upload")).to_have_text("letter.md was taken out.")
    (collection,) = every_collection(desk.app.library.home)
    again.wait_for()
    (collection.files / "minutes.txt").write_text("It rained.\nIt snowed.\n")
    page.reload()
    page.get_by_role("button", name="Read what is new or changed (1)").click()
    expect(row(page, "minutes.txt").locator("td").first).to_have_text("2")
    press(page, "Read everything again")
    again.wait_for()
    expect(row(page, "minutes.txt").locator("td").first).to_have_text("2")
    page.get_by_text("Delete this collection").click()
    page.get_by_role("button", name="Delete it for good").click()
    page.get_by_text("There is no collection yet.").wait_for()
    assert every_collection(desk.app.library.home) == []


def test_without_javascript_the_page_names_the_folder_to_copy_files_into(view, desk):
    page = view(java_script_enabled=False)
    make(page)
    (collection,) = every_collection(desk.app.library.home)
    expect(page.locator("noscript code")).to_have_text(str(collection.files))
    (collection.files / "minutes.txt").write_text("The harbour was dredged in 2019.\n")
    page.get_by_role("button", name="Read what is new or changed").click()
    page.get_by_text("Check a claim against these documents").wait_for()
