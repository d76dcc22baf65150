"""The lock, the bill of materials, and that what is known against packages is never called."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib

import pytest

from tests.support.model_files import require_models
from tests.support.nltk_data import nltk_data_folder
from tests.support.paths import ROOT
from uhhrag.models import MODELS

LOCK = (ROOT / "scripts" / "requirements.txt").read_text(encoding="utf-8")
CUDA = (ROOT / "scripts" / "requirements-cuda.txt").read_text(encoding="utf-8")
PINNED = dict(re.findall(r"^([a-z0-9._-]+)==(\S+)", LOCK, re.MULTILINE))


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_the_lock_holds_the_constraints_and_everything_that_the_project_asks_for():
    lines = (ROOT / "scripts" / "constraints.txt").read_text(encoding="utf-8").splitlines()
    constraints = dict(line.split("==") for line in lines if not line.startswith("#"))
    assert {normal(name): version for name, version in constraints.items()} == PINNED, (
        "run scripts/lock"
    )
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    groups = project["dependency-groups"]
    extras = project["project"]["optional-dependencies"]
    wanted = [*project["project"]["dependencies"], *groups["dev"], *groups["build"]]
    wanted += [one for extra in extras.values() for one in extra if not one.startswith("uhhrag[")]
    assert extras["all"] == [f"uhhrag[{','.join(sorted(extras.keys() - {'all'}))}]"]
    assert {normal(re.match(r"[\w.-]+", one)[0]) for one in wanted} <= set(PINNED)  # type: ignore[index]


@pytest.mark.parametrize("lock", [LOCK, CUDA], ids=["lock", "cuda"])
def test_every_package_of_a_lock_has_hashes_and_no_address(lock):
    for package in re.split(r"^(?=[a-z])", lock, flags=re.MULTILINE)[1:]:
        assert re.match(r"[a-z0-9._-]+==\S+", package)
        assert len(re.findall(r"--hash=sha256:[0-9a-f]{64}\b", package)) >= 1, package[:60]
    assert "://" not in lock
    assert "--index" not in lock


def test_set_up_installs_nothing_without_its_hash():
    script = (ROOT / "scripts" / "setup").read_text(encoding="utf-8")
    lines = [line for line in script.splitlines() if re.search(r"\bpip install\b", line)]
    editable = [line for line in lines if "--editable ." in line]
    assert len(editable) == 1
    assert "--no-deps" in editable[0]
    assert "--no-build-isolation" in editable[0]
    assert [line for line in lines if line not in editable] == [
        'install() { pip install --require-hashes --no-deps "$@"; }'
    ]


def test_the_bill_names_every_locked_package_and_every_model_with_its_hash():
    bill = json.loads((ROOT / "docs" / "bill-of-materials.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    parts = {part["bom-ref"]: part for part in bill["components"]}
    packages = {p["name"]: p["version"] for p in parts.values() if p["type"] == "library"}
    assert packages == PINNED, "run scripts/audit bill"
    for name, model in MODELS.items():
        assert parts[name]["licenses"] == [{"license": {"name": model.licence}}]
        hashes = {
            file["name"]: file["hashes"][0]["content"]
            for file in parts[name]["components"]
            if "hashes" in file
        }
        assert hashes == {file.path: file.sha256 for file in model.every_file if file.sha256}
    refs = [p["bom-ref"] for p in parts.values()]
    refs += [file["bom-ref"] for p in parts.values() for file in p.get("components", ())]
    assert len(refs) == len(set(refs))


# What is known against NLTK and diskcache, and is never called

CALLED = """
import sys
sys.setprofile(lambda frame, event, _: event == "call" and frame.f_globals.get("__name__") and
               called.add((frame.f_globals["__name__"], frame.f_code.co_qualname)))
called = set()
from pathlib import Path
from uhhrag.scores.meteor import load_meteor_data, meteor
from uhhrag.text.nltk_tokenizer import sentences, word_tokenize
called.clear()  # what importing ran
load_meteor_data(Path(sys.argv[1]))
for text in ("It rained all night. Nobody slept!", "http://127.0.0.1:9/x", "../../etc/passwd",
             "file:///etc/passwd", "nltk:x.pickle"):
    word_tokenize(text)
    sentences(text)
    meteor(text, "It was raining the whole night.")
sys.setprofile(None)
for module, name in sorted(called):
    if module.startswith(("nltk", "diskcache", "pickle", "urllib", "http")):
        print(module, name)
"""
HARMFUL = {
    "nltk.downloader",
    "nltk.internals",
    "nltk.app.wordnet_app",
    "nltk.parse.stanford",
    "nltk.tokenize.stanford_segmenter",
    "nltk.tag.stanford",
    "nltk.picklesec",
    "pickle",
    "diskcache",
}


@pytest.mark.slow
def test_of_nltk_only_the_cutting_of_words_the_stemmer_and_wordnet_are_called():
    command = [sys.executable, "-c", CALLED, str(nltk_data_folder())]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    called = [line.split() for line in ran.stdout.splitlines()]
    modules = {module for module, _ in called}
    assert {"nltk.stem.porter", "nltk.tokenize.punkt", "nltk.corpus.reader.wordnet"} <= modules
    assert not {m for m in modules if m.startswith(tuple(HARMFUL - {"nltk.internals"}))}
    of_data = {name for module, name in called if module == "nltk.data"}
    assert not {"load", "retrieve", "_open", "restricted_pickle_load"} & of_data
    assert not {name for module, name in called if name in ("filestring", "java", "urlopen")}


@pytest.mark.slow
@pytest.mark.model
def test_the_disk_memory_of_llama_cpp_which_reads_pickles_is_never_opened():
    code = (
        "import diskcache; diskcache.Cache.__init__ = None\n"
        "from uhhrag import models\n"
        "from uhhrag.wiring import llms\n"
        "from uhhrag.wiring.machine import Machine\n"
        "from uhhrag.records import Generate, Prompt\n"
        "llm, _ = llms.load_llm('smollm2-135m', Machine(1), None)\n"
        "print(len(llm([Prompt('s', '', 'Rain')], Generate(2))))"
    )

    require_models("smollm2-135m")
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=True)
    assert ran.stdout == b"1\n"


def test_what_the_audit_leaves_out_is_explained():
    page = (ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| ((?:CVE|GHSA|PYSEC)-[^|]+) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", page, re.M
    )
    assert sum(row[0].count(",") + 1 for row in rows) >= 16
    for identifier, package, what, why in rows:
        assert re.sub(r" .*", "", package) in PINNED, identifier
        assert len(what) > 10
        assert len(why) > 15
    assert len({row[0] for row in rows}) == len(rows)
