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


def wire(settings: Settings, machine: Machine, index_folder: Path, *, cache: bool) -> Wired:
    """Open the index, load the models, check that they fit. Raises UhhragError for what is
    missing, before anything long begins."""
    prompts = load_prompts(settings.prompts)
    if settings.examples:
        prompts = prompts.with_examples(examples.draw(settings.examples, settings.seed))
    built = index.open_index(index_folder)
    embed, embedder = load_embedder(
        machine.embedder or built.header.recipe.embedder.name, machine.device
    )
    vectors.same_embedder(built.header.recipe.embedder, embedder, str(index_folder))
    llm, llm_files = load_llm(settings.llm, machine, index_folder if cache else None)
    rule = RULES[settings.rule]
    template = prompts(template_of(rule, settings.decoding))
    fitted = calibration.NONE
    if settings.decoding is Decoding.CONSTRAINED:
        fitted = calibration.find(
            llm_files.fingerprint, template.hash, settings.calibration or calibration.SHIPPED
        )
    kit = Kit(embed, llm if settings.questions is Questions.LLM else None, prompts)
    method = Method(
        APPROACHES[settings.approach].run,
        settings.kept,
        rule,
        settings.decoding,
        fitted,
        kit,
        llm,
    )

    def search_for(claim: Claim) -> Search:
        return index.search_in(index.load_claim(built, claim.id), embed)

    header = _header(settings, prompts, fitted, built.header.recipe, llm_files)
    return Wired(built.claims, search_for, method, header)
