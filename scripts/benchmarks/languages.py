"""How often a claim gets a warning that it is not in English, rightly and wrongly.

    scripts/bench languages

Rightly: 40 sentences of the project's own in eight languages (tests/data/labelled). Wrongly:
the claims of AVeriTeC and SciFact, which are English.
"""

from __future__ import annotations

import json
from pathlib import Path

from scripts.benchmarks.sides import ROOT, commit, machine
from scripts.reference import reference_data
from uhhrag.text.language import other_language

LABELLED = ROOT / "tests" / "data" / "labelled"


def main() -> None:
    lines = (LABELLED / "languages.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    noticed = [(row, other_language(row["sentence"])) for row in rows]
    named = sum(language == row["language"] for row, language in noticed)
    print(f"not English: {sum(bool(language) for _, language in noticed)} of {len(rows)} noticed,")
    print(f"             {named} of them named rightly")
    folder = reference_data()
    for name, texts in english(folder).items():
        warned = [text for text in texts if other_language(text)]
        print(f"{name}: {len(warned)} of {len(texts)} get a false warning")
        for text in warned:
            print(f"    {other_language(text)}: {text[:100]}")
    print(f"\n{machine()}, commit {commit()}")


def english(folder: Path) -> dict[str, list[str]]:
    """English claims by the name of their set, of those that are at hand."""
    sets: dict[str, list[str]] = {}
    for name in ("dev60", "train"):
        file = folder / f"{name}.json"
        if file.exists():
            sets[f"AVeriTeC, {name}"] = [row["claim"] for row in json.loads(file.read_bytes())]
    for name in ("dev", "train"):
        file = folder.parent / "scifact" / f"claims_{name}.jsonl"
        if file.exists():
            lines = file.read_text(encoding="utf-8").splitlines()
            sets[f"SciFact, {name}"] = [json.loads(line)["claim"] for line in lines]
    return sets


if __name__ == "__main__":
    main()
