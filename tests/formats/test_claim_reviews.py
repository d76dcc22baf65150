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


def read(changes: dict[str, object]) -> CheckedClaim:
    (one,) = read_reviews(json.dumps(REVIEW | changes), "file", ".json")
    return one


@pytest.mark.parametrize(
    ("changes", "field", "value"),
    [
        ({"@type": "https://schema.org/ClaimReview"}, "claim", READ.claim),
        (
            {"claimReviewed": "It&rsquo;s &amp;#8220;free&#8221; &amp; new"},
            "claim",
            "It’s “free” & new",
        ),
        ({"claimReviewed": "<p>It is <b>free</b>.</p>"}, "claim", "It is free."),
        ({"claimReviewed": "In x<b and c>d"}, "claim", "In x<b and c>d"),
        ({"claimReviewed": [{"@value": "Frei.", "@language": "de"}]}, "claim", "Frei."),
        (
            {"claimReviewed": "", "itemReviewed": {"@type": "Claim", "text": "Free."}},
            "claim",
            "Free.",
        ),
        ({"itemReviewed": [{"author": ["A mayor", "Ada"]}]}, "speaker", "A mayor"),
        ({"itemReviewed": "A post"}, "speaker", ""),
        ({"publisher": ["The Gazette"], "author": None}, "publisher", "The Gazette"),
        ({"author": None}, "publisher", "gazette.example"),
        (
            {"url": {"@id": "https://gazette.example/?a=1&amp;copy=2"}},
            "url",
            "https://gazette.example/?a=1&copy=2",
        ),
        ({"datePublished": "March 2, 2021"}, "date", "2021-03-02"),
        ({"datePublished": "22-03-2021"}, "date", "2021-03-22"),
        ({"datePublished": "02-03-2021"}, "date", ""),
        ({"datePublished": "Tue, 02 Mar 2021 10:00:00 GMT"}, "date", "2021-03-02"),
        ({"datePublished": {"@value": "2021-03"}}, "date", "2021-03"),
        ({"datePublished": 1611111111}, "date", ""),
        ({"reviewRating": {"alternateName": ["Falso", "False"]}}, "rating", "Falso"),
        ({"reviewRating": ["Pants on fire"]}, "rating", "Pants on fire"),
        ({"reviewRating": {"ratingValue": "Falso", "bestRating": "5"}}, "rating", "Falso"),
    ],
)
def test_what_publishers_write_is_read_as_it_is_meant(changes, field, value):
    assert getattr(read(changes), field) == value


def test_what_a_graph_names_by_its_id_is_looked_up():
    gazette = {"@type": "Organization", "@id": "#us", "name": "The Gazette"}
    page = {"@type": "WebPage", "publisher": {"@id": "#us"}, "hasPart": {"@id": "#check"}}
    review = REVIEW | {"@id": "#check", "author": {"@type": "Organization", "@id": "#us"}}
    text = json.dumps({"@graph": [page, review, gazette]})
    assert read_reviews(text, "file", ".json") == [READ]
    blocks = "".join(
        f"<script type='application/ld+json'>{json.dumps(v)}</script>" for v in (review, gazette)
    )
    assert read_reviews(blocks, "file", ".html") == [READ]


@pytest.mark.parametrize(
    "around",
    ["//<![CDATA[\n{}\n//]]>", "/* <![CDATA[ */ {} /* ]]> */", "<!-- {} -->", "{};"],
)
def test_linked_data_in_a_comment_of_its_page_is_read(around):
    text = f'<script type="application/ld+json">{around.format(json.dumps(REVIEW))}</script>'
    assert read_reviews(text, "file", ".html") == [READ]
    escaped = text.replace(json.dumps(REVIEW), json.dumps(REVIEW).replace('"', "&quot;"))
    assert read_reviews(escaped, "file", ".html") == [READ]


def test_reviews_left_out_are_counted():
    said: list[str] = []
    unrated = REVIEW | {"reviewRating": {"ratingValue": "-1", "bestRating": "-1"}}
    text = json.dumps([REVIEW, unrated, REVIEW | {"claimReviewed": None}])
    assert read_reviews(text, "f.json", ".json", said.append) == [READ]
    assert said == ["f.json: 2 reviews without a claim or a rating left out"]
    assert len(read_reviews(CSV, "f.csv", ".csv", said.append)) == 1
    broken = PAGE.replace("{ not json }", '{"@type": "ClaimReview",}')
    assert len(read_reviews(broken, "f.html", ".html", said.append)) == 1
    assert said[1:] == [
        f"f.{kind}: 1 review without a claim or a rating left out" for kind in ("csv", "html")
    ]


def test_of_the_fact_check_tools_a_publisher_without_name_is_called_by_its_site():
    review = {"publisher": {"site": "gazette.example"}, "url": READ.url, "textualRating": "False"}
    text = json.dumps({"claims": [{"text": "It is free.", "claimReview": [{}, review]}]})
    (one,) = read_reviews(text, "file", ".json", lambda line: None)
    assert one.told == "False, by gazette.example"


def test_a_line_that_is_no_json_is_named_and_a_line_separator_ends_none():
    apart = json.dumps(REVIEW | {"note": "a\u2028b"}, ensure_ascii=False)
    assert read_reviews(apart, "file", ".jsonl") == [READ]
    with pytest.raises(InputError, match="cannot be read: line 2: Expecting"):
        read_reviews(f"{apart}\n{{", "file", ".jsonl")


def test_columns_are_told_by_their_letters():
    head = "reviewRating.alternateName,Claim Reviewed,author.name,itemReviewed.author.name"
    (one,) = read_reviews(f"{head}\nFalse,It&#39;s free.,The Gazette,A mayor\n", "file", ".csv")
    assert one == CheckedClaim("It's free.", "False", "The Gazette", speaker="A mayor")


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
