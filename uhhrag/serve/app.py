from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from starlette.responses import RedirectResponse, Response

from uhhrag.documents.draft import Draft, with_checks
from uhhrag.exports.claim_review import Publisher
from uhhrag.records import source_of
from uhhrag.serve import draft_table
from uhhrag.serve.access import Access, same
from uhhrag.serve.check_table import DeskCheck, number_of, view_of
from uhhrag.serve.claim_list import RowMemory
from uhhrag.serve.database import Database
from uhhrag.serve.followed import FollowedDocuments
from uhhrag.serve.library import Library
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.serve.targets import Sources, Targets
from uhhrag.serve.worker import Queue
from uhhrag.system.checksummed_json import digest
from uhhrag.views.claim_row import OF_DESK, ClaimRow, RowList, fingerprint
from uhhrag.views.review import AttachedPiece, Review, wrong_votes
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import Changes, changes_between
from uhhrag.wiring.checked_claims import CheckedBefore

_SOON = 10.0
"""Seconds in which a repeat is a mistake."""
_MAX_FORMS = 1000
_MAX_NAMES = 3
WAITS = "It has not been checked yet."
NO_LONGER = "the documents no longer say this: its file changed or was taken out; not counted"
FOLLOWED = "documents"
"""Name of the form that reads served documents again."""


@dataclass(slots=True)
class _Sent:
    lock: threading.Lock = field(default_factory=threading.Lock)
    until: float = 0.0
    led_to: str = ""


class SentForms:
    """Acts once on a form that a double click sends twice. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[str, _Sent] = {}

    def answer(self, form: object, act: Callable[[], Response]) -> Response:
        """Redirects a repeated `form` (all that was sent) as `act` did."""
        with self._lock:
            sent = self._sent.setdefault(digest(form), _Sent())
            if len(self._sent) > _MAX_FORMS:
                del self._sent[next(iter(self._sent))]
        with sent.lock:
            if time.monotonic() < sent.until:
                return RedirectResponse(sent.led_to, 303)
            answer = act()
            if answer.status_code == 303:
                sent.led_to, sent.until = answer.headers["location"], time.monotonic() + _SOON
            return answer


@dataclass(frozen=True, slots=True, kw_only=True)
class DeskContent:
    read: Callable[[], RunView]
    fixed: Targets = field(default_factory=dict)
    """Instead of a library's."""
    home: Path = Path()
    warnings: tuple[str, ...] = ()
    needs_date: bool = False
    sources: Sources | None = None
    """None if each claim has its own (`sources_of`)."""
    takes_drafts: Callable[[], bool] = lambda: False
    library: Library | None = None
    followed: FollowedDocuments | None = None
    """Instead of `fixed`."""
    models: ModelFetch | None = None

    @property
    def targets(self) -> Targets:
        """Of this moment, so that none named is missing."""
        if self.library:
            return self.library.targets()
        return self.followed.targets if self.followed else self.fixed


@dataclass(frozen=True, slots=True, kw_only=True)
class App(DeskContent):
    database: Database
    queue: Queue
    access: Access
    publisher: Publisher
    checked_before: CheckedBefore
    reading: threading.Lock = field(default_factory=threading.Lock)
    """Held while a draft is read."""
    stays: bool = True
    """Whether no other machine is asked, or asks."""
    memory: RowMemory = field(default_factory=RowMemory)
    sent: SentForms = field(default_factory=SentForms)

    def rows(self) -> RowList:
        """Checks, latest first, then the run's claims."""
        current = {
            key: None if target.fault else target.files() for key, target in self.targets.items()
        }
        return self.memory.rows(self.database, self.read(), current)

    def run_view(self) -> RunView:
        """With all evidence: slow for thousands of claims."""
        run, reviews, attached = self.read(), self.database.reviews(), self.database.attached()
        claims = (*map(self._view, self.database.asked()), *run.claims)
        marked = tuple(_marked(view, reviews, attached, self.sources_of) for view in claims)
        return self._run_of(marked, run, _own_article(run))

    def run_of(self, *claims: ClaimView) -> RunView:
        return self._run_of(claims, self.read(), None)

    def compared(self, *views: ClaimView) -> tuple[ClaimView, ...]:
        """With what their rows tell of other checks and current documents."""
        rows = {row.anchor: row for row in self.rows().claims}
        known = (rows.get(view.anchor, view) for view in views)
        return tuple(
            replace(view, **{name: getattr(row, name) for name in OF_DESK})
            for view, row in zip(views, known, strict=True)
        )

    def rows_of(self, draft: Draft) -> RowList:
        every = self.rows()
        by_key = {row.key: row for row in every.claims}
        claims = tuple(by_key[key] for key in draft_table.keys_of(draft) if key in by_key)
        return replace(every, name=draft.title or draft.name, claims=claims)

    def order_of(self, key: str) -> tuple[int | None, Sequence[ClaimRow]]:
        """Its draft's number and rows in order; without a draft, all rows."""
        number = number_of(key)
        draft = draft_table.holding(self.database, number) if number else None
        there = draft_table.find(self.database, draft) if draft else None
        return draft, (self.rows_of(there.draft) if there else self.rows()).claims

    def _run_of(self, claims: tuple[ClaimView, ...], run: RunView, draft: Draft | None) -> RunView:
        """Named after the collections searched, unless a run is served or there are many."""
        names = dict.fromkeys(view.searched.where for view in claims if view.searched)
        named = self.library and not run.claims and 0 < len(names) <= _MAX_NAMES
        name, drafts = ", ".join(names) if named else run.name, draft_table.titles(self.database)
        claims = self.compared(*claims)
        return replace(run, name=name, claims=claims, article=draft, drafts=drafts)

    def find(self, key: str) -> ClaimView | None:
        check = self.database.check(key)
        view = self._view(check) if check else self.memory.find(self.read(), key)
        if view is None:
            return None
        kept = self.database
        return _marked(view, kept.reviews(*view.names), kept.attached(*view.names), self.sources_of)

    def _view(self, check: DeskCheck) -> ClaimView:
        """Keeps its last verdict while it is checked again."""
        if check.record is not None:
            return view_of(check)
        last = self.database.latest(check)
        if last.record is None:
            name = f"check-{check.number}"
            return ClaimView(check.claim, None, WAITS, key=name, target=check.target, pending=True)
        return replace(view_of(last), pending=True)

    def changes_of(self, view: ClaimView) -> Changes | None:
        """None if nothing differs, or it is unknown."""
        target, before = self.targets.get(view.target), view.searched and view.searched.files
        if target is None or target.fault or not before:
            return None
        return changes_between(before, target.files())

    def sources_of(self, key: str) -> Sources | None:
        """None if no longer served."""
        check = self.database.check(key)
        if check is None:
            return self.sources
        target = self.targets.get(check.target)
        return (target.sources() or self.sources) if target else None

    def hint(self, back: str = "") -> dict[str, Any]:
        """Template values on changes of served documents; `back` is the page's claim."""
        note = self.followed.note() if self.followed else ""
        if self.followed is None or not note:
            return {}
        token, can_read = self.form_token(FOLLOWED), self.followed.can_read
        return {"hint": note, "can_read": can_read, "hint_token": token, "back": back}

    @property
    def desk(self) -> str:
        """Tells its pages from another desk's at the same address."""
        return self._token("", "desk")[:16]

    def form_token(self, form: str) -> str:
        """A CSRF token."""
        return self._token(secrets.token_hex(8), form)

    def owns(self, token: str, form: str) -> bool:
        return same(token, self._token(token[:16], form))

    def _token(self, page: str, form: str) -> str:
        signed = hmac.new(self.database.secret(), f"{page} {form}".encode(), hashlib.sha256)
        return page + signed.hexdigest()


def _own_article(run: RunView) -> Draft | None:
    """Without checks that the run lacks: their numbers may be the desk's."""
    if run.article is None:
        return None
    done = {view.claim.id for view in run.claims}
    sentences = enumerate(run.article.sentences)
    return with_checks(run.article, {at: None for at, one in sentences if one.check not in done})


def _marked(
    view: ClaimView,
    reviews: Mapping[str, Review],
    attached: Mapping[str, tuple[AttachedPiece, ...]],
    sources_of: Callable[[str], Sources | None],
) -> ClaimView:
    if pieces := view.of(attached):
        sources = sources_of(view.anchor)
        view = replace(view, attached=tuple(_held(one, view, sources) for one in pieces))
    review = view.of(reviews)
    if review is None or review.withdrawn:
        return view
    stale, wrong = review.seen != fingerprint(view), review.wrong
    if review.marks and not stale and view.sides:  # a later check may vote otherwise
        wrong = wrong_votes(review.marks, view.verdict.votes if view.verdict else ())
    return replace(view, review=replace(review, stale=stale, wrong=wrong))


def _held(piece: AttachedPiece, view: ClaimView, sources: Sources | None) -> AttachedPiece:
    """At its current place, with why it does not count."""
    source, text = piece.source, piece.sentence
    pages = sources.pages.get(source.url, ()) if sources else None
    lines = ((page, n) for page in pages or () for n, line in enumerate(page.lines) if line == text)
    now = sorted((source_of(*one) for one in lines), key=lambda one: one.place != source.place)
    number = view.piece_of(text, source.url)
    is_piece = f"this is piece {number}; mark it and cite it there" if number else ""
    aside = is_piece if now or pages is None else NO_LONGER
    return replace(piece, source=next(iter(now), source), aside=aside)
