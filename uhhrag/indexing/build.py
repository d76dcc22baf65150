from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, closing, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from uhhrag.errors import ClaimsFailed, IndexFault, InputError, UhhragError, reason_of
from uhhrag.indexing import index_folder
from uhhrag.indexing.candidates import (
    BuiltClaim,
    Candidates,
    ClaimOutcome,
    PagesFor,
    Watch,
    ahead,
    build_claim,
    digest_of,
    find,
    in_store,
)
from uhhrag.indexing.index_folder import ClaimManifest, Header, IndexSettings
from uhhrag.indexing.vectors import EmbedderId
from uhhrag.indexing.verify import damage
from uhhrag.protocols import Embedder
from uhhrag.records import Claim, Failure, Page
from uhhrag.store import claim_files
from uhhrag.system import atomic, locks
from uhhrag.system.checksums import short
from uhhrag.system.terminal import first_of, quantity
from uhhrag.system.writing import own_folder, remove
from uhhrag.version import __version__


@dataclass(frozen=True, slots=True)
class Plan:
    claims: tuple[Claim, ...]
    """The whole file."""
    store: Path
    out: Path
    recipe: IndexSettings
    only: tuple[int, ...] | None = None
    """Ids in order; None: all."""
    overwrite: bool = False
    """Build again; clear an index of another recipe."""
    repair: bool = False
    """Build damaged claims again."""
    pages_for: PagesFor | None = None
    """If `store` is a corpus."""
    static: Embedder | None = None
    """If the recipe orders by them."""

    @property
    def chosen(self) -> tuple[Claim, ...]:
        return self.claims if self.only is None else tuple(self.claims[i] for i in self.only)


Made = Generator[BuiltClaim | Failure, None, None]


def index_claims(plan: Plan, embed: Embedder) -> Generator[ClaimOutcome, None, None]:
    """Yields claims on disk, or errors. Raises IndexFault if `out` cannot take an index."""

    def prepared(claim: Claim) -> ClaimManifest | Candidates:
        if done := _standing(claim, plan):
            return done
        return find(claim, plan.pages_for or in_store(plan.store), plan.recipe)

    with sole_writer(plan.out):
        _prepare(plan)
        with closing(ahead(prepared, plan.chosen)) as results:
            for claim, result in zip(plan.chosen, results, strict=True):
                yield _attempt(claim, plan, embed, result)


def index_claims_by(
    plan: Plan, build: Callable[[Iterable[Claim]], Made]
) -> Generator[ClaimOutcome, None, None]:
    """As `index_claims`; `build` makes missing claims, in order."""
    with sole_writer(plan.out):
        _prepare(plan)
        found = [(claim, _standing(claim, plan)) for claim in plan.chosen]
        with closing(build([claim for claim, manifest in found if not manifest])) as results:
            for claim, manifest in found:
                yield ClaimOutcome(claim, manifest) if manifest else _write(plan, next(results))


def _standing(claim: Claim, plan: Plan) -> ClaimManifest | None:
    """None if the claim must be built."""
    if plan.overwrite or (plan.repair and any(damage(plan.out, claim.id, plan.recipe))):
        return None
    done = index_folder.read_claim_manifest(plan.out, claim.id)
    if done is not None:
        index_folder.require_recipe(done, plan.recipe, plan.out)
        _require_same_claim(done, claim, plan.out)
        if plan.pages_for is None:
            _require_same_store(done, claim, plan)
    return done


def _attempt(
    claim: Claim, plan: Plan, embed: Embedder, result: Callable[[], ClaimManifest | Candidates]
) -> ClaimOutcome:
    try:
        ready = result()
        if isinstance(ready, ClaimManifest):
            return ClaimOutcome(claim, ready)
        return _write(plan, build_claim(ready, plan.recipe, embed, plan.static))
    except InputError as error:
        return ClaimOutcome(claim, None, str(error))
    except (UhhragError, OSError):  # the embedder's or the disk's fault, not the claim's
        raise
    except Exception as error:  # noqa: BLE001 - one claim's failure must not end the others
        return ClaimOutcome(claim, None, reason_of(error))


def require_all(outcomes: Sequence[ClaimOutcome]) -> None:
    if failed := [outcome for outcome in outcomes if outcome.manifest is None]:
        ids = first_of([outcome.claim.id for outcome in failed], 20)
        raise ClaimsFailed(
            f"{len(failed)} of {quantity(len(outcomes), 'claim')} could not be indexed (claim "
            f"{ids}); repair their store files and run the same command again"
        )


def _write(plan: Plan, built: BuiltClaim | Failure) -> ClaimOutcome:
    if isinstance(built, Failure):
        return ClaimOutcome(built.claim, None, built.error)
    watch, manifest = Watch(), built.manifest
    atomic.write_folder(
        index_folder.claim_folder(plan.out, manifest.claim.id),
        {**built.files, index_folder.MANIFEST: index_folder.manifest_to_bytes(manifest)},
    )
    watch.lap("write")
    spent = {**built.seconds, "write": built.seconds["write"] + watch.laps["write"]}
    return ClaimOutcome(manifest.claim, manifest, seconds=spent)


def _prepare(plan: Plan) -> None:
    store, claims_file = plan.store.name.removesuffix(".zip"), index_folder.hash_of(plan.claims)
    wanted = Header(plan.recipe, store, len(plan.claims), __version__, claims_file)
    different = difference(_existing(plan, wanted), wanted)
    if different and not plan.overwrite:
        for claim in plan.claims:  # a changed claim is named first
            if done := index_folder.read_claim_manifest(plan.out, claim.id):
                _require_same_claim(done, claim, plan.out)
        raise IndexFault(
            f"{plan.out} was built with {different}; "
            "choose another folder by --out, or replace this index by --overwrite"
        )
    prepare(plan.out, wanted, replaces=bool(different), again=plan.repair)


def prepare(out: Path, header: Header, *, replaces: bool = False, again: bool = False) -> None:
    """Leaves only whole claims; `replaces` clears another index's, `again` rewrites the
    manifest."""
    claims, manifest = index_folder.claims_folder(out), out / index_folder.MANIFEST
    for path in (claims, manifest):
        atomic.clear_leftovers(path)
    for draft in atomic.drafts_in(claims):
        remove(draft)
    if replaces:
        # Claims first: a kill in between leaves an index without claims, not claims of another.
        atomic.set_aside(claims)
        atomic.set_aside(manifest)
        atomic.clear_leftovers(claims)
    if again or not manifest.exists():
        atomic.write_file(manifest, index_folder.manifest_to_bytes(header))
    atomic.clear_leftovers(manifest)
    own_folder(claims)


def _existing(plan: Plan, wanted: Header) -> Header | IndexFault | None:
    """`out`'s manifest, or its fault if overwritten; for a repair, what intact claims show."""
    replies = (f"{index_folder.REPLIES}{end}" for end in ("", "-wal", "-shm"))  # SQLite's files
    ours = {index_folder.MANIFEST, index_folder.claims_folder(plan.out).name, *replies}
    try:
        header = index_folder.read_header(plan.out)
    except IndexFault as fault:
        if not (plan.overwrite or plan.repair):
            raise
        _require_no_others(plan.out, ours)
        return fault if plan.overwrite else _shown_by_claims(plan.out, wanted)
    if header is None:
        _require_no_others(plan.out, ours if plan.repair else set())
        return _shown_by_claims(plan.out, wanted) if plan.repair else None
    return header


def _shown_by_claims(out: Path, wanted: Header) -> Header:
    for claim_id in index_folder.claim_ids(out):
        with suppress(IndexFault):
            if manifest := index_folder.read_claim_manifest(out, claim_id):
                return replace(wanted, recipe=manifest.recipe)
    return wanted


def _require_no_others(out: Path, ours: set[str]) -> None:
    for path in sorted(out.iterdir()):
        if path.name not in {*ours, "README.md"} and not path.name.startswith("."):
            raise IndexFault(
                f"{out} is not an index and holds other things ({path.name}); choose another --out"
            )


def difference(existing: Header | IndexFault | None, wanted: Header) -> str:
    """What differs, with both values, or ""."""
    if existing is None:
        return ""
    if isinstance(existing, IndexFault):
        return "a damaged manifest"
    was, now = existing.recipe, wanted.recipe
    names = ("embedder", "pool", "unique", "prefilter", "patience")
    pairs: list[tuple[str, object, object]] = [
        *((name, getattr(was, name), getattr(now, name)) for name in names),
        ("order", was.order or "BM25", now.order or "BM25"),
        ("store", existing.store, wanted.store),
        ("number of claims", existing.claims, wanted.claims),
    ]
    if existing.claims == wanted.claims:
        pairs.append(("claims file", existing.claims_file[:8] or "unknown", wanted.claims_file[:8]))
    differing = (pair for pair in pairs if pair[1] != pair[2])
    return ", ".join(f"{name} {_described(a)}, not {_described(b)}" for name, a, b in differing)


def _described(value: object) -> str:
    if isinstance(value, EmbedderId):
        return f"{value} {short(value.fingerprint)}"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def _require_same_claim(done: ClaimManifest, claim: Claim, out: Path) -> None:
    if done.claim != claim:
        raise IndexFault(
            f"{out}: claim {claim.id} was indexed as {done.claim.text[:60]!r} but the claims "
            f"file now says {claim.text[:60]!r}; choose another --out, or --overwrite"
        )


def _require_same_store(done: ClaimManifest, claim: Claim, plan: Plan) -> None:
    written = index_folder.claim_folder(plan.out, claim.id) / index_folder.MANIFEST
    try:
        if claim_files.last_change(plan.store, claim.id) < written.stat().st_mtime_ns:
            return
        read = list(in_store(plan.store)(claim))
    except (InputError, OSError):
        return  # what was indexed of a store that is gone stays
    pages = [page for page in read if isinstance(page, Page)]
    before, now = (done.store, digest_of(pages)) if done.store else (done.counts.pages, len(pages))
    if before != now:
        raise IndexFault(
            f"{plan.out}: claim {claim.id} was indexed from other pages than {plan.store} has for "
            f"it now; choose another --out, or --overwrite --claim {claim.id} to index it again"
        )


def sole_writer(out: Path) -> AbstractContextManager[None]:
    return locks.sole_writer(
        out / locks.NAME,
        busy=IndexFault(
            f"{out}: another uhhrag is at work on it; wait until it ends, or choose another --out"
        ),
        unwritable=lambda reason: IndexFault(
            f"{out}: cannot be written: {reason}; what was indexed before is intact; "
            "make room or choose another --out, and run the same command again"
        ),
    )
