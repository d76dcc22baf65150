"""Tools and documents over the Model Context Protocol."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import closing
from functools import partial
from socket import socket
from typing import Any
from urllib.parse import quote, unquote

import anyio
import jsonschema
import mcp_types as types
import uvicorn
from anyio import from_thread, to_thread
from mcp import MCPError
from mcp.server import Server
from mcp.server.context import ServerRequestContext
from mcp.server.stdio import stdio_server

from uhhrag.assistants.tools import INSTRUCTIONS, TOOLS, Answer, require_tool
from uhhrag.errors import UhhragError
from uhhrag.serve.access import Access, Guard
from uhhrag.serve.server import config_of
from uhhrag.system.terminal import printable
from uhhrag.version import __version__
from uhhrag.workflows import answering
from uhhrag.workflows.answering import Archive

Context = ServerRequestContext[Any]
_SCHEME = "uhhrag://"
_MOST_LISTED = 200
"""Documents in a page of the resource list."""
_MOST_KEPT = 1000
"""Verdicts that can be read again, the latest."""
_READ_ONLY = types.ToolAnnotations(
    read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
)


class _Answers:
    """Answers one question at a time, as the models do."""

    def __init__(self, archives: Mapping[str, Archive]) -> None:
        self.archives = archives
        self.verdicts: dict[str, str] = {}
        self._given = 0
        self._alone = anyio.CapacityLimiter(1)

    async def _in_turn(self, work: Callable[[], Any]) -> Any:
        return await to_thread.run_sync(work, limiter=self._alone)

    def _keep(self, verdict: str) -> None:
        self._given += 1
        self.verdicts[str(self._given)] = verdict
        if len(self.verdicts) > _MOST_KEPT:
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
        def tell(done: int, total: int, doing: str) -> None:
            from_thread.run(context.session.report_progress, done, total, printable(doing))

        try:
            tool, given = require_tool(asked.name), asked.arguments or {}
            jsonschema.validate(given, tool.schema(self.archives))
            answer: Answer = await self._in_turn(partial(tool.run, self.archives, given, tell))
        except jsonschema.ValidationError as error:
            return _failure(f"{error.json_path}: {error.message}")
        except UhhragError as error:
            return _failure(str(error))
        if asked.name == "check_claim":
            self._keep(_json(answer.value))
        text = types.TextContent(type="text", text=answer.text)
        return types.CallToolResult(content=[text], structured_content=answer.value)

    async def list_resources(
        self, context: Context, asked: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        start = int(asked.cursor) if asked and asked.cursor and asked.cursor.isdigit() else 0
        listed = [
            types.Resource(
                uri=f"{_SCHEME}verdicts/{number}", name=f"Verdict {number}", mime_type=_JSON
            )
            for number in self.verdicts
        ]
        for archive in self.archives.values():
            rows = await self._in_turn(partial(_documents, archive))
            listed += [types.Resource(uri=uri, name=name, mime_type=_PLAIN) for uri, name in rows]
        shown = listed[start : start + _MOST_LISTED]
        after = start + len(shown)
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
            case ["archives", name, "documents", number] if (
                unquote(name) in self.archives and number.isascii() and number.isdigit()
            ):
                archive = self.archives[unquote(name)]
                try:
                    read = partial(_text_of, archive, int(number))
                    kind, text = _PLAIN, await self._in_turn(read)
                except UhhragError as error:
                    raise MCPError(types.INVALID_PARAMS, str(error)) from error
            case _:
                raise MCPError(types.INVALID_PARAMS, f"{asked.uri}: there is no such resource")
        content = types.TextResourceContents(uri=asked.uri, mime_type=kind, text=text)
        return types.ReadResourceResult(contents=[content])


def make_server(archives: Mapping[str, Archive]) -> Server[Any]:
    """A server over archives."""
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


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _failure(reason: str) -> types.CallToolResult:
    text = types.TextContent(type="text", text=printable(reason))
    return types.CallToolResult(content=[text], is_error=True)


def _documents(archive: Archive) -> list[tuple[str, str]]:
    return [
        (
            f"{_SCHEME}archives/{quote(archive.name, safe='')}/documents/{one['document']}",
            one["title"] or one["url"],
        )
        for one in answering.documents_of(archive)
    ]


def _text_of(archive: Archive, number: int) -> str:
    return answering.whole_text(archive.page(number))


def serve_stdio(archives: Mapping[str, Archive]) -> None:
    """Returns when the input ends."""

    async def run() -> None:
        server = make_server(archives)
        async with stdio_server() as (read, write):
            await server.run(read, write, server.create_initialization_options())

    anyio.run(run)


def serve_http(
    archives: Mapping[str, Archive], access: Access, listening: socket, ready: Callable[[], None]
) -> None:
    """Answer at /mcp until stopped; `ready` is called when it listens."""
    app = make_server(archives).streamable_http_app(host=access.host)
    config = config_of(Guard(app, access), lifespan="on")
    listening.listen(128)
    ready()
    with closing(listening):
        uvicorn.Server(config).run(sockets=[listening])
