from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import orjson
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.doubles import write_page
from uhhrag.errors import InputError, UhhragError
from uhhrag.records import Passage
from uhhrag.store import claim_files, knowledge_store
from uhhrag.store.knowledge_store import Page, Skipped

GOOD = write_page("https://a.example", ["One.", "Two."]).encode()


def stored(tmp_path: Path, content: bytes, name: str = "0.json") -> Path:
    file = tmp_path / "store" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    return tmp_path / "store"


def zipped(tmp_path: Path, members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> Path:
    file = tmp_path / "store.zip"
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return file


def texts(folder: Path, claim_id: int = 0) -> list[str]:
    return [passage.text for passage in knowledge_store.read(folder, claim_id)]


def skipped(folder: Path) -> list[Skipped]:
    return [page for page in knowledge_store.pages(folder, 0) if isinstance(page, Skipped)]


def test_lines_come_in_file_order_each_with_its_url_and_unchanged(tmp_path):
    other = write_page("https://b.example", ["  Three\twith  space ", "\u0000nul", "Fünf €"])
    folder = stored(tmp_path, GOOD + b"\n" + other.encode() + b"\n")
    assert list(knowledge_store.read(folder, 0)) == [
        Passage("One.", ("https://a.example",)),
        Passage("Two.", ("https://a.example",)),
        Passage("  Three\twith  space ", ("https://b.example",)),
        Passage("\u0000nul", ("https://b.example",)),
        Passage("Fünf €", ("https://b.example",)),
    ]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ([[0, " Fares "], [2, ""]], ((0, "Fares"), (2, ""))),
        *(([], ()), ([[2, "a"], [0, "b"]], ()), ([[0, "a"], [0, "b"]], ()), ([[3, "a"]], ())),
        *(([[-1, "a"]], ()), ("0", ()), ([[True, "a"]], ()), ([[0]], ()), ([[0, 1]], ())),
        *(([0], ()), (None, ()), ({"0": "a"}, ())),
    ],
)
def test_sections_and_quotes_are_positions_of_lines_in_order_with_names_or_none(
    tmp_path, given, expected
):
    page = {"url": "u", "url2text": ["Fares", "Ten crowns.", "Ships"]}
    page = {**page, "sections": given, "quoted": given}
    (found,) = knowledge_store.pages(stored(tmp_path, orjson.dumps(page)), 0)
    assert isinstance(found, Page)
    assert found.sections == found.quoted == expected


def test_blank_lines_of_a_page_and_of_the_file_are_left_out_silently(tmp_path):
    page = write_page("u", ["", " \t\n", "\u3000", "x"]).encode()
    folder = stored(tmp_path, b"\n  \n" + page + b"\r\n\n")
    assert texts(folder) == ["x"]
    assert skipped(folder) == []


def test_type_and_query_never_matter(tmp_path):
    plain = stored(tmp_path / "plain", GOOD)
    gold = write_page("https://a.example", ["One.", "Two."], type="gold", query="The answer!")
    odd = write_page("https://a.example", ["One.", "Two."], type=[1], query={"a": None})
    leaking = stored(tmp_path / "leaking", f"{gold}\n{odd}".encode())
    assert list(knowledge_store.read(leaking, 0)) == list(knowledge_store.read(plain, 0)) * 2


@pytest.mark.parametrize("indent", [None, 1])
def test_a_file_that_is_one_json_list_is_read_too(tmp_path, indent):
    rows = [json.loads(GOOD), {"url": "u"}, json.loads(GOOD)]
    folder = stored(tmp_path, b"\xef\xbb\xbf \n" + json.dumps(rows, indent=indent).encode())
    assert texts(folder) == ["One.", "Two."] * 2
    assert [fault.place for fault in skipped(folder)] == ["0.json, record 2"]


def test_json_lines_whose_first_record_is_a_list_are_still_lines(tmp_path):
    folder = stored(tmp_path, b"[1, 2]\n" + GOOD)
    assert texts(folder) == ["One.", "Two."]
    assert skipped(folder) == [Skipped("0.json:1", "not a JSON object")]


def test_a_byte_order_mark_is_no_part_of_the_first_record(tmp_path):
    assert texts(stored(tmp_path, b"\xef\xbb\xbf" + GOOD)) == ["One.", "Two."]


@pytest.mark.parametrize(
    ("record", "why"),
    [
        (b'{"url": "u", "url2text": ["cut', "not JSON at character 31: unexpected"),
        (b"not json", "not JSON at character 1: no value"),
        (b"\x00\x00\x00", "not JSON"),
        (b'{"url": "u", "url2text": ["raw \x00 nul"]}', "not JSON"),
        (b"[" * 100_000, "not JSON"),
        (b'"text"', "not a JSON object"),
        (b"null", "not a JSON object"),
        (b'{"url2text": ["x"]}', "`url` is missing"),
        (b'{"url": null, "url2text": ["x"]}', "`url` is missing"),
        (b'{"url": ["u"], "url2text": ["x"]}', "`url` is missing"),
        (b'{"url": "u"}', "`url2text` is missing"),
        (b'{"url": "u", "url2text": "x"}', "`url2text` is missing"),
        (b'{"url": "u", "url2text": {"0": "x"}}', "`url2text` is missing"),
        (b'{"url": "u", "url2text": ["x", null]}', "`url2text` is missing"),
        (b'{"url": "u", "url2text": [["x"]]}', "`url2text` is missing"),
    ],
)
def test_a_record_that_cannot_be_read_is_skipped_with_place_and_reason(tmp_path, record, why):
    folder = stored(tmp_path, GOOD + b"\n\n" + record + b"\n" + GOOD)
    assert texts(folder) == ["One.", "Two."] * 2
    (fault,) = skipped(folder)
    assert fault.place == "0.json:3"
    assert fault.why.startswith(why)


def test_a_record_longer_than_the_limit_is_skipped_and_not_held(tmp_path, monkeypatch):
    monkeypatch.setattr(knowledge_store, "_RECORD_LIMIT", 200)
    long = write_page("u", ["x" * 1000]).encode()
    folder = stored(tmp_path, GOOD + b"\n" + long + b"\n" + GOOD)
    assert texts(folder) == ["One.", "Two."] * 2
    assert [fault.place for fault in skipped(folder)] == ["0.json:2"]


def test_a_line_of_450_000_characters_is_kept_whole(tmp_path):
    folder = stored(tmp_path, write_page("u", ["é" * 450_000]).encode())
    assert texts(folder) == ["é" * 450_000]


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        (b'{"url": "u", "url2text": ["a\xff\xfeb"]}', "a\ufffd\ufffdb"),
        (b'{"url": "u", "url2text": ["a\\ud800b"]}', "a\ufffdb"),
        (b'{"url": "u", "url2text": ["a\\udc00\\ud83d\\ude00"]}', "a\ufffd\U0001f600"),
    ],
)
def test_broken_characters_become_replacement_characters_and_the_page_stays(tmp_path, raw, text):
    (page,) = knowledge_store.pages(stored(tmp_path, raw), 0)
    assert page == Page("u", (text,), mended=True)


@pytest.mark.parametrize("content", [b"", b"\n\n", b"[]", b"nothing", b'{"url": 1}\n[', b"{}"])
def test_a_file_without_a_readable_page_is_an_error_naming_file_and_claim(tmp_path, content):
    folder = stored(tmp_path, content, "7.json")
    with pytest.raises(InputError, match=r"7\.json \(claim 7\) holds no readable page"):
        list(knowledge_store.read(folder, 7))


def test_a_page_without_lines_is_readable(tmp_path):
    assert texts(stored(tmp_path, write_page("u", []).encode())) == []


def test_a_missing_file_and_a_missing_store_are_named(tmp_path):
    folder = stored(tmp_path, GOOD)
    with pytest.raises(InputError, match=r"no file 3\.json for claim 3"):
        texts(folder, 3)
    with pytest.raises(InputError, match="no such knowledge store"):
        texts(tmp_path / "nowhere")


def test_a_folder_in_place_of_the_file_is_an_error(tmp_path):
    (tmp_path / "0.json").mkdir()
    with pytest.raises(InputError, match="Is a directory"):
        texts(tmp_path)


@pytest.mark.parametrize("name", ["0.json", "output_dev/0.json", "a/b/0.json"])
def test_files_in_nested_folders_are_found_in_folders_and_zips(tmp_path, name):
    folder = stored(tmp_path, GOOD, name)
    archive = zipped(tmp_path, {"__MACOSX/0.json": b"resource fork", "10.json": b"", name: GOOD})
    assert texts(folder) == texts(archive) == ["One.", "Two."]


def test_two_files_of_one_claim_are_refused_not_guessed(tmp_path):
    stored(tmp_path, GOOD, "a/0.json")
    folder = stored(tmp_path, GOOD, "b/0.json")
    with pytest.raises(InputError, match="2 files are named"):
        texts(folder)
    with pytest.raises(InputError, match="2 files are named"):
        texts(zipped(tmp_path, {"a/0.json": GOOD, "b/0.json": GOOD}))


def test_a_zip_is_never_unpacked_to_disk(tmp_path):
    archive = zipped(tmp_path, {"0.json": GOOD})
    before = sorted(tmp_path.rglob("*"))
    list(knowledge_store.pages(archive, 0))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize("name", ["../0.json", "/etc/0.json", "a/../../0.json", "..\\0.json"])
def test_a_zip_that_points_outside_itself_is_refused(tmp_path, name):
    with pytest.raises(InputError, match="points out of the zip"):
        texts(zipped(tmp_path, {"0.json": GOOD, name: GOOD}))


def test_an_encrypted_zip_is_refused(tmp_path):
    archive = zipped(tmp_path, {"0.json": GOOD})
    content = bytearray(archive.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(signature) + offset] |= 1
    archive.write_bytes(content)
    with pytest.raises(InputError, match="encrypted"):
        texts(archive)


def test_a_zip_of_another_method_is_refused(tmp_path):
    with pytest.raises(InputError, match="method"):
        texts(zipped(tmp_path, {"0.json": GOOD}, zipfile.ZIP_BZIP2))


def test_a_zip_bomb_is_refused_before_it_is_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(claim_files, "_BOMB_SIZE", 10_000)
    with pytest.raises(InputError, match="as no text does"):
        texts(zipped(tmp_path, {"0.json": b" " * 10_000_000}))


def test_a_file_that_is_no_zip_is_an_error(tmp_path):
    file = tmp_path / "store.zip"
    file.write_bytes(b"not a zip")
    with pytest.raises(InputError, match="damaged"):
        texts(file)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["url", "url2text", "type"]) | st.text(), inner, max_size=4
        )
    ),
    max_leaves=8,
)
fuzz = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


def survives(folder: Path) -> None:
    """Reading gives passages that a file can hold, or an error of ours."""
    try:
        for passage in knowledge_store.read(folder, 0):
            passage.text.encode()
            assert passage.text.strip()
    except UhhragError as error:
        assert str(error)


@fuzz
@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path, content):
    survives(stored(tmp_path, content))


@fuzz
@given(rows=st.lists(json_values, max_size=4), whole=st.booleans())
def test_any_json_is_read_or_refused(tmp_path, rows, whole):
    lines = [json.dumps(rows)] if whole else [json.dumps(row) for row in rows]
    survives(stored(tmp_path, "\n".join(lines).encode()))


@fuzz
@given(data=st.data())
def test_a_good_file_with_bytes_changed_or_cut_is_read_or_refused(tmp_path, data):
    content = bytearray(GOOD + b"\n" + GOOD)
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    survives(stored(tmp_path, bytes(content[: data.draw(st.integers(0, len(content)))])))


@fuzz
@given(data=st.data())
def test_a_zip_with_bytes_changed_or_cut_is_read_or_refused(tmp_path, data):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("0.json", GOOD)
    content = bytearray(packed.getvalue())
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(0, len(content) - 1))] = data.draw(st.integers(0, 255))
    file = tmp_path / "store.zip"
    file.write_bytes(content[: data.draw(st.integers(0, len(content)))])
    survives(file)


@pytest.mark.reference
def test_real_stores_lose_nothing_but_blank_lines(shared):
    folder = shared / "averitec" / "knowledge_store"
    for claim_id in range(0, 60, 7):
        rows = [orjson.loads(line) for line in (folder / f"{claim_id}.json").open("rb")]
        expected = [
            Passage(text, (row["url"],)) for row in rows for text in row["url2text"] if text.strip()
        ]
        assert list(knowledge_store.read(folder, claim_id)) == expected
