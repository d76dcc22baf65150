from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Annotated, Any

import typer

from uhhrag.cli.options import OBSERVER, ClaimsFile, decides_claims, takes, warn
from uhhrag.errors import UsageError
from uhhrag.system.terminal import printable
from uhhrag.views import answer as answers
from uhhrag.views import verdict_text
from uhhrag.workflows import article as articles
from uhhrag.workflows import check as workflow
from uhhrag.workflows import gathered as sources
from uhhrag.workflows import given as spelt
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.tasks import CheckTask


@decides_claims
@takes(CheckTask)
def check(
    chosen: Chosen,
    given: dict[str, Any],
    docs: Annotated[
        str,
        typer.Option(
            metavar="FOLDER",
            help="Your documents, what ingest made of them, or an index of OpenSearch: "
            "http://127.0.0.1:9200/INDEX.",
        ),
    ],
    claim: list[str] | None = typer.Argument(None, metavar="CLAIM", help="The claim, in quotes."),
    claims: ClaimsFile = None,
    article: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="A draft, whose claims are spotted and checked: text, HTML, DOCX, PDF.",
    ),
    html: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="The page of --article with its verdicts. Default: report.html in the run folder.",
    ),
    date: str | None = typer.Option(None, help="When the claim was made: YYYY-MM-DD."),
    speaker: str | None = typer.Option(None, help="Who made the claim."),
    as_json: bool = typer.Option(
        False, "--json", help="For scripts: one JSON object per claim, each on one line."
    ),
) -> None:
    """Check a claim against a folder of documents. Only new and changed files are read."""
    if article is None and html is not None:
        raise UsageError(f"--html {html} is the page of a draft; give it by --article")
    if not (claim or claims or article):
        ways = "--claims FILE (- for standard input), or a draft: --article FILE"
        raise UsageError(f"give one claim in quotes, {ways}")
    if article is not None and (claim or claims):
        raise UsageError("--article has its own claims; leave out the others, or --article")
    draft = articles.open_draft(article, date, speaker) if article else None
    task = CheckTask(
        claims=() if draft else spelt.given_claims(claim or (), claims, date, speaker, OBSERVER),
        docs=sources.named(docs, chosen),
        own=tuple(file for file in (claims, article) if file),
        **given,
    )
    if draft:
        warn(articles.spotted(draft))
        result, page = articles.check_draft(draft, task, html, chosen, OBSERVER)
    else:
        result = workflow.check(task, chosen, OBSERVER)
    several = len(result.answers) > 1
    for number, answer in enumerate(result.answers, start=1):
        if as_json:
            typer.echo(json.dumps(answer, ensure_ascii=False))
        else:
            shown = answers.show_answer(answer, number if several else 0)
            typer.echo("\n" * (number > 1) + shown)
    if several and not as_json:
        typer.echo("\n" + answers.show_searched(result.answers))
        typer.echo("\n" + verdict_text.overview(result.answers))
    if draft and not as_json and (left := verdict_text.left_out(draft)):
        typer.echo("\n" + left)
    if draft:
        warn(f"The draft with its verdicts: {printable(str(page.file))}")
    elif not as_json:
        warn(f"To read it as a page: uhhrag report {printable(shlex.quote(str(result.folder)))}")
    result.require_all()
