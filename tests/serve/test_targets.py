"""What a claim can be checked against."""

from __future__ import annotations

from dataclasses import replace

from tests.support.pages import Page
from tests.support.serving import desk_of
from tests.support.small_run import CLAIMS, METHOD, corpus_for
from uhhrag.pipeline import decide
from uhhrag.records import Claim
from uhhrag.serve.targets import of_index, whole


def test_an_index_offers_all_its_stores_and_each():
    asked = []

    def load():
        return (lambda claim: asked.append(claim) or corpus_for(claim)), METHOD

    found = of_index("index", "i", CLAIMS, load)
    assert list(found) == ["i-all", *(f"i-{claim.id}" for claim in CLAIMS)]
    corpus, method = found["i-2"].open(print)
    corpus(Claim(77, "New.", "2020-01-01"))
    assert asked == [Claim(2, "New.", "2020-01-01")]
    assert method is METHOD
    assert list(of_index("index", "i", CLAIMS[:1], load)) == ["i-0"]


def test_many_stores_are_searched_as_one():
    one, all_four = corpus_for(CLAIMS[0]), whole(CLAIMS, corpus_for)
    query = "Who opened the bridge?"
    assert all_four.search(query, 3) == one.search(query, 3)
    verdict = decide(CLAIMS[0], all_four, METHOD)
    assert verdict == decide(CLAIMS[0], one, METHOD)


def limited(claim):
    """Limits that take three passages from the first store and one from each other."""
    removed = {"date": 2, "site": 1} if claim.id == 0 else {"date": 1}
    return replace(corpus_for(claim), removed=removed)


def test_what_limits_took_from_many_stores_is_added_up_once():
    stores = whole(CLAIMS[:3], limited)
    for query in ("Who opened the bridge?", "Is it open?"):
        stores.search(query, 3)
    assert stores.removed == {"date": 4, "site": 1}
    assert decide(CLAIMS[0], whole(CLAIMS[:3], limited), METHOD).removed == stores.removed


def test_the_page_of_a_claim_says_how_many_passages_the_limits_took_away(tmp_path):
    index = of_index("index", "i", CLAIMS[:3], lambda: (limited, METHOD))
    with desk_of(tmp_path / "run", targets=index) as served:
        everywhere = Page(served.settled(served.ask("The bridge is shut.", target="i-all"))).text()
        one_store = Page(served.settled(served.ask("The bridge is up.", target="i-1"))).text()
    assert "4 passages of documents dated after the last day allowed were left out." in everywhere
    assert "1 passage of sites that are excluded was left out." in everywhere
    assert "1 passage of documents dated after the last day allowed was left out." in one_store
