"""A finished index of the three small claims."""

from __future__ import annotations

from pathlib import Path

from tests.support.doubles import fake_embed, plan
from uhhrag.indexing.build import index_claims, require_all


def built(tmp_path: Path, **changes: object) -> Path:
    """The folder of a finished index."""
    wanted = plan(tmp_path, **changes)
    require_all(list(index_claims(wanted, fake_embed)))
    return wanted.out
