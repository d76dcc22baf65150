"""Records → pages, through templates that escape whatever is put into them."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from uhhrag import __version__
from uhhrag.documents.survey import named
from uhhrag.records import Label
from uhhrag.scores.score_report import NO_LABEL, SHORT, confusion, signature, warnings_of
from uhhrag.text.dates import site
from uhhrag.views import charts, html_text
from uhhrag.views.run_view import RunView, said

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parent
KINDS = {
    Label.SUPPORTED: "supported",
    Label.REFUTED: "refuted",
    Label.NOT_ENOUGH: "unknown",
    Label.CONFLICTING: "mixed",
}
"""What a label is called in class names and filters."""
_SHOWN = ("Q", "Q+A", "veracity@0.25", "accuracy", "f1_macro")


def asset(name: str) -> str:
    """A style sheet or script that the pages bring."""
    return (_FOLDER / "assets" / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The templates, every value escaped, every name that is not there an error."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(_FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=_finalize,
    )
    made.filters |= {
        "link": html_text.link,
        "site": site,
        "archived": html_text.archived,
        "address": html_text.address,
        "named": named,
    }
    made.globals |= {
        "KINDS": KINDS,
        "Label": Label,
        "WORDS": charts.WORDS,
        "by_url": lambda sources: {source.url: source for source in sources},
        "counted": charts.counted,
        "leans": charts.leans,
        "marked": html_text.marked,
        "options": charts.options,
        "said": said,
        "stacked": charts.stacked,
        "version": __version__,
    }
    return made


def _finalize(value: object) -> object:
    """What is printed into a page: text without control characters."""
    return html_text.clean(value) if type(value) is str else value


def report(run: RunView) -> str:
    """The whole run as one page that needs nothing else, and asks for nothing."""
    style, script = asset("style.css"), asset("report.js")
    return (
        environment()
        .get_template("report.html")
        .render(
            run=run,
            policy=policy(style, script),
            style=style,
            script=script,
            scores=scores_of(run),
        )
    )


def policy(style: str, script: str) -> str:
    """A content security policy that allows this style and this script, and nothing else."""
    return (
        f"default-src 'none'; style-src '{_hash(style)}'; script-src '{_hash(script)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def scores_of(run: RunView) -> dict[str, object] | None:
    """What the page says of the scores; None where there is no gold."""
    if run.report is None:
        return None
    made = run.report
    means, intervals = made.means(), made.intervals()
    table = confusion(made.scores)
    heads = [SHORT[label] for label in Label]
    if NO_LABEL in table[Label.REFUTED.value]:
        heads.append("none")
    return {
        "gold": Path(made.gold).name,
        "claims": len(made.scores),
        "rows": [(name, means[name], *intervals[name]) for name in _SHOWN],
        "beware": warnings_of(made),
        "heads": heads,
        "confusion": {charts.WORDS[Label(g)]: list(row.values()) for g, row in table.items()},
        "intervals": made.bootstrap.described(len(made.scores)),
        "signature": signature(made.language),
    }
