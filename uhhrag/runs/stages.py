"""TREC runs: `prefilter` by BM25, `vectors` by cosine to the claim, `rerank` the evidence kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from uhhrag.formats.trec import write_run
from uhhrag.protocols import EvidenceSource
from uhhrag.records import Claim, Hit, Passage, Verdict
from uhhrag.system.checksums import sha256_of_file
from uhhrag.system.text_files import write_text

SUMS = "trec.sha256"
"""For `sha256sum --check`."""
DEPTH = 1000
"""Hits, as usual in TREC."""


def write_stages(
    folder: Path,
    verdicts: Sequence[Verdict],
    prefiltered: Callable[[Claim], Sequence[Hit]],
    corpus_for: Callable[[Claim], EvidenceSource],
    tag: str,
) -> None:
    claims = {v.claim.id: Claim(v.claim.id, v.claim.text) for v in verdicts}
    stages: dict[str, dict[int, Sequence[Hit]]] = {
        "prefilter": {i: prefiltered(claim)[:DEPTH] for i, claim in claims.items()},
        "vectors": {i: corpus_for(claim).search(claim.text, DEPTH) for i, claim in claims.items()},
        "rerank": {
            v.claim.id: [Hit(Passage(e.found), e.score) for e in v.evidence] for v in verdicts
        },
    }
    for stage, hits in stages.items():
        write_run(folder / f"{stage}.trec", hits, tag)
    files = [folder / f"{stage}.trec" for stage in stages]
    sums = "".join(f"{sha256_of_file(file)}  {file.name}\n" for file in files)
    write_text(folder / SUMS, sums)
