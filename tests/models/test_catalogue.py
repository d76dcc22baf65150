"""What the table of models promises."""

from __future__ import annotations

import re

import pytest

from tests.support.paths import ROOT
from uhhrag import models
from uhhrag.errors import ModelError
from uhhrag.models.catalogue import MODELS, PROFILES, expand

pytestmark = pytest.mark.usefixtures("nothing_outside")


def test_every_profile_names_models_of_the_table() -> None:
    for profile in PROFILES:
        assert [model.name for model in expand([profile])] == list(PROFILES[profile])


def test_every_model_has_a_source_and_every_package_source_a_pinned_version() -> None:
    for model in MODELS.values():
        assert model.hub or model.packages, model.name
        for requirement in model.packages.requirements if model.packages else ():
            assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+", requirement)


def test_hashes_and_revisions_are_whole_or_absent() -> None:
    for model in MODELS.values():
        for hub in filter(None, (model.hub, model.code)):
            assert hub.revision is None or re.fullmatch(r"[0-9a-f]{40}", hub.revision)
        for one in model.every_file:
            assert one.sha256 is None or re.fullmatch(r"[0-9a-f]{64}", one.sha256), one
            assert one.sha256 or not one.unpack, f"{one.path} is unpacked unseen"
            if model.packages:
                assert one.sha256, f"{one.path} comes from an index that anyone may write to"


def test_the_models_that_are_not_pinned_are_named_in_the_documents() -> None:
    unpinned = [
        name for name, model in MODELS.items() if any(not one.sha256 for one in model.every_file)
    ]
    told = " ".join((ROOT / "docs" / "security.md").read_text().split())
    _, found, names = told.partition("It has none for files of ")
    assert found
    names = names.partition(". The hash")[0]
    assert [
        name for name in MODELS if re.search(rf"{name}(?![-\w])", names.partition(";")[0])
    ] == unpinned
    _, _, without_commit = names.partition("; of ")
    unknown = [name for name in unpinned if not MODELS[name].hub.revision]
    taken = "all files are taken from the newest commit"
    assert without_commit == f"{' and '.join(unknown)} {taken}"


def test_code_of_a_model_is_trusted_only_for_the_papers_embedder_and_is_pinned() -> None:
    assert [name for name in MODELS if models.trusts_code(name)] == ["gte-base-en-v1.5"]
    code = MODELS["gte-base-en-v1.5"]
    assert code.code and code.code.revision and all(f.sha256 for f in code.code_files)
    assert not models.trusts_code("/some/folder/gte-base-en-v1.5")


def test_a_name_that_is_not_in_the_table_is_named_with_those_that_are() -> None:
    with pytest.raises(ModelError, match=r"model 'gpt' is not in the table; there are minilm"):
        expand(["gpt"])
