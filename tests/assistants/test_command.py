"""`uhhrag mcp` as a process: on standard input and output, and over HTTP on this machine."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client

from uhhrag.assistants.tools import TOOLS

pytestmark = [pytest.mark.slow, pytest.mark.model]
TOKEN = "a-token-of-the-newsroom"  # noqa: S105
BEARER = {"authorization": f"Bearer {TOKEN}"}
BOTH = {"accept": "application/json, text/event-stream"}
INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    },
}


@pytest.fixture(scope="module")
def docs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("assistant") / "papers"
    folder.mkdir()
    (folder / "ferry.md").write_text("# The ferry of Lunde\n\nIt was sold in 2019.\n")
    return folder


def command(docs: Path, *more: str) -> list[str]:
    return ["-m", "uhhrag", "mcp", "--docs", str(docs), *more]


def test_a_client_starts_it_and_asks(docs):
    async def session() -> str:
        process = StdioServerParameters(command=sys.executable, args=command(docs))
        async with Client(process) as client:
            arguments = {"claim": "The ferry of Lunde was sold in 2019."}
            answer = await client.call_tool("check_claim", arguments)
            return answer.structured_content["label"]

    assert asyncio.run(session()) == "Supported"


def test_an_assistant_that_has_gone_is_no_error(docs):
    words = [sys.executable, *command(docs)]
    server = subprocess.Popen(words, stdin=-1, stdout=-1, stderr=-1, text=True)
    server.stdout.close()
    server.stdin.write(f"{json.dumps(INITIALIZE)}\n")
    server.stdin.close()
    assert (server.stderr.read(), server.wait()) == ("", 0)


def test_the_inspector_of_the_protocol_finds_the_tools(docs):
    inspector = shutil.which("mcp-inspector")
    if not inspector:
        pytest.skip("mcp-inspector is not installed")
    words = [inspector, "--cli", "--connect-timeout", "100000", sys.executable, *command(docs)]
    printed = subprocess.run([*words, "--method", "tools/list"], stdout=subprocess.PIPE, check=True)
    assert [tool["name"] for tool in json.loads(printed.stdout)["tools"]] == list(TOOLS)


@contextmanager
def over_http(docs: Path) -> Iterator[str]:
    words = [sys.executable, *command(docs, "--port", "0", "--token", TOKEN)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process.stdout.readline().split()[0]
        process.terminate()


def test_over_http_it_asks_for_the_token_and_knows_its_own_pages(docs):
    with over_http(docs) as address:

        async def session() -> str:
            async with (
                httpx2.AsyncClient(headers=BEARER, timeout=100) as http,
                Client(streamable_http_client(address, http_client=http)) as client,
            ):
                arguments = {"query": "sold", "exact": True}
                found = await client.call_tool("search_documents", arguments)
                return found.structured_content["found"][0]["sentence"]

        assert asyncio.run(session()) == "It was sold in 2019."
        opened = httpx2.post(address, json=INITIALIZE, headers=BEARER | BOTH)
        session = {"mcp-session-id": opened.headers["mcp-session-id"]}
        assert httpx2.delete(address, headers=BEARER | session).status_code == 200
        elsewhere = {**BEARER, "origin": "http://elsewhere.example"}
        assert httpx2.post(address, json={}).status_code == 401
        assert httpx2.get(address).json() == {"error": "The token is needed."}
        assert httpx2.post(address, json={}, headers=elsewhere).status_code == 403
        rebound = {**BEARER, "host": "elsewhere.example"}
        assert httpx2.post(address, json={}, headers=rebound).status_code == 421
