"""Names that say one thing: a public class name stands for one class in the whole package."""

import ast
from collections import defaultdict
from pathlib import Path

import uhhrag

PACKAGE = Path(uhhrag.__file__).parent
VAGUE = {"found", "said", "told", "kept"}


def trees() -> dict[str, ast.Module]:
    return {
        path.relative_to(PACKAGE).as_posix(): ast.parse(path.read_text(encoding="utf-8"))
        for path in sorted(PACKAGE.rglob("*.py"))
    }


def test_public_class_names_are_unique() -> None:
    files: dict[str, list[str]] = defaultdict(list)
    for file, tree in trees().items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                files[node.name].append(file)
    assert files
    assert {name: where for name, where in files.items() if len(where) > 1} == {}


def test_variables_are_named_for_what_they_hold() -> None:
    vague = [
        f"{file}: {name}"
        for file, tree in trees().items()
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.Lambda)
        for node in ast.walk(function)
        if (name := _bound(node)) in VAGUE
    ]
    assert vague == []


def _bound(node: ast.AST) -> str:
    if isinstance(node, ast.arg):
        return node.arg
    stored = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    return node.id if stored and isinstance(node, ast.Name) else ""
