"""ClaimReview: what a person reviewed, as search engines want to read it.

The schema beside this file is ours, written from the public documentation."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import jsonschema
import pytest

from tests.serve.conftest import desk  # noqa: F401 - a fixture
from tests.support.pages import Page
from tests.support.serving import desk_of
from tests.support.small_run import CLAIMS
from uhhrag.errors import UsageError
from uhhrag.exports.claim_review import Publisher, as_claim_review, require_web
from uhhrag.formats.claim_reviews import read_reviews
from uhhrag.records import Label, Source
from uhhrag.views.claim_row import fingerprint
from uhhrag.views.review import PieceSide, Review
from uhhrag.views.run_view import RunView

pytestmark = pytest.mark.slow

SCHEMA = json.loads((Path(__file__).parent / "claim_review.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(
    SCHEMA, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)
PUBLISHER = Publisher("The Gazette", "https://g.example", "https://g.example/checks/")


def exported(desk, path="/export/claimreview.jsonld"):  # noqa: F811
    return json.loads(desk.get(path).body)


def of_publisher(desk):  # noqa: F811
    """What a desk exports that knows where reviews are published."""
    return json.loads(as_claim_review(desk.app.run_view(), PUBLISHER))


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_verdict_and_every_field_is_as_the_documentation_wants_it(tmp_path):
    with desk_of(tmp_path / "run") as served:
        for number, label in enumerate(Label):
            where = f"https://news.example/story-{number}" if number % 2 else ""
            served.review(
                f"claim-{number}", label=label, note="See page 4.", reviewer="Ada", appearance=where
            )
        found = of_publisher(served)
    VALIDATOR.validate(found)
    assert {one["reviewRating"]["alternateName"] for one in found} == set(Label)
    assert [one["url"] for one in found] == [
        f"https://g.example/checks/claim-{number}" for number in range(4)
    ]
    assert found[1]["itemReviewed"]["appearance"] == {
        "@type": "CreativeWork",
        "url": "https://news.example/story-1",
    }
    assert "appearance" not in found[0]["itemReviewed"]


@pytest.mark.parametrize(
    ("where", "value"),
    [
        (("url",), None),
        (("url",), "claim-1"),
        (("claimReviewed",), " "),
        (("datePublished",), "yesterday"),
        (("reviewRating", "alternateName"), None),
        (("reviewRating", "ratingValue"), 6),
        (("reviewRating", "ratingValue"), "5"),
        (("reviewRating", "bestRating"), None),
        (("itemReviewed", "datePublished"), "31-10-2020"),
        (("itemReviewed", "firstApearance"), "https://a.example"),
        (("author", "name"), None),
        (("@context",), None),
    ],
)
def test_the_schema_refuses_what_the_documentation_does(tmp_path, where, value):
    with desk_of(tmp_path / "run") as served:
        served.review("claim-0", label="Supported")
        (one,) = of_publisher(served)
    VALIDATOR.validate([one])
    *path, name = where
    part = one
    for step in path:
        part = part[step]
    if value is None:
        del part[name]
    else:
        part[name] = value
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate([one])


def test_without_an_address_of_the_publisher_only_the_address_is_missing(desk):  # noqa: F811
    desk.review("claim-0", label="Supported")
    errors = list(VALIDATOR.iter_errors(exported(desk)))
    assert [error.message for error in errors] == ["'url' is a required property"]


def test_only_what_a_person_reviewed_is_a_claim_review(desk):  # noqa: F811
    for path in ("/export/claimreview.jsonld", "/claims/claim-0/export/claimreview.jsonld"):
        refused = desk.get(path)
        assert refused.status == 409
        assert "No verdict here was chosen by a person who gave a name" in refused.body
    desk.review("claim-0", label="Not Enough Evidence", note="Thin.")
    desk.review("claim-1", label="Refuted", **{"keep-2": "on"})
    first, second = exported(desk)
    assert first["@type"] == "ClaimReview"
    assert first["claimReviewed"] == CLAIMS[0].text
    assert first["author"]["worksFor"]["name"] == "The Varnby Gazette"
    assert first["itemReviewed"]["author"]["name"] == "The mayor"
    assert first["itemReviewed"]["datePublished"] == "2020-10-31"
    assert "ratingValue" not in first["reviewRating"]
    assert first["reviewBody"] == "Thin."
    assert second["reviewRating"] == {
        "@type": "Rating",
        "alternateName": "Refuted",
        "ratingValue": 1,
        "bestRating": 5,
        "worstRating": 1,
    }
    assert "citation" not in first
    assert [work["url"] for work in second["citation"]] == [
        "https://a.example",
        "https://b.example",
    ]
    assert exported(desk, "/claims/claim-1/export/claimreview.jsonld") == [second]
    imported = read_reviews(json.dumps([first, second]), "export", ".jsonld")
    assert [(one.claim, one.rating) for one in imported] == [
        (CLAIMS[0].text, "Not Enough Evidence"),
        (CLAIMS[1].text, "Refuted"),
    ]


def test_a_review_of_an_earlier_verdict_is_named_as_the_reason(desk):  # noqa: F811
    for key, claim in (
        ("claim-0", "1 review of an earlier verdict; review again, then export"),
        ("claim-1", "2 reviews of an earlier verdict; review again, then export"),
    ):
        view = desk.app.find(key)
        review = Review(label=Label.REFUTED, reviewer="Bo", seen="another")
        desk.app.database.review_after(0, review, view.names[0])
        refused = desk.get("/export/claimreview.jsonld")
        assert (refused.status, claim in refused.body) == (409, True)
        assert "chosen by a person" not in refused.body


def test_only_the_pieces_that_a_person_kept_are_cited(desk):  # noqa: F811
    desk.review("claim-0", label="Supported")
    (reviewed,) = exported(desk)
    assert "citation" not in reviewed
    desk.review("claim-0", label="Supported", **{"keep-2": "on", "keep-99": "on"})
    (reviewed,) = exported(desk)
    assert [work["url"] for work in reviewed["citation"]] == ["https://c.example"]
    page = Page(desk.get("/claims/claim-0").body)
    kept = [i.get("name") for i in page.all("input") if "checked" in i]
    assert "keep-2" in kept
    assert "keep-0" not in kept


@pytest.mark.parametrize("wrong", [{"label": ""}, {"label": "keep"}, {"reviewer": " "}])
def test_a_review_without_a_choice_or_a_name_is_not_saved(desk, wrong):  # noqa: F811
    refused = desk.review("claim-0", note="my words", **wrong)
    assert (refused.status, "my words" in refused.body) == (422, True)
    assert desk.app.database.reviews() == {}


def test_nothing_is_chosen_for_the_reviewer(desk):  # noqa: F811
    page = Page(desk.get("/claims/claim-0").body)
    choices = [i for i in page.all("input") if i.get("name") == "label"]
    assert [choice["value"] for choice in choices] == [str(label) for label in Label]
    assert not any("checked" in choice for choice in choices)
    assert all("required" in choice for choice in choices)


def test_a_review_that_an_earlier_version_saved_without_a_choice_is_not_exported(desk):  # noqa: F811
    view = desk.app.find("claim-0")
    for known, review in enumerate((Review(None, reviewer="Ada"), Review(Label.REFUTED))):
        review = replace(review, seen=fingerprint(view))
        assert desk.app.database.review_after(known, review, "claim-0")
        assert desk.get("/export/claimreview.jsonld").status == 409


def test_a_claim_review_names_publisher_person_and_cited_files(tmp_path):
    with desk_of(tmp_path / "run") as served:
        served.review("claim-1", label="Supported", reviewer="Ada", **{"keep-0": "on"})
        views = served.app.run_view()
    (view,) = [v for v in views.claims if v.anchor == "claim-1"]
    file, page = "file:a%20note.txt", "https://d.example/x"
    sources = (
        Source(file, author="night.nurse@post.example", date="2020-05-02", dated_by="file"),
        Source(page, "A page", "A. Writer", date="2020-05-03", dated_by="text"),
    )
    own = replace(view.verdict.evidence[0], urls=(file, page), sources=sources)
    verdict = replace(view.verdict, evidence=(own, *view.verdict.evidence[1:]))
    run = replace(views, claims=(replace(view, verdict=verdict),))
    found = json.loads(as_claim_review(run, PUBLISHER))
    VALIDATOR.validate(found)
    assert found[0]["author"] == {
        "@type": "Person",
        "name": "Ada",
        "worksFor": {"@type": "Organization", "name": "The Gazette", "url": "https://g.example"},
    }
    assert found[0]["citation"] == [
        {"name": "a note.txt", "@type": "CreativeWork"},
        {
            "@type": "CreativeWork",
            "name": "A page",
            "author": {"@type": "Person", "name": "A. Writer"},
            "datePublished": "2020-05-03",
            "url": page,
        },
    ]


@pytest.mark.parametrize(
    ("source", "name"),
    [
        (
            Source("file:a%20b.xlsx#Costs", "Costs", number=4, unit="sheet Costs, row"),
            "a b.xlsx, sheet Costs, row 4",
        ),
        (
            Source("file:a.zip#b.ods#Costs", "Costs", number=4, unit="sheet Costs, row"),
            "a.zip#b.ods, sheet Costs, row 4",
        ),
        (
            Source("file:a.xlsx#Costs", "Budget 2024", number=4, unit="sheet Costs, row"),
            "Budget 2024, sheet Costs, row 4",
        ),
        (Source("file:a.csv", number=4, unit="row"), "a.csv, row 4"),
        (Source("file:a.pdf", "Minutes", number=2), "Minutes, page 2"),
        (Source("file:a.pdf", number=2), "a.pdf, page 2"),
        (Source("file:a.txt", "Costs"), "Costs"),
    ],
)
def test_a_file_of_ones_own_is_cited_with_its_place(desk, source, name):  # noqa: F811
    desk.review("claim-0", label="Supported")
    (view,) = [one for one in desk.app.run_view().claims if one.anchor == "claim-0"]
    item = replace(view.verdict.evidence[0], urls=(source.url,), sources=(source,))
    review = replace(view.review, kept=(0,))
    verdict = replace(view.verdict, evidence=(item, *view.verdict.evidence[1:]))
    run = replace(desk.app.run_view(), claims=(replace(view, verdict=verdict, review=review),))
    ((work,),) = [one["citation"] for one in json.loads(as_claim_review(run, PUBLISHER))]
    assert work == {"@type": "CreativeWork", "name": name}


def test_who_wrote_a_file_that_is_not_public_is_not_published_and_this_is_said(desk):  # noqa: F811
    key = "claim-0"
    desk.review(key, label="Supported")
    for source in (
        Source("file:tip.eml", "Ward 7", "night.nurse@post.example"),
        Source("file:tip.zip#a.eml", author="night.nurse@post.example", quoted="A Nurse"),
        Source("https://d.example/x", author="A. Writer"),
    ):
        desk.app.database.attach(
            desk.app.find(key).names[0], PieceSide.SUPPORTS, "It rained.", source, "Ada"
        )
    answer = desk.get(f"/claims/{key}/export/claimreview.jsonld").body
    assert "night.nurse" not in answer
    (review,) = json.loads(answer)
    names = [work.get("author", {}).get("name") for work in review["citation"]]
    assert names == [None, None, "A. Writer"]
    for path in ("/", f"/claims/{key}"):
        assert "own files without authors" in desk.get(path).body


def test_where_a_claim_was_published_is_kept_shown_and_must_be_of_the_web(desk):  # noqa: F811
    refused = desk.review("claim-0", note="my words", appearance="javascript:alert(1)")
    assert (refused.status, "my words" in refused.body) == (422, True)
    assert desk.app.database.reviews() == {}
    desk.review("claim-0", appearance="https://news.example/a")
    page = Page(desk.get("/claims/claim-0").body)
    links = [a["href"] for a in page.all("a") if a.get("href", "").startswith("https://news")]
    assert links == ["https://news.example/a"]
    (field,) = [one for one in page.all("input") if one.get("id") == "appearance"]
    assert field["value"] == "https://news.example/a"


def test_what_is_exported_cannot_end_the_script_of_a_page(desk):  # noqa: F811
    desk.review("claim-0", note="</script><script>alert(1)</script><!--")
    text = desk.get("/export/claimreview.jsonld").body
    assert not set("<>&") & set(text)
    assert json.loads(text)[0]["reviewBody"].startswith("</script>")


def test_an_address_of_the_publisher_that_is_none_is_refused():
    with pytest.raises(UsageError, match="is no web address"):
        require_web("--publish-base", "javascript:alert(1)")
    require_web("--publish-base", "")


def test_no_day_and_no_language_is_said_that_is_not_known(tmp_path):
    with desk_of(tmp_path / "run") as served:
        served.review("claim-0", label="Supported", **{"keep-0": "on"})
        (view,) = [v for v in served.app.run_view().claims if v.anchor == "claim-0"]
    german = "Der Hafen wurde im Jahr 2019 für viel Geld ausgebaut."
    source = Source("https://d.example/x", "A page", date="2020-05-03", dated_by="capture")
    item = replace(view.verdict.evidence[0], urls=(source.url,), sources=(source,))
    verdict = replace(view.verdict, evidence=(item, *view.verdict.evidence[1:]))
    for claim, said in (
        (replace(view.claim, date="2020-02"), {"inLanguage"}),
        (replace(view.claim, date="2020-02-03", text=german), {"datePublished"}),
    ):
        run = RunView("r", {}, (replace(view, claim=claim, verdict=verdict),))
        (one,) = json.loads(as_claim_review(run, replace(PUBLISHER, name="", url="")))
        VALIDATOR.validate([one])
        assert one["author"] == {"@type": "Person", "name": "Ada"}
        assert {"inLanguage"} & set(one) | {"datePublished"} & set(one["itemReviewed"]) == said
        assert one["citation"] == [
            {"@type": "CreativeWork", "name": "A page", "url": "https://d.example/x"}
        ]
