"""The program's own folders are no documents, wherever they stand."""

from __future__ import annotations

from pathlib import Path

import pytest

from uhhrag.documents.listing import list_documents

OWN = {
    "2023.uhhrag": {"store.jsonl": '{"url": "file:gone.txt", "url2text": ["It rained."]}'},
    "archive": {"manifest.json": '{"kind": "corpus", "format": 1}', "notes.txt": "It rained."},
    "index": {"manifest.json": '{"recipe": {}, "uhhrag": "1", "claims": 3}', "a.jsonl": "{}"},
    "run": {"run.json": '{"signature": "a", "uhhrag": "1"}', "report.html": "<p>It rained."},
}


def written(folder: Path, files: dict[str, str]) -> None:
    folder.mkdir(parents=True)
    for name, text in files.items():
        (folder / name).write_text(text)


@pytest.mark.parametrize("below", [".", "a", "a/b"])
@pytest.mark.parametrize("name", OWN)
def test_a_folder_that_the_program_made_is_passed_over(tmp_path, name, below):
    written(tmp_path / below / name / "deep", {"b.txt": "It rained."})
    for file, text in OWN[name].items():
        (tmp_path / below / name / file).write_text(text)
    (tmp_path / "minutes.txt").write_text("It snowed.")
    assert [file.name for file in list_documents(tmp_path).files] == ["minutes.txt"]


def test_the_work_of_a_collection_is_passed_over_and_its_files_are_not(tmp_path):
    written(tmp_path / "k" / "work", {"store.jsonl": "{}"})
    written(tmp_path / "k" / "files", {"a.txt": "It rained."})
    (tmp_path / "k" / "collection.json").write_text('{"name": "x"}')
    assert [file.name for file in list_documents(tmp_path).files] == ["k/files/a.txt"]


@pytest.mark.parametrize(
    ("name", "files"),
    [
        (
            "site",
            {"manifest.json": '{"name": "An app", "kind": "page"}', "a.html": "<p>It rained."},
        ),
        ("work", {"a.txt": "It rained."}),
        ("runs", {"run.json": '{"km": 12}', "a.txt": "It rained."}),
    ],
)
def test_a_folder_of_somebody_else_is_read(tmp_path, name, files):
    written(tmp_path / name, files)
    assert len(list_documents(tmp_path).files) == 1
