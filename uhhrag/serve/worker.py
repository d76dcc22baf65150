"""Checks queued claims in a thread; a failure ends only its check, a full disk delays it."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable, Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any, TypeVar
from urllib.parse import unquote_to_bytes

from uhhrag.errors import UhhragError, reason_of
from uhhrag.pipeline import Method
from uhhrag.runs.trace import as_record, claim_record
from uhhrag.serve import draft_table
from uhhrag.serve.check_table import DeskCheck
from uhhrag.serve.database import Database
from uhhrag.serve.progress import Progress, decide_with_progress
from uhhrag.serve.targets import CorpusFor, Doing, Target, Targets
from uhhrag.system.terminal import printable
from uhhrag.views.searched import Searched

_Result = TypeVar("_Result")
_RETRY_SECONDS = 2.0
STOPPED = "stopped before a verdict; check it again"
GONE = "a file that it was checked against was taken out meanwhile; check it again"
NOT_HERE = (
    "what this claim was to be checked against is not here: its collection was deleted or holds "
    "nothing that was read, or uhhrag serve was started without it"
)


class Queue:
    def __init__(self, database: Database, targets: Callable[[], Targets]) -> None:
        self._database = database
        self._targets = targets
        self._work = threading.Event()
        self._over = threading.Event()
        self._progress: dict[int, Progress] = {}
        self._stopped: set[int] = set()
        self._opened: tuple[Target, CorpusFor, Method] | None = None
        self._thread = threading.Thread(target=self._run, name="checks", daemon=True)

    def start(self) -> None:
        self._work.set()
        self._thread.start()

    def wake(self) -> None:
        self._work.set()

    def stop(self, wait: float) -> None:
        """A check unfinished after `wait` seconds stays queued."""
        self._over.set()
        self._work.set()
        self._thread.join(wait)

    def stop_check(self, number: int) -> bool:
        """Ends it at its next step; False if not running."""
        under_way = number in self._progress
        if under_way:
            self._stopped.add(number)
        return under_way

    def progress(self, number: int) -> Progress | None:
        """None unless running."""
        return self._progress.get(number)

    def _run(self) -> None:
        while not self._over.is_set():
            self._work.wait()
            self._work.clear()
            while waiting := self._stubborn(lambda: self._database.waiting(1)):
                if self._over.is_set():
                    return
                self._check(waiting[0])

    def _stubborn(self, use: Callable[[], _Result], number: int = 0) -> _Result | None:
        """Retry until the desk can be used, telling the claim's page; None if stopped."""
        while True:
            try:
                return use()
            except (sqlite3.Error, OSError) as error:
                if number:
                    self._progress[number] = Progress(f"Waiting, cannot be saved: {error}")
            if self._over.wait(_RETRY_SECONDS):
                return None

    def _check(self, check: DeskCheck) -> None:
        number = check.number
        self._stopped.discard(number)
        self._progress[number] = Progress("Opening the documents and the models")
        given_id = self._stubborn(lambda: draft_table.given_id(self._database, number), number)
        check = replace(check, claim=replace(check.claim, given_id=given_id or ""))
        try:
            record = self._outcome(check)
        # A panic in a Rust library is no Exception.
        except BaseException as error:  # noqa: BLE001 - one claim's failure must not end the others
            record = without_verdict(check, printable(reason_of(error)))
        stopped = number in self._stopped
        if not (stopped and self._stubborn(lambda: self._database.restore(number), number)):
            self._save_outcome(check, record)
        self._progress.pop(number, None)

    def _save_outcome(self, check: DeskCheck, record: Mapping[str, Any]) -> None:
        def save() -> None:
            self._database.save_outcome(check.number, record, partial(self._without_gone, check))

        try:
            self._stubborn(save, check.number)
        except (ValueError, TypeError, RecursionError) as error:  # what JSON cannot hold
            failed = without_verdict(
                check, f"the verdict cannot be kept: {printable(reason_of(error))}"
            )
            self._stubborn(lambda: self._database.save_outcome(check.number, failed), check.number)

    def _without_gone(self, check: DeskCheck, record: Mapping[str, Any]) -> Mapping[str, Any]:
        """Without a verdict if a file of its pieces was deleted meanwhile."""
        folder = self._opened[0].folder if self._opened else None
        pieces = record.get("evidence", ()) if folder else ()
        names = {one["file"] for piece in pieces for one in piece["sources"]}
        paths = (os.fsdecode(unquote_to_bytes(name)) for name in names)
        gone = folder and not all((folder / path).exists() for path in paths)
        return without_verdict(check, GONE) if gone else record

    def _outcome(self, check: DeskCheck) -> dict[str, object]:
        def tell(progress: Progress) -> None:
            self._progress[check.number] = progress
            if check.number in self._stopped:
                raise UhhragError(STOPPED)

        if check.fault:
            raise UhhragError(check.fault)
        target, corpus_for, method = self._open(check.target, lambda doing: tell(Progress(doing)))
        tell(Progress("Preparing the sentences"))
        verdict, seconds = decide_with_progress(check.claim, corpus_for(check.claim), method, tell)
        searched = target.searched() or Searched()
        searched = replace(searched, where=searched.where or target.name)
        return {**as_record(verdict, {}), "seconds": seconds, "searched": asdict(searched)}

    def _open(self, key: str, doing: Doing) -> tuple[Target, CorpusFor, Method]:
        target = self._targets().get(key)
        if target is None:
            raise UhhragError(NOT_HERE)
        if self._opened is None or self._opened[0] is not target:
            self._opened = None  # two may not fit into memory
            self._opened = target, *target.open(doing)
        return self._opened


def without_verdict(check: DeskCheck, reason: str) -> dict[str, object]:
    return {**claim_record(check.claim), "error": reason}
