"""The examples of CONTRIBUTING.md, ten lines for each kind of part, work as it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import uhhrag
from tests.support.documents import HereReader
from tests.support.doubles import load_nltk_data
from tests.support.paths import ROOT
from uhhrag.approaches import APPROACHES, ApproachSpec
from uhhrag.backends.fakes import hashing_embedder
from uhhrag.config.choices import Choices
from uhhrag.config.settings import parse
from uhhrag.documents.changed import read_if_changed
from uhhrag.documents.formats import ENDINGS, FORMATS, Format
from uhhrag.documents.listing import list_documents
from uhhrag.errors import UsageError
from uhhrag.protocols import EvidenceSource, Tools
from uhhrag.records import Claim, Hit, Label, Origin, Passage, Vote
from uhhrag.rules import rules
from uhhrag.voters.opening import voter_of
from uhhrag.voters.table import VOTERS
from uhhrag.wiring.sources import SOURCES

TEXT = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CODE, ENTRY, READER, ROW, SOURCE, SOURCE_ROW, VOTER, VOTER_ROW, RULE, RULE_ROW = re.findall(
    r"```python\n(.*?)```", TEXT, re.DOTALL
)


@pytest.fixture
def names() -> dict:
    names: dict = {}
    exec(CODE, names)  # noqa: S102 - our own page
    return names


def test_the_approach_is_a_few_lines_and_gives_evidence(names):
    assert len(CODE.strip().splitlines()) <= 12
    hits = [Hit(Passage("Bananas are yellow.", ("https://fruit.example",)), 0.5)] * 3
    corpus = EvidenceSource(lambda query, top: hits[:top])
    tools = Tools(None, None, None)
    evidence = names["nearest"](Claim(0, "Bananas are red."), corpus, tools, 2, None).evidence
    assert [piece.answer for piece in evidence] == ["Bananas are yellow."] * 2
    assert all(piece.question for piece in evidence)


def test_the_line_of_the_approach_in_the_table_is_an_entry(names):
    entries = eval(f"{{{ENTRY}}}", {**names, "ApproachSpec": ApproachSpec})  # noqa: S307
    assert isinstance(entries["nearest"], type(APPROACHES["retrieve-question"]))
    assert "nearest" not in APPROACHES


def test_a_reader_and_its_row_are_all_that_a_format_takes(monkeypatch, tmp_path):
    load_nltk_data()
    module = ModuleType("uhhrag.documents.calendar")
    exec(READER, module.__dict__)  # noqa: S102
    rows = eval(f"{{{ROW}}}", {"Format": Format})  # noqa: S307
    assert rows.keys().isdisjoint(FORMATS)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(FORMATS, "calendar", rows["calendar"])
    monkeypatch.setitem(ENDINGS, ".ics", "calendar")
    (tmp_path / "fairs.ics").write_text("BEGIN:VEVENT\nSUMMARY:The fair opens at noon. Come!\n")
    (file,) = list_documents(tmp_path).files
    with HereReader() as reader:
        look = read_if_changed(file, None, reader, tmp_path / "records")
    assert (look.outcome.documents, look.outcome.lines, look.outcome.why) == (1, 2, "")
    assert look.state["reader"].startswith("calendar ")


def test_the_reader_loses_no_text_of_folded_lines_and_fields_with_parameters(tmp_path):
    load_nltk_data()
    module = ModuleType("uhhrag.documents.calendar")
    exec(READER, module.__dict__)  # noqa: S102
    (tmp_path / "a.ics").write_bytes(
        b"BEGIN:VEVENT\r\nDTSTART:20190312\r\nSUMMARY:The council met.\r\n"
        b"DESCRIPTION:The council sold the ferry in Ma\r\n rch 2019.\\nThe price was 40\\,\r\n"
        b"\t000 crowns.\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\n"
        b'SUMMARY;LANGUAGE=en;ALTREP="http://a.example:80/":The harbour was: dredged.\r\n'
        b"END:VEVENT\r\n"
    )
    (document,) = module.read_calendar(tmp_path / "a.ics")
    assert [*document.lines] == [
        "The council met.",
        "The council sold the ferry in March 2019.",
        "The price was 40,000 crowns.",
        "The harbour was: dredged.",
    ]


def test_a_function_and_its_row_are_all_that_a_source_takes(monkeypatch, tmp_path):
    names: dict = {}
    exec(SOURCE, names)  # noqa: S102
    rows = eval(f"{{{SOURCE_ROW}}}", names)  # noqa: S307
    monkeypatch.setitem(SOURCES, "notes", rows["notes"])
    result = uhhrag.check(
        "The ferry was sold in 2019.",
        "notes://mine",
        work=tmp_path,
        embedder=uhhrag.Loaded(hashing_embedder(), "words"),
        voter=lambda claim, evidence: [Vote(Label.SUPPORTED, Origin.READ, "") for _ in evidence],
        questions="template",
    )
    assert result[0].evidence[0].sources[0].title == "Notes"


def test_a_function_and_its_row_are_all_that_a_verdict_rule_takes(monkeypatch, tmp_path):
    names = dict(vars(rules))
    exec(RULE, names)  # noqa: S102
    row = eval(f"{{{RULE_ROW}}}", names)["first-three"]  # noqa: S307
    assert "first-three" not in rules.RULES
    monkeypatch.setitem(rules.RULES, "first-three", row)
    lines = ["A ferry.", "The ferry.", "That ferry.", "One ferry.", "Our ferry.", "No ferry."]
    page = {"url": "https://a.example", "url2text": lines}
    (tmp_path / "store.jsonl").write_text(json.dumps(page))
    sides = [Label.REFUTED] * 2 + [Label.SUPPORTED] * 9
    votes = [Vote(side, Origin.READ, "") for side in sides]
    for rule, label in (("first-three", Label.REFUTED), ("majority", Label.SUPPORTED)):
        result = uhhrag.check(
            "The ferry.",
            tmp_path / "store.jsonl",
            rule=rule,
            voter=lambda claim, evidence: votes[: len(evidence)],
            questions="template",
            nearest=0.0,
            embedder=uhhrag.Loaded(hashing_embedder(), "words"),
        )
        assert result[0].label is label


def test_a_function_and_its_row_are_all_that_a_voter_takes(monkeypatch, tmp_path):
    names: dict = {"voter_of": voter_of}
    exec(VOTER, names)  # noqa: S102
    rows = eval(f"{{{VOTER_ROW}}}", names)  # noqa: S307
    assert rows.keys().isdisjoint(VOTERS)
    monkeypatch.setitem(VOTERS, "negation", rows["negation"])
    page = {"url": "https://a.example", "url2text": ["The ferry was not sold in 2019."]}
    (tmp_path / "store.jsonl").write_text(json.dumps(page))
    result = uhhrag.check(
        "The ferry was sold in 2019.",
        tmp_path / "store.jsonl",
        voter="negation",
        questions="template",
        embedder=uhhrag.Loaded(hashing_embedder(), "words"),
    )
    assert result[0].label is Label.REFUTED
    assert "|voter:negation@1|" in result.signature
    assert parse(Choices()).voter == "both"
    of_documents = replace(rows["negation"], auto=lambda wanted: wanted.plain)
    monkeypatch.setitem(VOTERS, "negation", of_documents)
    assert [parse(Choices(rule=rule)).voter for rule in ("majority", "all")] == ["negation", "llm"]
    assert "|llm:" not in result.signature
    assert result.warnings == ()  # it asks no model that could be calibrated
    with pytest.raises(UsageError, match="--voter negation reads one piece of evidence at a"):
        uhhrag.check("A.", tmp_path, voter="negation", rule="all")


@pytest.mark.slow
def test_all_parts_written_as_the_page_says_leave_tables_pages_and_layers_sound(tmp_path):
    for name in ("uhhrag", "tests", "scripts", "prompts", "docs", "data", "pyproject.toml"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, tmp_path / name)
    for file, code, table, last, row, more in (
        ("approaches/nearest", CODE, "approaches/__init__", "APPROACHES", ENTRY, "nearest"),
        ("documents/calendar", READER, "documents/formats", "FORMATS", ROW, ""),
        ("wiring/notes", SOURCE, "wiring/sources", "SOURCES", SOURCE_ROW, "open_notes"),
        ("voters/negation", VOTER, "voters/table", "VOTERS", VOTER_ROW, "negation"),
    ):
        (tmp_path / f"uhhrag/{file}.py").write_text(code)
        _add_row(tmp_path / f"uhhrag/{table}.py", last, row, file.replace("/", "."), more)
    shutil.copy(ROOT / "CONTRIBUTING.md", tmp_path)
    tests = ("approaches/test_prompts", "project/test_layers", "project/test_deciding_code")
    for command in (
        ("-m", "scripts.cli_reference"),
        *[("-m", "pytest", "-q", f"tests/{name}.py") for name in tests],
        ("-m", "pytest", "-q", "tests/project/test_cli_reference.py"),
    ):
        ended = subprocess.run(
            [sys.executable, *command],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout[-2000:] + ended.stderr[-2000:]


def _add_row(file: Path, table: str, row: str, module: str, name: str) -> None:
    text = file.read_text()
    start = re.search(rf"^{table}\b.*\{{$", text, re.MULTILINE)
    assert start
    text = text[: start.end()] + "\n" + row.rstrip() + text[start.end() :]
    imports = f"from uhhrag.{module} import {name}\n" if name else ""
    if "voter_of" in row:
        imports += "from uhhrag.voters.opening import voter_of\n"
    first = text.index("from uhhrag.")
    file.write_text(text[:first] + imports + text[first:])
