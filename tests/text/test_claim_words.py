"""What is taken off a claim before it is searched and read, and what stays."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uhhrag.text.claim_words import plain_claim

CLAIM = "The library in Varnby was closed in 2022."


@pytest.mark.parametrize(
    "text",
    [
        CLAIM,
        f"RT @desk: {CLAIM}",
        f"RT @desk {CLAIM}",
        f"BREAKING: {CLAIM}",
        f"BREAKING NEWS – {CLAIM}",
        f"Breaking: {CLAIM}",
        f"🚨 BREAKING 🚨 {CLAIM}",
        f"#BREAKING {CLAIM}",
        f"[BREAKING] {CLAIM}",
        f"JUST IN | {CLAIM}",
        f"{CLAIM} #varnby #library",
        f"{CLAIM} #varnby",
        f"{CLAIM} https://t.co/AbC123",
        f"{CLAIM} pic.twitter.com/AbC123",
        f"https://example.org/a?b=c {CLAIM}",
        f"@council @mayor {CLAIM}",
        f"{CLAIM} via @paper",
        f"{CLAIM} (@paper)",
        f"RT @a: RT @b: BREAKING: {CLAIM} #x https://t.co/y @z",
        f"  {CLAIM}\n\n#varnby ",
    ],
)
def test_what_stands_round_a_claim_is_taken_off(text):
    assert plain_claim(text) == CLAIM


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("#Norway has five million people.", "Norway has five million people."),
        ("He moved to #Norway", "He moved to Norway"),
        ("@POTUS signed the bill.", "POTUS signed the bill."),
        ("The mayor (@mayor_v) resigned.", "The mayor resigned."),
        ("Deaths by #ClimateChange rose.", "Deaths by Climate Change rose."),
        ("Her song is the #1 of 2020.", "Her song is the #1 of 2020."),
        ("Write to desk@paper.example today.", "Write to desk@paper.example today."),
        ("C# is older than Go.", "C# is older than Go."),
        ("Breaking news travels fast.", "Breaking news travels fast."),
        ("The Breaking Bad series ended.", "The Breaking Bad series ended."),
        ("example.org was sold in 2020.", "example.org was sold in 2020."),
        ("The temperature fell 3° – a record ©2020.", "The temperature fell 3° – a record ©2020."),
        ("https://t.co/x", "https://t.co/x"),
        ("#varnby", "varnby"),
        ("It has 5379475 people and 2019 ships.", "It has 5,379,475 people and 2019 ships."),
        ("Case No. 12345 of 2020, 1234567.5 and 012345", None),
    ],
)
def test_words_of_the_sentence_stay(text, plain):
    assert plain_claim(text) == (plain or text)


@given(st.text(max_size=60))
def test_any_claim_keeps_a_word_and_is_plain_the_second_time(text):
    plain = plain_claim(text)
    assert bool(plain) == bool(" ".join(text.split()))
    assert "\n" not in plain


@pytest.mark.reference
def test_claims_of_the_data_set_stay_as_they_are(shared):
    rows = json.loads((shared / "averitec" / "dev180.json").read_bytes())
    claims = [" ".join(row["claim"].split()) for row in rows]
    assert [claim for claim in claims if plain_claim(claim) != claim] == []
