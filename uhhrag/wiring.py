"""Settings → live objects. The only importer of `backends`."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from uhhrag import calibration, examples, indexing, models
from uhhrag.approaches import APPROACHES
from uhhrag.config import Questions, Settings, signature
from uhhrag.predict import Method
from uhhrag.prompts import Prompts, load_prompts
from uhhrag.protocols import LLM, Kit, Search
from uhhrag.records import Claim
from uhhrag.verdict import RULES, template_of


@dataclass(frozen=True, slots=True)
class Machine:
    """What depends on the machine and must not change a result. `embedder` is where the index's
    embedder is found when not under the name it was indexed with."""

    threads: int | None = None
    gpu_layers: int = 0
    device: str = "cpu"
    embedder: str | None = None


@dataclass(frozen=True, slots=True)
class Wired:
    """All that `predict` needs, and what its run folder says of it."""

    claims: Sequence[Claim]
    search_for: Callable[[Claim], Search]
    method: Method
    header: dict[str, Any]
