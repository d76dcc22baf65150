from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from uhhrag.documents.listing import display_path
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.records import Evidence, Label, Source, Verdict, Vote
from uhhrag.records.pages import TAKEN_BACK
from uhhrag.system.terminal import printable, quantity, wrapped
from uhhrag.text.characters import one_line
from uhhrag.text.dates import OF_FILE, dated, written
from uhhrag.text.language import claim_note, documents_note, other_language
from uhhrag.text.machine_speech import speaks_to_machine
from uhhrag.text.repetition import has_quotation, repeats
from uhhrag.version import __version__
from uhhrag.views.claim_summary import NEAR_EVEN, verdict_sentence
from uhhrag.views.html_text import marked
from uhhrag.views.review import Reviewed
from uhhrag.views.run_view import ClaimView
from uhhrag.views.searched import Documents, not_found, unread_notes
from uhhrag.views.votes import before_calibration, probability_of, vote_words

COMPARED = "Figures compared"
NO_SIDE = {"quoted": "No side: quoted words", "taken back": "No side: it takes itself back"}
CLAIM_SCHEMA = Path(__file__).with_name("claim.schema.json")
"""JSON schema of a claim in all outputs."""
_BESIDE = 160
DATED_BY = {
    "url": "by its address",
    "name": "by its file's name",
    "text": "by its first lines",
    "capture": "when it was captured",
}
"""Words for a date that the page does not state."""
_OF_SOURCE = (
    *("url", "title", "site", "author", "quoted", "by", "note", "date", "dated_by"),
    *("page", "place", "section", "ocr", "file"),
)


def answer_of(
    view: ClaimView,
    header: Mapping[str, Any],
    documents: Documents | None,
    checked_before: Sequence[CheckedClaim] = (),
) -> dict[str, Any]:
    """Fields are in docs/own-documents.md. `documents` is None if not recorded."""
    claim, verdict = view.claim, view.verdict
    answer: dict[str, Any] = {"claim_id": claim.id, "given_id": claim.given_id or None}
    answer |= {"claim": claim.text, "date": claim.date}
    answer |= {"speaker": claim.speaker, "language": other_language(claim.text) or None}
    if verdict is None:
        answer |= verdict_fields(view) | {"error": view.error}
    else:
        answer |= verdict_fields(view) | {"summary": verdict_sentence(view)}
        answer["reading"] = {str(k): share for k, share in verdict.reading.items()} or None
        answer |= reasons_of(verdict, claim.text)
        answer["not_found"] = not_found(verdict, documents)
        answer["removed"] = dict(verdict.removed)
    answer["checked_before"] = [asdict(one) for one in checked_before]
    answer["documents"] = asdict(documents) if documents else None
    answer["signature"] = header["signature"] or None
    answer["uhhrag"] = __version__
    return answer


def verdict_fields(view: Reviewed) -> dict[str, Any]:
    """The machine's; see claim.schema.json."""
    leans, label = view.leans, view.field_label
    return {
        "status": view.status,
        "label": str(label) if label else None,
        "leans": str(leans) if leans else None,
        "confidence": view.confidence,
        "verdict": view.verdict_text or None,
    }


def reasons_of(verdict: Verdict, claim: str) -> dict[str, list[dict[str, Any]]]:
    """Votes on all pieces, and pieces with their own."""
    per_piece = verdict.vote_per_piece
    votes = verdict.votes if per_piece else (None,) * len(verdict.evidence)
    pieces = zip(verdict.evidence, votes, strict=True)
    return {
        "votes": [] if per_piece else list(map(_vote_fields, verdict.votes)),
        "evidence": [piece_of(item, claim, vote) for item, vote in pieces],
    }


def _vote_fields(vote: Vote) -> dict[str, Any]:
    before = before_calibration(vote)
    return {
        "label": str(vote.label),
        "probability": vote.probability,
        "before_calibration": {"label": before[0], "probability": before[1]} if before else None,
        "origin": str(vote.origin),
        "says_nothing": vote.says_nothing,
    }


def piece_of(item: Evidence, claim: str, vote: Vote | None) -> dict[str, Any]:
    return {
        "vote": _vote_fields(vote) | {"probability": probability_of(item, vote)} if vote else None,
        "question": item.question,
        "sentence": item.found,
        "compared": "".join(item.compared),
        "text": item.answer,
        "context": item.context,
        **({"at": item.at} if item.at else {}),
        "similarity": item.retrieval_score,
        "repeats_claim": repeats(item.found, claim),
        "speaks_to_machine": speaks_to_machine(item.found),
        "sources": _sources(item),
    }


def _sources(item: Evidence) -> list[dict[str, Any]]:
    sources = item.sources or tuple(map(Source, item.urls))
    placed = item.places if len(item.places) == len(sources) else (None,) * len(sources)
    return [
        source_fields(source) | {"document": place and place.document, "line": place and place.line}
        for source, place in zip(sources, placed, strict=True)
    ]


def sources_of(item: Evidence) -> list[Source]:
    """By address."""
    known = {source.url: source for source in item.sources}
    return [known.get(url, Source(url)) for url in item.urls]


def source_fields(source: Source) -> dict[str, Any]:
    source = dated(source)
    fields = {name: getattr(source, name) for name in _OF_SOURCE}
    return fields | {"file": display_path(source.file)}


def show_answer(answer: Mapping[str, Any], number: int = 0) -> str:
    """In 80 columns, the found sentence in « » if more was read. In a list, a claim has a `number`,
    silent pieces take a line, and `show_searched` tells what was searched."""
    claim = said_by(answer["claim"], answer.get("speaker"), answer.get("date"))
    head = f"Claim {number}{id_beside(number, answer)}: " if number else "Claim: "
    lines = [wrapped(claim, head, 9)]
    before = answer.get("checked_before", ())
    lines += [wrapped(told_before(one), "Checked before: ", 4) for one in before]
    if "error" in answer:
        return "\n".join([*lines, wrapped(answer["error"], "  no verdict: ", 4)])
    lines += ["", wrapped(answer["summary"], "")]
    if note := claim_note(answer["claim"]):
        lines.append(wrapped(note, ""))
    if reading := answer.get("reading"):
        shares = ", ".join(f"{label} {share:.2f}" for label, share in reading.items())
        lines.append(wrapped(f"The language model reads all of it as: {shares}", "", 2))
    # A template asks the same question for every piece, which tells a reader nothing.
    asked = "|questions:template|" not in answer.get("signature", "")
    for at, piece in enumerate(answer["evidence"], start=1):
        shown = _shown(at, piece, answer["claim"], asked=asked, brief=bool(number))
        joined = len(shown) == 1 and lines[-1].startswith(f"{at - 1:>3}. ")
        lines += [*([] if joined else [""]), *shown]
    once = () if not number else unread_notes(Documents(**answer["documents"]))
    if missing := [text for text in answer["not_found"] if text not in once]:
        lines += ["", *_listed("Not found:", missing)]
    return "\n".join([*lines, *([] if number else ["", *_searched([answer])])])


def id_beside(number: int, answer: Mapping[str, Any]) -> str:
    """
    >>> id_beside(1, {"given_id": "Q7"}), id_beside(1, {"given_id": "1"})
    (' (Q7)', '')
    """
    given = answer.get("given_id") or ""
    return f" ({printable(given)})" if given not in ("", str(number)) else ""


def said_by(claim: str, speaker: str | None, date: str | None) -> str:
    said = ", ".join(filter(None, [speaker, date and written(date)]))
    return f"{claim} ({said})" if said else claim


def show_searched(answers: Sequence[Mapping[str, Any]]) -> str:
    unread = unread_notes(Documents(**answers[0]["documents"]))
    return "\n".join(
        [*([*_listed("Not read:", unread), ""] if unread else []), *_searched(answers)]
    )


def _listed(head: str, texts: Sequence[str]) -> list[str]:
    return [head, *(wrapped(text, "  - ", 4) for text in texts)]


def _searched(answers: Sequence[Mapping[str, Any]]) -> list[str]:
    about = answers[0]["documents"]
    size = (
        f"{quantity(about['sentences'], 'sentence')} of {quantity(about['documents'], 'document')}"
    )
    less = ", less what was left out" if any(one.get("removed") for one in answers) else ""
    other = documents_note(about.get("languages", {}))
    return [f"Checked against {size}{less}.", *([wrapped(other, "")] if other else [])]


def told_before(checked: Mapping[str, str]) -> str:
    one = CheckedClaim(**checked)
    return f"“{one.claim}” {one.told}" + (f" · {one.url}" if one.url else "")


def _shown(
    number: int, piece: Mapping[str, Any], claim: str, *, asked: bool, brief: bool = False
) -> list[str]:
    """If `brief`, a piece that surely says nothing takes one line."""
    vote = piece["vote"]
    back = [TAKEN_BACK in source["note"] for source in piece["sources"]]
    own = [it["quoted"] is None and not b for it, b in zip(piece["sources"], back, strict=True)]
    unasked = "" if any(own) or not own else "taken back" if all(back) else "quoted"
    vote_text = _vote_text(vote, unasked) if vote else ""
    if brief and vote and vote["says_nothing"] and (vote["probability"] or 1.0) >= NEAR_EVEN:
        named = ((name_before(one["place"], one["url"]), one["place"]) for one in piece["sources"])
        place = ", ".join(filter(None, next(named, ())))
        return [wrapped(f"{vote_text} · {place}", f"{number:>3}. ", 1)]
    near = f"similarity {piece['similarity']:.2f}"
    quoted = (
        "has the words that the claim quotes" if has_quotation(piece["sentence"], claim) else ""
    )
    repeated = "repeats the claim" if piece["repeats_claim"] else quoted
    spoken = "speaks to a machine" if piece["speaks_to_machine"] else ""
    head = " · ".join(part for part in (vote_text, near, repeated, spoken) if part)
    lines = [wrapped(head, f"{number:>3}. ")]
    lines += [wrapped(piece["question"], "     Q: ", 3)] if asked else []
    lines.append(wrapped(_marked(piece), "     A: " if asked else "     ", 9))
    lines += [wrapped(piece["compared"], f"     {COMPARED}: ", 9)] if piece.get("compared") else []
    lines += [wrapped(source_line(source), "     ", 3) for source in piece["sources"][:2]]
    if len(piece["sources"]) > 2:
        lines.append(f"     and {len(piece['sources']) - 2} more")
    return lines


def _vote_text(vote: Mapping[str, Any], unasked: str) -> str:
    label, silent, before = (vote[name] for name in ("label", "says_nothing", "before_calibration"))
    if unasked and silent and label == Label.NOT_ENOUGH:
        return NO_SIDE[unasked]
    changed = f" ({before['label']} {before['probability']:.2f} uncalibrated)" if before else ""
    even = (sure := vote["probability"]) is not None and sure < NEAR_EVEN
    return vote_words(label, sure, silent=silent, even=even).capitalize() + changed


def _marked(piece: Mapping[str, Any]) -> str:
    text, sentence = piece["text"], piece["sentence"]
    among = (piece["context"], piece.get("at", 0)) if text.count(sentence) > 1 else (text, 0)
    shown = marked(sentence, among[0], _BESIDE, among[1])
    if not shown.before and not shown.after:
        return str(text)
    return f"{shown.before}«{sentence}»{shown.after}"


def day_of(source: Mapping[str, Any]) -> str:
    if not source["date"]:
        return ""
    made = "file made " if source["dated_by"] == OF_FILE else ""
    how = DATED_BY.get(source["dated_by"], "")
    return f"{made}{written(source['date'])} {how}".rstrip()


def name_before(place: str, url: str) -> str:
    """The address, or a user's file without the part that its place names.

    >>> name_before("sheet Costs, row 4", "file:a.zip#b.xlsx#Costs")
    'a.zip#b.xlsx'
    >>> name_before("row 4", "file:a.zip#b%20c.csv")
    'a.zip#b c.csv'
    """
    if not url.startswith("file:"):
        return url
    whole, _, _ = url.rpartition("#")
    return display_path(whole if ", " in place and whole else url)


def source_line(source: Mapping[str, Any]) -> str:
    url, own = source["url"], source["url"].startswith("file:")
    name = name_before(source["place"], url)
    file = f"in {source['file']}" if source["file"] and not own else ""
    place = f", {source['place']}" if source["place"] else ""
    section = f", under “{source['section']}”" if source["section"] else ""
    ocr = "" if source["ocr"] is None else f"read by OCR, {source['ocr']} % sure"
    site = "" if source["site"] in url else source["site"]
    title = "" if f" {source['title']}, " in source["place"] else source["title"]
    about = (title, site, source["by"], day_of(source), source["note"])
    parts = (f"{name}{place}{section}", file, ocr, *about)
    return one_line(" · ".join(part for part in parts if part))
