"""Earlier checked claims as JSON lines; the first has a hash."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from itertools import chain
from pathlib import Path

import orjson

from uhhrag.errors import InputError
from uhhrag.formats.claim_reviews import CheckedClaim
from uhhrag.system.checksums import sha256
from uhhrag.system.decode import shaped
from uhhrag.system.text_files import write_text

_KIND = "checked claims"


def write_checked(file: Path, claims: Sequence[CheckedClaim]) -> None:
    body = "".join(orjson.dumps(asdict(claim)).decode() + "\n" for claim in claims)
    head = {"uhhrag": _KIND, "claims": len(claims), "sha256": sha256(body)}
    file.parent.mkdir(parents=True, exist_ok=True)
    write_text(file, orjson.dumps(head).decode() + "\n" + body)


def read_checked(file: Path) -> tuple[CheckedClaim, ...]:
    """Raises InputError if missing or damaged."""
    try:
        first, _, body = file.read_bytes().decode().partition("\n")
        head = orjson.loads(first)
        if head["uhhrag"] != _KIND or head["sha256"] != sha256(body):
            raise ValueError("its bytes have changed")
        return tuple(shaped(CheckedClaim, orjson.loads(line)) for line in body.splitlines())
    except OSError as error:
        raise InputError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"{file}: is no sound file of checked claims ({error}); delete it and make it again: "
            "uhhrag claims import"
        ) from error


def merged(*claims: Iterable[CheckedClaim]) -> list[CheckedClaim]:
    """Of each check the latest; without a date, the one given last."""
    kept: dict[tuple[str, str], CheckedClaim] = {}
    for one in chain.from_iterable(claims):
        check = one.url or one.publisher, one.claim
        if check not in kept or not one.date or one.date >= kept[check].date:
            kept[check] = one
    return list(kept.values())
