"""Claims that were checked before: taken up, kept whole, found again, shown and never evidence."""

from __future__ import annotations

import json

import numpy as np
import pytest

import uhhrag
from tests.formats.test_claim_reviews import READ, REVIEW
from tests.workflows.test_own_parts import EMBEDDER, agree
from uhhrag.errors import InputError
from uhhrag.formats.claim_reviews import CheckedClaim, read_checked
from uhhrag.views.answer import show_answer
from uhhrag.wiring import checked_claims
from uhhrag.wiring.checked_claims import nearest_of, open_checked
from uhhrag.workflows.claims import import_claims
from uhhrag.workflows.observer import SILENT, Observer

LIKE = "The Lunde ferry is free of charge."


@pytest.fixture(autouse=True)
def kept(tmp_path, monkeypatch):
    """The file of checked claims stands in a folder of the test's own."""
    file = tmp_path / "home" / "checked-claims.jsonl"
    monkeypatch.setattr(checked_claims, "file_of_checked", lambda: file)
    monkeypatch.setattr("uhhrag.workflows.claims.file_of_checked", lambda: file)
    monkeypatch.setattr(checked_claims.rerankers, "load_reranker", _by_words)
    return file


def _by_words(name, machine):
    def relevance(query, texts):
        words = set(query.lower().split())
        return np.array([2 * len(words & set(text.lower().split())) - 7.0 for text in texts])

    return uhhrag.Loaded(type("Reads", (), {"relevance": staticmethod(relevance)}), "words")


@pytest.fixture
def imported(tmp_path, kept):
    file = tmp_path / "reviews.json"
    other = REVIEW | {"claimReviewed": "Whales sing in May.", "url": "https://gazette.example/w"}
    file.write_text(json.dumps([REVIEW, other]))
    return import_claims([file], SILENT)


def test_what_is_imported_twice_is_there_once(imported, tmp_path, kept):
    assert (imported.added, imported.claims) == (2, 2)
    again = import_claims([tmp_path / "reviews.json"], SILENT)
    assert (again.added, again.claims) == (0, 2)
    assert READ in read_checked(kept)


def test_of_a_folder_what_has_none_is_named_and_left_out(tmp_path, kept):
    folder = tmp_path / "feeds"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(REVIEW))
    (folder / "b.html").write_text("<p>Nothing here.")
    (folder / "c.txt").write_text("not looked at")
    said = []
    assert import_claims([folder], Observer(warn=said.append)).claims == 1
    (line,) = said
    assert "b.html: holds no checked claim" in line
    with pytest.raises(InputError, match="is of no kind that is read"):
        import_claims([folder / "c.txt"], SILENT)
    with pytest.raises(InputError, match="cannot be read"):
        import_claims([folder / "none.json"], SILENT)


def test_a_page_is_read_in_the_encoding_that_it_declares(tmp_path, kept):
    review = json.dumps(
        REVIEW | {"claimReviewed": "Prom jest za darmo, żółw też."}, ensure_ascii=False
    )
    page = f'<meta charset="iso-8859-2"><script type="application/ld+json">{review}</script>'
    (tmp_path / "a.html").write_bytes(page.encode("iso-8859-2"))
    import_claims([tmp_path / "a.html"], SILENT)
    assert [one.claim for one in read_checked(kept)] == ["Prom jest za darmo, żółw też."]


def test_of_a_check_the_latest_stays_whichever_is_imported_last(imported, tmp_path, kept):
    file = tmp_path / "reviews.json"
    rating = {"reviewRating": {"alternateName": "Mostly false"}}
    for day in ("2020-01-01", "2022-01-01", "2021-06-01"):
        file.write_text(json.dumps(REVIEW | rating | {"datePublished": day, "publisher": day}))
        assert import_claims([file], SILENT).added == 0
    (one,) = [one for one in read_checked(kept) if one.claim == READ.claim]
    assert (one.rating, one.date) == ("Mostly false", "2022-01-01")


def test_a_changed_byte_is_found(imported, kept, tmp_path):
    kept.write_bytes(kept.read_bytes().replace(b"False", b"Falsy", 1))
    with pytest.raises(InputError, match="its bytes have changed"):
        open_checked()
    with pytest.raises(InputError, match="delete it and make it again"):
        import_claims([tmp_path / "reviews.json"], SILENT)


def test_the_nearest_is_found_and_the_others_are_not(imported):
    assert list(open_checked()(LIKE)) == [READ]
    assert list(open_checked()("The school has 300 pupils.")) == []


def test_without_a_cross_encoder_a_claim_in_the_same_words_is_found():
    def embed(texts):
        rows = np.array([["ferry" in t, "Whales" in t, 0.01] for t in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    nearest = nearest_of([READ], embed, embed)
    assert list(nearest("The ferry is free.")) == [READ]
    assert list(nearest("Whales sing.")) == []
    sentences = ["Whales sing.", *["The ferry is free."] * 200]
    assert list(nearest.recognise(sentences)) == [None, *[READ] * 200]
    assert list(nearest_of([], embed).recognise(sentences)) == [None] * 201


@pytest.mark.parametrize(
    ("cosines", "logits", "shown"),
    [
        ((0.6, 0.57), None, 1),
        ((0.6, 0.6), None, 2),  # two publishers checked it: neither hides the other
        ((0.57, 0.5), None, 0),
        ((0.9, 0.7), None, 1),  # near, but far behind the best
        ((0.57, 0.57), (4.0, -9.0), 1),
        ((0.57, 0.57), (-9.0, -9.0), 0),
    ],
)
def test_a_claim_is_shown_by_its_cosine_its_logit_and_the_best_one(cosines, logits, shown):
    rows = {text: np.array([c, np.sqrt(1 - c**2)]) for text, c in zip("AB", cosines, strict=True)}

    def embed(texts):
        return np.array([rows.get(text, (1.0, 0.0)) for text in texts], np.float32)

    reads = (
        (lambda query, texts: np.array([logits["AB".index(t)] for t in texts])) if logits else None
    )
    claims = [CheckedClaim(text, "False") for text in "AB"]
    near = nearest_of(claims, embed, embed, reads)
    assert list(near("It rained.")) == claims[:shown]


def test_check_names_it_and_does_not_use_it(imported, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.txt").write_text("A ticket for the Lunde ferry costs 30 crowns.")
    checked = uhhrag.check(LIKE, docs, embedder=EMBEDDER, voter=agree, questions="template")
    (answer,) = checked.answers
    (before,) = answer["checked_before"]
    assert before["rating"] == "False"
    assert all("gazette" not in str(piece) for piece in answer["evidence"])
    shown = show_answer(answer)
    assert "Checked before: “The ferry of Lunde is free.” False, by The Gazette," in shown
