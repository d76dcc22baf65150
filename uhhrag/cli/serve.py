from __future__ import annotations

from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any

import typer

from uhhrag.cli.options import OBSERVER, decides_claims, takes, warn
from uhhrag.exports import claim_review
from uhhrag.serve import access as accesses
from uhhrag.serve import app as pages
from uhhrag.serve import database, server, worker
from uhhrag.system.extras import require_extra
from uhhrag.wiring import checked_claims
from uhhrag.workflows import serve as workflow
from uhhrag.workflows.method import Chosen
from uhhrag.workflows.tasks import ServeTask


@decides_claims
@takes(ServeTask)
def serve(
    chosen: Chosen,
    given: dict[str, Any],
    what: Path | None = typer.Argument(
        None, metavar="RUN_OR_INDEX", help="A run to review, or an index to check against."
    ),
    browser: bool = typer.Option(
        True, "--browser/--no-browser", help="Open the browser, where nothing else is served."
    ),
    host: str = typer.Option(
        "127.0.0.1", help="Address to listen on; one that others can reach needs --token."
    ),
    port: int = typer.Option(8300, min=0, max=65535, help="Port to listen on; 0 takes a free one."),
    address: str = typer.Option(
        "",
        metavar="URL",
        envvar="UHHRAG_ADDRESS",
        help="What browsers open, where a proxy or another name leads here.",
    ),
    token: str = typer.Option(
        "", envvar="UHHRAG_TOKEN", help="Password of the pages; at least 16 characters."
    ),
    desk: Path | None = typer.Option(
        None,
        metavar="FILE",
        help="File for claims and reviews. Default: desk.sqlite in the served folder.",
    ),
    reviewer: str = typer.Option("", help="Organization of the reviewers in ClaimReview."),
    reviewer_url: str = typer.Option(
        "", metavar="URL", help="The organization's web address in ClaimReview."
    ),
    publish_base: str = typer.Option(
        "", metavar="URL", help="Web address below which reviews are published, for ClaimReview."
    ),
) -> None:
    """Open pages in your browser: check claims, watch the votes, review, export.

    Without a run, an index or --docs, they begin with a welcome page: documents are given there."""
    require_extra("serve", ("starlette", "uvicorn", "python_multipart"), "pages on this machine")
    origin = accesses.origin_of(address)
    accesses.check_access(host, token, origin)
    for option, url in (("--reviewer-url", reviewer_url), ("--publish-base", publish_base)):
        claim_review.require_web(option, url)
    listening = server.listen(host, port)  # first, since reading documents can take long
    subject = workflow.subject_of(ServeTask(what=what, **given), chosen, OBSERVER)
    with closing(listening), database.open_database(desk or subject.home / database.FILE) as opened:
        access = accesses.Access(host, listening.getsockname()[1], token, origin)
        queue = worker.Queue(opened, lambda: subject.targets)
        app = pages.App(
            database=opened,
            queue=queue,
            access=access,
            publisher=claim_review.Publisher(reviewer, reviewer_url, publish_base),
            checked_before=checked_claims.open_checked(),
            stays=access.only_here and not chosen.machine.allow_remote,
            **{one.name: getattr(subject, one.name) for one in fields(subject)},
        )

        def ready() -> None:
            for warning in subject.warnings:
                warn(warning)
            elsewhere = access.everywhere and not origin
            also = "; on another machine, write this one's name for localhost" if elsewhere else ""
            typer.echo(f"{access.address} (stop it by Ctrl-C{also})")
            if browser and subject.library and what is None:
                server.open_page(access.address)

        server.serve(app, listening, ready)
