"""A user's mistakes, each with its exit code and what the message must tell them to do.

`python -m tests.mistakes` makes each of them and writes `docs/mistakes.md`. A module a command, or
a few that belong together, lists its mistakes; `room` is where they are made.
"""

from __future__ import annotations

from tests.mistakes import (
    calibrate,
    corpus,
    documents,
    evaluate,
    index,
    models,
    predict,
    program,
    results,
)
from tests.mistakes.mistake import Mistake

MISTAKES: tuple[Mistake, ...] = (
    *program.MISTAKES,
    *index.MISTAKES,
    *predict.MISTAKES,
    *calibrate.MISTAKES,
    *evaluate.MISTAKES,
    *results.MISTAKES,
    *documents.MISTAKES,
    *corpus.MISTAKES,
    *models.MISTAKES,
)
