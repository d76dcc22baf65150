"""A small language model of this machine uses the tools: it searches, and what it cites opens."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest
from mcp import Client, StdioServerParameters

from tests.support.model_files import model_path
from uhhrag.assistants.tools import TOOLS

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


def opened(name: str) -> Any:
    from llama_cpp import Llama

    form = "chatml-function-calling"
    file = str(model_path(name))
    return Llama(file, n_ctx=4096, chat_format=form, verbose=False, seed=0)


def functions(schemas: Mapping[str, tuple[str, Any]]) -> list[dict[str, Any]]:
    """Tools, by name a description and a schema, as llama.cpp takes them."""
    return [
        {"type": "function", "function": {"name": name, "description": said, "parameters": schema}}
        for name, (said, schema) in schemas.items()
    ]


@pytest.mark.model
@pytest.mark.slow
def test_llama_cpp_calls_each_tool_by_the_schema_of_its_arguments():
    model, archives = opened("smollm2-135m"), {"papers": cast(Any, None)}
    tools = functions({name: (tool.title, tool.schema(archives)) for name, tool in TOOLS.items()})
    for name, tool in TOOLS.items():
        made = model.create_chat_completion(
            [{"role": "user", "content": QUESTION}],
            tools=tools,
            tool_choice={"type": "function", "function": {"name": name}},
            temperature=0,
            max_tokens=8,
        )
        (called,) = made["choices"][0]["message"]["tool_calls"]
        assert called["function"]["name"] == name
        assert re.match(rf'{{\s*"{tool.required[0]}"', called["function"]["arguments"])


@pytest.mark.heavy
def test_it_answers_from_the_documents_with_citations_that_open(docs):
    model = opened("qwen2.5-coder-1.5b")

    async def session() -> tuple[str, str, list[str]]:
        words = ["-m", "uhhrag", "mcp", "--docs", str(docs)]
        process = StdioServerParameters(command=sys.executable, args=words)
        async with Client(process) as client:
            listed = (await client.list_tools()).tools
            messages = [
                {"role": "system", "content": client.instructions},
                {"role": "user", "content": QUESTION},
            ]
            tools = functions({t.name: (t.description, t.input_schema) for t in listed})
            made = model.create_chat_completion(
                messages, tools=tools, tool_choice="auto", temperature=0
            )
            called = made["choices"][0]["message"]["tool_calls"][0]["function"]
            found = await client.call_tool(called["name"], json.loads(called["arguments"]))
            ask = (
                f"{found.content[0].text}\n\n{QUESTION} Answer in one sentence, and put the source "
                "of it at the end as [document N, line N]."
            )
            made = model.create_chat_completion(
                [{"role": "user", "content": ask}], temperature=0, max_tokens=200
            )
            answer = made["choices"][0]["message"]["content"]
            opened_at = []
            for document, line in CITED.findall(answer):
                where = {"document": int(document), "line": int(line)}
                opened_at.append((await client.call_tool("open_source", where)).content[0].text)
            return called["name"], answer, opened_at

    name, answer, texts = asyncio.run(session())
    assert name == "search_documents"
    assert "2019" in answer or "5,379" in answer
    assert texts, answer
    assert all("ferry.md" in text for text in texts)
