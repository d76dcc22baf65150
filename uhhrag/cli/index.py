"""`uhhrag index`: claims and their knowledge store → an index."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from uhhrag.cli.merge import Share
from uhhrag.errors import InputError, UsageError
from uhhrag.records import Precision, Tokenizer
from uhhrag.system.terminal import printable, progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from uhhrag.indexing.build import ClaimOutcome
    from uhhrag.records import Claim


def index(
    folder: Annotated[
        Path, typer.Argument(metavar="DATA", help="Folder with claims.json and knowledge_store/.")
    ],
    out: Annotated[Path, typer.Option(help="Where the index goes.")] = Path("index"),
    claims: Annotated[Path | None, typer.Option(help="Claims file; else DATA/claims.json.")] = None,
    store: Annotated[
        Path | None,
        typer.Option(
            help="Knowledge store: folder, zip, or one .jsonl for all claims; else "
            "DATA/knowledge_store[.zip]."
        ),
    ] = None,
    embedder: Annotated[str, typer.Option(help="Model name or folder.")] = "minilm",
    device: Annotated[str, typer.Option(help="Where the embedder runs: cpu or cuda.")] = "cpu",
    precision: Annotated[
        Precision | None,
        typer.Option(
            help="Numbers of the embedder. Default: those of the index that is there, else bf16 "
            "where the processor has it and the model is a plain BERT.",
            show_default=False,
        ),
    ] = None,
    pool: Annotated[int, typer.Option(min=1, help="Passages a claim that BM25 keeps.")] = 10_000,
    tokenizer: Annotated[
        Tokenizer, typer.Option(help="How BM25 cuts words: fast, or nltk to the letter.")
    ] = Tokenizer.FAST,
    unique: Annotated[
        bool, typer.Option("--unique/--no-unique", help="Keep each sentence once, with all URLs.")
    ] = True,
    limit: Annotated[int | None, typer.Option(min=1, help="Only the first so many claims.")] = None,
    claim: Annotated[
        list[int] | None, typer.Option(min=0, help="Only this claim; may be repeated.")
    ] = None,
    shard: Share = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Build again what is there already.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Check what is there; build again what is damaged.")
    ] = False,
) -> None:
    """Index the knowledge store of each claim; a run that was stopped goes on where it stood."""
    from uhhrag.formats.submission import read_claims
    from uhhrag.indexing.bm25 import NAMES
    from uhhrag.indexing.build import Plan, index_claims, require_all
    from uhhrag.indexing.index_folder import IndexSettings
    from uhhrag.runs.shard import read_shard
    from uhhrag.wiring import embedders
    from uhhrag.wiring.nltk_data import load_nltk_data

    begun = time.monotonic()
    every = read_claims(claims or _claims_file(folder))
    only = _chosen(every, claim, limit)
    if shard:
        only = read_shard(shard).share(only)
    found_store = _store(folder, store)
    load_nltk_data()
    if precision is None and not overwrite:
        precision = embedders.precision_of(out)
    embed, identity = embedders.load_embedder(embedder, device, None, precision)
    recipe = IndexSettings(identity, pool, unique, NAMES[tokenizer])
    plan = Plan(every, found_store, out, recipe, only, overwrite, repair)
    outcomes = []
    for outcome in progress(index_claims(plan, embed), len(only), "index"):
        outcomes.append(outcome)
        _warn(outcome)
    typer.echo(_summary(outcomes, time.monotonic() - begun, out))
    require_all(outcomes)


def _claims_file(folder: Path) -> Path:
    file = folder / "claims.json"
    if file.is_file():
        return file
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the one that holds claims.json")
    others = ", ".join(sorted(other.name for other in folder.glob("*.json"))[:5])
    there = f"; it has {others}" if others else ""
    raise InputError(f"{folder}: no claims.json in it{there}; name the claims file by --claims")


def _store(folder: Path, named: Path | None) -> Path:
    if named is not None:
        if not named.exists():
            raise InputError(f"{named}: no such knowledge store; give a folder or a zip by --store")
        return named
    for found in (folder / "knowledge_store", folder / "knowledge_store.zip"):
        if found.exists():
            return found
    raise InputError(
        f"{folder}: neither knowledge_store/ nor knowledge_store.zip in it; "
        "name the store by --store"
    )


def _chosen(
    claims: Sequence[Claim], wanted: list[int] | None, limit: int | None
) -> tuple[int, ...]:
    ids = tuple(dict.fromkeys(wanted)) if wanted else tuple(claim.id for claim in claims)
    unknown = [claim_id for claim_id in ids if claim_id >= len(claims)]
    if unknown:
        raise UsageError(
            f"--claim {unknown[0]}: the claims file ends with claim {len(claims) - 1}; "
            f"give 0 to {len(claims) - 1}"
        )
    return ids[:limit]


def _warn(outcome: ClaimOutcome) -> None:
    if outcome.manifest is None:
        typer.echo(f"claim {outcome.claim.id}: {printable(outcome.error)}", err=True)
    elif outcome.seconds and outcome.manifest.counts.skipped:
        typer.echo(
            f"claim {outcome.claim.id}: {outcome.manifest.counts.skipped} records skipped, "
            f"the first at {printable(outcome.manifest.first_skipped)}",
            err=True,
        )


def _summary(outcomes: Sequence[ClaimOutcome], seconds: float, out: Path) -> str:
    """One line: claims, passages, time by stage, where."""
    manifests = [outcome.manifest for outcome in outcomes if outcome.manifest is not None]
    fresh = [outcome for outcome in outcomes if outcome.seconds]
    stages: Counter[str] = Counter()
    for outcome in fresh:
        stages.update(outcome.seconds)
    spent = ", ".join(f"{stage} {time:.1f}" for stage, time in stages.items())
    kept = sum(manifest.counts.kept for manifest in manifests)
    there = (
        f", {len(manifests) - len(fresh)} of them there already"
        if len(fresh) < len(manifests)
        else ""
    )
    return (
        f"{len(manifests)} claims{there}, {kept:,} passages in {seconds:.1f} s"
        f"{f' ({spent})' if spent else ''} → {printable(str(out))}"
    )
