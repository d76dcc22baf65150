"""The short form of scripts/fuzz: every reader, some inputs, no fault and nothing read outside."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.fuzz.campaign import try_out
from tests.fuzz.guard import Trespass, only_inside
from tests.fuzz.readers import READERS
from uhhrag.errors import UhhragError

PACKAGE = Path(__file__).resolve().parents[1] / "uhhrag"


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_raises_nothing_but_our_errors_and_reads_only_its_input(name):
    reader = READERS[name]
    tally = try_out(reader, 30, 1)
    assert tally.faults == {}
    assert tally.inputs >= 30


def sealed(number: int, old: bytes, new: bytes, reader: str) -> tuple[str, bytes]:
    """A good input of a reader with a part of it changed, its hash made right."""
    seed = READERS[reader].seeds[number]
    assert old in seed
    return reader, READERS[reader].seal(seed.replace(old, new, 1))


FOUND = [
    ("timings, hashes made right", b"4\n"),
    sealed(0, b'"claim_id":0', b'"claim_id":{}', "timings, hashes made right"),
    sealed(0, b'"label":"', b'"lapel":"', "trace, hashes made right"),
    sealed(0, b'"urls":["', b'"url":["', "trace, hashes made right"),
    sealed(0, b'"format": ', b'"norm": ', "index manifest, hash made right"),
    sealed(0, b'"dimension": 16', b'"dimension": "16"', "index manifest, hash made right"),
    sealed(0, b'"text": "', b'"words": "', "claim manifest, hash made right"),
    (
        "index manifest, hash made right",
        READERS["index manifest, hash made right"].seal(b'{"recipe": [null]}'),
    ),
    ("passages.parquet, hash made right", b""),
    ("passages.parquet, hash made right", READERS["pages.parquet, hash made right"].seeds[0]),
    ("pages.parquet, hash made right", READERS["passages.parquet, hash made right"].seeds[0]),
    ("vectors.faiss, hash made right", b"IxFI" + b"\xff" * 41),
    ("training file, for calibrate", b'[{"claim": 0.5, "label": "Supported", "evidence": []}]'),
    sealed(0, b"m/a", b"m/\xff", "model archive"),
    sealed(0, b"p/x.py", b"p/\xff.py", "wheel of a model"),
    ("journal of a pull", b'{"done": Infinity, "lengths": {}}'),
    ("record of a pull", b'{"files": {"' + b"9" * 5000 + b'": {}, "../../../etc/passwd": {}}}'),
    ("config of a model with code", b""),
    ("config of a model with code", b"\x8c"),
    ("config of a model with code", b"4"),
    ("config of a model with code", b'{"auto_map": {"AutoModel": 0.5}}'),
    ("memory of replies", READERS["memory of replies"].seeds[0][:5000]),
    ("recipe", b"top_n = " + b"9" * 5000),
]


@pytest.mark.parametrize(("name", "content"), FOUND)
def test_what_was_found_once_is_read_or_refused(name, content, tmp_path):
    reader = READERS[name]
    reader.prepare(tmp_path)
    (tmp_path / reader.file).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / reader.file).write_bytes(content)
    try:
        reader.read(tmp_path)
    except UhhragError as error:
        assert "\n" not in str(error)


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
    "backends/bf16.py": "config of an embedder",
    "backends/kept.py": "memory of vectors",
    "backends/replies.py": "memory of replies",
    "backends/server.py": "reply of a server",
    "calibrate.py": "training file, for calibrate",
    "calibration.py": "calibration",
    "claims.py": "own claims, JSON lines",
    "documents/office.py": "document, docx",
    "documents/plain.py": "document, markdown",
    "documents/portable.py": "document, pdf",
    "documents/reading.py": "document, text",
    "documents/rows.py": "document, rows",
    "documents/web.py": "document, html",
    "examples.py": "training file, for examples",
    "fever8.py": "predictions, CSV of 2025",
    "files.py": "claims",
    "grades.py": "gold on the scale of six",
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
    "serve/desk.py": "desk of serve",
    "shelf.py": "own documents' store",
    "store.py": "store file, JSON lines",
    "submission.py": "predictions, JSON",
    "verify.py": "claim manifest, hash made right",
}
NOT_HOSTILE = {
    "backends/cpu.py": "reads what the kernel says of the processor",
    "cli/__init__.py": "opens /dev/null",
    "doctor.py": "reads what the kernel says of the machine",
    "documents/apart.py": "reads what our own process answers",
    "documents/ingest.py": "reads a store that it wrote itself; its own tests damage it",
    "durable.py": "opens files to write them",
    "html/pages.py": "reads templates of the package",
    "serve/queue.py": "opens an index, whose readers are here",
    "trec.py": "writes and hashes rankings",
}


def test_every_module_that_reads_something_is_fuzzed_or_says_why_not():
    calls = (
        "read_bytes(",
        "read_text(",
        "open(",
        "loads(",
        "read_json(",
        "read_table(",
        "sqlite3.connect(",
    )
    found = {
        file.relative_to(PACKAGE).as_posix()
        for file in PACKAGE.rglob("*.py")
        if any(call in file.read_text(encoding="utf-8") for call in calls)
    }
    assert found == set(READ_BY) | set(NOT_HOSTILE)
    names = {name for name in READ_BY.values() if not name.startswith("document, ")}
    assert names <= set(READERS)  # those of documents need NLTK's data
