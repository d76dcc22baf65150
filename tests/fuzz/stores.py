"""Readers of what a user brings: stores, claims, gold, predictions, training files, templates."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from tests.fuzz.reader import Reader, filled, jsons, zipped
from tests.support.doubles import CLAIMS
from uhhrag.config import recipe
from uhhrag.errors import InputError
from uhhrag.formats import claim_reviews, convert, gold, submission, trec
from uhhrag.formats.submission import pair
from uhhrag.indexing import document_index
from uhhrag.prompts import few_shot, templates
from uhhrag.records import Claim, Label, Page, Source
from uhhrag.scores import ranking, six_point
from uhhrag.store import filters, knowledge_store
from uhhrag.store.passages import distinct_lines
from uhhrag.training import calibration as fit
from uhhrag.voters import calibration
from uhhrag.workflows.given import read_claims_of_any_kind

_PAGE = {"claim_id": "0", "type": "gold", "query": "?", "url": "https://a.example", "url2text": []}
_PAGES = (
    {**_PAGE, "url2text": ["A cat sat.", " ", "The mat is red."], "title": "Cats", "date": "2020"},
    {**_PAGE, "url2text": ["Dogs bark."], "pages": [3], "author": "Ann"},
    {**_PAGE, "url": "", "url2text": ["Hay."]},
)


def _store(folder: Path) -> object:
    pages = [
        page
        for page in knowledge_store.pages(folder, 0)
        if not isinstance(page, knowledge_store.Skipped)
    ]
    return [text.encode() for text in distinct_lines(pages).texts]


def _zipped_store(folder: Path) -> object:
    return _store(folder / "store.zip")


_ANSWER = {
    "answer": "Yes.",
    "answer_type": "Boolean",
    "boolean_explanation": "So.",
    "source_url": "u",
}
_QUESTIONS = [
    {"question": "Is it?", "answers": [_ANSWER]},
    {"question": "Who?", "answers": _ANSWER},
]
_CLAIMS = [
    {"claim": f"Claim {n}.", "claim_date": "1-2-2020", "speaker": None, "label": label}
    | {"questions": _QUESTIONS}
    for n, label in enumerate(Label)
]
_EVIDENCE = [{"question": "Is it?", "answer": "Yes.", "url": ["u", "v"], "urls": ["u"]}]
_PREDICTIONS = [
    {"claim_id": n, "claim": f"Claim {n}.", "pred_label": "Refuted", "evidence": _EVIDENCE}
    for n in range(2)
]
_CSV = (
    b"id,claim,evi,label,split\r\n"
    b'0,Claim 0.,"Who?\t\t\nShe.\t\t\n\nWhen?\t\t\nIn 2020.",Refuted,dev\r\n'
    b'1,"Claim ""1"".",,Supported,dev\r\n'
)


def _predictions(name: str) -> Callable[[Path], object]:
    """Read, pair with claims, and write in both formats."""

    def read(folder: Path) -> object:
        found = submission.read_predictions(folder / name)
        for ending in ("csv", "json"):
            convert.convert(folder / name, folder / f"out.{ending}", None, "dev")
        return pair([Claim(0, "Claim 0.")], found, name)

    return read


def _converted(folder: Path) -> object:
    claims = folder / "claims.json"
    return convert.convert(folder / "p.json", folder / "out.csv", claims, "dev")


# Templates, examples, calibrations, rankings, sites


def _prompts(folder: Path) -> object:
    loaded = templates.load_prompts(folder)
    return loaded("vote_constrained")(claim="Is $x ${y} so?", evidence="\x00$")


_CALIBRATION = [
    {"step": "s", "model": "m", "template": "t", "scale": 1.0, "bias": [0.1, -0.1]}
    | {"fitted_on": "train.json: 8 claims"}
]


def _calibration(folder: Path) -> object:
    found = calibration.find("m", "t", folder / "c.json")
    return found([-1.0] * max(1, len(found.bias)))


def _train(folder: Path) -> object:
    return few_shot.draw(folder / "train.json", 0)


def _known(folder: Path) -> object:
    file = folder / "train.json"
    found = fit.read_examples(file)
    labels = [Label.SUPPORTED, Label.REFUTED]
    drawn = fit.sample(file, found, labels, 8, 0)
    return [e.claim.text.strip() for e in drawn], fit.shares(found, labels)


_KNOWN = [
    {"claim": "C.", "label": label, "evidence": [{"question": "Q?", "answer": "A."}]}
    for label in ("Supported", "Refuted")
]
_TRAIN = [
    {"claim": f"C{n}.", "questions": [{"question": "Q?", "answers": [{"answer": "A b."}]}] * n}
    for n in range(1, 5)
]
_RANKING = b"0 Q0 p1 1 2.5 t\n0 Q0 p2 2 1e-3 t\n1 Q0 p1 1 0 t\n"
_QRELS = jsons(
    {"claim_id": 0, "real": [{"sentence": "A.", "systems": ["x", "y"]}, {"sentence": "B."}]},
    {"claim_id": "1", "real": []},
)


def _ranking(folder: Path) -> object:
    return ranking.as_text(ranking.as_json(trec.read_runs(folder / "r.trec"), {0: {"p1": 1}}))


_ROWS = jsons({"claim": "It rained.", "date": "2020-10-31"}, {"text": "Hay.", "speaker": "Ann"})
_TABLE = b'claim,date,speaker\r\n"It rained, ""they say"".",2020-10-31,Ann\r\nHay.,,\r\n'
_SIX = jsons([{"claim": "A.", "label": "half-true"}, {"claim": "B.", "label": "True"}])


def _own(name: str) -> Callable[[Path], object]:
    return lambda folder: [c.text.encode() for c in read_claims_of_any_kind(folder / name)]


def _document_index(folder: Path) -> object:
    pages = [p for p in knowledge_store.pages(folder / "s.jsonl", 0) if isinstance(p, Page)]
    found = document_index.index_documents(dict(enumerate(pages)), "")
    return found.sources, [passage.text.encode() for passage in found.passages]


def _six(folder: Path) -> object:
    return six_point.read_gold(folder / "g.json")


_RECIPE = b"""
approach = "pursuit"
top_n = 3
undated = false
[set]
questions = 2
temperature = 0.7
late = true
[models]
llm = "smollm2-135m"
"""


def _recipe(folder: Path) -> object:
    found = recipe.read_recipe(str(folder / "r.toml"))
    return recipe.words_of(found.set), found.values()


def _limits(folder: Path) -> object:
    found = filters.read_limits(None, folder / "sites.txt", undated=False)
    page = Source("https://web.archive.org/web/2020/https://a.example/2020/10/x", date="1-2-2020")
    return filters.removes(found, CLAIMS[0])(page), str(found)


_REVIEW = {
    "@type": "ClaimReview",
    "claimReviewed": "Claim 0.",
    "author": {"name": "A", "worksFor": {"name": "B"}},
    "datePublished": "2020-01-02",
    "itemReviewed": {"author": {"name": "C"}},
    "reviewRating": {"ratingValue": 1, "bestRating": 5, "alternateName": "False"},
}
_TOOLS = {"claims": [{"text": "Claim 0.", "claimReview": [{"textualRating": "False"}]}]}


def _reviews(folder: Path) -> object:
    """As JSON-LD, as a page, and as a table."""
    text = (folder / "r.json").read_bytes().decode("utf-8", "replace")
    found = claim_reviews.read_reviews(text, "r.json", ".json")
    page = f'<script type="application/ld+json">{text}</script>'
    for ending, content in ((".html", page), (".csv", f"claim,rating\n{text}")):
        with suppress(InputError):
            found += claim_reviews.read_reviews(content, "r", ending)
    return [one.told.encode() for one in found]


def _checked(folder: Path) -> object:
    return claim_reviews.read_checked(folder / "checked.jsonl")


def _checked_sum(content: bytes) -> bytes:
    """The first line with the hash of the others."""
    body = content.partition(b"\n")[2]
    head = {"uhhrag": "checked claims", "sha256": hashlib.sha256(body).hexdigest()}
    return json.dumps(head).encode() + b"\n" + body


STORES = (
    Reader("reviews of claims, JSON-LD", "r.json", (jsons(_REVIEW), jsons(_TOOLS)), _reviews),
    Reader(
        "checked claims, hash made right",
        "checked.jsonl",
        (_checked_sum(b"\n" + jsons({"claim": "Claim 0.", "rating": "False"}) + b"\n"),),
        _checked,
        with_checksums=_checked_sum,
    ),
    Reader(
        "store file, JSON lines",
        "0.json",
        (jsons(*_PAGES), b"\xef\xbb\xbf" + jsons(*_PAGES)),
        _store,
    ),
    Reader("store file, one JSON list", "0.json", (jsons(list(_PAGES)),), _store),
    Reader(
        "store zip",
        "store.zip",
        (
            zipped({"0.json": jsons(*_PAGES)}),
            zipped({"d/0.json": jsons(*_PAGES), "d/1.json": b"x"}),
        ),
        _zipped_store,
    ),
    Reader("claims", "c.json", (jsons(_CLAIMS),), lambda f: gold.read_claims(f / "c.json")),
    Reader("gold", "g.json", (jsons(_CLAIMS),), lambda f: gold.read_gold(f / "g.json")),
    Reader("predictions, JSON", "p.json", (jsons(_PREDICTIONS),), _predictions("p.json")),
    Reader(
        "predictions, CSV of 2025", "p.csv", (_CSV, b"\xef\xbb\xbf" + _CSV), _predictions("p.csv")
    ),
    Reader(
        "claims, for convert",
        "claims.json",
        (jsons(_CLAIMS),),
        _converted,
        filled({"p.json": jsons(_PREDICTIONS)}),
    ),
    Reader(
        "prompt template",
        "vote_constrained.txt",
        (b"Claim: $claim\nEvidence: ${evidence}\nIt costs $$5.\n",),
        _prompts,
    ),
    Reader("calibration", "c.json", (jsons(_CALIBRATION),), _calibration),
    Reader("training file, for examples", "train.json", (jsons(_TRAIN),), _train),
    Reader("training file, for calibrate", "train.json", (jsons(_KNOWN),), _known),
    Reader("TREC run", "r.trec", (_RANKING,), _ranking),
    Reader(
        "TREC qrels",
        "q.txt",
        (b"0 0 p1 1\n1 0 p2 0\n",),
        lambda f: trec.read_qrels(f / "q.txt"),
    ),
    Reader("qrels, JSON lines", "q.jsonl", (_QRELS,), lambda f: trec.read_qrels(f / "q.jsonl")),
    Reader("own claims, JSON lines", "c.jsonl", (_ROWS,), _own("c.jsonl")),
    Reader("own claims, CSV", "c.csv", (_TABLE,), _own("c.csv")),
    Reader("own claims, lines", "c.txt", (b"It rained.\n\n  Nobody slept.\n",), _own("c.txt")),
    Reader("own documents' store", "s.jsonl", (jsons(*_PAGES),), _document_index),
    Reader("gold on the scale of six", "g.json", (_SIX,), _six),
    Reader("recipe", "r.toml", (_RECIPE,), _recipe),
    Reader("sites left out", "sites.txt", (b"a.example # x\n*.b.example/*\n[!a]*\n",), _limits),
)
