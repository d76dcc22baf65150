"""Print a bill of materials (CycloneDX 1.6, JSON) of a hash-locked requirements file and of the
models of the table. `python -m scripts.bill scripts/requirements.txt`; licences are those that the
installed packages state, so run it in the environment of scripts/setup."""

from __future__ import annotations

import json
import re
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from uhhrag.models import MODELS, Model
from uhhrag.version import __version__

LONGEST = 120
"""A licence field can hold the licence's whole text; then it is left out."""


def main(lock: Path) -> None:
    parts = [package(*found) for found in locked(lock.read_text(encoding="utf-8"))]
    parts += [weights(model) for model in MODELS.values()]
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": f"uhhrag@{__version__}",
                "name": "uhhrag",
                "version": __version__,
                "licenses": [{"license": {"id": "MIT"}}],
            }
        },
        "components": parts,
    }
    print(json.dumps(bill, indent=1))


def locked(text: str) -> list[tuple[str, str]]:
    """Name and version of each package of a requirements file."""
    return re.findall(r"^([a-z0-9._-]+)==(\S+)", text, re.MULTILINE)


def package(name: str, version: str) -> dict[str, Any]:
    """A package; the hashes of its files, one for each system and Python, stand in the lock."""
    url = f"pkg:pypi/{name}@{version}"
    part: dict[str, Any] = {
        "type": "library",
        "bom-ref": url,
        "name": name,
        "version": version,
        "purl": url,
    }
    if stated := licence(name):
        part["licenses"] = [{"license": {"name": stated}}]
    return part


def licence(name: str) -> str:
    """What an installed package states: its expression, else its classifiers, else its field."""
    try:
        said = metadata(name)
    except PackageNotFoundError:  # of another system
        return ""
    classified = [
        entry.rpartition(" :: ")[2]
        for entry in said.get_all("Classifier") or []
        if entry.startswith("License :: OSI Approved :: ")
    ]
    fields = said.get_all("License-Expression", [""]), said.get_all("License", [""])
    for stated in (fields[0][0], ", ".join(classified), fields[1][0]):
        if stated and len(stated) <= LONGEST and "\n" not in stated:
            return str(stated)
    return ""


def weights(model: Model) -> dict[str, Any]:
    files = [
        {
            "type": "file",
            "bom-ref": f"{model.name}/{file.path}",
            "name": file.path,
            **({"hashes": [{"alg": "SHA-256", "content": file.sha256}]} if file.sha256 else {}),
        }
        for file in model.every_file
    ]
    return {
        "type": "machine-learning-model",
        "bom-ref": model.name,
        "name": model.name,
        "licenses": [{"license": {"name": model.licence}}],
        "components": files,
    }


if __name__ == "__main__":
    main(Path(sys.argv[1]))
