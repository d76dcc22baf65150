"""HTML pages, by templates that escape all values."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from uhhrag.defaults import UNCLEAR_BELOW
from uhhrag.documents.changed import scans_note
from uhhrag.documents.listing import display_path
from uhhrag.evidence.steps import constant_question
from uhhrag.evidence.unusable import unusable_questions
from uhhrag.records import Label
from uhhrag.rules.label_words import KINDS, SHORT, WORDS, counted
from uhhrag.scores import ev2r_report
from uhhrag.scores.score_report import NO_LABEL, confusion, signature, warnings_of
from uhhrag.system.checksummed_json import digest
from uhhrag.system.terminal import quantity
from uhhrag.text.dates import original, site, written
from uhhrag.text.language import claim_note, documents_note, other_language
from uhhrag.text.machine_speech import MACHINE_SPEECH, speaks_to_machine
from uhhrag.text.repetition import echo_of
from uhhrag.version import __version__
from uhhrag.views import answer, html_text, votes
from uhhrag.views.claim_row import row_of
from uhhrag.views.claim_summary import ONLY_SPEAKER, near_even, summary_of
from uhhrag.views.counted import STAGE_WORDS, confidence_words, header_text
from uhhrag.views.review import PieceSide, side_of
from uhhrag.views.run_view import (
    RunView,
    annotated,
    decided,
    draft_cautions,
    order_words,
    unchecked,
)
from uhhrag.views.searched import NOT_RECORDED, limits_told

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parent
ASSETS = frozenset(path.name for path in (_FOLDER / "assets").iterdir())
_SHOWN = ("Q", "Q+A", "veracity@0.25", "accuracy", "f1_macro")
_FUNCTIONS: tuple[Any, ...] = (
    *(annotated, decided, draft_cautions, unchecked, row_of, summary_of, header_text),
    *(confidence_words, claim_note, documents_note, scans_note, other_language),
    *(votes.lean, votes.options, votes.stacked, votes.before_calibration, html_text.marked),
    *(quantity, counted, speaks_to_machine, near_even, limits_told, side_of, constant_question),
    *(answer.name_before, answer.sources_of, echo_of, order_words),
)


def asset(name: str) -> str:
    return (_FOLDER / "assets" / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """An undefined name is an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    templates = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=lambda value: html_text.clean(value) if type(value) is str else value,
    )
    templates.filters |= {
        "link": html_text.link,
        "site": site,
        "archived": lambda url: original(url) != url,
        "address": html_text.address,
        "named": display_path,
        "digest": digest,
        "written": written,
    }
    templates.globals |= {function.__name__: function for function in _FUNCTIONS}
    templates.globals |= {
        "DATED_BY": answer.DATED_BY,
        "KINDS": KINDS,
        "MACHINE_SPEECH": MACHINE_SPEECH,
        "NOT_RECORDED": NOT_RECORDED,
        "Label": Label,
        "ONLY_SPEAKER": ONLY_SPEAKER,
        "PieceSide": PieceSide,
        "COMPARED": answer.COMPARED,
        "NO_SIDE": answer.NO_SIDE,
        "STAGE_WORDS": STAGE_WORDS,
        "UNCLEAR_BELOW": UNCLEAR_BELOW,
        "WORDS": WORDS,
        "unasked": votes.is_unasked,
        "unasked_as": votes.unasked_as,
        "source_line_of": lambda source: answer.source_line(answer.source_fields(source)),
        "version": __version__,
    }
    return templates


def report(run: RunView) -> str:
    style, script = asset("style.css"), asset("highlight.js") + asset("report.js")
    parts = {"style": style, "script": script, "policy": policy(style, script)}
    template = environment().get_template("report.html")
    verdicts = (view.verdict for view in run.claims if view.verdict)
    parts["unusable"] = unusable_questions(verdicts)
    return template.render(run=run, scores=scores_of(run), judged=judged_of(run), **parts)


def policy(style: str, script: str) -> str:
    """A Content-Security-Policy for this style and script alone."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def scores_of(run: RunView) -> dict[str, object] | None:
    if run.report is None:
        return None
    report = run.report
    means, intervals = report.means(), report.intervals()
    table = confusion(report.scores)
    heads = [SHORT[label] for label in Label]
    if NO_LABEL in table[Label.REFUTED.value]:
        heads.append("none")
    return {
        "gold": Path(report.gold).name,
        "claims": len(report.scores),
        "rows": [(name, means[name], *intervals[name]) for name in _SHOWN],
        "warnings": warnings_of(report),
        "heads": heads,
        "confusion": {WORDS[Label(g)]: list(row.values()) for g, row in table.items()},
        "intervals": report.bootstrap.described(len(report.scores)),
        "signature": signature(report.language),
    }


def judged_of(run: RunView) -> dict[str, object] | None:
    if run.judged is None:
        return None
    means, intervals = run.judged.means(), run.judged.intervals()
    shown = [name for name in means if name != "accuracy"]  # it stands among the other scores
    return {
        "judge": str(run.judged.judge),
        "rows": [(name, means[name], intervals[name]) for name in shown],
        "warnings": ev2r_report.warnings_of(run.judged),
        "signature": ev2r_report.signature(run.judged.judge),
    }
