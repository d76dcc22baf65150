"""Claims that others have checked, in the forms that publishers give them."""

from __future__ import annotations

import json

import pytest

from uhhrag.errors import InputError
from uhhrag.formats.claim_reviews import CheckedClaim, read_reviews

REVIEW = {
    "@context": "https://schema.org",
    "@type": "ClaimReview",
    "url": "https://gazette.example/checks/ferry",
    "claimReviewed": "The ferry of Lunde is free.",
    "datePublished": "2021-03-02T10:00:00+01:00",
    "author": {"@type": "Organization", "name": "The Gazette"},
    "itemReviewed": {"@type": "Claim", "author": {"name": "A mayor"}},
    "reviewRating": {
        "@type": "Rating",
        "ratingValue": 1,
        "bestRating": 5,
        "alternateName": "False",
    },
}
READ = CheckedClaim(
    "The ferry of Lunde is free.",
    "False",
    "The Gazette",
    "2021-03-02",
    "https://gazette.example/checks/ferry",
    "A mayor",
)
FEED = {"@type": "DataFeed", "dataFeedElement": [{"item": [REVIEW]}]}
TOOLS = {
    "claims": [
        {
            "text": "The ferry of Lunde is free.",
            "claimant": "A mayor",
            "claimReview": [
                {
                    "publisher": {"name": "The Gazette", "site": "gazette.example"},
                    "url": "https://gazette.example/checks/ferry",
                    "reviewDate": "2021-03-02T00:00:00Z",
                    "textualRating": "False",
                }
            ],
        }
    ]
}
PAGE = f"""<html><head><script type="application/ld+json">{json.dumps(REVIEW)}</script>
<script>var x = {{"@type": "ClaimReview"}};</script>
<script type="application/ld+json">{{ not json }}</script></head><body>Text</body></html>"""
CSV = """claim;rating;publisher;date;url;speaker
"The ferry of Lunde is free.";False;The Gazette;2021-03-02;ADDRESS;A mayor
;False;;;;
""".replace("ADDRESS", READ.url)


@pytest.mark.parametrize(
    ("text", "ending"),
    [
        (json.dumps(REVIEW), ".json"),
        (json.dumps([{"@graph": [REVIEW]}]), ".jsonld"),
        (json.dumps(FEED), ".json"),
        (json.dumps(TOOLS), ".json"),
        (json.dumps(REVIEW) + "\n\n", ".jsonl"),
        (PAGE, ".html"),
        (CSV, ".csv"),
    ],
)
def test_every_form_gives_the_same_claim(text, ending):
    assert read_reviews(text, "file", ending) == [READ]


def test_a_rating_in_numbers_says_of_how_many():
    numbers = REVIEW | {"reviewRating": {"ratingValue": 2, "bestRating": 5}}
    (read,) = read_reviews(json.dumps(numbers), "file", ".json")
    assert read.told == "2 of 5, by The Gazette, 2021-03-02"


def test_whoever_reviews_for_a_publisher_is_named_as_the_publisher():
    author = {"@type": "Person", "name": "Ada", "worksFor": {"name": "The Gazette"}}
    (read,) = read_reviews(json.dumps(REVIEW | {"author": author}), "file", ".json")
    assert read.publisher == "The Gazette"


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "[]",
        "null",
        "{",
        "[" * 100_000,
        json.dumps({"@type": "ClaimReview", "claimReviewed": "No rating."}),
        json.dumps(REVIEW | {"claimReviewed": {"text": "x"}, "reviewRating": None}),
    ],
)
def test_what_has_no_checked_claim_is_refused_in_a_line(text):
    with pytest.raises(InputError) as refused:
        read_reviews(text, "file.json", ".json")
    assert "\n" not in str(refused.value)
