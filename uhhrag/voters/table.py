from __future__ import annotations

from collections.abc import Mapping

from uhhrag import defaults
from uhhrag.rules.rules import Decoding
from uhhrag.voters.both import open_both
from uhhrag.voters.language_model import open_language_model
from uhhrag.voters.opening import VoterSpec, takes_sides
from uhhrag.voters.verifier import open_verifier

VOTERS: Mapping[str, VoterSpec] = {
    "llm": VoterSpec(
        open=open_language_model,
        llm=True,
        serves=lambda rule: not rule.learned,
        decodings=frozenset(Decoding),
    ),
    "verifier": VoterSpec(
        open=open_verifier,
        verifier=True,
        serves=takes_sides,
        leads=True,
        documents_rule="learned",
        documents_granularity="passages",
    ),
    "both": VoterSpec(
        open=open_both,
        llm=True,
        verifier=True,
        serves=takes_sides,
        leads=True,
    ),
}

AUTO = "auto"
"""Settings take the voter most often right on training claims, if measured."""
MEASURED = frozenset({defaults.LLM})
"""Measured on AVeriTeC's training claims: `both` wins (docs/verdicts.md); others vote alone."""
