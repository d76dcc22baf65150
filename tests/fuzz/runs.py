"""Readers of what the program wrote itself: runs and indexes, with their hashes made right too."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

import orjson

from tests.fuzz.reader import Reader, jsons
from tests.support import small_run
from tests.support.doubles import CLAIMS, FAKE, fake_embed
from uhhrag import folders
from uhhrag.documents.draft import Draft
from uhhrag.evidence.chunks import chunks_of
from uhhrag.evidence.context import Granularity, widen
from uhhrag.evidence.steps import as_evidence, locate
from uhhrag.formats.gold import Gold, GoldQuestion
from uhhrag.indexing import claim_index, index_folder
from uhhrag.records import Claim, Hit, Label, Page, Passage
from uhhrag.runs import run_folder, trace
from uhhrag.scores import ev2r_compare
from uhhrag.scores.bootstrap import Bootstrap
from uhhrag.system import checksummed_json
from uhhrag.system.decode import json_object
from uhhrag.views import html_pages, run_view, verdict_text
from uhhrag.views.run_view import annotated
from uhhrag.views.searched import Documents


def _run_files() -> dict[str, bytes]:
    with tempfile.TemporaryDirectory() as folder:
        list(small_run.run_all(Path(folder)))
        return {f.name: f.read_bytes() for f in Path(folder).iterdir() if f.is_file()}


_RUN = _run_files()
_TRACE = b"".join(_RUN["trace.jsonl"].splitlines(keepends=True)[:2])


def _checksummed_lines(content: bytes) -> bytes:
    lines = []
    for line in content.split(b"\n"):
        try:
            record = orjson.loads(line)
            record.pop("sha256", None)
            lines.append(trace.as_line(record).rstrip(b"\n"))
        except (ValueError, AttributeError, TypeError):
            lines.append(line)
    return b"\n".join(lines)


def _checksummed_header(content: bytes) -> bytes:
    try:
        header = orjson.loads(content)
        header.pop("seal", None)
        return run_folder.header_as_bytes(header)
    except (ValueError, AttributeError, TypeError):
        return content


def _open_run(folder: Path) -> object:
    list(folders.verify(folder, lambda memory: ""))
    with run_folder.open_run(folder, small_run.HEADER, overwrite=False, repair=False):
        view = run_view.read_run_view(folder)
    return verdict_text.summary(view, folder), html_pages.report(view)


def _fill_run(*left_out: str) -> Callable[[Path], object]:
    def fill(folder: Path) -> None:
        for name, content in _RUN.items():
            if name not in left_out:
                (folder / name).write_bytes(content)

    return fill


def _reopened(name: str) -> Callable[[Path], object]:
    """Open the run with the other files as they were."""

    def read(folder: Path) -> object:
        _fill_run(name)(folder)
        return _open_run(folder)

    return read


def _trace(folder: Path) -> object:
    list(trace.read_trace(folder / "trace.jsonl", repair=True))
    return _reopened("trace.jsonl")(folder)


# Indexes


def _index_files() -> dict[str, bytes]:
    """An index of one claim, written without the prefilter, which needs a model of language."""
    recipe = index_folder.IndexSettings(FAKE)
    pages = [Page("https://a.example", ("A cat sat there.", "The mat is red."), title="Cats")]
    hits = [Hit(Passage(line, (page.url,)), 1.0) for page in pages for line in page.lines]
    rows = fake_embed([hit.passage.text for hit in hits])
    files = index_folder.contents(hits, rows, pages)
    hashes = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    manifest = index_folder.ClaimManifest(
        CLAIMS[0], recipe, index_folder.Counts(1, 2, 2, 2, 0, 0), "", hashes
    )
    files[index_folder.MANIFEST] = index_folder.manifest_to_bytes(manifest)
    header = index_folder.manifest_to_bytes(index_folder.Header(recipe, "knowledge_store", 1, "0"))
    return {index_folder.MANIFEST: header} | {f"claims/0/{n}": c for n, c in files.items()}


_INDEX = _index_files()
_ENTRY = orjson.loads(_INDEX["claims/0/manifest.json"])
_ENTRY.pop("seal")


def _fill_index(folder: Path) -> None:
    for name, content in _INDEX.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def _checksummed(content: bytes) -> bytes:
    try:
        body = json.loads(content)
        body.pop("seal", None)
        return checksummed_json.to_bytes(body)
    except (ValueError, AttributeError, TypeError, RecursionError):
        return content


def _opened_index(folder: Path) -> object:
    list(folders.verify(folder, lambda memory: ""))
    opened = index_folder.open_index(folder)
    for manifest in opened.manifests:
        found = index_folder.load_claim(opened, manifest.claim.id)
        search = claim_index.search_in(found, small_run.hashing_embedder(16))
        search(manifest.claim.text, 5)
        evidence = tuple(as_evidence(hit, "Q?") for hit in found.hits)
        widen(locate(evidence, found.document), found.document, Granularity(1), "")
        chunks_of(found.hits, found.document, 9, len)
    return opened.claims


def _index_file(name: str) -> Callable[[Path], object]:
    """Read the index with this file of claim 0 and a manifest that vouches for it."""

    def read(folder: Path) -> object:
        content = (folder / "claims" / "0" / name).read_bytes()
        body = {
            **_ENTRY,
            "sha256": {**_ENTRY["sha256"], name: hashlib.sha256(content).hexdigest()},
        }
        manifest = folder / "claims" / "0" / "manifest.json"
        manifest.write_bytes(checksummed_json.to_bytes(body))
        return _opened_index(folder)

    return read


_GOLD = (Gold(Claim(0, "It rained."), Label.REFUTED, (GoldQuestion("Did it?", ()),)),)
_JUDGED = {
    "measure": "ev2r",
    "run": "runs/a",
    "judge": {"kind": "llm", "model": "m@1", "prompts": "ab"},
    "signature": "Ev2R",
    "beware": ["no evidence"],
    "per_claim": [
        {"id": 0, "claim": "It rained.", "right": True, "solved": None}
        | {"Q recall": 0.5, "Q precision": 1, "Q+A recall": None, "Q+A precision": None}
    ],
}


def _judged(folder: Path) -> object:
    run = ev2r_compare.read_judged(folder / "a.json", _GOLD)
    if run is None:
        return None
    compared = ev2r_compare.as_json(run, run, "gold.json", Bootstrap(resamples=5))
    return ev2r_compare.as_text(compared)


def _documents(folder: Path) -> object:
    return run_folder.read_part(folder / run_folder.SEARCHED, Documents)


def _draft(folder: Path) -> object:
    draft = run_folder.read_part(folder / run_folder.DRAFT, Draft)
    return draft and [list(annotated(draft, ())), asdict(draft)]


_BODY = jsons({"claim": "It rained.", "date": "2020-10-31", "target": "docs"})
_SEARCHED = jsons(
    {
        "files": 2,
        "documents": 2,
        "sentences": 9,
        "unread": {"a.pdf": "is damaged"},
        "left_out": 1,
        "other": {".csv": 1},
        "languages": {"b.txt": "German"},
        "partly": {"c.eml": "1 attachment is not read"},
    }
)
_DRAFT = jsons(
    {
        "name": "a.txt",
        "title": "",
        "language": "",
        "sentences": [
            {"text": "It rained.", "paragraph": 0, "why": "", "check": 0, "date": "2020-10-31"},
            {"text": "Did it?", "paragraph": 0, "why": "a question", "check": None},
        ],
    }
)

RUNS = (
    Reader("judged run", "a.json", (json.dumps(_JUDGED).encode(),), _judged),
    Reader("draft of a run", "article.json", (_DRAFT,), _draft),
    Reader("documents of a run", "documents.json", (_SEARCHED,), _documents),
    Reader(
        "body of a request",
        "body",
        (_BODY,),
        lambda folder: json_object((folder / "body").read_bytes()),
    ),
    Reader("trace", "trace.jsonl", (_TRACE,), _trace),
    Reader(
        "trace, hashes made right",
        "trace.jsonl",
        (_TRACE,),
        _trace,
        with_checksums=_checksummed_lines,
    ),
    Reader("run.json", "run.json", (_RUN["run.json"],), _reopened("run.json")),
    Reader(
        "run.json, hash made right",
        "run.json",
        (_RUN["run.json"],),
        _reopened("run.json"),
        with_checksums=_checksummed_header,
    ),
    Reader("timings", "timings.jsonl", (_RUN["timings.jsonl"],), _reopened("timings.jsonl")),
    Reader(
        "timings, hashes made right",
        "timings.jsonl",
        (_RUN["timings.jsonl"],),
        _reopened("timings.jsonl"),
        with_checksums=_checksummed_lines,
    ),
    Reader(
        "index manifest", "manifest.json", (_INDEX["manifest.json"],), _opened_index, _fill_index
    ),
    *(
        Reader(
            f"{name}, hash made right",
            file,
            (_INDEX[file],),
            _opened_index,
            _fill_index,
            _checksummed,
        )
        for name, file in (
            ("index manifest", "manifest.json"),
            ("claim manifest", "claims/0/manifest.json"),
        )
    ),
    *(
        Reader(
            f"{name}, hash made right",
            f"claims/0/{name}",
            (_INDEX[f"claims/0/{name}"],),
            _index_file(name),
            _fill_index,
        )
        for name in _ENTRY["sha256"]
    ),
)
