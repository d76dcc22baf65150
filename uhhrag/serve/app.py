"""What the pages of the desk work with: its database, its queue, the run it shows."""

from __future__ import annotations

import hashlib
import hmac
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from uhhrag.exports.claim_review import Publisher
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.serve.access import Access
from uhhrag.serve.attached_table import attached_to
from uhhrag.serve.check_table import view_of
from uhhrag.serve.claim_list import RowMemory
from uhhrag.serve.corpora import Target, Targets
from uhhrag.serve.database import Database
from uhhrag.serve.library import Library
from uhhrag.serve.model_fetch import ModelFetch
from uhhrag.serve.own_documents import Sources
from uhhrag.serve.worker import Queue
from uhhrag.views.claim_row import RowList, fingerprint
from uhhrag.views.review import AttachedPiece, Review
from uhhrag.views.run_view import ClaimView, RunView
from uhhrag.views.searched import Changes, changes_since, state_of_files


@dataclass(frozen=True, slots=True)
class App:
    """What the pages work with. `read` gives the run as it is on disk now; `publisher` is whose
    reviews are exported; with `needs_date` no claim is checked that has no date. `sources` is
    what can be opened of what claims are checked against, None for the stores of an index and for
    collections, where each claim has its own (`sources_of`).
    `nltk_data` is what checks of a draft ask for, None where no draft is taken; one
    is read at a time. `library` are the collections that the pages keep and `models` the models
    they need, None where they keep none. `nearest` finds claims that were checked before. `memory`
    holds the rows of the list."""

    database: Database
    queue: Queue
    targets: Targets
    read: Callable[[], RunView]
    access: Access
    publisher: Publisher
    needs_date: bool = False
    sources: Sources | None = None
    nltk_data: Path | None = None
    reading: threading.Lock = field(default_factory=threading.Lock)
    library: Library | None = None
    models: ModelFetch | None = None
    nearest: Callable[[str], Sequence[CheckedClaim]] = lambda claim: ()
    memory: RowMemory = field(default_factory=RowMemory)

    def rows(self) -> RowList:
        """A row for each claim of the desk, the latest check first, then those of the run, each
        with its review."""
        current = {key: state_of_files(target.files()) for key, target in self.targets.items()}
        return self.memory.rows(self.database, self.read(), current)

    def run_view(self) -> RunView:
        """The desk's checks, the latest first, then the run's claims, each with its review. All
        of their evidence is read, which takes long where there are thousands."""
        run, reviews = self.empty_run(), self.database.reviews()
        attached = attached_to(self.database)
        settled = [view_of(check) for check in self.database.asked() if check.record]
        claims = (*reversed(settled), *self.read().claims)
        return replace(run, claims=tuple(_marked(view, reviews, attached) for view in claims))

    def empty_run(self) -> RunView:
        """The run without its claims."""
        return replace(self.read(), claims=())

    def find(self, key: str) -> ClaimView | None:
        """The claim that addresses call `key`; None where there is none with an outcome."""
        check = self.database.check(key)
        if check and check.record is not None:
            view: ClaimView | None = view_of(check)
        else:
            view = self.memory.find(self.read(), key)
        if view is None:
            return None
        return _marked(view, self.database.latest(key), attached_to(self.database, key))

    def sentence_data(self) -> Path | None:
        """What checks of a draft ask for; None where no draft is taken."""
        return self.nltk_data or (self.library.sentence_data() if self.library else None)

    def changes_of(self, view: ClaimView) -> Changes | None:
        """How the documents have changed since a verdict was made on them; None where they have
        not, or that is not known."""
        target = self.targets.get(view.target)
        return changes_since(view.searched, target.files()) if target and view.searched else None

    def sources_of(self, key: str) -> Sources | None:
        """What can be opened of the documents that the claim of a key was checked against."""
        target = self._target_of(key)
        return (target.sources() if target else None) or self.sources

    def _target_of(self, key: str) -> Target | None:
        check = self.database.check(key) if self.library else None
        return self.targets.get(check.target) if check else None

    def form_token(self, form: str) -> str:
        """What a form of this desk carries, so that no other page can send it; 64 hex digits."""
        return hmac.new(self.database.secret(), form.encode(), hashlib.sha256).hexdigest()


def _marked(
    view: ClaimView,
    reviews: Mapping[str, tuple[str, Review]],
    attached: Mapping[str, tuple[AttachedPiece, ...]],
) -> ClaimView:
    """A claim with what people said of it and attached to it."""
    view = replace(view, attached=attached.get(view.anchor, ()))
    if view.anchor not in reviews:
        return view
    seen, review = reviews[view.anchor]
    return replace(view, review=replace(review, stale=seen != fingerprint(view)))
