"""The report as a browser takes it: whole, closed, escaped, and asking for nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.pages import HEADER, HOSTILE, Page, claim_view, evidence, run_view, vote
from uhhrag.records import Claim, Evidence, Grade, Label, Origin, Source, Verdict, Vote
from uhhrag.rules.rules import LABEL_OPTIONS
from uhhrag.views import html_pages, html_text
from uhhrag.views.review import Review
from uhhrag.views.run_view import ClaimView

ANY = st.text(st.characters(codec="utf-8"), max_size=60)
URLS = ANY | st.sampled_from(["https://", "javascript:", "http://a.example/", "data:"]).flatmap(
    lambda start: ANY.map(lambda rest: start + rest)
)


def page(*claims: ClaimView, **more: object) -> Page:
    return Page(html_pages.report(run_view(*claims, **more)))


def hostile() -> ClaimView:
    claim = Claim(0, HOSTILE, HOSTILE, HOSTILE)
    source = Source("javascript:alert(3)", *[HOSTILE] * 3, 1, site=HOSTILE, file=HOSTILE)
    item = Evidence(
        HOSTILE,
        HOSTILE,
        ("javascript:alert(3)",),
        reply=HOSTILE,
        context=HOSTILE,
        sources=(source,),
    )
    cast = Vote(Label.REFUTED, Origin.READ, HOSTILE, None, {HOSTILE: -1.0})
    verdict = Verdict(claim, Label.REFUTED, (item,), (cast,), (HOSTILE,))
    return ClaimView(claim, verdict, review=Review(Label.SUPPORTED, (0,), HOSTILE, HOSTILE))


def test_text_from_elsewhere_is_shown_and_never_run():
    failed = ClaimView(Claim(1, HOSTILE), None, HOSTILE)
    header = {**HEADER, "signature": f"llm:{HOSTILE}", "models": {HOSTILE: HOSTILE}}
    found = page(hostile(), failed, name=HOSTILE, header=header)
    assert len(found.all("script")) == 1
    assert found.all("img") == []
    assert not [n for _, attributes in found.tags for n in attributes if n.startswith("on")]
    assert found.text().count("<script>alert(1)</script>") >= 12
    assert "\x1b" not in html_pages.report(run_view(hostile()))
    assert "49" not in found.text()


def test_a_file_of_the_folder_is_named_as_its_owner_knows_it():
    saved = Source("https://a.example/x", file="press/3%20May.html")
    own = Source("file:minutes%202020.pdf", file="minutes%202020.pdf")
    items = tuple(evidence(urls=(s.url,), sources=(s,)) for s in (saved, own))
    votes = (vote(),) * 2
    verdict = replace(claim_view().verdict, evidence=items, votes=votes)
    shown = page(replace(claim_view(), verdict=verdict)).text()
    assert "in press/3 May.html" in shown
    assert shown.count("minutes 2020.pdf") == 1
    assert "%20" not in shown


def test_a_source_has_its_row_or_its_page_its_heading_and_how_sure_ocr_was():
    about = {"number": 7, "file": "costs.xlsx"}
    row = Source("file:costs.xlsx#Costs", unit="sheet <Costs>, row", **about)
    scan = Source("file:letter.png", number=3, file="letter.png", ocr=87, section="The <mole>")
    items = tuple(evidence(urls=(s.url,), sources=(s,)) for s in (row, scan))
    verdict = replace(claim_view().verdict, evidence=items, votes=(vote(),) * 2)
    shown = page(replace(claim_view(), verdict=verdict)).text()
    assert "costs.xlsx sheet <Costs>, row 7" in shown
    assert "letter.png p. 3 under “The <mole>” read by OCR, 87 % sure" in shown


def test_only_the_web_is_linked_and_without_a_trace_of_where_from():
    urls = ("https://a.example/x", "javascript:alert(1)", "data:text/html,x", "file:///etc/passwd")
    verdict = claim_view().verdict
    item = evidence(urls=urls, sources=())
    found = page(claim_view(), replace(claim_view(1), verdict=replace(verdict, evidence=(item,))))
    outward = [a for a in found.all("a") if not a["href"].startswith("#")]
    assert {a["href"].split(":")[0] for a in outward} == {"https"}
    assert {a["rel"] for a in outward} == {"noopener noreferrer"}
    assert "javascript:alert(1)" in found.text()
    assert {"name": "referrer", "content": "no-referrer"} in found.all("meta")


@given(URLS)
def test_what_is_linked_is_an_address_of_the_web_that_a_browser_reads_as_we_do(url):
    href = html_text.link(url)
    if href is not None:
        assert href == url
        assert re.match(r"https?://[^/?#@\\\s]+", href, re.IGNORECASE)


@pytest.mark.parametrize(
    "url",
    [
        "https://good.example@evil.example/",
        "https:\\\\evil.example",
        "https://a.example/\u0000",
        "https://a.example/ x",
        "java\nscript:alert(1)",
        " https://a.example/",
        "//a.example",
        "https://[::1",
        "HTTP://\u00a0",
        "https://\u3000/",
        "https://a.example/\u2028",
        "https://good.example\u202e/moc.live",
        "https://a\u200b.example/",
        "https://a.example/\ue000",
        "https://a.example:99999/",
        "",
    ],
)
def test_an_address_that_may_mislead_is_not_linked(url):
    assert html_text.link(url) is None


@pytest.mark.parametrize(
    "url",
    [
        "HTTP://A.example",
        "https://b\u00fccher.example/\u00fc?q=\u96e8#x",
        "https://\u0909\u0926\u093e\u0939\u0930\u0923.example/",
    ],
)
def test_an_address_in_any_script_is_linked(url):
    assert html_text.link(url) == url


@settings(max_examples=25)
@given(ANY, ANY, ANY, ANY)
def test_any_text_leaves_the_page_whole(claim, answer, before, url):
    item = evidence(answer, context=before + answer, urls=(url,), sources=(Source(url, claim),))
    verdict = Verdict(Claim(0, claim), Label.REFUTED, (item,), (vote(),), (before,))
    found = page(ClaimView(verdict.claim, verdict))
    assert " ".join(html_text.clean(claim).split()) in found.text()
    assert len(found.all("script")) == 1


@given(ANY, ANY, ANY)
def test_a_sentence_is_marked_where_it_stands(before, answer, after):
    found = html_text.marked(answer, before + answer + after)
    assert found.sentence == answer
    if answer:
        assert (before + answer + after).startswith(found.before + answer)


def test_a_long_context_and_a_long_sentence_are_cut_and_it_is_said():
    answer = "x" * 450_000
    found = html_text.marked(answer, "before " * 1000 + answer + " after" * 1000)
    assert len(found.sentence) == html_text.MAX_SENTENCE_CHARS
    assert found.left_out == 450_000 - html_text.MAX_SENTENCE_CHARS
    assert found.before.startswith("… before")
    assert found.after.endswith("after …")
    assert max(len(found.before), len(found.after)) <= html_text.AROUND + 2
    shown = replace(claim_view().verdict, evidence=(evidence(answer, context=""),))
    assert (
        "448000 more characters in the trace"
        in page(claim_view(), replace(claim_view(1), verdict=shown)).text()
    )


def test_what_a_vote_read_is_shown_around_the_sentence_and_no_number_is_cut():
    read = "1,240,000 crowns. " + "A line. " * 60 + "It was 11. It was 0."
    item = replace(evidence(read, context="It was 11. It was 0."), sentence="It was 0.")
    verdict = replace(claim_view().verdict, evidence=(item,), votes=(vote(),))
    assert read in page(replace(claim_view(), verdict=verdict)).text()
    twice = evidence("In May: It rose. In June: It rose.", context="In June:\nIt rose.")
    verdict = replace(verdict, evidence=(replace(twice, sentence="It rose."),))
    shown = page(replace(claim_view(), verdict=verdict)).text()
    assert ("In May" in shown, "In June: It rose." in shown) == (False, True)
    assert html_text.marked("b", "costs 1,240,000 b", 5).before == "… "
    assert html_text.marked("b", "b of 3,500 crowns", 6).after == " of …"
    assert html_text.marked("雪。", "雨が降った。雪。", 4).before == "… 降った。"


def test_only_prompts_that_a_run_may_have_used_are_shown():
    prompts = {"texts": {"answer": "Answer the question."}}
    asks = {"questions": "llm", "voter": "verifier"}
    none = {"questions": "template", "voter": "verifier"}
    shown = [
        page(claim_view(), header={**HEADER, "prompts": prompts, "settings": made}).text()
        for made in (asks, none)
    ]
    assert ["Answer the question." in text for text in shown] == [True, False]


def test_the_policy_allows_this_style_and_script_and_nothing_else():
    (policy,) = [m["content"] for m in page().all("meta") if "http-equiv" in m]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy
    assert policy.count("sha256-") == 2


def test_the_page_asks_for_nothing():
    found = page(hostile(), claim_view(1))
    asking = {"src", "srcset", "data", "action", "poster", "background", "ping", "style"}
    assert not [(t, a) for t, a in found.tags if asking & set(a)]
    assert not found.all("link")
    assert "@import" not in html_pages.asset("style.css")
    assert "url(" not in html_pages.asset("style.css")
    for name in ("fetch", "XMLHttpRequest", "innerHTML", "eval", "import("):
        assert name not in html_pages.asset("report.js")


def test_headings_go_down_one_level_at_a_time():
    levels = [
        int(tag[1]) for tag, _ in page(claim_view(), claim_view(1)).tags if re.match(r"h\d$", tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_there_are_landmarks_a_skip_link_and_a_language():
    found = page()
    tags = {tag for tag, _ in found.tags}
    assert {"header", "main", "footer", "title"} <= tags
    assert found.all("html") == [{"lang": "en"}]
    assert found.all("a")[0] == {"class": "skip", "href": "#claims"}
    assert "claims" in {attributes.get("id") for _, attributes in found.tags}


def test_every_id_is_said_once_and_every_reference_has_its_target():
    found = page(claim_view(), claim_view(1), claim_view(12))
    ids = [attributes["id"] for _, attributes in found.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    wanted = {a["href"][1:] for t, a in found.tags if t in ("a", "use") and a["href"][0] == "#"}
    wanted |= {a[name] for _, a in found.tags for name in ("aria-labelledby", "for") if name in a}
    assert wanted <= set(ids)


def test_every_field_has_a_label_and_every_picture_its_words():
    found = page(claim_view(), claim_view(1))
    labelled = {label["for"] for label in found.all("label") if "for" in label}
    fields = [a for t, a in found.tags if t in ("input", "select") and a.get("type") != "checkbox"]
    assert fields
    assert {field["id"] for field in fields} <= labelled
    for picture in found.all("svg"):
        assert picture.get("aria-hidden") == "true" or picture["aria-label"]
    assert "Votes: 1 refuted, 1 supported" in {p.get("aria-label") for p in found.all("svg")}


def test_the_words_of_the_votes_picture_are_those_of_the_pieces():
    silent = replace(vote(Label.NOT_ENOUGH, 0.77), reply="C")
    verdict = replace(claim_view().verdict, votes=(vote(), silent))
    told = {p.get("aria-label") for p in page(replace(claim_view(), verdict=verdict)).all("svg")}
    assert "Each vote between refuted and supported: 1 refuted 0.80, 2 says nothing 0.77." in told


def test_a_claim_shows_all_that_led_to_its_verdict():
    notes = ("No answer to the second question.",)
    verdict = replace(claim_view().verdict, notes=notes, removed={"date": 12})
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    for said in (
        "Claim 1 about rain.",
        "Did it rain?",
        "The year was dry. It rained in May. Then came June.",
        "Rain a.example A. Writer 2 May 2020 p. 4",
        "The same sentence on 1 more page",
        "b.example",
        "Q1: Did it rain?",
        "31 October 2020",
        "The mayor",
        "No answer to the second question.",
        "Confidence",
        "0.60",
        "2.0 s",
        "says nothing",
        "12 passages of documents dated after the last day allowed were left out.",
    ):
        assert said in shown, said


def test_a_claim_without_evidence_or_without_a_verdict_says_so():
    bare = Verdict(Claim(0, "c"), Label.NOT_ENOUGH, (), ())
    failed = ClaimView(Claim(1, "d"), None, "the model ran out of memory")
    shown = page(ClaimView(bare.claim, bare), failed).text()
    assert "No evidence was found." in shown
    assert "No verdict. the model ran out of memory" in shown


def test_one_vote_over_all_evidence_is_shown_as_such():
    letters = dict.fromkeys("ABCD", -1.4)
    cast = Vote(
        Label.CONFLICTING, Origin.CONSTRAINED, "D", 0.4, letters, cut=True, meanings=LABEL_OPTIONS
    )
    verdict = replace(
        claim_view().verdict, label=Label.CONFLICTING, votes=(cast,), vote_per_piece=False
    )
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert "One vote over all evidence conflicting 0.40 prompt was cut to fit" in shown
    assert "What the model gave each answer Letter Means Probability" in shown
    assert "D conflicting 0.247" in shown


def test_an_approachs_own_verdict_is_shown_as_such():
    own = Vote(Label.REFUTED, Origin.OWN, "", grade=Grade.BARELY_TRUE)
    verdict = replace(
        claim_view().verdict, votes=(own,), grade=Grade.BARELY_TRUE, vote_per_piece=False
    )
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert "Its own verdict on the way refuted (barely true)" in shown
    assert "Grade barely true" in shown


def test_many_votes_over_all_evidence_are_counted_and_shown_on_demand():
    votes = tuple(Vote(label, Origin.READ, f"I say {label}") for label in [*Label, Label.REFUTED])
    verdict = replace(claim_view().verdict, votes=votes, vote_per_piece=False)
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert "5 votes over all evidence 2 refuted, 1 supported, 1 not enough evidence" in shown
    assert "I say Supported" in shown


def test_a_verdict_that_abstains_says_where_it_leans():
    verdict = replace(claim_view().verdict, label=Label.NOT_ENOUGH, leaning=Label.SUPPORTED)
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert "Not sure enough for a verdict; the votes lean to supported." in shown
    assert "Confidence 0.40" in shown


@pytest.mark.parametrize("learned", [False, True])
def test_a_reading_of_all_evidence_is_shown_with_what_it_counts(learned):
    reading = dict.fromkeys(Label, 0.25)
    verdict = replace(
        claim_view().verdict, reading=reading, probabilities=reading if learned else {}
    )
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert "reading the evidence together: supported 0.25, refuted 0.25" in shown.lower()
    assert ("It is half of each vote" in shown) is not learned


def test_a_default_for_an_unreadable_reply_is_not_passed_off_as_a_vote():
    cast = Vote(Label.REFUTED, Origin.DEFAULTED, "```json")
    verdict = replace(claim_view().verdict, votes=(cast, cast))
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert shown.count("unreadable reply, the paper’s default") == 2


def test_votes_without_calibration_come_with_a_warning():
    bare = {**HEADER, "calibration": {"source": "none"}}
    assert "No calibration for this model" in page(header=bare).text()
    assert "No calibration for this model" not in page().text()


def test_a_learned_verdict_needs_no_calibration_of_the_votes():
    bare = {**HEADER, "calibration": {"source": "none"}}
    shares = dict.fromkeys(Label, 0.25)
    learned = replace(claim_view(), verdict=replace(claim_view().verdict, probabilities=shares))
    shown = page(learned, header=bare).text()
    assert "No calibration" not in shown
    assert "Confidence is the probability of the verdict, calibrated on claims" in shown
    assert (
        "1 verdict without calibration: labels" in page(learned, claim_view(1), header=bare).text()
    )


def test_a_vote_that_calibration_turned_says_what_it_was():
    meanings = {"A": "Supported", "B": "Refuted", "C": None}
    options = {"A": -0.5, "B": -0.9, "C": -3.0}
    turned = Vote(Label.REFUTED, Origin.CONSTRAINED, "A", 0.55, options, meanings=meanings)
    verdict = replace(claim_view().verdict, votes=(turned, turned))
    shown = page(claim_view(), replace(claim_view(1), verdict=verdict)).text()
    assert shown.count("Supported 0.60 before calibration") == 2


def test_a_review_stands_beside_the_verdict():
    shown = page(
        claim_view(review=Review(Label.SUPPORTED, (1,), "See page 4.", "2026-01-01"))
    ).text()
    assert "The reviewer’s verdict: supported" in shown
    assert "Marked wrong: the vote on piece 2" in shown
    assert "See page 4." in shown
    assert shown.count("marked wrong by a reviewer") == 1


def test_the_same_run_gives_the_same_page():
    assert html_pages.report(run_view()) == html_pages.report(run_view())


def test_a_run_without_a_claim_is_a_page_too():
    assert "This run has no claim yet." in page(claims=()).text()
