"""The short form of scripts/fuzz: every reader, some inputs, no fault and nothing read outside."""

from __future__ import annotations

import socket
import subprocess
import sys

import pytest

from tests.fuzz.campaign import try_out
from tests.fuzz.guard import Trespass, only_inside
from tests.fuzz.readers import READERS
from tests.support.paths import ROOT
from uhhrag.errors import UhhragError

pytestmark = pytest.mark.slow

PACKAGE = ROOT / "uhhrag"
INPUTS = 10


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")
@pytest.mark.parametrize("name", READERS)
def test_a_reader_raises_nothing_but_our_errors_and_reads_only_its_input(name):
    reader = READERS[name]
    tally = try_out(reader, INPUTS, 1)
    assert tally.faults == {}
    assert tally.inputs >= INPUTS


def checksummed(number: int, old: bytes, new: bytes, reader: str) -> tuple[str, bytes]:
    """A good input of a reader with a part of it changed, its hash made right."""
    seed = READERS[reader].seeds[number]
    assert old in seed
    return reader, READERS[reader].with_checksums(seed.replace(old, new, 1))


FOUND = [
    ("timings, hashes made right", b"4\n"),
    checksummed(0, b'"claim_id":0', b'"claim_id":{}', "timings, hashes made right"),
    checksummed(0, b'"label":"', b'"lapel":"', "trace, hashes made right"),
    checksummed(0, b'"urls":["', b'"url":["', "trace, hashes made right"),
    checksummed(0, b'"format": ', b'"norm": ', "index manifest, hash made right"),
    checksummed(0, b'"dimension": 16', b'"dimension": "16"', "index manifest, hash made right"),
    checksummed(0, b'"text": "', b'"words": "', "claim manifest, hash made right"),
    (
        "index manifest, hash made right",
        READERS["index manifest, hash made right"].with_checksums(b'{"recipe": [null]}'),
    ),
    ("passages.parquet, hash made right", b""),
    ("passages.parquet, hash made right", READERS["pages.parquet, hash made right"].seeds[0]),
    ("pages.parquet, hash made right", READERS["passages.parquet, hash made right"].seeds[0]),
    ("vectors.faiss, hash made right", b"IxFI" + b"\xff" * 41),
    ("training file, for calibrate", b'[{"claim": 0.5, "label": "Supported", "evidence": []}]'),
    checksummed(0, b"p/x.py", b"p/\xff.py", "wheel of a model"),
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
        (folder / reader.file).write_bytes(reader.with_checksums(seed))
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
    "documents/first_bytes.py": "document, text",
    "backends/bert_files.py": "config of an embedder",
    "backends/sqlite_cache.py": "memory of vectors",
    "backends/reply_cache.py": "memory of replies",
    "backends/http.py": "reply of a server",
    "training/calibration.py": "training file, for calibrate",
    "voters/calibration.py": "calibration",
    "documents/claim_list.py": "own claims, JSON lines",
    "workflows/given.py": "own claims, JSON lines",
    "documents/plain/text.py": "document, markdown",
    "documents/sheets/xlsx.py": "document, xlsx",
    "documents/archive.py": "document, xlsx",
    "documents/sheets/delimited.py": "document, table",
    "documents/office/rtf.py": "document, rtf",
    "documents/bundles/mail.py": "document, mail",
    "documents/scans.py": "document, scan",
    "documents/reader_process.py": "document, text",
    "documents/web/jsonl.py": "document, rows",
    "documents/bundles/feeds.py": "document, feed",
    "documents/web/html.py": "document, html",
    "prompts/few_shot.py": "training file, for examples",
    "formats/claim_reviews.py": "checked claims, hash made right",
    "formats/submission.py": "predictions, CSV of 2025",
    "system/text_files.py": "claims",
    "scores/six_point.py": "gold on the scale of six",
    "indexing/index_folder.py": "claim manifest, hash made right",
    "indexing/page_table.py": "passages.parquet, hash made right",
    "documents/web/markup.py": "document, docbook",
    "documents/pdf/reader.py": "document, pdf",
    "documents/plain/transcripts.py": "document, subtitles",
    "documents/bundles/web_archive.py": "document, warc",
    "store/filters.py": "sites left out",
    "models/local.py": "record of a pull",
    "models/pull.py": "config of a model with code",
    "models/wheels.py": "wheel of a model",
    "prompts/templates.py": "prompt template",
    "evidence/questions.py": "reply of a model",
    "system/decode.py": "reply of a model",
    "config/recipe.py": "recipe",
    "formats/trec.py": "qrels, JSON lines",
    "runs/run_folder.py": "run.json, hash made right",
    "runs/trace.py": "trace, hashes made right",
    "system/checksummed_json.py": "index manifest, hash made right",
    "formats/linked_data.py": "reviews of claims, JSON-LD",
    "serve/database.py": "desk of serve",
    "serve/draft_table.py": "desk of serve",
    "system/checksums.py": "own documents' store",
    "store/knowledge_store.py": "store file, JSON lines",
    "store/claim_files.py": "store zip",
    "formats/fields.py": "predictions, JSON",
    "runs/verify.py": "trace, hashes made right",
    "backends/verifier_files.py": "settings of a verifier",
    "training/pairs.py": "pairs of evidence and claim",
    "rules/learned_files.py": "learned verdicts",
    "serve/api.py": "body of a request",
    "archive/manifest.py": "manifest of a corpus, hash made right",
    "scores/ev2r_compare.py": "saved scores of Ev2R",
}
NOT_HOSTILE = {
    "backends/nli.py": "reads the config of a folder that transformers opens next",
    "assistants/tools.py": "reads the schema of the package",
    "models/bundle.py": "reads wheels that pip has just made",
    "workflows/documents.py": "looks for names in traces, whose readers are here",
    "workflows/claims.py": "reads files for the reader of reviews, which is fuzzed",
    "documents/pandoc/program.py": "reads what pandoc answers; documents are fuzzed by format",
    "serve/desk_file.py": "opens the desk, which is fuzzed",
    "system/own_code.py": "reads the source of the program's own functions",
    "wiring/run_header.py": "reads our own source",
    "system/spare.py": "opens folders of its own",
    "system/writing.py": "opens files to write them",
    "wiring/voters.py": "opens voters, which read nothing",
    "archive/embedding.py": "reads vectors that it is just writing",
    "archive/file_table.py": "reads what the manifest names by its SHA-256; its tests damage it",
    "archive/updating.py": "reads a spool that it is just writing",
    "archive/segments.py": "reads what the manifest names by its SHA-256; its tests damage it",
    "archive/text_index.py": "opens an index of tantivy that the manifest names by its SHA-256",
    "archive/verify.py": "hashes files",
    "scores/verifier_judge.py": "reads numbers of the package",
    "backends/cpu_features.py": "reads what the kernel says of the processor",
    "backends/embedding_model.py": "reads files with which the library has loaded a model before",
    "backends/llamacpp/free_cores.py": "reads what the kernel says of the processor's time",
    "backends/llamacpp/heads.py": "reads what it wrote, with a checksum",
    "cli/__init__.py": "opens /dev/null",
    "system/hardware.py": "reads what the kernel says of the machine",
    "documents/collections.py": "reads a name that it wrote itself; its tests damage it",
    "serve/library.py": "reads outcomes that it wrote itself; its tests damage them",
    "serve/model_fetch.py": "starts a process of ours and shows its lines",
    "serve/sample.py": "reads the sample of the package",
    "documents/ocr.py": "reads pixels that our own process drew, and what Tesseract says of them",
    "documents/listing.py": "looks for words in the first bytes of files of ours",
    "documents/draft.py": "reads what our own process answers",
    "documents/helper_process.py": "starts our own processes and reads what they answer",
    "documents/reader_client.py": "reads what our own process answers",
    "system/atomic.py": "opens files to write them",
    "system/machine_cache.py": "reads facts that it wrote itself; its tests damage them",
    "system/locks.py": "opens lock files and reads nothing of them",
    "views/html_pages.py": "reads templates of the package",
    "serve/targets.py": "reads a picture that our own process drew",
    "serve/quotations.py": "reads entries of the desk, which it checks",
    "serve/worker.py": "opens an index, whose readers are here",
    "backends/adapter_runs.py": "reads checkpoints that the trainer wrote",
    "backends/adapter.py": "reads an adapter, which the verifier's tests damage",
    "backends/kernels.py": "reads what its own process prints",
    "backends/static_vectors.py": "reads its own table and a model that is hashed first",
    "backends/mpnet.py": "reads files with which the library has loaded a model before",
    "wiring/verifiers.py": "reads the plan of a training that it wrote itself",
    "training/score.py": "one object of texts, by read_json, which is fuzzed; refuses all else",
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
