"""`uhhrag serve`: check claims and review verdicts in a browser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag.config import DEFAULT_LLM, Settings

if TYPE_CHECKING:
    from uhhrag.html.account import Account
    from uhhrag.predict import Method
    from uhhrag.serve.grounds import CorpusFor, Ground


def serve(
    what: Annotated[
        Path | None,
        typer.Argument(metavar="RUN_OR_INDEX", help="A run to review, or an index to check by."),
    ] = None,
    index: Annotated[Path | None, typer.Option(help="An index to check claims against.")] = None,
    llm: Annotated[
        str, typer.Option(help="A model's name (uhhrag models list) or a .gguf file.")
    ] = DEFAULT_LLM,
    host: Annotated[
        str, typer.Option(help="Where to listen; anything but this machine needs --token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0 takes a free one.")] = 8300,
    token: Annotated[
        str, typer.Option(envvar="UHHRAG_TOKEN", help="What a visitor must know; 16 characters.")
    ] = "",
    desk: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where claims and reviews are kept."),
    ] = None,
    reviewer: Annotated[
        str, typer.Option(help="Whose reviews they are, in ClaimReview.")
    ] = "A reviewer using uhhrag",
) -> None:
    """Serve a page on this machine alone: ask claims, see votes come, review, export."""
    from uhhrag.serve import desk as desks
    from uhhrag.serve import guard, server
    from uhhrag.serve.app import Office
    from uhhrag.serve.queue import Queue

    guard.check_door(host, token)
    read, home, index = _subject(what, index)
    grounds = _grounds(index, Settings(llm=llm)) if index else {}
    with desks.open_desk(desk or home / desks.FILE) as opened:
        listening = server.listen(host, port)
        number = listening.getsockname()[1]
        queue = Queue(opened, grounds)
        door = guard.Door(host, number, token)
        office = Office(opened, queue, grounds, read, door, reviewer)
        name = f"[{host}]" if ":" in host else host
        server.serve(office, listening, lambda: typer.echo(f"http://{name}:{number}/"))


def _subject(
    what: Path | None, index: Path | None
) -> tuple[Callable[[], Account], Path, Path | None]:
    """What gives the run that is shown, the folder the desk is kept in, and the index."""
    from uhhrag.errors import UsageError
    from uhhrag.html.account import Account
    from uhhrag.index import MANIFEST
    from uhhrag.serve.reading import follow

    if what is not None and (what / MANIFEST).exists():
        what, index = None, what
    if what is not None:
        return follow(what), what, index
    if index is None:
        raise UsageError("nothing to serve: name a run folder, or an index to check claims against")
    nothing = Account(index.resolve().name, {}, ())
    return (lambda: nothing), index, index


def _grounds(index: Path, settings: Settings) -> Mapping[str, Ground]:
    from functools import cache

    from uhhrag import wiring
    from uhhrag.index import open_index
    from uhhrag.serve import grounds

    @cache
    def load() -> tuple[CorpusFor, Method]:
        wired = wiring.wire(settings, wiring.Machine(), index, cache=True)
        return wired.corpus_for, wired.method

    return grounds.of_index(index.resolve().name, open_index(index).claims, load)
