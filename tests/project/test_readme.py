"""What the README tells a reader to type exists: commands, options, scripts, files."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from uhhrag.cli import app
from uhhrag.records import Claim, Evidence, Label, Origin, Verdict, Vote
from uhhrag.views.answer import show_answer
from uhhrag.views.verdict_text import show

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "index" / "README.md",
    ROOT / "prompts" / "README.md",
    ROOT / "data" / "README.md",
    # mistakes.md shows what must not be typed
    *sorted(page for page in (ROOT / "docs").glob("*.md") if page.stem != "mistakes"),
]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
LINES = [line.strip() for line in re.findall(r"^    (uhhrag .*)$", TEXT, re.MULTILINE)]
INLINE = re.findall(r"`(uhhrag [^`]*)`", TEXT)
ROOT_COMMAND = typer.main.get_command(app)


def anchor_of(heading: str) -> str:
    """The anchor that hosts of Markdown give a heading."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def command_of(words: list[str]):
    """The command a line names, through sub-commands, and the words after it."""
    command, rest = ROOT_COMMAND, words[1:]
    while rest and hasattr(command, "commands") and rest[0] in command.commands:
        command, rest = command.commands[rest[0]], rest[1:]
    return command, rest


@pytest.mark.parametrize("line", LINES + INLINE)
def test_a_command_of_the_readme_and_its_options_exist(line):
    words = shlex.split(line.replace("…", ""), comments=True)
    command, rest = command_of(words)
    if words[1:] and not words[1].startswith("-"):
        assert command is not ROOT_COMMAND, f"there is no command {words[1]}"
    known = {name for option in command.params for name in (*option.opts, *option.secondary_opts)}
    known |= {"--help", "--version", "--debug"}
    assert {word for word in rest if word.startswith("--")} <= known


def test_the_options_in_the_tables_of_index_and_predict_exist():
    text = (ROOT / "docs/step-by-step.md").read_text(encoding="utf-8")
    tables = text.split("| option | |\n|---|---|\n")[1:]
    assert len(tables) == 2
    for command, table in zip(("index", "predict"), tables, strict=True):
        named = set(re.findall(r"`(--[a-z-]+)", table.split("\n\n")[0]))
        options = ROOT_COMMAND.commands[command].params
        known = {name for option in options for name in (*option.opts, *option.secondary_opts)}
        assert named
        assert named <= known


def test_the_readme_is_short():
    assert len((ROOT / "README.md").read_text(encoding="utf-8").split()) <= 700


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_link_to_another_page_leads_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#\s]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_a_link_into_a_page_leads_to_a_heading():
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for target, anchor in re.findall(r"\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)", text):
            other = (page.parent / target if target else page).read_text(encoding="utf-8")
            headings = re.findall(r"^#+ (.+)$", other, re.MULTILINE)
            assert anchor in map(anchor_of, headings), f"{page.name}: {target}#{anchor}"


@pytest.mark.parametrize("name", sorted(set(re.findall(r"scripts/[a-z-]*[a-z](?![\w.*{-])", TEXT))))
def test_a_script_of_the_readme_exists_and_can_be_run(name):
    assert (ROOT / name).stat().st_mode & 0o100


def example(page: str, begins: str, ends: str) -> str:
    """The indented example of a page, from a line that begins so to one that does."""
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    first = next(n for n, line in enumerate(lines) if line.startswith(f"    {begins}"))
    last = next(n for n in range(first, len(lines)) if lines[n].startswith(f"    {ends}"))
    return "\n".join(line.removeprefix("    ") for line in lines[first : last + 1])


def test_the_answer_of_check_in_the_docs_is_as_check_prints_it():
    source = {"site": "", "author": "", "date": "", "dated_by": "", "file": ""}
    source |= {"page": None, "place": "", "ocr": None, "quoted": None, "by": "", "note": ""}
    budget = {"url": "file:budget-2024.md", "title": "Ostvik municipality: budget for 2024"}
    report = {
        "url": "file:annual-report-2022.md",
        "title": "Ostvik municipality: annual report 2022",
    }
    nothing = {"label": "Not Enough Evidence", "says_nothing": True}
    refuted = {"label": "Refuted", "says_nothing": False}
    evidence = [
        {
            "vote": {**vote, "probability": sure, "before_calibration": None},
            "question": "Is it so?",
            "sentence": sentence,
            "text": f"{sentence} {after}",
            "similarity": similarity,
            "repeats_claim": False,
            "speaks_to_machine": False,
            "sources": [{**source, **about, "section": section}],
        }
        for sentence, after, vote, sure, similarity, about, section in (
            (
                "Spending came to 18 million crowns.",
                "Two buildings were closed during the year. The number of pupils fell by 30.",
                *(refuted, 0.9611, 0.6603, report, "Schools"),
            ),
            (
                "Schools: 19 million crowns",
                "Roads: 7 million crowns Care of the elderly: 12 million crowns Fire brigade: 3 "
                "million crowns",
                *(nothing, 0.9882, 0.7006, budget, "Spending"),
            ),
        )
    ]
    answer = {
        "claim": "Ostvik spent 25 million crowns on schools in 2022.",
        "label": "Refuted",
        "verdict": "Refuted",
        "confidence": 0.9494,
        "summary": "Refuted by 1 of 5 pieces (piece 1); 4 without a side. Confidence 0.95.",
        "votes": [],
        "evidence": evidence,
        "not_found": [],
        "documents": {"sentences": 79, "documents": 5},
        "signature": "|questions:template|",
    }
    shown = show_answer(answer)
    told = example("docs/own-documents.md", "Claim: Ostvik spent", "Checked against")
    for part in told.split("\n…\n"):
        assert part in shown


def test_a_verdict_in_the_readme_is_as_predict_prints_it():
    site = "https://fish-minds.example/goldfish-memory"
    best = Evidence(
        "How long does a goldfish remember things?",
        "A goldfish remembers things for months, and the tale that it remembers nothing for "
        "longer than three seconds is false.",
        (site,),
    )
    other = Evidence("Does it remember?", "It does.", ("https://pond-talk.example/",))
    claim = Claim(11, "A goldfish remembers nothing for longer than three seconds.")
    sure = (0.8, 0.9, 0.55, *(0.8162,) * 7)
    votes = tuple(Vote(Label.REFUTED, Origin.CONSTRAINED, "B", one) for one in sure)
    verdict = Verdict(claim, Label.REFUTED, (other, best, *(other,) * 8), votes)
    assert show(verdict).strip() == example("README.md", "11. A goldfish", f"  {site}")


def test_a_test_that_a_page_names_exists():
    for name in re.findall(r"`(tests/[\w/]+(?:\.py|/)?)`", TEXT):
        assert (ROOT / name).exists(), name
    sources = "\n".join(file.read_text() for file in (ROOT / "tests").rglob("test_*.py"))
    for name in re.findall(r"`(test_\w+)…?`", TEXT):
        assert f"def {name}" in sources, name


def test_no_part_of_the_readme_waits_to_be_filled():
    assert "@@" not in TEXT
