"""Collections, read one at a time in a thread; claims use the last reading."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Container, Mapping
from contextlib import closing, suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from uhhrag.archive import manifest
from uhhrag.archive.snapshot import Snapshot, open_snapshot
from uhhrag.archive.updating import UpdateOptions, follow_folder
from uhhrag.documents import collections as shelf
from uhhrag.documents.changed import FileOutcome, FileState
from uhhrag.documents.collections import Collection
from uhhrag.documents.listing import DocumentFile, display_path, list_documents
from uhhrag.errors import IndexFault, reason_of
from uhhrag.pipeline import Method
from uhhrag.serve.targets import CorpusFor, Doing, OpenArchive, QuickSearch, Target, of_archive
from uhhrag.system import writing
from uhhrag.system.decode import shaped
from uhhrag.system.terminal import printable
from uhhrag.system.text_files import write_text
from uhhrag.views.searched import Documents, documents_of
from uhhrag.wiring.pipeline import forget

_STOPPED = "stopped; what was read until then can be used"
_ARCHIVE, _OUTCOMES = "archive", "files.json"
READ = (FileState.READ, FileState.KEPT)


@dataclass(frozen=True, slots=True)
class Reading:
    done: int = 0
    total: int = 0
    file: str = ""
    over: bool = False
    fault: str = ""


@dataclass(frozen=True, slots=True)
class KeptOutcome:
    outcome: FileOutcome
    size: int
    mtime_ns: int

    def is_of(self, file: DocumentFile | None) -> bool:
        return file is not None and (self.size, self.mtime_ns) == (file.size, file.mtime_ns)


class Library:
    """Thread-safe. `ahead` loads models while documents are read. Whatever checks keep, such as
    vectors, goes with deleted documents, which it may be of."""

    def __init__(
        self,
        home: Path,
        nltk_data: Callable[[], Path],
        load: OpenArchive,
        header: Callable[[Snapshot], Mapping[str, Any]] = lambda snapshot: {},
        search: QuickSearch = lambda documents: None,
        ahead: Callable[[], None] = lambda: None,
    ) -> None:
        self.home = home
        self._nltk_data, self._load, self._header = nltk_data, load, header
        self._search, self._ahead = search, ahead
        self._readings: dict[str, Reading] = {}
        self._targets: dict[str, tuple[tuple[int, ...], Target | None]] = {}
        self._wanted: dict[str, bool] = {}
        self._read_so_far: dict[str, dict[str, KeptOutcome]] = {}
        self._change = threading.Condition()
        self._current, self._stopping, self._over = "", False, False
        self._thread = threading.Thread(target=self._run, name="reading", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self, wait: float) -> None:
        """End after the current file; what was read is kept."""
        with self._change:
            self._over = True
            self._change.notify_all()
        if self._thread.is_alive():
            self._thread.join(wait)

    def collections(self) -> list[Collection]:
        return shelf.every_collection(self.home)

    def find(self, key: str) -> Collection | None:
        return shelf.find_collection(self.home, key)

    def read(self, key: str, *, again: bool = False) -> None:
        """Queue new and changed files, or with `again` all."""
        with self._change:
            reading = self._readings.get(key)
            if reading is None or reading.over:
                self._readings[key] = Reading()
            self._wanted[key] = again or self._wanted.get(key, False)
            self._change.notify_all()

    def stop_reading(self, key: str) -> None:
        """End after the current file."""
        with self._change:
            self._wanted.pop(key, None)
            if key == self._current:
                self._stopping = True
            elif reading := self._readings.get(key):
                self._readings[key] = replace(reading, over=True)

    def reading(self, key: str) -> Reading | None:
        """The running or last one."""
        return self._readings.get(key)

    def delete(self, collection: Collection) -> None:
        self.stop_reading(collection.key)
        with self._change:
            self._targets.pop(collection.key, None)
            self._readings.pop(collection.key, None)
        shelf.delete_collection(collection)
        forget(self.home)

    def files(self, collection: Collection) -> dict[str, FileOutcome | None]:
        """By percent-encoded name, sorted; None if new or changed."""
        with self._change:
            under_way = self._read_so_far.get(collection.key)
            known = _kept(collection) if under_way is None else dict(under_way)
        files: dict[str, FileOutcome | None] = {}
        for file in list_documents(collection.files).files:
            before = known.get(file.name)
            files[file.name] = before.outcome if before and before.is_of(file) else None
        return files

    def gone(self, collection: Collection, present: Container[str]) -> int:
        """Number of read files that are no longer `present`."""
        known = _kept(collection).items()
        return sum(name not in present and one.outcome.state in READ for name, one in known)

    def targets(self) -> dict[str, Target]:
        """Collections with something read."""
        targets = {one.key: self._target(one) for one in self.collections()}
        return {key: target for key, target in targets.items() if target}

    def _target(self, collection: Collection) -> Target | None:
        archive, outcomes = collection.work / _ARCHIVE, collection.work / _OUTCOMES
        try:
            written = (archive / manifest.NAME).stat()
            state = written.st_mtime_ns, written.st_ino, outcomes.stat().st_mtime_ns
        except OSError:
            return None
        with self._change:
            before = self._targets.get(collection.key)
        if before and before[0] == state:
            return before[1]
        try:
            target = self._made(collection, archive)
        except IndexFault as fault:  # each check says how; it may be repaired
            return _damaged(collection, fault)
        with self._change:
            self._targets[collection.key] = (state, target)
        return target

    def _made(self, collection: Collection, archive: Path) -> Target | None:
        """None if nothing was read. Raises IndexFault."""
        snapshot = open_snapshot(archive)
        counts = snapshot.manifest.counts
        if not counts.documents:
            return None
        outcomes = [one.outcome for one in _kept(collection).values()]

        def about() -> Documents:
            listed = list_documents(collection.files)
            return documents_of(listed, outcomes, counts, snapshot.files)

        name, files, header = collection.name, collection.files, partial(self._header, snapshot)
        return of_archive(snapshot, name, self._load, header, about, self._search, files)

    def _run(self) -> None:
        while (work := self._next()) is not None:
            key, again = work
            collection = self.find(key)
            if collection is None:
                continue
            try:
                self._read(collection, again=again)
                fault = ""
            # A panic in a Rust library is no Exception.
            except BaseException as error:  # noqa: BLE001 - the others must still be read
                fault = printable(reason_of(error))
            with self._change:
                fault = fault or (_STOPPED if self._stopping else "")
                self._current, self._stopping = "", False
                now = self._readings.get(key, Reading())
                self._readings[key] = replace(now, over=key not in self._wanted, fault=fault)

    def _next(self) -> tuple[str, bool] | None:
        with self._change:
            while not self._wanted and not self._over:
                self._change.wait()
            if self._over:
                return None
            self._current = next(iter(self._wanted))
            return self._current, self._wanted.pop(self._current)

    def _read(self, collection: Collection, *, again: bool) -> None:
        files = list_documents(collection.files)
        self._readings[collection.key] = Reading(0, len(files.files))
        if not files.files:  # the last one was taken out
            for name in (_ARCHIVE, _OUTCOMES):
                writing.remove(collection.work / name)
            forget(self.home)
            return
        states = {file.name: file for file in files.files}
        known = _kept(collection)
        forgets = not all(one.is_of(states.get(name)) for name, one in known.items())
        taking = UpdateOptions(again=again, alone=True, compacts=sys.maxsize)
        archive = collection.work / _ARCHIVE
        self._nltk_data()  # a check tokenises; better told before all is read
        threading.Thread(target=self._load_ahead, daemon=True).start()
        running = follow_folder(archive, files, taking)
        with self._change:
            self._read_so_far[collection.key] = known
        try:
            with closing(running):
                for done, outcome in enumerate(running, start=1):
                    file = states[outcome.name]
                    now = Reading(done, len(states), display_path(outcome.name))
                    with self._change:
                        known[outcome.name] = KeptOutcome(outcome, file.size, file.mtime_ns)
                        self._readings[collection.key] = now
                        if self._over or self._stopping:
                            break
        finally:
            if forgets:
                forget(self.home)
            present = {name: asdict(one) for name, one in known.items() if name in states}
            if collection.work.is_dir():  # else it was deleted meanwhile
                write_text(collection.work / _OUTCOMES, json.dumps(present) + "\n")
            with self._change:
                self._read_so_far.pop(collection.key, None)
            if not collection.files.exists():  # deleted meanwhile; the last commit came after
                writing.remove(collection.folder)

    def _load_ahead(self) -> None:
        with suppress(Exception):  # the first claim says why
            self._ahead()


def _kept(collection: Collection) -> dict[str, KeptOutcome]:
    """By name; empty if damaged, so files are read anew."""
    try:
        content = (collection.work / _OUTCOMES).read_bytes()
        return shaped(dict[str, KeptOutcome], json.loads(content))
    except (OSError, ValueError, TypeError, RecursionError):
        return {}


def _damaged(collection: Collection, fault: IndexFault) -> Target:
    def opened(_: Doing) -> tuple[CorpusFor, Method]:
        raise fault

    return Target(f"{collection.name}: damaged", opened, size="damaged", fault=str(fault))
