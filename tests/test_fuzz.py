"""The short form of scripts/fuzz: every reader, some inputs, no fault and nothing read outside.

Whatever scripts/fuzz found once stands in the tests of the module it was found in."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.campaign import try_out
from tests.fuzz.guard import Trespass, only_inside
from tests.fuzz.readers import READERS

PACKAGE = Path(__file__).resolve().parents[1] / "uhhrag"


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_raises_nothing_but_our_errors_and_reads_only_its_input(name):
    reader = READERS[name]
    tally = try_out(reader, 30, 1)
    assert tally.faults == {}
    assert tally.inputs >= 30


@pytest.mark.parametrize("name", READERS)
def test_a_reader_reads_every_good_input_there_is(name, tmp_path):
    """Otherwise all the hostile ones could be refused for one and the same reason."""
    reader = READERS[name]
    for number, seed in enumerate(reader.seeds):
        folder = tmp_path / str(number)
        folder.mkdir()
        reader.prepare(folder)
        (folder / reader.file).parent.mkdir(parents=True, exist_ok=True)
        (folder / reader.file).write_bytes(reader.seal(seed))
        reader.read(folder)


def test_a_reader_that_looks_elsewhere_is_seen(tmp_path):
    inside = tmp_path / "in"
    inside.mkdir()
    (tmp_path / "secret").write_text("x")
    (inside / "link").symlink_to(tmp_path / "secret")
    with only_inside(inside):
        (inside / "mine").write_text("x")
    for trespass in (
        lambda: (inside / ".." / "secret").read_text(),
        lambda: (inside / "link").read_text(),
        lambda: list(tmp_path.iterdir()),
        lambda: (tmp_path / "secret").unlink(),
        lambda: subprocess.run([sys.executable, "-c", ""], check=True),
        lambda: socket.socketpair(),
    ):
        with pytest.raises(Trespass), only_inside(inside):
            trespass()


READ_BY = {
    "backends/replies.py": "memory of replies",
    "backends/server.py": "reply of a server",
    "calibrate.py": "training file, for calibrate",
    "calibration.py": "calibration",
    "documents/office.py": "document, docx",
    "documents/plain.py": "document, markdown",
    "documents/portable.py": "document, pdf",
    "documents/reading.py": "document, text",
    "documents/rows.py": "document, rows",
    "documents/web.py": "document, html",
    "examples.py": "training file, for examples",
    "fever8.py": "predictions, CSV of 2025",
    "files.py": "claims",
    "html/account.py": "trace, hashes made right",
    "index.py": "claim manifest, hash made right",
    "limits.py": "sites left out",
    "models/local.py": "record of a pull",
    "models/pull.py": "config of a model with code",
    "models/unpack.py": "model archive",
    "models/wheels.py": "wheel of a model",
    "prompts.py": "prompt template",
    "questions.py": "reply of a model",
    "reading.py": "reply of a model",
    "recipe.py": "recipe",
    "retrieval.py": "qrels, JSON lines",
    "run.py": "run.json, hash made right",
    "sealed.py": "index manifest, hash made right",
    "store.py": "store file, JSON lines",
    "submission.py": "predictions, JSON",
    "verify.py": "claim manifest, hash made right",
}
NOT_HOSTILE = {
    "backends/cpu.py": "reads what the kernel says of the processor",
    "doctor.py": "reads what the kernel says of the machine",
    "documents/apart.py": "reads what our own process answers",
    "documents/ingest.py": "reads a store that it wrote itself; its own tests damage it",
    "durable.py": "opens files to write them",
    "html/pages.py": "reads templates of the package",
    "trec.py": "writes and hashes rankings",
}


def test_every_module_that_reads_something_is_fuzzed_or_says_why_not():
    calls = ("read_bytes(", "read_text(", "open(", "loads(", "read_json(", "read_table(")
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if any(call in file.read_text(encoding="utf-8") for call in calls)
    }
    assert found == set(READ_BY) | set(NOT_HOSTILE)
    names = {name for name in READ_BY.values() if not name.startswith("document, ")}
    assert names <= set(READERS)  # those of documents need NLTK's data
