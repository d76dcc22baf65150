from __future__ import annotations

from collections.abc import Mapping

from uhhrag import defaults
from uhhrag.rules.rules import RULES, Decoding
from uhhrag.voters.both import open_both
from uhhrag.voters.language_model import open_language_model
from uhhrag.voters.opening import VoterSpec, Wanted, takes_sides
from uhhrag.voters.verifier import open_verifier

VOTERS: Mapping[str, VoterSpec] = {
    "llm": VoterSpec(
        open=open_language_model,
        llm=True,
        serves=lambda rule: not rule.learned,
        decodings=frozenset(Decoding),
        auto=lambda run: True,
    ),
    "verifier": VoterSpec(
        open=open_verifier,
        verifier=True,
        serves=takes_sides,
        leads=True,
        documents_rule="learned",
        documents_granularity="passages",
        auto=lambda run: run.rule.learned or run.verifier or run.plain,
    ),
    "both": VoterSpec(
        open=open_both,
        llm=True,
        verifier=True,
        serves=takes_sides,
        leads=True,
        auto=lambda run: run.reads and (run.rule.learned or (run.plain and not run.verifier)),
    ),
}


def taken(wanted: Wanted) -> str:
    """By `auto`."""
    return next(name for name in reversed([*VOTERS]) if VOTERS[name].auto(wanted))


def learned_from(*, llm: bool) -> str:
    """Whose votes learned verdicts are fitted to."""
    learned = RULES["learned"]
    return next(name for name, row in VOTERS.items() if row.serves(learned) and row.llm == llm)


AUTO = "auto"
"""Settings take the voter most often right on training claims, if measured."""
MEASURED = frozenset({defaults.LLM})
"""Measured on AVeriTeC's training claims: `both` wins (docs/verdicts.md); others vote alone."""
