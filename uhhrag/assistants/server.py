from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError
from contextlib import closing
from functools import partial
from socket import socket
from typing import Any
from urllib.parse import quote, unquote

import anyio
import jsonschema
import mcp_types as types
import uvicorn
from anyio import from_thread, lowlevel, to_thread
from mcp import MCPError
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from uhhrag.assistants.tools import INSTRUCTIONS, TOOLS, marked, require_tool
from uhhrag.documents.listing import display_path
from uhhrag.errors import UhhragError
from uhhrag.serve.access import Access, Guard
from uhhrag.serve.responses import number_in
from uhhrag.serve.server import config_of
from uhhrag.system.terminal import printable
from uhhrag.version import __version__
from uhhrag.workflows import answering
from uhhrag.workflows.answering import Archive

Context = ServerRequestContext[Any]
_SCHEME = "uhhrag://"
_MAX_LISTED = 200
_MAX_VERDICTS = 1000
"""Verdicts that can be read again, the latest."""
_MAX_MESSAGE_CHARS = 1000
_READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class _Answers:
    """One question at a time, as models answer."""

    def __init__(self, archives: Mapping[str, Archive]) -> None:
        self.archives = archives
        self.verdicts: dict[str, str] = {}
        self._given = 0
        self._alone = anyio.CapacityLimiter(1)

    async def _in_turn(self, work: Callable[[], Any]) -> Any:
        return await to_thread.run_sync(work, limiter=self._alone)

    async def _read(self, work: Callable[[], Any]) -> Any:
        try:
            return await self._in_turn(work)
        except UhhragError as error:
            raise MCPError(types.INVALID_PARAMS, _cut(str(error))) from error

    def _keep(self, verdict: str) -> None:
        self._given += 1
        self.verdicts[str(self._given)] = verdict
        if len(self.verdicts) > _MAX_VERDICTS:
            del self.verdicts[next(iter(self.verdicts))]

    async def list_tools(self, context: Context, asked: Any) -> types.ListToolsResult:
        return types.ListToolsResult(
            tools=[
                types.Tool(
                    name=name,
                    title=tool.title,
                    description=tool.description,
                    input_schema=tool.schema(self.archives),
                    output_schema=tool.answers,
                    annotations=_READ_ONLY,
                )
                for name, tool in TOOLS.items()
            ]
        )

    async def call_tool(
        self, context: Context, asked: types.CallToolRequestParams
    ) -> types.CallToolResult:
        told: Counter[int] = Counter()

        def tell(done: int, total: int, doing: str) -> None:
            from_thread.check_cancelled()
            told[done] += 1
            far = done + 1 - 1 / told[done]  # the protocol wants it to grow with each call
            from_thread.run(context.session.report_progress, far, total, printable(doing))

        try:
            given = _as_meant(asked.arguments or {})
            tool = require_tool(asked.name, given)
            jsonschema.validate(given, tool.schema(self.archives))
            value, words = await self._in_turn(partial(tool.run, self.archives, given, tell))
        except CancelledError:  # raised by `tell` where the client has stopped waiting
            await lowlevel.checkpoint()
            raise
        except jsonschema.ValidationError as error:
            short = len(error.message) <= _MAX_MESSAGE_CHARS
            said = error.message if short else f"{error.validator} is {error.validator_value}"
            if error.validator == "required" and "archive" not in given and len(self.archives) > 1:
                said += f"; archive is one of: {', '.join(self.archives)}"
            return _failure(f"{error.json_path}: {said}")
        except UhhragError as error:
            return _failure(str(error))
        except OSError as error:
            return _failure(f"{error.filename or 'the documents'}: {error.strerror or error}")
        if asked.name == "check_claim":
            self._keep(json.dumps(value, ensure_ascii=False))
        text = types.TextContent(type="text", text=words)
        return types.CallToolResult(content=[text], structured_content=value)

    async def list_resources(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        start = number_in(asked.cursor if asked and asked.cursor else "") or 0
        listed: list[str | tuple[Archive, int]] = list(self.verdicts)
        for archive in self.archives.values():
            numbers = await self._read(partial(answering.numbers_of, archive))
            listed += [(archive, number) for number in numbers]
        after = start + _MAX_LISTED
        shown = await self._read(lambda: [*map(_resource, listed[start:after])])
        more = str(after) if after < len(listed) else None
        return types.ListResourcesResult(resources=shown, next_cursor=more)

    async def list_templates(
        self, context: Context, asked: Any
    ) -> types.ListResourceTemplatesResult:
        named = (
            ("archives/{archive}/documents/{number}", "A document, a sentence a line", _PLAIN),
            ("verdicts/{number}", "A verdict of check_claim in this session", _JSON),
        )
        return types.ListResourceTemplatesResult(
            resource_templates=[
                types.ResourceTemplate(uri_template=_SCHEME + path, name=name, mime_type=kind)
                for path, name, kind in named
            ]
        )

    async def read_resource(
        self, context: Context, asked: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        match str(asked.uri).removeprefix(_SCHEME).split("/"):
            case ["verdicts", number] if number in self.verdicts:
                kind, text = _JSON, self.verdicts[number]
            case ["archives", name, "documents", written] if (
                unquote(name) in self.archives and (document := number_in(written)) is not None
            ):
                read = partial(_text_of, self.archives[unquote(name)], document)
                kind, text = _PLAIN, await self._read(read)
            case _:
                said = _cut(f"{asked.uri}: there is no such resource")
                raise MCPError(types.INVALID_PARAMS, said)
        content = types.TextResourceContents(uri=asked.uri, mime_type=kind, text=text)
        return types.ReadResourceResult(contents=[content])


def make_server(archives: Mapping[str, Archive]) -> Server[Any]:
    answers = _Answers(archives)
    return Server(
        "uhhrag",
        version=__version__,
        title="uhhrag: your own documents",
        instructions=INSTRUCTIONS,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
    )


_JSON, _PLAIN = "application/json", "text/plain"


def _as_meant(given: Mapping[str, Any]) -> dict[str, Any]:
    """Drops nulls; whole numbers become integers."""
    whole = {k: int(v) for k, v in given.items() if isinstance(v, float) and v.is_integer()}
    return {name: value for name, value in {**given, **whole}.items() if value is not None}


def _cut(reason: str) -> str:
    return printable(reason)[:_MAX_MESSAGE_CHARS]


def _failure(reason: str) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=_cut(reason))], is_error=True
    )


def _resource(listed: str | tuple[Archive, int]) -> types.Resource:
    if isinstance(listed, str):
        uri = f"{_SCHEME}verdicts/{listed}"
        return types.Resource(uri=uri, name=f"Verdict {listed}", mime_type=_JSON)
    archive, number = listed
    page = archive.page(number)
    uri = f"{_SCHEME}archives/{quote(archive.name, safe='')}/documents/{number}"
    name = printable(page.title or display_path(page.url))
    return types.Resource(uri=uri, name=name, mime_type=_PLAIN)


def _text_of(archive: Archive, number: int) -> str:
    page = archive.page(number)
    return "\n".join(map(str.__add__, answering.whole_text(page), map(marked, page.lines)))


def serve_stdio(archives: Mapping[str, Archive]) -> None:
    """Returns when input ends or the asker has gone."""

    async def run() -> None:
        server = make_server(archives)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    try:
        anyio.run(run)
    except* BrokenPipeError:
        pass


def serve_http(
    archives: Mapping[str, Archive], access: Access, listening: socket, ready: Callable[[], None]
) -> None:
    """At /mcp; calls `ready` when it listens."""
    app = make_server(archives).streamable_http_app(host=access.host)
    config = config_of(Guard(app, access), lifespan="on")
    listening.listen(128)
    ready()
    with closing(listening):
        uvicorn.Server(config).run(sockets=[listening])
