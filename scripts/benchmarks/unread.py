"""A corpus of generated passages whose files nobody reads: `scripts/bench corpus scale --unread`.

Reading a file, which happens in a process of its own, takes three quarters of the time of building;
it grows with the number of files alone. Here documents go straight into segments and full text, and
vectors mixed from real ones into their files, as the commands write them.
"""

from __future__ import annotations

import argparse
import itertools
import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import orjson

from scripts.benchmarks.inverted_lists import lists_of, mixed_rows
from scripts.benchmarks.shaped_documents import generated
from uhhrag.corpus.embedding import write_part
from uhhrag.corpus.file_table import FileRow
from uhhrag.corpus.following import COMMIT_PASSAGES
from uhhrag.corpus.manifest import Vectors
from uhhrag.corpus.writing import open_writer, put
from uhhrag.records import Page
from uhhrag.store.knowledge_store import page_of

Json = dict[str, Any]
_FILE = 5000
"""Documents of a file."""
_PART = 65_536
"""Vectors of a file."""


def write_unread(options: argparse.Namespace, corpus: Path) -> Json:
    """Write at least so many passages, SciFact's abstracts among them, and as many vectors; gives
    the seconds of the processor that each took."""
    real = [json.loads(line) for line in (options.data / "corpus.jsonl").open()]
    begun = time.process_time()
    write_text(corpus, options.passages, real)
    text = time.process_time() - begun
    begun = time.process_time()
    if options.mixed:
        write_vectors(options, corpus)
    return {
        "seconds of the processor to write documents and full text": round(text, 1),
        "and vectors with their lists": round(time.process_time() - begun, 1),
    }


def write_text(corpus: Path, wanted: int, real: Sequence[Json]) -> None:
    """The generated documents, in files of which each has some of the real ones; committed as often
    as `ingest` commits."""
    made, hidden = generated(real, 2 * wanted, seed=1), iter(real)
    share = -(-len(real) * _FILE * 2 // wanted)
    with open_writer(corpus, new=True) as writer:
        for number in itertools.count():
            if writer.state.passages + writer.waiting >= wanted:
                break
            rows = [*itertools.islice(made, _FILE), *itertools.islice(hidden, share)]
            first, name, lines, passages = writer.document, f"{number:05d}.jsonl", 0, 0
            for record, page in records(rows, name):
                passages += writer.add(record, page)
                lines += len(page.lines)
            row = FileRow(0, name, 0, 0, "", "", first, len(rows), lines, passages)
            writer.rows[0, name] = row
            if writer.waiting >= COMMIT_PASSAGES:
                writer.commit(folders=("generated",))
        writer.commit(folders=("generated",))


def records(rows: Iterable[Json], file: str) -> Iterator[tuple[Json, Page]]:
    """The rows as records of a store, and as pages."""
    for row in rows:
        record = {
            "url": row.get("url") or f"file:{file}#{row.get('doc_id', row.get('_id'))}",
            "url2text": row["abstract"],
            "title": row["title"],
            "date": row.get("date", ""),
            "file": file,
        }
        page = page_of(orjson.dumps(record), file)
        if not isinstance(page, Page):
            raise SystemExit(f"corpus: {page.place}: {page.why}")
        yield record, page


def write_vectors(options: argparse.Namespace, corpus: Path) -> None:
    """The vectors and lists that `lists` measures, for the first passages of the corpus."""
    rows, embedder = mixed_rows(options.mixed, options.passages)
    made, _ = lists_of(options, rows)
    with open_writer(corpus) as writer:
        parts = tuple(
            write_part(corpus, start, rows[start : start + _PART])
            for start in range(0, len(rows), _PART)
        )
        os.link(options.work / "vectors" / made.name, corpus / "vectors" / made.name)
        vectors = Vectors(embedder, parts, made)
        put(corpus, replace(writer.state, number=writer.state.number + 1, vectors=vectors))
