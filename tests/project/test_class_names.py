"""A public class name stands for one class in the whole package."""

import ast
from collections import defaultdict
from pathlib import Path

import uhhrag

PACKAGE = Path(uhhrag.__file__).parent


def test_public_class_names_are_unique() -> None:
    files: dict[str, list[str]] = defaultdict(list)
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].append(path.relative_to(PACKAGE).as_posix())
    assert files
    assert {name: where for name, where in files.items() if len(where) > 1} == {}
