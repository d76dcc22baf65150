"""What is not English is noticed, and what is English gets no warning."""

from __future__ import annotations

import json

import pytest

from scripts.benchmarks import languages, spotting
from uhhrag.text import language
from uhhrag.text.language import OTHER_LANGUAGES, claim_note, documents_note, other_language


def test_sentences_of_eight_languages_are_noticed_and_one_of_forty_is_not_named():
    lines = (languages.LABELLED / "languages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 40
    noticed = [other_language(row["sentence"]) for row in rows]
    assert all(noticed)
    assert set(noticed) <= OTHER_LANGUAGES
    named = [a == row["language"] for a, row in zip(noticed, rows, strict=True)]
    assert sum(named) >= 39


def test_english_sentences_get_no_warning():
    assert [row.text for row in spotting.labelled() if other_language(row.text)] == []


def test_real_claims_get_no_warning(shared):
    sets = languages.english(shared / "averitec")
    texts = sets["AVeriTeC, dev60"] + sets["SciFact, dev"]
    assert len(texts) == 360
    assert [text for text in texts if other_language(text)] == []


@pytest.mark.parametrize(
    "text",
    ["", " ", "42", "New York", "Angela Merkel", "Muhammadu Buhari", "PTEN 3.4", "?!", "\ud800"],
)
def test_names_and_numbers_are_too_short_to_tell(text):
    assert other_language(text) == ""


def test_other_scripts_are_noticed_however_few_their_words():
    assert other_language("市长周一签署了预算。") == "Chinese"
    assert other_language("Мост закрыт для грузовиков с марта.") == "Russian"


def test_a_text_that_is_english_at_a_glance_does_not_load_the_model(monkeypatch):
    monkeypatch.setattr(language, "_loading", lambda: pytest.fail("it was loaded"))
    other_language.cache_clear()
    assert other_language("The council approved the plan that the mayor had made.") == ""


def test_the_model_is_loaded_ahead_where_a_text_needs_it(monkeypatch):
    begun = []
    monkeypatch.setattr(language, "_loading", lambda: begun.append(1))
    language.load_for(["The council approved the plan that the mayor had made.", "", "2024?"])
    assert not begun
    language.load_for(["The council approved the plan.", "Statins slow ageing in mice."])
    assert begun


def test_the_notes_are_one_plain_line():
    note = claim_note("Die Brücke ist seit März gesperrt.")
    assert note.startswith("This claim looks German. uhhrag was made and measured for English;")
    assert claim_note("The bridge has been shut since March.") == ""
    many = {f"{n}.txt": "German" for n in range(7)}
    assert "4.txt (German), and 2 more. uhhrag" in documents_note(many)
    assert documents_note({}) == ""
