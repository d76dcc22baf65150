"""The passages of a corpus in a table of LanceDB, searched in the place of its own engines: a
backend for corpora too large for one workstation. The table is in a folder; addresses of stores
elsewhere are refused, since a corpus that somebody gives to you could name one.

The table has the words of each passage as `text_index` makes them, and its vector; documents stay
in the corpus. It is of one state, whose digest stands in its metadata. A table that is written anew
keeps its older versions for a day, so that whoever reads one is not disturbed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from uhhrag.corpus.embedding import EXACT, lists_of
from uhhrag.corpus.filters import DocumentFilter
from uhhrag.corpus.manifest import Published, Vectors
from uhhrag.corpus.snapshot import Snapshot, open_corpus
from uhhrag.corpus.text_index import LONGEST_WORD, TextFilter, analyzer, hosts_above, words_of
from uhhrag.corpus.vector_index import CorpusVectors
from uhhrag.corpus.windows import text_of
from uhhrag.corpus.writing import open_writer, put
from uhhrag.errors import IndexFault, UsageError, first_line
from uhhrag.system.extras import OptionalModule

if TYPE_CHECKING:
    import lancedb
    import lancedb.index as lance_index
else:
    lancedb = OptionalModule("lancedb", "lance", "tables of LanceDB")
    lance_index = OptionalModule("lancedb.index", "lance", "tables of LanceDB")

os.environ.setdefault("LANCEDB_LOG", "error")  # else it warns that a table is made
TABLE = "passages"
_STATE = b"uhhrag-state"
AT_ONCE = 8192
"""Passages that are written at once."""
_PROBED = 32
"""Inverted lists that a search looks into."""
_COMPARED = 4
"""Rows that are compared exactly, for each that is wanted."""
_KEPT = timedelta(days=1)


def publish(folder: Path, place: Path) -> Iterator[int]:
    """Write the passages of a corpus into the table in the folder `place`, which is searched from
    then on until the corpus changes; gives the number of each passage as it is written. More than
    `EXACT` vectors get inverted lists. Raises what `open_writer` raises, and UsageError where the
    table cannot be written."""
    with open_writer(folder):
        snapshot = open_corpus(folder)
        with _engine(str(place), UsageError, "cannot be written"):
            table = lancedb.connect(place).create_table(
                TABLE, schema=_schema(snapshot), mode="overwrite"
            )
            yield from _fill(table, snapshot)
            _index(table, snapshot.manifest.vectors)
            table.optimize(cleanup_older_than=_KEPT)
            version = int(table.version)
        number = snapshot.manifest.number + 1
        published = Published(str(place.resolve()), version, snapshot.digest, number)
        put(folder, replace(snapshot.manifest, number=number, published=published))


def withdraw(folder: Path) -> None:
    """Let a corpus be searched by its own engines again; the table stays. Raises what `open_writer`
    raises."""
    with open_writer(folder) as writer:
        put(folder, replace(writer.state, number=writer.state.number + 1, published=None))


def _fill(table: Any, snapshot: Snapshot) -> Iterator[int]:
    numbers = np.flatnonzero(snapshot.live[snapshot.document])
    vectors = snapshot.manifest.vectors
    rows = CorpusVectors(snapshot, vectors) if vectors and vectors.parts else None
    for start in range(0, len(numbers), AT_ONCE):
        part = numbers[start : start + AT_ONCE]
        table.add(_rows(snapshot, rows, part, table.schema))
        yield from part.tolist()


def _index(table: Any, vectors: Vectors | None) -> None:
    table.create_index("words", config=_full_text())
    listed = vectors.passages if vectors else 0
    if listed > EXACT:
        lists = lance_index.IvfSq(distance_type="dot", num_partitions=lists_of(listed))
        table.create_index("vector", config=lists)


def _schema(snapshot: Snapshot) -> pa.Schema:
    """The columns of the table, and the state that it is of."""
    columns = {
        "passage": pa.int64(),
        "document": pa.int64(),
        "day": pa.int32(),
        "file_day": pa.int32(),
        "hosts": pa.list_(pa.string()),
        "file": pa.string(),
        "words": pa.string(),
    }
    vectors = snapshot.manifest.vectors
    if vectors and vectors.parts:
        columns["vector"] = pa.list_(pa.float16(), vectors.embedder.dimension)
    return pa.schema(list(columns.items()), metadata={_STATE: snapshot.digest.encode()})


def _rows(
    snapshot: Snapshot, vectors: CorpusVectors | None, numbers: NDArray[np.int64], schema: pa.Schema
) -> pa.Table:
    """These passages as rows of the table; the vector of one that has none yet is null."""
    cutter = analyzer()
    documents = snapshot.document[numbers]
    day = snapshot.day[documents]
    hosts = snapshot.hosts.take(pa.array(documents)).to_pylist()
    texts, files = [], []
    for number in numbers.tolist():
        page, place = snapshot.passage(number)
        texts.append(" ".join(cutter.analyze(text_of(page.title, page.part(place)))))
        files.append(page.file)
    columns: list[Any] = [
        pa.array(numbers),
        pa.array(documents, pa.int64()),
        pa.array(np.maximum(day, 0)),
        pa.array(np.abs(day)),
        pa.array([hosts_above(host) for host in hosts], pa.list_(pa.string())),
        pa.array(files, pa.string()),
        pa.array(texts, pa.string()),
    ]
    if vectors:
        kind = schema.field("vector").type
        there = vectors.rows(numbers[numbers < vectors.passages])
        made = pa.FixedSizeListArray.from_arrays(pa.array(there.ravel()), kind.list_size)
        columns.append(pa.concat_arrays([made, pa.nulls(len(numbers) - len(there), kind)]))
    return pa.table(columns, schema=schema)


def _full_text() -> Any:
    """How the table's words are indexed: as they stand, since they are stems already."""
    return lance_index.FTS(
        base_tokenizer="whitespace",
        max_token_length=4 * LONGEST_WORD,
        lower_case=False,
        stem=False,
        remove_stop_words=False,
        ascii_folding=False,
    )


class PublishedPassages:
    """The table of a state, opened. Raises IndexFault where it is gone or of another state."""

    def __init__(self, snapshot: Snapshot, published: Published) -> None:
        self._place = published.folder
        self._advice = f"run: uhhrag corpus publish {snapshot.folder}, with --to or --withdraw"
        self._analyzer = analyzer()
        if not Path(self._place).is_absolute():
            raise IndexFault(f"{self._place}: is no folder of this machine; {self._advice}")
        with self._reading():
            self._table: Any = lancedb.connect(Path(self._place)).open_table(TABLE)
            self._table.checkout(published.version)
            state = (self._table.schema.metadata or {}).get(_STATE, b"").decode()
        if state != published.digest:
            raise IndexFault(
                f"{self._place}: its table is of another state of {snapshot.folder}; {self._advice}"
            )

    def search(self, query: str, depth: int, leaving_out: DocumentFilter) -> NDArray[np.int64]:
        """The numbers of the `depth` best passages by BM25, best first; ties by number."""
        words = words_of(self._analyzer, query)
        if not words or depth < 1:
            return np.empty(0, np.int64)
        with self._reading():
            asked = self._table.search(" ".join(words), query_type="fts", fts_columns="words")
            return _best(asked, "_score", -1, depth, leaving_out.text)

    def nearest(
        self, vector: NDArray[np.float32], depth: int, leaving_out: DocumentFilter
    ) -> NDArray[np.int64]:
        """The numbers of the passages whose vectors have the greatest cosine with `vector`, best
        first; ties by number."""
        if depth < 1:
            return np.empty(0, np.int64)
        with self._reading():
            asked = self._table.search(vector, query_type="vector", vector_column_name="vector")
            asked = asked.distance_type("dot").nprobes(_PROBED).refine_factor(_COMPARED)
            return _best(asked, "_distance", 1, depth, leaving_out.text)

    def _reading(self) -> Any:
        return _engine(self._place, IndexFault, "its table cannot be read", self._advice)


def _best(
    asked: Any, column: str, sign: int, depth: int, leaving_out: TextFilter
) -> NDArray[np.int64]:
    """The passages that a query of the table gives; least of `sign` times a column first."""
    if condition := condition_of(leaving_out):
        asked = asked.where(condition, prefilter=True)
    rows = asked.limit(depth).select(["passage", column]).to_arrow()
    numbers, values = (rows[name].to_numpy() for name in ("passage", column))
    best: NDArray[np.int64] = numbers[np.lexsort((numbers, sign * values))]
    return best


def condition_of(leaving_out: TextFilter) -> str:
    """A filter as LanceDB is told it, "" where nothing is left out.

    >>> condition_of(TextFilter(files=("it's.txt",)))
    "file IN ('it''s.txt')"

    >>> condition_of(TextFilter(last_day=20201031, undated=False, hosts=("a.example",)))
    "day >= 1 AND day <= 20201031 AND NOT array_has_any(hosts, ['a.example'])"
    """
    day = "file_day" if leaving_out.file_dates else "day"
    conditions = [] if leaving_out.undated else [f"{day} >= 1"]
    if leaving_out.last_day is not None:
        conditions.append(f"{day} <= {leaving_out.last_day}")
    if leaving_out.hosts:
        conditions.append(f"NOT array_has_any(hosts, [{_listed(leaving_out.hosts)}])")
    if leaving_out.without:
        conditions.append(f"document NOT IN ({', '.join(map(str, leaving_out.without))})")
    if leaving_out.files is not None:
        conditions.append(
            f"file IN ({_listed(leaving_out.files)})" if leaving_out.files else "false"
        )
    return " AND ".join(conditions)


def _listed(values: Sequence[str]) -> str:
    quoted = (value.replace("'", "''") for value in values)
    return ", ".join(f"'{value}'" for value in quoted)


@contextmanager
def _engine(
    place: str, kind: type[UsageError] | type[IndexFault], what: str, advice: str = ""
) -> Iterator[None]:
    """What LanceDB raises, as one line: its errors have no common class."""
    try:
        yield
    except (UsageError, IndexFault, MemoryError):
        raise
    except Exception as error:
        then = f"; {advice}" if advice else ""
        raise kind(f"{place}: {what} ({first_line(error)[:200]}){then}") from error
