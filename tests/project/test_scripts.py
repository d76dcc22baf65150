"""The Python programs under scripts/ and the command that runs the benchmarks."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.support.paths import ROOT

SHARED_PARTS = {
    *("__init__", "corpus_scale", "llm_sides", "memory", "peak", "pools", "set_as_pdf"),
    *("shaped_documents", "sides"),
}
BENCHMARKS = {path.stem for path in (ROOT / "scripts/benchmarks").glob("*.py")} - SHARED_PARTS
PROGRAMS = {path.stem for path in (ROOT / "scripts").glob("*.py")} - {"__init__", "reference"}
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]


def test_the_dispatcher_names_every_benchmark():
    text = (ROOT / "scripts/bench").read_text(encoding="utf-8")
    assert set(re.findall(r"scripts/bench ([a-z0-9]+)", text)) == BENCHMARKS
    names = re.search(r'^names="(.*)"$', text, re.MULTILINE)
    assert names
    assert set(names[1].split()) == BENCHMARKS


def test_an_unknown_benchmark_is_refused_with_the_names_of_all():
    environment = {"VIRTUAL_ENV": sys.prefix, "PATH": "/usr/bin:/bin"}
    run = subprocess.run(
        ["sh", str(ROOT / "scripts/bench"), "nope"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 2
    assert all(name in run.stderr for name in BENCHMARKS)


def test_programs_and_benchmarks_that_documents_name_exist():
    text = "\n".join(page.read_text(encoding="utf-8") for page in DOCUMENTS if page.exists())
    assert set(re.findall(r"python -m scripts\.([a-z_]+)", text)) <= PROGRAMS
    assert set(re.findall(r"scripts/bench ([a-z0-9]+)", text)) <= BENCHMARKS


def test_no_script_but_one_says_where_reference_data_are():
    saying = [
        path.relative_to(ROOT / "scripts").as_posix()
        for path in (ROOT / "scripts").rglob("*.py")
        if "UHHRAG_SHARED" in path.read_text(encoding="utf-8")
    ]
    assert saying == ["reference.py"]


def test_every_shell_script_can_be_parsed():
    shebang = b"#!/bin/sh"
    files = [path for path in (ROOT / "scripts").iterdir() if path.is_file()]
    shell = [path for path in files if path.read_bytes().startswith(shebang)]
    assert len(shell) >= 8
    for path in [*shell, ROOT / "scripts/steps"]:
        subprocess.run(["sh", "-n", str(path)], check=True)


def test_the_tests_of_a_file_run_on_one_worker(request):
    """By what their ids end with; without, each would go to any worker and nobody would notice."""
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@tests/project/test_scripts.py") == grouped
