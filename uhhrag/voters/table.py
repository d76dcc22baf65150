"""Who can cast the votes: each voter is a row, which says what it serves and needs.

The names of the table are those of `--voter`. `auto` is no voter: settings choose one.
"""

from __future__ import annotations

from collections.abc import Mapping

from uhhrag import defaults
from uhhrag.rules.rules import Decoding
from uhhrag.voters.both import open_both
from uhhrag.voters.language_model import open_language_model
from uhhrag.voters.opening import VoterSpec, is_not_learned, takes_sides
from uhhrag.voters.verifier import open_verifier

VOTERS: Mapping[str, VoterSpec] = {
    "llm": VoterSpec(
        open=open_language_model,
        llm=True,
        serves=is_not_learned,
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
"""Whoever was right most often on training claims, where that was measured (`MEASURED`)."""
MEASURED = frozenset({defaults.LLM})
"""The language models for which it was measured on training claims of AVeriTeC who votes best, and
to which the shipped reader was fitted (docs/verdicts.md). Both do on news claims, the verifier on
a user's own documents; a model that is not listed casts its own votes."""
