"""What an index holds."""

from __future__ import annotations

import io

import pyarrow.parquet as pq
import pytest

from tests.support.built_index import built
from tests.support.doubles import CLAIMS, FAKE, PAGES, fake_embed, plan, write_store
from uhhrag.errors import IndexFault
from uhhrag.indexing import claim_index, index_folder, page_table
from uhhrag.indexing.build import index_claims, require_all
from uhhrag.indexing.index_folder import IndexSettings
from uhhrag.records import Claim, Hit, Passage, Place
from uhhrag.system import checksummed_json

pytestmark = pytest.mark.usefixtures("nltk_loaded")


def test_an_index_holds_every_claim_with_its_passages_in_the_prefilters_order(tmp_path):
    opened = index_folder.open_index(built(tmp_path))
    assert opened.claims == CLAIMS
    cows = index_folder.load_claim(opened, 2)
    assert cows.claim == CLAIMS[2]
    assert [hit.passage for hit in cows.hits] == [
        Passage(
            "Cows eat grass.",
            ("https://d.example", "https://e.example"),
            (Place(0, 0), Place(1, 0)),
        ),
        Passage("Hay.", ("https://e.example",), (Place(1, 1),)),
    ]
    assert [hit.score for hit in cows.hits] == sorted((h.score for h in cows.hits), reverse=True)


def test_search_finds_the_passage_that_is_asked_for(tmp_path):
    loaded = index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0)
    best, other = claim_index.search_in(loaded, fake_embed)("The mat is red.", 2)
    passage = Passage("The mat is red.", ("https://a.example",), (Place(0, 1),))
    expected = Hit(passage, pytest.approx(1, abs=1e-3))
    assert best == expected
    assert other.score < best.score


def test_a_query_that_comes_again_is_embedded_once(tmp_path):
    asked = []

    def embed(texts):
        asked.extend(texts)
        return fake_embed(texts)

    search = claim_index.search_in(
        index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0), embed
    )
    assert search("a", 1) == search("a", 1)
    search("b", 1)
    assert asked == ["a", "b"]


def test_without_unique_every_line_stays(tmp_path):
    out = built(tmp_path, recipe=IndexSettings(FAKE, unique=False))
    texts = [hit.passage for hit in index_folder.load_claim(index_folder.open_index(out), 2).hits]
    assert texts.count(Passage("Cows eat grass.", ("https://d.example",), (Place(0, 0),))) == 1
    assert texts.count(Passage("Cows eat grass.", ("https://e.example",), (Place(1, 0),))) == 1
    assert len(texts) == 3


def test_the_pool_keeps_the_best_only(tmp_path):
    out = built(tmp_path, recipe=IndexSettings(FAKE, pool=1))
    (hit,) = index_folder.load_claim(index_folder.open_index(out), 1).hits
    assert hit.passage.text == "The moon is far."


@pytest.mark.parametrize(("cascade", "refused"), [(0, False), (7, True)])
def test_an_index_made_with_the_cascade_of_old_is_to_be_built_again(tmp_path, cascade, refused):
    manifest = built(tmp_path) / index_folder.MANIFEST
    body = checksummed_json.from_bytes(manifest.read_bytes())
    body["recipe"]["cascade"] = cascade
    manifest.write_bytes(checksummed_json.to_bytes(body))
    if not refused:
        assert index_folder.open_index(manifest.parent).header.recipe == IndexSettings(FAKE)
        return
    with pytest.raises(IndexFault, match=r"another version of uhhrag; run: .* --overwrite"):
        index_folder.open_index(manifest.parent)


def test_the_parquet_file_can_be_read_by_anyone(tmp_path):
    table = pq.read_table(built(tmp_path) / "claims" / "0" / "passages.parquet")
    assert table.schema.names == ["text", "urls", "bm25", "documents", "lines"]
    assert table.to_pydict()["urls"] == [["https://a.example"], ["https://a.example"]]


def test_the_manifest_counts_what_was_read_skipped_and_mended(tmp_path):
    store = write_store(tmp_path / "knowledge_store")
    with (store / "0.json").open("a") as file:
        file.write('{"url": 1}\nnonsense\n{"url": "u", "url2text": ["\\ud800"]}\n')
    manifest = index_folder.open_index(built(tmp_path)).manifests[0]
    assert manifest.counts == index_folder.Counts(
        pages=3, lines=3, unique=3, kept=3, mended=1, skipped=2
    )
    assert manifest.first_skipped == "0.json:3: `url` is missing or not a text"


def test_a_claim_whose_pages_are_all_empty_has_an_index_that_finds_nothing(tmp_path):
    write_store(tmp_path / "knowledge_store", ([("u", [])], *PAGES[1:]))
    loaded = index_folder.load_claim(index_folder.open_index(built(tmp_path)), 0)
    assert loaded.hits == ()
    assert claim_index.search_in(loaded, fake_embed)("anything", 10) == []


def test_claims_of_any_text_come_back_as_they_were(tmp_path):
    odd = Claim(0, "\ud800 \x00 \u202e €", None, "\x1b[31m")
    out = tmp_path / "index"
    wanted = plan(tmp_path, claims=(odd,), out=out)
    for _ in range(2):
        require_all(list(index_claims(wanted, lambda texts: fake_embed(["x"] * len(texts)))))
    assert index_folder.open_index(out).claims == (odd,)


def test_an_index_from_before_passages_had_places_is_read_with_them(tmp_path):
    folder = built(tmp_path)
    now = index_folder.load_claim(index_folder.open_index(folder), 2).hits
    file = folder / "claims" / "2" / "passages.parquet"
    earlier = io.BytesIO()
    pq.write_table(pq.read_table(file).drop_columns(["documents", "lines"]), earlier)
    pages = page_table.from_bytes((file.parent / "pages.parquet").read_bytes(), "here")[0]
    assert page_table.passages_from_bytes(earlier.getvalue(), "here", map(pages, range(2))) == now
