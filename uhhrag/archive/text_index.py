"""BM25 over stems by tantivy, one index with global word weights. tantivy deletes merged files, so
each state is a folder of hard links."""

from __future__ import annotations

import errno
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from uhhrag.archive.manifest import FileSet, fault
from uhhrag.archive.segments import entry_of
from uhhrag.errors import IndexFault, first_line
from uhhrag.system import atomic
from uhhrag.system.extras import OptionalModule
from uhhrag.system.spare import spare_folder
from uhhrag.system.text_files import encodable

if TYPE_CHECKING:
    import tantivy
else:
    tantivy = OptionalModule("tantivy", "corpus", "archives")

ANALYSIS = "english-1"
"""Changes when texts give other words."""
_MEMORY = 128 * 2**20
"""Bytes gathered before writing."""
_FULL = 2**20
"""A disk with fewer free bytes counts as full."""
_MAX_WORDS = 256
"""Per query."""
MAX_WORD_CHARS = 60
_WORDS = "words"
_LOCKS = ".tantivy-*.lock"
_SYSTEM = re.compile(r"(?:os error |code: )(\d+)")
_REFUSALS = (
    *(errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM, errno.EIO),
    *(errno.EMFILE, errno.ENFILE, errno.ENOMEM),
)
"""System errors that no repair mends."""


@dataclass(frozen=True, slots=True)
class TextFilter:
    last_day: int | None = None
    """As 20201031; later documents are left out."""
    undated: bool = True
    file_dates: bool = False
    """Dates from file metadata count."""
    hosts: tuple[str, ...] = ()
    """Left out, with all below."""
    without: tuple[int, ...] = ()
    """Document numbers left out."""
    files: tuple[str, ...] | None = None
    """None for all."""

    def __bool__(self) -> bool:
        return self != TextFilter()


class TextWriter:
    def __init__(self, root: Path, name: str, previous: FileSet | None) -> None:
        self.folder = root / name
        self.folder.mkdir(parents=True)
        self._previous = previous
        if previous:
            for file in previous.files:
                _link(root / previous.name / file, self.folder / file)
        with _engine(self.folder):
            self._index = tantivy.Index(_schema(), path=str(self.folder))
            self._index.register_tokenizer(_WORDS, analyzer())
            self._writer = self._index.writer(_MEMORY, 1)

    def add(self, passage: int, document: int, day: int, host: str, file: str, text: str) -> None:
        """`day` as in `segments.day_of`."""
        fields = {
            "passage": passage,
            "document": document,
            "day": max(day, 0),
            "file_day": abs(day),
            "host": hosts_above(host),
            "file": file,
            "body": text,
        }
        with _engine(self.folder):
            self._writer.add_document(tantivy.Document.from_dict(fields, self._index.schema))

    def delete(self, document: int, documents: int) -> None:
        if documents:
            query = _between(self._index.schema, "document", document, document + documents - 1)
            with _engine(self.folder):
                self._writer.delete_documents_by_query(query)

    def finish(self) -> FileSet:
        """Forces all to disk."""
        with _engine(self.folder):
            self._writer.commit()
            self._writer.wait_merging_threads()
        for lock in self.folder.glob(_LOCKS):
            lock.unlink()
        atomic.sync(self.folder)
        before = self._previous.files.items() if self._previous else ()
        # tantivy rewrites its JSON files only.
        kept = {name: entry for name, entry in before if not name.endswith(".json")}
        files = sorted(self.folder.iterdir())
        return FileSet(self.folder.name, {f.name: kept.get(f.name) or entry_of(f) for f in files})


def _link(source: Path, target: Path) -> None:
    """Links are safe: tantivy replaces whole files."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copyfile(source, target)


class TextReader:
    """Readable after deletion. Raises IndexFault, or FileNotFoundError if gone."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "meta.json").exists():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))
        self.folder = folder
        # tantivy locks the folder that it opens, so it gets one of links. Its thread may lock again
        # while that is deleted.
        with spare_folder() as spare, _engine(folder):
            files = set(folder.iterdir()) - set(folder.glob(_LOCKS))
            for file in files:
                (spare / file.name).symlink_to(file.resolve())
            index = tantivy.Index.open(str(spare))
            self._analyzer = analyzer()
            self._schema = index.schema
            self._searcher = index.searcher()
            # If a writer deletes a file of positions meanwhile, tantivy opens the rest and fails at
            # the first search.
            if not all(file.exists() for file in files):
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(folder))

    def search(self, query: str, depth: int, leaving_out: TextFilter) -> NDArray[np.int64]:
        """Passages with any word of the query, best first, ties by number."""
        words = words_of(self._analyzer, query)
        if not words or depth < 1:
            return np.empty(0, np.int64)
        with _engine(self.folder):
            hits = self._searcher.search(self._query(words, leaving_out), depth, count=False).hits
            numbers = self._searcher.fast_field_values("passage", [place for _, place in hits])
        passages = np.array(numbers, np.int64)
        return passages[np.lexsort((passages, [-score for score, _ in hits]))]

    def _query(self, words: Sequence[str], leaving_out: TextFilter) -> tantivy.Query:
        schema, query = self._schema, tantivy.Query
        terms = (query.term_query(schema, "body", word, index_option="freq") for word in words)
        some = query.boolean_query([(tantivy.Occur.Should, term) for term in terms])
        if not leaving_out:  # of these alone tantivy skips those that cannot be among the best
            return some
        clauses = [(tantivy.Occur.Must, some)]
        for field, values in (("host", leaving_out.hosts), ("document", leaving_out.without)):
            if values:
                without = query.term_set_query(schema, field, list(values))
                clauses.append((tantivy.Occur.MustNot, without))
        if leaving_out.files is not None:
            clauses.append(_unscored(query.term_set_query(schema, "file", list(leaving_out.files))))
        if leaving_out.last_day is not None or not leaving_out.undated:
            first, last = int(not leaving_out.undated), leaving_out.last_day or 99991231
            day = "file_day" if leaving_out.file_dates else "day"
            clauses.append(_unscored(_between(schema, day, first, last)))
        return query.boolean_query(clauses)


def words_of(analyzer: tantivy.TextAnalyzer, query: str) -> list[str]:
    """Distinct, without lone surrogates."""
    text = encodable(query)
    return list(dict.fromkeys(analyzer.analyze(text)))[:_MAX_WORDS]


def _unscored(query: tantivy.Query) -> tuple[tantivy.Occur, tantivy.Query]:
    return tantivy.Occur.Must, tantivy.Query.const_score_query(query, 0.0)


def _between(schema: tantivy.Schema, field: str, first: int, last: int) -> tantivy.Query:
    return tantivy.Query.range_query(schema, field, tantivy.FieldType.Unsigned, first, last)


def analyzer() -> tantivy.TextAnalyzer:
    """English stems (without: nDCG@10 .667 on SciFact's claims), no accents or stop words."""
    steps = (
        tantivy.Filter.remove_long(MAX_WORD_CHARS),
        tantivy.Filter.lowercase(),
        tantivy.Filter.ascii_fold(),
        tantivy.Filter.stopword("english"),
        tantivy.Filter.stemmer("english"),
    )
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for step in steps:
        builder = builder.filter(step)
    return builder.build()


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_unsigned_field("passage", fast=True)
    builder.add_unsigned_field("document", indexed=True, fast=True)
    builder.add_unsigned_field("day", indexed=True, fast=True)
    builder.add_unsigned_field("file_day", indexed=True, fast=True)
    builder.add_text_field("host", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("file", tokenizer_name="raw", index_option="basic")
    builder.add_text_field("body", tokenizer_name=_WORDS, index_option="freq")
    return builder.build()


def hosts_above(host: str) -> list[str]:
    """
    >>> hosts_above("news.a.example")
    ['news.a.example', 'a.example', 'example']
    """
    parts = host.split(".") if host else []
    return [".".join(parts[at:]) for at in range(len(parts))]


@contextmanager
def _engine(folder: Path) -> Iterator[None]:
    """Raises OSError if the system refuses, IndexFault for other errors of tantivy."""
    try:
        yield
    except (ValueError, OSError) as error:
        if isinstance(error, OSError) and error.errno in (*_REFUSALS, errno.ENOENT):
            raise
        said = _SYSTEM.search(str(error))
        code = int(said[1]) if said else 0
        # A thread of tantivy's may end without telling why.
        if "thread" in str(error) and shutil.disk_usage(folder).free < _FULL:
            code = errno.ENOSPC
        if code in _REFUSALS:
            raise OSError(code, os.strerror(code), str(folder)) from error
        raise _damaged(folder, error) from error
    except BaseException as error:
        if type(error).__name__ != "PanicException":  # what a fault in Rust is raised as
            raise
        raise _damaged(folder, error) from error


def _damaged(folder: Path, error: BaseException) -> IndexFault:
    why = f"the full-text index cannot be used ({first_line(error)[:200]})"
    return fault(folder, why, folder.parents[1])
