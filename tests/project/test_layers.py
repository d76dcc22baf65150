"""Imports flow one way: a folder imports only from folders of lower tiers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import uhhrag

PACKAGE = Path(__file__).resolve().parents[2] / "uhhrag"

TIERS = (
    ("defaults", "errors", "records", "version"),
    ("protocols", "system", "text"),
    (
        "backends",
        "documents",
        "evidence",
        "formats",
        "models",
        "prompts",
        "rules",
        "store",
    ),
    ("voters",),
    ("approaches", "indexing", "pipeline"),
    ("archive", "config", "runs", "training"),
    ("doctor", "folders", "scores", "wiring"),
    ("views",),
    ("exports",),
    ("serve",),
    ("workflows",),
    ("api", "assistants"),
    ("cli",),
    ("__main__",),
)
"""The folders of the package and the few modules beside them, the lowest tier first."""
ROOMS = ("tables", "sheets", "plain", "pandoc", "web", "office", "bundles", "pdf")
"""Of `documents`: a room knows the modules beside the rooms, and rooms before it."""
RANK = {part: rank for rank, tier in enumerate(TIERS) for part in tier}
BACKENDS_MAY_IMPORT = {"records", "errors", "protocols", "backends", "system", "version"}


def modules() -> dict[str, Path]:
    """Every module by its dotted name below the package, "" for the package itself."""
    found = {}
    for file in sorted(PACKAGE.rglob("*.py")):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = file
    return found


def imports(file: Path) -> set[str]:
    """Modules of the package that a file imports anywhere, as dotted names below the package."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file.name} imports relatively"
            module = node.module or ""
            names = [module, *(f"{module}.{alias.name}" for alias in node.names)]
        else:
            continue
        found |= {name.removeprefix("uhhrag.") for name in names if name.startswith("uhhrag.")}
    return found & MODULES.keys()


def part(module: str) -> str:
    """The file or folder at the top of the package that a module belongs to."""
    return module.split(".")[0]


MODULES = modules()
EDGES = {name: imports(file) for name, file in MODULES.items()}


def test_every_folder_has_its_tier_and_every_tier_its_folders():
    assert {part(name) for name in EDGES if name} == set(RANK)


def test_a_module_imports_only_lower_tiers():
    upward = [
        f"{module} imports {other}"
        for module, others in EDGES.items()
        for other in sorted(others)
        if module and part(other) != part(module) and RANK[part(other)] >= RANK[part(module)]
    ]
    assert upward == []


def room(module: str) -> str:
    """The room of `documents` that a module belongs to, or ""."""
    whole, _, rest = module.partition(".")
    inner, _, name = rest.partition(".")
    return inner if whole == "documents" and name else ""


def test_a_room_of_documents_knows_only_those_before_it():
    assert {room(name) for name in EDGES} - {""} == {*ROOMS}
    upward = [
        f"{module} imports {other}"
        for module, others in EDGES.items()
        for other in sorted(others)
        if room(module) and room(other) and ROOMS.index(room(other)) > ROOMS.index(room(module))
    ]
    assert upward == []


@pytest.mark.slow
def test_no_module_imports_the_package_that_loads_them_all():
    names = {"__version__", *uhhrag.__all__}
    back = [
        name
        for name, file in modules().items()
        for node in ast.walk(ast.parse(file.read_text()))
        if (isinstance(node, ast.Import) and any(alias.name == "uhhrag" for alias in node.names))
        or (
            isinstance(node, ast.ImportFrom)
            and node.module == "uhhrag"
            and not {alias.name for alias in node.names}.isdisjoint(names)
        )
    ]
    assert back == []


def test_the_package_itself_names_the_library_alone():
    assert EDGES[""] == {"api", "version"}


def test_only_wiring_imports_backends():
    importers = {name for name, found in EDGES.items() if any(part(f) == "backends" for f in found)}
    assert {part(name) for name in importers} - {"backends"} == {"wiring"}


def test_one_part_of_wiring_opens_each_model_backend():
    openers: dict[str, set[str]] = {}
    for name, found in EDGES.items():
        if part(name) == "wiring":
            for backend in found - {"backends", "backends.lazy", "backends.llamacpp"}:
                if part(backend) == "backends":
                    openers.setdefault(backend.removeprefix("backends."), set()).add(name)
    assert openers == {
        **{key: {"wiring.llms"} for key in ("llamacpp.model", "openai_server", "reply_cache")},
        **{
            key: {"wiring.embedders"}
            for key in ("sentence_transformer", "static_vectors", "vector_cache")
        },
        **{key: {"wiring.rerankers"} for key in ("cross_encoder", "nli", "transformers_models")},
        **{key: {"wiring.verifiers"} for key in ("verifier", "verifier_files")},
        "cpu_features": {"wiring.run_header"},
        "http": {"wiring.sources"},
        "kernels": {"wiring.machine"},
        "sqlite_cache": {"wiring.pipeline"},
    }


def test_backends_know_only_the_seams():
    for name, found in EDGES.items():
        if part(name) == "backends":
            assert {part(f) for f in found} <= BACKENDS_MAY_IMPORT, name


def test_no_step_knows_the_settings():
    knowing = {
        part(name)
        for name, found in EDGES.items()
        if any(part(other) == "config" for other in found)
    }
    assert knowing - {"config"} == {"wiring", "workflows", "cli", "doctor"}


def test_there_is_no_cycle_among_modules():
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " → ".join((*path, name))
        if name not in done:
            # A package's own __init__ is loaded with each of its modules, and names them.
            for other in EDGES[name] - {name, name.rpartition(".")[0]}:
                visit(other, (*path, name))
            done.add(name)

    for name in EDGES:
        visit(name, ())
