"""A small language model of this machine uses the tools: it searches, and what it cites opens."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from uhhrag.models import path

pytestmark = pytest.mark.heavy
QUESTION = "What do my documents say about the ferry of Lunde?"
CITED = re.compile(r"document (\d+), line (\d+)")


@pytest.fixture(scope="module")
def docs(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("assistant") / "papers"
    folder.mkdir()
    text = "# The ferry of Lunde\n\nIt was sold in 2019. It carried 5,379 passengers a year.\n"
    (folder / "ferry.md").write_text(text)
    (folder / "school.md").write_text("# School\n\nThe school of Varnby has 300 pupils.\n")
    return folder


def test_it_answers_from_the_documents_with_citations_that_open(docs):
    from llama_cpp import Llama

    model = Llama(str(path("qwen2.5-coder-1.5b")), n_ctx=4096, verbose=False, seed=0)

    def says(messages: list[Any], schema: Any = None) -> str:
        form = {"type": "json_object", "schema": schema} if schema else None
        made = model.create_chat_completion(
            messages, response_format=form, temperature=0, max_tokens=200
        )
        return made["choices"][0]["message"]["content"]

    async def session() -> tuple[str, str, list[str]]:
        words = ["-m", "uhhrag", "mcp", "--docs", str(docs)]
        process = StdioServerParameters(command=sys.executable, args=words)
        async with Client(process) as client:
            tools = (await client.list_tools()).tools
            listed = [{"name": t.name, "description": t.description} for t in tools]
            task = f"{client.instructions}\nTools: {json.dumps(listed)}\nAnswer with one call."
            messages = [
                {"role": "system", "content": task},
                {"role": "user", "content": QUESTION},
            ]
            (search,) = [t for t in tools if t.name == "search_documents"]
            calls = {
                "type": "object",
                "required": ["name", "arguments"],
                "properties": {
                    "name": {"enum": [t.name for t in tools]},
                    "arguments": search.input_schema,
                },
            }
            called = json.loads(says(messages, calls))
            found = await client.call_tool(called["name"], called["arguments"])
            ask = (
                f"{found.content[0].text}\n\n{QUESTION} Answer in one sentence, and put the source "
                "of it at the end as [document N, line N]."
            )
            answer = says([{"role": "user", "content": ask}])
            opened = []
            for document, line in CITED.findall(answer):
                where = {"document": int(document), "line": int(line)}
                opened.append((await client.call_tool("open_source", where)).content[0].text)
            return called["name"], answer, opened

    name, answer, opened = asyncio.run(session())
    assert name == "search_documents"
    assert "2019" in answer or "5,379" in answer
    assert opened, answer
    assert all("ferry.md" in text for text in opened)
