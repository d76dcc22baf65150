"""What is counted by `len` is told by `quantity`, unless there are always several."""

from __future__ import annotations

import ast
import re
from itertools import pairwise

from tests.support.paths import ROOT

SEVERAL = {
    "the characters of a claim, argument or token": 3,
    "the models of a server, missing models, stores, given claims, files of one claim": 5,
    "pages, of several": 2,
    "the claims and pairs of a training": 4,
    "the numbers and tokens of a model": 2,
}


def test_one_of_a_thing_is_never_told_in_the_plural():
    told = []
    for file in sorted((ROOT / "uhhrag").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            parts = node.values if isinstance(node, ast.JoinedStr) else []
            for part, after in pairwise(parts):
                counted = isinstance(part, ast.FormattedValue) and ast.unparse(part.value)
                noun = isinstance(after, ast.Constant) and re.match(r" [a-z]+s\b", after.value)
                if counted and counted.startswith("len(") and noun and noun[0] != " is":
                    told.append(f"{file.name}:{node.lineno}:{noun[0]}")
    assert len(told) == sum(SEVERAL.values()), told
